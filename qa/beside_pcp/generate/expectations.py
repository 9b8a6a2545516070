# SPDX-License-Identifier: Apache-2.0
"""What real PCP is known to do otherwise than the truth says: each by the clause that says so, and in no more cases.

Whatever is not said here is a fault: of the archive, of PCP, or of the comparison.
"""

import dataclasses
import re
from dataclasses import dataclass

from qa.beside_pcp.generate.difference import Difference
from qa.beside_pcp.generate.entries import Labels, Record, time_text
from qa.beside_pcp.generate.truth import Truth
from qa.peers.peers import is_version


@dataclass(frozen=True)
class Quirks:
    """In what the versions differ."""

    extra_units: bool = True  # ARC-010: from 7.2 on
    zstd: bool = True  # ARC-033: from 6.3.2 on
    drops_equal_labels: bool = False  # ARC-403: instances whose labels did not change, in 6.0.3
    deltas_in_sets: bool = True  # 6.0.3 crashes on domains with deltas in archives that are opened together

    @classmethod
    def of(cls, version: str) -> "Quirks":
        oldest = is_version(version, "6.0.3")
        return cls(is_version(version, "7.2"), not oldest, oldest, not oldest)


# Descriptors that change: the error of opening such an archive, tested in this order (ARC-307).
_REFUSALS = (("ARC-1311", -12404), ("ARC-1312", -12405), ("ARC-1313", -12406), ("ARC-1314", -12407))

# What pmlogcheck says of archives that break a rule.
_COMPLAINTS = {
    "ARC-1825": r".*: (?:un)?signed \d+-bit wrap|\tvalue -?\d+ at [\d:.]+",
    "ARC-1908": r".*\.index(?:\[entry \d+\])?: (?:timestamp .* went backwards in time .*"
    r"|offset to (?:metadata|log|data volume \d+) \(\d+\) decreased .*|last valid record ends at offset \d+ .*)",
    "ARC-1720": r".*: timestamp went backwards, prior timestamp: [\d:.]+",
}
_SKIPPED = r"|Checking abandoned\.|pmlogcheck: cannot open archive .*"


def violates(truth: Truth, rule: str) -> bool:
    return rule in truth.head["violates"]


def refusal(truth: Truth) -> int | None:
    """The error that opening gives, if no PCP version opens the archive."""
    return next((code for rule, code in _REFUSALS if violates(truth, rule)), None)


def complaint_clause(truth: Truth, said: str) -> str:
    """The rules by which pmlogcheck says all of that; nothing if a line of it has no reason."""
    rules = [rule for rule in _COMPLAINTS if violates(truth, rule)]
    patterns = [_COMPLAINTS[rule] for rule in rules]
    if refusal(truth) is not None:
        rules, patterns = ["ARC-307"], [_SKIPPED]
    if not rules or not all(re.fullmatch("|".join(patterns), line) for line in said.splitlines()):
        return ""
    return ", ".join(rules)


def visible(truth: Truth) -> tuple[list[Record], list[Difference]]:
    """The records that readers deliver, and the others.

    Whatever lies before the first index entry is not seen (ARC-459); a mark at the start has none (ARC-512). A record
    that is earlier than the one before is skipped (ARC-500), so what is at the very end of the archive before is lost
    where several are opened together (INT-1005).
    """
    seen: list[Record] = []
    lost: list[Difference] = []
    for number, record in enumerate(truth.records):
        clause = ""
        if not seen and not record.sets and violates(truth, "ARC-1921"):
            clause = "ARC-459"
        elif seen and record.time < seen[-1].time and violates(truth, "ARC-1720"):
            clause = "ARC-500"
        elif seen and record.time < seen[-1].time and truth.archives > 1:
            clause = "INT-1005"
        if clause:
            where = f"{number} at {time_text(record.time)}"
            lost.append(Difference("record", where, "read", "not read", clause))
        else:
            seen.append(record)
    return seen, lost


def without_equal_labels(changes: list[Labels]) -> list[Labels]:
    """What 6.0.3 keeps of the labels of one level: a set that equals the one before is lost (ARC-403)."""
    kept: list[Labels] = []
    for labels in changes:
        sets = tuple(each for each in labels.sets if not kept or each not in kept[-1].sets)
        if sets:
            kept.append(dataclasses.replace(labels, sets=sets))
    return kept
