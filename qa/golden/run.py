"""Golden cases put to an implementation."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qa.adapters.testee import Outcome, Testee
from qa.golden import compare
from qa.golden.cases import Case, Deviation, Request


@dataclass(frozen=True)
class Verdict:
    """What came of one request under one rule."""

    case: Case
    number: int  # of the request in its case, from 1
    rule: str
    outcome: Outcome
    passed: bool
    deviation: Deviation | None = None  # that explains why the answer is another

    @property
    def request(self) -> Request:
        return self.case.requests[self.number - 1]

    def __str__(self) -> str:
        """The request, and expected and actual answer side by side."""
        request = self.request
        head = f"{self.case.id} [{', '.join(self.case.clauses)}], request {self.number}, rule {self.rule}"
        lines = [head, f"  {self.case.title}{': ' + request.title if request.title else ''}"]
        lines.append(f"  {request.operation} {json.dumps(request.source)} {json.dumps(request.args)}")
        if self.deviation is not None:
            lines.append(f"  {self.deviation.id} is declared, and the answer is the expected one")
        lines += compare.side_by_side(request.expect, self.outcome, request.tolerance)
        return "\n".join(lines)


def under_rules(cases: Sequence[Case], testee: Testee) -> Iterator[Verdict]:
    """Each request under each of its rules: of an implementation that can be told the rule."""
    for case in cases:
        for number, request in enumerate(case.requests, start=1):
            for rule in request.rules:
                outcome = testee.run(request.operation, request.source, {**request.args, "rule": rule})
                yield Verdict(case, number, rule, outcome, compare.matches(request.expect, outcome, request.tolerance))


def of_version(cases: Sequence[Case], testee: Testee, version: str, rule: str) -> Iterator[Verdict]:
    """Each request that applies to the rule of this version of PCP.

    Where a deviation of the version is declared that shows always, the expected answer is a failure: the declaration
    is stale.
    """
    for case in cases:
        for number, request in enumerate(case.requests, start=1):
            if rule not in request.rules:
                continue
            outcome = testee.run(request.operation, request.source, request.args)
            same = compare.matches(request.expect, outcome, request.tolerance)
            deviation = request.deviation_of(version)
            passed = same if deviation is None else (deviation.differs == "sometimes" or not same)
            yield Verdict(case, number, rule, outcome, passed, deviation)


def rule_of(version: str) -> str:
    """INT-1202: which profile a version of PCP has."""
    return "pcp-6.3.2" if tuple(map(int, version.split("."))) >= (6, 3, 2) else "pcp-legacy"
