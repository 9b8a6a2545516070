# SPDX-License-Identifier: Apache-2.0
"""An archive in the other version, as ARC-600 to 604 and the layouts of sections 4 to 8 say: what cases of archive.write expect.

Only for sound archives of which every record has a counterpart; written for the small archives of the cases.
"""

import struct
from collections.abc import Iterator

from qa.golden import packed

_TIME = {2: 8, 3: 12}
_TEXTS = {2: ((24, 64), (88, 40)), 3: ((36, 256), (292, 256), (548, 256))}  # of a label: host, timezone, zoneinfo
_DESC, _INDOM_V2, _LABELS_V2, _TEXT, _INDOM, _DELTA, _LABELS = range(1, 8)


def _word(content: bytes, at: int) -> int:
    return int(struct.unpack_from(">I", content, at)[0])


def _signed(content: bytes, at: int) -> int:
    return int(struct.unpack_from(">i", content, at)[0])


def _framed(payload: bytes) -> bytes:
    length = struct.pack(">I", len(payload) + 8)
    return length + payload + length


def _time(content: bytes, at: int, version: int) -> bytes:
    """The timestamp of a version in the other one: of version 3 the low word of the seconds comes first (ARC-004)."""
    if version == 2:
        seconds, microseconds = struct.unpack_from(">II", content, at)
        return struct.pack(">III", seconds, 0, microseconds * 1000)
    seconds, high, nanoseconds = struct.unpack_from(">III", content, at)
    assert high == 0 and nanoseconds % 1000 == 0
    return struct.pack(">II", seconds, nanoseconds // 1000)


def _label(content: bytes, version: int) -> bytes:
    other = 5 - version
    start = _time(content, 12, version)
    volume = content[12 + _TIME[version] :][:4]
    texts = [content[at : at + size - 1].split(b"\0")[0] for at, size in (_TEXTS[2] if version == 2 else _TEXTS[3])]
    out = struct.pack(">I", 0x50052600 | other) + content[8:12] + start + volume + (b"\0" * 8 if other == 3 else b"")
    sizes = [size for _, size in _TEXTS[other]]
    kept = [*texts[:2], b""][: len(sizes)]  # version 2 has no zoneinfo
    return _framed(out + b"".join(text.ljust(size, b"\0") for text, size in zip(kept, sizes)))


def _records(content: bytes, begin: int) -> Iterator[tuple[int, bytes]]:
    at = begin
    while at < len(content):
        length = _word(content, at)
        yield at, content[at : at + length]
        at += length


def _instances(record: bytes, head: int) -> list[tuple[int, bytes | None]]:
    count = _word(record, head - 4)
    table = record[head + 8 * count : -4]
    offsets = [_signed(record, head + 4 * (count + one)) for one in range(count)]
    return [(_signed(record, head + 4 * one), table[at:].split(b"\0")[0] if at >= 0 else None) for one, at in enumerate(offsets)]


def _indom(record: bytes, version: int, domains: dict[bytes, dict[int, bytes]]) -> bytes:
    head = 16 + _TIME[version]
    told = _instances(record, head)
    known = domains.setdefault(record[head - 8 : head - 4], {})
    if _word(record, 4) == _DELTA:
        for number, name in told:
            if name is None:
                del known[number]
            else:
                known.setdefault(number, name)
        named = sorted(known.items())
    else:
        named = [(number, name) for number, name in told if name is not None]
        known.clear()
        known.update(reversed(named))  # of two with one identifier the first counts
    if version == 2:
        named.sort(key=lambda one: one[0])
    offset, offsets = 0, []
    for _, name in named:
        offsets.append(offset)
        offset += len(name) + 1
    words = [len(named), *(number for number, _ in named), *offsets]
    kind = struct.pack(">I", _INDOM_V2 if version == 3 else _INDOM)
    return _framed(kind + _time(record, 8, version) + record[head - 8 : head - 4] + struct.pack(f">{len(words)}i", *words) + b"".join(name + b"\0" for _, name in named))


def _metadata(record: bytes, version: int, domains: dict[bytes, dict[int, bytes]]) -> bytes:
    kind = _word(record, 4)
    if kind in (_DESC, _TEXT):
        return record
    if kind in (_LABELS, _LABELS_V2):
        told = struct.pack(">I", _LABELS_V2 if version == 3 else _LABELS)
        return _framed(told + _time(record, 8, version) + record[8 + _TIME[version] : -4])
    return _indom(record, version, domains)


def _data(record: bytes, version: int) -> bytes:
    """The index of a block counts words from the beginning of the record (ARC-207)."""
    payload = bytearray(record[4 + _TIME[version] : -4])
    shift = _TIME[5 - version] // 4 - _TIME[version] // 4
    at = 4
    for _ in range(_word(payload, 0)):
        numval = _signed(payload, at + 4)
        if numval <= 0:
            at += 8
            continue
        if _word(payload, at + 8) != 0:
            for pair in range(at + 12, at + 12 + 8 * numval, 8):
                struct.pack_into(">I", payload, pair + 4, _word(payload, pair + 4) + shift)
        at += 12 + 8 * numval
    return _framed(_time(record, 4, version) + bytes(payload))


def _index(content: bytes, version: int, moved: dict[str, dict[int, int]]) -> bytes:
    out, size, time = b"", (20 if version == 2 else 32), _TIME[version]
    for at in range(0, len(content), size):
        volume, meta_offset, data_offset = struct.unpack_from(">iII" if version == 2 else ">iQQ", content, at + time)
        offsets = moved["meta"][meta_offset], moved[str(volume)][data_offset]
        out += _time(content, at, version) + struct.pack(">iQQ" if version == 2 else ">iII", volume, *offsets)
    return out


def of(files: packed.Files, version: int) -> dict[str, bytes]:
    """By part, of files of `version`."""
    size = 132 if version == 2 else 808
    parts = {name.split(".")[1]: content for name, content in files.items()}
    out: dict[str, bytes] = {}
    moved: dict[str, dict[int, int]] = {}
    domains: dict[bytes, dict[int, bytes]] = {}
    for part, content in parts.items():
        if part == "index":
            continue
        written = _label(content, version)
        moved[part] = {}
        for at, record in _records(content, size):
            moved[part][at] = len(written)
            written += _metadata(record, version, domains) if part == "meta" else _data(record, version)
        moved[part][len(content)] = len(written)
        out[part] = written
    out["index"] = _label(parts["index"], version) + _index(parts["index"][size:], version, moved)
    return out
