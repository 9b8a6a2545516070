# SPDX-License-Identifier: Apache-2.0
"""The journal keeps what it was given, gives what is to be done, and is not taken for another file."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from qa.fleet.archives import Archive, Directory
from qa.fleet.error import FleetError
from qa.fleet.journal import Journal, Totals
from qa.support.display import shown

_COUNTS = {"fatal": 0, "error": 2, "warning": 1, "info": 0}


def result(outcome: str) -> dict[str, Any]:
    return {"outcome": outcome, "because": "", "counts": _COUNTS, "report": "{}"}


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
        assert journal.totals()[0].counts == _COUNTS
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


def test_a_worker_that_died_is_forgotten_when_the_archive_turns_out_to_be_the_same(path: Path) -> None:
    now = archives("/a", "/b")
    with Journal.write(path) as journal:
        with_digests(journal, {"a.0": "1"})
        pending, _ = journal.take(now, True, False, compare=True)
        journal.note_death(pending)
        journal.record(pending[:1], [{"same": True}], "host:1")
        assert [each.deaths for each in journal.take(now, True, False, compare=True)[0]] == [0, 1]


def test_totals_are_of_archives_and_of_sets_apart(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a"])
        check(journal, ["/b"], "not_conformant")
        (pending,) = journal.take_sets([Directory("/", ("/a", "/b"))], drop=True)
        journal.record([pending], [{**result("timeout"), "counts": None, "report": None}], "host:1")
        of_archives, of_sets = journal.totals()
    assert of_archives == Totals({"conformant": 1, "not_conformant": 1}, {key: 2 * count for key, count in _COUNTS.items()})
    assert of_sets == Totals({"timeout": 1}, dict.fromkeys(_COUNTS, 0))


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
    with pytest.raises(FleetError, match="is not a journal") as raised:
        Journal.write(path, fresh)
    assert raised.value.status == 2
    with pytest.raises(FleetError, match="is not a journal"):
        Journal.read(path)
    assert path.read_bytes() == before


def damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    path.write_bytes({
        "emptied": b"",
        "cut": content[: len(content) // 2],
        "overwritten": content[:4096] + b"\xa5" * (len(content) - 4096),
        "without tables": content[:100] + bytes(3996) + content[4096:],
    }[how])


DAMAGES = ["emptied", "cut", "overwritten", "without tables"]


def make_a_journal(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a", "/b"])
        journal.set("arguments", ["/" * 10000])


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_journal_is_refused_with_what_to_do_and_left_as_it_is(how: str, path: Path) -> None:
    make_a_journal(path)
    damage(path, how)
    before = path.read_bytes()
    for name in ("write", "read"):
        with pytest.raises(FleetError) as raised:
            getattr(Journal, name)(path)
        assert raised.value.status == 4
        assert "begin anew with --fresh" in str(raised.value)
        assert how == "emptied" or f"`fleet recover {path} {path}.recovered`" in str(raised.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("how", DAMAGES)
def test_fresh_makes_a_new_one_of_a_damaged_one(how: str, path: Path) -> None:
    make_a_journal(path)
    damage(path, how)
    path.with_name("journal-wal").write_bytes(b"of another one")
    with Journal.write(path, fresh=True) as journal:
        assert take(journal, archives("/a")) == ["/a"]
    with Journal.write(path) as journal:
        assert journal.pending() == 1


def test_a_new_journal_is_whole_before_it_has_its_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_short(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut_short)
        with pytest.raises(FleetError, match="No space left"):
            Journal.write(path)
    assert [each.name for each in path.parent.iterdir()] == ["journal-lock"]
    Journal.write(path).close()


def with_digests(journal: Journal, known: dict[str, str]) -> None:
    pending, _ = journal.take(archives("/a", "/b"), False, False)
    journal.record(pending, [{**result("conformant"), "digests": known} for _ in pending], "host:1")


def test_a_verdict_is_compared_with_the_content_it_is_about(path: Path) -> None:
    with Journal.write(path) as journal:
        with_digests(journal, {"a.0": "1"})
        pending, _ = journal.take(archives("/a", "/b"), True, False, compare=True)
        assert [(each.path, each.known) for each in pending] == [("/a", {"a.0": "1"}), ("/b", {"a.0": "1"})]
        # One is as it was, one is not.
        journal.record(pending, [{"same": True}, {**result("not_conformant"), "digests": {"a.0": "2"}}], "host:1")
        assert journal.outcomes() == {"conformant": 1, "not_conformant": 1}
        assert [each.known for each in journal.take(archives("/a", "/b"), True, False, compare=True)[0]] == [{"a.0": "1"}, {"a.0": "2"}]
        assert journal.take(archives("/a", "/b"), True, False) == ([], 0)


def test_a_journal_without_digests_is_taken_over_and_its_verdicts_are_not_believed(path: Path) -> None:
    with Journal.write(path) as journal:
        with_digests(journal, {})
    connection = sqlite3.connect(path)
    connection.executescript(
        "ALTER TABLE archive DROP COLUMN digests; ALTER TABLE archive DROP COLUMN members; PRAGMA user_version = 0"
    )
    connection.close()
    with Journal.read(path) as journal:
        assert len(list(journal.rows())) == 2
    with Journal.write(path) as journal:
        assert take(journal, archives("/a", "/b")) == []
        pending, _ = journal.take(archives("/a", "/b"), True, False, compare=True)
        assert [(each.path, each.known) for each in pending] == [("/a", None), ("/b", None)]


def test_a_journal_without_sets_is_taken_over_and_takes_some(path: Path) -> None:
    with Journal.write(path) as journal:
        with_digests(journal, {"a.0": "1"})
    connection = sqlite3.connect(path)
    connection.executescript("ALTER TABLE archive DROP COLUMN members; PRAGMA user_version = 1")
    connection.close()
    with Journal.read(path) as journal:
        assert (len(list(journal.rows())), list(journal.rows(sets=True)), journal.pending(sets=True)) == (2, [], 0)
    with Journal.write(path) as journal:
        assert journal.take(archives("/a", "/b"), True, False) == ([], 0)
        assert [each.path for each in journal.take_sets([Directory("/", ("/a", "/b"))], drop=True)] == ["/"]


def test_a_set_is_due_when_its_members_are_others_or_have_other_results(path: Path) -> None:
    directory = [Directory("/", ("/a", "/b"))]

    def due(journal: Journal, now: list[Directory]) -> list[str]:
        return [each.path for each in journal.take_sets(now, drop=True)]

    with Journal.write(path) as journal:
        check(journal, ["/a", "/b"])
        (pending,) = journal.take_sets(directory, drop=True)
        assert [row.name for row in journal.members_of(pending)] == ["/a", "/b"]
        journal.record([pending], [result("not_conformant")], "host:1")
        assert due(journal, directory) == []
        (row,) = journal.rows(sets=True)
        assert (row.name, row.members, row.outcome) == ("/", 2, "not_conformant")
        # Neither takes part in what is said of the other.
        assert (journal.outcomes(), journal.outcomes(sets=True)) == ({"conformant": 2}, {"not_conformant": 1})
        assert [row.name for row in journal.rows()] == ["/a", "/b"]
        journal.take([Archive("/a", "s"), Archive("/b", "other"), Archive("/c", "s")], False, False)
        check(journal, ["/b"])
        assert due(journal, directory) == []  # it came to the same
        journal.take([Archive("/a", "s"), Archive("/b", "more"), Archive("/c", "s")], False, False)
        check(journal, ["/b"], "not_conformant")
        assert due(journal, directory) == ["/"]
        assert due(journal, []) == [] and journal.pending(sets=True) == 0


def test_a_directory_and_an_archive_may_have_one_name(path: Path) -> None:
    with Journal.write(path) as journal:
        check(journal, ["/a", "/b"])
        assert [each.path for each in journal.take_sets([Directory("/a", ("/a", "/b"))], drop=True)] == ["/a"]
        assert journal.outcomes() == {"conformant": 2}


def test_a_journal_of_a_later_version_is_refused(path: Path) -> None:
    make_a_journal(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(FleetError, match="later"):
        Journal.write(path)
