# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/growth/growth."""

import argparse
import datetime
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qa.dev.bench.measure import ChildFailed, Command, adopt_orphans, sampled_memory, time_rounds
from qa.dev.bench.results import Timing
from qa.dev.growth.inputs import KINDS, Kind, command_line
from qa.dev.growth.table import Sizes, markdown, not_linear
from qa.dev.runs import last_run
from qa.support.arguments import positive
from qa.support.built import ROOT, built

_PAGE = ROOT / "docs" / "growth.md"

_EPILOG = """\
Each command is run over archives with n, 2n and 4n of one thing. Status: 0 time grows at most 2.2-fold and memory linearly
with each doubling; 1 something does not (it is named); 2 wrong usage; 3 a command failed.
"""


class NotMeasured(Exception):
    """A command did not end as it should."""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    program = options.pmproof or built("//validator:pmproof")
    adopt_orphans()
    results: dict[str, dict[str, Sizes]] = {}
    try:
        with tempfile.TemporaryDirectory(prefix="pmproof-growth-", dir=options.folder) as folder:
            for kind in KINDS:
                if not options.only or any(word in kind.name for word in options.only):
                    results[kind.name] = _measured(kind, program, options, Path(folder))
    except (NotMeasured, ChildFailed) as error:
        print(f"growth: {error}", file=sys.stderr)
        return 3
    table = markdown(results)
    if options.write:
        _write(table, options.repeat)
    print(table, end="")
    beyond = not_linear(results)
    for line in beyond:
        print(f"more than linear: {line}")
    return 1 if beyond or not results else 0


def _measured(kind: Kind, program: Path, options: argparse.Namespace, folder: Path) -> dict[str, Sizes]:
    least = max(1, kind.least // options.scale)
    counts = (least, 2 * least, 4 * least)
    seconds: dict[str, list[float]] = {command: [] for command in kind.commands}
    peaks: dict[str, list[int]] = {command: [] for command in kind.commands}
    for count in (kind.nothing, *counts):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            base = Path(place) / "a"
            kind.make(program, base, count)
            commands = {
                command: Command([str(program), *command_line(kind, command, base, Path(place), count), "--jobs", "1"])
                for command in kind.commands
            }
            for command, timing in time_rounds(commands, options.repeat).items():
                if not isinstance(timing, Timing):
                    raise NotMeasured(f"{kind.name}: {command}: {timing.because}")
                seconds[command].append(timing.cpu)
                peaks[command].append(sampled_memory(commands[command]))
                print(f"{kind.name}: {count}: {command}: {timing.cpu:.2f} s", file=sys.stderr, flush=True)
    return {command: _sizes(counts, seconds[command], peaks[command]) for command in kind.commands}


def _sizes(counts: tuple[int, int, int], seconds: Sequence[float], peaks: Sequence[int]) -> Sizes:
    nothing, *rest = seconds
    one, two, four = (max(0.0, each - nothing) for each in rest)
    return Sizes(counts, (one, two, four), (peaks[1], peaks[2], peaks[3]))


def _write(table: str, repeat: int) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    today = datetime.date.today().isoformat()
    note = f"Measured on {today} at commit {commit.stdout.strip()}, the least of {repeat} runs.\n\n"
    _PAGE.write_text(last_run.into(_PAGE.read_text(encoding="utf-8"), note + table), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="growth",
        description="Measures how time and memory grow with what an archive has many of.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--repeat", type=positive, default=3, metavar="N", help="runs of each, of which the shortest counts (default 3)")
    parser.add_argument("--scale", type=positive, default=1, metavar="N", help="archives N times smaller")
    parser.add_argument("--only", action="append", metavar="WORDS", help="kinds with these words in their name; may be repeated")
    parser.add_argument("--folder", type=Path, help="where archives are made (default: that of temporary files)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: built by Bazel)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/growth.md")
    return parser
