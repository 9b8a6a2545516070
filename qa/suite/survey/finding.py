# SPDX-License-Identifier: Apache-2.0
"""What a survey found, beside what was known: the document pmproof-rules-survey/1 (schema/rules-survey.schema.json).

SQLite goes through the results; only sums over kinds, metrics and reasons are ever in memory.
"""

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from qa.suite.survey.asking import DIED, NOT_COMPARED
from qa.suite.survey.budget import UNREADABLE, Budget
from qa.suite.survey.journal import Journal
from qa.suite.survey.kinds import Json, Kind

SCHEMA = "pmproof-rules-survey/1"
_MOST = 200  # metrics, reasons and archives that are listed; of the others their number

# Why a movement is new, the gravest first.
WHY = ("new_kind", "spread", "grown", "other_answers")

_OF_NOW = "result IN (SELECT id FROM result WHERE now = 1)"

# Each movement now, with what is known of the same content, if that is.
_MOVEMENTS = """
SELECT m.kind, m.differences, m.exact, m.signature, n.id, n.name, n.size,
       k.id IS NOT NULL, km.differences, km.exact, km.signature
FROM movement m JOIN result n ON n.id = m.result AND n.now = 1
LEFT JOIN result k ON k.now = 0 AND k.whole AND k.name = n.name AND k.digests = n.digests
LEFT JOIN movement km ON km.result = k.id AND km.kind = m.kind
ORDER BY m.kind, n.size, n.place
"""

# Questions that a side answered of the same content before.
_SILENT = """
SELECT now.side, now.outcome, count(*), sum(now.questions - coalesce(before.questions, 0)) FROM
  (SELECT n.name, n.digests, u.side, u.outcome, sum(u.questions) AS questions
   FROM unanswered u JOIN result n ON n.id = u.result AND n.now = 1 GROUP BY n.id, u.side, u.outcome) now
JOIN result k ON k.now = 0 AND k.whole AND k.name = now.name AND k.digests = now.digests
LEFT JOIN
  (SELECT result, side, outcome, sum(questions) AS questions FROM unanswered GROUP BY result, side, outcome) before
  ON before.result = k.id AND before.side = now.side AND before.outcome = now.outcome
WHERE now.questions > coalesce(before.questions, 0)
GROUP BY now.side, now.outcome ORDER BY now.side, now.outcome
"""


@dataclass
class _Sum:
    """Of one kind over archives."""

    differences: int = 0
    exact: bool = True
    archives: int = 0
    why: Counter[str] = field(default_factory=Counter)
    witness: int = 0  # the result of the smallest archive

    def add(self, differences: int, exact: bool, result: int, why: str = "") -> None:
        if not self.archives:
            self.witness = result  # they come by size
        self.differences += differences
        self.exact = self.exact and exact
        self.archives += 1
        if why:
            self.why[why] += 1


@dataclass(frozen=True)
class Found:
    """The document without its frame, and what the exit status is made of."""

    told: Json
    has_new: bool
    has_unreadable: bool
    has_died: bool
    has_broken: bool


def find(journal: Journal, budget: Budget, gone: int) -> Found:
    """Of a survey that has asked about all archives. `gone`: how many of the known archives are no longer there."""
    sql = journal.connection
    known_kinds = {kind for (kind,) in sql.execute("SELECT DISTINCT m.kind FROM movement m JOIN result r ON r.id = m.result AND r.now = 0")}
    new: dict[str, _Sum] = {}
    known: dict[str, _Sum] = {}
    accepted: Counter[str] = Counter()
    now_kinds, with_new = set(), set()
    for kind, differences, exact, signature, result, name, _, is_comparable, *before in sql.execute(_MOVEMENTS):
        now_kinds.add(kind)
        if budget.accepts(kind, name):
            accepted[kind] += differences
            continue
        why = _why(kind in known_kinds, bool(is_comparable), (differences, exact, signature), before)
        (new if why else known).setdefault(kind, _Sum()).add(differences, bool(exact), result, why)
        if why:
            with_new.add(result)
    silent = [
        {"side": side, "outcome": outcome, "archives": archives, "questions": questions}
        for side, outcome, archives, questions in sql.execute(_SILENT)
    ]
    not_compared, unreadable, died, not_whole = _not_compared(sql, budget)
    faults = budget.faults(not_whole)
    told: Json = {
        "archives": {**_archives(sql), "with_new_movements": len(with_new), "gone": gone},
        "values": _row(sql, "SELECT coalesce(sum(compared), 0) AS compared, coalesce(sum(differing), 0) AS differing FROM sum WHERE " + _OF_NOW),
        "new": [_told(sql, kind, one) for kind, one in sorted(new.items(), key=_largest)],
        "known": [_told(sql, kind, one) for kind, one in sorted(known.items(), key=_largest)],
        "gone": sorted(known_kinds - now_kinds),
        "accepted": [
            {"entry": str(entry), "movements": held, "reason": entry.reason, "until": entry.until and entry.until.isoformat()}
            for entry, held in budget.held.items()
            if held
        ],
        "accepted_kinds": [{"kind": kind, "differences": number} for kind, number in sorted(accepted.items())],
        "list_faults": faults,
        "newly_unanswered": silent,
        "unanswered": _most(sql, "side, outcome, reason", "unanswered", "questions"),
        "not_compared": not_compared,
        "deviations": _most(sql, "deviation", "deviation", "differences"),
        "groups": _rows(
            sql,
            "SELECT semantics, type, sum(compared) AS compared, sum(differing) AS differing, sum(differing > 0) AS archives "
            f"FROM sum WHERE {_OF_NOW} GROUP BY semantics, type ORDER BY 4 DESC, 1, 2",
        ),
        "clauses": _most(sql, "baseline, candidate", "cited", "differences"),
        "metrics": _most(sql, "metric, semantics, type", "metric", "differing"),
    }
    broken = sql.execute("SELECT count(*) FROM result WHERE now = 1 AND NOT whole AND outcome = 'compared'").fetchone()[0]
    return Found(told, bool(new or faults or silent), unreadable, died, bool(broken))


