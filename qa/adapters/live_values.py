# SPDX-License-Identifier: Apache-2.0
"""Results in memory as libpcp has them, and in the JSON of PDUs (pmda.md section 5)."""

import base64
import ctypes
import struct
import sys

from pcp import pmapi

from qa.adapters import live_octets
from qa.adapters.live_octets import Json
from qa.adapters.pcp_library import Skip, block, made_block
from qa.adapters.value_text import event_raw, event_text, raw_of

_FORMATS = ("insitu", "dynamic", "static")
SIZES = {2: 8, 3: 8, 4: 4, 5: 8}  # of numbers in blocks, whose octets are in the order of the machine
_TYPES = {"32": 0, "u32": 1, "64": 2, "u64": 3, "float": 4, "double": 5, "string": 6, "aggregate": 7, "aggregate_static": 8, "event": 9, "highres_event": 10}
_MISSED = 0x80000000

_SETS = pmapi.pmResult.vset.offset
_VALUES = pmapi.pmValueSet.vlist.offset
_VALUE = pmapi.pmValue.value.offset
_SIZE = ctypes.sizeof(pmapi.pmValue)


def _turned(kind: int, body: bytes) -> bytes:
    """From the wire's order into the machine's, as who makes a block has to."""
    if kind in (9, 10):
        if not are_events(body, kind == 10):
            raise Skip("libpcp takes its caller at his word about events: these end beyond their block")
        return event_raw(body, kind == 10)
    if kind in SIZES and len(body) != SIZES[kind]:
        raise Skip(f"a number of {len(body)} octets, which has no order in memory")
    return body[::-1] if kind in SIZES and sys.byteorder == "little" else body


def are_events(body: bytes, highres: bool) -> bool:
    """Whether all records and parameters that an event array counts are there (section 5.3)."""
    place = 4
    if len(body) < place:
        return False
    for _ in range(int.from_bytes(body[:4], "big")):
        place += 24 if highres else 16
        if place > len(body):
            return False
        flags, count = struct.unpack(">II", body[place - 8 : place])
        for _ in range(0 if flags & _MISSED else count):
            length = int.from_bytes(body[place + 5 : place + 8], "big")
            least = 4 + SIZES.get(body[place + 4], 4 if body[place + 4] in (0, 1) else 0) if place + 8 <= len(body) else 4
            if length < least:
                return False
            place += 4 + (length + 3) // 4 * 4
            if place > len(body):
                return False
    return True


def has_short_parameter(body: bytes, highres: bool) -> bool:
    """Whether a parameter has fewer octets than a number of its type, and others follow: libpcp turns as many round as the type
    has, and those behind the parameter's end once more (PDU-174)."""
    place = 4
    for _ in range(max(0, int.from_bytes(body[:4], "big", signed=True))):
        place += 24 if highres else 16
        if place > len(body):
            return False
        flags, count = struct.unpack(">Ii", body[place - 8 : place])
        for _ in range(0 if flags & _MISSED else count):
            if place + 8 > len(body):
                return False
            kind, length = body[place + 4], int.from_bytes(body[place + 5 : place + 8], "big")
            place += 4 + (length + 3) // 4 * 4
            if length < 4 + SIZES.get(kind, 4 if kind in (0, 1) else 0) and place < len(body):
                return True
    return False


def _returned(kind: int, body: bytes) -> bytes:
    """The inverse, of what libpcp has read."""
    if kind in (9, 10):
        return base64.b64decode(event_text(body, kind == 10).removeprefix("base64:"))
    if kind in SIZES and len(body) >= SIZES[kind] and sys.byteorder == "little":
        return body[: SIZES[kind]][::-1] + body[SIZES[kind] :]
    return body


