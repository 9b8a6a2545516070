# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/attack/attack."""

import argparse
import datetime
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from qa.dev.attack import fleets, fuzzing, interrupts, many, peers, reading
from qa.dev.attack.program import Outcome
from qa.dev.attack.setting import Setting, emptied
from qa.dev.runs import last_run
from qa.support.built import ROOT, built

_PAGE = ROOT / "docs" / "attack.md"
# With the part of the time that each may take; those that have a count take what they need for that.
ATTACKS: dict[str, tuple[Callable[[Setting], Outcome], float]] = {
    "signals": (interrupts.signals, 0),
    "full-disk": (interrupts.full_disk, 0),
    "read-errors": (reading.errors, 0),
    "moving-files": (reading.moving, 0.1),
    "volumes": (many.volumes, 0),
    "names": (many.names, 0),
    "peers": (peers.attack, 0.15),
    "fleets": (fleets.attack, 0.1),
    "fuzz": (fuzzing.attack, 0.65),
}

_EPILOG = """\
Attacks with a count (signals, full-disk, read-errors, volumes, names) take what they need for it, times --thorough; the others
share --minutes. The same --seed draws the same mutants. Inputs with which something was wrong are kept.
Status: 0 nothing was found; 1 something was (it is printed); 2 wrong usage.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    program = (options.pmproof or built("//validator:pmproof")).resolve()
    shim = (options.failing_reads or built("//qa/dev/attack:failing_reads.so")).resolve()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="pmproof-attack-", dir=options.folder) as folder:
        for name, (attack, share) in ATTACKS.items():
            if options.only and name not in options.only:
                continue
            setting = Setting(
                program, shim, emptied(Path(folder) / name), random.Random(f"{options.seed} {name}"),
                60 * options.minutes * share, options.thorough, options.keep,
            )
            outcomes.append(_made(name, attack, setting))
            _tell(name, outcomes[-1])
            emptied(Path(folder) / name)
    if options.write:
        _write(outcomes, options)
    return 1 if any(outcome.problems for outcome in outcomes) else 0


def _made(name: str, attack: Callable[[Setting], Outcome], setting: Setting) -> Outcome:
    """One that cannot be made is a fault, and the others are made all the same."""
    try:
        return attack(setting)
    except Exception as error:  # pylint: disable=broad-exception-caught
        return Outcome(name, problems=[f"the attack itself failed: {error!r}"])


def _tell(name: str, outcome: Outcome) -> None:
    print(f"{name}: {outcome.runs} runs in {outcome.seconds:.0f} s; {'; '.join(outcome.figures)}", file=sys.stderr, flush=True)
    for problem in outcome.problems[:50]:
        print(f"{name}: {problem}", flush=True)


def markdown(outcomes: Sequence[Outcome]) -> str:
    lines = ["| tried | runs | minutes | figures | outcome |", "|---|---|---|---|---|"]
    for outcome in outcomes:
        found = f"**{len(outcome.problems)} faults**" if outcome.problems else "nothing found"
        figures = "; ".join(outcome.figures).replace("|", "\\|")
        lines.append(f"| {outcome.attack} | {outcome.runs:,} | {outcome.seconds / 60:.1f} | {figures} | {found} |")
    total = sum(outcome.seconds for outcome in outcomes) / 60
    lines.append(f"| all | {sum(outcome.runs for outcome in outcomes):,} | {total:.0f} | | |")
    return "\n".join(lines) + "\n"


def _write(outcomes: Sequence[Outcome], options: argparse.Namespace) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    note = (
        f"`attack --minutes {options.minutes:g} --seed {options.seed} --thorough {options.thorough:g}` on {datetime.date.today().isoformat()} at commit"
        f" {commit.stdout.strip()}.\n\n"
    )
    _PAGE.write_text(last_run.into(_PAGE.read_text(encoding="utf-8"), note + markdown(outcomes)), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attack",
        description="Attacks pmproof: fuzzing, signals, full disks, read errors, moving files, large numbers, broken agents, killed fleets.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10, metavar="N", help="for what has no count (default 10)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--thorough", type=float, default=1, metavar="X", help="times the counts; 0.01 is a quick look (default 1)")
    parser.add_argument("--only", action="append", choices=ATTACKS, help="may be repeated")
    parser.add_argument("--keep", type=Path, default=Path("attack-faults"), metavar="FOLDER", help="default: attack-faults")
    parser.add_argument("--folder", type=Path, help="where files are made (default: that of temporary files)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: built by Bazel)")
    parser.add_argument("--failing-reads", type=Path, metavar="FILE", help="failing_reads.so (default: built by Bazel)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/attack.md")
    return parser
