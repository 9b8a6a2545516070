# SPDX-License-Identifier: Apache-2.0
"""One archive: its questions, put to each PCP version, to the reference and to the emulation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.adapters.testee import Outcome, Testee
from qa.beside_pcp.differential.compare import READING_FAULT, Circumstances, Comparison, compare_plain, compare_seeks, compare_set
from qa.beside_pcp.differential.contents import Contents, nanoseconds
from qa.beside_pcp.differential.requests import Question

Json = dict[str, Any]

OPERATION = "replay.interp"
LEGACY, CLOSEST = "pcp-legacy", "pcp-6.3.2"
# What the border between members of a set may bring on; it is not emulated (INT-1408).
_AT_BORDERS = "DEV-14/DEV-15/DEV-16"
# What else plain steps bring on, which nobody names in a set.
_LASTING = "DEV-02/DEV-03/DEV-04"
_LEAST_GAP = 2_000_000
# Two samples, and an epilogue that has none of their metrics.
_LEAST_RECORDS = 3
# Metrics with values in each sample, so that the search for their bounds does not go beyond the next one.
ALWAYS_THERE = "plain."


def rule_of(version: str) -> str:
    """The reference profile of a PCP version (INT-1201)."""
    numbers = tuple(int(part) for part in version.split("."))
    return LEGACY if numbers < (6, 3, 2) else CLOSEST


@dataclass(frozen=True)
class Fault:
    """What nobody has explained, with all that it takes to ask again."""

    version: str
    question: Json
    texts: tuple[str, ...]


@dataclass
class Examination:
    comparisons: dict[str, Comparison] = field(default_factory=dict)  # by version
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: "Examination") -> None:
        for version, found in other.comparisons.items():
            self.comparisons.setdefault(version, Comparison()).add(found)
        self.faults += other.faults

    def set_aside(self, why: str) -> None:
        """What is unexplained is not compared, but counted, by contexts."""
        for fault in self.faults:
            self.comparisons[fault.version].aside[why] += 1
            self.comparisons[fault.version].unexplained.clear()
        self.faults.clear()


class Examiner:
    """Asks. `peers` are adapters by the versions of PCP that they are; `ours` is `pmproof testee`."""

    def __init__(self, peers: dict[str, Testee], ours: Testee) -> None:
        self._peers = peers
        self._ours = ours

    def examine(self, base: Path, contents: Contents, questions: Sequence[Question]) -> Examination:
        result = Examination({version: Comparison() for version in self._peers})
        source: Json = {"path": str(base)}
        for question in questions:
            answers = self._ask_peers(source, question.args)
            references: dict[str, Outcome] = {}
            for version, actual in answers.items():
                emulate = _Asked(self._ours, source, question.under(emulate=version))
                circumstances = Circumstances(frozenset(contents.deltas) if version.startswith("6.0.") else frozenset())
                if question.plain:
                    rule = rule_of(version)
                    if rule not in references:
                        references[rule] = self._ours.run(OPERATION, source, question.under(rule=rule))
                    found = compare_plain(actual, references[rule], emulate, circumstances)
                else:
                    found = compare_seeks(actual, emulate(), circumstances)
                _note(result, version, question, found)
        return result

    def examine_set(self, bases: Sequence[Path], contents: Contents, questions: Sequence[Question]) -> Examination:
        """Archives that are opened together; plain questions only."""
        result = Examination({version: Comparison() for version in self._peers})
        source: Json = {"paths": [str(base) for base in bases]}
        for question in questions:
            answers = self._ask_peers(source, question.args)
            safe = is_safe(question, contents)
            for version, actual in answers.items():
                reference = self._ours.run(OPERATION, source, question.under(rule=rule_of(version)))
                excuse = _Excuse(safe, contents.lasting, bool(contents.deltas) and version.startswith("6.0."))
                _note(result, version, question, compare_set(actual, reference, excuse, max(contents.times)))
        return result

    def _ask_peers(self, source: Json, args: Json) -> dict[str, Outcome]:
        """All at the same time."""
        for peer in self._peers.values():
            peer.send(OPERATION, source, args)
        return {version: peer.receive() for version, peer in self._peers.items()}


def is_safe(question: Question, contents: Contents) -> bool:
    """Whether neither of DEV-14 to DEV-16 can be: forward, a gap between members, and records of each member that no
    fetch before its end looks beyond, as one at the very time of a mark does. Nor a mark and a record of one time
    (INT-704), nor one at an end of a member (INT-1615)."""
    marks = set(contents.marks)
    if any(times[0] in marks or times[-1] in marks for times in contents.members):
        return False
    records = [[time for time in times if time not in marks] for times in contents.members]
    if question.backward or sum(map(len, records)) + len(contents.marks) < len(contents.times):
        return False
    if not all(name.startswith(ALWAYS_THERE) for name in question.args["metrics"]):
        return False
    start, step = nanoseconds(question.args["start"]), nanoseconds(question.args["interval"])
    if any(mark >= start and (mark - start) % step == 0 for mark in marks):
        return False
    for before, after in zip(records, records[1:]):
        if not before or not after or after[0] - before[-1] <= _LEAST_GAP:
            return False
        if start > before[-1]:
            if start < after[0]:
                return False
            continue
        last = start + (before[-1] - start) // step * step  # fetch before the border
        if sum(time > last for time in before) < _LEAST_RECORDS:
            return False
    return True


@dataclass(frozen=True)
class _Excuse:
    safe: bool
    lasting: set[str]
    misread: bool  # by a version that reads deltas wrongly

    def __call__(self, metric: str) -> str:
        if self.misread:
            return READING_FAULT
        if not self.safe:
            return _AT_BORDERS
        return _LASTING if metric in self.lasting else ""


@dataclass(frozen=True)
class _Asked:
    testee: Testee
    source: Json
    args: Json

    def __call__(self) -> Outcome:
        return self.testee.run(OPERATION, self.source, self.args)


def _note(result: Examination, version: str, question: Question, found: Comparison) -> None:
    result.comparisons[version].add(found)
    if found.unexplained:
        result.faults.append(Fault(version, question.args, tuple(found.unexplained)))
