# SPDX-License-Identifier: Apache-2.0
"""The benchmark of fleets: what handing archives out costs, beside pmproof check with as many threads."""

import argparse
import datetime
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from qa.dev.runs import last_run
from qa.support.arguments import positive
from qa.support.built import built

_HERE = Path(__file__).resolve().parent
_PER_FOLDER = 100  # archives, as a host has them
_MEMORY = "4G"  # for all reports of one process; a fleet never has so many of them
_OLD = 1_700_000_000  # seconds since 1970


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench", description="Measures fleet check beside pmproof check, in one run.")
    parser.add_argument("--archives", type=positive, default=10_000, metavar="N", help="default 10000")
    parser.add_argument("--rounds", type=positive, default=3, metavar="N", help="of which the best counts")
    parser.add_argument("--workers", type=positive, nargs="+", default=[1, 2], metavar="N", help="default 1 2")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: built by Bazel)")
    parser.add_argument("--readme", action="store_true", help="put the table into the README")
    options = parser.parse_args(arguments)
    pmproof = (options.pmproof or built("//validator:pmproof")).resolve()
    with tempfile.TemporaryDirectory(prefix="pmproof-fleet-bench-") as folder:
        try:
            archives = small_archives(pmproof, Path(folder), options.archives)
            times = measure(pmproof, Path(folder), archives, options.workers, options.rounds)
        except ChildProcessError as error:
            print(f"bench: {error}", file=sys.stderr)
            return 1
    table = _table(times, options.archives)
    print(table, end="")
    if options.readme:
        readme = _HERE / "README.md"
        readme.write_text(last_run.into(readme.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 0


def small_archives(pmproof: Path, folder: Path, number: int) -> Path:
    """Small archives, which cost a fleet most: the first of all that have up to four records, and where there are too few
    the same again, of other hosts. They are old: what a live archive would be is checked twice.

    Raises ChildProcessError where pmproof makes none.
    """
    files: dict[str, list[str]] = {}
    for records in "1234":
        flat, hosts = folder / f"flat{records}", folder / "hosts"
        done = subprocess.run([pmproof, "enumerate", "--records", records, flat], check=False, capture_output=True)
        if done.returncode != 0 or not flat.is_dir():
            raise ChildProcessError(f"{pmproof} enumerate ended with status {done.returncode}")
        files.clear()
        for name in os.listdir(flat):
            files.setdefault(name.rpartition(".")[0], []).append(name)
        if len(files) >= number:
            break
    bases = sorted(files)[:number]
    if not bases:
        raise ChildProcessError(f"{pmproof} enumerate made no archive")
    for place in range(number):
        host = hosts / f"host{place // _PER_FOLDER:03}"
        host.mkdir(parents=True, exist_ok=True)
        base = bases[place % len(bases)]
        for name in files[base]:
            if place < len(bases):
                os.utime(flat / name, (_OLD, _OLD))
            os.link(flat / name, host / name)
    return hosts


def measure(pmproof: Path, folder: Path, archives: Path, workers: list[int], rounds: int) -> dict[str, tuple[float, float]]:
    """Elapsed and CPU seconds of each command, by turns, so that what else the machine does harms all alike.

    Of each number of workers first those of pmproof check, then those of fleet check. Raises ChildProcessError where one fails.
    """
    times: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        for number in workers:
            report, journal = folder / "report.json", folder / "journal"
            check: list[str | Path] = [pmproof, "check", "--quiet", "--jobs", str(number), "--memory", _MEMORY]
            check += ["--format", "json", "--output", report, "--force"]
            fleet: list[str | Path] = [_HERE / "fleet", "check", "--quiet", "--workers", str(number), "--checker", pmproof]
            commands: dict[str, list[str | Path]] = {
                f"pmproof check --jobs {number}": [*check, archives],
                f"fleet check --workers {number}": [*fleet, "--fresh", "--journal", journal, archives],
            }
            for name, command in commands.items():
                begin, used = time.monotonic(), _used()
                done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
                seconds, cpu = time.monotonic() - begin, _used() - used
                if done.returncode != 1:  # some of them are not conformant
                    raise ChildProcessError(f"{name} ended with status {done.returncode}")
                before = times.get(name, (seconds, cpu))
                times[name] = (min(seconds, before[0]), min(cpu, before[1]))
                print(f"{name}: {seconds:.3f} s, CPU {cpu:.3f} s", file=sys.stderr)
    return times


def _used() -> float:
    """CPU seconds of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _table(times: dict[str, tuple[float, float]], archives: int) -> str:
    lines = [
        f"Of {datetime.date.today().isoformat()}, {os.cpu_count()} processors, {archives} archives; the best of the rounds, and how many "
        "times as much it is as `pmproof check` with as many threads.",
        "",
        "| command | elapsed s | times | CPU s | times |",
        "|---|---:|---:|---:|---:|",
    ]
    alone = (1.0, 1.0)
    for name, (elapsed, cpu) in times.items():
        if not name.startswith("fleet"):
            alone = (elapsed, cpu)
        lines.append(f"| `{name}` | {elapsed:.3f} | {elapsed / alone[0]:.2f} | {cpu:.3f} | {cpu / alone[1]:.2f} |")
    return "\n".join(lines) + "\n"
