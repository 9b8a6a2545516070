"""Golden cases put to an implementation."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qa.adapters.testee import Outcome, Testee
from qa.golden import compare
from qa.golden.cases import Case, Deviation, Request


@dataclass(frozen=True)
class Verdict:
    """What came of one request under one rule or in one dialect."""

    case: Case
    number: int  # of the request in its case, from 1
    under: str  # such as "rule pcp-legacy"
    outcome: Outcome
    passed: bool
    deviation: Deviation | None = None  # that explains why the answer is another

    @property
    def request(self) -> Request:
        return self.case.requests[self.number - 1]

    def __str__(self) -> str:
        """The request, and expected and actual answer side by side."""
        request = self.request
        head = f"{self.case.id} [{', '.join(self.case.clauses)}], request {self.number}, {self.under}"
        lines = [head, f"  {self.case.title}{': ' + request.title if request.title else ''}"]
        lines.append(f"  {request.operation} {json.dumps(request.source)} {json.dumps(request.args)}")
        if self.deviation is not None:
            lines.append(f"  {self.deviation.id} is declared, and the answer is the expected one")
        lines += compare.side_by_side(request.expect, self.outcome, request.tolerance)
        return "\n".join(lines)


def under_all(cases: Sequence[Case], testee: Testee) -> Iterator[Verdict]:
    """Each request under each of its rules, in each of its dialects: of an implementation that can be told which."""
    for case in cases:
        for number, request in enumerate(case.requests, start=1):
            for variant in request.variants:
                outcome = testee.run(request.operation, request.source, {**request.args, **variant})
                under = " ".join(f"{what} {which}" for what, which in variant.items())
                yield Verdict(case, number, under, outcome, compare.matches(request.expect, outcome, request.tolerance))


def of_version(cases: Sequence[Case], testee: Testee, version: str) -> Iterator[Verdict]:
    """Each request that applies to this version of PCP: to its rule, or to its dialect.

    Where a deviation of the version is declared that shows always, the expected answer is a failure: the declaration
    is stale.
    """
    rule, dialect = rule_of(version), dialect_of(version)
    for case in cases:
        for number, request in enumerate(case.requests, start=1):
            if rule not in request.rules and dialect not in request.dialects:
                continue
            under = f"rule {rule}" if request.rules else f"dialect {dialect}"
            outcome = testee.run(request.operation, request.source, request.args)
            same = compare.matches(request.expect, outcome, request.tolerance)
            deviation = request.deviation_of(version)
            passed = same if deviation is None else (deviation.differs == "sometimes" or not same)
            yield Verdict(case, number, under, outcome, passed, deviation)


def rule_of(version: str) -> str:
    """INT-1202: which profile a version of PCP has."""
    return "pcp-6.3.2" if tuple(map(int, version.split("."))) >= (6, 3, 2) else "pcp-legacy"


def dialect_of(version: str) -> str | None:
    """Of derived metrics and units (V60, V63, V72 of the specification); None: nobody looked at this version."""
    return "7.2.2" if version.startswith("7.2.") else version if version in ("6.0.3", "6.3.8") else None
