# SPDX-License-Identifier: Apache-2.0
"""What a change violates: the yardstick, written from reference/spec/pmda.md and not from the checks.

Levels: "must", "should" (the catalogue of section 16 makes it a warning or a note, or the clause gives advice), "sound" (nothing is
violated), "open" (the value is the agent's own affair, and only its relation to others may be wrong: not counted).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qa.dev.agent_mutants.agents import EVERY
from qa.dev.agent_mutants.label_sets import wrong_with
from qa.dev.agent_mutants.mutant import WHOLE, Mutant
from qa.dev.agent_mutants.pdus import TYPES, padded, signed, unsigned

MUST, SHOULD, OPEN, SOUND = "must", "should", "open", "sound"
_GRAVITY = (MUST, SHOULD, OPEN, SOUND)


@dataclass(frozen=True)
class Change:
    """A line of the proxy: the field, at its offset, before and after, and the PDU before and after (4096 octets of them)."""

    field: str
    at: int
    old: bytes
    new: bytes
    pdu: bytes
    sent: bytes

    @classmethod
    def parsed(cls, line: str) -> "Change":
        _, field, at, *octets = line.split()
        old, new, pdu, sent = (b"" if one == "-" else bytes.fromhex(one) for one in octets)
        return cls(field, int(at), old, new, pdu, sent)

    @property
    def before(self) -> int:
        return int.from_bytes(self.old, "big", signed=len(self.old) == 4)

    @property
    def after(self) -> int:
        return int.from_bytes(self.new, "big", signed=len(self.new) == 4)


@dataclass(frozen=True)
class Violation:
    level: str
    clause: str
    why: str = ""


def judge(mutant: Mutant, changes: Sequence[Change]) -> Violation:
    """The gravest violation of all changes that were made."""
    found = [_of(mutant, change) for change in changes]
    return min(found, key=lambda one: _GRAVITY.index(one.level), default=Violation(SOUND, "none"))


def _of(mutant: Mutant, change: Change) -> Violation:
    if mutant.field == WHOLE:
        return _of_whole(mutant, change)
    if mutant.field in _HEADER:
        return _HEADER[mutant.field](mutant, change)
    return _KINDS[mutant.kind](mutant, change)


# The exchange that an answer of the kind belongs to.
_EXCHANGE = {
    "CREDS": "PDU-130",
    "ERROR": "PMD-047",
    "RESULT": "PMD-010",
    "DESC": "PMD-011",
    "INSTANCE": "PMD-012",
    "TEXT": "PMD-013",
    "LABEL": "PMD-014",
    "PMNS_IDS": "PMD-016",
    "PMNS_NAMES": "PMD-017",
}
# Where the length of the kind is said.
_LENGTH = {
    "CREDS": "PDU-052",
    "ERROR": "PDU-050",
    "RESULT": "PDU-106",
    "DESC": "PDU-038",
    "INSTANCE": "PDU-063",
    "TEXT": "PDU-067",
    "LABEL": "PDU-073",
    "PMNS_IDS": "PDU-070",
    "PMNS_NAMES": "PDU-069",
}


def _from(mutant: Mutant, change: Change) -> Violation:
    why = "CKA-003 is a note" if mutant.kind == "CREDS" else "said of it, and pmcd does not look at it"
    return Violation(SHOULD, "PDU-008", why)


_HEADER: dict[str, Callable[[Mutant, Change], Violation]] = {
    "len": lambda mutant, change: Violation(MUST, "PDU-002"),
    "type": lambda mutant, change: Violation(MUST, _EXCHANGE[mutant.kind]),
    "from": _from,
}


def _of_whole(mutant: Mutant, change: Change) -> Violation:
    kind, operator = mutant.kind, mutant.operator.partition("-")[0]
    if operator == "delay":
        late = int(mutant.operator.partition("-")[2]) > 5000 or kind == "CREDS" and mutant.operator == "delay-5500"
        return Violation(MUST, "PMD-041") if late else Violation(SOUND, "PMD-041")
    if operator in ("cut", "excess"):
        return Violation(MUST, "PDU-002")
    if operator in ("drop", "duplicate"):
        return Violation(MUST, "PMD-047" if kind != "CREDS" else "PDU-130")
    if operator == "stale":
        return _stale(mutant, change)
    if operator == "error":
        return _becomes_error(kind, change)
    if operator == "extend" and kind == "TEXT":
        return Violation(SOUND, "PDU-067", "it may be longer than its text")
    if operator == "extend" and kind == "PMNS_NAMES":
        return Violation(SHOULD, "PDU-069", "readers take what follows the names")
    return Violation(MUST, _LENGTH[kind])


def _stale(mutant: Mutant, change: Change) -> Violation:
    kind = mutant.kind
    if kind == "ERROR":
        return _code(mutant, Change("code", 12, change.pdu[12:16], change.sent[12:16], change.pdu, change.sent))
    if kind == "RESULT":
        sizes = unsigned(change.pdu, 20), unsigned(change.sent, 20)
        same = sizes[0] == sizes[1] and change.pdu[24:28] == change.sent[24:28]
        return Violation(OPEN, "PDU-109", "the values before again") if same and sizes[0] == 1 else Violation(MUST, "PDU-109")
    if kind == "TEXT":
        return Violation(OPEN, "PMD-090", "nobody knows what a text is about")
    if kind == "LABEL" and change.pdu[12:20] == change.sent[12:20]:
        return Violation(OPEN, "PMD-092", "of the profile before")
    return Violation(MUST, _EXCHANGE[kind])


def _becomes_error(kind: str, change: Change) -> Violation:
    if kind == "ERROR":
        return _code(Mutant("", "ERROR", "code", "", "each", "first"), Change("code", 12, change.pdu[12:16], change.sent[12:16], change.pdu, change.sent))
    if kind == "TEXT":
        return Violation(SHOULD, "PMD-090", "PM_ERR_TEXT is due; CKA-087 is a warning")
    if kind == "LABEL":
        return Violation(OPEN, "PMD-091", "an agent may have no labels")
    return Violation(MUST, "PMD-081" if kind == "RESULT" else _EXCHANGE[kind])


_ANY_REFUSAL = {-12387: "PMD-094", -12400: "PMD-094", -12362: "PMD-094", -12364: "PMD-094", -12389: "PMD-094"}
_EXACT = {-12358: "PMD-085", -12359: "PMD-087", -12360: "PMD-087", -12357: "PMD-096", -12394: "PMD-096", -12366: "PMD-080"}
_WARNED = {-12349: "PMD-090", -12397: "PMD-091"}


def _code(mutant: Mutant, change: Change) -> Violation:
    old, new = change.before, change.after
    if old == new:
        return Violation(SOUND, "none")
    if new > 0:
        return Violation(MUST, "PDU-050")
    if new in (-13393, -13394):
        return Violation(MUST, "PMD-048")
    if old == 0:
        return Violation(OPEN, "PMD-094", "an agent may refuse a store, and CKA-115 takes either")
    if new == 0:
        return Violation(MUST, _EXACT.get(old) or _WARNED.get(old) or "PMD-094")
    if old in _EXACT:
        return Violation(MUST, _EXACT[old])
    if old in _WARNED:
        return Violation(SHOULD, _WARNED[old], "CKA-090 and CKA-093 are warnings")
    return Violation(SOUND, _ANY_REFUSAL.get(old, "PMD-094"), "which code an agent picks is its own")


def _creds(mutant: Mutant, change: Change) -> Violation:
    if change.field == "cred.flags":
        if change.after & ~0x44:
            return Violation(SHOULD, "PDU-130", "CKA-004 is a warning")
        return Violation(SOUND, "PDU-130", "an agent may ask for attributes")
    return Violation(MUST, "PDU-052" if change.field == "numcreds" else "PDU-130")


# Types that are in situ and may be taken for each other.
_IN_SITU = (0, 1)


def _desc(mutant: Mutant, change: Change) -> Violation:
    if mutant.when != "each" or change.field == "pmid":
        return Violation(MUST, "PMD-085")
    if mutant.operator.startswith("swap"):
        return Violation(MUST, "PDU-038")
    supported = signed(change.pdu, 16) != -1
    return {"datatype": _datatype, "indom": _indom, "sem": _semantics, "units": _units}[change.field](mutant, change, supported)


def _datatype(mutant: Mutant, change: Change, supported: bool) -> Violation:
    if not -1 <= change.after <= 10:
        return Violation(MUST, "PDU-036")
    if not supported or change.after == -1:
        return Violation(MUST, "PMD-086", "a type with what is due of another")
    if unsigned(change.pdu, 12) & 0x3FFFFF in (11, 12) and mutant.agent == EVERY:
        return Violation(OPEN, "PDU-104", "a metric without values")
    if change.before in _IN_SITU and change.after in _IN_SITU:
        return Violation(SOUND, "PDU-102")
    return Violation(MUST, "PDU-104" if change.before > 1 else "PDU-102")


def _indom(mutant: Mutant, change: Change, supported: bool) -> Violation:
    if not supported:
        return Violation(MUST, "PMD-086")
    domain = unsigned(change.pdu, 12) >> 22
    if change.after != -1 and (change.after & 0xFFFFFFFF) >> 22 != domain:
        return Violation(MUST, "PMD-005")
    both = {change.before & 0x3FFFFF, change.after & 0x3FFFFF}
    if mutant.agent != EVERY and both == {0, 1} and -1 not in (change.before, change.after):
        return Violation(SOUND, "PDU-108", "both domains have the instances 0, 1, 2")
    return Violation(MUST, "PDU-108", "instances of another domain")


def _semantics(mutant: Mutant, change: Change, supported: bool) -> Violation:
    if change.after not in (1, 3, 4) or not supported:
        return Violation(MUST, "PDU-037")
    return Violation(OPEN, "PDU-037", "CKA-045 and CKA-055 warn of values that do not go with it")


def _units(mutant: Mutant, change: Change, supported: bool) -> Violation:
    if not supported:
        return Violation(SHOULD, "PMD-086", "units 0 are said of it")
    space, time = change.after >> 28 & 15, change.after >> 24 & 15
    scales = change.after >> 16 & 15, change.after >> 12 & 15
    dimensions = space, time, change.after >> 20 & 15
    given = (*scales, change.after >> 8 & 15)
    if scales[0] > 8 or scales[1] > 5 or change.after & 0xFF or any(not dimension and scale for dimension, scale in zip(dimensions, given)):
        return Violation(SHOULD, "PDU-035", "CKA-031 is a warning")
    return Violation(SOUND, "PDU-034", "units are the agent's to say")


def _result(mutant: Mutant, change: Change) -> Violation:
    field, old, new = change.field, change.before, change.after
    if field in ("numval", "valfmt") and not mutant.operator.startswith("swap"):
        return _numval(change) if field == "numval" else _valfmt(old, new)
    if field == "seconds":
        bits_only = not new & ~0x18
        return Violation(SHOULD, "PDU-111", "CKA-161 is a warning") if bits_only else Violation(MUST, "PDU-110")
    if field.startswith(("event.", "parameter.")):
        return _event(change)
    if field in ("value", "block.value", "block.pad", "block.len"):
        return _block(change, mutant)
    clauses = {
        "microseconds": "PDU-110",
        "numpmid": "PDU-109",
        "pmid": "PDU-109",
        "numval": "PDU-100",
        "valfmt": "PDU-101",
        "inst": "PDU-108",
        "offset": "PDU-106",
    }
    return Violation(MUST, clauses.get(field, "PDU-104"))


def _numval(change: Change) -> Violation:
    old, new = change.before, change.after
    if old > 0 or new > 0:
        return Violation(MUST, "PDU-100")
    unknown = old == -12358
    if unknown and new == 0:
        return Violation(MUST, "PMD-081")
    if unknown:
        return Violation(SHOULD, "PMD-081", "CKA-040 and CKA-041 take any code")
    if unsigned(change.pdu, change.at - 4) & 0x3FFFFF == 13:
        return Violation(SOUND, "PMD-084", "not supported: any numval of 0 or less")
    return Violation(MUST, "PMD-082") if new else Violation(SOUND, "none")


def _valfmt(old: int, new: int) -> Violation:
    return Violation(SOUND, "PDU-101") if {old, new} == {1, 2} else Violation(MUST, "PDU-101")


def _block(change: Change, mutant: Mutant) -> Violation:
    field = change.field
    if field == "block.pad":
        return Violation(SOUND, "PDU-010")
    if field == "value":
        return Violation(MUST, "PDU-108") if mutant.operator == "swap" else Violation(OPEN, "PMD-080", "a value is the agent's")
    begin = change.at - (1 if field == "block.len" else 4)
    kind = unsigned(change.pdu, begin, 1)
    if field == "block.len":
        same = padded(change.before & 0xFFFFFF) == padded(change.after & 0xFFFFFF)
        if kind in (7, 8) and same:
            return Violation(OPEN, "PDU-105", "octets of any number")
        return Violation(MUST, "PDU-105" if same else "PDU-106")
    if kind == 6 and (change.new[-1] != 0 or 0 in change.new[:-1]):
        return Violation(MUST, "PDU-105", "one NUL, at the end")
    return Violation(OPEN, "PMD-080", "a value is the agent's")


def _event(change: Change) -> Violation:
    field = change.field
    if field == "parameter.pad":
        return Violation(SOUND, "PDU-170")
    if field in ("event.seconds", "event.microseconds", "parameter.value"):
        return Violation(OPEN, "PDU-170", "a value is the agent's")
    if field == "parameter.len" and padded(change.before & 0xFFFFFF) == padded(change.after & 0xFFFFFF) and unsigned(change.pdu, change.at - 1, 1) in (6, 7):
        return Violation(OPEN, "PDU-170", "within the padding")
    if field == "parameter.type" and _is_as_long(change):
        return Violation(OPEN, "PDU-170", "of another type than its descriptor, which no clause forbids")
    if field == "event.flags":
        missed = (change.before ^ change.after) & 0x80000000
        if not missed and not change.after & 0x7FFFFFFF & ~31:
            return Violation(OPEN, "PDU-171", "which kind of event it is")
    if field == "event.numparams" and unsigned(change.pdu, change.at - 4) & 0x80000000:
        return Violation(OPEN, "PDU-171", "how many were missed")
    return Violation(MUST, {"parameter.pmid": "PDU-174", "event.flags": "PDU-171"}.get(field, "PDU-174"))


# Octets of the types of parameters; a STRING and an AGGREGATE have any number.
_PARAMETER_SIZES = {0: 4, 1: 4, 2: 8, 3: 8, 4: 4, 5: 8}


def _is_as_long(change: Change) -> bool:
    """A parameter of the new type may have as many octets."""
    new, size = change.new[0], unsigned(change.pdu, change.at + 1, 3) - 4
    return new in (6, 7) or _PARAMETER_SIZES.get(new) == size


def _instance(mutant: Mutant, change: Change) -> Violation:
    clauses = {"indom": "PDU-062", "numinst": "PDU-063", "inst": "PDU-062", "namelen": "PDU-063", "name": "PMD-088"}
    return Violation(SOUND, "PDU-010") if change.field == "pad" else Violation(MUST, clauses[change.field])


def _text(mutant: Mutant, change: Change) -> Violation:
    if change.field == "ident":
        return _buflen(Change("buflen", 16, change.pdu[16:20], change.sent[16:20], change.pdu, change.sent))
    if change.field == "buflen":
        return _buflen(change)
    if change.field == "pad":
        return Violation(SOUND, "PDU-010")
    return Violation(OPEN, "PMD-090", "a text is the agent's")


def _buflen(change: Change) -> Violation:
    old, new = change.before, change.after
    if old == new:
        return Violation(SOUND, "PDU-066")
    if new < 0 or 20 + padded(new) > len(change.pdu):
        return Violation(MUST, "PDU-067")
    if new == 0:
        return Violation(SHOULD, "PMD-090", "CKA-087 is a warning")
    return Violation(OPEN, "PDU-067", "the text is shorter, or has some of its padding")


def _pmns_ids(mutant: Mutant, change: Change) -> Violation:
    if change.field == "status" and not mutant.operator.startswith("swap"):
        return Violation(MUST, "PDU-070") if change.after < 0 else Violation(SOUND, "PDU-070")
    return Violation(MUST, "PMD-016" if change.field == "pmid" else "PDU-070")


def _pmns_names(mutant: Mutant, change: Change) -> Violation:
    if change.field == "pad":
        return Violation(SOUND, "PDU-010")
    if change.field == "nstrbytes" and not mutant.operator.startswith("swap") and change.before <= change.after <= len(change.pdu):
        return Violation(SHOULD, "PDU-069", "readers take a larger sum")
    clauses = {"status": "PDU-068", "name": "PMD-097"}
    return Violation(MUST, clauses.get(change.field, "PDU-069"))


def _label(mutant: Mutant, change: Change) -> Violation:
    if change.field == "padding" and not mutant.operator.startswith("swap"):
        return Violation(SHOULD, "PDU-073", "padding of which nothing is said but that it is 0")
    if change.field == "labeltype":
        return Violation(MUST, "PMD-091")
    if change.field == "ident":
        return Violation(MUST, "PMD-091")
    if wrong := wrong_with(change.sent):
        return Violation(MUST, wrong)
    if change.field == "inst" and unsigned(change.pdu, 16) & 0x3F == 32:
        return Violation(MUST, "PMD-092")
    return Violation(SOUND, "PDU-077", "labels of another name or value")


def _error(mutant: Mutant, change: Change) -> Violation:
    return _code(mutant, change)


_KINDS = {
    "CREDS": _creds,
    "ERROR": _error,
    "DESC": _desc,
    "RESULT": _result,
    "INSTANCE": _instance,
    "TEXT": _text,
    "PMNS_IDS": _pmns_ids,
    "PMNS_NAMES": _pmns_names,
    "LABEL": _label,
}
assert set(_KINDS) == set(TYPES)
