"""The command line of qa/golden/golden."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from qa.golden import cases, ledger

ROOT = Path(__file__).resolve().parents[2] / "golden"
OK, USAGE = 0, 2


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


def main(arguments: Sequence[str]) -> int:
    what = "The golden cases (golden/README.md): list them, copy them. qa/suite/suite puts them to an implementation."
    parser = argparse.ArgumentParser(prog="golden", description=what)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="the cases, a line each")
    listing.add_argument("--by-clause", action="store_true", help="the clauses that have cases, and which")
    copying = commands.add_parser("copy", help="copy cases and their inputs out as plain files")
    copying.add_argument("to", metavar="FOLDER", type=Path)
    commands.add_parser("ledger", help="the page of the divergence ledger (golden/ledger/README.md)")
    for command in (listing, copying):
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
        return _copy(chosen, asked.to)
    except (cases.CaseError, FileExistsError) as error:
        print(f"golden: {error}", file=sys.stderr)
        return USAGE
