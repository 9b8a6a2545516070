# SPDX-License-Identifier: Apache-2.0
"""Whatever is lost while thousands of archives are checked, each has its result in the end, and none is checked in vain."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from qa.fleet.journal import Journal
from qa.fleet.scratch import PREFIX
from qa.fleet.testing import (
    NET,
    PMPROOF,
    alive,
    asked,
    checker,
    fleet,
    fleet_environment,
    fleet_running,
    running,
    small_archives,
    wait_for,
)


@pytest.fixture(scope="module", name="thousands")
def fixture_thousands(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    archives = small_archives(tmp_path_factory.mktemp("thousands"), records=3)
    assert len(archives) > 2000
    return archives


@pytest.fixture(scope="module", name="few")
def fixture_few(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return small_archives(tmp_path_factory.mktemp("few"), records=1)


def top(archives: list[Path]) -> Path:
    return archives[0].parent.parent


def truth(archives: list[Path]) -> dict[str, Any]:
    """What pmproof says of all of them in one run."""
    done = subprocess.run(
        [PMPROOF, "check", "--triage", "--format", "json", top(archives)], capture_output=True, timeout=NET, check=False
    )
    return {archive["archive"]: archive for archive in json.loads(done.stdout)["archives"]}


def results(journal: Path) -> dict[str, dict[str, Any]]:
    lines = [json.loads(line) for line in fleet("export", journal).stdout.splitlines()]
    assert lines[-1]["complete"]
    found = {line["archive"]: line for line in lines[1:-1]}
    assert len(found) == len(lines) - 2
    return found


def reports(journal: Path) -> dict[str, Any]:
    return {name: line["report"] for name, line in results(journal).items()}


def names_in(journal: Path) -> set[str]:
    with Journal.read(journal) as opened:
        return {row.name for row in opened.rows()}


def has_results(journal: Path) -> bool:
    return journal.is_file() and fleet("export", journal).stdout.count('"type": "archive"') > 0


@contextmanager
def a_run_that_is_held_up(folder: Path, at: Path, archives: list[Path], *options: str | Path) -> Iterator[Any]:
    """A run that has results and will have no more of the chunk with `at`, until the file "go" is there."""
    body = f"""
if {str(at)!r} in paths:
    first({str(folder / "held")!r})
    worker = os.getppid()
    while os.getppid() == worker and not os.path.exists({str(folder / "go")!r}):
        time.sleep(0.05)
