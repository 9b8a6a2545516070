"""The journal keeps what it was given, gives what is to be done, and is not taken for another file."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from qa.fleet.archives import Archive
from qa.fleet.error import FleetError
from qa.fleet.journal import Journal, shown

_COUNTS = {"fatal": 0, "error": 2, "warning": 1, "info": 0}


def result(outcome: str) -> dict[str, Any]:
    return {"outcome": outcome, "because": "", "report": {"counts": _COUNTS}}


def archives(*names: str, stamp: str = "s") -> list[Archive]:
    return [Archive(name, stamp) for name in names]


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def take(journal: Journal, now: list[Archive], drop: bool = True, retry: bool = False) -> list[str]:
    return [pending.path for pending in journal.take(now, drop, retry)[0]]


def check(journal: Journal, names: list[str], outcome: str = "conformant") -> None:
    pending = [each for each in journal.take(archives("/a", "/b", "/c"), False, False)[0] if each.path in names]
    journal.record(pending, [result(outcome)] * len(pending), "host:1")


def test_what_is_recorded_is_there_when_it_is_opened_again(path: Path) -> None:
    with Journal.write(path) as journal:
        assert take(journal, archives("/a", "/b", "/c")) == ["/a", "/b", "/c"]
        check(journal, ["/b"], "not_conformant")
    with Journal.write(path) as journal:
        assert take(journal, archives("/a", "/b", "/c")) == ["/a", "/c"]
        assert journal.outcomes() == {"not_conformant": 1}
        assert journal.counts() == _COUNTS
        assert journal.pending() == 2
    with Journal.read(path) as journal:
        (row,) = journal.rows()
        assert (row.name, row.outcome, row.counts, row.worker) == ("/b", "not_conformant", _COUNTS, "host:1")


def test_an_archive_that_has_changed_is_to_be_checked_again(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a", "/b", "/c"])
        assert take(journal, [Archive("/a", "s"), Archive("/b", "other"), Archive("/c", "s")]) == ["/b"]
        assert journal.outcomes() == {"conformant": 2}


def test_archives_that_are_gone_are_dropped_unless_they_may_only_be_out_of_sight(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a", "/b", "/c"])
        assert take(journal, archives("/a"), drop=False) == []
        assert journal.outcomes() == {"conformant": 3}
        assert journal.take(archives("/a"), True, False) == ([], 2)
        assert journal.outcomes() == {"conformant": 1}


def test_what_got_no_verdict_is_retried_if_asked_for(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a"])
        check(journal, ["/b"], "worker_died")
        check(journal, ["/c"], "not_conformant")
        now = archives("/a", "/b", "/c")
        assert take(journal, now) == []
        assert take(journal, now, retry=True) == ["/b"]


def test_deaths_are_remembered(path: Path) -> None:
    with Journal.write(path) as journal:
        pending, _ = journal.take(archives("/a", "/b"), True, False)
        journal.note_death(pending[1:])
    with Journal.write(path) as journal:
        assert [each.deaths for each in journal.take(archives("/a", "/b"), True, False)[0]] == [0, 1]


def test_order_is_that_of_the_archives(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/c"])
        check(journal, ["/a", "/b"])
        assert [row.name for row in journal.rows()] == ["/a", "/b", "/c"]


def test_names_that_are_no_text_are_told_apart(path: Path) -> None:
    with Journal.write(path) as journal:
        assert take(journal, archives("/\udcff", "/\udcfe")) == ["/\udcff", "/\udcfe"]
    assert shown("/\udcff") == "bytes:/%FF"


def test_only_one_run_writes_a_journal(path: Path) -> None:
    with Journal.write(path):
        with pytest.raises(FleetError, match="another run") as raised:
            Journal.write(path)
        assert raised.value.status == 2
        Journal.read(path).close()
    Journal.write(path).close()


def test_fresh_throws_away(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a"])
        journal.set("arguments", ["/"])
    with Journal.write(path, fresh=True) as journal:
        assert journal.outcomes() == {}
        assert journal.get("arguments") is None


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("kind", ["text", "database"])
def test_another_file_is_refused_and_left_as_it_is(kind: str, fresh: bool, path: Path) -> None:
    if kind == "text":
        path.write_bytes(b"\0\0\0\x84" * 1000)
    else:
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE archive (x)")
        connection.commit()
        connection.close()
    before = path.read_bytes()
    with pytest.raises(FleetError, match="is no journal") as raised:
        Journal.write(path, fresh)
    assert raised.value.status == 2
    with pytest.raises(FleetError, match="is no journal"):
        Journal.read(path)
    assert path.read_bytes() == before
