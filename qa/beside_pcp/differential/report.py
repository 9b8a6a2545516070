# SPDX-License-Identifier: Apache-2.0
"""What a run found, as JSON and as a table for the README."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.beside_pcp.differential.compare import Comparison

SCHEMA = "pmproof-differential/1"

Json = dict[str, Any]

_COUNTERS = ("deviations", "undefined", "crashes", "aside")


@dataclass
class Report:
    """`complete` is what a run says that was not stopped."""

    command: str
    seed: int
    date: str = ""
    generated: int = 0
    recorded: int = 0
    left_out: int = 0
    seconds: float = 0
    complete: bool = False
    versions: dict[str, Comparison] = field(default_factory=dict)

    def add(self, comparisons: Mapping[str, Comparison]) -> None:
        for version, found in comparisons.items():
            self.versions.setdefault(version, Comparison()).add(found)

    @property
    def unexplained(self) -> int:
        return sum(len(found.unexplained) for found in self.versions.values())

    def to_json(self) -> Json:
        told: Json = {"schema": SCHEMA, "command": self.command, "seed": self.seed, "date": self.date}
        told |= {"generated": self.generated, "recorded": self.recorded, "left_out": self.left_out}
        told |= {"seconds": round(self.seconds), "versions": {}}
        for version, found in sorted(self.versions.items()):
            members = dict(vars(found))
            for name in _COUNTERS:
                members[name] = dict(sorted(members[name].items()))
            told["versions"][version] = members
        return told | {"footer": {"complete": self.complete}}

    @classmethod
    def from_json(cls, told: Json) -> "Report":
        if told.get("schema") != SCHEMA:
            raise ValueError(f"this is no {SCHEMA}")
        report = cls(told["command"], told["seed"], told["date"], told["generated"], told["recorded"])
        report.left_out, report.seconds = told["left_out"], told["seconds"]
        report.complete = bool(told["footer"]["complete"])
        for version, members in told["versions"].items():
            counters = {name: Counter(members[name]) for name in _COUNTERS}
            report.versions[version] = Comparison(**(members | counters))
        return report

    def save(self, path: Path) -> None:
        """The file is always whole."""
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)

    def markdown(self) -> str:
        rows = ["| PCP | " + " | ".join(self.versions) + " |", "|---|" + "---:|" * len(self.versions)]

        def row(title: str, cells: list[int]) -> None:
            rows.append(" | ".join([f"| {title}", *(f"{cell:,}" for cell in cells)]) + " |")

        found = list(self.versions.values())
        row("contexts", [each.contexts for each in found])
        row("fetches compared", [each.fetches for each in found])
        row("answers (one metric at one time)", [each.answers for each in found])
        row("values", [each.values for each in found])
        row("answers equal to the reference", [each.as_reference for each in found])
        for name in sorted({name for each in found for name in each.deviations}):
            row(f"answers that differ by {name}", [each.deviations[name] for each in found])
        for name in sorted({name for each in found for name in each.undefined}):
            row(f"contexts compared until {name} destroys PCP's memory", [each.undefined[name] for each in found])
        for name in sorted({name for each in found for name in each.crashes}):
            row(f"crashes, endless loops explained by {name}", [each.crashes[name] for each in found])
        for name in sorted({name for each in found for name in each.aside}):
            row(f"contexts with a difference, or seeks, left aside: {name}", [each.aside[name] for each in found])
        row("**unexplained**", [len(each.unexplained) for each in found])
        state = "" if self.complete else " Not complete."
        head = f"`{self.command}`, {self.date}: {self.generated:,} generated archives, {self.recorded} recorded ones"
        head += f" ({self.left_out} more without records), {self.seconds / 60:.0f} minutes.{state}"
        return "\n".join([head, "", *rows]) + "\n"


def load(path: Path) -> Report:
    return Report.from_json(json.loads(path.read_text(encoding="utf-8")))
