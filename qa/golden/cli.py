"""The command line of qa/golden/golden."""

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from qa.adapters import libpcp
from qa.adapters.testee import Testee, TesteeError
from qa.golden import cases, ledger, run
from qa.peers.error import PeerError
from qa.peers.peers import Peer

ROOT = Path(__file__).resolve().parents[2] / "golden"
OK, FAILED, USAGE, NOT_STARTED = 0, 1, 2, 3


def _list(chosen: Sequence[cases.Case], by_clause: bool) -> int:
    if by_clause:
        for clause, names in cases.by_clause(chosen).items():
            print(f"{clause:12}  {', '.join(names)}")
    else:
        for case in chosen:
            print(f"{case.id:42}  {case.title}")
    return OK


def _copy(chosen: Sequence[cases.Case], to: Path) -> int:
    """The folders of the cases and of their inputs, as they stand."""
    folders = {case.folder.resolve() for case in chosen} | {path.parent for case in chosen for path in case.archives}
    for folder in sorted(folders):
        shutil.copytree(folder, to / folder.relative_to(ROOT))
    shutil.copytree(ROOT / "schema", to / "schema")
    print(f"{to}: {len(chosen)} cases", file=sys.stderr)
    return OK


def _report(verdicts: Iterable[run.Verdict], name: str) -> int:
    count = failed = declared = skipped = 0
    for verdict in verdicts:
        if verdict.outcome.kind == "skip":
            skipped += 1
            continue
        count += 1
        declared += verdict.deviation is not None
        if not verdict.passed:
            failed += 1
            print(verdict, end="\n\n")
    told = f"{failed} failed, {declared} with a declared deviation, {skipped} skipped"
    print(f"{name}: {count} answers compared, {told}", file=sys.stderr)
    if count == 0:
        print(f"{name}: nothing applies to it, or it skips everything", file=sys.stderr)
        return USAGE
    return FAILED if failed else OK


def _run(chosen: Sequence[cases.Case], implementation: str) -> int:
    kind, _, what = implementation.partition(":")
    if kind == "pcp":
        peer = Peer.find(what)
        if peer is None:
            print(f"golden: PCP {what} is not there: run qa/peers/peers fetch {what}", file=sys.stderr)
            return NOT_STARTED
        argv = libpcp.argv(peer, [ROOT])
        with Testee(f"pcp {peer.version}", lambda: argv) as testee:
            return _report(run.of_version(chosen, testee, peer.version), testee.name)
    if kind == "exec" and what:
        with Testee(what, what.split) as testee:
            return _report(run.under_all(chosen, testee), what)
    print(f"golden: {implementation!r}: neither pcp:VERSION nor exec:COMMAND", file=sys.stderr)
    return USAGE


def main(arguments: Sequence[str]) -> int:
    what = "The golden cases (golden/README.md): list them, copy them, put them to an implementation."
    parser = argparse.ArgumentParser(prog="golden", description=what)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="the cases, a line each")
    listing.add_argument("--by-clause", action="store_true", help="the clauses that have cases, and which")
    copying = commands.add_parser("copy", help="copy cases and their inputs out as plain files")
    copying.add_argument("to", metavar="FOLDER", type=Path)
    running = commands.add_parser("run", help="compare answers; what differs is shown side by side")
    running.add_argument("implementation", help="pcp:VERSION of qa/peers, or exec:COMMAND ('exec:pmproof testee')")
    commands.add_parser("ledger", help="the page of the divergence ledger (golden/ledger/README.md)")
    for command in (listing, copying, running):
        command.add_argument("globs", metavar="ID", nargs="*", help="only these cases, such as 'replay/set-*'")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "ledger":
            known = {case.id: case for case in cases.load_all(ROOT)}
            path = ROOT / "ledger/ledger.json"
            sys.stdout.write(ledger.page(ledger.load(path), ledger.load_quirks(path), known))
            return OK
        chosen = cases.load_all(ROOT, asked.globs)
        if asked.command == "list":
            return _list(chosen, asked.by_clause)
        if asked.command == "copy":
            return _copy(chosen, asked.to)
        return _run(chosen, asked.implementation)
    except (cases.CaseError, FileExistsError) as error:
        print(f"golden: {error}", file=sys.stderr)
        return USAGE
    except (TesteeError, PeerError) as error:
        print(f"golden: {error}", file=sys.stderr)
        return NOT_STARTED
