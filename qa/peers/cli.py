# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/peers/peers."""

import argparse
import os
import sys
from collections.abc import Sequence

from qa.peers.error import PeerError
from qa.peers.fetch import fetch
from qa.peers.launchers import Loader
from qa.peers.peers import SUITES, Peer, default_root, is_version, suite_of

_EPILOG = """\
Folders are in $PMPROOF_PEERS (default ~/.cache/pmproof/peers); to get a suite's newer packages, remove its folder and
fetch it again. Packages come from the Debian mirror of this machine's apt configuration, checked with Debian's keys.
Status: 0 done, 2 wrong usage, 3 the peer cannot be had; run: the tool's own.
"""


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit status; `run` does not come back."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "fetch":
            return _fetch(options.version)
        if options.command == "list":
            return _list()
        return _run(options)
    except PeerError as error:
        print(f"peers: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("peers: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    known = ", ".join(f"{version} ({suite})" for version, suite in SUITES.items())
    parser = argparse.ArgumentParser(
        prog="peers",
        description=f"Real PCP versions to compare with, unpacked from Debian's packages, not installed: {known}.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    fetching = commands.add_parser("fetch", help="unpack a version, or all; at once if it is there")
    fetching.add_argument("version", type=_version_or_all, metavar="VERSION|all")
    commands.add_parser("list", help="what is there")
    running = commands.add_parser(
        "run",
        help="run a tool of a version; it starts in the current folder",
        usage="peers run [--bind DIR]... [--bind-rw DIR]... [--env NAME=VALUE]... [--network] VERSION -- TOOL ARGS...",
    )
    running.add_argument("version", type=_version, metavar="VERSION")
    running.add_argument("--bind", action="append", default=[], metavar="DIR", help="let it read DIR, at its own path")
    running.add_argument("--bind-rw", action="append", default=[], metavar="DIR", help="let it read and write DIR")
    running.add_argument("--env", action="append", default=[], type=_variable, metavar="NAME=VALUE", help="set it")
    running.add_argument("--network", action="store_true", help="let it use this machine's network")
    running.add_argument("tool", nargs="+", metavar="TOOL", help="the tool and its arguments")
    return parser


def _version(word: str) -> str:
    try:
        suite_of(word)
    except PeerError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return word


def _version_or_all(word: str) -> str:
    return word if word == "all" else _version(word)


def _variable(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"not NAME=VALUE: {word!r}")
    return name, value


def _fetch(asked: str) -> int:
    status = 0
    for suite in SUITES.values() if asked == "all" else [suite_of(asked)]:
        try:
            peer = fetch(suite, say=lambda line: print(f"peers: {line}", file=sys.stderr, flush=True))
            print(f"{peer.version} {peer.suite} {peer.folder}", flush=True)
            if asked not in ("all", suite) and not is_version(peer.version, asked):
                raise PeerError(f"no {asked} to be had: Debian {suite} has PCP {peer.version} by now ({peer.folder})")
        except PeerError as error:
            print(f"peers: {error}", file=sys.stderr)
            status = 3
    return status


def _list() -> int:
    root = default_root()
    rows = [("PCP", "SUITE", "SIZE", "RUN BY", "FOLDER")]
    reasons = set()
    for version, suite in SUITES.items():
        peer = Peer.of_suite(suite, root)
        if peer is None:
            rows.append((version, suite, "-", "-", "not fetched"))
        else:
            rows.append((peer.version, suite, f"{peer.size / 1e6:.0f} MB", peer.launcher.name, str(peer.folder)))
            if isinstance(peer.launcher, Loader):
                reasons.add(peer.launcher.reason)
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    for reason in sorted(reasons):
        print(f"peers: only compiled tools run, for want of bubblewrap: {reason}", file=sys.stderr)
    return 0


def _run(options: argparse.Namespace) -> int:
    peer = Peer.find(options.version)
    if peer is None:
        raise PeerError(f"PCP {options.version} is not there: run `peers fetch {options.version}`")
    argv = peer.argv(
        options.tool,
        options.bind,
        writable=options.bind_rw,
        environment=dict(options.env),
        network=options.network,
    )
    os.execv(argv[0], argv)
