# SPDX-License-Identifier: Apache-2.0
"""`pmproof generate` as a user meets it: what is written, what is refused, and with which exit status."""

import json
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from validator.testing.run import PMPROOF, pmproof

ALL_FILES = ["0", "index", "meta", "truth.json"]


def files_of(archive: Path) -> dict[str, bytes]:
    """The files of an archive, and its truth, by what follows its base name."""
    prefix = archive.name + "."
    found = [path for path in archive.parent.iterdir() if path.name.startswith(prefix)]
    return {path.name.removeprefix(prefix): path.read_bytes() for path in sorted(found)}


def rules_found(archive: Path) -> set[str]:
    done = pmproof("check", "--format", "json", archive)
    return {finding["rule"] for finding in json.loads(done.stdout)["archives"][0]["findings"]}


def truth_of(archive: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(Path(f"{archive}.truth.json").read_text())
    return truth


@pytest.mark.parametrize("version", ["2", "3"])
def test_an_archive_and_its_truth_are_written(version: str, tmp_path: Path) -> None:
    result = pmproof("generate", "--archive-version", version, "--records", "20", tmp_path / "a")
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr.startswith(f"{tmp_path}/a: 22 data records, ")
    assert list(files_of(tmp_path / "a")) == ALL_FILES
    assert rules_found(tmp_path / "a") == set()
    truth = truth_of(tmp_path / "a")
    assert truth["archive_version"] == int(version)
    assert truth["recipe"] == {
        "seed": "1",
        "scenario": "plain",
        "records": "20",
        "metrics": "10",
        "instances": "5",
        "volumes": "1",
        "archive-version": version,
    }
    assert truth["violates"] == []
    assert truth["footer"]["counts"]["result"] == 22


def test_what_an_archive_breaks_is_declared_and_found(tmp_path: Path) -> None:
    scenarios = "counter-falls,mark-end,time-back"
    assert pmproof("generate", "--scenario", scenarios, tmp_path / "a").returncode == 0
    truth = truth_of(tmp_path / "a")
    assert truth["violates"] == ["ARC-1720", "ARC-1723", "ARC-1825"]
    assert rules_found(tmp_path / "a") == set(truth["violates"])
    assert truth["recipe"]["scenario"] == "plain,mark-end,counter-falls,time-back"


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    arguments = ["--seed", "7", "--scenario", "types,events", "--scenario", "labels"]
    for name in ("a", "b"):
        assert pmproof("generate", *arguments, tmp_path / name).returncode == 0
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    assert pmproof("generate", "--seed", "8", *arguments[2:], tmp_path / "c").returncode == 0
    assert files_of(tmp_path / "a")["0"] != files_of(tmp_path / "c")["0"]


def test_volumes_are_made_of_records_or_of_bytes(tmp_path: Path) -> None:
    assert pmproof("generate", "--records", "10", "--volumes", "3", tmp_path / "a").returncode == 0
    assert list(files_of(tmp_path / "a")) == ["0", "1", "2", "index", "meta", "truth.json"]
    assert pmproof("generate", "--size", "1M", "--volumes", "2", tmp_path / "b").returncode == 0
    sizes = [len(files_of(tmp_path / "b")[volume]) for volume in ("0", "1")]
    assert all(500_000 < size < 600_000 for size in sizes) and sum(sizes) >= 1_048_576
    assert rules_found(tmp_path / "b") == set()


def test_a_set_is_written_as_several_archives(tmp_path: Path) -> None:
    result = pmproof("generate", "--scenario", "set-gaps", "--records", "5", tmp_path / "s")
    assert result.returncode == 0
    assert ": 3 archives, 21 data records, " in result.stderr
    for number in (1, 2, 3):
        archive = tmp_path / f"s-{number}"
        assert list(files_of(archive)) == ALL_FILES
        assert rules_found(archive) == set()
        assert truth_of(archive)["recipe"]["archive"] == f"{number} of 3"
    assert len(list(tmp_path.iterdir())) == 12


def test_compressed_files_hold_the_same_bytes(tmp_path: Path) -> None:
    assert pmproof("generate", tmp_path / "a").returncode == 0
    assert pmproof("generate", "--compress", "gz", tmp_path / "z").returncode == 0
    assert list(files_of(tmp_path / "z")) == ["0.gz", "index.gz", "meta.gz", "truth.json"]
    assert truth_of(tmp_path / "z")["compression"] == "gz"
    for name in ("0", "index", "meta"):
        unpacked = subprocess.run(["gzip", "-dc", tmp_path / f"z.{name}.gz"], capture_output=True, check=True)
        assert unpacked.stdout == files_of(tmp_path / "a")[name]


def test_without_truth_the_archive_is_the_same(tmp_path: Path) -> None:
    assert pmproof("generate", tmp_path / "a").returncode == 0
    result = pmproof("generate", "--no-truth", "--quiet", tmp_path / "b")
    assert (result.returncode, result.stderr) == (0, "")
    expected = files_of(tmp_path / "a")
    del expected["truth.json"]
    assert files_of(tmp_path / "b") == expected


def test_the_list_names_all_scenarios_and_each_can_be_made(tmp_path: Path) -> None:
    result = pmproof("generate", "--list")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].split()[:2] == ["scenario", "version"]
    names = [line.split()[0] for line in lines[1:-1]]
    assert lines[-1].startswith(f"{len(names)} scenarios")
    assert "types" in names and len(set(names)) == len(names)
    for name in names:
        done = pmproof("generate", "--scenario", name, "--records", "12", tmp_path / name)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("suffix", ["0", "3.xz", "meta", "truth.json"])
