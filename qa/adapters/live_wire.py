# SPDX-License-Identifier: Apache-2.0
"""Bodies of PDUs as JSON and back, for both sides of a collector: what it gets, and what it makes of that (section 4)."""

import struct
from collections.abc import Callable

from qa.adapters import live_octets
from qa.adapters.live_octets import Frame, Json
from qa.adapters.pcp_library import Skip

_FORMATS = ("insitu", "dynamic", "static")


def _ints(*numbers: int) -> bytes:
    return b"".join(struct.pack(">i" if number < 0 else ">I", number) for number in numbers)


def _words(words: list[str]) -> bytes:
    return b"".join(map(bytes.fromhex, words))


def _padded(octets: bytes) -> bytes:
    return octets + b"~" * (-len(octets) % 4)


def _counted(text: str) -> bytes:
    octets = live_octets.octets_of(text)
    return _ints(len(octets)) + _padded(octets)


def _descriptor(told: Json) -> bytes:
    return bytes.fromhex(told["pmid"]) + _ints(told["type"]) + bytes.fromhex(told["indom"]) + _ints(told["semantics"]) + bytes.fromhex(told["units"])


def _profile(told: Json) -> bytes:
    octets = _ints(told["context"], told["state"], len(told["entries"]), 0)
    for one in told["entries"]:
        octets += bytes.fromhex(one["indom"]) + _ints(one["state"], len(one["instances"]), 0)
    return octets + b"".join(_ints(*one["instances"]) for one in told["entries"])


def _names(told: Json) -> bytes:
    names = told["names"]
    octets = _ints(sum(len(live_octets.octets_of(one["name"])) + 1 for one in names))
    octets += _ints(sum(one["status"] is not None for one in names), len(names))
    return octets + b"".join((b"" if one["status"] is None else _ints(one["status"])) + _counted(one["name"]) for one in names)


def _labels(told: Json) -> bytes:
    sets = told["sets"]
    place = live_octets.HEADER + 16 + sum(16 + 8 * len(one["labels"]) for one in sets)
    octets, texts = bytes.fromhex(told["identifier"]) + _ints(told["type"], 0, len(sets)), b""
    for one in sets:
        text = live_octets.octets_of(one["json"])
        if len(text) > 0xFFFF or max((max(label.values()) for label in one["labels"]), default=0) > 0xFFFF:
            raise Skip("a text of labels that no field is wide enough for")
        octets += _ints(one["instance"], one["status"] or len(one["labels"]), place, len(text))
        for label in one["labels"]:
            if max(label["name_length"], label["flags"]) > 0xFF:
                raise Skip("a label that no field is wide enough for")
            fields = (label[name] for name in ("name_offset", "name_length", "flags", "value_offset", "value_length"))
            octets += struct.pack(">HBBHH", *fields)
        place += len(text)
        texts += text
    return octets + texts


_WRITERS: dict[str, Callable[[Json], bytes]] = {
    "ERROR": lambda told: _ints(told["code"]),
    "PROFILE": _profile,
    "FETCH": lambda told: _ints(told["context"], 0, 0, len(told["pmids"])) + _words(told["pmids"]),
    "DESC_REQ": lambda told: bytes.fromhex(told["pmid"]),
    "DESC": lambda told: _descriptor(told["descriptor"]),
    "DESC_IDS": lambda told: _ints(-1, len(told["pmids"])) + _words(told["pmids"]),
    "INSTANCE_REQ": lambda told: bytes.fromhex(told["indom"]) + _ints(0, 0, told["instance"]) + _counted(told["name"]),
    "INSTANCE": lambda told: bytes.fromhex(told["indom"]) + _ints(len(told["instances"]))
    + b"".join(_ints(one["instance"]) + _counted(one["name"]) for one in told["instances"]),
    "TEXT_REQ": lambda told: bytes.fromhex(told["identifier"]) + _ints(told["type"]),
    "LABEL_REQ": lambda told: bytes.fromhex(told["identifier"]) + _ints(told["type"]),
    "TEXT": lambda told: bytes.fromhex(told["identifier"]) + _counted(told["text"]),
    "PMNS_IDS": lambda told: _ints(told["status"], len(told["pmids"])) + _words(told["pmids"]),
    "PMNS_NAMES": _names,
    "PMNS_CHILD": lambda told: _ints(told["subtype"]) + _counted(told["name"]),
    "PMNS_TRAVERSE": lambda told: _ints(told["subtype"]) + _counted(told["name"]),
    "LABEL": _labels,
}


