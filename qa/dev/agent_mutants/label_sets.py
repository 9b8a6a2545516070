# SPDX-License-Identifier: Apache-2.0
"""Whether a LABEL is as section 4.12 of reference/spec/pmda.md says."""

import json
import re

from qa.dev.agent_mutants.pdus import signed, unsigned

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_COMPOUND, _OPTIONAL = 0x40, 0x80


def wrong_with(pdu: bytes) -> str:
    """The clause that is violated; empty where none is."""
    kind = unsigned(pdu, 16) & 0x3F
    sets = signed(pdu, 24)
    if sets < 0 or 28 + 16 * sets > len(pdu):
        return "PDU-073"
    if sets > 1 and kind != 32:
        return "PDU-078"
    at, texts, spans = 28, 0, []
    for _ in range(sets):
        if at + 16 > len(pdu):
            return "PDU-073"
        instance, labels = signed(pdu, at), signed(pdu, at + 4)
        begin, size = signed(pdu, at + 8), signed(pdu, at + 12)
        if labels < 0 or labels > 254 or at + 16 + 8 * labels > len(pdu):
            return "PDU-074"
        if kind != 32 and instance != -1:
            return "PDU-078"
        spans.append((begin, size, pdu[at + 16 : at + 16 + 8 * labels]))
        at += 16 + 8 * labels
        texts += size
    if at + texts != len(pdu):
        return "PDU-073"
    place = at
    for begin, size, index in spans:
        if begin != place or size < 0:
            return "PDU-075" if size == 0 else "PDU-074"
        if wrong := _wrong_text(pdu[begin : begin + size], index, kind):
            return wrong
        place += size
    return ""


def _wrong_text(text: bytes, index: bytes, kind: int) -> str:
    if not text:
        return "PDU-075" if index else ""
    try:
        pairs: list[tuple[str, object]] = json.loads(text.decode("utf-8"), object_pairs_hook=list)
    except ValueError:
        return "PDU-077"
    names = [name for name, _ in pairs] if isinstance(pairs, list) else [""]
    if len(names) != len(index) // 8 or names != sorted(set(names)) or not all(_NAME.fullmatch(name) for name in names):
        return "PDU-077"
    if text != json.dumps(dict(pairs), separators=(",", ":"), ensure_ascii=False).encode():
        return "PDU-077"
    for number, name in enumerate(names):
        entry = index[8 * number : 8 * number + 8]
        begin, value, size = unsigned(entry, 0, 2), unsigned(entry, 4, 2), unsigned(entry, 6, 2)
        if text[begin : begin + entry[2]] != name.encode() or text[begin - 1 : begin] != b'"':
            return "PDU-074"
        if text[value : value + size] != json.dumps(pairs[number][1], ensure_ascii=False).encode() or text[value - 1 : value] != b":":
            return "PDU-074"
        if entry[3] & ~(_COMPOUND | _OPTIONAL) != kind or (entry[3] & _COMPOUND and "." not in name):
            return "PDU-076"
    return ""
