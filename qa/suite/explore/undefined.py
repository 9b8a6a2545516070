# SPDX-License-Identifier: Apache-2.0
"""What is not asked, since the specification leaves the answer open: rather too much than too little."""

import base64
import binascii
import re
import struct
from fractions import Fraction

from qa.suite.explore.scene import Json

_EXTRA_ALONE = re.compile(r"\s*[a-z]+ \([A-Za-z]+\)(\^-?[0-9]+)?\s*")
# Of the scales of space, time and count, and of the pivot of each: Mbyte, sec, 1.
_SIZES = (
    ([Fraction(1024**scale) for scale in range(7)], 1024**2),
    ([Fraction(10 ** min(3 * scale, 9) * 60 ** max(scale - 3, 0)) for scale in range(6)], 10**9),
    ([Fraction(10) ** (scale - 16 * (scale > 7)) for scale in range(16)], 1),
)
_FAR_TIME = re.compile(r"time-([6-9]|1[0-5])", re.IGNORECASE)
_EVENT_TYPES = ("event", "highres_event")
_MISSED = 0x80000000
_METRIC_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_CONTROL = "#control"
_DEBUG = re.compile(r"d[a-z_]*", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?[0-9]+")


def clause_of(operation: str, args: Json) -> str:
    """The clause that leaves the answer open, or ""."""
    text = args.get("text", "")
    match operation:
        case "units.parse":
            mixed = any("(" in part and not _EXTRA_ALONE.fullmatch(part) for part in text.split("/"))
            return "MET-229" if mixed or ("/" in text and _FAR_TIME.search(text)) else ""
        case "units.convert":
            return "MET-244" if _wraps(args) else ""
        case "value.format":
            return "MET-505" if _leaves_block(args) else ""
        case "derive.parse":
            return _of_configuration(str(args.get("config", "")))
    return ""


def _wraps(args: Json) -> bool:
    """Whether a factor of the conversion may have no place in 64 bits."""
    words = [str(args.get(side, {}).get("word", "")) for side in ("from", "to")]
    if any(len(word) != 8 or set(word[:3]) - set("01f") for word in words):
        return True
    multiplier = divisor = 1
    for place, (sizes, pivot) in enumerate(_SIZES):
        scales = [int(word[3 + place], 16) for word in words]
        if max(scales) >= len(sizes):
            return True
        larger, smaller = _distances(*(sizes[scale] / pivot for scale in scales))
        if words[0][place] == "f":
            larger, smaller = smaller, larger
        if words[0][place] != "0":
            multiplier, divisor = multiplier * larger, divisor * smaller
    return max(multiplier, divisor) >= 2**63


def _distances(before: Fraction, after: Fraction) -> tuple[int, int]:
    """What a dimension multiplies and divides by, each side by itself relative to its pivot (MET-243)."""
    return before.numerator * after.denominator, before.denominator * after.numerator


def _leaves_block(args: Json) -> bool:
    """Whether the records of an event array are not all there, or not even their number, which is all that an atom shows."""
    octets = _octets_of(str(args.get("value", ""))) if args.get("type") in _EVENT_TYPES else None
    if octets is None or (args.get("style") == "atom" and len(octets) >= 4):
        return False
    head = ">iiIi" if args["type"] == "event" else ">qqIi"
    at = 4
    try:
        for _ in range(struct.unpack_from(">i", octets)[0]):
            flags, parameters = struct.unpack_from(head, octets, at)[2:]
            at += struct.calcsize(head)
            for _ in range(0 if flags & _MISSED else parameters):
                at += max(4, struct.unpack_from(">I", octets, at + 4)[0] & 0xFFFFFF) + 4 + 3 & ~3
            if at > len(octets):
                return True
    except struct.error:
        return True
    return False


def _octets_of(value: str) -> bytes | None:
    try:
        return base64.b64decode(value.removeprefix("base64:"), validate=True) if value.startswith("base64:") else None
    except binascii.Error:
        return None


def _of_configuration(text: str) -> str:
    """Lines may be joined or not: both are looked at."""
    for joined in ("", "\n"):
        lines = text.replace("\\\n", joined).split("\n")
        if any(map(_switches_debugging_on, lines)):
            return "DER-407"
        if _takes_text_of_before(lines):
            return "DER-408"
        if _has_circle(lines):
            return "DER-213"
    return ""


def _takes_text_of_before(lines: list[str]) -> bool:
    longest = 0
    for line in lines:
        if line.lower() == _CONTROL and longest > len(_CONTROL) + 1:
            return True
        longest = max(longest, len(line))
    return False


def _switches_debugging_on(line: str) -> bool:
    if not line.lower().startswith(_CONTROL):
        return False
    settings = [part.partition("=") for part in line[len(_CONTROL) + 1 :].split(",")]
    return any(_DEBUG.fullmatch(name.strip()) and _is_one(number.strip()) for name, _, number in settings)


def _is_one(number: str) -> bool:
    """As an int of 32 bits."""
    return bool(_NUMBER.fullmatch(number)) and int(number) % (1 << 32) == 1


def _has_circle(lines: list[str]) -> bool:
    refers: dict[str, set[str]] = {}
    for line in lines:
        left, _, right = line.partition("=")
        for name in _METRIC_NAME.findall(left):
            refers.setdefault(name, set()).update(_METRIC_NAME.findall(right))
    return any(name in _reached(refers, name) for name in refers)


def _reached(refers: dict[str, set[str]], name: str) -> set[str]:
    found: set[str] = set()
    ahead = [name]
    while ahead:
        new = refers.get(ahead.pop(), set()) - found
        found |= new
        ahead += new
    return found
