# SPDX-License-Identifier: Apache-2.0
"""How long `agent check` took of each agent, and the table of it."""

import json
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from qa.dev.agent_times.subjects import FAULT, LIMITS, Subject

# After which a check is killed: what was measured is a defect then.
_MOST_SECONDS = 600.0
# Faults that the table names, of more than 200.
_SLOWEST = 10


@dataclass(frozen=True)
class Timed:
    """seconds: of each run. claim: that of the last report; empty: there was none, and `wrong` says why."""

    subject: Subject
    seconds: tuple[float, ...]
    claim: str = ""
    failed: int = 0
    not_checked: int = 0
    wrong: str = ""

    @property
    def limit(self) -> float:
        return LIMITS[self.subject.group]

    @property
    def longest(self) -> float:
        return max(self.seconds)

    @property
    def is_late(self) -> bool:
        return self.longest > self.limit or bool(self.wrong)


def measure(subject: Subject, times: int) -> Timed:
    seconds: list[float] = []
    told = ""
    for _ in range(times):
        began = time.perf_counter()
        try:
            done = subprocess.run(subject.command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_MOST_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return Timed(subject, (*seconds, _MOST_SECONDS), wrong=f"not at its end after {_MOST_SECONDS:g} s")
        seconds.append(time.perf_counter() - began)
        told = done.stdout.decode(errors="replace")
    try:
        report = json.loads(told)
    except ValueError:
        return Timed(subject, tuple(seconds), wrong=f"no report: {done.stderr.decode(errors='replace').strip()[-200:]}")
    outcomes = [check["outcome"] for check in report["checks"]]
    return Timed(subject, tuple(seconds), report["claim"]["claim"], outcomes.count("fail"), outcomes.count("not_checked"))


def line(timed: Timed) -> str:
    """One row as it is measured."""
    late = f"  more than {timed.limit:g} s" if timed.longest > timed.limit else ""
    return f"{timed.longest:7.2f} s  {timed.subject.group:8} {timed.subject.name}{late}{'  ' + timed.wrong if timed.wrong else ''}"


def table(timed: Sequence[Timed], machine: str) -> str:
    """For a README: each agent, and of those with a fault what they come to and the slowest."""
    rows = [
        machine,
        "",
        "| agent | what it does | seconds | at most | due | claim | failed | not checked |",
        "|---|---|---:|---:|---:|---|---:|---:|",
    ]
    faults = sorted((one for one in timed if one.subject.group == FAULT), key=lambda one: -one.longest)
    for one in [*(one for one in timed if one.subject.group != FAULT), *faults[:_SLOWEST]]:
        rows.append(_row(one))
    if len(faults) > 1:
        times = [one.longest for one in faults]
        late = sum(one.is_late for one in faults)
        rows += [
            "",
            f"{len(faults)} agents with one fault each (the {min(_SLOWEST, len(faults))} slowest are above): median "
            f"{statistics.median(times):.2f} s, at most {max(times):.2f} s, {sum(times):.0f} s together; {late} too late.",
        ]
    return "\n".join(rows) + "\n"


def _row(timed: Timed) -> str:
    cells = [
        f"`{timed.subject.name}`",
        timed.subject.what,
        f"{statistics.median(timed.seconds):.2f}",
        f"{timed.longest:.2f}",
        f"{timed.limit:g}{' (late)' if timed.is_late else ''}",
        timed.claim or timed.wrong,
        str(timed.failed),
        str(timed.not_checked),
    ]
    return f"| {' | '.join(cells)} |"
