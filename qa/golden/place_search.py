# SPDX-License-Identifier: Apache-2.0
"""How a place is searched for in an archive that an edit broke: fields by their names, and bytes within them."""

import re
from collections.abc import Callable, Iterable, Iterator

from qa.golden.places import Edit, Row

At = tuple[str, int]  # the part, and the offset in it
Find = Callable[[Edit, Row], Iterable[At]]


def fields_named(*names: str) -> Find:
    return lambda edit, row: [(part, one.offset) for part, one in edit.touched(row.file, *names)]


def in_records_of(name: str, *types: int) -> Find:
    """Fields of metadata records of these types."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        for part, one in edit.touched(row.file, name):
            if int.from_bytes(edit.after[part][one.record + 4 : one.record + 8], "big") in types:
                yield part, one.offset

    return find


def byte_within(name: str, place: Callable[[bytes], int]) -> Find:
    """A byte of the field: `place` counts from its begin, -1 where the field has none such."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        for part, one in edit.in_new_records(row.file, name):
            at = place(edit.bytes_of(part, one))
            if at >= 0:
                yield part, one.offset + at

    return find


def first_of(pattern: bytes) -> Callable[[bytes], int]:
    """Where the group of the pattern begins."""

    def place(content: bytes) -> int:
        found = re.search(pattern, content, re.S)
        return found.start(1) if found else -1

    return place


def decreasing(name: str) -> Find:
    """Less than the one before, in the file as it is now. Of times the seconds come first (v3: their low word)."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        before: bytes = b""
        for part, one in edit.all(row.file, name):
            content = edit.bytes_of(part, one)
            if content < before:
                yield part, one.offset
            before = content

    return find


def word_at(edit: Edit, at: At) -> int:
    part, offset = at
    return int.from_bytes(edit.after[part][offset : offset + 4], "big", signed=True)
