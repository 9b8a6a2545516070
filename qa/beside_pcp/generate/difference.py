# SPDX-License-Identifier: Apache-2.0
"""What a reader says otherwise than the truth."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Difference:
    """`aspect` says what kind of thing it concerns, `where` which one."""

    aspect: str
    where: str
    expected: str
    actual: str
    clause: str = ""  # what explains it ("ARC-010, MET-214"), if it is known: then it is not a fault of the archive

    def __str__(self) -> str:
        because = f" [{self.clause}]" if self.clause else ""
        return f"{self.aspect} {self.where}: expected {self.expected}, got {self.actual}{because}"


_MOST = 300


def short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _MOST else text[:_MOST] + "..."


@dataclass
class Comparison:
    """`values` and `records` count what was compared."""

    differences: list[Difference] = field(default_factory=list)
    records: int = 0
    values: int = 0

    def add(self, aspect: str, where: str, expected: object, actual: object, clause: str = "") -> None:
        """Nothing if they are equal."""
        if expected != actual:
            self.differences.append(Difference(aspect, where, short(expected), short(actual), clause))


def unexplained(differences: Iterable[Difference]) -> list[Difference]:
    return [each for each in differences if not each.clause]
