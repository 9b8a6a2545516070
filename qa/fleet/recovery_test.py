# SPDX-License-Identifier: Apache-2.0
"""What can be read of a damaged journal is in the new one, and nothing that is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from qa.fleet.archives import Archive, Directory
from qa.fleet.error import FleetError
from qa.fleet.journal import Journal
from qa.fleet.recovery import recover

_ALL = 200


def archives() -> list[Archive]:
    return [Archive(f"/{number}", f"stamp {number}") for number in range(_ALL)]


def result(number: int) -> dict[str, Any]:
    counts = {"fatal": 0, "error": number, "warning": 0, "info": 0}
    report = json.dumps({"counts": counts, "text": f"{number} " * 500})
    return {"outcome": "conformant", "because": "", "counts": counts, "report": report, "digests": {"a.0": str(number)}}


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    """Of many pages, half of its archives without a result."""
    path = tmp_path / "journal"
    with Journal.write(path) as journal:
        journal.set("arguments", ["/"])
        pending, _ = journal.take(archives(), True, False)
        journal.record(pending[: _ALL // 2], [result(number) for number in range(_ALL // 2)], "host:1")
    return path


def reports(path: Path) -> dict[str, str]:
    with Journal.read(path) as journal:
        return {row.name: row.report for row in journal.rows()}


def test_of_a_sound_one_all_is_there(path: Path, tmp_path: Path) -> None:
    assert recover(path, tmp_path / "new") == (_ALL, _ALL // 2)
    assert reports(tmp_path / "new") == reports(path)
    with Journal.write(tmp_path / "new") as journal:
        assert journal.get("arguments") == ["/"]
        pending, _ = journal.take(archives(), True, False, compare=True)
        assert [each.known for each in pending[:2]] == [{"a.0": "0"}, {"a.0": "1"}]


def test_sets_are_recovered_and_are_no_archives(path: Path, tmp_path: Path) -> None:
    directory = [Directory("/", ("/0", "/1"))]
    with Journal.write(path) as journal:
        pending = journal.take_sets(directory, drop=True)
        journal.record(pending, [result(7)], "host:1")
    assert recover(path, tmp_path / "new") == (_ALL, _ALL // 2)
    with Journal.write(tmp_path / "new") as journal:
        assert journal.take_sets(directory, drop=True) == []
        assert [row.counts["error"] for row in journal.rows(sets=True)] == [7]


@pytest.mark.parametrize("how", ["cut", "a hole", "a rotten page"])
def test_what_is_left_is_as_it_was(how: str, path: Path, tmp_path: Path) -> None:
    content, whole = path.read_bytes(), reports(path)
    middle = len(content) // 2 // 4096 * 4096
    damaged = {
        "cut": content[:middle],
        "a hole": content[:middle] + bytes(4096) + content[middle + 4096 :],
        "a rotten page": content[:middle] + bytes([0xA5]) * 4096 + content[middle + 4096 :],
    }[how]
    path.write_bytes(damaged)
    with pytest.raises(FleetError, match="damaged"):
        Journal.write(path)
    number, results = recover(path, tmp_path / "new")
    assert path.read_bytes() == damaged
    assert 10 < results < _ALL // 2 if how == "cut" else results >= _ALL // 2 - 4
    left = reports(tmp_path / "new")
    assert len(left) == results
    assert left.items() <= whole.items()
    with Journal.write(tmp_path / "new") as journal:
        pending, _ = journal.take(archives(), True, False)
        assert len(pending) == _ALL - results
    assert number <= _ALL


def test_of_nothing_nothing_is_made(path: Path, tmp_path: Path) -> None:
    for content in (b"", b"text", path.read_bytes()[:4096], b"SQLite format 3\0" + bytes(5000)):
        (tmp_path / "damaged").write_bytes(content)
        with pytest.raises(FleetError):
            recover(tmp_path / "damaged", tmp_path / "new")
        assert not (tmp_path / "new").exists()
    with pytest.raises(FleetError, match="exists"):
        recover(tmp_path / "damaged", path)
