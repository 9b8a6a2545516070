# SPDX-License-Identifier: Apache-2.0
"""`pmproof enumerate` as a user meets it: what is written, what is refused, and with which exit status."""

import json
import resource
import subprocess
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_all_archives_of_one_record_are_written(tmp_path: Path) -> None:
    result = pmproof("enumerate", "--records", "1", tmp_path / "all")
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == f"30 archives in {tmp_path}/all\n"
    written = names(tmp_path / "all")
    assert len([name for name in written if name.endswith(".meta")]) == 30
    assert [name for name in written if name.startswith("v3-I-")] == [
        "v3-I-0.0",
        "v3-I-0.index",
        "v3-I-0.meta",
        "v3-I-1.0",
        "v3-I-1.index",
        "v3-I-1.meta",
        "v3-I-none.0",
        "v3-I-none.meta",
    ]


def test_all_archives_can_be_read_but_those_with_an_empty_index(tmp_path: Path) -> None:
    assert pmproof("enumerate", "--records", "2", tmp_path).returncode == 0
    report = json.loads(pmproof("check", "--format", "json", tmp_path).stdout)
    assert len(report["archives"]) == 280
    for archive in report["archives"]:
        assert archive["readable"] != archive["archive"].endswith(("-0", "-00")), archive["archive"]


def test_the_same_names_and_bytes_each_time(tmp_path: Path) -> None:
    for out in ("a", "b"):
        assert pmproof("enumerate", "--quiet", "--records", "2", tmp_path / out).stderr == ""
    a = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    b = {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}
    assert a == b


def test_the_archives_of_fewer_records_are_among_those_of_more(tmp_path: Path) -> None:
    for number in ("1", "2"):
        assert pmproof("enumerate", "--records", number, tmp_path / number).returncode == 0
    assert set(names(tmp_path / "1")) < set(names(tmp_path / "2"))


def test_an_empty_directory_is_taken_and_another_is_refused(tmp_path: Path) -> None:
    assert pmproof("enumerate", "--records", "1", tmp_path).returncode == 0
    before = names(tmp_path)
    result = pmproof("enumerate", "--records", "2", tmp_path)
    assert result.returncode == 2
    assert result.stderr == f"pmproof: {tmp_path}: is not empty; give a new or an empty directory\n"
    assert names(tmp_path) == before
    result = pmproof("enumerate", "--records", "2", tmp_path / before[0])
    assert result.returncode == 2
    assert result.stderr.endswith(": is not a directory\n")
    result = pmproof("enumerate", "--records", "2", tmp_path / "not/there")
    assert result.returncode == 2
    assert result.stderr.endswith("not/there: its directory is not there\n")


@pytest.mark.parametrize("records", ["0", "5", "-1", "two", "1.5", "99999999999999999999"])
def test_a_number_of_records_out_of_range_is_wrong_usage(tmp_path: Path, records: str) -> None:
    result = pmproof("enumerate", "--records", records, tmp_path / "all")
    assert result.returncode == 2
    assert result.stderr.startswith("pmproof: ")
    assert "--records" in result.stderr
    assert not (tmp_path / "all").exists()


def test_a_missing_argument_is_wrong_usage(tmp_path: Path) -> None:
    assert pmproof("enumerate", tmp_path / "all").returncode == 2
    assert pmproof("enumerate", "--records", "1").returncode == 2


@pytest.mark.parametrize("exists", [False, True])
def test_where_not_all_fits_nothing_is_left(tmp_path: Path, exists: bool) -> None:
    out = tmp_path / "all"
    if exists:
        out.mkdir()

    # Files of version 2 fit, those of version 3 are larger by their labels alone.
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))

    result = subprocess.run(
        # A shell to ignore the signal that comes with the limit.
        ["/bin/sh", "-c", 'trap "" XFSZ; exec "$@"', "sh", PMPROOF, "enumerate", "--records", "1", out],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
        timeout=60,
    )
    assert result.returncode == 5
    assert result.stderr.startswith(f"pmproof: {out}/v3-V-0.")
    assert result.stderr.endswith("File too large\n")
    assert names(tmp_path) == (["all"] if exists else [])
    assert not exists or names(out) == []
