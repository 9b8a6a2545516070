# SPDX-License-Identifier: Apache-2.0
"""Requests without an archive: units, values, PDUs."""

import base64
import random
import struct
from collections.abc import Callable

from qa.beside_pcp.metadata import questions
from qa.suite.explore import pdus, undefined
from qa.suite.explore.scene import CLAUSES, Ask, Json, Reference, Scene, Variants

_TYPES = {0: "32", 1: "u32", 2: "64", 3: "u64", 4: "float", 5: "double", 6: "string", 7: "aggregate", 8: "aggregate_static", 9: "event"}
_TYPES |= {10: "highres_event", -1: "nosupport", 255: "unknown"}
_ASKS = 40  # of a scene
_DAMAGED = 2  # copies of one PDU


def _type(code: int) -> str:
    return _TYPES.get(code, f"type-{code}")


def _shortest(number: float, code: int) -> str:
    """As the protocol writes it: that reads back to the same bits."""
    if number != number:
        return "nan"
    if number in (float("inf"), -float("inf")):
        return "inf" if number > 0 else "-inf"
    if code == 4:
        for digits in range(1, 10):
            text = f"{number:.{digits}g}"
            if struct.pack("=f", float(text)) == struct.pack("=f", number):
                return text
    return repr(number)


def _number_text(code: int, bits: int) -> str:
    if code == 4:
        return _shortest(struct.unpack("=f", struct.pack("=I", bits & 0xFFFFFFFF))[0], 4)
    if code == 5:
        return _shortest(struct.unpack("=d", struct.pack("=Q", bits))[0], 5)
    size = 32 if code in (0, 1) else 64
    bits &= (1 << size) - 1
    return str(bits - (1 << size) if code in (0, 2) and bits >> (size - 1) else bits)


def _base64(octets: bytes) -> str:
    return "base64:" + base64.b64encode(octets).decode()


def _parse(fields: list[str]) -> tuple[str, Json]:
    return "units.parse", {"text": bytes.fromhex(fields[0]).decode()}


def _text(fields: list[str]) -> tuple[str, Json]:
    return "units.parse", {"word": f"{int(fields[0], 16):08x}"}


def _convert(fields: list[str]) -> tuple[str, Json]:
    code, bits = int(fields[0]), int(fields[1], 16)
    value = _number_text(code, bits) if code in range(6) else "x"
    units = [{"word": f"{int(word, 16):08x}"} for word in fields[2:4]]
    return "units.convert", {"type": _type(code), "value": value, "from": units[0], "to": units[1]}


def _stored(code: int, form: int, word: int, block: int, payload: str) -> Json:
    """A value as it lies in a result: in place, or a block."""
    if form == 0:
        signed = word - (1 << 32) if word >> 31 else word
        value = str(signed) if code == 0 else str(word)
        if code == 4:
            value = _number_text(4, word)
        return {"value": value, "format": "insitu"}
    told: Json = {"value": _base64(bytes.fromhex(payload)), "format": "ptr"}
    if block != code & 255:
        told["block_type"] = block
    return told


def _extract(fields: list[str]) -> tuple[str, Json]:
    form, source, to, word, block = int(fields[0]), int(fields[1]), int(fields[2]), int(fields[3], 16), int(fields[4])
    stored = _stored(source, form, word & 0xFFFFFFFF, block, fields[5])
    return "value.extract", {"from": _type(source), "to": _type(to), **stored}


def _print(fields: list[str]) -> tuple[str, Json]:
    form, code, width, word, block = int(fields[0]), int(fields[1]), int(fields[2]), int(fields[3], 16), int(fields[4])
    stored = _stored(code, form, word & 0xFFFFFFFF, block, fields[5])
    return "value.format", {"style": "print", "type": _type(code), "width": width, **stored}


def _atom(fields: list[str]) -> tuple[str, Json]:
    code, bits = int(fields[0]), int(fields[1], 16)
    args: Json = {"style": "atom", "type": _type(code)}
    if code in range(6):
        args["value"] = _number_text(code, bits)
    elif code == 6:
        args["value"] = bytes.fromhex(fields[2]).split(b"\0")[0].decode("ascii", "replace").replace("\ufffd", "?")
    return "value.format", args


def _compact(fields: list[str]) -> tuple[str, Json]:
    return "value.format", {"style": "number", "value": _number_text(5, int(fields[0], 16))}


def _flags(fields: list[str]) -> tuple[str, Json]:
    return "value.format", {"style": "flags", "value": str(int(fields[0], 16))}


_READ: dict[str, Callable[[list[str]], tuple[str, Json]]] = {
    "parse": _parse,
    "text": _text,
    "convert": _convert,
    "extract": _extract,
    "print": _print,
    "atom": _atom,
    "compact": _compact,
    "flags": _flags,
}

_STYLES = {
    "atom": "MET-501",
    "print": "MET-502",
    "number": "MET-506",
    "flags": "MET-507",
    "type": "MET-111",
    "semantics": "MET-131",
    "pmid": "MET-132",
    "indom": "MET-133",
    "error": "MET-1102",
    "date": "MET-1001",
    "clock": "MET-1001",
}
_NAMED = ("type", "semantics", "pmid", "indom")
_PCP_CODES = range(-12345 - 110, -12345 + 1)


_FIRST, _LAST = -62167219200, 253402300799  # of the years 0 to 9999


