# SPDX-License-Identifier: Apache-2.0
"""What comes of an answer: whether it is right, and whether that was to be expected."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from qa.adapters.testee import Outcome
from qa.golden import as_shown, compare
from qa.golden.cases import Json
from qa.suite.checks import Check
from qa.suite.expectations import Used

# Of an answer. wrong: it is a result or a refusal, but not the expected one.
OUTCOMES = ("right", "wrong", "error", "crash", "timeout", "protocol", "skip")

# What the message of a right answer begins with, parts of which were not shown.
AS_SHOWN = "as far as it is shown: "

# Of a check. deviation: it fails as declared; surprise: it does not, though declared.
STATUSES = ("pass", "fail", "deviation", "surprise", "skip")


@dataclass(frozen=True)
class Answer:
    """What came of a check. Without `asked` the adapter was not troubled: it lacks the operation."""

    check: Check
    outcome: Outcome
    seconds: float
    asked: bool = True


@dataclass(frozen=True)
class Verdict:
    check: Check
    outcome: str
    status: str
    message: str
    seconds: float
    answer: Outcome
    declared: str = ""  # by whom: the ID of a deviation, or the entry of a list
    reason: str = ""

    @property
    def failed(self) -> bool:
        return self.status in ("fail", "surprise")


def outcome_of(check: Check, outcome: Outcome) -> str:
    if outcome.kind not in ("result", "reject"):
        return outcome.kind
    request = check.request
    if compare.matches(request.expect, outcome, request.tolerance):
        return "right"
    return "skip" if compare.undecided(request.expect, outcome, request.tolerance) else "wrong"


def message_of(check: Check, outcome: Outcome, kind: str) -> str:
    """In one line; of a refusal its class comes first."""
    if kind == "right":
        reasons = as_shown.reasons_of(outcome.body)
        return AS_SHOWN + "; ".join(reasons) if reasons else ""
    if kind == "skip" and outcome.kind == "result":
        return "; ".join(compare.undecided(check.request.expect, outcome, check.request.tolerance))
    if kind != "wrong":
        return " ".join(outcome.message.split())
    if outcome.kind == "reject":
        return str(outcome.body.get("class", ""))
    return compare.first_difference(check.request.expect, outcome, check.request.tolerance)


class Judge:
    """Of one implementation. `version`: of PCP, if it is one, whose deviations the cases declare."""

    def __init__(self, version: str | None, entries: Sequence[Used], today: datetime.date) -> None:
        self._version = version
        self._entries = entries
        self._today = today

    def verdict(self, answer: Answer) -> Verdict:
        check = answer.check
        kind = outcome_of(check, answer.outcome)
        message = message_of(check, answer.outcome, kind)

        def as_(status: str, declared: str = "", reason: str = "") -> Verdict:
            return Verdict(check, kind, status, message, answer.seconds, answer.outcome, declared, reason)

        if kind == "skip":
            return as_("skip")
        deviation = None if self._version is None else check.request.deviation_of(self._version)
        if deviation is not None and kind != "right":
            return as_("deviation", deviation.id, "declared by the case")
        if deviation is not None and deviation.differs == "always":
            return as_("surprise", deviation.id, "declared by the case as always different")
        concerned = [used for used in self._entries if used.entry.concerns(check)]
        if kind == "right" and concerned:
            concerned[0].held += 1  # that the list is wrong is told by the check
            return as_("surprise", concerned[0].entry.pattern, concerned[0].entry.reason)
        for used in concerned:
            if used.entry.expects(kind, message):
                used.held += 1
                if not used.entry.is_expired(self._today):
                    return as_("deviation", used.entry.pattern, used.entry.reason)
        return as_("pass" if kind == "right" else "fail")


def answer_of(outcome: Outcome) -> Json:
    """As the adapter said it, or what it had said before it died."""
    key = outcome.kind if outcome.kind in ("result", "reject", "skip") else "error"
    return {key: outcome.body}
