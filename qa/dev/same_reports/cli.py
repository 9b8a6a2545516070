# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/same_reports/same_reports."""

import argparse
import datetime
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from qa.dev.runs import last_run

_README = Path(__file__).with_name("README.md")
_ROUND = 20
# The only thing in a report that depends on when it is made (ARC-1220).
_CLOCK = re.compile(rb"not after tomorrow, [0-9TZ:.-]+")

_EPILOG = """\
Status: 0 the reports are the same; 1 some are not (the archives are kept in --keep), or there are none; 2 wrong usage.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    rng = random.Random(options.seed)
    rows: list[tuple[str, int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        for what, place in _inputs(options, rng, Path(folder)):
            count = different = 0
            for jobs in (1, 2) if what != _MADE else (rng.choice((1, 2)),):
                reports = [_report(program, place, jobs) for program in (options.before, options.after)]
                count = reports[0][1].count(b'"type":"archive"')
                if count == 0:
                    raise SystemExit(f"same_reports: {options.before} reports on no archive of {place}")
                if reports[0] != reports[1]:
                    different += 1
                    _tell(what, reports[0][1], reports[1][1])
                    if what == _MADE:
                        place.rename(options.keep / f"{len(rows)}")
            rows.append((what, count, different))
            print(f"\r{sum(row[1] for row in rows)} archives", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    table = _table(rows, options)
    print(table, end="")
    if options.write:
        _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 1 if any(row[2] for row in rows) else 0


_MADE = "generated and damaged archives"


def _inputs(options: argparse.Namespace, rng: random.Random, folder: Path) -> Iterator[tuple[str, Path]]:
    """Places with archives, and what they are."""
    if options.archives is not None:
        yield "recorded archives", options.archives
    _run(options.after, "enumerate", "--records", str(options.records), folder / "all")
    yield f"all archives of 1 to {options.records} records", folder / "all"
    listing = _run(options.after, "generate", "--list").stdout.splitlines()
    scenarios = [line.split()[0] for line in listing if line[:1].strip()]
    bases = sorted(options.archives.rglob("*.index")) if options.archives is not None else []
    end = time.monotonic() + 60 * options.minutes
    for number in range(options.rounds):
        if time.monotonic() > end:
            break
        place = folder / f"made{number}"
        place.mkdir()
        for archive in range(_ROUND):
            seed = rng.randrange(10**6)
            damage = ["mutate", "--seed", str(seed), "--damage", rng.choice("1125")]
            if bases and rng.random() < 0.5:
                _run(options.after, *damage, rng.choice(bases), place / f"m{archive}")
                continue
            arguments = ["--seed", str(seed), "--scenario", ",".join(rng.sample(scenarios, rng.choice((1, 2, 3))))]
            arguments += ["--records", rng.choice(("5", "30", "200")), "--instances", rng.choice(("1", "5", "40"))]
            arguments += ["--archive-version", rng.choice("23"), "--no-truth"]
            _run(options.after, "generate", *arguments, place / f"g{archive}")
            if rng.random() < 0.5:
                _run(options.after, *damage, place / f"g{archive}", place / f"d{archive}")
        yield _MADE, place


def _run(program: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    # Some scenarios exclude each other, some archives are too broken to be damaged: then there is one less.
    command: list[str | Path] = [program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _report(program: Path, place: Path, jobs: int) -> tuple[int, bytes]:
    command: list[str | Path] = [program, "check", "--format", "jsonl", "--max-findings", "1000000", "--jobs", str(jobs), place]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.returncode, _CLOCK.sub(b"not after tomorrow", done.stdout)


def _tell(what: str, before: bytes, after: bytes) -> None:
    print(f"\n{what}: the reports differ", file=sys.stderr)
    for old, new in zip(before.splitlines(), after.splitlines()):
        if old != new:
            print(f"- {old[:400]!r}\n+ {new[:400]!r}", file=sys.stderr)
            break


def _table(rows: list[tuple[str, int, int]], options: argparse.Namespace) -> str:
    lines = ["| archives | how many | reports that differ |", "|---|---|---|"]
    for what in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == what]
        lines.append(f"| {what} | {sum(row[1] for row in own):,} | {sum(row[2] for row in own)} |")
    return "\n".join([*lines, "", f"{datetime.date.today().isoformat()}, seed {options.seed}."]) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="same_reports",
        description="Compares what two builds of pmproof say of recorded, enumerated, generated and damaged archives.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("before", type=_program, metavar="BEFORE", help="a program pmproof")
    parser.add_argument("after", type=_program, metavar="AFTER", help="another one, which also makes the archives")
    parser.add_argument("--archives", type=Path, metavar="DIR", help="recorded archives, also to damage")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of what is made (1)")
    parser.add_argument("--records", type=int, default=3, metavar="N", help="of the enumerated archives (3: 2,530 of them)")
    parser.add_argument("--rounds", type=int, default=500, metavar="N", help=f"of some {_ROUND} made archives each (500)")
    parser.add_argument("--minutes", type=float, default=60, metavar="N", help="after which no round begins (60)")
    parser.add_argument("--keep", type=Path, default=Path("."), metavar="DIR", help="for made archives that differ (.)")
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    return parser


def _program(word: str) -> Path:
    path = Path(word).absolute()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"no program {word}")
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
