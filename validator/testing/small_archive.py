# SPDX-License-Identifier: Apache-2.0
"""Archives of version 2 written byte by byte, with whatever bytes a test wants in them.

Nothing is checked. The code of pmproof is not used: what it reads here it has not written.
"""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

START = 1_700_000_000
NO_INDOM = 0xFFFFFFFF
STRING, U32 = 6, 1
INSTANT = 3
META, INDEX = -1, -2
LABEL_SIZE = 132


def pmid(domain: int, cluster: int, item: int) -> int:
    return domain << 22 | cluster << 10 | item


def indom(domain: int, serial: int) -> int:
    return domain << 22 | serial


def record(payload: bytes) -> bytes:
    """ARC-080"""
    length = struct.pack(">I", len(payload) + 8)
    return length + payload + length


def label(part: int, host: bytes = b"localhost", timezone: bytes = b"UTC") -> bytes:
    """ARC-100"""
    return record(struct.pack(">IIIIi64s40s", 0x50052602, 1, START, 0, part, host, timezone))


def desc(metric: int, names: Sequence[bytes], kind: int = U32, domain: int = NO_INDOM) -> bytes:
    """ARC-302"""
    packed = b"".join(struct.pack(">I", len(name)) + name for name in names)
    return record(struct.pack(">7I", 1, metric, kind, domain, INSTANT, 0, len(names)) + packed)


def instances(domain: int, names: Mapping[int, bytes], time: int = START) -> bytes:
    """ARC-340"""
    table, offsets = bytearray(), []
    for name in names.values():
        offsets.append(len(table))
        table += name + b"\0"
    head = struct.pack(">5I", 2, time, 0, domain, len(names))
    return record(head + struct.pack(f">{len(names)}I", *names) + struct.pack(f">{len(offsets)}I", *offsets) + bytes(table))


def labels(kind: int, owner: int, name: bytes, value: bytes) -> bytes:
    """ARC-390: one set with one label; the value is a string, the bytes of which stand in the JSON as they are."""
    json = b'{"' + name + b'":"' + value + b'"}'
    entry = struct.pack(">HBBHH", 2, len(name), kind, 4 + len(name), len(value) + 2)
    one = struct.pack(">Ii", 0xFFFFFFFF, len(json)) + json + struct.pack(">i", 1) + entry
    return record(struct.pack(">6I", 3, START, 0, kind, owner, 1) + one)


def text(kind: int, owner: int, content: bytes) -> bytes:
    """ARC-430"""
    return record(struct.pack(">3I", 4, kind, owner) + content + b"\0")


def result(time: int, values: Mapping[int, Mapping[int, int | bytes]]) -> bytes:
    """ARC-150: numbers stand in the sets, strings in blocks after them. The instance of a singular value is -1."""
    size = 20 - 4 + sum(12 + 8 * len(of_metric) for of_metric in values.values())
    sets, blocks = bytearray(), bytearray()
    for metric, of_metric in values.items():
        in_blocks = any(isinstance(value, bytes) for value in of_metric.values())
        sets += struct.pack(">IiI", metric, len(of_metric), 1 if in_blocks else 0)
        for instance, value in of_metric.items():
            if isinstance(value, int):
                sets += struct.pack(">iI", instance, value)
                continue
            sets += struct.pack(">iI", instance, (size + len(blocks)) // 4 + 2)
            content = value + b"\0"
            blocks += struct.pack(">I", STRING << 24 | len(content) + 4) + content + b"~" * (-len(content) % 4)
    return record(struct.pack(">III", time, 0, len(values)) + bytes(sets + blocks))


def mark(time: int) -> bytes:
    """ARC-151"""
    return record(struct.pack(">III", time, 0, 0))


def entry(time: int, volume: int, in_meta: int, in_volume: int) -> bytes:
    """ARC-451"""
    return struct.pack(">IIiII", time, 0, volume, in_meta, in_volume)


def write(
    base: Path,
    meta: Sequence[bytes],
    volumes: Sequence[Sequence[bytes]],
    host: bytes = b"localhost",
    timezone: bytes = b"UTC",
) -> Path:
    """The archive of these records: its first volume begins at START. Returns its base name."""
    files = {"meta": label(META, host, timezone) + b"".join(meta)}
    for number, records in enumerate(volumes):
        files[str(number)] = label(number, host, timezone) + b"".join(records)
    files["index"] = label(INDEX, host, timezone) + entry(START, 0, LABEL_SIZE, LABEL_SIZE)
    for suffix, content in files.items():
        base.with_name(f"{base.name}.{suffix}").write_bytes(content)
    return base
