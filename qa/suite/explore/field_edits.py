# SPDX-License-Identifier: Apache-2.0
"""Small changes to an archive's files: a field has a number that is near, or at a limit, or another one's; a record stands
twice, not at all, or before the one that came before it. `pmproof mutate` breaks a rule; this comes near to breaking any."""

import random
from collections.abc import Mapping, Sequence

from qa.beside_pcp.metadata import questions
from qa.golden.layout import Field, fields_of

Files = Mapping[str, bytes]  # by part: meta, index, the number of a volume

# What has its own fields, or is all of the file.
_WHOLES = ("file", "label", "label start", "record", "value set", "pair", "names", "block", "event time", "string table")
_TEXTS = ("hostname", "timezone", "zoneinfo", "name", "JSON", "instance name", "text", "payload", "padding", "parameter")
_OCTETS = (0, 1, 0x09, 0x20, 0x22, 0x2E, 0x2F, 0x30, 0x3A, 0x41, 0x5C, 0x5F, 0x61, 0x7B, 0x7D, 0x7E, 0x7F, 0x80, 0xC3, 0xFF)
_RECORDS = 0.15  # of the edits
_STARTS = 0.06
_DEEP = 20  # records that may trade places


# Codes stand near each other.
_CODES: Mapping[str, Sequence[int]] = {
    "type": range(-1, 13), "semantics": range(6), "valfmt": range(-1, 4), "record type": range(9), "text type": (1, 2, 4, 5, 6, 9, 10), "label class": (1, 2, 4, 8, 16, 32, 64),
}  # fmt: skip
_RECORD_SIZES = (8, 11, 12, 15, 16, 19, 20, 23, 24)  # around those of a time, a count and a mark
# Operations that show a field of .meta; what the volumes have is replayed.
_ABOUT: Mapping[str, Sequence[str]] = {
    "archive.labels": ("JSON", "jsonlen", "label entry", "nlabels", "nsets", "inst", "label class", "identifier"),
    "archive.text": ("text", "text type", "text identifier"),
    "archive.indom": ("instance name", "instance identifier", "name offset", "n", "string table"),
    "archive.describe": ("name", "name length", "number of names", "pmID", "units"),
}
_REPLAYED = ("replay.interp", "replay.raw")


def shown_by(told: str) -> Sequence[str]:
    """The operations that are about what an edit has changed."""
    part, _, rest = told.partition(" ")
    name = rest.partition(":")[0].rstrip(" 0123456789") if part == "meta" else ""
    return [operation for operation, names in _ABOUT.items() if name in names] or _REPLAYED


def edited(chance: random.Random, files: Files) -> tuple[dict[str, bytes], str]:
    """Other files, and what is other, for people: "meta name length 824: 00000001 to 00000002"."""
    if chance.random() < _STARTS:
        return _with_start(chance, files)
    part = chance.choice(sorted(files))
    content = files[part]
    fields = fields_of(part, content)
    if chance.random() < _RECORDS:
        made, told = _of_records(chance, content, [one for one in fields if one.name == "record"])
    else:
        made, told = _of_field(chance, content, fields)
    return {**files, part: made}, f"{part} {told}"


def _with_start(chance: random.Random, files: Files) -> tuple[dict[str, bytes], str]:
    """All labels have another start: there are records before it, or in a set the archive before overlaps it."""
    later = chance.choice((-1, -5, -60, -600, 1, 5, chance.randrange(-3600, 60)))
    made = dict(files)
    for part, content in files.items():
        for one in fields_of(part, content):
            if one.name == "start" and one.size >= 4:  # the low word is the first one (ARC-004)
                start = int.from_bytes(content[one.offset : one.offset + 4], "big") + later
                made[part] = content[: one.offset] + (start % 2**32).to_bytes(4, "big") + content[one.offset + 4 :]
    return made, f"labels: the start is {later} s later"


def _of_field(chance: random.Random, content: bytes, fields: Sequence[Field]) -> tuple[bytes, str]:
    """Each kind of field as often as any other, however many there are of it."""
    names = sorted({one.name for one in fields if one.size > 0 and one.name not in _WHOLES})
    name = chance.choice(names)
    alike = [one for one in fields if one.name == name and one.size > 0]
    field = chance.choice(alike)
    begin, end = field.offset, field.offset + field.size
    old = content[begin:end]
    if name == "JSON" and chance.random() < 0.7:
        return _with_labels(chance, content, field, next(one.size for one in fields if one.name == "record" and one.offset == field.record))
    new = _other_text(chance, old) if name in _TEXTS else _other_number(chance, old)
    if chance.random() < 0.25:
        others = [content[one.offset : one.offset + one.size] for one in alike if one.size == field.size]
        new = chance.choice(others)
    if name in _CODES and chance.random() < 0.7:
        new = (chance.choice(_CODES[name]) % 2**32).to_bytes(4, "big")
    return content[:begin] + new + content[end:], f"{name} {begin}: {old.hex()[:64]} to {new.hex()[:64]}"


def _with_labels(chance: random.Random, content: bytes, field: Field, size: int) -> tuple[bytes, str]:
    """With other labels in place of this JSON, in a record of as many octets as that takes; its entries are those of the old one.
    Nested labels of several sets have no order (MET-923)."""
    text = questions.label_set(chance, depth=1)
    if chance.random() < 0.2:
        text = text.replace("[", "[ ").replace(",", ", ")  # MET-906
    if chance.random() < 0.1:
        text = text.replace("x y", "x\xe4y")  # which is no UTF-8
    new = text.encode("latin-1")
    begin, end = field.offset, field.record + size - 4
    length = (size + len(new) - field.size).to_bytes(4, "big")
    before = content[: field.record] + length + content[field.record + 4 : begin - 4] + len(new).to_bytes(4, "big")
    return before + new + content[begin + field.size : end] + length + content[end + 4 :], f"JSON {begin}: {new!r}"


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
    match chance.randrange(5):
        case 0:
            return content[:end] + whole + content[end:], f"{begin}: the record twice"
        case 1:
            return content[:begin] + content[end:], f"{begin}: without the record"
        case 2:
            return content[: begin + chance.randrange(one.size)], f"{begin}: cut in the record"
        case 3:
            size = chance.choice((*_RECORD_SIZES, 4 * chance.randrange(2, 12)))
            length = size.to_bytes(4, "big")
            inside = whole[4:-4][: size - 8].ljust(size - 8, b"\0")
            return content[:begin] + length + inside + length + content[begin:], f"{begin}: a record of {size} octets, of what begins there"
        case _:
            other = records[max(0, place - chance.randrange(1, _DEEP))]
            there = other.offset
            return content[:there] + whole + content[there:begin] + content[end:], f"{begin}: the record at {there}"
