# SPDX-License-Identifier: Apache-2.0
"""The journal of a run: an SQLite file that takes each result as it arrives, so that whatever is lost, they are not.

One run writes at a time (a lock beside the file says so); others may read meanwhile.
"""

import hashlib
import json
import os
import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.fleet.archives import Archive, Directory
from qa.fleet.error import INTERNAL, MISSING, USAGE, FleetError
from qa.fleet.outcomes import SEVERITIES
from qa.support import sqlite_file
from qa.support.display import shown

SCHEMA = "pmproof-fleet/1"
_APPLICATION = 0x706D666C  # "pmfl", in the file's header: what else is SQLite is not a journal
_FORMAT = 2  # user_version; 0 had no digests, 1 no sets
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
  digests TEXT,                      -- of each file, as JSON; NULL: content not known
  members INTEGER,                   -- of a set, which is called as its directory with "/" at the end; NULL: an archive
  finished TEXT                      -- UTC
);
"""
_quoted = json.JSONEncoder().encode
_NO_COUNTS = dict.fromkeys(SEVERITIES, 0)
_IS_SET = {False: "members IS NULL", True: "members IS NOT NULL"}
_FORGET = (
    "outcome = NULL, because = NULL, fatal = NULL, error = NULL, warning = NULL, info = NULL, "
    "report = NULL, worker = NULL, finished = NULL, digests = NULL"
)


@dataclass(frozen=True)
class Pending:
    """An archive or a set without a result; or an archive with a result that holds if the content of its files is as `known`.

    A set has `members`, and its directory as path.
    """

    identifier: int
    path: str
    deaths: int
    files: Sequence[str] = ()
    known: Mapping[str, str] | None = None
    members: Sequence[str] = ()
    size: int = 0  # bytes


class _Damaged(Exception):
    """What SQLite says of it."""


@dataclass(frozen=True)
class Row:
    """A result; `report` is JSON or empty. Of a set `members` is their number, and the name that of its directory."""

    name: str
    outcome: str
    because: str
    counts: Mapping[str, int]
    report: str
    worker: str
    finished: str
    members: int = 0


@dataclass(frozen=True)
class Totals:
    """How many there are of each outcome, and violations by severity."""

    outcomes: dict[str, int]
    counts: dict[str, int]


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
        _has_content(path, MISSING)
        journal = Journal(_connect(path), None)
        try:
            journal._check(path)
            journal._complete()
        except _Damaged as damage:
            journal.close()
            raise FleetError(damaged(path, damage), MISSING) from None
        except BaseException:
            journal.close()
            raise
        return journal

    @staticmethod
    def write(path: Path, fresh: bool = False) -> "Journal":
        """To check with it: made where there is none. `fresh`: what is in it is thrown away."""
        try:
            lock = sqlite_file.locked(path)
        except OSError as error:
            raise FleetError(f"{path}: {error.strerror}", USAGE) from None
        except sqlite_file.Taken:
            raise FleetError(f"{path}: another run is writing it", USAGE) from None
        try:
            return Journal._open(path, fresh, lock)
        except BaseException:
            os.close(lock)
            raise

    @staticmethod
    def _open(path: Path, fresh: bool, lock: int) -> "Journal":
        if not os.path.lexists(path) or not _has_content(path, USAGE, may_be_empty=fresh):
            _create(path)
        journal = Journal(_connect(path), None)
        try:
            journal._check(path)
            journal._prepare(fresh)
        except _Damaged as damage:
            journal.close()
            if not fresh:
                raise FleetError(damaged(path, damage), MISSING) from None
            _create(path)
            return Journal._open(path, False, lock)
        except BaseException:
            journal.close()
            raise
        journal._lock = lock
        return journal

    def _check(self, path: Path) -> None:
        """Raises _Damaged; FleetError where it is of a later version, or cannot be opened now."""
        try:
            if damage := sqlite_file.damage_of(self._connection):
                raise _Damaged(damage)
            schema, form = self.get("schema"), self._connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not str(error).startswith("no such table"):
                raise FleetError(f"{path}: {error}", INTERNAL) from None
            raise _Damaged(error) from None
        if schema != SCHEMA or form > _FORMAT:
            raise FleetError(f"{path}: is a journal of a later fleet check", USAGE)

    def _complete(self) -> None:
        """Makes one of an earlier version, which stays as it is, look like one of this version."""
        if self._connection.execute("PRAGMA user_version").fetchone()[0] < _FORMAT:
            self._connection.execute("CREATE TEMP VIEW archive AS SELECT *, NULL AS members FROM main.archive")

    def _prepare(self, fresh: bool) -> None:
        # Debian's SQLite writes zeros over what is deleted. There is nothing to hide, and --fresh took ten times as long.
        self._connection.execute("PRAGMA secure_delete = OFF")
        if fresh:
            with self._connection:
                _make_tables(self._connection)
        else:
            form = self._connection.execute("PRAGMA user_version").fetchone()[0]
            with self._connection:
                for column in ("digests TEXT", "members INTEGER")[form:]:
                    self._connection.execute(f"ALTER TABLE archive ADD COLUMN {column}")
                self._connection.execute(f"PRAGMA user_version = {_FORMAT}")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")

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

    def take(
        self, archives: Sequence[Archive], drop: bool, retry: bool, compare: bool = False
    ) -> tuple[list[Pending], int]:
        """Makes these the journal's archives; those to be checked, and how many were dropped.

        The result of an archive that is another one now is forgotten, with `retry` also one without a verdict. `drop`:
        those that are no longer there are dropped. `compare`: a verdict holds if the content is as it was, so that
        these are among what is to be checked, as `known`; one on unknown content is forgotten.
        """
        by_name = {shown(archive.path): archive for archive in archives}
        verdict = "outcome IN ('conformant', 'not_conformant')"
        with self._connection as connection:
            connection.execute("CREATE TEMP TABLE now (place INTEGER, name TEXT PRIMARY KEY, stamp TEXT)")
            rows = [(place, shown(archive.path), archive.stamp) for place, archive in enumerate(archives)]
            connection.executemany("INSERT INTO now VALUES (?, ?, ?)", rows)
            dropped = 0
            if drop:
                dropped = connection.execute(
                    "DELETE FROM archive WHERE members IS NULL AND name NOT IN (SELECT name FROM now)"
                ).rowcount
            connection.execute(
                f"UPDATE archive SET deaths = 0, {_FORGET} WHERE stamp <> (SELECT stamp FROM now WHERE now.name = archive.name)"
            )
            if retry:
                connection.execute(f"UPDATE archive SET deaths = 0, {_FORGET} WHERE NOT {verdict}")
            if compare:
                connection.execute(
                    f"UPDATE archive SET deaths = 0, {_FORGET} WHERE {verdict} AND digests IS NULL AND members IS NULL"
                )
            connection.execute(
                "INSERT INTO archive (place, name, stamp) SELECT place, name, stamp FROM now WHERE true "
                "ON CONFLICT (name) DO UPDATE SET place = excluded.place, stamp = excluded.stamp"
            )
            connection.execute("DROP TABLE now")
        found = self._connection.execute(
            "SELECT id, name, deaths, outcome IS NOT NULL, digests FROM archive "
            "WHERE members IS NULL AND (outcome IS NULL OR (? AND digests IS NOT NULL)) ORDER BY place",
            (compare,),
        )
        pending = []
        for identifier, name, deaths, is_done, digests in found:
            if archive := by_name.get(name):
                known = json.loads(digests) if is_done else None
                pending.append(Pending(identifier, archive.path, deaths, archive.files, known, size=archive.size))
        return pending, dropped

    def take_sets(self, directories: Sequence[Directory], drop: bool) -> list[Pending]:
        """Makes these the journal's sets; those to be checked. To be called when their members have results.

        The result of a set whose members are others now, or have other results or content, is forgotten. `drop`: those
        that are no longer there are dropped.
        """
        by_name = {_set_name(directory.path): directory for directory in directories}
        stamps = self._stamps(directories)
        with self._connection as connection:
            connection.execute("CREATE TEMP TABLE now (place INTEGER, name TEXT PRIMARY KEY, stamp TEXT, members INTEGER)")
            rows = [(place, name, stamps[place], len(each.members)) for place, (name, each) in enumerate(by_name.items())]
            connection.executemany("INSERT INTO now VALUES (?, ?, ?, ?)", rows)
            if drop:
                connection.execute("DELETE FROM archive WHERE members IS NOT NULL AND name NOT IN (SELECT name FROM now)")
            connection.execute(
                f"UPDATE archive SET deaths = 0, {_FORGET} WHERE members IS NOT NULL "
                "AND stamp <> (SELECT stamp FROM now WHERE now.name = archive.name)"
            )
            connection.execute(
                "INSERT INTO archive (place, name, stamp, members) SELECT place, name, stamp, members FROM now WHERE true "
                "ON CONFLICT (name) DO UPDATE SET place = excluded.place, stamp = excluded.stamp, members = excluded.members"
            )
            connection.execute("DROP TABLE now")
        found = self._connection.execute(
            "SELECT id, name, deaths FROM archive WHERE members IS NOT NULL AND outcome IS NULL ORDER BY place"
        )
        return [
            Pending(identifier, directory.path, deaths, members=directory.members)
            for identifier, name, deaths in found
            if (directory := by_name.get(name))
        ]

    def _stamps(self, directories: Sequence[Directory]) -> list[str]:
        """Of each, what changes with its members: their names, content and outcomes."""
        known = [hashlib.sha256() for _ in directories]
        places = {shown(path): place for place, directory in enumerate(directories) for path in directory.members}
        columns = "name, stamp, digests, outcome"
        for name, *about in self._connection.execute(f"SELECT {columns} FROM archive WHERE members IS NULL ORDER BY place"):
            if (place := places.get(name)) is not None:
                known[place].update(json.dumps([name, *about]).encode() + b"\n")
        return [each.hexdigest()[:32] for each in known]

    def members_of(self, pending: Pending) -> Iterator[Row]:
        """The results of a set's members."""
        for path in pending.members:
            yield from self._rows("name = ?", (shown(path),))

    def record(self, archives: Sequence[Pending], results: Sequence[Mapping[str, Any]], worker: str) -> None:
        """One transaction: all of a chunk or nothing. Of an archive that is the same the result stays."""
        rows = []
        for archive, result in zip(archives, results, strict=True):
            if "same" in result:
                continue
            digests = result.get("digests")
            counts = result["counts"] or _NO_COUNTS
            rows.append((
                result["outcome"],
                result["because"],
                *[counts[severity] for severity in SEVERITIES],
                result["report"] or "",
                worker,
                None if digests is None else _compact(digests),
                archive.identifier,
            ))  # fmt: skip
        same = [(archive.identifier,) for archive, result in zip(archives, results) if "same" in result]
        with self._connection as connection:
            connection.executemany(
                "UPDATE archive SET deaths = 0, outcome = ?, because = ?, fatal = ?, error = ?, warning = ?, info = ?, report = ?, "
                "worker = ?, finished = strftime('%Y-%m-%dT%H:%M:%SZ'), digests = ? WHERE id = ?",
                rows,
            )
            connection.executemany("UPDATE archive SET deaths = 0 WHERE id = ? AND deaths <> 0", same)

    def restore(self, settings: Iterable[tuple[str, str]], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """What was in another journal. A name that comes twice counts once."""
        with self._connection as connection:
            connection.executemany("INSERT OR REPLACE INTO fleet VALUES (?, ?)", settings)
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT OR IGNORE INTO archive ({', '.join(columns)}) VALUES ({marks})", rows)

    def note_death(self, archives: Iterable[Pending]) -> None:
        """A worker died that had these."""
        with self._connection as connection:
            connection.executemany(
                "UPDATE archive SET deaths = deaths + 1 WHERE id = ?", [(archive.identifier,) for archive in archives]
            )

    def totals(self) -> tuple[Totals, Totals]:
        """Of archives and of sets, in one pass over all results, which are long."""
        sums = ", ".join(f"sum({severity})" for severity in SEVERITIES)
        found = self._connection.execute(
            f"SELECT members IS NOT NULL, outcome, count(*), {sums} FROM archive WHERE outcome IS NOT NULL GROUP BY 1, 2"
        )
        both = (Totals({}, dict.fromkeys(SEVERITIES, 0)), Totals({}, dict.fromkeys(SEVERITIES, 0)))
        for is_set, outcome, number, *counts in found:
            both[is_set].outcomes[outcome] = number
            for severity, count in zip(SEVERITIES, counts):
                both[is_set].counts[severity] += count
        return both

    def outcomes(self, sets: bool = False) -> dict[str, int]:
        """How many there are of each, of archives or of sets."""
        found = self._connection.execute(
            f"SELECT outcome, count(*) FROM archive WHERE outcome IS NOT NULL AND {_IS_SET[sets]} GROUP BY outcome"
        )
        return dict(found.fetchall())

    def pending(self, sets: bool = False) -> int:
        found = self._connection.execute(f"SELECT count(*) FROM archive WHERE outcome IS NULL AND {_IS_SET[sets]}")
        number: int = found.fetchone()[0]
        return number

    def forget_all(self) -> int:
        """All results; returns of how many archives."""
        before = sum(self.outcomes().values())
        with self._connection as connection:
            connection.execute(f"UPDATE archive SET deaths = 0, {_FORGET}")
        return before

    def unmet(self) -> Iterator[tuple[Row, list[dict[str, Any]]]]:
        """Archives that do not have what the policy requires, and the findings about that."""
        for row in self.rows():
            if '"unmet"' in row.report and (findings := json.loads(row.report).get("unmet")):
                yield row, findings

    def rows(self, but: str = "", limit: int = -1, sets: bool = False) -> Iterator[Row]:
        """Results in the order of the archives, or of the sets; `but` leaves an outcome out."""
        where = f"outcome IS NOT NULL AND outcome <> ? AND {_IS_SET[sets]} ORDER BY place LIMIT ?"
        return self._rows(where, (but, limit))

    def names_without_result(self) -> Iterator[str]:
        """Of archives, in their order."""
        for (name,) in self._connection.execute("SELECT name FROM archive WHERE outcome IS NULL AND members IS NULL ORDER BY place"):
            yield name

    def _rows(self, where: str, values: Sequence[Any]) -> Iterator[Row]:
        query = (
            "SELECT name, outcome, because, report, worker, finished, members, fatal, error, warning, info FROM archive "
            f"WHERE {where}"
        )
        for name, outcome, because, report, worker, finished, members, *counts in self._connection.execute(query, values):
            called = name if members is None else name.removesuffix("/") or "/"
            yield Row(called, outcome, because, dict(zip(SEVERITIES, counts)), report, worker, finished, members or 0)


def _compact(texts: Mapping[str, str]) -> str:
    """As JSON without blanks. Hundreds of thousands of them: What makes JSON of any value takes twice as long."""
    return "{" + ",".join([f"{_quoted(key)}:{_quoted(text)}" for key, text in texts.items()]) + "}"


def _set_name(directory: str) -> str:
    """An archive may be called as a directory is."""
    return shown(directory.removesuffix("/") + "/")


def damaged(path: Path, error: Exception) -> str:
    """What is to be done with a journal of which SQLite says `error`."""
    file, other = shlex.quote(str(path)), shlex.quote(f"{path}.recovered")
    return (
        f"{path}: the journal is damaged ({error}). Recover what is left into another one by "
        f"`fleet recover {file} {other}` and go on with --journal {other}, or begin anew with --fresh"
    )


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return sqlite_file.connected(path)
    except sqlite3.Error as error:
        raise FleetError(f"{path}: {error}", INTERNAL) from None


def _has_content(path: Path, status: int, may_be_empty: bool = False) -> bool:
    """Raises FleetError where it is not a journal at all."""
    try:
        if sqlite_file.is_empty(path):
            if may_be_empty:
                return False
            text = "is empty, which a journal never is: its results are lost. Put a copy of it in its place, or begin anew with --fresh"
            raise FleetError(f"{path} {text}", MISSING)
        if not sqlite_file.is_of(path, _APPLICATION):
            raise FleetError(f"{path}: is not a journal of fleet check", status)
    except OSError as error:
        raise FleetError(f"{path}: {error.strerror}", status) from None
    return True


def _create(path: Path) -> None:
    try:
        sqlite_file.create(path, _make_tables)
    except (OSError, sqlite3.Error) as error:
        raise FleetError(f"{path}: {error}", USAGE) from None


def _make_tables(connection: sqlite3.Connection) -> None:
    connection.executescript("BEGIN; DROP TABLE IF EXISTS fleet; DROP TABLE IF EXISTS archive;" + _TABLES)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_FORMAT}")
    connection.execute("INSERT INTO fleet VALUES ('schema', ?)", (json.dumps(SCHEMA),))