"""
    journal = folder / "journal"
    with fleet_running(
        "check", "--journal", journal, "--checker", checker(folder, body), *options, top(archives)
    ) as process:
        wait_for(lambda: (folder / "held").exists() and has_results(journal), process)
        yield process


def test_a_worker_that_is_killed_midway_over_2000_archives_loses_nothing(thousands: list[Path], tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    program = checker(tmp_path, f"if {str(thousands[len(thousands) // 2])!r} in paths and first({str(killed)!r}): kill_worker()")
    done = fleet("check", "--workers", "2", "--checker", program, "--journal", tmp_path / "journal", top(thousands))
    assert done.returncode == 1, done.stderr
    assert killed.exists()
    assert len({worker for worker, _ in asked(tmp_path)}) >= 2
    assert reports(tmp_path / "journal") == truth(thousands)


def test_an_archive_that_kills_its_worker_is_isolated_and_all_others_are_checked(few: list[Path], tmp_path: Path) -> None:
    poison = str(few[5])
    program = checker(tmp_path, f"if {poison!r} in paths: kill_worker()")
    done = fleet(
        "check", "--workers", "2", "--chunk", "8", "--checker", program, "--journal", tmp_path / "journal", top(few)
    )
    assert done.returncode == 5, done.stderr
    assert f"{poison}: its worker died" in done.stdout
    found = results(tmp_path / "journal")
    assert [name for name, line in found.items() if line["outcome"] == "worker_died"] == [poison]
    others = {name: line["report"] for name, line in found.items() if name != poison}
    assert others == {name: report for name, report in truth(few).items() if name != poison}


def test_a_run_that_is_killed_goes_on_where_it_was(few: list[Path], tmp_path: Path) -> None:
    with a_run_that_is_held_up(tmp_path, few[-1], few, "--workers", "2", "--chunk", "5") as process:
        process.kill()
        process.wait()
        # Nothing goes on without it.
        wait_for(lambda: not any(alive(worker) for worker, _ in asked(tmp_path)))
    before = names_in(tmp_path / "journal")
    assert before
    again = checker(tmp_path, log="asked again")
    done = fleet("check", "--workers", "2", "--checker", again, "--journal", tmp_path / "journal", "--resume")
    assert done.returncode == 1, done.stderr
    assert f"{len(before)} of {len(few)} archives are in" in done.stderr
    assert {path for _, path in asked(tmp_path, "asked again")} == set(map(str, few)) - before
    assert reports(tmp_path / "journal") == truth(few)


def family_of(process: int) -> set[int]:
    return {process, *(child.pid for child in psutil.Process(process).children(recursive=True))}


def scratch_directories() -> set[str]:
    return {name for name in os.listdir(fleet_environment()["TMPDIR"]) if name.startswith(PREFIX)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_ended_says_where_it_stands_and_leaves_nothing(
    number: signal.Signals, few: list[Path], tmp_path: Path
) -> None:
    with a_run_that_is_held_up(tmp_path, few[-1], few, "--workers", "2", "--chunk", "5") as process:
        family = family_of(process.pid)
        assert scratch_directories()
        process.send_signal(number)
        wait_for(lambda: process.poll() is not None)
        said = process.stderr.read().decode()
    assert process.returncode == 128 + number
    done = len(names_in(tmp_path / "journal"))
    assert said == (
        f"fleet: ended by {number.name}; {done} of {len(few)} archives have their result in {tmp_path / 'journal'}, "
        "the same command goes on from there\n"
    )
    assert scratch_directories() == set()
    wait_for(lambda: not any(alive(each) for each in family))


def test_what_a_killed_run_leaves_is_swept_by_the_next_one(few: list[Path], tmp_path: Path) -> None:
    with a_run_that_is_held_up(tmp_path, few[-1], few, "--workers", "2", "--chunk", "5") as process:
        process.kill()
        process.wait()
        wait_for(lambda: not any(alive(worker) for worker, _ in asked(tmp_path)))
    assert scratch_directories()
    done = fleet("check", "--workers", "1", "--journal", tmp_path / "other", "--checker", PMPROOF, few[0])
    assert done.returncode in (0, 1), done.stderr
    assert scratch_directories() == set()


def test_processes_on_this_machine_do_not_listen(few: list[Path], tmp_path: Path) -> None:
    with a_run_that_is_held_up(tmp_path, few[-1], few, "--workers", "2", "--chunk", "5") as process:
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        assert len(family) > 3
        assert [connection for each in family for connection in each.connections("inet")] == []
        (tmp_path / "go").touch()
        wait_for(lambda: process.poll() is not None)
        assert process.returncode == 1


@contextmanager
def a_cluster(folder: Path, scheduler: list[str], worker: list[str]) -> Iterator[tuple[str, Any]]:
    """Dask's own programs, which know nothing of this project: a scheduler and a worker; its address and its process."""
    folder.mkdir()
    file = folder / "scheduler.json"
    nowhere_else = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    python = [sys.executable, "-m"]
    with ExitStack() as stack:
        command = [*python, "distributed.cli.dask_scheduler", "--port", "0", "--scheduler-file", str(file), *nowhere_else]
        started = stack.enter_context(running([*command, *scheduler], cwd=folder))
        wait_for(file.is_file, started)
        wait_for(lambda: file.read_text(encoding="utf-8").endswith("}"), started)
        address = str(json.loads(file.read_text(encoding="utf-8"))["address"])
        command = [*python, "distributed.cli.dask_worker", address, "--nthreads", "1", "--memory-limit", "0", *nowhere_else]
        stack.enter_context(running([*command, "--local-directory", str(folder), *worker], cwd=folder))
        yield address, started


def test_a_run_whose_scheduler_is_killed_goes_on_with_another_one(few: list[Path], tmp_path: Path) -> None:
    with a_cluster(tmp_path / "one", [], []) as (address, scheduler):
        with a_run_that_is_held_up(
            tmp_path, few[-1], few, "--chunk", "5", "--scheduler", address, "--wait", str(NET)
        ) as process:
            scheduler.kill()
            wait_for(lambda: process.poll() is not None)
            assert process.returncode == 5
            assert b"lost the scheduler" in process.stderr.read()
    before = names_in(tmp_path / "journal")
    assert before
    again = checker(tmp_path, log="asked again")
    with a_cluster(tmp_path / "two", [], []) as (address, _):
        options = ["--scheduler", address, "--wait", str(NET), "--checker", str(again)]
        done = fleet("check", *options, "--journal", tmp_path / "journal", top(few))
    assert done.returncode == 1, done.stderr
    assert {path for _, path in asked(tmp_path, "asked again")} == set(map(str, few)) - before
    assert reports(tmp_path / "journal") == truth(few)


def test_a_cluster_that_asks_for_certificates_gets_one(few: list[Path], tmp_path: Path) -> None:
    assert shutil.which("openssl"), "qa/setup installs openssl"
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=fleet"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True, timeout=NET)
    tls = ["--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key]
    with a_cluster(tmp_path / "cluster", ["--protocol", "tls", *tls], tls) as (address, _):
        assert address.startswith("tls://")
        journal = tmp_path / "journal"
        options = ["--scheduler", address, "--wait", str(NET), "--checker", str(PMPROOF)]
        ours = ["--tls-ca", certificate, "--tls-cert", certificate, "--tls-key", key]
        done = fleet("check", *options, *ours, "--journal", journal, top(few))
        assert done.returncode == 1, done.stderr
    assert reports(journal) == truth(few)
