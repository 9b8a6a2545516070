# SPDX-License-Identifier: Apache-2.0
"""Replays of small archives and sets whose times, volumes and values are hard for a reader (timed_archives.py)."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.differential.contents import time_text
from qa.suite.explore import definitions
from qa.suite.explore.scene import CLAUSES, Ask, Json, Scene, Variants
from qa.suite.explore.timed_archives import SECOND, Timed, set_of

_SETS = 10  # of a scene
_MEMBERS = (1, 1, 1, 2, 3)
_NEAR = (0, 0, 0, 0, 1, -1, 1000, -1000, 10**6, -(10**6), SECOND // 2, -SECOND // 2, SECOND, -SECOND)
_INTERVALS = ("1", "0.5", "0.25", "2", "3", "0.001", "0.7")
_FUNCTIONS = ("sum", "avg", "count", "max", "min", "instant")
_NUMERIC = range(6)
_AT_THE_END = {"tail", "cut", "scar", "hole", "label", "back"}  # what is wrong decides where the archive ends


def timed(seed: str, number: int, wants: Variants, folder: Path) -> Scene:
    chance = random.Random(f"{seed}/{number}")
    scene = Scene(number, ["replays of small archives"], "qa/suite/explore/timed_archives.py")
    for copy in range(_SETS):
        members = set_of(chance, chance.choice(_MEMBERS), wants.unsound)
        (folder / f"t{copy}").mkdir()
        names = [f"t{copy}/{letter}" for letter, _ in zip("abc", members)]
        for name, member in zip(names, members, strict=True):
            for part, content in member.files.items():
                (folder / f"{name}.{part}").write_bytes(content)
        scene.asks += _Asking(chance, wants, members, names).asks()
    return scene


@dataclass(frozen=True)
class _Asking:
    chance: random.Random
    wants: Variants
    members: Sequence[Timed]
    names: Sequence[str]

    def asks(self) -> Iterator[Ask]:
        chance, wants = self.chance, self.wants
        for _ in range(2):
            yield from self._ask("replay.raw", {"metrics": self._metrics(), "start": self._time(), "count": chance.choice((1, 3, 12))} | self._instances())
        if "names" in self.members[0].odd and wants.dialects:
            name = self.members[0].metrics[0].names[0].decode()
            yield from self._ask("archive.labels", {"metric": name, "time": self._time(), "dialect": chance.choice(wants.dialects)})
        if not wants.rules:
            return
        for _ in range(2):
            yield from self._ask("replay.interp", self._steps() | {"rule": chance.choice(wants.rules)} | self._instances())
        if any(_AT_THE_END & member.odd for member in self.members):
            last = sorted(moment for member in self.members for moment in member.times)[-5:]
            steps = {"start": time_text(chance.choice(last)), "interval": chance.choice(("0.25", "0.5", "-0.5")), "count": 20}
            yield from self._ask("replay.interp", {"metrics": self._metrics(), "rule": chance.choice(wants.rules)} | steps)
        yield from self._ask("replay.interp", self._script() | {"rule": chance.choice(wants.rules)})
        if wants.emulates and len(self.members) == 1:  # INT-1408
            for made in (self._steps(), self._script()):
                yield from self._ask("replay.interp", made | {"emulate": chance.choice(wants.emulates)})
        if wants.dialects and chance.random() < 0.6:
            yield from self._derived()
        if wants.dialects and len(self.members) == 1:
            yield from self._definitions()

    def _definitions(self) -> Iterator[Ask]:
        able = self._able()
        if not able:
            return
        dialect = self.chance.choice(self.wants.dialects)
        told = definitions.of(self.chance, dialect, able)
        names = sorted({str(one["name"]) for one in told if one["name"]})
        args: Json = {"definitions": told, "dialect": dialect}
        if names and self.chance.random() < 0.5:
            args |= {"metrics": [*names, able[0], "no.such"], "pmids": self.chance.random() < 0.5}
        yield from self._ask("derive.parse", args)

    def _able(self) -> list[str]:
        """Metrics with numbers."""
        return [metric.names[0].decode() for metric in self.members[0].metrics if metric.type in _NUMERIC]

    def _derived(self) -> Iterator[Ask]:
        """Records as they are, or over time, once in a while over so many times that what is remembered of instances is thrown away."""
        chance = self.chance
        able = self._able()
        if not able:
            return
        name = chance.choice(able)
        filters = [f"matchinst(/^i[{chance.randrange(5)}-9]/, {name})", f"{name}[i{chance.randrange(4)}]"]
        texts = chance.sample([*filters, *(f"{function}({name})" for function in _FUNCTIONS), definitions.far_constant(chance)], 2)
        defined = [{"name": f"x.d{place}", "expression": text} for place, text in enumerate(texts)]
        args: Json = {"derived": defined, "metrics": [str(one["name"]) for one in defined] + [name], "dialect": chance.choice(self.wants.dialects)}
        if chance.random() < 0.5:
            args |= {"raw": True, "start": self._time(), "count": chance.choice((3, 12))}
        else:
            args |= {key: told for key, told in self._steps().items() if key != "metrics"}
            if texts[0] in filters and chance.random() < 0.1:
                args |= {"interval": "0.05", "count": 120}
        yield from self._ask("derive.eval", args | self._instances())

    def _metrics(self) -> list[str]:
        names = [metric.names[0].decode() for metric in self.members[0].metrics]
        chosen = self.chance.sample(names, self.chance.randint(1, len(names)))
        return [*chosen, "no.such"] if self.wants.unsound and self.chance.random() < 0.05 else chosen

    def _instances(self) -> Json:
        pool = self.members[0].pool
        return {"instances": sorted(self.chance.sample(pool, self.chance.randint(1, min(3, len(pool)))))} if self.chance.random() < 0.15 else {}

    def _time(self) -> str:
        moments = [moment for member in self.members for moment in member.times]
        if self.chance.random() < 0.15:
            moments = moments[-1:]  # the end, which a broken record may be at
        return time_text(self.chance.choice(moments) + self.chance.choice(_NEAR))

    def _interval(self, direction: int) -> str:
        return ("-" if direction < 0 else "") + self.chance.choice(_INTERVALS)

    def _steps(self) -> Json:
        return {"metrics": self._metrics(), "start": self._time(), "interval": self._interval(self.chance.choice((1, -1))), "count": self.chance.choice((2, 8, 20))} | self._wrap()

    def _script(self) -> Json:
        """INT-905: over several archives it keeps its direction."""
        chance = self.chance
        metrics = self._metrics()
        direction = chance.choice((1, -1))
        fetches: list[Json] = []
        for _ in range(chance.choice((3, 6, 12))):
            fetch: Json = {}
            if not fetches or chance.random() < 0.5:
                turns = len(self.members) == 1 and chance.random() < 0.5
                fetch = {"time": self._time(), "interval": self._interval(-direction if turns else direction)}
            if chance.random() < 0.2:
                fetch["metrics"] = chance.sample(metrics, chance.randint(1, len(metrics)))
            fetches.append(fetch)
        return {"metrics": metrics, "fetches": fetches} | self._wrap()

    def _wrap(self) -> Json:
        return {"counter_wrap": True} if self.chance.random() < 0.08 else {}

    def _ask(self, operation: str, args: Json) -> Iterator[Ask]:
        if operation in self.wants.operations:
            yield Ask(operation, {"path": self.names[0]}, args, CLAUSES[operation]).source_of(list(self.names))
