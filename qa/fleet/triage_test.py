# SPDX-License-Identifier: Apache-2.0
"""`fleet triage` says of a journal what `pmproof triage` says of its archives, and of those that have no result what they lack."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from qa.fleet.testing import NET, PMPROOF, checker, fleet
from validator.triage.sample_archives import described, make_week, without_time


def make_tree(folder: Path) -> Path:
    """Two directories, of archives in all conditions but live, with names that are hostile to a page and to a shell."""
    tree = folder / "tree"
    make_week(folder / "week")
    hostile = tree / os.fsdecode(b"z\xff<script>\\xfe\n'")
    hostile.mkdir(parents=True)
    for file in (folder / "week").iterdir():
        file.rename(hostile / file.name)
    (tree / "a b").mkdir()
    for name, start in (("one", 0), ("two", 10_000), ("two&", 10_000)):
        described(tree / "a b" / name, start, 20, ("a.x", f"only.{name.strip('&')}"))
    for file in tree.rglob("*.*"):
        os.utime(file, (1, 1_700_000_000))
    return tree


@pytest.fixture(name="tree")
def fixture_tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path)


@pytest.fixture(name="checked", scope="module")
def fixture_checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, and nobody changes it: its journal is beside it, with sets."""
    tree = make_tree(tmp_path_factory.mktemp("checked"))
    assert check(tree, "--set").returncode == 1
    return tree


def check(tree: Path, *words: "str | Path", program: Path = PMPROOF) -> "subprocess.CompletedProcess[str]":
    return fleet("check", "--workers", "1", "--checker", program, "--journal", tree.with_name("journal"), *words, tree)


def triage(tree: Path, *words: "str | Path") -> "subprocess.CompletedProcess[str]":
    return fleet("triage", "--checker", PMPROOF, *words, tree.with_name("journal"))


def by_pmproof(tree: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([PMPROOF, "triage", *words, tree], capture_output=True, text=True, timeout=NET, check=False)


@pytest.fixture(name="no_program")
def fixture_no_program(tmp_path: Path) -> Path:
    """A run with it ends when the archives have been found."""
    program = tmp_path / "no-program"
    program.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("form", ["text", "json", "csv", "html"])
def test_a_journal_gives_what_its_archives_give(form: str, checked: Path) -> None:
    told, expected = triage(checked, "--format", form), by_pmproof(checked, "--format", form)
    assert without_time(told.stdout) == without_time(expected.stdout)
    assert (told.returncode, told.stderr) == (expected.returncode, expected.stderr)
    if form == "json":
        report = json.loads(told.stdout)
        assert set(report["footer"]["conditions"].values()) == {0, 1, 2, 4}
        assert [bool(each["findings"]) for each in report["directories"]] == [True, True]


def test_live_is_what_was_live_when_it_was_checked(tree: Path) -> None:
    for file in tree.rglob("cut.*"):
        os.utime(file)
    check(tree)
    assert conditions(tree)["cut"] == "live"


def test_durations_are_those_of_triage(tree: Path) -> None:
    """What changed two hours ago is live within three, and no gap is longer than three hours."""
    for file in tree.rglob("cut.*"):
        os.utime(file, (1, time.time() - 7200))
    words = ("--live-within", "3h", "--gap", "3h")
    check(tree, "--set", *words)
    told, expected = triage(tree, "--format", "json"), by_pmproof(tree, "--format", "json", *words)
    assert told.stdout == expected.stdout
    assert conditions(tree)["cut"] == "live"
    without = json.loads(by_pmproof(tree, "--format", "json").stdout)["directories"]
    assert [bool(each["gaps"]) for each in without] == [True, True]
    assert [bool(each["gaps"]) for each in json.loads(told.stdout)["directories"]] == [False, False]
    refused = check(tree, "--set", "--gap", "1h")
    assert refused.returncode == 2 and "is of other options (--live-within=3h --gap=3h)" in refused.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--gap", "1h"), "--gap needs --set"),
        (("--set", "--gap", "1h", "--only", "label"), "--live-within and --gap are for triage, which needs all rules"),
        (("--live-within", "1h", "--rule=-ARC-1104"), "--live-within and --gap are for triage, which needs all rules"),
        (("--set", "--gap", "soon"), "--gap: no duration: soon"),
        (("--live-within", "soon"), "--live-within: no duration: soon"),
    ],
)
def test_durations_that_cannot_be_are_refused(words: tuple[str, ...], said: str, tree: Path) -> None:
    done = check(tree, *words)
    assert done.returncode == 2 and said in done.stderr