def written(told: Json) -> bytes:
    return live_octets.pdu(told["pdu"], _WRITERS[told["pdu"]](told))


class _Reader:
    def __init__(self, frame: Frame) -> None:
        self.frame, self.place = frame, live_octets.HEADER

    def word(self) -> str:
        self.place += 4
        return f"{self.frame.word(self.place - 4):08x}"

    def number(self) -> int:
        self.place += 4
        return self.frame.signed(self.place - 4)

    def text(self, size: int) -> str:
        octets = self.frame.octets[self.place : self.place + size]
        self.place += (size + 3) // 4 * 4
        return live_octets.text_of(octets)


def _read_profile(reader: _Reader) -> Json:
    context, state, number, _ = (reader.number() for _ in range(4))
    heads = [(reader.word(), reader.number(), reader.number(), reader.number()) for _ in range(number)]
    entries = [{"indom": indom, "state": one, "instances": [reader.number() for _ in range(count)]} for indom, one, count, _ in heads]
    return {"context": context, "state": state, "entries": entries}


def _read_fetch(reader: _Reader) -> Json:
    context, _, _, number = (reader.number() for _ in range(4))
    return {"context": context, "pmids": [reader.word() for _ in range(number)]}


def _read_instance(reader: _Reader) -> Json:
    indom, _, _, instance, size = reader.word(), reader.number(), reader.number(), reader.number(), reader.number()
    return {"indom": indom, "instance": instance, "name": reader.text(size)}


def _read_names(reader: _Reader) -> Json:
    _, statuses, number = reader.number(), reader.number(), reader.number()
    return {"names": [{"status": reader.number() if statuses else None, "name": reader.text(reader.number())} for _ in range(number)]}


def _read_ids(reader: _Reader) -> Json:
    status, number = reader.number(), reader.number()
    return {"status": status, "pmids": [reader.word() for _ in range(number)]}


def _read_name(reader: _Reader) -> Json:
    return {"subtype": reader.number(), "name": reader.text(reader.number())}


def _read_identifier(reader: _Reader) -> Json:
    return {"identifier": reader.word(), "type": reader.number() & 0xFFFFFFFF}


def sets_of(frame: Frame) -> list[Json]:
    """The value sets of a RESULT or HIGHRES_RESULT."""
    reader = _Reader(frame)
    reader.place = 12 if frame.name == "HIGHRES_RESULT" else 20
    number = reader.number()
    reader.place = 32 if frame.name == "HIGHRES_RESULT" else 24
    found = []
    for _ in range(number):
        told: Json = {"pmid": reader.word()}
        count = reader.number()
        if count <= 0:
            found.append(told | {"status": count})
            continue
        form, values = reader.number(), []
        for _ in range(count):
            instance, word = reader.number(), reader.word()
            if form == 0:
                values.append({"instance": instance, "word": word})
                continue
            at = 4 * int(word, 16)
            head = frame.word(at)
            values.append({"instance": instance, "type": head >> 24, "body": frame.octets[at + 4 : at + (head & 0xFFFFFF)].hex()})
        found.append(told | {"format": _FORMATS[form], "values": values})
    return found


def _read_result(reader: _Reader) -> Json:
    return {"seconds": reader.number(), "microseconds": reader.number(), "sets": sets_of(reader.frame)}


_READERS: dict[str, Callable[[_Reader], Json]] = {
    "PROFILE": _read_profile,
    "FETCH": _read_fetch,
    "DESC_REQ": lambda reader: {"pmid": reader.word()},
    "INSTANCE_REQ": _read_instance,
    "TEXT_REQ": _read_identifier,
    "LABEL_REQ": _read_identifier,
    "PMNS_IDS": _read_ids,
    "PMNS_NAMES": _read_names,
    "PMNS_CHILD": _read_name,
    "PMNS_TRAVERSE": _read_name,
    "RESULT": _read_result,
}


def read(frame: Frame) -> Json:
    """Of a PDU that a collector wrote."""
    return {"pdu": frame.name, "from": frame.signed(8), **_READERS[frame.name](_Reader(frame))}
