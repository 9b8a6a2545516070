# SPDX-License-Identifier: Apache-2.0
"""What a run found, as JSON and as a table for the README."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.beside_pcp.derived.compare import COUNTERS, Comparison

SCHEMA = "pmproof-derived-agreement/1"

Json = dict[str, Any]


@dataclass
class Report:
    """What each chunk of each version gave; `complete` is what a run says that was not stopped."""

    command: str
    seed: int
    date: str = ""
    seconds: float = 0
    complete: bool = False
    chunks: dict[str, dict[int, Comparison]] = field(default_factory=dict)

    def add(self, version: str, chunk: int, found: Comparison) -> None:
        self.chunks.setdefault(version, {})[chunk] = found

    def drop_unexplained(self) -> None:
        """So that these chunks are done again."""
        for found in self.chunks.values():
            for chunk in [chunk for chunk, each in found.items() if each.unexplained]:
                del found[chunk]

    def totals(self) -> dict[str, Comparison]:
        """Of each version."""
        totals: dict[str, Comparison] = {}
        for version, chunks in sorted(self.chunks.items()):
            totals[version] = Comparison()
            for found in chunks.values():
                totals[version].add(found)
        return totals

    @property
    def unexplained(self) -> int:
        return sum(len(found.unexplained) for chunks in self.chunks.values() for found in chunks.values())

    def to_json(self) -> Json:
        told: Json = {"schema": SCHEMA, "command": self.command, "seed": self.seed, "date": self.date}
        told |= {"seconds": round(self.seconds), "versions": {}}
        for version, chunks in sorted(self.chunks.items()):
            told["versions"][version] = {str(number): vars(found) for number, found in sorted(chunks.items())}
        return told | {"footer": {"complete": self.complete}}

    @classmethod
    def from_json(cls, told: Json) -> "Report":
        if told.get("schema") != SCHEMA:
            raise ValueError(f"this is no {SCHEMA}")
        report = cls(told["command"], told["seed"], told["date"], told["seconds"], bool(told["footer"]["complete"]))
        for version, chunks in told["versions"].items():
            for number, members in chunks.items():
                counters = {name: Counter(members[name]) for name in COUNTERS}
                report.add(version, int(number), Comparison(**(members | counters)))
        return report

    def save(self, path: Path) -> None:
        """The file is always whole."""
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(json.dumps(self.to_json()) + "\n", encoding="utf-8")
        fresh.replace(path)

    def markdown(self) -> str:
        versions = self.totals()
        rows = ["| PCP | " + " | ".join(versions) + " |", "|---|" + "---:|" * len(versions)]
        found = list(versions.values())

        def row(title: str, cells: list[int]) -> None:
            rows.append(" | ".join([f"| {title}", *(f"{cell:,}" for cell in cells)]) + " |")

        def rows_of(title: str, counters: list[Counter[str]], total: bool = True) -> None:
            if total:
                row(title, [counter.total() for counter in counters])
            for name in sorted({name for counter in counters for name in counter}):
                row(f"{'- ' if total else title + ' '}{name}", [counter[name] for counter in counters])

        row("expressions", [each.expressions for each in found])
        rows_of("refused, position and message equal", [each.refused for each in found])
        rows_of("not bound, place and message equal", [each.unbound for each in found])
        row("bound", [each.bound for each in found])
        row("descriptors equal (registered for all contexts, and added to one)", [each.descriptors for each in found])
        row("expressions with values compared", [each.fetched for each in found])
        row("answers (one expression in one fetch)", [each.answers for each in found])
        row("values", [each.values for each in found])
        row("expressions with all values equal to the reference", [each.as_reference for each in found])
        rows_of("expressions with values that differ by", [each.deviations for each in found], total=False)
        rows_of("left out, undefined [U]", [each.undefined for each in found])
        row("**unexplained**", [len(each.unexplained) for each in found])
        state = "" if self.complete else " Not complete."
        head = f"`{self.command}`, {self.date}, {self.seconds / 60:.0f} minutes.{state}"
        return "\n".join([head, "", *rows]) + "\n"


def load(path: Path) -> Report:
    return Report.from_json(json.loads(path.read_text(encoding="utf-8")))
