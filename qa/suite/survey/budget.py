# SPDX-License-Identifier: Apache-2.0
"""A list of movements that are accepted, which has to be exactly true. A line is an entry:

    KIND-or-glob | glob of archives, or nothing | reason or URL | until=YYYY-MM-DD

The last field may be absent. In place of a kind, "unreadable" is about archives that cannot be compared.
"""

import datetime
import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.suite import expectations

UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Entry:
    pattern: str
    archives: str
    reason: str
    until: datetime.date | None = None

    def __str__(self) -> str:
        fields = [self.pattern, self.archives, self.reason]
        if self.until is not None:
            fields.append(f"until={self.until.isoformat()}")
        return " | ".join(fields)

    def concerns(self, archive: str) -> bool:
        return not self.archives or fnmatch.fnmatchcase(archive, self.archives)

    def is_expired(self, today: datetime.date) -> bool:
        return self.until is not None and self.until < today


def load(path: Path) -> list[Entry]:
    """Raises ListError, with file and line."""
    return expectations.read(path, _entry, lambda a, b: (a.pattern, a.archives) == (b.pattern, b.archives))


def _entry(line: str) -> Entry:
    fields, until = expectations.fields_of(line, 3)
    if len(fields) != 3:
        raise ValueError("not KIND | glob of archives | reason | until=DATE")
    pattern, archives, reason = fields
    if not pattern:
        raise ValueError("no kind")
    if pattern != UNREADABLE and not any(sign in pattern for sign in "*?[>"):
        raise ValueError(f"{pattern!r} is no kind such as INT-503>INT-506/instant/float/number, and no glob")
    if not reason:
        raise ValueError("no reason")
    return Entry(pattern, archives, reason, until)


class Budget:
    """Entries, and what each of them accepted."""

    def __init__(self, entries: Sequence[Entry], today: datetime.date) -> None:
        self._expired = [entry for entry in entries if entry.is_expired(today)]
        self._entries = [entry for entry in entries if not entry.is_expired(today)]
        self.held: dict[Entry, int] = dict.fromkeys(self._entries, 0)  # movements

    def accepts(self, kind: str, archive: str) -> bool:
        """`kind` may be UNREADABLE, which no glob stands for. All entries that accept it hold."""
        holding = [entry for entry in self._entries if _is(kind, entry.pattern) and entry.concerns(archive)]
        for entry in holding:
            self.held[entry] += 1
        return bool(holding)

    def faults(self, not_whole: Iterable[str]) -> list[str]:
        """What is wrong with the list, after all was put to it. `not_whole`: archives of which not everything is known,
        but those that are accepted so."""
        found = [f"expired entry: {entry}" for entry in self._expired]
        idle = [entry for entry, held in self.held.items() if not held]
        if idle:
            names = list(not_whole)
            # What was not compared says nothing about an entry.
            found += [f"entry that matches nothing: {entry}" for entry in idle if not any(entry.concerns(name) for name in names)]
        return found


def _is(kind: str, pattern: str) -> bool:
    if UNREADABLE in (kind, pattern):
        return kind == pattern
    return fnmatch.fnmatchcase(kind, pattern)
