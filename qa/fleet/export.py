# SPDX-License-Identifier: Apache-2.0
"""A journal's results as JSON lines (fleet.schema.json) and as CSV."""

import csv
import json
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from qa.fleet.journal import SCHEMA, Journal, Row
from qa.fleet.outcomes import SEVERITIES
from qa.fleet.summary import not_checked

_SUMMARY = ("files", "bytes", "records", "values", "metrics", "indoms", "marks", "volumes", "start", "finish")
_COLUMNS = ("archive", "outcome", "because", "readable", "archive_version", *SEVERITIES, *_SUMMARY, "worker", "finished", "members")


def write_lines(journal: Journal, out: IO[str]) -> None:
    """A header, a line for each result, a footer."""
    for line in _lines(journal):
        out.write(json.dumps(line) + "\n")


def _lines(journal: Journal) -> Iterator[dict[str, Any]]:
    yield {"type": "header", "schema": SCHEMA} | {key: journal.get(key) for key in ("tool", "arguments", "options", "policy")}
    of_archives, of_sets = _Totals(), _Totals()
    for row in journal.rows():
        of_archives.add(row)
        yield {"type": "archive", "archive": row.name, **_result(row)}
    for row in journal.rows(sets=True):
        of_sets.add(row)
        yield {"type": "set", "directory": row.name, "members": row.members, **_result(row)}
    pending, pending_sets = journal.pending(), journal.pending(sets=True)
    yield {
        "type": "footer",
        "complete": not pending and not pending_sets,
        "archives": sum(of_archives.outcomes.values()),
        "pending": pending,
        "outcomes": of_archives.outcomes,
        "counts": of_archives.counts,
        "sets": {
            "sets": sum(of_sets.outcomes.values()),
            "pending": pending_sets,
            "outcomes": of_sets.outcomes,
            "counts": of_sets.counts,
        },
        "not_checked": not_checked(journal),
        "errors": journal.get("errors") or [],
    }


class _Totals:
    def __init__(self) -> None:
        self.outcomes: dict[str, int] = {}
        self.counts = dict.fromkeys(SEVERITIES, 0)

    def add(self, row: Row) -> None:
        self.outcomes[row.outcome] = self.outcomes.get(row.outcome, 0) + 1
        for severity in SEVERITIES:
            self.counts[severity] += row.counts[severity]


def _result(row: Row) -> dict[str, Any]:
    return {
        "outcome": row.outcome,
        "because": row.because,
        "worker": row.worker,
        "finished": row.finished,
        "report": json.loads(row.report) if row.report else None,
    }


def write_csv(journal: Journal, out: IO[str]) -> None:
    """A row for each result: of the archives, then of the sets, which have the number of their members."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in chain(journal.rows(), journal.rows(sets=True)):
        values = _values(row)
        writer.writerow([values.get(column, "") for column in _COLUMNS])


def _values(row: Row) -> dict[str, Any]:
    report = json.loads(row.report) if row.report else {}
    values: dict[str, Any] = {key: report.get("summary", {}).get(key) for key in _SUMMARY}
    if report:
        values |= {"readable": str(report["readable"]).lower(), "archive_version": report["archive_version"]}
    values |= row.counts
    values |= {"archive": row.name, "outcome": row.outcome, "because": row.because}
    values |= {"worker": row.worker, "finished": row.finished, "members": row.members or ""}
    return {key: "" if value is None else value for key, value in values.items()}
