# SPDX-License-Identifier: Apache-2.0
"""Fleets whose scheduler and workers are killed, and with archives that kill their worker."""

import importlib
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

from qa.dev.attack.program import Outcome
from qa.dev.attack.setting import Clock, Setting, emptied

_POISON = 3
_WORKERS = "2"
_KILLED_AFTER = 4.0  # seconds at most


def attack(setting: Setting) -> Outcome:
    outcome = Outcome("fleets: scheduler, workers and the run itself killed, poison archives")
    clock = Clock(setting.seconds)
    # They ask for the program as they are loaded.
    os.environ["PMPROOF"] = str(setting.program)
    try:
        testing = importlib.import_module("qa.fleet.testing")
        importlib.import_module("distributed")
    except ImportError as error:
        outcome.figures.append(f"not tried: {error}")
        return outcome
    place = emptied(setting.folder / "in")
    archives = testing.small_archives(place, records=1)
    counts: Counter[str] = Counter()
    while outcome.runs == 0 or clock.left():
        outcome.runs += 1
        _one(testing, archives, emptied(setting.folder / "out"), setting.chance, outcome, counts)
    outcome.figures.append(f"{len(archives)} archives each time, {_POISON} of them poison")
    outcome.figures.append(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())))
    outcome.seconds = clock.spent()
    return outcome


def _one(
    testing: Any, archives: list[Path], folder: Path, chance: random.Random, outcome: Outcome, counts: Counter[str]
) -> None:
    """A run that is attacked once, and the one that goes on from there."""
    poison = sorted(map(str, chance.sample(archives, _POISON)))
    program = testing.checker(folder, f"if any(path in {poison!r} for path in paths): kill_worker()")
    journal = folder / "journal"
    words = ["check", "--workers", _WORKERS, "--chunk", "5", "--checker", program, "--journal", journal]
    top = archives[0].parent.parent
    victim = chance.choice(("scheduler", "worker", "run by SIGKILL", "run by SIGTERM"))
    counts[victim] += 1
    with testing.fleet_running(*words, top) as process:
        time.sleep(chance.uniform(0.5, _KILLED_AFTER))
        _kill(process, victim)
        if victim.startswith("run"):
            process.wait()
        else:
            testing.wait_for(lambda: process.poll() is not None)
    done = testing.fleet(*words, top)
    lines = [json.loads(line) for line in testing.fleet("export", journal).stdout.splitlines()]
    died = sorted(line["archive"] for line in lines if line.get("outcome") == "worker_died")
    reported = [line for line in lines if line.get("type") == "archive"]
    if died != poison or len(reported) != len(archives) or done.returncode != 5:
        outcome.problems.append(
            f"{victim}: status {done.returncode}, {len(reported)} of {len(archives)} archives, died {died} of {poison}: "
            f"{done.stderr[-200:]!a}"
        )


def _kill(process: "subprocess.Popen[bytes]", victim: str) -> None:
    if victim == "run by SIGTERM":
        process.send_signal(signal.SIGTERM)
    elif victim == "run by SIGKILL":
        process.kill()
    else:
        mark = b"local_worker" if victim == "worker" else b"scheduler"
        for child in _children(process.pid):
            if mark in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
                return


def _children(process: int) -> list[int]:
    """All that descend from it."""
    found = []
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                found += [int(child), *_children(int(child))]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found
