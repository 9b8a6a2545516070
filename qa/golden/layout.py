# SPDX-License-Identifier: Apache-2.0
"""Where the fields of an archive's files lie, by the tables of layout of sections 3 to 8 of archive.md: `golden generate`.

It reads broken archives too: what a length or count that lies leads out of its record ends the list of fields there.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_LABEL = {
    2: (("N", 4), ("magic", 4), ("pid", 4), ("start", 4), ("start.fraction", 4), ("label volume", 4), ("hostname", 64),
        ("timezone", 40), ("trailing N", 4)),
    3: (("N", 4), ("magic", 4), ("pid", 4), ("start", 8), ("start.fraction", 4), ("label volume", 4), ("features", 4),
        ("reserved", 4), ("hostname", 256), ("timezone", 256), ("zoneinfo", 256), ("trailing N", 4)),
}  # fmt: skip
_EVENT, _HIGHRES_EVENT = 9, 10
_BLOCKS = (1, 2)  # formats of value sets whose values are in blocks


@dataclass(frozen=True)
class Field:
    name: str
    offset: int
    size: int
    record: int  # where the record begins that it belongs to


class _Record:
    """One record of a file, its fields as they are read. IndexError where they leave it."""

    def __init__(self, content: bytes, begin: int, end: int, version: int) -> None:
        self.content, self.begin, self.end, self.version = content, begin, end, version
        self.at = begin
        self.fields: list[Field] = []

    def number(self, name: str, size: int = 4) -> int:
        self.skip(name, size)
        return int.from_bytes(self.content[self.at - size : self.at], "big", signed=True)

    def skip(self, name: str, size: int) -> bytes:
        if size < 0 or self.at + size > self.end:
            self.fields.append(Field(name, self.at, max(self.end - self.at, 0), self.begin))
            raise IndexError(name)
        self.fields.append(Field(name, self.at, size, self.begin))
        self.at += size
        return self.content[self.at - size : self.at]

    def time(self) -> None:
        self.skip("timestamp", 8 if self.version == 2 else 12)


def _desc(record: _Record) -> None:
    for name in ("pmID", "type", "pmInDom", "semantics", "units"):
        record.number(name)
    count = record.number("number of names")
    record.fields.append(Field("names", record.at, record.end - record.at, record.begin))
    for _ in range(count):
        size = record.number("name length")
        record.skip("name", size)


def _domain(record: _Record) -> None:
    record.time()
    record.number("pmInDom")
    count = record.number("n")
    for _ in range(count):
        record.number("instance identifier")
    offsets = [record.number("name offset") for _ in range(count)]
    table = record.at
    for offset in dict.fromkeys(offsets):
        end = record.content.find(b"\0", table + offset, record.end)
        if offset >= 0 and end >= 0:
            record.fields.append(Field("instance name", table + offset, end + 1 - table - offset, record.begin))
    record.skip("string table", record.end - record.at)


def _labels(record: _Record) -> None:
    record.time()
    record.number("label class")
    record.number("identifier")
    for _ in range(record.number("nsets")):
        record.number("inst")
        json_size = record.number("jsonlen")
        record.skip("JSON", json_size)
        for _ in range(record.number("nlabels")):
            record.skip("label entry", 8)
    record.skip("after the label sets", record.end - record.at)


def _text(record: _Record) -> None:
    record.number("text type")
    record.number("text identifier")
    record.skip("text", record.end - record.at)


_METADATA: Mapping[int, Callable[[_Record], None]] = {
    1: _desc, 2: _domain, 5: _domain, 6: _domain, 3: _labels, 7: _labels, 4: _text,
}  # fmt: skip


def _data(record: _Record) -> None:
    record.time()
    blocks = []
    for _ in range(record.number("numpmid")):
        place = len(record.fields)
        record.number("pmid")
        begin = record.at - 4
        count = record.number("numval")
        format_ = record.number("valfmt") if count > 0 else 0
        for _ in range(count):
            record.fields.append(Field("pair", record.at, 8, record.begin))
            record.number("inst")
            value = record.number("value")
            if format_ in _BLOCKS:
                blocks.append(record.begin + 4 * (value - 2))
        record.fields.insert(place, Field("value set", begin, record.at - begin, record.begin))
    for begin in blocks:
        _block(record, begin)


def _block(record: _Record, begin: int) -> None:
    record.at = begin
    if not record.begin < begin <= record.end - 4:
        return
    head = record.number("block head") & 0xFFFFFFFF
    size, type_ = head & 0xFFFFFF, head >> 24
    end = min(max(begin + size, record.at), record.end)
    record.fields.append(Field("block", begin, end - begin, record.begin))
    record.fields.append(Field("payload", record.at, end - record.at, record.begin))
    padding = -size % 4
    if padding and end + padding <= record.end:
        record.fields.append(Field("padding", end, padding, record.begin))
    if type_ in (_EVENT, _HIGHRES_EVENT):
        _events(_part_of(record, end), type_, record)


def _part_of(record: _Record, end: int) -> _Record:
    inner = _Record(record.content, record.begin, end, record.version)
    inner.at, inner.fields = record.at, record.fields
    return inner


def _events(block: _Record, type_: int, record: _Record) -> None:
    try:
        for _ in range(block.number("nrecords")):
            record.fields.append(Field("event time", block.at, 8 if type_ == _EVENT else 16, record.begin))
            block.at += 4 if type_ == _EVENT else 8
            block.number("event fraction", 4 if type_ == _EVENT else 8)
            flags = block.number("event flags")
            count = block.number("nparams")
            for _ in range(count if flags >= 0 else 0):
                block.number("parameter pmid")
                size = block.number("parameter head") & 0xFFFFFF
                block.skip("parameter", -(-max(size - 4, 0) // 4) * 4)
        block.skip("after the events", block.end - block.at)
    except IndexError:
        pass  # it has no more of them


def _records(content: bytes, begin: int) -> Iterator[tuple[int, int]]:
    """Where each begins and ends; the last one may not be whole."""
    while begin < len(content):
        (size,) = struct.unpack(">i", content[begin : begin + 4].ljust(4, b"\0"))
        end = begin + size
        whole = len(content) - begin >= 4 and size >= 8 and end <= len(content)
        yield begin, end if whole else len(content)
        if not whole:
            return
        begin = end


def label_size(version: int) -> int:
    return sum(size for _, size in _LABEL[version])


def fields_of(part: str, content: bytes) -> list[Field]:
    """Of a file: `part` is meta, index or the number of a volume. Each record is a field too, before those that it has."""
    version = 2 if content[7:8] == b"\2" else 3
    found = [Field("file", 0, len(content), 0), Field("label", 0, min(len(content), label_size(version)), 0)]
    at = 0
    for name, size in _LABEL[version]:
        if name == "start":
            found.append(Field("label start", at, size + 4, 0))
        if at < len(content):
            found.append(Field(name, at, min(size, len(content) - at), 0))
        at += size
    if part == "index":
        return found + _entries(content, at, version)
    for begin, end in _records(content, at):
        record = _Record(content, begin, end, version)
        found.append(Field("record", begin, end - begin, begin))
        if end - begin >= 8:
            found.append(Field("trailing N", end - 4, 4, begin))
        record.end -= 4
        try:
            record.number("N")
            if part == "meta":
                kind = record.number("record type")
                _METADATA.get(kind, lambda _: None)(record)
            else:
                _data(record)
        except IndexError:
            pass  # it has no more of them
        found += record.fields
    return found


def _entries(content: bytes, begin: int, version: int) -> list[Field]:
    time, word = (8, 4) if version == 2 else (12, 8)
    layout = (("timestamp", time), ("entry volume", 4), ("offset in .meta", word), ("offset in volume", word))
    size = sum(one for _, one in layout)
    found = []
    for entry in range(begin, len(content), size):
        found.append(Field("record", entry, min(size, len(content) - entry), entry))
        at = entry
        for name, length in layout:
            if at + length <= len(content):
                found.append(Field(name, at, length, entry))
            at += length
    return found
