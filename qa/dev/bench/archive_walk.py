# SPDX-License-Identifier: Apache-2.0
"""Looks at the files of an archive by the specification alone, to tell for the tests what a maker made."""

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_MARK, _LABEL = {2: 20, 3: 24}, {2: 132, 3: 808}


@dataclass
class Walk:
    """What is in an archive: data records and their value sets, metadata records by type, index entries."""

    version: int
    records: int = 0
    marks: int = 0
    sets: int = 0
    values: int = 0
    total: int = 0  # as bare_walk adds up
    times: list[tuple[int, int]] = field(default_factory=list)
    boundaries: set[int] = field(default_factory=set)
    metadata: Counter[int] = field(default_factory=Counter)
    entries: list[tuple[int, ...]] = field(default_factory=list)  # (seconds, fraction, volume, .meta, data)


def walk(base: Path) -> Walk:
    """Raises AssertionError where framing (ARC-080) or the arrangement of a data record (ARC-208) is broken."""
    volume, meta, index = (Path(f"{base}.{part}").read_bytes() for part in ("0", "meta", "index"))
    seen = Walk(_word(volume, 4) & 0xFF)
    for at, record in _records(volume, seen.version):
        seen.boundaries.add(at)
        _look_at(record, seen)
    for _, record in _records(meta, seen.version):
        seen.metadata[_word(record, 4)] += 1
    shape = ">iiiII" if seen.version == 2 else ">Iiiiqq"
    for entry in struct.iter_unpack(shape, index[_LABEL[seen.version] :]):
        seen.entries.append(entry if seen.version == 2 else (entry[0] | entry[1] << 32, *entry[2:]))
    return seen


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _records(data: bytes, version: int) -> Iterator[tuple[int, bytes]]:
    assert _word(data, 0) == _LABEL[version] and _word(data, 4) == 0x50052600 + version
    at = _LABEL[version]
    while at < len(data):
        length = _word(data, at)
        record = data[at : at + length]
        assert 8 <= length == len(record) == _word(record, length - 4)
        yield at, record
        at += length


def _look_at(record: bytes, seen: Walk) -> None:
    stamp = 8 if seen.version == 2 else 12
    seconds, fraction = struct.unpack(">ii" if stamp == 8 else ">I4xi", record[4 : 4 + stamp])
    seen.times.append((seconds, fraction))
    sets = _word(record, 4 + stamp)
    if sets == 0:
        assert len(record) == _MARK[seen.version]
        seen.marks += 1
        seen.records += 1
        return
    seen.records += 1
    seen.sets += sets
    at, blocks = 8 + stamp, []
    for _ in range(sets):
        numval, valfmt = struct.unpack(">ii", record[at + 4 : at + 12])
        assert numval > 0 and valfmt in (0, 1)
        at += 12
        for word in (value for _, value in struct.iter_unpack(">iI", record[at : at + 8 * numval])):
            if valfmt == 0:
                seen.total += word
            else:
                blocks.append(4 * (word - 2))
        at += 8 * numval
        seen.values += numval
    for offset in blocks:
        assert offset == at
        seen.total += _word(record, at) + _word(record, at + 4)
        at += (_word(record, at) & 0xFFFFFF) + 3 & ~3
    assert at == len(record) - 4
