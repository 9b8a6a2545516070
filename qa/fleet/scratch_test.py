"""Temporary directories go with their run, or with the next one."""

import fcntl
import os
import tempfile
from pathlib import Path

import pytest

from qa.fleet.scratch import PREFIX, directory


@pytest.fixture(autouse=True, name="top")
def fixture_top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "top").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "top"))
    return tmp_path / "top"


def test_it_goes_with_its_run(top: Path) -> None:
    with directory() as path:
        Path(path, "file").touch()
        assert os.listdir(top) == [os.path.basename(path)]
    assert os.listdir(top) == []


def test_those_of_killed_runs_are_swept_and_no_others(top: Path) -> None:
    (top / f"{PREFIX}killed/folder").mkdir(parents=True)
    (top / f"{PREFIX}running").mkdir()
    (top / f"{PREFIX}file").touch()
    (top / "other").mkdir()
    (top / f"{PREFIX}link").symlink_to(top / "other")
    (top / "other/precious").touch()
    lock = os.open(top / f"{PREFIX}running", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with directory() as path:
        left = {f"{PREFIX}running", f"{PREFIX}file", f"{PREFIX}link", "other"}
        assert set(os.listdir(top)) == left | {os.path.basename(path)}
    os.close(lock)
    assert (top / "other/precious").exists()
