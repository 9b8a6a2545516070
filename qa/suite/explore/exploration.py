# SPDX-License-Identifier: Apache-2.0
"""A run of scenes, several at a time, told in their order: the same for the same seed, however many at a time."""

import itertools
import shutil
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from qa.adapters.process import Stop
from qa.adapters.testee import Outcome
from qa.suite.explore import archive_scenes, crafted_scenes, edited_scenes, plain_scenes, reason, text_scenes, timed_scenes
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.pair import Judged, Pair, Tally, as_known
from qa.suite.explore.scene import Ask, Json, Scene, Variants

_KEPT_OF_A_KIND = 2  # disagreements of one scene that are alike; the others are counted
_REPEATED = 16  # of so many right answers one is asked for again
_LARGEST_KEPT = 1 << 16
_SCENES = {
    "values": (8, {"units.parse", "units.convert", "value.format", "value.extract"}),
    "pdus": (8, {"pdu.encode", "pdu.decode"}),
    "sound": (
        8,
        {
            "archive.decode",
            "archive.describe",
            "archive.indom",
            "archive.labels",
            "archive.text",
            "archive.validate",
            "archive.write",
            "replay.interp",
            "replay.raw",
        },
    ),
    "broken": (3, {"archive.validate", "archive.decode"}),
    "edited": (4, {"archive.validate", "archive.decode", "archive.write"}),
    "crafted": (24, {"archive.validate", "archive.decode", "archive.write"}),
    "timed": (8, {"replay.interp", "replay.raw"}),
    "texts": (3, {"names.parse", "help.parse", "configuration.parse"}),
    "derived": (2, {"derive.parse", "derive.eval"}),
}


@dataclass(frozen=True)
class Disagreement:
    """One request that the two answered otherwise."""

    scene: int
    ask: Ask
    kind: str
    clause: str
    about: tuple[str, ...]
    recipe: str
    expected: Json
    actual: Json
    times: int = 1  # itself, and those like it in the scene that are not kept

    @property
    def group(self) -> tuple[str, str, str]:
        return self.ask.operation, self.clause, self.kind

    def to_json(self) -> Json:
        told = {"scene": self.scene, "ask": self.ask.to_json(), "kind": self.kind, "clause": self.clause}
        return told | {"about": list(self.about), "recipe": self.recipe, "expected": self.expected, "actual": self.actual, "times": self.times}

    @classmethod
    def of(cls, told: Json) -> "Disagreement":
        rest = {key: told[key] for key in ("scene", "kind", "clause", "recipe", "expected", "actual", "times")}
        return cls(ask=Ask.of(told["ask"]), about=tuple(told["about"]), **rest)


@dataclass
class Explored:
    """What came of a scene."""

    number: int
    tally: Tally = field(default_factory=Tally)
    disagreements: list[Disagreement] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # of this project


class Maker:
    """Makes scenes. `seed` and the variants decide everything."""

    def __init__(self, programs: Programs, seed: str, wants: Variants) -> None:
        self.programs, self.seed, self.wants = programs, seed, wants
        possible = [kind for kind, (_, operations) in _SCENES.items() if operations & wants.operations and self._can(kind)]
        # Kinds take turns, each spread evenly over its share: whoever asks few has asked all kinds.
        turns = [((turn + 0.5) / _SCENES[kind][0], kind) for kind in possible for turn in range(_SCENES[kind][0])]
        self._kinds = [kind for _, kind in sorted(turns)]

    def _can(self, kind: str) -> bool:
        """Where in records of one time PCP begins depends on the index (INT-310), so that it is not asked about times that are hard."""
        return bool(self.wants.dialects) if kind == "derived" else self.wants.unsound or kind != "timed"

    @property
    def is_possible(self) -> bool:
        return bool(self._kinds)

    def make(self, number: int, folder: Path, right: Pair) -> Scene:
        """Archives lie in the folder then."""
        kind = self._kinds[number % len(self._kinds)]
        if kind == "values":
            return plain_scenes.values(self.seed, number, self.wants)
        if kind == "pdus":
            return plain_scenes.protocol_units(self.seed, number, self.wants, right.right.run)
        if kind == "texts":
            return text_scenes.texts(self.seed, number, self.wants, folder)
        if kind == "timed":
            return timed_scenes.timed(self.seed, number, self.wants, folder)
        if kind == "crafted":
            return crafted_scenes.crafted(self.seed, number, self.wants, folder, right.right.run)
        if kind == "edited":
            return edited_scenes.edited(self.programs, self.seed, number, self.wants, folder, right.right.run)
        make = {"sound": archive_scenes.sound, "broken": archive_scenes.broken, "derived": archive_scenes.derived}[kind]
        return make(self.programs, self.seed, number, self.wants, folder)


