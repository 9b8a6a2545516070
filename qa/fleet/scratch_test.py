# SPDX-License-Identifier: Apache-2.0
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
    (top / f"{PREFIX}_killed_/folder").mkdir(parents=True)
    others = {f"{PREFIX}running_", f"{PREFIX}my_notes_of_today", "pmproof-fleet-bench-12345678", "other"}
    for name in others:
        (top / name).mkdir()
    (top / f"{PREFIX}a__file_").touch()
    (top / f"{PREFIX}a__link_").symlink_to(top / "other")
    (top / "other/precious").touch()
    lock = os.open(top / f"{PREFIX}running_", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with directory() as path:
        left = others | {f"{PREFIX}a__file_", f"{PREFIX}a__link_"}
        assert set(os.listdir(top)) == left | {os.path.basename(path)}
    os.close(lock)
    assert (top / "other/precious").exists()
