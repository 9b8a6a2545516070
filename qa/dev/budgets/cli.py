# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/budgets/budgets."""

import argparse
import datetime
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qa.dev.budgets.inputs import KINDS, MB, Kind
from qa.dev.budgets.measure import Measured, command_lines, measure
from qa.dev.budgets.table import markdown
from qa.dev.runs import last_run
from qa.support.arguments import positive
from qa.support.built import ROOT, built

_PAGE = ROOT / "docs" / "budgets.md"
_ONLY_TEXT = ("compare", "compare --parse")

_EPILOG = """\
Each command that reads archives or other large inputs is run over each kind of input, with one budget. The peak is that of
memory which is written to; mapped files do not count. Status: 0 all stayed within the budget and ended with 0 to 4 or 6;
1 one did not (it is named); 2 wrong usage.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    memory = options.memory * MB
    program = options.pmproof or built("//validator:pmproof")
    results: dict[str, dict[str, Measured]] = {}
    beyond = []
    with tempfile.TemporaryDirectory(prefix="pmproof-budgets-", dir=options.folder) as folder:
        for kind in KINDS:
            if options.only and not any(word in kind.name for word in options.only):
                continue
            results[kind.name] = _measured(kind, program, memory, options, Path(folder))
            beyond += [
                f"{kind.name}: {command}: status {one.status}, {one.peak // MB} MB, {one.seconds:.1f} s: {one.told}"
                for command, one in results[kind.name].items()
                if not one.within(memory)
            ]
    for line in beyond:
        print(line)
    table = markdown(results, memory)
    if options.write:
        _write(table, options.memory, options.scale)
    else:
        print(table, end="")
    return 1 if beyond or not results else 0


def _measured(kind: Kind, program: Path, memory: int, options: argparse.Namespace, folder: Path) -> dict[str, Measured]:
    place = folder / "in"
    place.mkdir()
    base = place / "a"
    kind.make(base, options.scale)
    found = {}
    for command, (words, stdin) in command_lines(base, folder / "out").items():
        wanted = command in kind.commands if kind.commands else command not in _ONLY_TEXT
        if not wanted or (options.command and command not in options.command):
            continue
        found[command] = measure(program, words, stdin, memory, options.limit, folder / "out")
        one = found[command]
        print(f"{kind.name}: {command}: {one.peak // MB} MB, {one.seconds:.1f} s, status {one.status}", file=sys.stderr, flush=True)
    shutil.rmtree(place)
    return found


def _write(table: str, memory: int, scale: int) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    smaller = f", each input {scale} times smaller than its name says" if scale > 1 else ""
    note = (
        f"Measured on {datetime.date.today().isoformat()} at commit {commit.stdout.strip()} with `--memory {memory}M`{smaller}. Peaks in MB;"
        " the exit status in parentheses where it is not 0.\n\n"
    )
    _PAGE.write_text(last_run.into(_PAGE.read_text(encoding="utf-8"), note + table), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="budgets",
        description="Measures what each command takes over each kind of large or hostile input.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--memory", type=positive, default=128, metavar="MB", help="the budget (default 128)")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="for one command (default 120)")
    parser.add_argument("--scale", type=positive, default=1, metavar="N", help="inputs N times smaller")
    parser.add_argument("--only", action="append", metavar="WORDS", help="kinds with these words in their name; may be repeated")
    parser.add_argument("--command", action="append", metavar="NAME", help="only this command; may be repeated")
    parser.add_argument("--folder", type=Path, help="where inputs are made (default: that of temporary files)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: built by Bazel)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/budgets.md")
    return parser
