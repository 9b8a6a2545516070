# SPDX-License-Identifier: Apache-2.0
import os
import sqlite3
from pathlib import Path

import pytest

from qa.support import sqlite_file


def make(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA application_id = 77")


def test_one_run_at_a_time_writes(tmp_path: Path) -> None:
    lock = sqlite_file.locked(tmp_path / "a")
    with pytest.raises(sqlite_file.Taken):
        sqlite_file.locked(tmp_path / "a")
    os.close(lock)
    os.close(sqlite_file.locked(tmp_path / "a"))


def test_a_new_file_takes_the_place_of_what_was_there_and_of_its_log(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("other", encoding="utf-8")
    (tmp_path / "a-wal").write_text("log", encoding="utf-8")
    sqlite_file.create(path, make)
    assert os.listdir(tmp_path) == ["a"]
    assert sqlite_file.is_of(path, 77) and not sqlite_file.is_of(path, 78) and not sqlite_file.is_empty(path)
    connection = sqlite_file.connected(path)
    assert sqlite_file.damage_of(connection) == ""
    connection.close()


def test_what_cannot_be_made_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("other", encoding="utf-8")

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("no SQL")

    with pytest.raises(sqlite3.Error):
        sqlite_file.create(path, fail)
    assert os.listdir(tmp_path) == ["a"] and path.read_text(encoding="utf-8") == "other"
    assert not sqlite_file.is_of(path, 77)


def test_damage_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "a"

    def fill(connection: sqlite3.Connection) -> None:
        make(connection)
        connection.executemany("INSERT INTO t VALUES (?)", [(k,) for k in range(2000)])

    sqlite_file.create(path, fill)
    content = bytearray(path.read_bytes())
    content[4096 + 8 : 4096 + 200] = bytes(192)  # in the head of the table's first page
    path.write_bytes(content)
    connection = sqlite_file.connected(path)
    assert sqlite_file.damage_of(connection) != ""
    connection.close()
