# SPDX-License-Identifier: Apache-2.0
"""What a number of a seed stands for: an archive, or none, and the requests that are made about it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qa.adapters.testee import Outcome

Json = dict[str, Any]

# Asks the reference: operation, input, arguments.
Reference = Callable[[str, Json, Json], Outcome]


@dataclass(frozen=True)
class Ask:
    """One request. Archives are named as in the scene's folder; rule and dialect are among the arguments."""

    operation: str
    source: Json
    args: Json
    clauses: tuple[str, ...]  # what it is about, where nothing better is known

    def source_in(self, folder: Path) -> Json:
        return {
            key: [str(folder / path) for path in told] if key == "paths" else str(folder / told)
            for key, told in self.source.items()
        }

    @property
    def text(self) -> str:
        """The text file that it is about, or ""."""
        return str(self.source.get("file", ""))

    def source_of(self, paths: Sequence[str]) -> "Ask":
        """The same of other archives."""
        return replace(self, source={"path": paths[0]} if len(paths) == 1 else {"paths": list(paths)})

    def to_json(self) -> Json:
        return {"op": self.operation, "input": self.source, "args": self.args, "clauses": list(self.clauses)}

    @classmethod
    def of(cls, told: Json) -> "Ask":
        return cls(told["op"], told["input"], told["args"], tuple(told["clauses"]))


@dataclass
class Scene:
    number: int
    about: list[str]  # scenarios of the archive, and what became of it; or what the requests are made of
    recipe: str = ""  # how the archive is made, for people
    asks: list[Ask] = field(default_factory=list)
    undefined: Counter[str] = field(default_factory=Counter)  # what was not asked, by clause


@dataclass(frozen=True)
class Variants:
    """What an implementation says that it has."""

    operations: frozenset[str]
    rules: Sequence[str]
    dialects: Sequence[str]  # versions of PCP
    # Whether it is asked to replay archives that are not sound, and for metrics and times that no archive has. PCP is not: it
    # crashes on some archives, and of others answers what lies in its memory.
    unsound: bool = True
    emulates: Sequence[str] = ()  # versions of PCP, whose deviations it says to have


# What is cited where a difference itself does not say more.
CLAUSES = {
    "archive.decode": ("ARC-082",),
    "archive.validate": ("ARC-590",),
    "archive.write": ("ARC-101",),
    "archive.describe": ("ARC-006",),
    "archive.indom": ("ARC-348",),
    "archive.labels": ("ARC-390",),
    "archive.text": ("ARC-430",),
    "replay.interp": ("INT-306",),
    "replay.raw": ("INT-1001",),
    "derive.parse": ("DER-648",),
    "derive.eval": ("DER-1101",),
    "units.parse": ("MET-221",),
    "units.convert": ("MET-241",),
    "value.format": ("MET-501",),
    "value.extract": ("MET-410",),
    "pdu.decode": ("PDU-002",),
    "pdu.encode": ("PDU-002",),
    "names.parse": ("PMD-301",),
    "help.parse": ("PMD-310",),
    "configuration.parse": ("PMD-320",),
}
