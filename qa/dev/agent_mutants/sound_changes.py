# SPDX-License-Identifier: Apache-2.0
"""What an agent may say otherwise, and be as sound as before: put by the proxy upon what the agent says."""

from __future__ import annotations

import time

from qa.dev.agent_mutants.operators import number_of
from qa.dev.agent_mutants.pdus import fields_of, kind_of, padded, signed, unsigned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence  # see operators.py

# What each is, and the clause that allows it. pieces-N, slow-N (milliseconds) and pad-N take a number.
CHANGES = {
    "pieces": "each PDU comes in N writes (PDU-009)",
    "slow": "each fortieth answer comes N milliseconds late (PMD-041, PMD-103)",
    "pad": "padding is of octets N (PDU-010)",
    "static": "valfmt 2 in place of 1 (PDU-101)",
    "blocks": "value blocks in reverse order (PDU-106)",
    "values": "values of a value set in reverse order (PDU-108)",
    "instances": "instances of an INSTANCE in reverse order",
    "labels": "label sets of instances in reverse order (PMD-092)",
    "ident": "the ident of a TEXT in another byte order (PDU-066)",
    "longer": "a TEXT is longer than its padded text (PDU-067)",
    "resolved": "PMNS_IDS with status 1 (PDU-070)",
    "attributes": "CREDS ask for user attributes (PDU-130)",
}
_SLOW_ONE = 40


class SoundChanges:
    def __init__(self, names: Sequence[str]) -> None:
        self._names = {name.partition("-")[0]: number_of(name) for name in names}
        self._count = 0

    def __call__(self, pdu: bytes) -> Sequence[bytes]:
        self._count += 1
        names, kind = self._names, kind_of(pdu)
        if "slow" in names and self._count % _SLOW_ONE == 0:
            time.sleep(names["slow"] / 1000)
        for name, (of, make) in _MADE.items():
            if name in names and kind == of:
                pdu = make(pdu)
        if "pad" in names:
            pdu = _padding(pdu, names["pad"])
        if "pieces" in names:
            size = max(1, len(pdu) // names["pieces"])
            return [pdu[at : at + size] for at in range(0, len(pdu), size)]
        return (pdu,)


def _padding(pdu: bytes, octet: int) -> bytes:
    new = bytearray(pdu)
    for name, at, size in fields_of(pdu):
        if name.endswith("pad"):
            new[at : at + size] = bytes((octet,)) * size
    return bytes(new)


def _static(pdu: bytes) -> bytes:
    new = bytearray(pdu)
    for name, at, _ in fields_of(pdu):
        if name == "valfmt" and new[at + 3] == 1:
            new[at + 3] = 2
    return bytes(new)


def _blocks(pdu: bytes) -> bytes:
    fields = fields_of(pdu)
    begins = [at for name, at, _ in fields if name == "block.type"]
    if not begins:
        return pdu
    new = bytearray(pdu[: begins[0]])
    moved = {}
    for begin in reversed(begins):
        moved[begin] = len(new)
        new += pdu[begin : begin + padded(unsigned(pdu, begin + 1, 3))]
    for name, at, _ in fields:
        if name == "offset":
            new[at : at + 4] = (moved[4 * unsigned(pdu, at)] // 4).to_bytes(4, "big")
    return bytes(new)


def _values(pdu: bytes) -> bytes:
    new = bytearray(pdu)
    for name, at, _ in fields_of(pdu):
        if name == "valfmt":
            begin, count = at + 4, signed(pdu, at - 4)
            pairs = [pdu[begin + 8 * one : begin + 8 * one + 8] for one in range(count)]
            new[begin : begin + 8 * count] = b"".join(reversed(pairs))
    return bytes(new)


def _instances(pdu: bytes) -> bytes:
    begins = [at for name, at, _ in fields_of(pdu) if name == "inst"]
    entries = [pdu[begin:end] for begin, end in zip(begins, [*begins[1:], len(pdu)])]
    return pdu[:20] + b"".join(reversed(entries))


def _labels(pdu: bytes) -> bytes:
    begins = [at for name, at, _ in fields_of(pdu) if name == "inst"]
    if not begins:
        return pdu
    head, texts = bytearray(pdu[:28]), bytearray()
    first = 28 + sum(16 + 8 * max(0, signed(pdu, begin + 4)) for begin in begins)
    for begin in reversed(begins):
        at, size = unsigned(pdu, begin + 8), unsigned(pdu, begin + 12)
        place = (first + len(texts)).to_bytes(4, "big")
        index = pdu[begin + 16 : begin + 16 + 8 * max(0, signed(pdu, begin + 4))]
        head += pdu[begin : begin + 8] + place + pdu[begin + 12 : begin + 16] + index
        texts += pdu[at : at + size]
    return bytes(head + texts)


def _ident(pdu: bytes) -> bytes:
    return pdu[:12] + pdu[15:11:-1] + pdu[16:]


def _longer(pdu: bytes) -> bytes:
    return (len(pdu) + 4).to_bytes(4, "big") + pdu[4:] + bytes(4)


def _resolved(pdu: bytes) -> bytes:
    return pdu[:12] + (1).to_bytes(4, "big") + pdu[16:]


def _attributes(pdu: bytes) -> bytes:
    return pdu[:18] + b"\0\4" + pdu[20:]


_MADE = {
    "static": ("RESULT", _static),
    "blocks": ("RESULT", _blocks),
    "values": ("RESULT", _values),
    "instances": ("INSTANCE", _instances),
    "labels": ("LABEL", _labels),
    "ident": ("TEXT", _ident),
    "longer": ("TEXT", _longer),
    "resolved": ("PMNS_IDS", _resolved),
    "attributes": ("CREDS", _attributes),
}
