# SPDX-License-Identifier: Apache-2.0
"""Random mutants: one mistake at a random place of the reference or of a rule.

Each possible mistake has a rank that its file, its line's text, and the seed decide. The first of a seed stay the first when
other lines change, so a draw of a thousand can be tried in many sessions.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qa.dev.mutants.catalogue import ListError
from qa.dev.mutants.operators import places, replaced

FOLDERS = ("reference/archive", "reference/core", "reference/derived", "reference/pmda/pdu", "reference/replay", "validator/check/rules")
# Of tests, and of what makes no answer.
_NOT_DRAWN = ("_test.cc", "_fuzz.cc", "_main.cc")
_NO_FOLDERS = ("fuzz", "testing", "bench")


@dataclass(frozen=True)
class RandomMutant:
    """One place of a file. `line` counts from 1; `before` and `after` are that line, or those lines, for people."""

    file: str
    line: int
    kind: str
    before: str
    after: str
    occurrence: int  # of equal mistakes in equal lines of the file, from 0
    begin: int
    end: int
    instead: str

    @property
    def digest(self) -> str:
        """Which mistake it is, wherever in its file the line stands now."""
        told = (self.file, self.before, self.after, str(self.occurrence))
        return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]

    @property
    def folder(self) -> str:
        return next(folder for folder in FOLDERS if self.file.startswith(folder + "/"))

    @property
    def id(self) -> str:
        return f"{self.file}:{self.line}"

    def applied(self, text: str) -> str:
        """The file with the mistake. Raises ListError where the file is another one than it was drawn from."""
        changed = text[: self.begin] + self.instead + text[self.end :]
        now = _lines(text, self.begin, self.end)[0], _lines(changed, self.begin, self.begin + len(self.instead))[0]
        if now != (self.before, self.after):
            raise ListError(f"{self.id}: the file has changed since it was drawn")
        return changed


def sources(root: Path) -> list[str]:
    """Those in which mistakes are made. What headers define would be compiled anew in hundreds of files."""
    found = [path.relative_to(root) for folder in FOLDERS for path in (root / folder).rglob("*.cc")]
    return sorted(str(path) for path in found if not str(path).endswith(_NOT_DRAWN) and not set(_NO_FOLDERS) & set(path.parts))


def all_of(root: Path) -> Iterator[RandomMutant]:
    """Every mistake that can be drawn."""
    for file in sources(root):
        text = (root / file).read_text(encoding="utf-8")
        seen: Counter[tuple[str, str]] = Counter()
        for place in places(text):
            for instead in place.instead:
                changed = replaced(text, place, instead)
                grown = len(changed) - len(text)
                before, begin, end = _lines(text, place.begin, place.end)
                after = changed[begin : end + grown]
                line = text.count("\n", 0, place.begin) + 1
                new = changed[place.begin : place.end + grown]
                yield RandomMutant(file, line, place.kind, before, after, seen[before, after], place.begin, place.end, new)
                seen[before, after] += 1


def draw(root: Path, seed: str) -> list[RandomMutant]:
    """All, in the order in which this seed draws them. Each place is drawn once, with one of its mistakes."""
    taken: set[tuple[str, int, int]] = set()
    found = []
    for mutant in sorted(all_of(root), key=lambda one: hashlib.sha256(f"{seed}\0{one.digest}".encode()).digest()):
        where = mutant.file, mutant.begin, mutant.end
        if where not in taken:
            found.append(mutant)
        taken.add(where)
    return found


def _lines(text: str, begin: int, end: int) -> tuple[str, int, int]:
    """The whole lines that hold this, and where they begin and end."""
    first = text.rfind("\n", 0, begin) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    return text[first:last], first, last
