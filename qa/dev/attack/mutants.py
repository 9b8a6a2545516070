# SPDX-License-Identifier: Apache-2.0
"""Archives that are wrong in a way that knows their structure: frames, fields, times, offsets, files and compression."""

import bz2
import gzip
import lzma
import os
import random
import struct
from collections.abc import Callable
from pathlib import Path

Files = dict[str, bytes]  # by suffix: "meta", "index", "0", "0.xz"

# Where arithmetic breaks.
WORDS = (0, 1, 2, 3, 4, 7, 8, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0xFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
TEXTS = (b"\x1b[2J", b"\xe2\x80\xae", b"\xff\xfe", b"\0", b"\xc2\x9b", b"=1+1", b"\n", b"%s%n", b"../..", b"<b>", b"{\"", b"\\")
_LABELS = {2: 132, 3: 808}


def read(base: Path) -> Files:
    prefix = base.name + "."
    return {
        file.name.removeprefix(prefix): file.read_bytes()
        for file in sorted(base.parent.iterdir())
        if file.name.startswith(prefix) and not file.name.endswith(".json")
    }


def write(files: Files, base: Path) -> None:
    for suffix, content in files.items():
        Path(f"{os.fspath(base)}.{suffix}").write_bytes(content)


def frames(content: bytes) -> list[tuple[int, int]]:
    """Offset and length of each record, the label first, as far as the length words agree."""
    found = []
    at = 0
    while len(content) - at >= 8:
        (length,) = struct.unpack_from(">I", content, at)
        if length < 8 or length > len(content) - at or struct.unpack_from(">I", content, at + length - 4)[0] != length:
            break
        found.append((at, length))
        at += length
    return found


class Mutator:
    def __init__(self, chance: random.Random, other: Files) -> None:
        self._chance = chance
        self._other = other
        self._edits: list[Callable[[Files], None]] = [
            self._word, self._word, self._word, self._length, self._both_lengths, self._time, self._text, self._bits,
            self._drop, self._repeat, self._move, self._splice, self._cut, self._zeros, self._swap, self._remove,
            self._rename, self._pack, self._entry, self._grow,
        ]

    def mutate(self, files: Files) -> Files:
        mutant = dict(files)
        for _ in range(self._chance.choice((1, 1, 1, 2, 3, 5))):
            if mutant:
                self._chance.choice(self._edits)(mutant)
        return mutant

    def damaged_text(self, content: bytes) -> bytes:
        """A text with something wrong in it."""
        changed = bytearray(content)
        for _ in range(self._chance.randint(1, 4)):
            at = self._chance.randint(0, len(changed))
            what = self._chance.randrange(4)
            if what == 0:
                changed[at:at] = self._chance.choice(TEXTS)
            elif what == 1:
                del changed[at : at + self._chance.randint(1, 8)]
            elif what == 2:
                changed[at:at] = changed[: self._chance.randint(0, len(changed))]
            elif at < len(changed):
                changed[at] = self._chance.randrange(256)
        return bytes(changed[: 1 << 20])

    def _file(self, files: Files) -> str:
        return self._chance.choice(sorted(files))

    def _record(self, content: bytes) -> tuple[int, int] | None:
        found = frames(content)
        return self._chance.choice(found) if found else None

    @staticmethod
    def _put(content: bytes, at: int, new: bytes) -> bytes:
        return content[:at] + new + content[at + len(new) :]

    def _in_record(self, files: Files, change: Callable[[bytes, int, int], bytes]) -> None:
        name = self._file(files)
        record = self._record(files[name])
        if record:
            files[name] = change(files[name], *record)

    def _word(self, files: Files) -> None:
        def change(content: bytes, at: int, length: int) -> bytes:
            most = length if self._chance.random() < 0.3 else min(length, 48)
            place = at + 4 * self._chance.randrange(max(most // 4, 1))
            value = self._chance.choice(WORDS) if self._chance.random() < 0.8 else self._chance.getrandbits(32)
            return self._put(content, place, struct.pack(">I", value))[: len(content)]

        self._in_record(files, change)

    def _length(self, files: Files) -> None:
        def change(content: bytes, at: int, length: int) -> bytes:
            place = self._chance.choice((at, at + length - 4))
            return self._put(content, place, struct.pack(">I", self._chance.choice((*WORDS, length + 4, length - 4))))

        self._in_record(files, change)

    def _both_lengths(self, files: Files) -> None:
        """A record that is longer or shorter, in a frame that holds."""

        def change(content: bytes, at: int, length: int) -> bytes:
            body = content[at + 4 : at + length - 4]
            body = body[: self._chance.randint(0, len(body))] if self._chance.random() < 0.5 else body + bytes(
                self._chance.randrange(256) for _ in range(self._chance.randint(1, 64))
            )
            word = struct.pack(">I", len(body) + 8)
            return content[:at] + word + body + word + content[at + length :]

        self._in_record(files, change)

    def _time(self, files: Files) -> None:
        values = (0, 1, 2**31 - 1, 2**31, 2**32 - 1, 999_999_999, 1_000_000_000, 2**30)

        def change(content: bytes, at: int, length: int) -> bytes:
            begin = at + 4 if length < 100 or self._chance.random() < 0.5 else at + 12
            new = b"".join(struct.pack(">I", self._chance.choice(values)) for _ in range(self._chance.randint(1, 3)))
            return self._put(content, begin, new)[: max(len(content), begin)]

        self._in_record(files, change)

    def _text(self, files: Files) -> None:
        def change(content: bytes, at: int, length: int) -> bytes:
            text = self._chance.choice(TEXTS)
            place = at + self._chance.randrange(max(length - len(text), 1))
            return self._put(content, place, text)[: len(content)]

        self._in_record(files, change)

    def _bits(self, files: Files) -> None:
        name = self._file(files)
        content = bytearray(files[name])
        for _ in range(self._chance.randint(1, 8)):
            if content:
                content[self._chance.randrange(len(content))] ^= 1 << self._chance.randrange(8)
        files[name] = bytes(content)

    def _drop(self, files: Files) -> None:
        self._in_record(files, lambda content, at, length: content[:at] + content[at + length :])

    def _repeat(self, files: Files) -> None:
        count = self._chance.choice((1, 2, 100))
        self._in_record(files, lambda content, at, length: content[:at] + content[at : at + length] * count + content[at:])

    def _move(self, files: Files) -> None:
        def change(content: bytes, at: int, length: int) -> bytes:
            rest = content[:at] + content[at + length :]
            places = [offset for offset, _ in frames(rest)] or [0]
            to = self._chance.choice(places)
            return rest[:to] + content[at : at + length] + rest[to:]

        self._in_record(files, change)

    def _splice(self, files: Files) -> None:
        """A record of another archive, perhaps of the other version or of another kind of file."""
        foreign = self._other[self._file(self._other)]
        record = self._record(foreign)
        if record:
            piece = foreign[record[0] : sum(record)]
            self._in_record(files, lambda content, at, length: content[: at + length] + piece + content[at + length :])

    def _cut(self, files: Files) -> None:
        name = self._file(files)
        files[name] = files[name][: self._chance.randint(0, len(files[name]))]

    def _zeros(self, files: Files) -> None:
        name = self._file(files)
        files[name] += bytes(self._chance.choice((1, 3, 4, 20, 32, 4096, 1 << 20)))

    def _grow(self, files: Files) -> None:
        name = self._file(files)
        files[name] += self._chance.randbytes(self._chance.choice((1, 4, 100, 5000)))

    def _swap(self, files: Files) -> None:
        one, two = self._file(files), self._file(files)
        files[one], files[two] = files[two], files[one]

    def _remove(self, files: Files) -> None:
        del files[self._file(files)]

    def _rename(self, files: Files) -> None:
        name = self._file(files)
        files[self._chance.choice(("00", "1", "2147483647", "meta.xz", "0.gz", "index.zst", "0.odd", "7"))] = files.pop(name)

    def _pack(self, files: Files) -> None:
        name = self._file(files)
        if "." in name:
            return
        suffix = self._chance.choice(sorted(_PACKERS))
        packed = _PACKERS[suffix]
        content = bytearray(packed(files.pop(name)))
        if self._chance.random() < 0.5:
            content[self._chance.randrange(len(content))] ^= 1 << self._chance.randrange(8)
        if self._chance.random() < 0.2:
            del content[self._chance.randrange(len(content)) :]
        files[f"{name}.{suffix}"] = bytes(content)

    def _entry(self, files: Files) -> None:
        content = files.get("index", b"")
        version = 3 if content[4:8].endswith(b"\x03") else 2
        begin, size = _LABELS[version], 32 if version == 3 else 20
        if len(content) < begin + size:
            return
        at = begin + size * self._chance.randrange((len(content) - begin) // size)
        place = at + 4 * self._chance.randrange(size // 4)
        files["index"] = self._put(content, place, struct.pack(">I", self._chance.choice(WORDS)))


# One of them is not what its suffix says.
_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "xz": lambda content: lzma.compress(content, preset=0),
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "lzma": lambda content: lzma.compress(content, format=lzma.FORMAT_ALONE, preset=0),
    "zst": gzip.compress,
}
