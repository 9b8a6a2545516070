# SPDX-License-Identifier: Apache-2.0
"""check() returns a verdict on all that it was given, or raises."""

import json
import os
from pathlib import Path

import pytest

import pmproof
from qa.python.testing import generate, mutate, program, run


@pytest.fixture(name="good", scope="module")
def fixture_good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("good") / "good")


@pytest.fixture(name="bad", scope="module")
def fixture_bad(good: Path) -> Path:
    return mutate("ARC-1918", good, good.with_name("bad"))


def test_a_conformant_archive(good: Path) -> None:
    report = pmproof.check(good)
    assert report.conformant and report.readable
    assert list(report.findings()) == [] and report.rules() == set()
    (archive,) = report.archives
    assert archive.summary.metrics == 7 and archive.summary.marks == 6
    assert archive.summary.start == pmproof.Time(1_700_000_000, 0)


def test_a_finding_has_its_place(good: Path, bad: Path) -> None:
    report = pmproof.check(good, bad)
    assert not report.conformant and report.readable
    (finding,) = report.findings("error")
    assert (finding.rule, finding.severity, finding.part, finding.offset) == ("ARC-1918", "error", "index", 864)
    assert report.rules() == {"ARC-1918"} and report.rules("fatal") == set()
    assert pmproof.path_of(finding.file) == "bad.index"


def test_a_report_prints_as_the_program_does(good: Path, bad: Path) -> None:
    report = pmproof.check(bad, good)
    assert not report.text.endswith("\n")
    assert f"{report}\n" == run_text("check", str(bad), str(good))


def run_text(*arguments: str) -> str:
    done = pmproof.Program.find().run(arguments, timeout=None)
    return done.stdout.decode()


def test_warnings_are_found_and_do_not_make_it_not_conformant(good: Path, tmp_path: Path) -> None:
    report = pmproof.check(mutate("ARC-1825", good, tmp_path / "written"))
    assert report.conformant
    assert report.rules("error") == set() and report.rules("warning") == {"ARC-1825"}
    with pytest.raises(ValueError, match="'grave' is no severity"):
        report.rules("grave")  # type: ignore[arg-type]


def test_rules_and_parts_are_chosen(bad: Path) -> None:
    assert pmproof.check(bad, leave_out=["ARC-1918"]).conformant
    assert pmproof.check(bad, only=["label"]).conformant
    assert pmproof.check(bad, only=["label"], select=["ARC-1918"]).rules() == {"ARC-1918"}
    assert pmproof.check(bad, profile="live", jobs=1, memory="64M", max_findings=1).rules() == {"ARC-1918"}


def test_a_word_in_place_of_a_list_of_words(bad: Path) -> None:
    with pytest.raises(TypeError, match="leave_out is a list of words"):
        pmproof.check(bad, leave_out="ARC-1918")


def test_a_set_and_what_it_discloses(good: Path, tmp_path: Path) -> None:
    for name in "ab":
        generate(tmp_path / name)
    (archive,) = [one for one in pmproof.check(tmp_path, as_set=True, disclose=True).archives if one.members]
    assert archive.members == (str(tmp_path / "a"), str(tmp_path / "b"))
    (alone,) = pmproof.check(good, disclose=True).archives
    assert alone.disclosures is not None and alone.disclosures.fields[0].kind == "host"
    assert pmproof.check(good).archives[0].disclosures is None


@pytest.mark.parametrize("name", ["-x", "--help", "a b", "ü", "new\nline", b"\xff\\x41", "a:b", "json:x"])
def test_names_that_are_not_easy(name: "str | bytes", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is taken for an option, and each is found again by what the report says."""
    monkeypatch.chdir(tmp_path)
    generate(Path(os.fsdecode(name)))
    report = pmproof.check(name)
    assert report.conformant
    assert pmproof.path_of(report.archives[0].archive) == os.fsdecode(name)
    assert os.path.exists(pmproof.path_of(report.archives[0].archive) + ".meta")


@pytest.mark.parametrize("path", ["", b"a\0b"])
def test_what_can_be_no_path_is_refused(path: "str | bytes") -> None:
    with pytest.raises(ValueError, match="neither empty nor has a NUL"):
        pmproof.check(path)


def test_nothing_is_not_checked() -> None:
    with pytest.raises(ValueError):
        pmproof.check()


def test_an_archive_that_is_not_there(good: Path, tmp_path: Path) -> None:
    with pytest.raises(pmproof.InputError) as raised:
        pmproof.check(good, tmp_path / "nowhere")
    assert str(raised.value) == f"{tmp_path}/nowhere: no such archive, file or directory"
    # What is known of the others is not lost.
    assert raised.value.report is not None
    assert [one.conformant for one in raised.value.report.archives] == [True]
    assert not raised.value.report.conformant


def test_a_file_that_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "junk.0").write_bytes(b"x")
    with pytest.raises(pmproof.InputError, match="no verdict: junk.0: offset 0: the file has no length word") as raised:
        pmproof.check(tmp_path / "junk.0")
    assert raised.value.report is not None and raised.value.report.rules() >= {"ARC-1004"}


def test_a_limit_that_is_too_low(good: Path) -> None:
    with pytest.raises(pmproof.LimitExceeded, match="more than the memory budget") as raised:
        pmproof.check(good, memory="1k")
    assert raised.value.report is not None and not raised.value.report.conformant


def test_a_rule_that_is_unknown(good: Path) -> None:
    with pytest.raises(pmproof.UsageError, match="there is no rule ARC-9999"):
        pmproof.check(good, leave_out=["ARC-9999"])


def test_the_file_system_is_left_as_it_was(bad: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = {path: path.read_bytes() for path in bad.parent.iterdir()}
    pmproof.check(bad)
    assert {path: path.read_bytes() for path in bad.parent.iterdir()} == before
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_ends_early_is_no_verdict(good: Path, tmp_path: Path) -> None:
    cut = json.loads(run("check", "--format", "json", good))
    del cut["footer"]
    posing = program(tmp_path, f"[ $1 != version ] || {{ echo pmproof 0.2.0; exit; }}\ncat <<'END'\n{json.dumps(cut)}\nEND")
    with pytest.raises(pmproof.ProgramError, match="is not understood .*: footer is missing"):
        pmproof.check(good, program=posing)
