# SPDX-License-Identifier: Apache-2.0
"""Where the fields of an agent's PDUs are: framing and layouts of reference/spec/pmda.md, sections 1, 4 and 5.

The proxy is started hundreds of times in a run, so this module imports nothing.
"""

from __future__ import annotations

# Name, offset, size in bytes. Several fields of a PDU have the same name: they are occurrences.
Field = tuple[str, int, int]

KINDS = {
    0x7000: "ERROR",
    0x7001: "RESULT",
    0x7005: "DESC",
    0x7007: "INSTANCE",
    0x7009: "TEXT",
    0x700C: "CREDS",
    0x700D: "PMNS_IDS",
    0x700E: "PMNS_NAMES",
    0x7013: "LABEL",
}
TYPES = {name: number for number, name in KINDS.items()}

HEADER: tuple[Field, ...] = (("len", 0, 4), ("type", 4, 4), ("from", 8, 4))

# What fields_of() finds beside the header, by kind.
FIELDS: dict[str, tuple[str, ...]] = {
    "CREDS": ("numcreds", "cred.type", "cred.version", "cred.flags"),
    "ERROR": ("code",),
    "DESC": ("pmid", "datatype", "indom", "sem", "units"),
    "RESULT": (
        "seconds", "microseconds", "numpmid", "pmid", "numval", "valfmt", "inst", "value", "offset",
        "block.type", "block.len", "block.value", "block.pad",
        "event.count", "event.seconds", "event.microseconds", "event.flags", "event.numparams",
        "parameter.pmid", "parameter.type", "parameter.len", "parameter.value", "parameter.pad",
    ),
    "INSTANCE": ("indom", "numinst", "inst", "namelen", "name", "pad"),
    "TEXT": ("ident", "buflen", "text", "pad"),
    "PMNS_IDS": ("status", "numids", "pmid"),
    "PMNS_NAMES": ("nstrbytes", "numstatus", "numnames", "status", "namelen", "name", "pad"),
    "LABEL": (
        "ident", "labeltype", "padding", "nsets", "inst", "nlabels", "json", "jsonlen",
        "label.name", "label.namelen", "label.flags", "label.value", "label.valuelen", "text",
    ),
}  # fmt: skip

# Octets and no number.
OCTETS = frozenset(("name", "text", "pad", "block.value", "block.pad", "parameter.value", "parameter.pad"))

EVENT, HIGHRES_EVENT = 9, 10


