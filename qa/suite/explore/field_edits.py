# SPDX-License-Identifier: Apache-2.0
"""Small changes to an archive's files: a field has a number that is near, or at a limit, or another one's; a record stands
twice, not at all, or before the one that came before it. `pmproof mutate` breaks a rule; this comes near to breaking any."""

import random
from collections.abc import Mapping, Sequence

from qa.golden.layout import Field, fields_of

Files = Mapping[str, bytes]  # by part: meta, index, the number of a volume

# What has its own fields, or is all of the file.
_WHOLES = ("file", "label", "label start", "record", "value set", "pair", "names", "block", "event time", "string table")
_TEXTS = ("hostname", "timezone", "zoneinfo", "name", "JSON", "instance name", "text", "payload", "padding", "parameter")
_OCTETS = (0, 1, 0x09, 0x20, 0x22, 0x2E, 0x2F, 0x30, 0x3A, 0x41, 0x5C, 0x5F, 0x61, 0x7B, 0x7D, 0x7E, 0x7F, 0x80, 0xC3, 0xFF)
_RECORDS = 0.15  # of the edits
_DEEP = 20  # records that may trade places


def edited(chance: random.Random, files: Files) -> tuple[dict[str, bytes], str]:
    """Other files, and what is other, for people: "meta 824: 00000001 to 00000002"."""
    part = chance.choice(sorted(files))
    content = files[part]
    fields = fields_of(part, content)
    if chance.random() < _RECORDS:
        made, told = _of_records(chance, content, [one for one in fields if one.name == "record"])
    else:
        made, told = _of_field(chance, content, fields)
    return {**files, part: made}, f"{part} {told}"


def _of_field(chance: random.Random, content: bytes, fields: Sequence[Field]) -> tuple[bytes, str]:
    """Each kind of field as often as any other, however many there are of it."""
    names = sorted({one.name for one in fields if one.size > 0 and one.name not in _WHOLES})
    name = chance.choice(names)
    alike = [one for one in fields if one.name == name and one.size > 0]
    field = chance.choice(alike)
    begin, end = field.offset, field.offset + field.size
    old = content[begin:end]
    new = _other_text(chance, old) if name in _TEXTS else _other_number(chance, old)
    if chance.random() < 0.25:
        others = [content[one.offset : one.offset + one.size] for one in alike if one.size == field.size]
        new = chance.choice(others)
    return content[:begin] + new + content[end:], f"{begin}: {old.hex()[:64]} to {new.hex()[:64]}"


def _other_number(chance: random.Random, old: bytes) -> bytes:
    """In one of its words of 4 octets, of 2, in one octet, or in all of it."""
    sizes = [size for size in (4, 4, 2, 1, 8) if size <= len(old)] or [len(old)]
    size = chance.choice(sizes)
    at = chance.randrange(len(old) // size) * size
    word = int.from_bytes(old[at : at + size], "big")
    bits = 8 * size
    near = word + chance.choice((1, 1, -1, -1, 2, -2, 4, -4, 8, -8))
    limits = (0, 1, 2**bits - 1, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 10**9 - 1, 10**9, 10**6 - 1, 10**6)
    new = chance.choice((near, near, near, chance.choice(limits), word ^ 1 << chance.randrange(bits)))
    put: bytes = (new % 2**bits).to_bytes(size, "big")
    return old[:at] + put + old[at + size :]


def _other_text(chance: random.Random, old: bytes) -> bytes:
    """One octet is another one, or two trade places. Behind its end a text of a fixed field has mostly NULs."""
    used = len(old.rstrip(b"\0")) + 1
    at = chance.randrange(min(used, len(old)))
    told = bytearray(old)
    match chance.randrange(3):
        case 0:
            told[at] = chance.choice(_OCTETS)
        case 1:
            told[at] = (told[at] + chance.choice((1, -1))) % 256
        case _:
            other = chance.randrange(min(used, len(old)))
            told[at], told[other] = told[other], told[at]
    return bytes(told)


def _of_records(chance: random.Random, content: bytes, records: Sequence[Field]) -> tuple[bytes, str]:
    """What the index says of offsets after that is wrong, as in a file that was put together by hand."""
    if not records:
        return content + bytes(chance.randrange(1, 40)), "zeros after its end"
    place = chance.randrange(len(records))
    one = records[place]
    begin, end = one.offset, one.offset + one.size
    whole = content[begin:end]
    match chance.randrange(4):
        case 0:
            return content[:end] + whole + content[end:], f"{begin}: the record twice"
        case 1:
            return content[:begin] + content[end:], f"{begin}: without the record"
        case 2:
            return content[: begin + chance.randrange(one.size)], f"{begin}: cut in the record"
        case _:
            other = records[max(0, place - chance.randrange(1, _DEEP))]
            there = other.offset
            return content[:there] + whole + content[there:begin] + content[end:], f"{begin}: the record at {there}"
