# SPDX-License-Identifier: Apache-2.0
"""`check --triage`, and what is made of such a report: `triage --report`, `check --set --report`."""

import json
import os
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof
from validator.triage.sample_archives import cut, described, make_week, part, without_time

SCHEMA = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text(encoding="ascii"))


@pytest.fixture(name="week")
def fixture_week(tmp_path: Path) -> Path:
    """All files are old, so that nothing is live."""
    week = make_week(tmp_path / "week")
    described(tmp_path / "week/other metrics", 10_000, 20, ("a.x", "b.z"))
    for file in week.iterdir():
        os.utime(file, (1, 1_700_000_000))
    return week


def checked(*arguments: str | Path, to: Path) -> dict[str, Any]:
    pmproof("check", "--output", f"json:{to}", "--force", *arguments)
    report: dict[str, Any] = json.loads(to.read_text("ascii"))
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    return report


def test_each_archive_of_a_report_has_what_triage_says_of_it(week: Path, tmp_path: Path) -> None:
    report = checked("--triage", week, to=tmp_path / "report.json")
    direct = json.loads(pmproof("triage", "--format", "json", week).stdout)
    assert len(report["archives"]) == 7
    for archive, expected in zip(report["archives"], direct["archives"], strict=True):
        assert archive["triage"] == {key: expected[key] for key in ("condition", "why", "next", "host")}
    lines = pmproof("check", "--triage", "--format", "jsonl", week).stdout.splitlines()
    triages = [line["triage"] for line in map(json.loads, lines) if line["type"] == "archive"]
    assert triages == [archive["triage"] for archive in report["archives"]]
    assert "triage" not in checked(week, to=tmp_path / "plain.json")["archives"][0]


def test_live_and_gaps_are_by_the_durations_that_are_given(week: Path, tmp_path: Path) -> None:
    """What changed two hours ago is live within three, and no gap but one is longer than an hour."""
    for file in week.glob("cut.*"):
        os.utime(file, (1, time.time() - 7200))
    words = ("--live-within", "3h", "--gap", "1h")
    checked("--triage", "--set", *words, week, to=tmp_path / "report.json")
    told = json.loads(pmproof("triage", "--format", "json", "--report", tmp_path / "report.json").stdout)
    assert told == json.loads(pmproof("triage", "--format", "json", *words, week).stdout)
    assert [Path(one["archive"]).name for one in told["archives"] if one["condition"] == "live"] == ["cut"]
    assert len(told["directories"][0]["gaps"]) == 1
    checked("--triage", week, to=tmp_path / "archives.json")
    again = checked("--triage", "--set", "--gap", "5h", "--report", tmp_path / "archives.json", to=tmp_path / "sets.json")
    assert [one["triage"]["gaps"] for one in again["archives"]] == [[]]


@pytest.mark.parametrize("form", ["text", "json", "csv", "html"])
def test_triage_of_a_report_is_triage_of_its_archives(form: str, week: Path, tmp_path: Path) -> None:
    checked("--triage", "--set", week, to=tmp_path / "report.json")
    direct = pmproof("triage", "--format", form, week)
    told = pmproof("triage", "--format", form, "--report", tmp_path / "report.json")
    assert without_time(told.stdout) == without_time(direct.stdout) and told.returncode == direct.returncode == 1
    assert told.stderr == direct.stderr


def test_foreign_names_survive(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"b\xff<script>\\xfe\n")
    described(tmp_path / "folder/a", 0, 5)
    (tmp_path / "folder").rename(odd)
    described(tmp_path / "folder/b", 100, 5)
    for file in list((tmp_path / "folder").iterdir()):
        file.rename(odd / file.name)
    checked("--triage", "--set", odd, to=tmp_path / "report.json")
    for form in ("text", "json", "csv", "html"):
        told = pmproof("triage", "--format", form, "--report", tmp_path / "report.json")
        assert without_time(told.stdout) == without_time(pmproof("triage", "--format", form, odd).stdout)
    assert "<script>\\" not in pmproof("triage", "--format", "html", "--report", tmp_path / "report.json").stdout


def test_the_files_are_not_needed_any_more(week: Path, tmp_path: Path) -> None:
    checked("--triage", "--set", week, to=tmp_path / "report.json")
    before = pmproof("triage", "--report", tmp_path / "report.json").stdout
    week.rename(tmp_path / "gone")
    assert pmproof("triage", "--report", tmp_path / "report.json").stdout == before


def sets_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [archive for archive in report["archives"] if "members" in archive]


