# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/attack/attack."""

import argparse
import datetime
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from qa.dev.attack import fleets, fuzzing, interrupts, many, peers, reading
from qa.dev.attack.program import Outcome
from qa.dev.attack.setting import Setting, emptied
from qa.dev.runs import last_run
from qa.support.built import ROOT, built

_PAGE = ROOT / "docs" / "attack.md"
_RESULTS = Path(__file__).with_name("results.json")
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
    found = False
    with tempfile.TemporaryDirectory(prefix="pmproof-attack-", dir=options.folder) as folder:
        for name, (attack, share) in ATTACKS.items():
            if options.only and name not in options.only:
                continue
            setting = Setting(
                program, shim, emptied(Path(folder) / name), random.Random(f"{options.seed} {name}"),
                60 * options.minutes * share, options.thorough, options.keep,
            )
            outcome = _made(name, attack, setting)
            found = found or bool(outcome.problems)
            _tell(name, outcome)
            emptied(Path(folder) / name)
            if options.write:  # after each: what was done is not lost with what is not
                _write(name, outcome, options)
    return 1 if found else 0


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


Row = dict[str, Any]


def row(outcome: Outcome, seed: int, commit: str, date: str) -> Row:
    return {
        "tried": outcome.attack,
        "runs": outcome.runs,
        "minutes": round(outcome.seconds / 60, 1),
        "figures": outcome.figures,
        "faults": len(outcome.problems),
        "seed": seed,
        "commit": commit,
        "date": date,
    }


def markdown(rows: Sequence[Row]) -> str:
    """The last run of each attack."""
    lines = ["| tried | runs | minutes | figures | outcome | date, commit, seed |", "|---|---|---|---|---|---|"]
    for one in rows:
        outcome = f"**{one['faults']} fault{'s' * (one['faults'] != 1)}**" if one["faults"] else "nothing found"
        figures = "; ".join(one["figures"]).replace("|", "\\|")
        when = f"{one['date']}, {one['commit']}, {one['seed']}"
        lines.append(f"| {one['tried']} | {one['runs']:,} | {one['minutes']:.1f} | {figures} | {outcome} | {when} |")
    runs, minutes = sum(one["runs"] for one in rows), sum(one["minutes"] for one in rows)
    lines.append(f"| all | {runs:,} | {minutes:.0f} | | | |")
    return "\n".join(lines) + "\n"


def _write(name: str, outcome: Outcome, options: argparse.Namespace) -> None:
    rows: dict[str, Row] = json.loads(_RESULTS.read_text(encoding="utf-8")) if _RESULTS.exists() else {}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    rows[name] = row(outcome, options.seed, commit.stdout.strip(), datetime.date.today().isoformat())
    _RESULTS.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    table = markdown([rows[each] for each in ATTACKS if each in rows])
    _PAGE.write_text(last_run.into(_PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")


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
    parser.add_argument("--write", action="store_true", help="write what came of each attack into results.json and docs/attack.md, in place of its last run")
    return parser
