# SPDX-License-Identifier: Apache-2.0
"""What may be said of an implementation: a claim for each of its capabilities instead of a score."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qa.golden.cases import Json
from qa.suite.checks import Check
from qa.suite.verdicts import STATUSES, Verdict

CONFORMANT, NOT_CONFORMANT, UNDETERMINED = "conformant", "not conformant", "undetermined"


def with_deviations(number: int) -> str:
    return f"conformant with {number} declared deviation{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Claim:
    """Of one capability. `checks` apply to it; what is not of level must may fail, and a must that was skipped leaves it open."""

    capability: str
    claim: str
    checks: int
    counts: Json  # by status; not_run

    def to_json(self) -> Json:
        return {"capability": self.capability, "claim": self.claim, "checks": self.checks, "counts": self.counts}


def claim_of(capability: str, checks: Sequence[Check], verdicts: Sequence[Verdict]) -> Claim:
    """`checks`: those of the capability that were to be asked; `verdicts`: of those that were."""
    counts = Counter(verdict.status for verdict in verdicts)
    musts = [verdict for verdict in verdicts if verdict.check.case.level == "must"]
    declared = {verdict.declared for verdict in musts if verdict.status == "deviation"}
    statuses = {verdict.status for verdict in musts}
    if "fail" in statuses:
        claim = NOT_CONFORMANT
    elif "skip" in statuses or counts["pass"] + len(declared) == 0 or len(verdicts) < len(checks):
        claim = UNDETERMINED
    elif declared:
        claim = with_deviations(len(declared))
    else:
        claim = CONFORMANT
    return Claim(capability, claim, len(checks), counts_of(counts, len(checks) - len(verdicts)))


def counts_of(statuses: Counter[str], not_run: int) -> Json:
    return {**{status: statuses[status] for status in STATUSES}, "not_run": not_run}


def claims_of(capabilities: Iterable[str], checks: Sequence[Check], verdicts: Sequence[Verdict]) -> list[Claim]:
    return [
        claim_of(
            capability,
            [check for check in checks if check.request.operation == capability],
            [verdict for verdict in verdicts if verdict.check.request.operation == capability],
        )
        for capability in capabilities
    ]


_ORDER = (NOT_CONFORMANT, UNDETERMINED)


def worst(claims: Sequence[str]) -> str:
    """Of all capabilities together."""
    for claim in _ORDER:
        if claim in claims or not claims:
            return claim if claims else UNDETERMINED
    numbers = [int(claim.split()[2]) for claim in claims if claim.startswith("conformant with")]
    return with_deviations(sum(numbers)) if numbers else CONFORMANT
