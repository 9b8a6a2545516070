# SPDX-License-Identifier: Apache-2.0
"""What a check takes beside the mapping of the files, as the operating system counts it."""

import json
import os
import resource
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from validator.testing.run import PMPROOF

BASE = Path("golden/archive/base-v2")
# Memory that is written to: that of the program itself and its libraries, and --memory. Mapped files do not count.
PROGRAM = 40 << 20


def limited(memory: int, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (PROGRAM + memory, PROGRAM + memory))

    command = [PMPROOF, *map(str, arguments), "--memory", str(memory)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60, preexec_fn=limit)


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    for path in BASE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path / "base"


def report_of(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(done.stdout)["archives"][0]
    return report


def test_an_index_extended_by_gigabytes_of_zeros_takes_no_memory(archive: Path) -> None:  # ARC-1926
    index = archive.with_name("base.index")
    size = index.stat().st_size
    os.truncate(index, 1 << 30)
    done = limited(8 << 20, "check", "--format", "json", archive)
    assert done.returncode == 1, done.stderr
    zeros = [finding for finding in report_of(done)["findings"] if finding["rule"] == "ARC-1926"]
    assert [(finding["offset"], finding["count"]) for finding in zeros] == [(size, 1)]
    assert zeros[0]["length"] == ((1 << 30) - size) // 20 * 20


def test_a_disordered_index_beyond_the_budget_gets_no_verdict(archive: Path) -> None:
    content = archive.with_name("base.index").read_bytes()
    entry = content[132:148]
    with open(archive.with_name("base.index"), "ab") as index:
        for at in range(2_000_000):
            index.write(entry + struct.pack(">I", 132 + at * 2_654_435_761 % 10_000_000 * 4))
    done = limited(8 << 20, "check", "--format", "json", archive)
    assert done.returncode == 6, done.stderr
    assert b"base.index" in done.stderr
    assert b"--memory raises the limit" in done.stderr
    assert report_of(done)["failure"]


def test_what_an_archive_took_the_next_one_takes(archive: Path) -> None:
    """The system is not asked for memory again and again."""
    many = 200
    for part in ("meta", "index", "0"):
        for number in range(many):
            (archive.parent / "many").mkdir(exist_ok=True)
            (archive.parent / f"many/{number}.{part}").write_bytes(archive.with_name(f"base.{part}").read_bytes())

    def pages(checked: Path) -> int:
        with subprocess.Popen([PMPROOF, "check", "--jobs", "1", "--quiet", checked], stdout=subprocess.DEVNULL) as done:
            _, status, used = os.wait4(done.pid, 0)
            done.returncode = os.waitstatus_to_exitcode(status)
        assert done.returncode == 0
        return int(used.ru_minflt)

    assert pages(archive.parent / "many") - pages(archive) < 3 * many
