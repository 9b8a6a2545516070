# SPDX-License-Identifier: Apache-2.0
"""A request put to two sides: the one that is right, and the implementation."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from qa.adapters.testee import Outcome, Testee
from qa.golden import as_shown, compare
from qa.suite.explore import difference, known, known_tools
from qa.suite.explore.scene import Ask, Json

# INT-611 leaves that room to the documented profile.
_TOLERANCES: dict[str, Json] = {"documented": {"integer": 1}}
# The emulation models fetches alone.
_EMULATED = ("replay.interp", "derive.eval")
_AGAIN = "again"
_TOOLS = "pcp-tools"  # as the adapter to them names itself
_FLAKY = f"another answer when it is asked {_AGAIN}"
# As the reference says it: names that share their bytes, or labels that are merged, can be far longer than their archive.
_TOO_LONG = re.compile(r"the .*are too long|the .*(is|are) longer than \d+ bytes")


@dataclass(frozen=True)
class Judged:
    """right; wrong, with the kind of difference; skip; deviation or undefined, with what declares it; aside, with what
    keeps the answer from being judged; fault: the request itself makes no sense, which is a fault of this project."""

    verdict: str
    expected: Outcome
    actual: Outcome
    why: str = ""


@dataclass
class Tally:
    """What a scene, or many, came to."""

    asked: Counter[str] = field(default_factory=Counter)  # by operation
    verdicts: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)  # operation and what kind of answer was expected
    skipped: Counter[str] = field(default_factory=Counter)  # operation and reason
    declared: Counter[str] = field(default_factory=Counter)  # deviations of the ledger
    undefined: Counter[str] = field(default_factory=Counter)  # by clause: asked, not compared
    unasked: Counter[str] = field(default_factory=Counter)  # by clause that leaves the answer open, or another reason
    clauses: Counter[str] = field(default_factory=Counter)
    about: Counter[str] = field(default_factory=Counter)  # scenarios

    def add(self, other: "Tally") -> None:
        for name, counter in vars(other).items():
            getattr(self, name).update(counter)

    def to_json(self) -> Json:
        return {name: dict(sorted(counter.items())) for name, counter in vars(self).items()}

    @classmethod
    def of(cls, told: Json) -> "Tally":
        found = cls()
        for name, counts in told.items():
            getattr(found, name).update(counts)
        return found


class Pair:
    """Of `right` and the implementation. `version`: of PCP, if the implementation is one and `right` can emulate it."""

    def __init__(self, right: Testee, testee: Testee, version: str | None, is_reference: bool = True) -> None:
        self.right, self.testee = right, testee
        self._version = version
        self._is_reference = is_reference

    def judge(self, ask: Ask, folder: Path) -> Judged:
        """Raises TesteeError where one of the two cannot be started again."""
        source = ask.source_in(folder)
        self.testee.send(ask.operation, source, ask.args)
        expected = self.right.run(ask.operation, source, ask.args)
        actual = self.testee.receive()
        if expected.kind not in ("result", "reject"):
            is_too_long = expected.kind == "error" and _TOO_LONG.fullmatch(expected.message)
            if expected.kind == "skip" or is_too_long or not self._is_reference:
                return Judged("aside", expected, actual, f"no answer to compare with: {expected}")
            return Judged("fault", expected, actual, str(expected))
        return self._judged(ask, source, expected, actual)

    def _judged(self, ask: Ask, source: Json, expected: Outcome, actual: Outcome) -> Judged:
        if actual.kind == "skip":
            return Judged("skip", expected, actual, actual.message)
        tolerance = tolerance_of(ask)
        expected = _without_names(expected) if "emulate" in ask.args else expected
        expect = {expected.kind: expected.body}
        if actual.kind in ("result", "reject"):
            if compare.matches(expect, actual, tolerance):
                return Judged("right", expected, actual)
            if reasons := compare.undecided(expect, actual, tolerance):
                return Judged("skip", expected, actual, "; ".join(reasons))
        if "emulate" in ask.args and (told := [str(fetch["undefined"]) for fetch in expected.fetches if "undefined" in fetch]):
            return Judged("undefined", expected, actual, told[0])
        if self._version and ask.operation in _EMULATED and (emulated := self._emulated(ask, source, expected, actual)):
            return emulated
        if self._version and (declared := known.deviation(self._version, ask, expected, actual)):
            return Judged("deviation", expected, actual, declared)
        if self._is_tools() and (declared := known_tools.deviation(ask, expected, actual)):
            return Judged("deviation", expected, actual, declared)
        kind = difference.kind_of(expected, _as_far_as_shown(expected, actual), _same(tolerance))
        return Judged("wrong", expected, actual, kind)

    def _emulated(self, ask: Ask, source: Json, expected: Outcome, actual: Outcome) -> Judged | None:
        """What the ledger knows of this version (INT-DEV-nn), for which the emulation stands."""
        args = {key: told for key, told in ask.args.items() if key != "rule"} | {"emulate": self._version}
        emulated = self._each_by_itself(ask.operation, source, args) if self._is_tools() else self.right.run(ask.operation, source, args)
        if emulated.kind == "skip":
            return Judged("aside", expected, actual, f"not emulated: {emulated.message}")
        if emulated.kind != "result" or "fetches" not in actual.body:
            return None
        named: set[str] = set()
        bare = _without_names(emulated).fetches
        shown = _as_far_as_shown(Outcome("result", {**emulated.body, "fetches": bare}), actual).fetches
        for place, fetch in enumerate(emulated.fetches):
            if "undefined" in fetch:
                return Judged("undefined", expected, actual, str(fetch["undefined"]))
            if place >= len(shown):
                return None
            for metric in fetch.get("metrics", []):
                named.update(metric.get("deviations", ()))
            if not compare.fetch_matches(bare[place], shown[place], {}):
                return None
        if len(shown) != len(emulated.fetches) or actual.kind != "result":
            return None
        return Judged("deviation", expected, actual, "/".join(sorted(named)) or "emulated, without a name")

    def _is_tools(self) -> bool:
        return self._version is not None and self.testee.implementation.get("name") == _TOOLS

    def _each_by_itself(self, operation: str, source: Json, args: Json) -> Outcome:
        """Tools show one metric at a time, each in a context of its own: what is fetched beside it has no effect."""
        answers = [self.right.run(operation, source, args | {"metrics": [name]}) for name in args["metrics"]]
        if other := [one for one in answers if one.kind != "result"]:
            return other[0]
        fetches = []
        for told in zip(*(one.fetches for one in answers), strict=False):
            undefined = [fetch["undefined"] for fetch in told if "undefined" in fetch]
            parts = [metric for fetch in told for metric in fetch.get("metrics", ())]
            fetches.append({**told[0], **({"metrics": parts} if parts else {}), **({"undefined": undefined[0]} if undefined else {})})
        return Outcome("result", {**answers[0].body, "fetches": fetches})

    def judge_again(self, ask: Ask, folder: Path, before: Judged) -> Judged:
        """The same request once more: what it answers otherwise now is not steady (TST-310)."""
        again = self.judge(ask, folder)
        if (again.verdict, again.why) == (before.verdict, before.why):
            return again
        if before.actual.kind in difference.DEAD:
            return Judged("wrong", before.expected, before.actual, f"{before.why}, but not when it is asked {_AGAIN}")
        return Judged("wrong", before.expected, again.actual if before.verdict == "right" else before.actual, _FLAKY)


def _without_names(emulated: Outcome) -> Outcome:
    """An emulated answer without the names of its deviations, which nobody else needs to have."""
    if "fetches" not in emulated.body:
        return emulated
    fetches = [
        {**fetch, "metrics": [{key: told for key, told in metric.items() if key != "deviations"} for metric in fetch["metrics"]]} if "metrics" in fetch else fetch
        for fetch in emulated.fetches
    ]
    return Outcome(emulated.kind, emulated.body | {"fetches": fetches}, emulated.message)


def _as_far_as_shown(expected: Outcome, actual: Outcome) -> Outcome:
    """What is not shown is no difference."""
    if actual.kind != "result" or expected.kind != "result" or as_shown.KEY not in actual.body:
        return actual
    return Outcome("result", as_shown.with_all_filled(expected.body, actual.body), actual.message)


def _same(tolerance: Json) -> Callable[[object, object], bool]:
    def same(one: object, other: object) -> bool:
        if one == other:
            return True
        is_fetch = isinstance(one, dict) and "time" in one and "status" in one
        if is_fetch:
            return compare.fetch_matches(one, other, tolerance)  # type: ignore[arg-type]
        return isinstance(one, dict) and set(one) >= {"rule", "severity"} and compare.entry_matches(one, other)

    return same


def tolerance_of(ask: Ask) -> Json:
    return _TOLERANCES.get(str(ask.args.get("rule")), {})


def is_steady(kind: str) -> bool:
    """Whether it is met each time."""
    return not kind.endswith(_AGAIN)


def as_known(outcome: Outcome) -> Json:
    """For a journal or a case: the answer without what could not be shown."""
    body = {name: told for name, told in outcome.body.items() if name != as_shown.KEY}
    return {outcome.kind: body, **({"message": outcome.message} if outcome.kind in difference.DEAD else {})}
