# SPDX-License-Identifier: Apache-2.0
"""`suite baseline`: the list of expected failures that a run calls for."""

import datetime
from collections import defaultdict
from collections.abc import Sequence

from qa.suite.expectations import UNEXPLAINED, Entry, field_of
from qa.suite.verdicts import Verdict


def rewritten(entries: Sequence[Entry], verdicts: Sequence[Verdict], today: datetime.date) -> list[Entry]:
    """The list that makes the run pass, in the order of the old one with what is new after it.

    `verdicts` were judged without a list. Entries that hold for all that they concern stay as they are; others are
    replaced by entries for what still fails, with their reason and date. An expired entry stays: only a person can say
    that a failure may go on.
    """
    left = {verdict.check.id: verdict for verdict in verdicts if verdict.status == "fail"}
    found: list[Entry] = []
    for entry in entries:
        concerned = [verdict for verdict in verdicts if entry.concerns(verdict.check) and verdict.status != "skip"]
        held = [verdict for verdict in concerned if verdict.check.id in left and entry.expects(verdict.outcome, verdict.message)]
        right = [verdict for verdict in concerned if verdict.outcome == "right"]
        if not held:
            continue
        if not right:
            found.append(entry)
        else:
            found += [Entry(verdict.check.id, entry.outcome, entry.prefix, entry.reason, entry.until) for verdict in held]
        for verdict in held:
            del left[verdict.check.id]
    by_case: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in left.values():
        by_case[verdict.check.case.id].append(verdict)
    for case, failed in by_case.items():
        others = [verdict for verdict in verdicts if verdict.check.case.id == case and verdict not in failed]
        told = {(verdict.outcome, field_of(verdict.message)) for verdict in failed}
        if len(told) == 1 and all(verdict.status == "skip" for verdict in others):
            outcome, message = told.pop()
            found.append(Entry(case, outcome, message, UNEXPLAINED))
        else:
            found += [Entry(v.check.id, v.outcome, field_of(v.message), UNEXPLAINED) for v in failed]
    return found
