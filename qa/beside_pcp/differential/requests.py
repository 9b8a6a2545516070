# SPDX-License-Identifier: Apache-2.0
"""What an archive is asked: steps in both directions, and seeks by chance, around whatever its records have."""

import random
from dataclasses import dataclass
from typing import Any

from qa.beside_pcp.differential.contents import NANOSECONDS, Contents, time_text

Json = dict[str, Any]

MOST_FETCHES = 40
# Around a record, in nanoseconds.
_NEAR = (0, 0, 0, 0, 1, -1, 1000, -1000, 499_999, -500_000, 1_000_000, -1_000_000, 1_000_001, 2_000_000)


@dataclass(frozen=True)
class Question:
    """Arguments of replay.interp. A plain one is to be as the reference says; seeks are for the emulation alone."""

    args: Json
    plain: bool

    @property
    def backward(self) -> bool:
        return str(self.args.get("interval", "")).startswith("-")

    def under(self, **how: str) -> Json:
        """With a rule, or an emulated version."""
        return self.args | how


class Inquirer:
    """The questions about one archive."""

    def __init__(self, contents: Contents, chance: random.Random, most_fetches: int = MOST_FETCHES) -> None:
        self._contents = contents
        self._chance = chance
        self._most = most_fetches
        self._times = sorted(set(contents.times))
        self._span = self._times[-1] - self._times[0]

    def questions(self, scripts: int) -> list[Question]:
        return [self.steps(1), self.steps(-1), *(self.script() for _ in range(scripts))]

    def steps(self, direction: int, names: str = "") -> Question:
        """Over the whole archive, from before or after its end, or from some record; hitting records or not. `names`:
        how those of the metrics begin."""
        interval = self._interval()
        start = self._chance.choice(self._times)
        if self._chance.random() < 0.6:
            end = self._times[0 if direction > 0 else -1]
            start = end - direction * interval * self._chance.randrange(0, 3)
        start += self._near()
        count = self._span // interval + self._chance.choice((1, 2, 4))
        args = self._args(names) | {
            "start": time_text(start),
            "interval": time_text(direction * interval),
            "count": min(count, self._most),
        }
        return Question(args | self._wrap(), plain=True)

    def script(self, direction: int = 0) -> Question:
        """Seeks, changes of direction, interval and metrics, and steps between them. `direction`: that of all steps."""
        args = self._args()
        fetches: list[Json] = []
        changes = self._chance.choice((0.1, 0.3, 0.6))
        lists = self._chance.choice((0.0, 0.3))
        for _ in range(self._chance.randrange(3, self._most)):
            fetch: Json = {}
            if not fetches or self._chance.random() < changes:
                step = self._interval() * (direction or self._chance.choice((1, -1, 1, -1, 0)))
                fetch = {"time": time_text(self._any_time()), "interval": time_text(step)}
            if self._chance.random() < lists:
                names = list(args["metrics"])
                fetch["metrics"] = self._chance.sample(names, self._chance.randrange(1, len(names) + 1))
            fetches.append(fetch)
        return Question(args | {"fetches": fetches} | self._wrap(), plain=False)

    def _args(self, begin: str = "") -> Json:
        names = [name for name in self._contents.metrics if name.startswith(begin)]
        # The logger's own metrics are all alike.
        interesting = [name for name in names if not name.startswith("pmcd.")] or names
        count = len(interesting) if self._chance.random() < 0.6 else self._chance.randrange(1, len(interesting) + 1)
        args: Json = {"metrics": self._chance.sample(interesting, min(count, 40))}
        if self._contents.instances and self._chance.random() < 0.1:
            known = sorted(self._contents.instances)
            args["instances"] = sorted(self._chance.sample(known, self._chance.randrange(1, len(known) + 1)))
        return args

    def _wrap(self) -> Json:
        return {"counter_wrap": True} if self._chance.random() < 0.08 else {}

    def _near(self) -> int:
        if self._chance.random() < 0.1:
            return self._chance.randrange(-NANOSECONDS, NANOSECONDS)
        return self._chance.choice(_NEAR)

    def _any_time(self) -> int:
        draw = self._chance.random()
        if draw < 0.5:
            return self._chance.choice(self._times) + self._near()
        margin = self._span // 10 + 2_000_000
        return self._chance.randrange(self._times[0] - margin, self._times[-1] + margin)

    def _interval(self) -> int:
        """Above 0: the distance of two records, a part of it, a part of the whole, or anything."""
        draw = self._chance.random()
        if draw < 0.5 and len(self._times) > 1:
            place = self._chance.randrange(1, len(self._times))
            interval = self._times[place] - self._times[place - 1]
            interval = interval * self._chance.choice((1, 1, 1, 2, 3)) // self._chance.choice((1, 1, 2, 2, 3, 5, 10))
        elif draw < 0.9:
            interval = self._span // self._chance.randrange(2, 40)
        else:
            interval = self._chance.randrange(1, self._span + 2)
        if self._span // max(interval, 1) > 2 * self._most:
            interval = self._span // (2 * self._most)
        return max(interval, 1000 if self._chance.random() < 0.5 else 1)
