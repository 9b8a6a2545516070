# SPDX-License-Identifier: Apache-2.0
"""A journal's results as JSON lines (fleet.schema.json) and as CSV."""

import csv
import json
from collections.abc import Iterator
from typing import IO, Any

from qa.fleet.journal import SCHEMA, Journal, Row
from qa.fleet.outcomes import SEVERITIES
from qa.fleet.summary import not_checked

_SUMMARY = ("files", "bytes", "records", "values", "metrics", "indoms", "marks", "volumes", "start", "finish")
_COLUMNS = ("archive", "outcome", "because", "readable", "archive_version", *SEVERITIES, *_SUMMARY, "worker", "finished")


def write_lines(journal: Journal, out: IO[str]) -> None:
    """A header, a line for each result, a footer."""
    for line in _lines(journal):
        out.write(json.dumps(line) + "\n")


def _lines(journal: Journal) -> Iterator[dict[str, Any]]:
    yield {"type": "header", "schema": SCHEMA} | {key: journal.get(key) for key in ("tool", "arguments", "options", "policy")}
    outcomes: dict[str, int] = {}
    counts = dict.fromkeys(SEVERITIES, 0)
    for row in journal.rows():
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
        for severity in SEVERITIES:
            counts[severity] += row.counts[severity]
        yield {
            "type": "archive",
            "archive": row.name,
            "outcome": row.outcome,
            "because": row.because,
            "worker": row.worker,
            "finished": row.finished,
            "report": json.loads(row.report) if row.report else None,
        }
    pending = journal.pending()
    yield {
        "type": "footer",
        "complete": not pending,
        "archives": sum(outcomes.values()),
        "pending": pending,
        "outcomes": outcomes,
        "counts": counts,
        "not_checked": not_checked(journal),
        "errors": journal.get("errors") or [],
    }


def write_csv(journal: Journal, out: IO[str]) -> None:
    """A row for each result."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in journal.rows():
        values = _values(row)
        writer.writerow([values.get(column, "") for column in _COLUMNS])


def _values(row: Row) -> dict[str, Any]:
    report = json.loads(row.report) if row.report else {}
    values: dict[str, Any] = {key: report.get("summary", {}).get(key) for key in _SUMMARY}
    if report:
        values |= {"readable": str(report["readable"]).lower(), "archive_version": report["archive_version"]}
    values |= row.counts
    values |= {"archive": row.name, "outcome": row.outcome, "because": row.because}
    values |= {"worker": row.worker, "finished": row.finished}
    return {key: "" if value is None else value for key, value in values.items()}
