# SPDX-License-Identifier: Apache-2.0
"""What is kept between two surveys: an SQLite file with a result of each archive, as sums and one witness of each kind.

Of an archive there is at most one result that is known, the whole one of the last survey that ended, and one of the
survey that is going on. What a survey finds is compared with what is known, and becomes what is known at its end.
"""

import datetime
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from qa.support import sqlite_file
from qa.suite.implementations import UsageError
from qa.suite.journal import JournalError
from qa.suite.survey.asking import Answer
from qa.suite.survey.kinds import Json

_SCHEMA = "pmproof-rules-survey-journal/1"
_APPLICATION = 0x706D7376  # "pmsv", in the file's header
_KNOWN, _NOW = 0, 1
_PARTS = ("movement", "sum", "cited", "metric", "unanswered", "deviation")
_TABLES = """
CREATE TABLE survey (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE result (
  id INTEGER PRIMARY KEY,
  now INTEGER NOT NULL,       -- 1: of the survey that is going on; 0: known
  name TEXT NOT NULL,
  place INTEGER NOT NULL,     -- in the order in which archives are found
  size INTEGER NOT NULL,
  digests TEXT NOT NULL,      -- of each file, as JSON
  outcome TEXT NOT NULL,
  because TEXT NOT NULL,
  whole INTEGER NOT NULL,     -- compared, and no implementation broke
  reused INTEGER NOT NULL,    -- it is what was known
  UNIQUE (now, name)
);
CREATE TABLE movement (
  result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
  kind TEXT NOT NULL, differences INTEGER NOT NULL, exact INTEGER NOT NULL, signature TEXT NOT NULL, witness TEXT NOT NULL,
  PRIMARY KEY (result, kind)
) WITHOUT ROWID;
CREATE TABLE sum (
  result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
  semantics TEXT NOT NULL, type TEXT NOT NULL, compared INTEGER NOT NULL, differing INTEGER NOT NULL,
  PRIMARY KEY (result, semantics, type)
) WITHOUT ROWID;
CREATE TABLE cited (
  result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
  baseline TEXT NOT NULL, candidate TEXT NOT NULL, differences INTEGER NOT NULL,
  PRIMARY KEY (result, baseline, candidate)
) WITHOUT ROWID;
CREATE TABLE metric (
  result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
  metric TEXT NOT NULL, semantics TEXT NOT NULL, type TEXT NOT NULL, differing INTEGER NOT NULL,
  PRIMARY KEY (result, metric, semantics, type)
) WITHOUT ROWID;
CREATE TABLE unanswered (
  result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
  side TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, questions INTEGER NOT NULL,
  PRIMARY KEY (result, side, outcome, reason)
) WITHOUT ROWID;
CREATE TABLE deviation (
  result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE,
  deviation TEXT NOT NULL, differences INTEGER NOT NULL,
  PRIMARY KEY (result, deviation)
) WITHOUT ROWID;
"""


_ADD_TO_KNOWN = """
INSERT INTO movement SELECT k.id, m.kind, m.differences, m.exact, m.signature, m.witness
FROM movement m JOIN result n ON n.id = m.result AND n.now = 1 JOIN result k ON k.now = 0 AND k.name = n.name WHERE true
ON CONFLICT (result, kind) DO UPDATE SET
  differences = excluded.differences, exact = excluded.exact, signature = excluded.signature, witness = excluded.witness
  WHERE excluded.differences >= movement.differences
"""


