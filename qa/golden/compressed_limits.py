# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits-compressed: a compressed volume in several pieces, with bytes after them, or without its end."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Mapping

from qa.golden.limit import Limit, Table


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _zstd(content: bytes) -> bytes:
    """A frame of one block that holds the bytes as they are: a magic number, one segment of 32 bits of length, the head of the last block."""
    head = b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little")
    return head + (len(content) << 3 | 1).to_bytes(3, "little") + content


def _in_two(compress: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    return lambda content: compress(content[:1000]) + compress(content[1000:])


_COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {"gz": _gzip, "bz2": bz2.compress, "xz": lzma.compress, "lzma": lambda content: lzma.compress(content, lzma.FORMAT_ALONE), "zst": _zstd}
# The suffix, and what makes the file.
WAYS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {suffix: (suffix, compress) for suffix, compress in _COMPRESS.items()}
for _suffix in ("gz", "bz2", "xz"):
    _one = _COMPRESS[_suffix]
    WAYS[f"{_suffix}-in-two"] = (_suffix, _in_two(_one))
    WAYS[f"{_suffix}-without-its-last-byte"] = (_suffix, lambda content, one=_one: one(content)[:-1])  # type: ignore[misc]
    WAYS[f"{_suffix}-without-its-half"] = (_suffix, lambda content, one=_one: one(content)[: len(one(content)) // 2])  # type: ignore[misc]
    WAYS[f"{_suffix}-and-letters"] = (_suffix, lambda content, one=_one: one(content) + b"ab")  # type: ignore[misc]
for _suffix, _one in _COMPRESS.items():
    WAYS[f"{_suffix}-in-name-alone"] = (_suffix, lambda content: content)
    WAYS[f"{_suffix}-of-nothing"] = (_suffix, lambda content: b"")
    WAYS[f"{_suffix}-with-another-first-byte"] = (_suffix, lambda content, one=_one: bytes([one(content)[0] ^ 0x80]) + one(content)[1:])  # type: ignore[misc]
WAYS |= {"bz2-called-bz": ("bz", bz2.compress), "gz-called-capital-z": ("Z", _gzip), "gz-called-z": ("z", _gzip)}
WAYS["z-in-name-alone"] = ("Z", lambda content: content)
WAYS["z-of-one-byte"] = ("Z", lambda content: _gzip(content)[:1])
WAYS["zst-without-its-last-byte"] = ("zst", lambda content: _zstd(content)[:-1])
WAYS["zst-and-letters"] = ("zst", lambda content: _zstd(content) + b"ab")
WAYS["zst-in-two"] = ("zst", _in_two(_zstd))
WAYS["gz-and-zeros"] = ("gz", lambda content: _gzip(content) + bytes(512))

# bzip2 passes over what follows its stream.
_SOUND = ("-called-bz", "-called-capital-z", "-called-z", "-in-two", "-and-zeros", "bz2-and-letters")
_LIMITS = tuple(
    Limit(
        f"compressed-{way}",
        f"ARC-1009: the volume is {way.replace('-', ' ')}",
        (),
        () if way == suffix or way.endswith(_SOUND) else (("ARC-1009", "fatal", "", 0),),
        compressed=way,
        least="fatal",
    )
    for way, (suffix, _) in WAYS.items()
)

TABLES = (
    Table(
        "limits-compressed",
        "Compressed volumes in several pieces, with bytes after them, or without their end",
        "What a tool that decompresses takes without a word, a reader that does it by itself has to take too, and refuse what it refuses.",
        "ARC-033 and 035: the content is what xz, bzip2 and gzip make of the file, or they fail.",
        ("ARC-033", "ARC-035", "ARC-1009"),
        _LIMITS,
    ),
)
