# SPDX-License-Identifier: Apache-2.0
"""`pmproof info` and `pmproof check --set` as a user meets them: what is shown, exit statuses, JSON by its schema."""

import json
import lzma
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof

WRITE_EXAMPLE = os.environ["WRITE_EXAMPLE"]
INFO_SCHEMA = json.loads(Path(os.environ["INFO_SCHEMA"]).read_text(encoding="ascii"))
REPORT_SCHEMA = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text(encoding="ascii"))


def write_archive(path: Path, version: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([WRITE_EXAMPLE, "base", str(version), path], check=True)
    return path


def info_of(*arguments: str | Path) -> dict[str, Any]:
    info: dict[str, Any] = json.loads(pmproof("info", "--format", "json", *arguments).stdout)
    jsonschema.validate(info, INFO_SCHEMA, jsonschema.Draft202012Validator)
    return info


@pytest.fixture(name="base", params=[2, 3])
def fixture_base(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_archive(tmp_path / "base", request.param)


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(INFO_SCHEMA)


def test_the_schema_refuses_an_archive_without_files(base: Path) -> None:
    info = info_of(base)
    del info["archives"][0]["files"]
    with pytest.raises(jsonschema.ValidationError, match="'files' is a required property"):
        jsonschema.validate(info, INFO_SCHEMA, jsonschema.Draft202012Validator)


def test_schema_prints_it() -> None:
    result = pmproof("info", "--schema")
    assert result.returncode == 0
    assert json.loads(result.stdout) == INFO_SCHEMA


def test_json_says_what_the_archive_holds(base: Path) -> None:
    (archive,) = info_of(base)["archives"]
    assert archive["failure"] is None
    assert archive["label"]["host"] == "testhost"
    assert archive["label"]["start"] == {"epoch": "1700000000.000000000", "iso": "2023-11-14T22:13:20.000000000Z"}
    assert archive["span"]["length"] == "5.000000000"
    assert archive["data"] == {"records": 6, "marks": 0, "value_sets": 54, "values": 60, "undecoded": 0}
    assert archive["metadata"]["types"]["u32"] == 3
    assert archive["metadata"]["texts"] == {"metric one-line": 1, "metric help": 1, "indom one-line": 1}
    assert [file["part"] for file in archive["files"]] == ["meta", "index", "0"]


def test_a_compressed_volume_is_shown_with_both_sizes(base: Path) -> None:
    volume = base.with_name("base.0")
    content = volume.read_bytes()
    base.with_name("base.0.xz").write_bytes(lzma.compress(content))
    volume.unlink()
    file = info_of(base)["archives"][0]["files"][2]
    assert (file["name"], file["compression"], file["bytes"]) == ("base.0.xz", "xz", len(content))


def test_text_names_the_archive_first_and_is_quiet_otherwise(base: Path) -> None:
    result = pmproof("info", base)
    assert result.returncode == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == str(base)
    assert "  host           testhost, logger process 4242" in lines
    assert any("2023-11-14T22:13:25Z (1700000005)" in line for line in lines)


def test_directories_are_walked(tmp_path: Path) -> None:
    write_archive(tmp_path / "a")
    write_archive(tmp_path / "below" / "b")
    names = [archive["archive"] for archive in info_of(tmp_path)["archives"]]
    assert names == [str(tmp_path / "a"), str(tmp_path / "below" / "b")]


def test_jobs_do_not_change_the_output(tmp_path: Path) -> None:
    for i in range(8):
        write_archive(tmp_path / f"a{i}", 2 + i % 2)
    assert pmproof("info", "--jobs", "1", tmp_path).stdout == pmproof("info", "--jobs", "4", tmp_path).stdout


def test_a_bad_archive_does_not_hide_the_others(base: Path) -> None:
    base.with_name("junk.meta").write_bytes(b"junk")
    result = pmproof("info", base.parent)
    assert result.returncode == 4
    assert "testhost" in result.stdout
    assert "junk" in result.stderr
    info = info_of(base.parent)
    assert [archive["failure"] is None for archive in info["archives"]] == [True, False]
    assert info["archives"][1]["failure"]["kind"] == "not_an_archive"


def test_a_missing_archive_is_status_4(base: Path) -> None:
    result = pmproof("info", base, base.with_name("none"))
    assert result.returncode == 4
    assert "none" in result.stderr
    assert "testhost" in result.stdout


def test_a_damaged_archive_is_shown_as_far_as_it_goes(base: Path) -> None:
    volume = base.with_name("base.0")
    volume.write_bytes(volume.read_bytes()[:-10])
    result = pmproof("info", base)
    assert result.returncode == 0
    assert "5 records" in result.stdout
    assert "pmproof check" in result.stdout
    (problem,) = info_of(base)["archives"][0]["problems"]
    assert problem["file"] == "base.0"


def test_no_archive_is_wrong_usage() -> None:
    assert pmproof("info").returncode == 2


# --- archive sets ---


def sets_of(*arguments: str | Path) -> list[dict[str, Any]]:
    report = json.loads(pmproof("check", "--format", "json", *arguments).stdout)
    jsonschema.validate(report, REPORT_SCHEMA, jsonschema.Draft202012Validator)
    return [archive for archive in report["archives"] if "members" in archive]


def test_a_comma_list_is_checked_as_a_set(tmp_path: Path) -> None:
    a, b = write_archive(tmp_path / "a"), write_archive(tmp_path / "b")
    assert pmproof("check", a, b).returncode == 0
    assert pmproof("check", f"{a},{b}").returncode == 1
    (checked,) = sets_of(f"{a},{b}")
    assert checked["members"] == [str(a), str(b)]
    assert [finding["rule"] for finding in checked["findings"]] == ["ARC-2103"]
    assert checked["findings"][0]["file"] == f"{b}.0"


def test_set_makes_sets_of_directories(tmp_path: Path) -> None:
    write_archive(tmp_path / "a")
    write_archive(tmp_path / "b")
    assert sets_of(tmp_path) == []
    (checked,) = sets_of("--set", tmp_path)
    assert checked["archive"] == str(tmp_path)


def test_text_tells_sets_from_archives(tmp_path: Path) -> None:
    write_archive(tmp_path / "a")
    write_archive(tmp_path / "b")
    text = pmproof("check", "--set", tmp_path).stdout
    assert "set of 2 archives, all version 3" in text
    assert "2 archives and 1 set: 2 conformant, 1 not conformant" in text


def test_sarif_names_the_file_of_the_member(tmp_path: Path) -> None:
    a, b = write_archive(tmp_path / "a"), write_archive(tmp_path / "b")
    results = json.loads(pmproof("check", "--format", "sarif", f"{a},{b}").stdout)["runs"][0]["results"]
    (found,) = [result for result in results if result["ruleId"] == "ARC-2103"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith(f"{b}.0")