def conditions(tree: Path) -> dict[str, str]:
    return {Path(each["archive"]).name: each["condition"] for each in archives(tree)}


def archives(tree: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(triage(tree, "--format", "json").stdout)["archives"]
    return found


def test_the_archives_are_not_needed(tree: Path) -> None:
    check(tree, "--set")
    before = triage(tree).stdout
    tree.rename(tree.with_name("gone"))
    assert triage(tree).stdout == before


def test_without_sets_there_are_no_directories_and_it_says_so(tree: Path) -> None:
    check(tree)
    told = triage(tree, "--format", "json")
    assert json.loads(told.stdout)["directories"] == []
    assert "directories were not looked at: fleet check --set does" in told.stderr
    assert "fleet check --set" not in triage(tree, "--quiet").stderr


def test_what_has_no_report_is_undecided_and_says_why(tree: Path, tmp_path: Path) -> None:
    body = f"if {str(tree / 'a b/one')!r} in paths: os.kill(os.getpid(), signal.SIGSEGV)"
    assert check(tree, "--set", program=checker(tmp_path / "checker", body)).returncode == 5
    told = triage(tree, "--format", "json")
    assert told.returncode == 5
    one = next(each for each in json.loads(told.stdout)["archives"] if each["archive"].endswith("/one"))
    assert (one["condition"], one["why"]) == ("undecided", "pmproof died: pmproof was ended by SIGSEGV")
    assert one["next"] == f"report this error: pmproof check '{tree}/a b/one'"


def test_what_is_not_checked_yet_is_undecided(tree: Path, no_program: Path) -> None:
    check(tree)
    for name in ("three", "four"):
        described(tree / "a b" / name, 20_000, 5)
    assert check(tree, program=no_program).returncode == 5
    three = next(each for each in archives(tree) if each["archive"].endswith("/three"))
    assert (three["condition"], three["why"]) == ("undecided", "it is not checked yet")
    assert three["next"] == f"fleet check --resume --journal {tree.with_name('journal')}"
    assert triage(tree).returncode == 4


def test_a_set_without_an_answer_is_told(tree: Path, tmp_path: Path) -> None:
    body = "if paths[0].endswith('.json'): os.kill(os.getpid(), signal.SIGSEGV)"
    check(tree, "--set", program=checker(tmp_path / "checker", body))
    report = json.loads(triage(tree, "--format", "json").stdout)
    assert report["directories"] == []
    assert [error["message"] for error in report["errors"]] == ["as a set: pmproof died: pmproof was ended by SIGSEGV"] * 2


def test_reports_go_to_files_but_never_over_the_journal(checked: Path, tmp_path: Path) -> None:
    tree = checked
    done = triage(tree, "--quiet", "--output", f"html:{tmp_path / 'page.html'}", "--output", f"csv:{tmp_path / 'list.csv'}")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert (tmp_path / "list.csv").read_text("utf-8").count("\n") == 10
    assert triage(tree, "--output", f"html:{tmp_path / 'page.html'}").returncode == 2
    for output in (tree.with_name("journal"), tree / "a b/one.0"):
        before = output.read_bytes()
        done = triage(tree, "--force", "--output", f"html:{output}")
        assert done.returncode == 2, done.stderr
        assert output.read_bytes() == before


def test_a_journal_that_does_not_say_what_triage_needs_is_refused(tree: Path, no_program: Path) -> None:
    check(tree, "--only", "label")
    done = triage(tree)
    assert (done.returncode, done.stdout) == (4, "")
    assert "does not say what triage needs: it was made with --only or --rule" in done.stderr
    assert fleet("triage", "--checker", PMPROOF, tree).returncode == 4
    assert check(tree, "--fresh", program=no_program).returncode == 5
    assert "has no result yet" in triage(tree).stderr