def _why(is_known_kind: bool, is_comparable: bool, now: tuple[int, int, str], before: list[Any]) -> str:
    """Why it is new; "" if it is known. A known kind in an archive of which nothing is known is no news."""
    if not is_known_kind:
        return "new_kind"
    if not is_comparable:
        return ""
    differences, exact, signature = before
    if differences is None:
        return "spread"
    if bool(exact) == bool(now[1]) and now[0] != differences:
        return "grown" if now[0] > differences else ""
    return "other_answers" if now[2] != signature else ""


def _largest(item: tuple[str, _Sum]) -> tuple[int, str]:
    return -item[1].differences, item[0]


def _told(sql: sqlite3.Connection, identifier: str, one: _Sum) -> Json:
    kind = Kind.of(identifier)
    archive, size, witness = sql.execute(
        "SELECT r.name, r.size, m.witness FROM movement m JOIN result r ON r.id = m.result WHERE m.result = ? AND m.kind = ?",
        (one.witness, identifier),
    ).fetchone()
    shown = json.loads(witness)
    return {
        "kind": identifier,
        "baseline": kind.baseline,
        "candidate": kind.candidate,
        "semantics": kind.semantics,
        "type": kind.type,
        "difference": kind.difference,
        "differences": one.differences,
        "exact": one.exact,
        "archives": one.archives,
        "why": {why: one.why[why] for why in WHY if one.why[why]},
        "witness": {"archive": archive, "size": size, **{key: shown[key] for key in ("time", "series", "baseline", "candidate")}},
    }


def _archives(sql: sqlite3.Connection) -> Json:
    """Changed and new ones beside what is known."""
    return _row(
        sql,
        "SELECT count(*) AS asked, coalesce(sum(n.outcome = 'compared'), 0) AS compared, coalesce(sum(n.reused), 0) AS reused, "
        "coalesce(sum(k.id IS NULL), 0) AS new, coalesce(sum(k.digests <> n.digests), 0) AS changed, "
        "coalesce(sum(EXISTS (SELECT 1 FROM movement m WHERE m.result = n.id)), 0) AS differing "
        "FROM result n LEFT JOIN result k ON k.now = 0 AND k.name = n.name WHERE n.now = 1",
    )


def _not_compared(sql: sqlite3.Connection, budget: Budget) -> tuple[Json, bool, bool, list[str]]:
    """With whether some that are not accepted could not be read, whether pmproof died, and all that are not accepted."""
    listed: list[Json] = []
    open_ones: list[str] = []
    number, unreadable, died = 0, False, False
    query = "SELECT name, outcome, because, size FROM result WHERE now = 1 AND (outcome <> 'compared' OR NOT whole) ORDER BY place"
    for name, outcome, because, size in sql.execute(query):
        accepted = outcome == NOT_COMPARED and budget.accepts(UNREADABLE, name)
        open_ones += [] if accepted else [name]
        unreadable = unreadable or (outcome == NOT_COMPARED and not accepted)
        died = died or outcome == DIED
        number += 1
        if len(listed) < _MOST:
            because = because or "an implementation died, kept silent or broke the protocol: see unanswered"
            told = "broken" if outcome not in (NOT_COMPARED, DIED) else outcome
            listed.append({"archive": name, "size": size, "outcome": told, "because": because, "accepted": accepted})
    return {"archives": number, "listed": listed}, unreadable, died, open_ones


def _most(sql: sqlite3.Connection, columns: str, table: str, counted: str) -> Json:
    """The largest of a table by these columns, with how many archives have it."""
    query = (
        f"SELECT {columns}, sum({counted}) AS {counted}, count(DISTINCT result) AS archives FROM {table} "
        f"WHERE {_OF_NOW} GROUP BY {columns} ORDER BY sum({counted}) DESC, {columns} LIMIT {_MOST}"
    )
    all_of_them = f"SELECT count(*) FROM (SELECT DISTINCT {columns} FROM {table} WHERE {_OF_NOW})"
    listed = _rows(sql, query)
    return {"listed": listed, "more": sql.execute(all_of_them).fetchone()[0] - len(listed)}


def _rows(sql: sqlite3.Connection, query: str) -> list[Json]:
    cursor = sql.execute(query)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor]


def _row(sql: sqlite3.Connection, query: str) -> Json:
    return _rows(sql, query)[0]
