# SPDX-License-Identifier: Apache-2.0
"""How PCP's tools print what is in an archive (MET-111..135, MET-211..215, MET-502..504)."""

import sys
import time

from qa.beside_pcp.generate.entries import NANOSECONDS, float_of

LONG_TYPES = {
    "nosupport": "Not Supported",
    "32": "32-bit int",
    "u32": "32-bit unsigned int",
    "64": "64-bit int",
    "u64": "64-bit unsigned int",
    "float": "float",
    "double": "double",
    "string": "string",
    "aggregate": "aggregate",
    "event": "event record array",
    "highres_event": "highres event record array",
}
_SPACE = ("byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte", "Zbyte", "Ybyte")
_TIME = ("nanosec", "microsec", "millisec", "sec", "min", "hour")
_EXTRA = {
    1: ("temperature", ("", "C", "F", "K")),
    2: ("voltage", ("", "V", "mV", "uV")),
    3: ("current", ("", "A", "mA", "uA")),
    4: ("power", ("", "kW", "W", "mW", "uW")),
}
_DIGITS = {"float": 8, "double": 16}


def value_text(kind: str, data: int | bytes) -> bytes:
    """MET-502..504, of what is not an event."""
    if isinstance(data, int):
        return (_real_text(kind, data) if kind in _DIGITS else str(data)).encode()
    if kind == "string":
        return b'"' + data + b'"'
    return _aggregate_text(data)


def _real_text(kind: str, bits: int) -> str:
    sign = bits >> (31 if kind == "float" else 63)
    number = float_of(kind, bits)
    if number != number:
        return "-nan" if sign else "nan"
    return f"{number:.{_DIGITS[kind]}g}"


def _aggregate_text(data: bytes) -> bytes:
    parts = []
    kind = {4: "float", 8: "double"}.get(len(data))
    if kind is not None:
        bits = int.from_bytes(data, sys.byteorder)
        if kind == "double":
            parts.append(str(bits))
        if float_of(kind, bits) == float_of(kind, bits):
            parts.append(_real_text(kind, bits))
    if all(0x20 <= byte < 0x7F for byte in data):
        parts.append(f'"{data.decode("ascii")}"')
    parts.append(f"[{data.hex()}]")
    return " ".join(parts).encode()


def units_text(word: int, extra: bool) -> str:
    """MET-211..215; `extra`: as from 7.2 on, with the extra unit and "count" for a scale without a dimension."""

    def signed(shift: int) -> int:
        nibble = word >> shift & 0xF
        return nibble - 16 if nibble > 7 else nibble

    scale_count = signed(8)
    count = "count" + {0: "", 1: " x 10"}.get(scale_count, f" x 10^{scale_count}")
    parts = [
        (signed(28), dict(enumerate(_SPACE)).get(word >> 16 & 0xF, f"space-{word >> 16 & 0xF}")),
        (signed(24), dict(enumerate(_TIME)).get(word >> 12 & 0xF, f"time-{word >> 12 & 0xF}")),
        (signed(20), count),
    ]
    if extra:
        unit = (word & 0xF8) >> 3
        unit = unit - 32 if unit > 15 else unit
        parts.insert(0, ((unit > 0) - (unit < 0), _extra_text(abs(unit), word & 7)))
    if not any(power for power, _ in parts):
        return (count if extra else count.removeprefix("count ")) if scale_count else ""

    def joined(sign: int) -> str:
        powers = ((abs(power), name) for power, name in parts if power * sign > 0)
        return " ".join(name if power == 1 else f"{name}^{power}" for power, name in powers)

    below = joined(-1)
    return " ".join(part for part in (joined(1), f"/ {below}" if below else "") if part)[:59]


def _extra_text(unit: int, scale: int) -> str:
    if unit not in _EXTRA:
        return f"extra-{unit}"
    name, scales = _EXTRA[unit]
    known = scales[scale] if 0 < scale < len(scales) else f"scale-{scale}"
    return f"{name} ({known})"[:19]


def clock_text(when: int, digits: int) -> str:
    """HH:MM:SS and a fraction of so many digits, cut (OUT-103)."""
    seconds, fraction = divmod(when, NANOSECONDS)
    return time.strftime("%H:%M:%S", time.gmtime(seconds)) + f".{fraction:09d}"[: digits + 1]
