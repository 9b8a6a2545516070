# SPDX-License-Identifier: Apache-2.0
"""Results of a journal as the parts of a pmproof-report/1 that pmproof reads: to check sets, and for triage."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from qa.fleet.error import MISSING, FleetError
from qa.fleet.journal import Journal, Row
from qa.fleet.outcomes import OUTCOMES
from qa.support.display import displayable, in_reports, unshown

_FACTS = ("archive", "readable", "conformant", "failure", "internal_errors", "archive_version", "summary", "counts")
_SUMMARY = ("files", "bytes", "records", "values", "metrics", "indoms", "marks", "volumes", "index_entries")
_NOTHING = {
    "readable": False,
    "conformant": False,
    "internal_errors": [],
    "archive_version": None,
    "summary": dict.fromkeys(_SUMMARY, 0) | {"start": None, "finish": None},
    "counts": dict.fromkeys(("fatal", "error", "warning", "info"), 0),
}
_KINDS = {"timeout": "budget", "over_budget": "budget"}  # all others: unreadable


def head(journal: Journal) -> str:
    """The members of a report before its archives, each with a comma after it."""
    profile = next((word.partition("=")[2] for word in journal.get("options") or [] if word.startswith("--profile=")), "archival")
    members = {"schema": "pmproof-report/1", "tool": journal.get("tool"), "profile": profile}
    return "".join(f"{json.dumps(key)}: {json.dumps(value)}, " for key, value in members.items())


def of_member(row: Row) -> dict[str, Any]:
    """What the check of a set needs to know of an archive."""
    if not row.report:
        return _without_report(row.name, row.outcome, row.because)
    report = json.loads(row.report)
    fatal = [finding for finding in report["findings"] if finding["severity"] == "fatal"]
    return {key: report[key] for key in _FACTS} | {"findings": fatal[:1]}


def _without_report(name: str, outcome: str, because: str) -> dict[str, Any]:
    failure = {"kind": _KINDS.get(outcome, "unreadable"), "file": "", "offset": None, "rule": None, "message": because}
    return {"archive": in_reports(unshown(name)), **_NOTHING, "failure": failure, "findings": []}


def write_for_triage(journal: Journal, path: Path, out: IO[str]) -> None:
    """A report of `check --triage`, of all archives of a journal in their order, and of its sets.

    Raises FleetError where results do not say what triage needs.
    """
    out.write(f'{{{head(journal)} "archives": [')
    separator = "\n"
    for entry in _for_triage(journal, path):
        out.write(separator + json.dumps(entry))
        separator = ",\n"
    errors = [_error(text) for text in journal.get("errors") or []]
    out.write(f'], "errors": {json.dumps(errors)}, "footer": {{"complete": true}}}}\n')


def _for_triage(journal: Journal, path: Path) -> Iterator[dict[str, Any]]:
    for row in journal.rows():
        yield _triaged(row, path)
    for name in journal.names_without_result():
        entry = _without_report(name, "", "it is not checked yet")
        yield entry | {"triage": _undecided("it is not checked yet", f"fleet check --resume --journal {_word(str(path))}")}
    for row in journal.rows(sets=True):
        yield _triaged_set(row)


def _triaged(row: Row, path: Path) -> dict[str, Any]:
    if row.report:
        report = json.loads(row.report)
        if "triage" not in report:
            text = f"{path}: does not say what triage needs: it was made with --only or --rule, or by an earlier version"
            raise FleetError(text, MISSING)
        return {key: report[key] for key in (*_FACTS, "triage")}
    entry = _without_report(row.name, row.outcome, row.because)
    if OUTCOMES[row.outcome].status == 5:
        entry["internal_errors"] = [row.because]
    again = f"pmproof check {_word(row.name)}"
    steps = {"timeout": f"fleet check --retry --time-limit SECONDS, or {again}", "no_verdict": "see that its files can be read"}
    why = f"{OUTCOMES[row.outcome].text}: {row.because}"
    return entry | {"triage": _undecided(why, steps.get(row.outcome, f"report this error: {again}"))}


def _triaged_set(row: Row) -> dict[str, Any]:
    if row.report:
        report = json.loads(row.report)
        return {key: report[key] for key in (*_FACTS, "members", "triage")}
    entry = _without_report(row.name, row.outcome, f"as a set: {OUTCOMES[row.outcome].text}: {row.because}")
    return entry | {"members": [""] * row.members}


def _undecided(why: str, next_step: str) -> dict[str, str]:
    return {"condition": "undecided", "why": why, "next": next_step, "host": ""}


def _error(text: str) -> dict[str, Any]:
    return {"kind": "unreadable", "file": "", "offset": None, "rule": None, "message": in_reports(text)}


def _word(path: str) -> str:
    return shlex.quote(displayable(path))
