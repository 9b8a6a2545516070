# SPDX-License-Identifier: Apache-2.0
"""What reports for people have in common."""

import json
from collections import Counter

from qa.golden import compare
from qa.golden.cases import Json
from qa.suite.claims import worst
from qa.suite.journal import Implemented, Run, actual_of

STATUS_TEXT = {
    "pass": "passed",
    "fail": "failed",
    "deviation": "failed as declared",
    "surprise": "passed though declared to fail",
    "skip": "skipped",
    "not_run": "not run",
}


def chapter_of(verdict: Json) -> str:
    return str(verdict["case"]).partition("/")[0]


def claim_of(one: Implemented) -> str:
    """Of all its capabilities together that there are cases of."""
    return worst([claim["claim"] for claim in one.claims if claim["checks"]])


def counts_text(counts: Json) -> str:
    """Such as "12 passed, 1 failed": what there is none of is left out."""
    told = [f"{number} {STATUS_TEXT[status]}" for status, number in counts.items() if number]
    return ", ".join(told) or "nothing was asked"


def why_not(verdict: Json) -> str:
    """Of a verdict that is not plain pass, in one line."""
    if verdict["status"] == "surprise":
        return f"passed, though {verdict['declared']['by']} is declared ({verdict['declared']['reason']})"
    message = verdict.get("message", "")
    told = f"{verdict['outcome']}: {message}" if message else str(verdict["outcome"])
    if "declared" in verdict:
        told += f" [{verdict['declared']['by']}: {verdict['declared']['reason']}]"
    return told


def details(run: Run, verdict: Json) -> list[str]:
    """The request, and expected and actual answer side by side."""
    case, request = run.cases[verdict["case"]], run.request(verdict)
    title = f"{case['title']}{': ' + request['title'] if request.get('title') else ''}"
    lines = [f"{verdict['id']} [{', '.join(case['clauses'])}] {why_not(verdict)}", f"  {title}"]
    lines.append(f"  {request['op']} {json.dumps(request['input'])} {json.dumps({**request['args'], **verdict['under']})}")
    if verdict["status"] != "surprise":
        told = compare.side_by_side(request["expect"], actual_of(verdict), request.get("tolerance", {}))
        lines += [f"  {line}" for line in told]
    return lines


def notes(run: Run, one: Implemented) -> list[str]:
    """What else is to be known of a run."""
    found = list(one.problems)
    if one.end.get("because"):
        found.append(str(one.end["because"]))
    elif not one.is_complete:
        found.append("the run was stopped: its journal has no end")
    if not run.header["selection"]["complete"]:
        found.append("only a part of the cases was selected: claims are about that part")
    if number := one.end.get("not_applicable"):
        found.append(f"{number} checks are of rules and dialects that it does not have")
    return found + _left_open(one)


_MOST_REASONS = 24


def _left_open(one: Implemented) -> list[str]:
    """How many answers were skipped or left something open, and why."""
    reasons = Counter(
        ("skipped" if verdict["status"] == "skip" else "passed", verdict["message"])
        for verdict in one.verdicts
        if verdict["status"] in ("skip", "pass") and verdict.get("message")
    )
    told = [f"{number} {status}, {why}" for (status, why), number in reasons.most_common(_MOST_REASONS)]
    if more := sum(reasons.values()) - sum(number for _, number in reasons.most_common(_MOST_REASONS)):
        told.append(f"{more} skipped or left open for {len(reasons) - _MOST_REASONS} other reasons")
    return told
