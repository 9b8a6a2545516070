# SPDX-License-Identifier: Apache-2.0
"""Operations on units and values: units.parse, units.convert, value.format, value.extract.

With pcp_program it is run by some PCP's own Python.
"""

import base64
import ctypes
import json
import os
import struct
import sys
from collections.abc import Callable
from fractions import Fraction

from pcp import pmapi

from qa.adapters.pcp_library import (
    PCP,
    Json,
    Refusal,
    Skip,
    error_name,
    flags_text,
    indom_text,
    made_block,
    pmid_text,
    semantics_text,
    type_text,
    units_text,
)
from qa.adapters.value_text import TYPES, double_text, event_raw, raw_of, render_of, string_text

LIBC = ctypes.CDLL(None)
LIBC.free.argtypes = [ctypes.c_void_p]
LIBC.fclose.argtypes = [ctypes.c_void_p]
LIBC.open_memstream.restype = ctypes.c_void_p
PCP.pmPrintValue.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]

CODES = {name: code for code, name in TYPES.items()} | {"nosupport": -1, "unknown": 255}
_TURNED = {CODES["64"]: 8, CODES["u64"]: 8, CODES["float"]: 4, CODES["double"]: 8}
NUMBERS, STRING, AGGREGATES, EVENTS = range(6), 6, (7, 8), (9, 10)

# The messages of MET-228.
UNITS = {
    "invalid floating point literal": "units.number",
    "unrecognized or duplicate base unit": "units.unknown",
    "multiple extra units not allowed": "units.several_extra",
    "extra units cannot appear in both dividend and divisor": "units.extra_on_both_sides",
    "space dimension out of bounds": "units.space",
    "time dimension out of bounds": "units.time",
    "count dimension out of bounds": "units.count",
}
CONVERT = {"PM_ERR_UNIT": "units.unit", "PM_ERR_CONV": "units.conversion"}
EXTRACT = {"PM_ERR_TRUNC": "value.truncate", "PM_ERR_SIGN": "value.sign", "PM_ERR_CONV": "value.type"}

Tell = Callable[[str], None]


def _tell(tell: Tell, result: Json) -> None:
    tell(json.dumps(result, separators=(",", ":")))


def _text(raw: bytes) -> str:
    """As docs/formats.md writes a string, but not yet between the quotes of JSON."""
    text: str = json.loads(f'"{string_text(raw)}"')
    return text


def _code(name: str) -> int:
    return CODES[name] if name in CODES else int(name.removeprefix("type-"))


def _parsed(text: str) -> tuple[int, float]:
    word, multiplier, message = ctypes.c_uint(), ctypes.c_double(), ctypes.c_void_p()
    status = PCP.pmParseUnitsStr(text.encode(), ctypes.byref(word), ctypes.byref(multiplier), ctypes.byref(message))
    if status >= 0:
        return word.value, multiplier.value
    told = ctypes.string_at(message.value or 0).decode("utf-8", "replace").strip()
    LIBC.free(message)
    raise Refusal(UNITS.get(told, "units"), told)


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) else bits


def units_parse(request: Json, tell: Tell) -> None:
    args = request["args"]
    word, multiplier = (int(args["word"], 16), 1.0) if "word" in args else _parsed(args["text"])
    # Before 7.2 those bits are padding.
    extra, extra_scale = (_signed(word >> 3 & 31, 5), word & 7) if hasattr(pmapi.pmUnits, "extraUnit") else (0, 0)
    _tell(tell, {
        "units": units_text(word),
        "dimension": [*(_signed(word >> at & 15, 4) for at in (28, 24, 20)), extra],
        "scale": [word >> 16 & 15, word >> 12 & 15, _signed(word >> 8 & 15, 4), extra_scale],
        "multiplier": double_text(struct.pack("=d", multiplier)),
    })


def _units(units: str | Json) -> int:
    if isinstance(units, dict):
        return int(units["word"], 16)
    word, multiplier = _parsed(units)
    if multiplier != 1:
        raise ValueError("units with a multiplier, which are not units of a metric")
    return word


def units_convert(request: Json, tell: Tell) -> None:
    args = request["args"]
    kind = _code(args["type"])
    value = ctypes.create_string_buffer(raw_of(kind, args["value"]) if kind in NUMBERS else b"", 8)
    result = ctypes.create_string_buffer(8)
    units, to = ctypes.c_uint(_units(args["from"])), ctypes.c_uint(_units(args["to"]))
    status = PCP.pmConvScale(kind, value, ctypes.byref(units), result, ctypes.byref(to))
    if status < 0:
        raise Refusal(CONVERT.get(error_name(status), "units"), error_name(status))
    _tell(tell, {"type": args["type"], "value": render_of(kind)(result.raw)})


def _payload(kind: int, text: str) -> bytes:
    """Of a block, in this machine's order, as who reads an archive turns it (ARC-231, ARC-234)."""
    if text.startswith("base64:"):
        raw = base64.b64decode(text[7:], validate=True)
        if kind in EVENTS:
            return event_raw(raw, kind == EVENTS[1])
        turned = sys.byteorder == "little" and len(raw) == _TURNED.get(kind)
        return raw[::-1] if turned else raw
    return text.encode() + b"\0" if kind == STRING else raw_of(kind, text)