def test_what_exists_is_replaced_only_by_force(suffix: str, tmp_path: Path) -> None:
    old = tmp_path / f"a.{suffix}"
    old.write_bytes(b"old")
    result = pmproof("generate", tmp_path / "a")
    assert result.returncode == 2
    assert result.stderr == f"pmproof: {old}: exists; give another OUT, or --force to replace that archive\n"
    assert files_of(tmp_path / "a") == {suffix: b"old"}
    assert pmproof("generate", "--force", tmp_path / "a").returncode == 0
    assert list(files_of(tmp_path / "a")) == ALL_FILES
    assert rules_found(tmp_path / "a") == set()


IMPOSSIBLE = [
    (["--scenario", "mark"], "there is no scenario mark; nearest: marks, mark-start, mark-end"),
    (["--scenario", "DELTAS"], "there is no scenario DELTAS; nearest: deltas"),
    (["--records", "0"], "an archive has one record at least"),
    (["--records", "-1"], "--records: -1 is less than 0"),
    (["--records", "ten"], "--records: ten is not a whole number"),
    (["--seed", "18446744073709551616"], "--seed: 18446744073709551616 is more than 64 bits hold"),
    (["--size", "-1"], "--size: -1 is not a size: bytes, or a number with K, M, G or T, such as 64M"),
    (["--size", "0"], "an archive has one byte of data at least"),
    (["--metrics", "0"], "an archive has one metric at least"),
    (["--instances", "0"], "an instance domain has one instance at least"),
    (["--volumes", "0"], "an archive has one volume at least"),
    (["--records", "3", "--volumes", "4"], "4 volumes cannot be made of 3 records: each has one at least"),
    (["--volumes", "101"], "101 volumes cannot be made of 100 records: each has one at least"),
    (["--records", "3", "--scenario", "multi-volume"], "4 volumes cannot be made of 3 records: each has one at least"),
    (["--records", "3", "--size", "1M"], "the number of records and the size cannot both be given"),
    (["--scenario", "types,deltas", "--records", "11"], "the scenario deltas needs 12 records at least"),
    (["--archive-version", "2", "--scenario", "beyond-2038"], "the scenario beyond-2038 is for version 3 only"),
    (
        ["--archive-version", "2", "--records", "500000000"],
        "version 2 has no room for the times of 500000000 records: they go beyond 2038",
    ),
    (["--archive-version", "4"], "--archive-version: 4 is not one of 2, 3"),
    (["--metrics", "65537"], "at most 65536 metrics can be asked for"),
    (
        ["--metrics", "1000", "--instances", "1000"],
        "1000 metrics of 1000 instances are more than the 500000 values that fit into one record",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), IMPOSSIBLE)
def test_impossible_arguments_are_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = pmproof("generate", *arguments, tmp_path / "a")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0] == f"pmproof: {message}"
    assert not list(tmp_path.iterdir())


def test_an_out_that_can_not_be_is_refused(tmp_path: Path) -> None:
    for out in (tmp_path, tmp_path / "nowhere/a", tmp_path / "a,b", tmp_path / "a.meta"):
        result = pmproof("generate", out)
        assert result.returncode == 2
        assert result.stderr.startswith(f"pmproof: {out}: ")
    assert pmproof("generate").stderr.splitlines()[0] == "pmproof: no OUT given"
    assert not list(tmp_path.iterdir())


