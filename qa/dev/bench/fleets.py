# SPDX-License-Identifier: Apache-2.0
"""Fleets: what handing out many small archives costs beside pmproof check with as many threads."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from qa.dev.bench import results as asked
from qa.dev.bench.results import Target, Unmeasured
from qa.fleet import benchmark

if TYPE_CHECKING:
    from qa.dev.bench.suite import Suite

_ARCHIVES = 100_000


def measure_fleet(suite: Suite) -> None:
    """Adds the figure to the results."""
    number = _ARCHIVES // suite.scale.shrink
    workers = len(os.sched_getaffinity(0))
    what = f"{number} small archives"
    suite.say(f"fleet check of {what}")
    pmproof = suite.programs.pmproof.resolve()
    slower: float | Unmeasured
    try:
        with tempfile.TemporaryDirectory(prefix="pmproof-fleet-bench-") as folder:
            archives = benchmark.small_archives(pmproof, Path(folder), number)
            times = benchmark.measure(pmproof, Path(folder), archives, [workers], suite.scale.repeat)
        (_, check), (_, fleet) = times.values()
        slower = fleet / check
    except ChildProcessError as error:
        slower = Unmeasured(str(error), failed=True)
        suite.note_failure("fleet check", slower)
    name = f"fleet check --workers {workers} to check --jobs {workers}, CPU time"
    suite.results.targets.append(Target(name, what, slower, asked.FLEET_BESIDE_CHECK, False))
