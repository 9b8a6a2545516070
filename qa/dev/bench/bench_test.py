# SPDX-License-Identifier: Apache-2.0
"""The whole benchmark on small inputs, with a pmproof that only says that all is well."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

_BENCH = Path(os.environ["BENCH"]).absolute()


@pytest.fixture(name="built")
def _built(tmp_path: Path) -> Path:
    """A folder like bazel-bin, whose pmproof finds fault with what is called findings only."""
    built = tmp_path / "bin"
    others = ("encode_bench", "fetch_times", "derive_bench", "derived_times", "agent_bench")
    for name in ("make_archive", "repeat_archive", "bare_walk", *others):
        (built / "qa/dev/bench").mkdir(parents=True, exist_ok=True)
        shutil.copy(os.environ[name.upper()], built / "qa/dev/bench" / name)
    _set_pmproof(built, 'case "$*" in *findings*) exit 1 ;; esac')
    return built


def _set_pmproof(built: Path, script: str) -> None:
    (built / "validator").mkdir(exist_ok=True)
    program = built / "validator/pmproof"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)


def _bench(built: Path, *options: str) -> tuple["subprocess.CompletedProcess[str]", dict[str, Any]]:
    report = built / "report.json"
    folder = built / "archives"
    places = ["--bin", str(built), "--folder", str(folder), "--json", str(report)]
    command = [str(_BENCH), *places, "--shrink", "100", "--repeat", "1"]
    # No peers: what to do without them does not depend on where the test runs.
    environment = {**os.environ, "PMPROOF_PEERS": str(built / "no peers"), "PMPROOF_SHARED": str(built / "no archives")}
    done = subprocess.run([*command, *options], capture_output=True, text=True, env=environment, check=False)
    return done, json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}


def test_everything_asked_for_is_in_the_table_measured_or_not(built: Path) -> None:
    done, report = _bench(built, "--only", "speed,dump,compressed,linear,replay,derived,agent")
    assert done.returncode == 0, done.stdout + done.stderr
    names = {target["name"] for target in report["targets"]}
    for wanted in (
        "check faster than pmlogcheck",
        "check slower than the bare walk",
        "two threads faster than one",
        "dump faster than pmdumplog",
        "compressed check to decompressor",
        "linear in bytes:",
        "linear in marks",
        "linear in instance domain changes",
        "linear in index entries",
        "linear in findings",
        "replay of 50 metrics at 10 s faster than libpcp",
        "10000 random times faster than libpcp",
        "one value at one time faster than libpcp",
        "a further random time faster than libpcp",
        "peak memory of replay",
        "replay linear in marks",
        "expressions of 40 characters parsed and bound",
        "derived metrics to their operands alone",
        "fetch round trips through the codec in memory",
        "an agent over a unix socket to a bare echo",
    ):
        assert any(name.startswith(wanted) for name in names), wanted


def test_what_two_threads_gain_stands_beside_what_two_programs_do(built: Path) -> None:
    _set_pmproof(built, 'echo "$1 $2 $3" >> "$0.calls"')
    done, report = _bench(built, "--only", "speed")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {(row["program"], row["archive"]): row for row in report["timings"]}
    archives = [archive for program, archive in rows if program == "check --jobs 1"]
    for archive in archives:
        both = rows["check --jobs 1, two at once", archive]
        assert both["bytes"] == 2 * rows["check --jobs 1", archive]["bytes"]
    if len(os.sched_getaffinity(0)) > 1:
        calls = (built / "validator/pmproof.calls").read_text(encoding="utf-8").splitlines()
        assert calls.count("check --jobs 1") == 3 * len(archives)
        assert calls.count("check --jobs 2") == len(archives)


def test_fleets_stand_beside_check_with_as_many_threads(built: Path) -> None:
    (built / "validator/pmproof").unlink()
    (built / "validator/pmproof").symlink_to(Path(os.environ["PMPROOF"]).resolve())
    done, report = _bench(built, "--only", "fleet")
    assert done.returncode == 0, done.stdout + done.stderr
    (target,) = report["targets"]
    assert (target["archive"], target["at_most"]) == ("1000 small archives", 1.3)
    assert target["measured"] > 1


def test_a_fleet_that_cannot_be_measured_fails_the_run(built: Path) -> None:
    done, report = _bench(built, "--only", "fleet")
    assert done.returncode == 1
    assert "fleet check: " in report["problems"][0]


def test_without_pcp_its_rows_say_that_it_is_not_there(built: Path) -> None:
    done, report = _bench(built, "--only", "dump")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [row for row in report["timings"] if row["program"] == "pmdumplog -a"]
    assert len(rows) == 2 and all("PCP 6.0.3 is not there" in row["because"] for row in rows)
    assert {target["verdict"] for target in report["targets"]} == {"not measured"}
    assert "not measured: PCP 6.0.3 is not there" in done.stdout


def test_without_recorded_archives_their_rows_say_so(built: Path) -> None:
    done, report = _bench(built, "--only", "recorded,replay")
    assert done.returncode == 0, done.stdout + done.stderr
    recorded = [target for target in report["targets"] if target["archive"].startswith("recorded-")]
    assert {target["verdict"] for target in recorded} == {"not measured"}
    assert sum(target["name"].startswith("10000 random times") for target in recorded) == 4
    assert "the collection of recorded archives is not there" in done.stdout


def test_a_conformant_archive_that_is_found_faulty_fails_the_run(built: Path) -> None:
    _set_pmproof(built, "exit 1")
    done, report = _bench(built, "--only", "speed")
    assert done.returncode == 1
    assert "check --jobs 1 of host-v2-2560000: pmproof ended with status 1" in report["problems"][0]


def test_memory_is_told_for_every_long_input(built: Path) -> None:
    done, report = _bench(built, "--only", "memory")
    assert done.returncode == 0, done.stdout + done.stderr
    archives = " ".join(target["archive"] for target in report["targets"])
    for part in ("host-v2", "host-v3", "xz-single", "marks", "indoms", "index", "findings"):
        assert part in archives
    assert all(target["at_most"] == 64 for target in report["targets"])


def test_encoding_stands_beside_memcpy_of_the_same_bytes(built: Path) -> None:
    done, report = _bench(built, "--only", "encode")
    assert done.returncode == 0, done.stdout + done.stderr
    contents = [encoding["content"] for encoding in report["encodings"]]
    assert {"host/v2", "host/v3", "insitu/v2", "64bit/v3", "strings/v2", "small/v3", "instances/v3"} <= set(contents)
    assert all(0 < e["encode_bytes_per_second"] and 0 < e["memcpy_bytes_per_second"] for e in report["encodings"])
    assert [target["archive"] for target in report["targets"]] == ["records of host-v2", "records of host-v3"]
    assert all(target["verdict"] in ("met", "not met") for target in report["targets"])


def test_derived_metrics_are_timed_beside_their_operands(built: Path) -> None:
    done, report = _bench(built, "--only", "derived")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [target["archive"] for target in report["targets"]] == [
        "generated expressions",
        "host-v3-2560000",
        "host-v3-320000",
    ]
    assert report["targets"][0]["at_least"] == 200
    assert all(target["at_most"] == 1.5 for target in report["targets"][1:])
    assert report["targets"][0]["measured"] > 0 and report["targets"][1]["measured"] > 0


def test_a_benchmark_that_fails_fails_the_run(built: Path) -> None:
    program = built / "qa/dev/bench/encode_bench"
    program.write_text("#!/bin/sh\necho broken >&2\nexit 1\n", encoding="utf-8")
    done, report = _bench(built, "--only", "encode")
    assert done.returncode == 1
    assert report["problems"] == ["encoding: encode_bench ended with status 1: broken"]


def test_a_program_that_was_not_built_ends_the_run_at_once(built: Path) -> None:
    (built / "validator/pmproof").unlink()
    done, report = _bench(built)
    assert done.returncode == 1 and not report
    assert done.stderr == f"bench: no program {built}/validator/pmproof\n"


@pytest.mark.parametrize("option", [["--only", "speeed"], ["--repeat", "0"], ["--shrink", "0"], ["--nonsense"]])
def test_wrong_usage_has_status_2(built: Path, option: list[str]) -> None:
    assert _bench(built, *option)[0].returncode == 2
