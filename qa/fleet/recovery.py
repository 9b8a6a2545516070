# SPDX-License-Identifier: Apache-2.0
"""What is left of a damaged journal, as a new one. What is lost is checked again, which is all the harm."""

import json
import sqlite3
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from qa.fleet.error import MISSING, USAGE, FleetError
from qa.fleet.journal import Journal

# Of format 0 too; what later ones have beside these is asked for apart.
_COLUMNS = ("id", "place", "name", "stamp", "deaths", "outcome", "because",
            "fatal", "error", "warning", "info", "report", "worker", "finished")  # fmt: skip
_LATER = ("digests", "members")
_LOST_IN_A_ROW = 10_000  # identifiers that cannot be read, after which there are no more


def recover(damaged: Path, to: Path) -> tuple[int, int]:
    """Returns how many archives, and how many results among them, are in the journal `to`, which is made."""
    if to.exists():
        raise FleetError(f"{to}: exists", USAGE)
    if not damaged.is_file():
        raise FleetError(f"{damaged}: no such journal", MISSING)
    source = sqlite3.connect(f"file:{urllib.parse.quote(str(damaged.absolute()))}?mode=ro", uri=True)
    try:
        try:
            # Else SQLite opens none that is shorter than it should be. It is read-only.
            source.execute("PRAGMA writable_schema = ON")
            settings = source.execute("SELECT key, value FROM fleet").fetchall()
            for _, value in settings:
                json.loads(value)
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise FleetError(f"{damaged}: not even what it is about can be read ({error}): begin anew with --fresh", MISSING) from None
        rows = [row for row in _rows(source) if _is_sound(row)]
    finally:
        source.close()
    with Journal.write(to) as journal:
        journal.restore(settings, _COLUMNS + _LATER, rows)
    archives = [row for row in rows if row[-1] is None]
    return len(archives), sum(row[_COLUMNS.index("outcome")] is not None for row in archives)


def _rows(source: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """All that can be read, however much between them cannot."""
    later = ", ".join(column if _has(source, column) else "NULL" for column in _LATER)
    query = f"SELECT {', '.join(_COLUMNS)}, {later} FROM archive NOT INDEXED WHERE id >= ? ORDER BY id"
    identifier = lost = 0
    while lost < _LOST_IN_A_ROW:
        try:
            for row in source.execute(query, (identifier,)):
                yield row
                identifier, lost = row[0] + 1, 0
            return
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            identifier, lost = identifier + 1, lost + 1


def _has(source: sqlite3.Connection, column: str) -> bool:
    try:
        source.execute(f"SELECT {column} FROM archive LIMIT 0")
        return True
    except sqlite3.DatabaseError:
        return False


def _is_sound(row: tuple[Any, ...]) -> bool:
    """Its text is JSON where it has to be."""
    told = dict(zip(_COLUMNS + _LATER, row))
    try:
        for key in ("report", "digests"):
            if told[key]:
                json.loads(told[key])
    except (ValueError, TypeError):
        return False
    return isinstance(told["name"], str) and isinstance(told["stamp"], str) and isinstance(told["deaths"], int)