class Result:
    """A pmResult that lives as long as this object. `fraction`: as this version counts it."""

    def __init__(self, seconds: int, fraction: int, sets: list[Json]) -> None:
        self._kept: list[ctypes.Array[ctypes.c_char]] = []
        pointers = [self._set(one) for one in sets]
        head = struct.pack("=qqi", seconds, fraction, len(sets)).ljust(_SETS, b"\0")
        self._memory = self._keep(head + struct.pack(f"={len(pointers)}Q", *pointers))

    @property
    def address(self) -> int:
        return self._memory

    def _keep(self, octets: bytes) -> int:
        buffer = ctypes.create_string_buffer(octets, max(1, len(octets)))
        self._kept.append(buffer)
        return ctypes.addressof(buffer)

    def _set(self, told: Json) -> int:
        values = told.get("values", [])
        code = _FORMATS.index(told.get("format", "insitu"))
        number = told["status"] if "status" in told else len(values)
        if number > len(values):
            raise Skip("what is above 0 is a number of values in memory")
        octets = struct.pack("=Iii", int(told["pmid"], 16), number, code).ljust(_VALUES, b"\0")
        for value in values:
            octets += struct.pack("=i", value["instance"]).ljust(_VALUE, b"\0")
            if "word" in value:
                octets += struct.pack("=I", int(value["word"], 16)).ljust(_SIZE - _VALUE, b"\0")
            else:
                body = _turned(value["type"], bytes.fromhex(value["body"]))
                octets += struct.pack("=Q", self._keep(made_block(value["type"], body)))
        return self._keep(octets)


def sets_at(address: int) -> list[Json]:
    """The value sets of a pmResult that libpcp made."""
    number = ctypes.c_int.from_address(address + pmapi.pmResult.numpmid.offset).value
    pointers = (ctypes.c_uint64 * max(0, number)).from_address(address + _SETS)
    return [_set_at(one) for one in pointers]


def _set_at(address: int) -> Json:
    pmid, number, code = struct.unpack("=Iii", ctypes.string_at(address, 12))
    found: Json = {"pmid": f"{pmid:08x}"}
    if number <= 0:
        return found | {"status": number}
    values: list[Json] = []
    for place in range(number):
        at = address + _VALUES + place * _SIZE
        instance, word = struct.unpack(f"=i{_VALUE - 4}xI", ctypes.string_at(at, _VALUE + 4))
        if code == 0:
            values.append({"instance": instance, "word": f"{word:08x}"})
            continue
        pointer = struct.unpack("=Q", ctypes.string_at(at + _VALUE, 8))[0]
        head = int.from_bytes(ctypes.string_at(pointer, 4), sys.byteorder)
        kind = head >> 24 if sys.byteorder == "little" else head & 255
        values.append({"instance": instance, "type": kind, "body": _returned(kind, block(pointer)).hex()})
    return found | {"format": _FORMATS[code], "values": values}


def set_of_typed(told: Json) -> Json:
    """The value set that says typed values, as an agent makes it (PDU-102, PDU-105)."""
    if "status" in told or not told["values"]:
        return {"pmid": told["pmid"], "status": told.get("status", 0)}
    kinds = {value["type"] in ("32", "u32") for value in told["values"]}
    if len(kinds) > 1:
        raise Skip("a value set in memory has one format for all its values")
    if kinds == {True}:
        values = [{"instance": one["instance"], "word": f"{int(one['value']) & 0xFFFFFFFF:08x}"} for one in told["values"]]
        return {"pmid": told["pmid"], "format": "insitu", "values": values}
    values = [{"instance": one["instance"], "type": _TYPES[one["type"]], "body": _body(one).hex()} for one in told["values"]]
    return {"pmid": told["pmid"], "format": "dynamic", "values": values}


def _body(value: Json) -> bytes:
    """On the wire."""
    kind = _TYPES[value["type"]]
    if kind in (9, 10):
        return _events(value["records"], kind == 10)
    return _plain(kind, value["value"]) + (b"\0" if kind == 6 else b"")


def _plain(kind: int, text: str) -> bytes:
    if kind >= 6:
        return live_octets.octets_of(text)
    octets = raw_of(kind, text)
    return octets[::-1] if sys.byteorder == "little" else octets


def _events(records: list[Json], highres: bool) -> bytes:
    """Section 5.3."""
    octets = struct.pack(">i", len(records))
    for record in records:
        seconds, _, fraction = record["time"].partition(".")
        nanoseconds = int(fraction.ljust(9, "0"))
        octets += struct.pack(">qq" if highres else ">ii", int(seconds), nanoseconds if highres else nanoseconds // 1000)
        if "missed" in record:
            octets += struct.pack(">Ii", _MISSED, record["missed"])
            continue
        octets += struct.pack(">Ii", record["flags"], len(record["parameters"]))
        for parameter in record["parameters"]:
            kind = _TYPES[parameter["type"]]
            value = _plain(kind, parameter["value"])
            octets += struct.pack(">II", int(parameter["pmid"], 16), kind << 24 | 4 + len(value))
            octets += value + b"~" * (-len(value) % 4)
    return octets
