# SPDX-License-Identifier: Apache-2.0
"""Commands that write, interrupted at random times: what they leave is complete and new, or as it was."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof

TRIALS = 50
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

State = dict[str, bytes]


def state_of(folder: Path) -> State:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture(name="archive", scope="module")
def fixture_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tmp_path_factory.mktemp("in") / "a"
    assert pmproof("generate", "--size", "2M", "--no-truth", archive).returncode == 0
    return archive


def interrupted_states(
    folder: Path, words: list[str | Path], prepare: Callable[[], None], new: State
) -> tuple[int, int]:
    """Runs the command TRIALS times, each ended by a signal somewhere in the time it takes; returns how often it was
    stopped and how often it had done its work."""
    prepare()
    old = state_of(folder)
    begin = time.monotonic()
    assert subprocess.run([PMPROOF, *words], capture_output=True, check=False).returncode in {0, 1}
    took = time.monotonic() - begin
    chance = random.Random(7)
    stopped = done = 0
    for trial in range(TRIALS):
        prepare()
        command = [PMPROOF, *map(str, words)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            time.sleep(chance.uniform(0, took * 1.1))
            process.send_signal(SIGNALS[trial % len(SIGNALS)])
            assert process.stderr is not None
            told = process.stderr.read().decode()
            status = process.wait(timeout=60)
        left = state_of(folder)
        if left == old:
            stopped += 1
        else:
            assert left == new, (trial, status, told, sorted(left))
            done += 1
        assert not [name for name in left if "pmproof-" in name]
    return stopped, done


def final_state(folder: Path, words: list[str | Path], prepare: Callable[[], None]) -> State:
    prepare()
    assert subprocess.run([PMPROOF, *words], capture_output=True, check=False).returncode in {0, 1}
    return state_of(folder)


def empty(folder: Path) -> Callable[[], None]:
    def prepare() -> None:
        for file in sorted(folder.rglob("*"), reverse=True):
            if file.is_dir():
                file.rmdir()
            else:
                file.unlink()

    return prepare


@pytest.mark.parametrize("command", ["rewrite", "generate", "enumerate"])
def test_an_interrupted_writer_leaves_all_or_nothing(command: str, archive: Path, tmp_path: Path) -> None:
    words: dict[str, list[str | Path]] = {
        "rewrite": ["rewrite", "--compress", "gz", archive, tmp_path / "out"],
        "generate": ["generate", "--size", "1M", tmp_path / "out"],
        "enumerate": ["enumerate", "--records", "2", tmp_path / "out"],
    }
    prepare = empty(tmp_path)
    new = final_state(tmp_path, words[command], prepare)
    stopped, done = interrupted_states(tmp_path, words[command], prepare, new)
    assert stopped > 0 and stopped + done == TRIALS


def test_an_interrupted_rewrite_leaves_the_archive_that_it_was_to_replace(archive: Path, tmp_path: Path) -> None:
    def prepare() -> None:
        empty(tmp_path)()
        assert pmproof("generate", "--records", "5", "--no-truth", tmp_path / "out").returncode == 0

    words: list[str | Path] = ["rewrite", "--force", archive, tmp_path / "out"]
    new = final_state(tmp_path, words, prepare)
    stopped, _ = interrupted_states(tmp_path, words, prepare, new)
    assert stopped > 0


def test_an_interrupted_check_leaves_the_old_report(archive: Path, tmp_path: Path) -> None:
    report = tmp_path / "old.json"

    def prepare() -> None:
        report.write_text("the old report")

    words: list[str | Path] = ["check", "--force", "--output", report, archive]
    new = final_state(tmp_path, words, prepare)
    assert json.loads(new["old.json"])["footer"]["complete"]
    stopped, _ = interrupted_states(tmp_path, words, prepare, new)
    assert stopped > 0


def test_an_interrupted_command_says_that_nothing_was_written(archive: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [PMPROOF, "rewrite", "--compress", "xz", archive, tmp_path / "out"], stderr=subprocess.PIPE
    ) as process:
        while not list(tmp_path.glob(".pmproof-*")) and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        told = process.stderr.read().decode()
    assert process.returncode == -signal.SIGTERM
    assert "interrupted; nothing was written" in told
    assert not list(tmp_path.iterdir())


def test_what_was_written_is_said(archive: Path, tmp_path: Path) -> None:
    assert "3 files written" in pmproof("rewrite", archive, tmp_path / "out").stderr
    assert "report.html: html report written" in pmproof("check", "--output", tmp_path / "report.html", archive).stderr


def test_an_ignored_signal_stays_ignored(archive: Path, tmp_path: Path) -> None:
    rewrite = [PMPROOF, "rewrite", "--compress", "xz", str(archive), str(tmp_path / "out")]
    command = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *rewrite]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while not list(tmp_path.glob(".pmproof-*")) and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGHUP)
    assert process.returncode == 0
    assert (tmp_path / "out.meta.xz").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a tmpfs")
def test_a_full_disk_leaves_nothing(archive: Path, tmp_path: Path) -> None:
    script = """
        mount -t tmpfs -o size=1m none "$2" || exit 77
        echo old > "$2/old.html"
        "$1" rewrite "$3" "$2/out"; test $? = 5 || exit 1
        "$1" generate --size 4M "$2/out"; test $? = 5 || exit 2
        "$1" enumerate --records 4 "$2/all"; test $? = 5 || exit 3
        dd if=/dev/zero of="$2/filler" bs=4096 2>/dev/null
        "$1" check --force --output "$2/old.html" "$3"; test $? = 5 || test $? = 2 || exit 4
        rm "$2/filler"
        test "$(ls -A "$2")" = old.html || { ls -lA "$2"; exit 5; }
        test "$(cat "$2/old.html")" = old
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["unshare", "--mount", "sh", "-c", script, "sh", PMPROOF, str(disk), str(archive)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("no mount is allowed here; output_test has a full disk in memory")
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
