# SPDX-License-Identifier: Apache-2.0
"""How the files of an archive lie in their folder (sections 2 and 10 of archive.md): their names, and by what they are compressed."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Mapping

from qa.golden.layout import fields_of
from qa.suite.explore.crafted.dice import Dice

_PIECE = 1000  # of a zstd frame
_STRAY = (
    "00", "01", "007", "1x", "-1", "-0", "+0", "+1", " 1", "\t2", "1 ", "meta.bak", "index~", "2147483647", "2147483648", "99999999999", "0x1", "", "x", "Meta",
    "0.Z", "1.z", "0.lzma", "meta.Z", "index.lzma", "meta.gz.gz", "0.gz", "1.xz", "meta.bz2", "index.zst", "0.bak", "1.tmp", "5.x", "0.1", "0.meta", "0.meta.x", ".0", ".x", ".x", ".y", "1..x", "12.", "1.x.y", "0.x",
)  # fmt: skip
_MAGIC = (b"\x1f\x9d", b"\x1f\x1e", b"\x1f\xa0", b"\x1f\x9e", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"]\0\0")
_TARGETS = ("0", "1", "2", "3", "7", "index", "meta", *_STRAY)


def _zstd(content: bytes) -> bytes:
    """A frame of blocks that are stored as they are."""
    pieces = [content[at : at + _PIECE] for at in range(0, len(content), _PIECE)] or [b""]
    frame = b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little")
    for number, piece in enumerate(pieces):
        frame += (len(piece) << 3 | (number == len(pieces) - 1)).to_bytes(3, "little") + piece
    return frame


_WAYS: Mapping[str, Callable[[bytes], bytes]] = {
    "gz": lambda content: gzip.compress(content, 1, mtime=0),
    "bz2": lambda content: bz2.compress(content, 1),
    "xz": lambda content: lzma.compress(content, preset=0),
    "zst": _zstd,
}


def base_of(dice: Dice) -> str:
    """What an archive is called; as a mistake as a list of them, or as one of their files."""
    return dice.one_of(("c", "c-1", "a.b"), ("c,d", "c.meta", "c.index", "c.0", "c.xz", "c.gz", "c.Z", "c.x", "c d", "-c", "20261129.00.10"), 1.5)


def stored(dice: Dice, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """By what follows the archive's name and a dot."""
    files = dict(parts)
    for part, content in parts.items():
        if dice.often(0.5):
            way = dice.pick(sorted(_WAYS))
            files[f"{part}.{way}"] = _compressed(dice, way, content)
            if not dice.slips():
                del files[part]
    for _ in range(2):
        if dice.slips():
            magic = dice.pick(_MAGIC)
            files[dice.pick(_STRAY)] = dice.pick((b"", b"x", magic, magic + b"\0" * 20, lzma.compress(parts["meta"], lzma.FORMAT_ALONE, preset=0), *parts.values()))
    if dice.slips():
        old = dice.pick(sorted(files))
        content = files.pop(old)
        if dice.often(0.6):
            files[dice.pick(_TARGETS)] = content
    return files


def _compressed(dice: Dice, way: str, content: bytes) -> bytes:
    """As a mistake in pieces, cut, damaged, with something behind; and what is cut may have a record whose lengths differ before."""
    if dice.slips(0.5) and (ends := [one.offset + one.size - 1 for one in fields_of("meta", content) if one.name == "record" and one.size >= 8]):
        at = dice.pick(ends[-3:])
        content = content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]
    if dice.slips(0.3):
        at = dice.upto(len(content))
        return _WAYS[way](content[:at]) + _WAYS[way](content[at:])
    whole = _WAYS[way](content)
    if dice.slips():
        return whole[: -dice.pick((1, 8, 12, 40)) if dice.often(0.5) else dice.upto(len(whole))]
    if dice.slips():
        at = dice.upto(len(whole) - 1)
        return whole[:at] + bytes([whole[at] ^ 1 << dice.upto(7)]) + whole[at + 1 :]
    if dice.slips(0.3):
        return whole + dice.pick((b"\0", b"\0" * 4, b"\0" * 512, b"x", whole[:9], b"\x1f\x8b"))
    return whole
