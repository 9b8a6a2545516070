# SPDX-License-Identifier: Apache-2.0
"""Values as docs/formats.md says, from their bytes in this machine's order.

It stands alone: with pcp_program it is run by some PCP's own Python.
"""

import base64
import json
import re
import struct
import sys
from collections.abc import Callable

TYPES = {0: "32", 1: "u32", 2: "64", 3: "u64", 4: "float", 5: "double", 6: "string", 7: "aggregate"}
TYPES |= {8: "aggregate_static", 9: "event", 10: "highres_event"}

_MISSED = 0x80000000  # an event's flag (ARC-275)
_NUMBER_SIZES = {0: 4, 1: 4, 2: 8, 3: 8, 4: 4, 5: 8}

_FLOAT, _DOUBLE = struct.Struct("=f"), struct.Struct("=d")


def _layout(digits: str, exponent: int, number: float) -> str:
    """The shorter of the two ways to write 0.DIGITS x 10^exponent; without an exponent if they are alike."""
    count = len(digits)
    if exponent >= count:
        plain = str(int(number))  # all its digits, not only those that matter
    elif exponent > 0:
        plain = f"{digits[:exponent]}.{digits[exponent:]}"
    else:
        plain = "0." + "0" * -exponent + digits
    power = exponent - 1
    mantissa = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    scientific = f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"
    return plain if len(plain) <= len(scientific) else scientific


def _shortest(number: float, shown: str) -> str:
    """`shown` has as few digits as give the number back, in any form."""
    sign = "-" if shown.startswith("-") else ""
    mantissa, _, power = shown.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = len(whole) + int(power or "0") - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return sign + (_layout(digits, exponent, abs(number)) if digits else "0")


def double_text(raw: bytes) -> str:
    (number,) = _DOUBLE.unpack(raw[:8])
    shown = repr(number)
    return shown if shown in ("inf", "-inf", "nan") else _shortest(number, shown)


def float_text(raw: bytes) -> str:
    (number,) = _FLOAT.unpack(raw[:4])
    shown = repr(number)
    if shown in ("inf", "-inf", "nan"):
        return shown
    for places in range(9):
        shown = f"{number:.{places}e}"
        try:
            if _FLOAT.pack(float(shown)) == raw[:4]:
                break
        except OverflowError:  # rounded up, beyond the largest
            continue
    return _shortest(number, shown)


def opaque_text(raw: bytes) -> str:
    return "base64:" + base64.b64encode(raw).decode("ascii")


def _signed(number: int) -> int:
    """Of 32 bits. A number of parameters below 0 is none (PDU-174)."""
    return number - (1 << 32) if number >> 31 else number


def event_text(raw: bytes, highres: bool) -> str:
    """As archives store it (ARC-261, ARC-272, ARC-273): libpcp turns all numbers in it into those of this machine."""
    order = sys.byteorder
    place = 0
    stored = b""

    def number(size: int) -> int:
        nonlocal place, stored
        found = raw[place : place + size]
        place += size
        stored += found if order == "big" else found[::-1]
        return int.from_bytes(found, order)

    for _ in range(number(4)):
        for size in (8, 8) if highres else (4, 4):
            number(size)
        flags, count = number(4), _signed(number(4))
        for _ in range(0 if flags & _MISSED else count):
            if place >= len(raw):
                break
            number(4)  # the PMID
            head = number(4)
            kind, length = (head >> 24, head & 0xFFFFFF) if order == "little" else (head & 0xFF, head >> 8)
            begin = place
            if kind in _NUMBER_SIZES:
                number(_NUMBER_SIZES[kind])
            end = max(place, begin + (length - 4 + 3) // 4 * 4)
            stored += raw[place:end]
            place = end
        if place >= len(raw):
            break
    return opaque_text(stored + raw[place:])


def event_raw(stored: bytes, highres: bool) -> bytes:
    """The other way round."""
    if sys.byteorder == "big":
        return stored
    place = 0
    raw = b""

    def number(size: int) -> int:
        nonlocal place, raw
        found = stored[place : place + size]
        place += size
        raw += found[::-1]
        return int.from_bytes(found, "big")

    # Numbers of events and parameters may lie: what is there ends it.
    for _ in range(number(4)):
        if place >= len(stored):
            break
        for size in (8, 8) if highres else (4, 4):
            number(size)
        flags, count = number(4), _signed(number(4))
        for _ in range(0 if flags & _MISSED else count):
            if place >= len(stored):
                break
            number(4)  # the PMID
            # The type is in the upper byte of this machine's word too, whose bytes are turned round as a whole.
            head = number(4)
            begin = place
            if head >> 24 in _NUMBER_SIZES:
                number(_NUMBER_SIZES[head >> 24])
            end = max(place, begin + ((head & 0xFFFFFF) - 4 + 3) // 4 * 4)
            raw += stored[place:end]
            place = end
    return raw + stored[place:]


# What the protocol's JSON has in place of a byte that is not UTF-8, and for the backslash of a text that looks like one.
_LIKE_A_BYTE = re.compile(r"\\(?=x[0-9a-f]{2})")
_OTHER_BYTE = re.compile("[\udc80-\udcff]")


def json_text(raw: bytes) -> str:
    """The characters that stand for any bytes in a string of the protocol: the inverse replaces each \\xNN by its byte."""
    text = _LIKE_A_BYTE.sub(r"\\x5c", raw.decode("utf-8", "surrogateescape"))
    return _OTHER_BYTE.sub(lambda found: f"\\x{ord(found.group()) & 0xFF:02x}", text)


def string_text(raw: bytes) -> str:
    """As it stands between the quotes of JSON."""
    if raw.endswith(b"\0"):
        raw = raw[:-1]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = "base64:"
    if text.startswith("base64:"):
        return opaque_text(raw)
    return json.dumps(json_text(raw), ensure_ascii=False)[1:-1]


def _integer(size: int, signed: bool) -> Callable[[bytes], str]:
    return lambda raw: str(int.from_bytes(raw[:size], sys.byteorder, signed=signed))


_RENDER: dict[int, Callable[[bytes], str]] = {
    0: _integer(4, True),
    1: _integer(4, False),
    2: _integer(8, True),
    3: _integer(8, False),
    4: float_text,
    5: double_text,
    6: string_text,
    9: lambda raw: event_text(raw, highres=False),
    10: lambda raw: event_text(raw, highres=True),
}


def render_of(kind: int) -> Callable[[bytes], str]:
    """Of the number of a type."""
    return _RENDER.get(kind, opaque_text)


_PACK = {0: "=i", 1: "=I", 2: "=q", 3: "=Q", 4: "=f", 5: "=d"}


def raw_of(kind: int, text: str) -> bytes:
    """A number of that type. Raises ValueError, struct.error or OverflowError for what is none."""
    return struct.pack(_PACK[kind], float(text) if kind in (4, 5) else int(text))
