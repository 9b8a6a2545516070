# SPDX-License-Identifier: Apache-2.0
"""`pmproof triage` over folders of archives that are sound, live, damaged, incomplete and twice there."""

import csv
import io
import json
import lzma
import os
import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof, shared_archives
from validator.triage.sample_archives import cut, described, make_week, part

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="ascii"))


def triaged(*arguments: str | Path, status: int = 1) -> dict[str, Any]:
    done = pmproof("triage", "--format", "json", *arguments)
    assert done.returncode == status, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    return report


def conditions(report: dict[str, Any]) -> dict[str, str]:
    return {Path(archive["archive"]).name: archive["condition"] for archive in report["archives"]}


@pytest.fixture(name="week")
def fixture_week(tmp_path: Path) -> Path:
    return make_week(tmp_path / "week")


def test_each_archive_has_its_condition_and_what_to_do(week: Path) -> None:
    report = triaged("--live-within", "0s", week)
    assert conditions(report) == {
        "sound": "sound",
        "cut": "salvageable",
        "no_meta": "orphan",
        "no_volume": "orphan",
        "twice": "duplicate",
        "lost": "lost",
    }
    for archive in report["archives"]:
        needs_a_person = archive["condition"] != "sound"
        assert bool(archive["why"]) == bool(archive["next"]) == needs_a_person
    assert report["footer"]["conditions"] == {
        "undecided": 0, "lost": 1, "orphan": 2, "duplicate": 1, "salvageable": 1, "live": 0, "sound": 1,
    }


def test_the_next_step_of_what_is_salvageable_is_a_command_that_works(week: Path) -> None:
    spaced = part(week, "o'd d") / "it's"
    described(spaced, 0, 20)
    cut(part(spaced, "0"), 10)
    (archive,) = triaged("--live-within", "0s", spaced)["archives"]
    program, *words = shlex.split(archive["next"])
    assert program == "pmproof" and pmproof(*words).returncode in (0, 3)
    assert pmproof("check", words[-1]).returncode == 0


def test_live_is_what_changed_of_late(week: Path) -> None:
    assert conditions(triaged(week))["cut"] == "live"
    for file in week.glob("cut.*"):
        os.utime(file, (1, 1_700_000_000))
    assert conditions(triaged(week))["cut"] == "salvageable"
    assert conditions(triaged("--live-within", "200d", week)) != conditions(triaged("--live-within", "36500d", week))


def test_live_and_sound_ones_need_nobody(week: Path) -> None:
    assert triaged(week / "sound", week / "cut", status=0)["footer"]["archives"] == 2


def test_what_triage_calls_lost_salvage_cannot_save_and_the_other_way_round(tmp_path: Path) -> None:
    """Over an edit of each rule that has one."""
    made = tmp_path / "made"
    made.mkdir()
    done = pmproof("generate", "--seed", "5", "--records", "30", "--no-truth", tmp_path / "sound")
    assert done.returncode == 0, done.stderr
    rules = sorted(set(re.findall(r"^ARC-\d+", pmproof("mutate", "--list").stdout, re.MULTILINE)))
    assert len(rules) > 100
    (tmp_path / "out").mkdir()
    for rule in rules:
        (made / rule).mkdir()
        pmproof("mutate", "--rule", rule, tmp_path / "sound", made / rule / "a")
    seen = set()
    archives = triaged("--live-within", "0s", made)["archives"]
    assert len(archives) > 100
    for archive in archives:
        if archive["condition"] not in ("lost", "salvageable"):
            continue
        saved = pmproof("salvage", archive["archive"], tmp_path / "out" / Path(archive["archive"]).parent.name)
        assert (archive["condition"], archive["archive"], saved.returncode in (0, 3)) == (
            archive["condition"], archive["archive"], archive["condition"] == "salvageable",
        ), saved.stderr
        seen.add(archive["condition"])
    assert "salvageable" in seen


def test_the_same_holds_of_archives_that_other_people_recorded(tmp_path: Path) -> None:
    seen = set()
    for archive in json.loads(pmproof("triage", "--live-within", "0s", "--format", "json", shared_archives()).stdout)["archives"]:
        if archive["condition"] in ("lost", "salvageable"):
            saved = pmproof("salvage", "--force", archive["archive"], tmp_path / "out")
            # Whether a value of a whole record can be kept is known when all of them have been looked at.
            expected = archive["condition"] == "salvageable" and not saved.stderr.endswith("no data record can be saved\n")
            assert (saved.returncode in (0, 3)) == expected, (archive, saved.stderr)
            seen.add(archive["condition"])
    assert seen == {"lost", "salvageable"}


def test_gaps_and_overlaps_of_a_directory(tmp_path: Path) -> None:
    """ARC-550: it is opened as one; ARC-555: an overlap hides what comes after it."""
    folder = tmp_path / "folder"
    for name, start, seconds in (("a", 0, 50), ("b", 40, 30), ("c", 2000, 20), ("d", 2100, 10)):
        described(folder / name, start, seconds)
    (directory,) = triaged(folder, status=0)["directories"]
    assert [Path(name).name for name in directory["archives"]] == ["a", "b", "c", "d"]
    (overlap,) = directory["overlaps"]
    assert (Path(overlap["before"]).name, Path(overlap["after"]).name) == ("a", "b")
    assert (float(overlap["from"]), float(overlap["to"])) == (40, 50)
    (gap,) = directory["gaps"]
    assert (Path(gap["before"]).name, float(gap["from"]), float(gap["to"])) == ("b", 70, 2000)
    assert len(triaged("--gap", "10s", folder, status=0)["directories"][0]["gaps"]) == 2


