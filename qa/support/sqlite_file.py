# SPDX-License-Identifier: Apache-2.0
"""SQLite files that a program keeps for itself: one run at a time writes, and nobody ever sees half of a new one."""

import fcntl
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

_MAGIC = b"SQLite format 3\0"
_APPLICATION_PLACE = slice(68, 72)


class Taken(Exception):
    """Another run is writing it."""


def locked(path: Path) -> int:
    """The descriptor of a lock beside the file, which holds until it is closed. Raises Taken and OSError."""
    lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise Taken from None
    return lock


def connected(path: Path) -> sqlite3.Connection:
    """Raises sqlite3.Error."""
    return sqlite3.connect(path, timeout=60, isolation_level="IMMEDIATE")


def is_empty(path: Path) -> bool:
    """Whether it has no byte, which SQLite would take for a new file. Raises OSError."""
    return path.stat().st_size == 0


def is_of(path: Path, application: int) -> bool:
    """Whether it is an SQLite file with this application_id. Raises OSError."""
    with open(path, "rb") as file:
        head = file.read(100)
    return head.startswith(_MAGIC) and int.from_bytes(head[_APPLICATION_PLACE], "big") == application


def damage_of(connection: sqlite3.Connection) -> str:
    """What SQLite says of its integrity; "" if all is well. Raises sqlite3.Error."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else str(found)


def create(path: Path, make: Callable[[sqlite3.Connection], None]) -> None:
    """Puts a new one in its place, with what `make` puts into it. To be called by whoever has the lock.

    Raises OSError and sqlite3.Error; then what was there is there.
    """
    made = path.with_name(f"{path.name}-new")
    try:
        made.unlink(missing_ok=True)
        connection = sqlite3.connect(made, isolation_level="IMMEDIATE")
        try:
            with connection:
                make(connection)
        finally:
            connection.close()
        # What the write-ahead log of another one holds must not get into this one.
        for suffix in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        made.replace(path)
    except (OSError, sqlite3.Error):
        made.unlink(missing_ok=True)
        raise
