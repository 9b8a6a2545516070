# SPDX-License-Identifier: Apache-2.0
"""Large and hostile inputs, each of one kind. They are made in a second and take little room on the disk."""

import lzma
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from validator.testing import small_archive as archive

MB = 1 << 20
METRIC = archive.pmid(60, 0, 1)
DOMAIN = archive.indom(60, 1)
NAME = "a.b"


@dataclass(frozen=True)
class Kind:
    name: str
    make: Callable[[Path, int], None]  # an archive of that base name; the size is a multiple of 1 for small runs
    commands: frozenset[str] = frozenset()  # only these; empty: all that read archives


def _sound(base: Path, records: int = 4, volumes: int = 1) -> None:
    meta = [archive.desc(METRIC, [NAME.encode()])]
    data = [
        [archive.result(archive.START + number * records + at, {METRIC: {-1: at}}) for at in range(records)]
        for number in range(volumes)
    ]
    archive.write(base, meta, data)


def _part(base: Path, suffix: str) -> Path:
    return base.with_name(f"{base.name}.{suffix}")


def _extend(file: Path, size: int) -> None:
    os.truncate(file, file.stat().st_size + size)


def _sparse_record(file: Path, size: int) -> None:
    """One record, between the length words of which nothing is stored."""
    with open(file, "r+b") as out:
        out.seek(0, os.SEEK_END)
        out.write(struct.pack(">I", size))
        out.seek(size - 8, os.SEEK_CUR)
        out.write(struct.pack(">I", size))


def zeros_in(suffix: str, megabytes: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base)
        _extend(_part(base, suffix), megabytes * MB // scale)

    return make


def one_record(suffix: str, megabytes: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base)
        _sparse_record(_part(base, suffix), megabytes * MB // scale)

    return make


def help_text(megabytes: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base)
        with open(_part(base, "meta"), "ab") as meta:
            meta.write(archive.text(5, METRIC, b"x" * (megabytes * MB // scale)))

    return make


def many_volumes(count: int) -> Callable[[Path, int], None]:
    return lambda base, scale: _sound(base, volumes=count // scale)


def packed_volumes(count: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base, volumes=count // scale)
        for number in range(count // scale):
            plain = _part(base, str(number))
            plain.with_name(plain.name + ".xz").write_bytes(lzma.compress(plain.read_bytes(), preset=0))
            plain.unlink()

    return make


def bomb(suffix: str, megabytes: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base)
        plain = _part(base, suffix)
        compressor = lzma.LZMACompressor(preset=0)
        with open(plain.with_name(plain.name + ".xz"), "wb") as out:
            out.write(compressor.compress(plain.read_bytes()))
            for _ in range(megabytes // scale):
                out.write(compressor.compress(bytes(MB)))
            out.write(compressor.flush())
        plain.unlink()

    return make


def many_values(count: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        ids = range(count // scale)
        meta = [
            archive.desc(METRIC, [NAME.encode()], archive.U32, DOMAIN),
            archive.instances(DOMAIN, {each: b"i%d" % each for each in ids}),
        ]
        values = {METRIC: {each: each for each in ids}}
        archive.write(base, meta, [[archive.result(archive.START + at, values) for at in range(2)]])

    return make


def many_metrics(count: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        ids = [archive.pmid(60 + at // 1_000_000, at // 1000 % 1000, at % 1000) for at in range(count // scale)]
        meta = [archive.desc(each, [b"m.x%d" % each]) for each in ids]
        archive.write(base, meta, [[archive.result(archive.START + at, {ids[0]: {-1: 1}}) for at in range(2)]])

    return make


def disordered_index(count: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base)
        with open(_part(base, "index"), "ab") as index:
            for at in range(count // scale):
                index.write(archive.entry(archive.START, 0, 132, 132 + at * 2_654_435_761 % 10_000_000 * 4))

    return make


def lines_of_text(megabytes: int) -> Callable[[Path, int], None]:
    def make(base: Path, scale: int) -> None:
        _sound(base)
        line = b"metric:    a.b\n"
        _part(base, "printed").write_bytes(line * (megabytes * MB // scale // len(line)))
        answer = b'{"time": "1700000000.000000000", "metric": "a.b", "status": 0, "values": []}\n'
        _part(base, "jsonl").write_bytes(answer * (megabytes * MB // scale // len(answer)))

    return make


KINDS = [
    Kind("a volume with 2 GB of zeros at its end", zeros_in("0", 2047)),
    Kind("an index with 1 GB of zeros at its end", zeros_in("index", 1024)),
    Kind("one data record of 2 GB, sparse", one_record("0", 2047)),
    Kind("one metadata record of 2 GB, sparse", one_record("meta", 2047)),
    *(Kind(f"one metadata record of {size} MB", help_text(size)) for size in (64, 128, 256)),
    *(Kind(f"{count} volumes", many_volumes(count)) for count in (4000, 8000, 16000)),
    Kind("500 volumes, each .xz", packed_volumes(500)),
    Kind(".meta.xz of 1 GB", bomb("meta", 1024)),
    Kind("a volume .xz of 1 GB", bomb("0", 1024)),
    Kind("1,000,000 values in a record", many_values(1_000_000)),
    Kind("1,000,000 metrics", many_metrics(1_000_000)),
    Kind("2,000,000 entries of an index, in disorder", disordered_index(2_000_000)),
    Kind("256 MB of text", lines_of_text(256), frozenset({"compare", "compare --parse"})),
]
