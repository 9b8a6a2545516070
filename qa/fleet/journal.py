"""The journal of a run: an SQLite file that takes each result as it arrives, so that whatever is lost, they are not.

One run writes at a time (a lock beside the file says so); others may read meanwhile.
"""

import fcntl
import json
import os
import sqlite3
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.fleet.archives import Archive
from qa.fleet.error import INTERNAL, MISSING, USAGE, FleetError
from qa.fleet.outcomes import SEVERITIES

SCHEMA = "pmproof-fleet/1"
_APPLICATION = 0x706D666C  # "pmfl", in the file's header: what else is SQLite is no journal
_TABLES = """
CREATE TABLE fleet (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE archive (
  id INTEGER PRIMARY KEY,
  place INTEGER NOT NULL,            -- in the order in which archives are found
  name TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL,
  deaths INTEGER NOT NULL DEFAULT 0, -- of workers that had it in their hands, alone or with others
  outcome TEXT,                      -- NULL: not checked yet
  because TEXT,
  fatal INTEGER, error INTEGER, warning INTEGER, info INTEGER,
  report TEXT,                       -- the archive's part of pmproof-report/1, as JSON
  worker TEXT,                       -- host:process
  finished TEXT                      -- UTC
);
"""
_FORGET = (
    "outcome = NULL, because = NULL, fatal = NULL, error = NULL, warning = NULL, info = NULL, "
    "report = NULL, worker = NULL, finished = NULL"
)


@dataclass(frozen=True)
class Pending:
    """An archive without a result."""

    identifier: int
    path: str
    deaths: int


@dataclass(frozen=True)
class Row:
    """A result; `report` is JSON or empty."""

    name: str
    outcome: str
    because: str
    counts: Mapping[str, int]
    report: str
    worker: str
    finished: str


