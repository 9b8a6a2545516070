# SPDX-License-Identifier: Apache-2.0
"""What the command lines of long runs beside real PCP have in common."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from qa.peers.error import PeerError
from qa.peers.peers import SUITES, Peer
from qa.support.arguments import positive


def fetched(versions: Sequence[str]) -> list[Peer]:
    """Those of the versions that are there; the others are named to the person who waits."""
    found = []
    for version in versions:
        peer = Peer.find(version)
        if peer is None:
            print(f"PCP {version} is not there: run qa/peers/peers fetch {version}", file=sys.stderr)
        else:
            found.append(peer)
    return found


def sandboxed(versions: Sequence[str]) -> list[Peer]:
    """Those that are there and that bubblewrap runs, whole trees as they are; the others are named."""
    found = []
    for peer in fetched(versions):
        if peer.launcher.name != "bubblewrap":
            print(f"PCP {peer.version} needs bubblewrap to run", file=sys.stderr)
        else:
            found.append(peer)
    return found


def with_library(versions: Sequence[str]) -> list[str]:
    """The exact versions of those that are there and whose own Python can run."""
    return [peer.version for peer in sandboxed(versions)]


def add_survey_options(parser: argparse.ArgumentParser, name: str) -> None:
    """--versions, --jobs, --keep, --pmproof and --readme of the survey of that name."""
    versions = f"only these of {', '.join(SUITES)}"
    parser.add_argument("--versions", type=lambda text: text.split(","), metavar="V,...", help=versions)
    parser.add_argument("--jobs", type=positive, default=min(2, os.cpu_count() or 1), help="processes (default 2)")
    parser.add_argument("--keep", type=Path, default=Path(f"{name}-faults"), metavar="FOLDER",
                        help=f"for archives with a fault (default: {name}-faults)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: built by Bazel)")
    parser.add_argument("--readme", type=Path, metavar="FILE", help="only put the results of that file into the README")


def surveyed_versions(wanted: Sequence[str] | None) -> list[str]:
    """Those of --versions, or of all, that are there; if there are none, the person who waits was told why."""
    try:
        return with_library(wanted or list(SUITES))
    except PeerError as error:
        print(f"run: {error}", file=sys.stderr)
        return []