def test_a_scenario_does_not_swallow_out(tmp_path: Path) -> None:
    assert pmproof("generate", "--scenario", "marks", tmp_path / "a").returncode == 0
    assert list(files_of(tmp_path / "a")) == ALL_FILES


def limited(*arguments: object, file_size: int) -> "subprocess.CompletedProcess[str]":
    """Runs pmproof where no file can become larger: as on a full disk, writing fails."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

    command = [PMPROOF, *(str(argument) for argument in arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)


@pytest.mark.parametrize("file_size", [0, 1000, 100_000, 1_000_000])
def test_a_full_disk_leaves_nothing_behind(file_size: int, tmp_path: Path) -> None:
    result = limited("generate", "--records", "3000", tmp_path / "a", file_size=file_size)
    assert result.returncode == 5
    assert "File too large" in result.stderr and str(tmp_path / "a.") in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    assert pmproof("generate", tmp_path / "a").returncode == 0
    before = files_of(tmp_path / "a")
    for scenario in ("plain", "set"):
        result = limited("generate", "--force", "--records", "3000", "--scenario", scenario, tmp_path / "a",
                         file_size=100_000)
        assert result.returncode == 5
        assert files_of(tmp_path / "a") == before
        assert len(list(tmp_path.iterdir())) == len(before)


def test_a_directory_that_can_not_be_written_to_is_an_error() -> None:
    # Not even root makes files there.
    result = pmproof("generate", "/proc/a")
    assert result.returncode == 5
    assert result.stderr.startswith("pmproof: /proc/a.")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing_behind(number: signal.Signals, tmp_path: Path) -> None:
    command = [PMPROOF, "generate", "--size", "8G", "--no-truth", str(tmp_path / "a")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert list(tmp_path.iterdir())
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    # As the signal would have ended it.
    assert process.returncode == -number
    assert errors == "pmproof: interrupted; nothing was written\n"
    assert not list(tmp_path.iterdir())


def test_progress_is_shown_where_it_is_asked_for(tmp_path: Path) -> None:
    result = pmproof("generate", "--progress", "always", "--records", "5000", tmp_path / "a")
    assert result.returncode == 0
    assert "0/1 archive, " in result.stderr


def test_a_large_archive_has_a_truth_only_where_it_is_asked_for(tmp_path: Path) -> None:
    small = pmproof("generate", "--records", "10", tmp_path / "small")
    assert (tmp_path / "small.truth.json").exists() and "--truth" not in small.stderr
    large = pmproof("generate", "--size", "65M", tmp_path / "large")
    assert large.returncode == 0
    assert "without a truth, which would be several times as large: --truth writes it" in large.stderr
    assert not (tmp_path / "large.truth.json").exists()
    assert "excludes" in pmproof("generate", "--truth", "--no-truth", tmp_path / "no").stderr


def test_a_sound_story_breaks_nothing(tmp_path: Path) -> None:
    versions = set()
    for seed in range(12):
        archive = tmp_path / f"a{seed}"
        assert pmproof("generate", "--story", "sound", "--seed", str(seed), archive).returncode == 0
        assert rules_found(archive) == set()
        truth = truth_of(archive)
        assert truth["recipe"] == {"seed": str(seed), "story": "sound", "records": "30", "metrics": "6"}
        assert truth["violates"] == []
        versions.add(truth["archive_version"])
    assert versions == {2, 3}


def test_the_truth_of_any_story_names_no_rules(tmp_path: Path) -> None:
    found = set()
    for seed in range(12):
        archive = tmp_path / f"a{seed}"
        result = pmproof("generate", "--story", "any", "--seed", str(seed), "--compress", "zstd", archive)
        assert result.returncode == 0 and "breaks" not in result.stderr
        assert "violates" not in truth_of(archive)
        found |= rules_found(archive)
    assert found


def test_a_story_has_no_scenarios_and_must_fit(tmp_path: Path) -> None:
    refused = pmproof("generate", "--story", "any", "--scenario", "marks", tmp_path / "a")
    assert (refused.returncode, list(tmp_path.iterdir())) == (2, [])
    refused = pmproof("generate", "--story", "any", "--records", "100001", "--metrics", "1", tmp_path / "a")
    assert refused.returncode == 2 and "at most 100000 readings" in refused.stderr
    assert not list(tmp_path.iterdir())
