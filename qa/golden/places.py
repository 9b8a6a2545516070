# SPDX-License-Identifier: Apache-2.0
"""Where a rule is broken by an edit: by ARC-2301 to 2303, and by the bytes that the edit changed.

No validator is asked. The table of section 14.15 names the field, layout.py finds the fields of that name, and of these the
one counts that the edit has touched. place_choice.py puts that together.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from qa.golden import packed
from qa.golden.layout import Field, fields_of

WHOLE = "none, the whole archive"  # in the first column of the table
COMPRESSED = re.compile(r"\.(xz|bz2|gz|zst)$")


@dataclass(frozen=True)
class Row:
    """Of the table: which file, and which byte of it; whether ARC-2304 says how long that is."""

    file: str
    byte: str
    has_length: bool


@dataclass(frozen=True)
class Place:
    part: str
    offset: int


class UnclearError(Exception):
    """The specification leaves the place open, or nothing says which of several fields breaks the rule."""


def rows_of(specification: str) -> dict[str, Row]:
    section = specification.partition("### 14.15 ")[2].partition("\n## ")[0]
    length = re.search(r"^ARC-2304 .*?\n\n", section, re.M | re.S)
    assert length is not None
    without_length = re.findall(r"\b1[0-9]{3}\b", length[0])
    found: dict[str, Row] = {}
    for file, byte, rules in re.findall(r"^\| ([^|]*) \| ([^|]*) \| ([0-9 ]+) \|$", section, re.M):
        for rule in rules.split():
            assert f"ARC-{rule}" not in found, rule
            found[f"ARC-{rule}"] = Row(file, byte, rule not in without_length)
    return found


def part_of(name: str, base: str) -> str:
    """meta, index or the number of a volume; empty where the file is no part of the archive."""
    found = re.fullmatch(re.escape(base) + r"\.(meta|index|0|[1-9][0-9]*)", COMPRESSED.sub("", name))
    return found[1] if found else ""


def order(part: str) -> tuple[int, int]:
    """ARC-2302."""
    return {"meta": (0, 0), "index": (2, 0)}.get(part) or (1, int(part))


def is_of(part: str, file: str) -> bool:
    """Whether a file is one that the first column of the table means."""
    kinds = {"meta": part == "meta", "index": part == "index", "volume": part.isdigit(), "meta or volume": part != "index"}
    return kinds.get(file, True)


def length_of(content: bytes, part: str, offset: int, row: Row) -> int | None:
    """Of a place of a file (ARC-2304), where the table names a field of the layouts."""
    if not row.has_length:
        return None
    # "the block, or the value if it is insitu": the layouts know both by these words.
    names = {re.sub(r"^the | if .*", "", one) for one in row.byte.partition(" (")[0].split(", or ")}
    sizes = {one.size for one in fields_of(part, content) if one.name in names and one.offset == offset}
    return sizes.pop() if len(sizes) == 1 else None


class Edit:
    """The files of an archive before and after it was broken, each by its part. `name`: such as arc-1104-1."""

    def __init__(self, name: str, before: packed.Files, after: packed.Files, base: str) -> None:
        self.name = name
        self.before, self.after = (
            {part_of(one, base): content for one, content in side.items() if part_of(one, base)} for side in (before, after)
        )
        self.is_compressed = any(COMPRESSED.search(one) for one in after)

    def parts(self, file: str) -> list[str]:
        return sorted((part for part in self.after if is_of(part, file)), key=order)

    @cached_property
    def fields(self) -> dict[str, list[Field]]:
        """Of each file, in the order of their offsets."""
        return {part: sorted(fields_of(part, content), key=lambda one: one.offset) for part, content in self.after.items()}

    def bytes_of(self, part: str, field: Field) -> bytes:
        return self.after[part][field.offset : field.offset + field.size]

    def value_of(self, part: str, field: Field) -> int:
        return int.from_bytes(self.bytes_of(part, field), "big", signed=True)

    def all(self, file: str, *names: str) -> list[tuple[str, Field]]:
        return [(part, one) for part in self.parts(file) for one in self.fields[part] if one.name in names]

    @cached_property
    def new_records(self) -> set[tuple[str, int]]:
        """Part and offset of each record, label or entry whose bytes are no record of the file as it was."""
        found = set()
        for part, content in self.after.items():
            old = self.before.get(part, b"")
            records = [one for one in fields_of(part, old) if one.name in ("record", "label")]
            known = Counter(old[one.offset : one.offset + one.size] for one in records)
            for one in self.fields[part]:
                if one.name in ("record", "label"):
                    known[self.bytes_of(part, one)] -= 1
                    if known[self.bytes_of(part, one)] < 0:
                        found.add((part, one.offset))
        return found

    @cached_property
    def _spans(self) -> dict[str, list[tuple[int, int]]]:
        """What of each file was changed or put in, where it is now."""
        found: dict[str, list[tuple[int, int]]] = {}
        for part, content in self.after.items():
            shift = 0
            for offset, size, put in reversed(packed.difference(self.before.get(part, b""), content)):
                length = len(put) // 2
                found.setdefault(part, []).append((offset + shift, offset + shift + max(length, 1)))
                shift += length - size
        return found

    def in_new_records(self, file: str, *names: str) -> list[tuple[str, Field]]:
        return [(part, one) for part, one in self.all(file, *names) if (part, one.record) in self.new_records]

    def touched(self, file: str, *names: str) -> list[tuple[str, Field]]:
        """Those whose bytes the edit changed or put in; those beside them if there are none."""
        beside = self.in_new_records(file, *names)
        found = [(part, one) for part, one in beside if self._is_changed(part, one)]
        return found or beside

    def _is_changed(self, part: str, field: Field) -> bool:
        end = field.offset + max(field.size, 1)
        return any(begin < end and field.offset < until for begin, until in self._spans.get(part, ()))
