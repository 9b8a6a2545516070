# SPDX-License-Identifier: Apache-2.0
"""Reports of damaged archives: the root cause first and what follows from it under it, what survives, what to do."""

import json
import os
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from validator.testing.run import pmproof


@pytest.fixture(name="sound")
def fixture_sound(tmp_path: Path) -> Path:
    done = pmproof("generate", "--seed", "5", "--records", "400", "--metrics", "4", "--instances", "2", tmp_path / "sound")
    assert done.returncode == 0, done.stderr
    return tmp_path / "sound"


def copy_of(archive: Path, name: str) -> Path:
    for suffix in ("0", "meta", "index"):
        shutil.copy(f"{archive}.{suffix}", archive.parent / f"{name}.{suffix}")
    return archive.parent / name


def cut(file: Path, octets: int) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:-octets])


def report_of(*arguments: str | Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(pmproof("check", "--format", "json", *arguments).stdout)
    return report


def salvaged_as_told(survival: dict[str, Any]) -> Path:
    """The archive that the command in the advice writes."""
    (told,) = [step for step in survival["next"] if step.startswith("pmproof salvage ")]
    _, command, archive, _, *rest = told.split()
    assert " ".join(rest) == "writes what can be saved as an archive of its own"
    out = Path(f"{archive}-saved")
    assert pmproof(command, archive, out).returncode in (0, 3)
    return out


def test_a_cut_volume_is_one_cause_with_what_follows(sound: Path) -> None:
    bad = copy_of(sound, "bad")
    cut(Path(f"{bad}.0"), 1000)
    done = pmproof("check", bad)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{bad}: not readable, not conformant (1 fatal, ")
    causes = [line for line in lines if line.startswith("  fatal") or line.startswith("  error")]
    assert len(causes) == 1 and "ARC-1102" in causes[0]
    assert any(line.strip().startswith("from this follows: ") and "ARC-1915" in line for line in lines)
    assert lines[-1] == "What ARC-1102 means and what to do: pmproof explain ARC-1102"


def test_what_survives_a_cut_is_counted(sound: Path) -> None:
    records = report_of(sound)["archives"][0]["summary"]["records"]
    bad = copy_of(sound, "bad")
    cut(Path(f"{bad}.0"), 1000)
    survival = report_of(bad)["archives"][0]["survival"]
    assert survival["opens"] is True
    assert 0 < survival["readable_records"] < records
    assert survival["total_records"] is None
    (lost,) = survival["lost"]
    assert lost["file"].endswith("bad.0")
    assert lost["offset"] + lost["length"] == Path(f"{bad}.0").stat().st_size
    # The index still has entries for what is gone.
    assert survival["recorded_until"] > survival["until"]
    text = " ".join(pmproof("check", bad).stdout.split())
    assert f"survives: {survival['readable_records']} records can be read, up to 2" in text
    assert "next: another copy of the damaged file may be whole; pmproof salvage " in text
    after = report_of(salvaged_as_told(survival))["archives"][0]
    assert after["conformant"] is True
    assert after["summary"]["records"] == survival["readable_records"]


def test_what_stands_after_a_damaged_record_is_counted_too(sound: Path) -> None:
    records = report_of(sound)["archives"][0]["summary"]["records"]
    bad = sound.parent / "bad"
    done = pmproof("mutate", "--rule", "ARC-1703", "--seed", "3", sound, bad)
    assert done.returncode == 0, done.stderr
    archive = report_of(bad)["archives"][0]
    if archive["readable"]:
        pytest.fail(f"the edit is not fatal: {archive['findings']}")
    survival = archive["survival"]
    assert survival["total_records"] >= records
    lost = sum(one["records"] for one in survival["lost"])
    assert survival["readable_records"] + survival["records_behind"] + lost == survival["total_records"]


def test_an_archive_that_nobody_opens_says_what_to_get(sound: Path) -> None:
    bad = copy_of(sound, "bad")
    cut(Path(f"{bad}.meta"), 10)
    done = pmproof("check", bad)
    assert "next:     get bad.meta from another copy: no reader opens the archive as it is" in done.stdout
    survival = report_of(bad)["archives"][0]["survival"]
    assert survival["opens"] is False
    assert report_of(salvaged_as_told(survival))["archives"][0]["conformant"] is True


def test_an_archive_of_which_nothing_is_whole_says_so_in_english(sound: Path) -> None:
    bad = copy_of(sound, "bad")
    os.truncate(f"{bad}.0", 60)
    assert "; no record is whole" in pmproof("check", bad).stdout


def test_followers_name_their_cause_in_json(sound: Path) -> None:
    bad = copy_of(sound, "bad")
    cut(Path(f"{bad}.0"), 1000)
    findings = report_of(bad)["archives"][0]["findings"]
    rank = {"info": 0, "warning": 1, "error": 2, "fatal": 3}
    followers = [finding for finding in findings if "follows" in finding]
    assert {finding["rule"] for finding in followers} >= {"ARC-1915"}
    for finding in followers:
        assert rank[findings[finding["follows"]]["severity"]] >= rank[finding["severity"]]


def test_sound_archives_have_a_line_each(sound: Path) -> None:
    for number in range(5):
        copy_of(sound, f"more{number}")
    done = pmproof("check", sound.parent)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.endswith(": conformant") or ": conformant (" in line] == lines[:6]
    assert len(lines) <= 10


def test_show_decides_what_is_written_out(sound: Path) -> None:
    bad = copy_of(sound, "bad")
    Path(f"{bad}.index").unlink()
    quiet = pmproof("check", "--show", "error", bad).stdout
    assert "not shown: 1 warning" in quiet and "there is no" not in quiet
    assert "  warning  ARC-1003" in pmproof("check", bad).stdout


def test_junit_has_a_case_for_each_archive(sound: Path) -> None:
    bad = copy_of(sound, "bad")
    cut(Path(f"{bad}.0"), 1000)
    (suite,) = ElementTree.fromstring(pmproof("check", "--format", "junit", sound, bad).stdout)
    good, failed = suite
    assert good.get("name") == str(sound) and len(good) == 0
    failure = failed.find("failure")
    assert failure is not None and (failure.text or "").startswith("fatal ARC-1102: bad.0 offset ")


def test_totals_by_rule_end_the_report_of_many(sound: Path) -> None:
    for name in ("a", "b"):
        cut(Path(f"{copy_of(sound, name)}.0"), 1000)
    lines = pmproof("check", sound.parent).stdout.splitlines()
    at = lines.index("by rule")
    assert lines[at + 1].startswith("  fatal    ARC-1102  2 findings in 2 archives: ")