def unsigned(pdu: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(pdu[at : at + size], "big")


def signed(pdu: bytes, at: int) -> int:
    return int.from_bytes(pdu[at : at + 4], "big", signed=True)


def padded(size: int) -> int:
    """`size` rounded up to a multiple of 4."""
    return (size + 3) & ~3


def pdu_of(kind: str, body: bytes, source: int = 0) -> bytes:
    return (12 + len(body)).to_bytes(4, "big") + TYPES[kind].to_bytes(4, "big") + source.to_bytes(4, "big") + body


def kind_of(pdu: bytes) -> str:
    """Empty: none that an agent sends."""
    return KINDS.get(unsigned(pdu, 4), "")


def fields_of(pdu: bytes) -> list[Field]:
    """The fields of a PDU that decodes, in the order of their offsets; of another one at least those of the header."""
    find = _FINDERS.get(kind_of(pdu))
    found = find(pdu) if find else []
    return [*HEADER, *(field for field in found if field[2] > 0 and field[1] + field[2] <= len(pdu))]


def _creds(pdu: bytes) -> list[Field]:
    found = [("numcreds", 12, 4)]
    for at in range(16, len(pdu) - 3, 4):
        found += [("cred.type", at, 1), ("cred.version", at + 1, 1), ("cred.flags", at + 2, 2)]
    return found


def _error(pdu: bytes) -> list[Field]:
    return [("code", 12, 4)]


def _desc(pdu: bytes) -> list[Field]:
    return [(name, 12 + 4 * number, 4) for number, name in enumerate(FIELDS["DESC"])]


def _result(pdu: bytes) -> list[Field]:
    found = [("seconds", 12, 4), ("microseconds", 16, 4), ("numpmid", 20, 4)]
    blocks = []
    at = 24
    for _ in range(max(0, signed(pdu, 20))):
        if at + 8 > len(pdu):
            break
        found += [("pmid", at, 4), ("numval", at + 4, 4)]
        values = signed(pdu, at + 4)
        at += 8
        if values <= 0:
            continue
        found.append(("valfmt", at, 4))
        in_situ = unsigned(pdu, at) == 0
        at += 4
        for _ in range(values):
            if at + 8 > len(pdu):
                break
            found += [("inst", at, 4), ("value" if in_situ else "offset", at + 4, 4)]
            if not in_situ:
                blocks.append(4 * unsigned(pdu, at + 4))
            at += 8
    for begin in sorted(blocks):
        found += _block(pdu, begin)
    return found


def _block(pdu: bytes, at: int) -> list[Field]:
    kind, size = unsigned(pdu, at, 1), unsigned(pdu, at + 1, 3)
    found = [("block.type", at, 1), ("block.len", at + 1, 3)]
    if kind in (EVENT, HIGHRES_EVENT):
        found += _events(pdu, at + 4, 8 if kind == HIGHRES_EVENT else 4)
    else:
        found.append(("block.value", at + 4, size - 4))
    found.append(("block.pad", at + size, padded(size) - size))
    return found


def _events(pdu: bytes, at: int, word: int) -> list[Field]:
    """`word`: the size of the two parts of a time."""
    found = [("event.count", at, 4)]
    records = signed(pdu, at)
    at += 4
    for _ in range(max(0, records)):
        found += [("event.seconds", at, word), ("event.microseconds", at + word, word)]
        at += 2 * word
        found += [("event.flags", at, 4), ("event.numparams", at + 4, 4)]
        missed = unsigned(pdu, at) & 0x80000000
        parameters = 0 if missed else signed(pdu, at + 4)
        at += 8
        for _ in range(max(0, parameters)):
            if at + 8 > len(pdu):
                return found
            size = unsigned(pdu, at + 5, 3)
            found += [("parameter.pmid", at, 4), ("parameter.type", at + 4, 1), ("parameter.len", at + 5, 3)]
            found += [("parameter.value", at + 8, size - 4), ("parameter.pad", at + 4 + size, padded(size) - size)]
            at += 4 + padded(size)
    return found


def _instance(pdu: bytes) -> list[Field]:
    found = [("indom", 12, 4), ("numinst", 16, 4)]
    at = 20
    while at + 8 <= len(pdu):
        size = signed(pdu, at + 4)
        found += [("inst", at, 4), ("namelen", at + 4, 4), ("name", at + 8, size)]
        found.append(("pad", at + 8 + size, padded(size) - size))
        at += 8 + padded(max(0, size))
    return found


def _text(pdu: bytes) -> list[Field]:
    size = signed(pdu, 16)
    return [("ident", 12, 4), ("buflen", 16, 4), ("text", 20, size), ("pad", 20 + size, len(pdu) - 20 - size)]


def _pmns_ids(pdu: bytes) -> list[Field]:
    return [("status", 12, 4), ("numids", 16, 4), *(("pmid", at, 4) for at in range(20, len(pdu) - 3, 4))]


def _pmns_names(pdu: bytes) -> list[Field]:
    found = [("nstrbytes", 12, 4), ("numstatus", 16, 4), ("numnames", 20, 4)]
    with_status = unsigned(pdu, 16) != 0
    at = 24
    for _ in range(max(0, signed(pdu, 20))):
        if with_status:
            found.append(("status", at, 4))
            at += 4
        if at + 4 > len(pdu):
            break
        size = signed(pdu, at)
        found += [("namelen", at, 4), ("name", at + 4, size), ("pad", at + 4 + size, padded(size) - size)]
        at += 4 + padded(max(0, size))
    return found


def _label(pdu: bytes) -> list[Field]:
    found = [("ident", 12, 4), ("labeltype", 16, 4), ("padding", 20, 4), ("nsets", 24, 4)]
    texts: list[Field] = []
    at = 28
    for _ in range(max(0, signed(pdu, 24))):
        if at + 16 > len(pdu):
            break
        found += [("inst", at, 4), ("nlabels", at + 4, 4), ("json", at + 8, 4), ("jsonlen", at + 12, 4)]
        texts.append(("text", unsigned(pdu, at + 8), unsigned(pdu, at + 12)))
        labels = signed(pdu, at + 4)
        at += 16
        for _ in range(max(0, labels)):
            found += [("label.name", at, 2), ("label.namelen", at + 2, 1), ("label.flags", at + 3, 1)]
            found += [("label.value", at + 4, 2), ("label.valuelen", at + 6, 2)]
            at += 8
    return found + texts


_FINDERS = {
    "CREDS": _creds,
    "ERROR": _error,
    "DESC": _desc,
    "RESULT": _result,
    "INSTANCE": _instance,
    "TEXT": _text,
    "PMNS_IDS": _pmns_ids,
    "PMNS_NAMES": _pmns_names,
    "LABEL": _label,
}