class Journal:
    """An open journal, which nobody else writes. A context manager."""

    def __init__(self, connection: sqlite3.Connection, lock: int) -> None:
        self.connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: Path, fresh: bool = False) -> "Journal":
        """Made where there is none. `fresh`: what is in it is thrown away. Raises JournalError, UsageError and OSError."""
        try:
            lock = sqlite_file.locked(path)
        except sqlite_file.Taken:
            raise UsageError(f"{path}: another survey is writing it") from None
        try:
            return cls(_opened(path, fresh), lock)
        except BaseException:
            os.close(lock)
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        os.close(self._lock)

    def get(self, key: str) -> Any:
        """What was set, or None."""
        found = self.connection.execute("SELECT value FROM survey WHERE key = ?", (key,)).fetchone()
        return json.loads(found[0]) if found else None

    def set(self, values: Mapping[str, Any]) -> None:
        with self.connection:
            self._set(values)

    def _set(self, values: Mapping[str, Any]) -> None:
        rows = [(key, json.dumps(value)) for key, value in values.items()]
        self.connection.executemany("INSERT OR REPLACE INTO survey VALUES (?, ?)", rows)

    @property
    def ended(self) -> int:
        """How many surveys came to their end."""
        return int(self.get("ended") or 0)

    def begin(self, evidence: Json) -> bool:
        """A survey of sides of which `evidence` is all that can be seen. Whether one that did not end goes on; else one
        that was going on with other sides is forgotten."""
        if self.get("going_on") == evidence:
            return True
        with self.connection as connection:
            connection.execute("DELETE FROM result WHERE now = ?", (_NOW,))
            self._set({"going_on": evidence, "began": _utc()})
        return False

    def digests(self, known: bool) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Names and digests of the results that are `known` and whole, or else of all of the survey that is going on."""
        query = "SELECT name, digests FROM result WHERE now = ? AND (whole OR ?)"
        for name, digests in self.connection.execute(query, (_KNOWN if known else _NOW, not known)):
            yield name, json.loads(digests)

    def record(self, name: str, place: int, answer: Answer) -> None:
        """The result of an archive, in place of one that the survey had before."""
        with self.connection as connection:
            connection.execute("DELETE FROM result WHERE now = ? AND name = ?", (_NOW, name))
            digests = json.dumps(answer.digests, sort_keys=True)
            told = (_NOW, name, place, answer.size, digests, answer.outcome, answer.because, answer.is_whole, False)
            added = connection.execute(
                "INSERT INTO result (now, name, place, size, digests, outcome, because, whole, reused) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", told
            ).lastrowid

            def add(table: str, rows: Iterable[Sequence[Any]]) -> None:
                for row in rows:
                    connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * (len(row) + 1))})", (added, *row))

            add("movement", ((str(m.kind), m.differences, m.exact, m.signature, json.dumps(m.witness)) for m in answer.moved))
            add("sum", ((s.semantics, s.type, s.compared, s.differing) for s in answer.sums))
            add("cited", ((*pair, number) for pair, number in answer.clauses.items()))
            add("metric", ((*key, number) for key, number in answer.metrics.items()))
            add("unanswered", ((*key, number) for key, number in answer.unanswered.items()))
            add("deviation", answer.deviations.items())
            if answer.sides:
                self._set({"sides": dict(answer.sides)})

    def reuse(self, name: str, place: int) -> None:
        """What is known of an archive is its result."""
        with self.connection as connection:
            connection.execute("DELETE FROM result WHERE now = ? AND name = ?", (_NOW, name))
            columns = "size, digests, outcome, because, whole"
            added = connection.execute(
                f"INSERT INTO result (now, name, place, reused, {columns}) SELECT ?, name, ?, 1, {columns} FROM result WHERE now = ? AND name = ?",
                (_NOW, place, _KNOWN, name),
            ).lastrowid
            for part in _PARTS:
                wanted = [row[1] for row in connection.execute(f"PRAGMA table_info({part})")][1:]
                connection.execute(
                    f"INSERT INTO {part} SELECT ?, {', '.join(wanted)} FROM {part} WHERE result = (SELECT id FROM result WHERE now = ? AND name = ?)",
                    (added, _KNOWN, name),
                )

    def place(self, names: Sequence[str]) -> None:
        """These are the survey's archives, in this order: results of others are dropped from it."""
        with self.connection as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS found (place INTEGER, name TEXT PRIMARY KEY)")
            connection.execute("DELETE FROM found")
            connection.executemany("INSERT INTO found VALUES (?, ?)", enumerate(names))
            connection.execute("DELETE FROM result WHERE now = ? AND name NOT IN (SELECT name FROM found)", (_NOW,))
            connection.execute("UPDATE result SET place = (SELECT place FROM found WHERE found.name = result.name) WHERE now = ?", (_NOW,))

    def answered(self) -> int:
        number: int = self.connection.execute("SELECT count(*) FROM result WHERE now = ?", (_NOW,)).fetchone()[0]
        return number

    def end(self, drop: bool) -> None:
        """What was found is what is known from now on; of an archive that was not compared as a whole, what was known
        stays, with what was found beside it. `drop`: archives that are no longer there are forgotten."""
        with self.connection as connection:
            if drop:
                connection.execute("DELETE FROM result WHERE now = 0 AND name NOT IN (SELECT name FROM result WHERE now = 1)")
            connection.execute("DELETE FROM result WHERE now = 0 AND name IN (SELECT name FROM result WHERE now = 1 AND whole)")
            connection.execute(_ADD_TO_KNOWN)
            connection.execute("DELETE FROM result WHERE now = 1 AND name IN (SELECT name FROM result WHERE now = 0)")
            connection.execute("UPDATE result SET now = 0, reused = 0")
            self._set({"ended": self.ended + 1, "at": _utc(), "evidence": self.get("going_on"), "going_on": None})


def _utc() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _opened(path: Path, fresh: bool) -> sqlite3.Connection:
    if not os.path.lexists(path):
        _create(path)
    elif sqlite_file.is_empty(path):
        if not fresh:
            raise JournalError(f"{path} is empty, which a journal never is: what it knew is lost. Put a copy of it in its place, or begin anew with --fresh")
        _create(path)
    elif not sqlite_file.is_of(path, _APPLICATION):
        raise UsageError(f"{path}: is not a journal of suite rules survey")
    elif fresh:
        _create(path)
    connection = sqlite_file.connected(path)
    try:
        if damage := sqlite_file.damage_of(connection):
            raise sqlite3.DatabaseError(damage)
        (schema,) = connection.execute("SELECT value FROM survey WHERE key = 'schema'").fetchone() or ("",)
        if schema != json.dumps(_SCHEMA):
            raise UsageError(f"{path}: is a journal of a later suite rules survey")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise JournalError(f"{path}: the journal is damaged ({error}). Put a copy of it in its place, or begin anew with --fresh") from None
    except BaseException:
        connection.close()
        raise
    return connection


def _create(path: Path) -> None:
    try:
        sqlite_file.create(path, _make)
    except sqlite3.Error as error:
        raise JournalError(f"{path}: {error}") from None


def _make(connection: sqlite3.Connection) -> None:
    connection.executescript("BEGIN;" + _TABLES)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute("INSERT INTO survey VALUES ('schema', ?)", (json.dumps(_SCHEMA),))