def _stamp(chance: random.Random) -> tuple[str, Json]:
    """A time of any day, at its edges more often than not; a fraction that a cut tells from a rounding."""
    day = chance.choice((chance.randrange(_FIRST // 86400, _LAST // 86400), chance.randrange(0, 50000), chance.randrange(-800, 800)))
    second = day * 86400 + chance.choice((0, 86399, chance.randrange(86400)))
    fraction = chance.choice((0, 999_999_999, chance.randrange(10**9)))
    number = second * 10**9 + fraction
    value = f"{'-' if number < 0 else ''}{abs(number) // 10**9}.{abs(number) % 10**9:09d}"
    # What libpcp prints of itself: dates to the second, clocks with 3 and 9 digits.
    style, digits = chance.choice((("date", 0), ("date", 0), ("clock", 3), ("clock", 9)))
    return "value.format", {"style": style, "value": value, "digits": digits, "east": chance.choice((0, 3600, -86399, 86399, chance.randrange(-50400, 50400)))}


def _named(chance: random.Random) -> tuple[str, Json]:
    """Texts of what numbers stand for."""
    if chance.random() < 0.2:
        return "value.format", {"style": "error", "value": str(chance.choice((chance.choice(_PCP_CODES), chance.randrange(-210, 10))))}
    if chance.random() < 0.25:
        return _stamp(chance)
    value = chance.choice((chance.randrange(16), chance.getrandbits(32), 2**32 - 1))
    return "value.format", {"style": chance.choice(_NAMED), "value": str(value)}


# What blocks hold that is no number: aggregates, and events of both resolutions.
_AGGREGATES = ("aggregate", "aggregate", "aggregate_static")
_AGGREGATE_SIZES = (0, 1, 3, 4, 5, 8, 11, 12, 13, 16, 40)  # around the 12 octets that are shown (MET-501)
_MISSED = 0x80000000


def _event_array(chance: random.Random, highres: bool) -> bytes:
    """Of records by chance, some of which stand for missed ones."""
    records = [_event(chance, highres) for _ in range(chance.choice((0, 1, 1, 2, 3, 5)))]
    whole = struct.pack(">i", len(records)) + b"".join(records)
    return whole[: chance.randrange(4, len(whole) + 1)] if chance.random() < 0.1 else whole


def _event(chance: random.Random, highres: bool) -> bytes:
    second = chance.choice((0, 86399, 1_700_000_000, chance.randrange(2**31)))
    fraction = chance.choice((0, 999, 500_000, 999_999)) * (1000 if highres else 1)
    time = struct.pack(">qq" if highres else ">ii", second, fraction)
    if chance.random() < 0.2:
        return time + struct.pack(">Ii", _MISSED, chance.choice((0, 1, 2, 7)))
    parameters = [struct.pack(">IIi", 0x0740000A, 8, chance.randrange(100)) for _ in range(chance.choice((0, 1, 2)))]
    return time + struct.pack(">Ii", chance.choice((1, 2, 4, 8, 16)), len(parameters)) + b"".join(parameters)


def _block(chance: random.Random) -> tuple[str, Json]:
    style = chance.choice(("atom", "print"))
    if style == "atom" and chance.random() < 0.4:
        octets = chance.randbytes(chance.choice(_AGGREGATE_SIZES))
        return "value.format", {"style": style, "type": chance.choice(_AGGREGATES), "value": _base64(octets)}
    kind = chance.choice(("event", "highres_event"))
    return "value.format", {"style": style, "type": kind, "value": _base64(_event_array(chance, kind != "event"))}


def values(seed: str, number: int, wants: Variants) -> Scene:
    """Units and values."""
    chance = random.Random(f"{seed}/{number}")
    scene = Scene(number, ["units and values"])
    draw = chance.randrange(2**32)
    lines = [*questions.about_units(draw, _ASKS // 2), *questions.about_values(draw, _ASKS // 2)]
    asked: set[str] = set()
    for line in lines:
        kind, *fields = line.split("\t")
        operation, args = _READ[kind](fields) if chance.random() < 0.9 else chance.choice((_named, _block))(chance)
        if operation not in wants.operations or not wants.dialects:
            continue
        if clause := undefined.clause_of(operation, args):
            scene.undefined[clause] += 1
            continue
        clauses = (_STYLES[str(args["style"])],) if operation == "value.format" else CLAUSES[operation]
        ask = Ask(operation, {}, args | {"dialect": chance.choice(wants.dialects)}, clauses)
        if str(ask) not in asked:
            scene.asks.append(ask)
        asked.add(str(ask))
    return scene


def protocol_units(seed: str, number: int, wants: Variants, reference: Reference) -> Scene:
    """PDUs: encoded, decoded, damaged and decoded."""
    chance = random.Random(f"{seed}/{number}")
    scene = Scene(number, ["PDUs"])
    for _ in range(_ASKS // (2 + _DAMAGED)):
        told = [pdus.any_pdu(chance) for _ in range(chance.choice((1, 1, 1, 2)))]
        args: Json = {"typed_result": pdus.typed_result(chance)} if chance.random() < 0.3 else {"pdus": told}
        encode = Ask("pdu.encode", {}, args, CLAUSES["pdu.encode"])
        if encode.operation in wants.operations:
            scene.asks.append(encode)
        if "pdu.decode" not in wants.operations or not wants.dialects:
            continue
        octets = reference(encode.operation, {}, encode.args).body.get("bytes")
        if not octets:
            continue
        whole = bytes.fromhex(octets)
        for one in (whole, *(pdus.damaged(chance, whole) for _ in range(_DAMAGED))):
            args = {"bytes": one.hex(), "dialect": chance.choice(wants.dialects)}
            scene.asks.append(Ask("pdu.decode", {}, args, CLAUSES["pdu.decode"]))
    return scene
