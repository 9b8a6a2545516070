# SPDX-License-Identifier: Apache-2.0
"""`suite rules diff`, `suite rules bisect`: names of implementations become adapters of pmproof, all else is handed on."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from qa.suite import implementations, rules
from qa.suite.cli import main

PMPROOF = os.environ["PMPROOF"]
BASE = Path("golden/archive/base-v3/base")


@pytest.fixture(name="handed_on")
def fixture_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pmproof that notes its arguments, a line each, and exits with status 7."""
    noted = tmp_path / "noted"
    program = tmp_path / "pmproof"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {shlex.quote(str(noted))}\nexit 7\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PMPROOF", str(program))
    return noted


def test_what_pmproof_knows_is_handed_on_as_it_is(handed_on: Path) -> None:
    words = ["diff", "--baseline", "pcp-6.3.2", "--candidate=exec:./a 'b c'", "--metric", "x", "an archive"]
    assert main(["rules", *words]) == 7
    assert handed_on.read_text(encoding="utf-8").splitlines() == ["rules", *words[:3], "--candidate", words[3][12:], *words[4:]]


def test_a_name_becomes_an_adapter_and_stays_the_name(handed_on: Path) -> None:
    assert main(["rules", "diff", "--baseline", "reference", "--candidate=reference", "--candidate-name", "mine", "a"]) == 7
    program = os.environ["PMPROOF"]
    expected = ["--baseline", f"exec:{program} testee", "--baseline-name", "reference", "--candidate", f"exec:{program} testee"]
    assert handed_on.read_text(encoding="utf-8").splitlines() == ["rules", "diff", *expected, "--candidate-name", "mine", "a"]


def test_an_adapter_is_shown_the_folders_of_the_archives(handed_on: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[Path]] = []

    def adapter(name: str, folders: list[Path]) -> list[str]:
        assert name == "pcp:7.2"
        shown.append(folders)
        return ["its adapter", "7"]

    monkeypatch.setattr(implementations, "adapter", adapter)
    for name in ("x/a.meta", "y/b.meta", "z/c/d.meta"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    archives = [str(tmp_path / "x/a.meta"), f"{tmp_path}/y/b,{tmp_path}/x/a", str(tmp_path / "z"), "no/such/e"]
    assert rules.run(["diff", "--candidate", "pcp:7.2", "--output", f"html:{tmp_path}/page", *archives]) == 7
    assert shown == [[tmp_path / "x", tmp_path / "y", tmp_path / "z"]]
    assert "exec:'its adapter' 7" in handed_on.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "suite rules diff --baseline SIDE"),
        (["list"], 2, "suite rules diff --baseline SIDE"),
        (["bisect", "pcp:1.2"], 3, "unknown version"),
        (["diff", "--candidate", "pcp:1.2", "a"], 3, "unknown version"),
        (["diff", "--candidate", "tool:/no/such/root", "a"], 3, "is not the root of an installed PCP"),
        (["diff", "--candidate", "pcp:", "a"], 2, "is not an implementation"),
    ],
)
def test_refusals(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", *words]) == status
    assert said in capsys.readouterr().err


def test_the_reference_is_compared_by_its_name() -> None:
    command = ["qa/suite/suite", "rules", "diff", "--baseline", "reference", "--candidate", "documented", str(BASE), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
    read = json.loads(done.stdout)
    assert read["baseline"]["name"] == "reference" and read["baseline"]["kind"] == "implementation"
    assert read["total"]["values"]["compared"] > 0


def test_bisect_is_asked_about_an_adapter_that_sees_its_folder(handed_on: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[Path]] = []

    def adapter(name: str, folders: list[Path]) -> list[str]:
        assert name == "pcp:7.2"
        shown.append(folders)
        return ["its adapter", "7"]

    monkeypatch.setattr(implementations, "adapter", adapter)
    assert main(["rules", "bisect", "pcp:7.2", "--questions", "3"]) == 7
    ((scratch,),) = shown
    expected = ["rules", "bisect", "exec:'its adapter' 7", "--questions", "3", "--name", "pcp:7.2", "--scratch", str(scratch)]
    assert handed_on.read_text(encoding="utf-8").splitlines() == expected
    assert not scratch.exists()


def test_derive_diff_takes_names_too(handed_on: Path) -> None:
    assert main(["derive", "diff", "--baseline", "6.0.3", "--candidate", "reference", "--derive", "x = 1", "an archive"]) == 7
    program = os.environ["PMPROOF"]
    sides = ["--baseline", "6.0.3", "--candidate", f"exec:{program} testee", "--candidate-name", "reference"]
    assert handed_on.read_text(encoding="utf-8").splitlines() == ["derive", "diff", *sides, "--derive", "x = 1", "an archive"]


def test_bisect_hands_on_what_pmproof_knows(handed_on: Path) -> None:
    assert main(["rules", "bisect", "exec:./adapter", "an archive"]) == 7
    assert handed_on.read_text(encoding="utf-8").splitlines() == ["rules", "bisect", "exec:./adapter", "an archive"]


def test_the_help_is_that_of_pmproof() -> None:
    done = subprocess.run(["qa/suite/suite", "rules", "diff", "--help"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "--candidate SIDE" in done.stdout
