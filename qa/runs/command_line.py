"""What the command lines of long runs beside real PCP have in common."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from qa.peers.peers import Peer

ROOT = Path(__file__).resolve().parents[2]


def positive(text: str) -> int:
    """A number of at least 1, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"not a number of at least 1: {text}")
    return number


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


def with_library(versions: Sequence[str]) -> list[str]:
    """The exact versions of those that are there and whose own Python can run."""
    found = []
    for peer in fetched(versions):
        if peer.launcher.name != "bubblewrap":
            print(f"PCP {peer.version} needs bubblewrap to run", file=sys.stderr)
        else:
            found.append(peer.version)
    return found


def built(target: str) -> Path:
    """The program that Bazel makes of a target such as "//validator:pmproof"."""
    subprocess.run(["bazel", "build", target], cwd=ROOT, check=True)
    return ROOT / "bazel-bin" / target.removeprefix("//").replace(":", "/")