class Exploration:
    """`pair` makes two adapters for each worker. `root`: where archives are made."""

    def __init__(self, maker: Maker, pair: Callable[[Stop], Pair], jobs: int, stop: Stop, root: Path) -> None:
        self._maker, self._make_pair, self._jobs, self._stop, self._root = maker, pair, jobs, stop, root
        self._own = threading.local()
        self._pairs: list[Pair] = []

    def scenes(self, numbers: Iterator[int]) -> Generator[Explored, None, None]:
        """In this order. All adapters are ended when it is closed."""
        pool = ThreadPoolExecutor(self._jobs)
        ahead: deque[Future[Explored]] = deque()
        try:
            while True:
                for number in itertools.islice(numbers, 2 * self._jobs - len(ahead)):
                    ahead.append(pool.submit(self._explore, number))
                if not ahead:
                    return
                yield ahead.popleft().result()
        finally:
            self._stop.set()
            pool.shutdown(cancel_futures=True)
            for pair in self._pairs:
                pair.right.end()
                pair.testee.end()

    def _explore(self, number: int) -> Explored:
        if not hasattr(self._own, "pair"):
            self._own.pair = self._make_pair(self._stop)
            self._pairs.append(self._own.pair)
        folder = Path(tempfile.mkdtemp(prefix="scene-", dir=self._root))
        try:
            return explored(self._maker, number, folder, self._own.pair)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def explored(maker: Maker, number: int, folder: Path, pair: Pair) -> Explored:
    scene = maker.make(number, folder, pair)
    found = Explored(number)
    tally = found.tally
    tally.about.update(scene.about)
    tally.unasked.update(scene.undefined)
    silent: set[str] = set()  # operations that are not asked any more here: each costs the whole limit
    met: Counter[tuple[str, str]] = Counter()
    for place, ask in enumerate(scene.asks):
        if ask.operation in silent:
            tally.unasked[f"{ask.operation}: not asked after a timeout"] += 1
            continue
        judged = pair.judge(ask, folder)
        is_new = judged.verdict == "wrong" and met[ask.operation, judged.why] < _KEPT_OF_A_KIND
        if is_new or (judged.verdict == "right" and place % _REPEATED == 0):
            judged = pair.judge_again(ask, folder, judged)
        _count(tally, ask, judged)
        if judged.actual.kind == "timeout":
            silent.add(ask.operation)
        if judged.verdict == "fault":
            found.faults.append(f"scene {number}: {ask.to_json()}: {judged.why}"[:1000])
        if judged.verdict != "wrong":
            continue
        met[ask.operation, judged.why] += 1
        clause = reason.clause_of(maker.programs.pmproof, ask, folder, judged)
        expected, actual = _bounded(as_known(judged.expected)), _bounded(as_known(judged.actual))
        _keep(found.disagreements, Disagreement(number, ask, judged.why, clause, tuple(scene.about), scene.recipe, expected, actual))
    return found


def _keep(kept: list[Disagreement], one: Disagreement) -> None:
    """Or count it with the last one like it, so that those of a journal add up to what the tally says."""
    alike = [place for place, other in enumerate(kept) if other.group == one.group]
    if len(alike) < _KEPT_OF_A_KIND:
        kept.append(one)
    else:
        last = alike[-1]
        kept[last] = replace(kept[last], times=kept[last].times + 1)


def _count(tally: Tally, ask: Ask, judged: Judged) -> None:
    tally.asked[ask.operation] += 1
    tally.verdicts[judged.verdict] += 1
    tally.answers[f"{ask.operation} {_answer_kind(judged.expected)}"] += 1
    if judged.verdict in ("skip", "aside"):
        tally.skipped[f"{ask.operation}: {judged.why}"[:200]] += 1
    if judged.verdict == "deviation":
        tally.declared[judged.why] += 1
    if judged.verdict == "undefined":
        tally.undefined[judged.why] += 1
    tally.clauses.update(reason.clauses_in(ask, judged.expected))


def _answer_kind(outcome: Outcome) -> str:
    return f"refused: {outcome.body.get('class')}" if outcome.kind == "reject" else outcome.kind


def _bounded(answer: Json) -> Json:
    size = len(str(answer))
    return answer if size <= _LARGEST_KEPT else {"cut": size}
