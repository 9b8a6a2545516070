# SPDX-License-Identifier: Apache-2.0
"""Disagreements as golden cases: explored/CASE/case.json, with what it needs beside it."""

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from qa.adapters.testee import Outcome
from qa.beside_pcp.differential.contents import nanoseconds, time_text
from qa.golden import cases
from qa.suite.explore import reason
from qa.suite.explore.exploration import Disagreement, Maker
from qa.suite.explore.pair import Judged, Pair, as_known, is_steady, tolerance_of
from qa.suite.explore.scene import Ask, Json
from qa.suite.explore.shrinking import Shrinker

CHAPTER = "explored"
_VARIANTS = ("rule", "dialect", "emulate")
_CURVE = 24  # steps over a whole archive


@dataclass(frozen=True)
class Group:
    """Disagreements that are alike: the smallest of them, and how many there were."""

    smallest: Disagreement
    count: int


def groups_of(disagreements: Iterable[Disagreement]) -> list[Group]:
    """By operation, clause and kind of difference; the most frequent first."""
    counts: Counter[tuple[str, str, str]] = Counter()
    smallest: dict[tuple[str, str, str], Disagreement] = {}
    for one in disagreements:
        counts[one.group] += one.times
        known = smallest.get(one.group)
        if known is None or len(str(one.ask.args)) < len(str(known.ask.args)):
            smallest[one.group] = one
    return [Group(smallest[group], count) for group, count in counts.most_common()]


@dataclass(frozen=True)
class Told:
    """What a witness says of where it comes from."""

    implementation: str
    version: str
    right: str  # "reference", or the implementation on the other side
    command: Callable[[Disagreement], str]


class Writer:
    """Writes witnesses into a folder, which is made. `root`: where archives are made first."""

    def __init__(self, folder: Path, maker: Maker, pair: Pair, shrinker: Shrinker, told: Told, root: Path) -> None:
        self._root = root
        self._folder, self._maker, self._pair, self._shrinker, self._told = folder, maker, pair, shrinker, told
        self._written: dict[tuple[str, str, str], str] = {}
        self._numbers: Counter[str] = Counter()

    def write(self, group: Group) -> str:
        """The ID of its case; of one that was written for the same cause, or "" if there is none to write."""
        one = group.smallest
        scratch = Path(tempfile.mkdtemp(prefix="witness-", dir=self._root))
        try:
            self._maker.make(one.scene, scratch, self._pair)
            ask, judged = one.ask, None
            if is_steady(one.kind):
                found = self._shrinker.shrunk(one.ask, scratch, one.kind)
                if found is not None:
                    ask, judged = found
            if judged is None:
                judged = Judged("wrong", _outcome(one.expected), _outcome(one.actual), one.kind)
            if judged.expected.kind not in ("result", "reject"):
                return ""
            clause = reason.clause_of(self._maker.programs.pmproof, ask, scratch, judged)
            key = ask.operation, clause, one.kind
            if key not in self._written:
                self._written[key] = self._place(replace(one, ask=ask, clause=clause), judged, scratch, group.count)
            return self._written[key]
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _place(self, one: Disagreement, judged: Judged, scratch: Path, count: int) -> str:
        stem = f"{one.ask.operation}-{one.clause}".lower()
        self._numbers[stem] += 1
        name = f"{CHAPTER}/{stem}-{self._numbers[stem]}"
        place = self._folder / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        ask = self._with_texts(one.ask, scratch, place) if one.ask.text else self._with_archives(one.ask, scratch, place)
        told = self._case(name, replace(one, ask=ask), judged, place, count)
        if around := self._around(ask, place):
            told["requests"].append(_request(*around, place))
        (place / "case.json").write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return name

    def _with_texts(self, ask: Ask, scratch: Path, place: Path) -> Ask:
        names = {key: "text" if key == "file" else key for key in ask.source}
        for key, name in names.items():
            shutil.copy(scratch / ask.source[key], place / name)
        return replace(ask, source=names)

    def _with_archives(self, ask: Ask, scratch: Path, place: Path) -> Ask:
        names = []
        for number, path in enumerate(cases.paths_of(ask.source_in(scratch)), start=1):
            base = "archive" if number == 1 else f"archive-{number}"
            names.append(base)
            for file in Path(path).parent.glob(f"{Path(path).name}.*"):
                if not file.name.endswith(".json"):
                    copied = place / (base + file.name[len(Path(path).name) :])
                    shutil.copytree(file, copied) if file.is_dir() else shutil.copy(file, copied, follow_symlinks=file.exists())
        return ask.source_of(names) if names else ask

    def _case(self, name: str, one: Disagreement, judged: Judged, place: Path, count: int) -> Json:
        told = self._told
        return {
            "schema": "pmproof-case/1",
            "id": name,
            "title": f"{one.ask.operation}: {one.kind}"[:200],
            "clauses": [one.clause],
            "level": "must",
            "why": f"{told.implementation} answers otherwise than {told.right}: {one.kind}"[:500],
            "provenance": {
                "kind": "explored",
                "found": {
                    "implementation": f"{told.implementation} {told.version}",
                    "right": told.right,
                    "kind": one.kind,
                    "answer": as_known(judged.actual),
                    "times": count,
                    "scene": one.scene,
                    "archive": one.recipe,
                    "command": told.command(one),
                },
            },
            "requests": [_request(one.ask, judged.expected, place)],
        }

    def _around(self, ask: Ask, place: Path) -> tuple[Ask, Outcome] | None:
        """Steps over the whole of the small archive, from which a report draws both curves."""
        right = self._pair.right
        if ask.operation != "replay.interp" or "metrics" not in ask.args:
            return None
        described = right.run("archive.describe", ask.source_in(place), {}).body
        if not described.get("start") or not described.get("end"):
            return None
        begin, end = nanoseconds(described["start"]), nanoseconds(described["end"])
        if end <= begin:
            return None
        step = max(1, (end - begin) // _CURVE)
        steps = {"start": time_text(begin), "interval": time_text(step), "count": _CURVE + 1}
        curve = replace(ask, args={key: told for key, told in ask.args.items() if key != "fetches"} | steps)
        judged = self._pair.judge(curve, place)
        return (curve, judged.expected) if judged.verdict in ("right", "wrong") and judged.expected.kind == "result" else None


def _request(ask: Ask, expected: Outcome, place: Path) -> Json:
    """Of a case."""
    args = {key: part for key, part in ask.args.items() if key not in _VARIANTS}
    applies: Json = {f"{key}s": [ask.args[key]] for key in _VARIANTS if key in ask.args}
    if ask.operation == "replay.interp":
        applies["archive_version"] = _version_in(place)
    expect: Json = {"result": expected.body}
    if expected.kind == "reject":
        expect = {"reject": {"class": expected.body["class"]}}
    request: Json = {"op": ask.operation, "input": ask.source, "args": args, "applies": applies, "expect": expect}
    return request | ({"tolerance": told} if (told := tolerance_of(ask)) else {})


def _outcome(told: Json) -> Outcome:
    (kind,) = (key for key in told if key != "message")
    return Outcome(kind, told[kind] if isinstance(told[kind], dict) else {}, str(told.get("message", "")))


def _version_in(place: Path) -> int:
    """As the label of the metadata says (ARC-100); 3 where it is compressed or cannot be told."""
    meta = place / "archive.meta"
    label = meta.read_bytes()[4:8] if meta.exists() else b""
    return 2 if re.fullmatch(b"\x50\x05\x26\x02", label) else 3
