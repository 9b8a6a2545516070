# SPDX-License-Identifier: Apache-2.0
"""Expected failures: a list of what an implementation is known to fail, which has to be exactly true.

A line is an entry:

    ID-or-glob | outcome | message prefix or class | reason or URL | until=YYYY-MM-DD

The last field may be absent, the third empty. Empty lines and lines that begin with # are comments.
"""

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from qa.suite.checks import Check

Parsed = TypeVar("Parsed")

OUTCOMES = ("wrong", "error", "crash", "timeout", "protocol")
UNEXPLAINED = "not explained yet"

HEAD = """\
# Expected failures (qa/suite/README.md): a surprise pass, an entry that matches nothing and an expired entry fail the run.
# ID-or-glob | outcome | message prefix or class | reason or URL | until=YYYY-MM-DD (optional)
"""


class ListError(Exception):
    """A list cannot be read."""


@dataclass(frozen=True)
class Entry:
    pattern: str
    outcome: str
    prefix: str
    reason: str
    until: datetime.date | None = None

    def __str__(self) -> str:
        fields = [self.pattern, self.outcome, self.prefix, self.reason]
        if self.until is not None:
            fields.append(f"until={self.until.isoformat()}")
        return " | ".join(fields)

    def concerns(self, check: Check) -> bool:
        return check.is_called(self.pattern)

    def expects(self, outcome: str, message: str) -> bool:
        return outcome == self.outcome and message.startswith(self.prefix)

    def is_expired(self, today: datetime.date) -> bool:
        return self.until is not None and self.until < today


def fields_of(line: str, count: int) -> tuple[list[str], datetime.date | None]:
    """The fields of an entry that has `count`, and the date that may stand after them. Raises ValueError."""
    fields = [field.strip() for field in line.split("|")]
    until = None
    if len(fields) == count + 1 and fields[count].startswith("until="):
        try:
            until = datetime.date.fromisoformat(fields.pop().removeprefix("until="))
        except ValueError:
            raise ValueError("until= is not a date such as 2027-01-31") from None
    return fields, until


def _entry(line: str) -> Entry:
    """Raises ValueError."""
    fields, until = fields_of(line, 4)
    if len(fields) != 4:
        raise ValueError("not ID | outcome | message prefix | reason | until=DATE")
    pattern, outcome, prefix, reason = fields
    if not pattern:
        raise ValueError("no ID")
    if outcome not in OUTCOMES:
        raise ValueError(f"{outcome!r} is none of the outcomes {', '.join(OUTCOMES)}")
    if not reason:
        raise ValueError("no reason")
    return Entry(pattern, outcome, prefix, reason, until)


def read(path: Path, parse: Callable[[str], Parsed], same: Callable[[Parsed, Parsed], bool]) -> list[Parsed]:
    """The entries of a list, of which no two are the `same`; `parse` raises ValueError. Raises ListError, with file and line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ListError(f"{path}: {error}") from error
    found: list[Parsed] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            entry = parse(line)
        except ValueError as error:
            raise ListError(f"{path}:{number}: {error}") from error
        if any(same(entry, other) for other in found):
            raise ListError(f"{path}:{number}: {line.split('|')[0].strip()} is listed twice")
        found.append(entry)
    return found


def load(path: Path) -> list[Entry]:
    """Raises ListError, with file and line."""
    return read(path, _entry, lambda a, b: (a.pattern, a.outcome, a.prefix) == (b.pattern, b.outcome, b.prefix))


def text_of(entries: Iterable[Entry]) -> str:
    return HEAD + "".join(f"{entry}\n" for entry in entries)


def field_of(message: str) -> str:
    """A message as the third field can hold it: of the start that has no separator in it."""
    return message.split("|")[0].split("\n")[0].strip()


@dataclass
class Used:
    """An entry, and how often it held in a run."""

    entry: Entry
    held: int = 0


def problems_of(used: Sequence[Used], all_checks: Sequence[Check], asked: Sequence[Check], today: datetime.date) -> list[str]:
    """What is wrong with the list itself after all of `asked` were asked, out of `all_checks`."""
    found = []
    for one in used:
        if one.entry.is_expired(today):
            found.append(f"expired entry: {one.entry}")
        elif one.held == 0:
            known = [check for check in all_checks if one.entry.concerns(check)]
            # What was not selected says nothing about an entry.
            if not known or any(one.entry.concerns(check) for check in asked):
                found.append(f"entry that matches nothing: {one.entry}")
    return found