def shown(path: str) -> str:
    """A path as text: bytes that are no UTF-8 can not stand in JSON, nor in SQLite."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError:
        return "bytes:" + urllib.parse.quote_from_bytes(os.fsencode(path))


class Journal:
    """An open journal. Close it, or use it as a context manager."""

    def __init__(self, connection: sqlite3.Connection, lock: int | None) -> None:
        self._connection = connection
        self._lock = lock

    @staticmethod
    def read(path: Path) -> "Journal":
        """To export it, also while it is written."""
        if not path.is_file():
            raise FleetError(f"{path}: no such journal", MISSING)
        journal = Journal(_connect(path), None)
        journal._check_kind(path, MISSING)
        return journal

    @staticmethod
    def write(path: Path, fresh: bool = False) -> "Journal":
        """To check with it: made where there is none. `fresh`: what is in it is thrown away."""
        try:
            lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise FleetError(f"{path}: {error.strerror}", USAGE) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise FleetError(f"{path}: another run is writing it", USAGE) from None
        try:
            journal = Journal(_connect(path), lock)
        except BaseException:
            os.close(lock)
            raise
        try:
            journal._prepare(path, fresh)
        except BaseException:
            journal.close()
            raise
        return journal

    def _prepare(self, path: Path, fresh: bool) -> None:
        with _told(path):
            empty = not self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not empty:
            self._check_kind(path, USAGE)
        if empty or fresh:
            with self._connection:
                self._connection.executescript("BEGIN; DROP TABLE IF EXISTS fleet; DROP TABLE IF EXISTS archive;" + _TABLES)
                self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._set("schema", SCHEMA)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def _check_kind(self, path: Path, status: int) -> None:
        try:
            application = self._connection.execute("PRAGMA application_id").fetchone()[0]
            schema = self.get("schema") if application == _APPLICATION else None
        except sqlite3.DatabaseError:
            schema = None
        if schema != SCHEMA:
            self.close()
            raise FleetError(f"{path}: is no journal of fleet check", status)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def get(self, key: str) -> Any:
        """What was set, or None."""
        found = self._connection.execute("SELECT value FROM fleet WHERE key = ?", (key,)).fetchone()
        return json.loads(found[0]) if found else None

    def set(self, key: str, value: Any) -> None:
        with self._connection:
            self._set(key, value)

    def _set(self, key: str, value: Any) -> None:
        self._connection.execute("INSERT OR REPLACE INTO fleet VALUES (?, ?)", (key, json.dumps(value)))

    def take(self, archives: Sequence[Archive], drop: bool, retry: bool) -> tuple[list[Pending], int]:
        """Makes these the journal's archives; those to be checked, and how many were dropped.

        The result of an archive that is another one now is forgotten, with `retry` also one without a verdict.
        `drop`: those that are no longer there are dropped.
        """
        paths = {shown(archive.path): archive.path for archive in archives}
        with self._connection as connection:
            connection.execute("CREATE TEMP TABLE now (place INTEGER, name TEXT PRIMARY KEY, stamp TEXT)")
            rows = [(place, shown(archive.path), archive.stamp) for place, archive in enumerate(archives)]
            connection.executemany("INSERT INTO now VALUES (?, ?, ?)", rows)
            dropped = 0
            if drop:
                dropped = connection.execute("DELETE FROM archive WHERE name NOT IN (SELECT name FROM now)").rowcount
            connection.execute(
                f"UPDATE archive SET deaths = 0, {_FORGET} WHERE stamp <> (SELECT stamp FROM now WHERE now.name = archive.name)"
            )
            if retry:
                connection.execute(
                    f"UPDATE archive SET deaths = 0, {_FORGET} WHERE outcome NOT IN ('conformant', 'not_conformant')"
                )
            connection.execute(
                "INSERT INTO archive (place, name, stamp) SELECT place, name, stamp FROM now WHERE true "
                "ON CONFLICT (name) DO UPDATE SET place = excluded.place, stamp = excluded.stamp"
            )
            connection.execute("DROP TABLE now")
        found = self._connection.execute("SELECT id, name, deaths FROM archive WHERE outcome IS NULL ORDER BY place")
        return [Pending(each, paths[name], deaths) for each, name, deaths in found if name in paths], dropped

    def record(self, archives: Sequence[Pending], results: Sequence[Mapping[str, Any]], worker: str) -> None:
        """One transaction: all of a chunk or nothing."""
        rows = []
        for archive, result in zip(archives, results, strict=True):
            report = result["report"]
            counts = report["counts"] if report else {}
            rows.append((
                result["outcome"],
                result["because"],
                *(counts.get(severity, 0) for severity in SEVERITIES),
                json.dumps(report, separators=(",", ":")) if report else "",
                worker,
                archive.identifier,
            ))  # fmt: skip
        with self._connection as connection:
            connection.executemany(
                "UPDATE archive SET outcome = ?, because = ?, fatal = ?, error = ?, warning = ?, info = ?, report = ?, "
                "worker = ?, finished = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE id = ?",
                rows,
            )

    def note_death(self, archives: Iterable[Pending]) -> None:
        """A worker died that had these."""
        with self._connection as connection:
            connection.executemany(
                "UPDATE archive SET deaths = deaths + 1 WHERE id = ?", [(archive.identifier,) for archive in archives]
            )

    def outcomes(self) -> dict[str, int]:
        """How many there are of each."""
        found = self._connection.execute("SELECT outcome, count(*) FROM archive WHERE outcome IS NOT NULL GROUP BY outcome")
        return dict(found.fetchall())

    def counts(self) -> dict[str, int]:
        """Violations by severity."""
        sums = ", ".join(f"coalesce(sum({severity}), 0)" for severity in SEVERITIES)
        return dict(zip(SEVERITIES, self._connection.execute(f"SELECT {sums} FROM archive").fetchone()))

    def pending(self) -> int:
        number: int = self._connection.execute("SELECT count(*) FROM archive WHERE outcome IS NULL").fetchone()[0]
        return number

    def rows(self, but: str = "", limit: int = -1) -> Iterator[Row]:
        """Results in the order of the archives; `but` leaves an outcome out."""
        query = (
            "SELECT name, outcome, because, report, worker, finished, fatal, error, warning, info FROM archive "
            "WHERE outcome IS NOT NULL AND outcome <> ? ORDER BY place LIMIT ?"
        )
        for name, outcome, because, report, worker, finished, *counts in self._connection.execute(query, (but, limit)):
            yield Row(name, outcome, because, dict(zip(SEVERITIES, counts)), report, worker, finished)


def _connect(path: Path) -> sqlite3.Connection:
    with _told(path):
        connection = sqlite3.connect(path, timeout=60, isolation_level="IMMEDIATE")
        connection.execute("PRAGMA schema_version").fetchone()
        return connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise FleetError(f"{path}: {error}", INTERNAL) from None
        raise FleetError(f"{path}: is no journal of fleet check", USAGE) from None