class Stored:
    """A pmValue; `block` is what it points to."""

    def __init__(self, kind: int, args: Json) -> None:
        in_place = args.get("format", "insitu" if kind in (0, 1) else "ptr") == "insitu"
        self.format = 0 if in_place else 1
        self.value = pmapi.pmValue()
        at = pmapi.pmValue.value.offset
        memory = (ctypes.c_char * ctypes.sizeof(pmapi.pmValue)).from_buffer(self.value)
        if in_place:
            struct.pack_into("=4s", memory, at, raw_of(kind if kind in (0, 4) else 1, args["value"]))
            return
        self.payload = _payload(kind, args["value"])
        self.block = ctypes.create_string_buffer(made_block(args.get("block_type", kind & 255), self.payload))
        struct.pack_into("=Q", memory, at, ctypes.addressof(self.block))


def value_extract(request: Json, tell: Tell) -> None:
    args = request["args"]
    source, to = _code(args["from"]), _code(args["to"])
    stored, atom = Stored(source, args), ctypes.create_string_buffer(8)
    status = PCP.pmExtractValue(stored.format, ctypes.byref(stored.value), source, atom, to)
    if status < 0:
        raise Refusal(EXTRACT.get(error_name(status), "value"), error_name(status))
    address = int.from_bytes(atom.raw, sys.byteorder)
    if to == STRING:
        # Of a block as many bytes as it has, of a number those up to the NUL.
        raw = ctypes.string_at(address, len(stored.payload)) if source == STRING else ctypes.string_at(address)
        text = _text(raw)
    elif to in AGGREGATES:
        head = int.from_bytes(ctypes.string_at(address, 4), sys.byteorder)
        length = head & 0xFFFFFF if sys.byteorder == "little" else head >> 8
        text = "base64:" + base64.b64encode(ctypes.string_at(address + 4, length - 4)).decode()
    else:
        text = render_of(to)(atom.raw)
    _tell(tell, {"type": args["to"], "value": text})


def _short(args: Json) -> bytes:
    kind = _code(args["type"])
    atom = ctypes.create_string_buffer(8)
    if "value" in args and kind in NUMBERS:
        atom = ctypes.create_string_buffer(raw_of(kind, args["value"]), 8)
    elif "value" in args:
        payload = _payload(kind, args["value"])
        held = ctypes.create_string_buffer(payload if kind == STRING else made_block(kind, payload))
        struct.pack_into("=Q", atom, 0, ctypes.addressof(held))
    buffer = ctypes.create_string_buffer(80)
    PCP.pmAtomStr_r(atom, kind, buffer, len(buffer))
    return buffer.value


def _printed(args: Json) -> bytes:
    if args.get("squash_newlines"):
        os.environ["PCP_SQUASH_NEWLINES"] = ""
    kind = _code(args["type"])
    stored = Stored(kind, args)
    address, size = ctypes.c_void_p(), ctypes.c_size_t()
    stream = LIBC.open_memstream(ctypes.byref(address), ctypes.byref(size))
    PCP.pmPrintValue(stream, stored.format, kind, ctypes.byref(stored.value), args.get("width", 0))
    LIBC.fclose(stream)
    return ctypes.string_at(address.value or 0, size.value)


def _stamp(args: Json) -> bytes:
    """pmCtime; pmPrintStamp and pmPrintHighResStamp, or what they are called since 7.0."""
    nanoseconds = int(Fraction(args["value"]) * 10**9)
    second, part = divmod(nanoseconds, 10**9)
    zone = PCP.pmNewZone(_zone_text(args.get("east", 0)).encode())
    if zone < 0 or PCP.pmUseZone(zone) < 0:
        raise ValueError("a zone that libpcp does not take")
    if args["style"] == "date":
        if args["digits"] != 0:
            raise Skip("pmCtime has no fraction of the second")
        buffer = ctypes.create_string_buffer(64)
        PCP.pmCtime(ctypes.byref(ctypes.c_int64(second)), buffer)
        return buffer.value.removesuffix(b"\n")
    names, fraction = {3: (("pmPrintStamp", "pmtimevalPrint"), part // 1000), 9: (("pmPrintHighResStamp", "pmtimespecPrint"), part)}.get(args["digits"], ((), 0))
    found = next((getattr(PCP, name) for name in names if hasattr(PCP, name)), None)
    if found is None:
        raise Skip("libpcp prints stamps of 3 and 9 digits")
    address, size = ctypes.c_void_p(), ctypes.c_size_t()
    stream = LIBC.open_memstream(ctypes.byref(address), ctypes.byref(size))
    found(ctypes.c_void_p(stream), struct.pack("=qq", second, fraction))
    LIBC.fclose(stream)
    return ctypes.string_at(address.value or 0, size.value)


def _zone_text(east: int) -> str:
    """As POSIX writes it: with the sign of the west."""
    hour, second = divmod(abs(east), 3600)
    return f"XXX{'-' if east >= 0 else '+'}{hour:02d}:{second // 60:02d}:{second % 60:02d}"


def _compact(args: Json) -> bytes:
    buffer = ctypes.create_string_buffer(64)
    PCP.pmNumberStr_r(ctypes.c_double(float(args["value"])), buffer, len(buffer))
    return buffer.value


_CODES: dict[str, Callable[[int], str]] = {
    "flags": flags_text,
    "type": lambda code: type_text(_signed(code, 32)),
    "semantics": lambda code: semantics_text(_signed(code, 32)),
    "pmid": pmid_text,
    "indom": indom_text,
    "error": error_name,
}
_STYLES: dict[str, Callable[[Json], bytes]] = {"atom": _short, "print": _printed, "number": _compact, "clock": _stamp, "date": _stamp}


def value_format(request: Json, tell: Tell) -> None:
    args = request["args"]
    style = args["style"]
    raw = _STYLES[style](args) if style in _STYLES else _CODES[style](int(args["value"])).encode()
    _tell(tell, {"text": _text(raw)})
