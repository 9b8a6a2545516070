# SPDX-License-Identifier: Apache-2.0
"""What becomes of a field, or of a PDU. Each returns what is sent in place of the PDU; the length is kept by those of fields.

Imports nothing but the layouts: see pdus.py.
"""

from __future__ import annotations

from qa.dev.agent_mutants.pdus import OCTETS, Field, padded, pdu_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence  # whose module takes longer to import than all of this

# flip-N: bit N; other-N: another valid value, the N-th. The rest takes no number.
FIELD_OPERATORS = ("flip", "plus", "minus", "zero", "ones", "other", "swap")
# delay-N: by N milliseconds.
PDU_OPERATORS = ("truncate", "cut", "extend", "excess", "bare", "drop", "duplicate", "delay", "stale", "error")

_CODES = (-12345, -12349, -12357, -12358, -12359, -12360, -12366, -12387, -12397, -12400, -13393, -13394, -11, 0, 1)
_NULL = 0xFFFFFFFF
# Values that are right somewhere, by kind and field. Other fields of numbers take these: 0, 1, 2, 3, -1.
VALID: dict[tuple[str, str], tuple[int, ...]] = {
    ("", "type"): (0x7000, 0x7001, 0x7005, 0x7007, 0x7009, 0x700C, 0x700D, 0x700E, 0x7013),
    ("", "len"): (12, 16, 20, 24, 28, 32, 36),
    ("CREDS", "cred.flags"): (0x0004, 0x0040, 0x0044),
    ("ERROR", "code"): _CODES,
    ("DESC", "datatype"): (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1),
    ("DESC", "sem"): (1, 3, 4),
    ("DESC", "units"): (0, 0x01003000, 0x00100000, 0x10000000, 0x1F013000),
    ("DESC", "indom"): (_NULL, 0x3F400000, 0x3F400001, 0x13400000, 0x13400001),
    ("RESULT", "seconds"): (0x08, 0x10, 0x18),
    ("RESULT", "numval"): (0, 1, 2, -12350, -12358, -12389),
    ("RESULT", "valfmt"): (0, 1, 2),
    ("RESULT", "block.type"): (2, 3, 4, 5, 6, 7, 8, 9, 10),
    ("RESULT", "parameter.type"): (0, 1, 2, 3, 4, 5, 6, 7),
    ("RESULT", "event.flags"): (1, 2, 4, 8, 16),
    ("PMNS_NAMES", "status"): (0, 1),
    ("LABEL", "labeltype"): (1, 2, 4, 8, 16, 32),
    ("LABEL", "label.flags"): (1, 2, 4, 8, 16, 32, 0x80),
}
_ELSE = (0, 1, 2, 3, -1)


def number_of(name: str, without: int = 0) -> int:
    """7 of "flip-7"."""
    after = name.partition("-")[2]
    return int(after) if after.isdigit() else without


def changed(operator: str, kind: str, pdu: bytes, fields: Sequence[Field], which: int) -> bytes:
    """`which`: the field, as index into `fields`. Equal to the PDU where the operator has no effect."""
    name, at, size = fields[which]
    if operator == "swap":
        return _swapped(pdu, fields, which)
    if name in OCTETS:
        new = _octets(operator, pdu[at : at + size])
    else:
        new = _number(operator, (kind, name), pdu[at : at + size])
    return pdu[:at] + new + pdu[at + size :]


def _number(operator: str, where: tuple[str, str], old: bytes) -> bytes:
    size, value, number = len(old), int.from_bytes(old, "big"), number_of(operator)
    most = (1 << 8 * size) - 1
    if operator.startswith("flip"):
        value ^= 1 << number % (8 * size)
    elif operator == "plus-one":
        value += 1
    elif operator == "minus-one":
        value -= 1
    elif operator == "zero":
        value = 0
    elif operator == "ones":
        value = most
    else:
        valid = VALID.get(where) or VALID.get(("", where[1])) or _ELSE
        others = [one for one in valid if one & most != value]
        value = others[number % len(others)]
    return (value & most).to_bytes(size, "big")


def _octets(operator: str, old: bytes) -> bytes:
    new = bytearray(old)
    number = number_of(operator)
    if operator.startswith("flip"):
        new[number // 8 % len(new)] ^= 1 << number % 8
    elif operator == "plus-one":
        new[-1] = (new[-1] + 1) % 256
    elif operator == "minus-one":
        new[-1] = (new[-1] - 1) % 256
    elif operator == "zero":
        new[len(new) // 2] = 0
    elif operator == "ones":
        new[:] = b"\xff" * len(new)
    else:
        at = number % len(new)
        new[at] = ord("x") if new[at] != ord("x") else ord("y")
    return bytes(new)


def _swapped(pdu: bytes, fields: Sequence[Field], which: int) -> bytes:
    """With the next field of its size, else the one before; octets with their neighbours."""
    name, at, size = fields[which]
    if name in OCTETS:
        return pdu[:at] + pdu[at + 1 : at + 2] + pdu[at : at + 1] + pdu[at + 2 :] if size > 1 else pdu
    for neighbour in (*range(which + 1, len(fields)), *range(which - 1, -1, -1)):
        other, there, its_size = fields[neighbour]
        if its_size == size and other not in OCTETS:
            new = bytearray(pdu)
            new[at : at + size], new[there : there + size] = pdu[there : there + size], pdu[at : at + size]
            return bytes(new)
    return pdu


def replaced(operator: str, pdu: bytes, before: bytes) -> bytes:
    """What is sent in place of a PDU. `before`: the last one of its kind, or nothing. A delay changes nothing of it."""
    if operator == "truncate":
        return _with_length(pdu[: max(12, padded(len(pdu)) - 4)])
    if operator == "cut":
        return pdu[: len(pdu) - 4]
    if operator == "extend":
        return _with_length(pdu + bytes(4))
    if operator == "excess":
        return pdu + bytes(4)
    if operator == "bare":
        return _with_length(pdu[:12])
    if operator == "drop":
        return b""
    if operator == "duplicate":
        return pdu + pdu
    if operator == "stale":
        return before or pdu
    if operator == "error":
        return pdu_of("ERROR", (-12345).to_bytes(4, "big", signed=True))
    return pdu


def _with_length(pdu: bytes) -> bytes:
    return len(pdu).to_bytes(4, "big") + pdu[4:]
