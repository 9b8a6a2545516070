# SPDX-License-Identifier: Apache-2.0
"""What a run of the matrix found, as lines of JSON (schema/results.schema.json), from which all pages are made."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "pmproof-matrix/1"

Json = dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A check of a golden case that came out otherwise. `entry`: of the ledger; None: it has none."""

    implementation: str
    id: str
    title: str
    clauses: tuple[str, ...]
    outcome: str
    message: str
    entry: str | None

    @property
    def chapter(self) -> str:
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Disagreement:
    """`count` differences of one kind, the first of which is told."""

    aspect: str
    entry: str | None
    count: int
    example: str


@dataclass(frozen=True)
class Reading:
    """What one reader said of one archive. `compared`: values, lines or verdicts. `left_out`: why it was not asked."""

    compared: int
    disagreements: tuple[Disagreement, ...] = ()
    left_out: str = ""


@dataclass(frozen=True)
class Archive:
    """What one writer made of one original. `refused`: what it said in place of an archive."""

    original: str
    writer: str
    refused: str = ""
    refused_entry: str | None = None
    readings: dict[str, Reading] = field(default_factory=dict)


@dataclass
class Results:
    header: Json = field(default_factory=dict)
    golden: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)  # by implementation and chapter
    failures: list[Failure] = field(default_factory=list)
    archives: list[Archive] = field(default_factory=list)
    footer: Json = field(default_factory=dict)

    @property
    def implementations(self) -> list[Json]:
        return list(self.header.get("implementations", []))

    @property
    def chapters(self) -> list[str]:
        return sorted({chapter for _, chapter in self.golden})

    def unclassified(self) -> list[str]:
        """What has no entry, in a line each."""
        found = [f"{one.implementation}: {one.id}: {one.outcome}: {one.message}" for one in self.failures if one.entry is None]
        for archive in self.archives:
            if archive.refused and archive.refused_entry is None:
                found.append(f"{archive.writer} of {archive.original}: {archive.refused}")
            for reader, reading in archive.readings.items():
                for one in reading.disagreements:
                    if one.entry is None:
                        found.append(f"{archive.writer} of {archive.original}, {reader}: {one.count} x {one.example}")
        return found

    def entries(self) -> set[str]:
        """Of the ledger, that explain something."""
        found = {one.entry for one in self.failures} | {one.refused_entry for one in self.archives}
        found |= {one.entry for archive in self.archives for reading in archive.readings.values() for one in reading.disagreements}
        return {entry for entry in found if entry is not None}


def _lines(results: Results) -> Iterator[Json]:
    yield {"event": "header", "schema": SCHEMA, **results.header}
    for (implementation, chapter), counts in results.golden.items():
        yield {"event": "golden", "implementation": implementation, "chapter": chapter, "counts": dict(sorted(counts.items()))}
    for one in results.failures:
        yield {"event": "failure", **vars(one)}
    for archive in results.archives:
        readings: Json = {}
        for reader, reading in archive.readings.items():
            told: Json = {"compared": reading.compared}
            if reading.disagreements:
                told["disagreements"] = [vars(each) for each in reading.disagreements]
            readings[reader] = {"left_out": reading.left_out} if reading.left_out else told
        line: Json = {"event": "archive", "original": archive.original, "writer": archive.writer}
        if archive.refused:
            line |= {"refused": archive.refused, "entry": archive.refused_entry}
        yield line | {"readings": readings}
    yield {"event": "footer", **results.footer}


def text_of(results: Results) -> str:
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in _lines(results))


def _reading(told: Json) -> Reading:
    return Reading(told.get("compared", 0), tuple(Disagreement(**each) for each in told.get("disagreements", ())), told.get("left_out", ""))


def parse(lines: Iterable[str]) -> Results:
    """Of lines that the schema accepts."""
    results = Results()
    for line in lines:
        told = json.loads(line)
        event = told.pop("event")
        if event == "header":
            told.pop("schema")
            results.header = told
        elif event == "golden":
            results.golden[told["implementation"], told["chapter"]] = Counter(told["counts"])
        elif event == "failure":
            told["clauses"] = tuple(told["clauses"])
            results.failures.append(Failure(**told))
        elif event == "archive":
            readings = {reader: _reading(each) for reader, each in told["readings"].items()}
            results.archives.append(Archive(told["original"], told["writer"], told.get("refused", ""), told.get("entry"), readings))
        elif event == "footer":
            results.footer = told
    return results


def load(path: Path) -> Results:
    return parse(path.read_text(encoding="utf-8").splitlines())


def writers_of(results: Results) -> Sequence[Json]:
    return list(results.header.get("writers", []))