@pytest.mark.parametrize("selection", [[], ["--rule=-ARC-1104"], ["--only", "label,set"], ["--max-findings", "1"]])
def test_sets_of_a_report_are_judged_as_those_of_archives(selection: list[str], week: Path, tmp_path: Path) -> None:
    described(tmp_path / "week/overlap", 10_010, 20)
    described(tmp_path / "other/a", 0, 20)
    whole = checked("--set", *selection, tmp_path / "week", tmp_path / "other", to=tmp_path / "report.json")
    told = checked("--set", *selection, "--report", tmp_path / "report.json", to=tmp_path / "sets.json")
    (expected,) = sets_of(whole)
    assert told["archives"] == [expected]
    assert {"ARC-2102", "ARC-2107"} <= {finding["rule"] for finding in expected["findings"]}
    assert pmproof("check", "--set", *selection, "--report", tmp_path / "report.json").returncode == 1


def test_the_archives_of_a_report_are_not_read_again_for_their_sets(week: Path, tmp_path: Path) -> None:
    """The members' volumes are cut after the check, which their sets do not show."""
    checked("--set", week, to=tmp_path / "report.json")
    before = pmproof("check", "--set", "--report", tmp_path / "report.json").stdout
    cut(part(week / "sound", "0"), 10)
    assert pmproof("check", "--set", "--report", tmp_path / "report.json").stdout == before


def test_a_report_without_sets_is_no_error(tmp_path: Path) -> None:
    described(tmp_path / "alone/a", 0, 20)
    checked("--triage", tmp_path / "alone", to=tmp_path / "report.json")
    done = pmproof("check", "--set", "--report", tmp_path / "report.json")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_no_such_report_is_refused_with_its_place(week: Path, tmp_path: Path) -> None:
    checked("--triage", "--set", week, to=tmp_path / "report.json")
    sound = (tmp_path / "report.json").read_text("ascii")
    plain = json.dumps(checked(week, to=tmp_path / "plain.json"))
    told = tmp_path / "told.json"
    for content, said in [
        (plain, 'archives[0]: has no "triage"'),
        (sound[: len(sound) // 2], "is not JSON"),
        (sound.replace('"condition": "sound"', '"condition": "fine"'), "triage: condition is unknown: fine"),
        (sound.replace('"records": 21', '"records": -21', 1), "summary: records is not a number"),
        (sound.replace('"start": "0.000000000"', '"start": "noon"', 1), "summary: start is not a time"),
        (sound.replace('"version": "0.', '"version": "9.', 1), "the report is by pmproof 9."),
        (sound.replace('"tool"', '"fool"', 1), "does not say by which pmproof it is"),
        (sound.replace('"before": "', '"before": "x', 1), "before is none of the archives"),
        ("{}", "is no report that is complete"),
        ("[" * 100_000, "is deeper than"),
        ("", ""),
    ]:
        told.write_text(content, encoding="ascii")
        done = pmproof("triage", "--report", told)
        assert (done.returncode, done.stdout) == (4, ""), content[:200]
        assert done.stderr.startswith(f"pmproof: {told}: ") and said in done.stderr, done.stderr
    assert pmproof("triage", "--report", tmp_path / "none").returncode == 4


def test_wrong_usage_is_refused(week: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    checked("--triage", week, to=report)
    refused: list[tuple[list[str | Path], str]] = [
        (["triage", "--report", report, week], "--report is in place of ARCHIVE"),
        (["triage", "--report", report, "--gap", "1s"], "--gap"),
        (["check", "--report", report], "--report needs --set"),
        (["check", "--set", "--report", report, week], "--report is in place of ARCHIVE"),
        (["check", "--triage", "--only", "label", week], "--triage needs all rules"),
        (["check", "--triage", "--rule=-ARC-1104", week], "--triage needs all rules"),
        (["check", "--live-within", "1h", week], "--live-within needs --triage"),
        (["check", "--set", "--gap", "1h", week], "--gap needs --triage"),
        (["check", "--triage", "--live-within", "soon", week], "--live-within: no duration: soon"),
        (["check", "--triage", "--set", "--gap", "soon", week], "--gap: no duration: soon"),
        (["check", "--triage", "--set", "--report", report, "--live-within", "1h"], "--live-within"),
    ]
    for words, said in refused:
        done = pmproof(*words)
        assert (done.returncode, done.stdout) == (2, "") and said in done.stderr, done.stderr


def test_a_file_of_an_archive_of_the_report_is_never_overwritten(week: Path, tmp_path: Path) -> None:
    checked("--triage", week, to=tmp_path / "report.json")
    before = part(week / "sound", "0").read_bytes()
    done = pmproof("triage", "--report", tmp_path / "report.json", "--force", "--output", f"html:{part(week / 'sound', '0')}")
    assert done.returncode == 2 and "it is not overwritten" in done.stderr
    assert part(week / "sound", "0").read_bytes() == before
