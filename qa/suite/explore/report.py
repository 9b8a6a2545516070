# SPDX-License-Identifier: Apache-2.0
"""What a run of `suite explore` tells: while it goes on, and in the end."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from qa.suite.explore.pair import Tally

_LINE = 0.5  # seconds between two lines of progress


class Progress:
    """One line on a terminal, written over and over."""

    def __init__(self, out: TextIO, shown: bool, most: int | None) -> None:
        self._out, self._shown, self._most = out, shown, most
        self._begin = self._last = time.monotonic()

    def tell(self, asked: int, fresh: int, kinds: int) -> None:
        now = time.monotonic()
        if not self._shown or now - self._last < _LINE:
            return
        self._last = now
        of = f" of {self._most:,}" if self._most else ""
        rate = fresh / (now - self._begin)
        self._out.write(f"\r{asked:,}{of} requests, {rate:,.0f}/s, {kinds} kinds of disagreement\x1b[K")
        self._out.flush()

    def clear(self) -> None:
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()


@dataclass(frozen=True)
class Known:
    """What could be exercised."""

    operations: Sequence[str]
    scenarios: Sequence[str]
    clauses: dict[str, Sequence[str]] = field(default_factory=dict)  # of each scenario


def coverage(tally: Tally, known: Known) -> list[str]:
    """Which operations, answers, scenarios and clauses were exercised, and which never."""
    lines = ["exercised:"]
    for operation in known.operations:
        answers = {key.removeprefix(operation + " "): n for key, n in tally.answers.items() if key.startswith(operation + " ")}
        told = ", ".join(f"{n:,} {kind}" for kind, n in sorted(answers.items(), key=lambda entry: -entry[1])[:6])
        more = f", and {len(answers) - 6} other refusals" if len(answers) > 6 else ""
        lines.append(f"  {operation:20}{told or 'never'}{more}")
    met = [name for name in known.scenarios if name in tally.about]
    never = [name for name in known.scenarios if name not in tally.about]
    lines.append(f"  scenarios           {len(met)} of {len(known.scenarios)}" + _never(never))
    other = sorted(name for name in tally.about if name not in known.scenarios)
    lines.append(f"  and                 {', '.join(f'{name} {tally.about[name]:,}' for name in other) or 'nothing else'}")
    reached = {clause for name in met for clause in known.clauses.get(name, ())} | set(tally.clauses)
    possible = reached | {clause for clauses in known.clauses.values() for clause in clauses}
    lines.append(f"  clauses             {len(reached)} of {len(possible)} that the scenarios name" + _never(sorted(possible - reached)))
    return lines


def _never(names: Sequence[str]) -> str:
    if not names:
        return ""
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    return f"; never: {shown}"


def counted(title: str, counter: Counter[str], most: int = 8) -> list[str]:
    """What was left out, and why, with how often."""
    if not counter:
        return []
    lines = [f"{title}: {sum(counter.values()):,}"]
    lines += [f"  {n:,}  {what}" for what, n in counter.most_common(most)]
    if len(counter) > most:
        lines.append(f"  and {len(counter) - most} other reasons")
    return lines


def sums(tally: Tally) -> str:
    asked = sum(tally.asked.values())
    order = ("right", "wrong", "deviation", "undefined", "aside", "skip", "fault")
    names = {"deviation": "as a declared deviation", "undefined": "undefined", "aside": "not judged", "skip": "skipped", "fault": "faults of the suite"}
    told = [f"{tally.verdicts[one]:,} {names.get(one, one)}" for one in order if tally.verdicts[one]]
    return f"{asked:,} requests: {', '.join(told) or 'none'}"


def lies(capabilities: Iterable[str], tally: Tally) -> list[str]:
    """Operations that the implementation says it has and always skips (TST-308)."""
    found = []
    for operation in capabilities:
        skipped = sum(n for why, n in tally.skipped.items() if why.startswith(f"{operation}: "))
        if tally.asked[operation] and skipped >= tally.asked[operation]:
            found.append(f"TST-308: it says that it has {operation}, and skips all {tally.asked[operation]:,} requests")
    return found
