# SPDX-License-Identifier: Apache-2.0
"""The example of README.md shows what comes out, and the benchmark runs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from qa.fleet.testing import FLEET, NET, PMPROOF, fleet_environment, small_archives

_README = Path("qa/fleet/README.md").read_text(encoding="utf-8")


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    """With the 40 archives of the example, and `fleet` and pmproof to be called by their names."""
    archives = small_archives(tmp_path / "made", records=2)[:40]
    assert len(archives) == 40
    for archive in archives:
        for file in archive.parent.glob(f"{archive.name}.*"):
            (tmp_path / "archives").mkdir(exist_ok=True)
            shutil.copy(file, tmp_path / "archives")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/pmproof").symlink_to(PMPROOF)
    (tmp_path / "bin/fleet").write_text(f'#!/bin/sh\nexec {sys.executable} -B {FLEET} "$@"\n', encoding="utf-8")
    (tmp_path / "bin/fleet").chmod(0o755)
    return tmp_path


def test_the_example(folder: Path) -> None:
    (example,) = re.findall(r"^```console\n(.*?)^```$", _README, re.MULTILINE | re.DOTALL)
    commands: list[tuple[str, list[str]]] = []
    for line in example.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    assert len(commands) == 4
    environment = fleet_environment()
    environment["PATH"] = f"{folder}/bin:{environment['PATH']}"
    for command, shown in commands:
        done = subprocess.run(
            ["sh", "-c", f"{command} 2>&1"], cwd=folder, env=environment, capture_output=True, text=True, timeout=NET, check=False
        )
        assert done.returncode in (0, 1), done.stdout
        pattern = "".join("(.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n" for line in shown)
        assert not shown or re.fullmatch(pattern, done.stdout), (command, done.stdout)
    assert (folder / "nightly.csv").read_text(encoding="utf-8").count("\n") == 41


def test_the_benchmark() -> None:
    bench = [sys.executable, "-B", str(FLEET.with_name("bench")), "--archives", "200", "--rounds", "1", "--workers", "1"]
    done = subprocess.run(
        [*bench, "--pmproof", str(PMPROOF)], env=fleet_environment(), capture_output=True, text=True, timeout=NET, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines() if line.startswith("| `")]
    assert [row[1].strip() for row in rows] == ["`pmproof check --jobs 1`", "`fleet check --workers 1`"]
    assert all(float(number) > 0 for row in rows for number in row[2:-1])