def test_metrics_that_some_archives_of_a_directory_lack(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    metrics = (("a.x", "a.y"), ("a.x",), ("a.x",), ("a.x", "a.y", "a.z"))
    for number, names in enumerate(metrics):
        described(folder / f"n{number}", number * 100, 10, names)
    (directory,) = triaged(folder, status=0)["directories"]
    assert directory["metrics"] == 3
    assert directory["partial"] == [
        {"name": "a.y", "missing": [[1, 2]]},
        {"name": "a.z", "missing": [[0, 2]]},
    ]
    assert "2 of 3 metrics are missing in some:" in pmproof("triage", folder).stdout


def test_what_keeps_readers_from_opening_a_directory_is_told(tmp_path: Path) -> None:
    """ARC-2103: two archives begin at the same time. ARC-2102 is told as an overlap."""
    folder = tmp_path / "folder"
    for name, start in (("a", 0), ("b", 0), ("c", 5)):
        described(folder / name, start, 10)
    (directory,) = triaged(folder, status=0)["directories"]
    assert {finding["rule"] for finding in directory["findings"]} == {"ARC-2103", "ARC-2102"}
    text = " ".join(pmproof("triage", folder).stdout.split())
    assert f"fatal ARC-2103 {folder}/b.0: two archives begin at the same time" in text
    assert "overlap of" in text and "ARC-2102" not in text
    page = pmproof("triage", "--format", "html", folder).stdout
    assert "ARC-2103" in page and "ARC-2102" not in page


def test_damaged_archives_hide_something_from_who_reads_the_directory(week: Path) -> None:
    (directory,) = triaged("--live-within", "0s", week)["directories"]
    hiding = {Path(one["archive"]).name: one["opens"] for one in directory["hiding"]}
    assert hiding == {"cut": True, "lost": False, "no_volume": False}
    assert "no_meta" not in {Path(name).name for name in directory["archives"]}


def test_text_shows_the_worst_first_and_ends_with_a_line(week: Path) -> None:
    lines = pmproof("triage", "--live-within", "0s", week).stdout.splitlines()
    heads = [line.split()[0] for line in lines if line and line.split()[0] in ("lost", "orphan", "duplicate", "salvageable")]
    assert heads == ["lost", "orphan", "orphan", "duplicate", "salvageable"]
    assert f"  next: pmproof salvage {week}/cut {week}/cut.saved" in lines
    assert lines[-1] == "6 archives: 1 sound, 1 salvageable, 1 duplicate, 2 orphan, 1 lost"


def test_csv_has_a_record_for_each_archive(week: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(pmproof("triage", "--live-within", "0s", "--format", "csv", week).stdout)))
    assert {Path(row["archive"]).name: row["condition"] for row in rows} == conditions(triaged("--live-within", "0s", week))
    sound = next(row for row in rows if row["condition"] == "sound")
    assert (float(sound["start"]), float(sound["finish"]), sound["records"]) == (0, 20, "21")


def test_the_page_has_each_archive_in_its_data_and_ends_no_element_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "<b>&"
    described(folder / "<!--<script>", 0, 5)
    described(folder / "b", 100, 5)
    page = pmproof("triage", "--format", "html", folder).stdout
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert [row[0] for row in json.loads(data)] == [f"{folder}/<!--<script>", f"{folder}/b"]
    assert "<!--" not in page and "<b>&" not in page and page.count("<script") == 2
    assert "http:" not in page and "https:" not in page and "url(" not in page


def test_the_page_shows_bytes_of_names_as_the_text_does(tmp_path: Path) -> None:
    r"""As \xff, and not as JSON for programs has it, where a backslash of a name would be \x5c."""
    described(tmp_path / os.fsdecode(b"\xff"), 0, 5)
    described(tmp_path / r"b\xff", 100, 5)
    page = pmproof("triage", "--format", "html", tmp_path).stdout
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert sorted(row[0] for row in json.loads(data)) == [rf"{tmp_path}/\xff", rf"{tmp_path}/b\xff"]


def test_undecided_ones_say_why(tmp_path: Path) -> None:
    archive = described(tmp_path / "folder" / "a", 0, 20)
    meta = part(archive, "meta")
    part(archive, "meta.xz").write_bytes(lzma.compress(meta.read_bytes() + bytes(8 << 20)))
    meta.unlink()
    (one,) = triaged("--memory", "2M", archive, status=6)["archives"]
    assert (one["condition"], one["next"]) == ("undecided", f"pmproof check --memory 4G {archive}")


def test_a_missing_input_is_told_and_the_others_are_looked_at(week: Path) -> None:
    report = triaged(week / "sound", week / "none", status=4)
    assert (len(report["archives"]), report["errors"][0]["file"]) == (1, str(week / "none"))


def test_an_input_is_not_changed(week: Path) -> None:
    before = {file.name: file.read_bytes() for file in week.iterdir()}
    for form in ("text", "json", "csv", "html"):
        pmproof("triage", "--format", form, week)
    assert {file.name: file.read_bytes() for file in week.iterdir()} == before


def test_wrong_usage_is_refused(week: Path) -> None:
    assert pmproof("triage").returncode == 2
    for option in ("--gap", "--live-within"):
        refused = pmproof("triage", option, "soon", week)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"{option}: no duration: soon" in refused.stderr


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(pmproof("triage", "--schema").stdout) == SCHEMA
