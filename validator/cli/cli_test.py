# SPDX-License-Identifier: Apache-2.0
"""The command line of pmproof as a user meets it: exit statuses, what goes where, reports that can be relied on."""

import hashlib
import json
import os
import pty
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof, shared_archives

WRITE_EXAMPLE = os.environ["WRITE_EXAMPLE"]
SCHEMA_FILE = Path(os.environ["SCHEMA"])
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="ascii"))


def report_of(*arguments: str | Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(pmproof("check", "--format", "json", *arguments).stdout)
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    return report


def write_archive(path: Path, version: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([WRITE_EXAMPLE, "base", str(version), path], check=True)
    Path(f"{path}.truth.json").unlink()  # no file of the archive
    return path


def part(archive: Path, suffix: str) -> Path:
    return archive.with_name(f"{archive.name}.{suffix}")


def set_byte(file: Path, offset: int, value: int) -> None:
    content = bytearray(file.read_bytes())
    content[offset] = value
    file.write_bytes(content)


@pytest.fixture(name="good", params=[2, 3])
def fixture_good(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_archive(tmp_path / "good", request.param)


@pytest.fixture(name="bad")
def fixture_bad(tmp_path: Path) -> Path:
    """The last byte of the trailing length word of the label of volume 0 is wrong."""
    archive = write_archive(tmp_path / "bad", 2)
    set_byte(part(archive, "0"), 131, 0x80)
    return archive


def digests(directory: Path) -> dict[str, str]:
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(directory.rglob("*.*"))}


# Exit status


def test_a_conformant_archive_gives_0(good: Path) -> None:
    result = pmproof("check", good)
    assert result.returncode == 0
    assert result.stdout.startswith(f"{good}: conformant")
    assert "1 archive: 1 conformant" in result.stdout
    assert result.stderr == ""


def test_a_damaged_archive_gives_1_and_names_the_byte(bad: Path) -> None:
    assert pmproof("check", bad).returncode == 1
    (archive,) = report_of(bad)["archives"]
    assert (archive["readable"], archive["conformant"]) == (False, False)
    (finding,) = [finding for finding in archive["findings"] if finding["severity"] == "fatal"]
    assert (finding["rule"], finding["file"], finding["offset"]) == ("ARC-1202", "bad.0", 128)


def test_fail_on_decides_from_which_severity_on_it_fails(good: Path) -> None:
    part(good, "index").unlink()
    assert pmproof("check", good).returncode == 0
    assert pmproof("check", "--fail-on", "warning", good).returncode == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check"],
        ["chekc", "x"],
        ["check", "--format", "xml", "x"],
        ["check", "--format", "json", "--format", "text", "x"],
        ["check", "--rule", "-ARC-9999", "x"],
        ["check", "--jobs", "0", "x"],
        ["check", "--frobnicate", "x"],
        ["explain"],
        ["list", "--only", "nothing"],
    ],
)
def test_wrong_usage_gives_2_and_says_so_on_stderr(arguments: list[str]) -> None:
    result = pmproof(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("pmproof: ")


def test_an_archive_that_does_not_exist_gives_4_and_its_name(tmp_path: Path) -> None:
    result = pmproof("check", tmp_path / "gone")
    assert result.returncode == 4
    assert len(result.stderr.splitlines()) == 1
    assert str(tmp_path / "gone") in result.stderr


def test_a_directory_without_archives_gives_4(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("nothing")
    assert pmproof("check", tmp_path).returncode == 4


def test_files_that_are_no_archive_give_4(tmp_path: Path) -> None:
    for suffix in ("meta", "0", "index"):
        part(tmp_path / "text", suffix).write_text("this is no PCP archive, only a text of some length\n" * 20)
    result = pmproof("check", tmp_path / "text")
    assert result.returncode == 4
    assert "no verdict" in result.stdout
    assert len(result.stderr.splitlines()) == 1


def test_a_missing_archive_does_not_hide_the_others(bad: Path, tmp_path: Path) -> None:
    good = write_archive(tmp_path / "good")
    result = pmproof("check", tmp_path / "gone", bad, good)
    assert result.returncode == 4
    assert f"{bad}: not readable" in result.stdout
    assert f"{good}: conformant" in result.stdout
    assert "2 archives: 1 conformant, 1 not conformant" in result.stdout


def test_a_report_that_can_not_be_written_gives_5(good: Path) -> None:
    with open("/dev/full", "wb") as full:
        result = subprocess.run([PMPROOF, "check", good], stdout=full, stderr=subprocess.PIPE, check=False)
    assert result.returncode == 5
    assert b"could not be written" in result.stderr


# What is written where


def test_the_input_is_never_changed(bad: Path) -> None:
    before = digests(bad.parent)
    for form in ("text", "json", "jsonl", "sarif", "junit", "html", "github", "openmetrics", "batch"):
        pmproof("check", "--format", form, bad.parent)
    assert digests(bad.parent) == before


def test_an_existing_output_is_refused_without_force(good: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.txt"
    output.write_text("mine")
    result = pmproof("check", "--output", output, good)
    assert result.returncode == 2
    assert str(output) in result.stderr and "--force" in result.stderr
    assert output.read_text() == "mine"
    assert pmproof("check", "--force", "--output", output, good).returncode == 0
    assert "conformant" in output.read_text()


@pytest.mark.parametrize("name", ["good.0", "link"])
def test_not_even_force_overwrites_an_input(good: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to(part(good, "meta"))
    before = digests(tmp_path)
    result = pmproof("check", "--force", "--output", tmp_path / name, good)
    assert result.returncode == 2
    assert "part of an archive" in result.stderr
    assert digests(tmp_path) == before


def test_an_output_that_can_not_be_made_is_refused_before_the_check(good: Path, tmp_path: Path) -> None:
    result = pmproof("check", "--output", tmp_path / "no" / "folder", good)
    assert result.returncode == 2
    assert result.stdout == ""


def test_each_format_has_its_output(bad: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "r.json", tmp_path / "r.xml"]
    result = pmproof(
        "check", bad, "--format", "json", "--output", outputs[0], "--format", "junit", "--output", outputs[1],
        "--format", "text",
    )  # fmt: skip
    assert result.returncode == 1
    assert json.loads(outputs[0].read_text())["footer"]["complete"]
    assert ElementTree.parse(outputs[1]).getroot().tag == "testsuites"
    assert result.stdout.startswith(f"{bad}: not readable")


@pytest.mark.parametrize("form", ["json", "jsonl", "sarif", "junit", "html", "batch"])
def test_machine_formats_have_standard_output_to_themselves(good: Path, form: str) -> None:
    result = pmproof("check", "--format", form, "--progress", "always", good)
    assert result.stdout[0] in "{<"
    assert "1 archive: 1 conformant" in result.stderr
    assert pmproof("check", "--format", form, "--quiet", good).stderr == ""


def test_docs_gives_each_rule_of_sarif_its_address(bad: Path) -> None:
    for given in ("https://docs.example/pmproof", "https://docs.example/pmproof/"):
        driver = json.loads(pmproof("check", "--format", "sarif", "--docs", given, bad).stdout)["runs"][0]["tool"]["driver"]
        assert driver["informationUri"] == "https://docs.example/pmproof/index.html"
        for rule in driver["rules"]:
            page, _, anchor = rule["helpUri"].removeprefix("https://docs.example/pmproof/").partition("#")
            assert (page, anchor) == ("reference/spec/archive.html", rule["id"].lower())
    for wrong in ("docs", "javascript:alert(1)", "https://a b", 'https://"'):
        refused = pmproof("check", "--format", "sarif", "--docs", wrong, bad)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"--docs: not an absolute http, https or file URL: {wrong}" in refused.stderr


def test_openmetrics_has_the_time_of_the_check(good: Path, tmp_path: Path) -> None:
    file = tmp_path / "pmproof.prom"
    before = int(time.time())
    assert pmproof("check", "--output", file, good).returncode == 0
    (line,) = [line for line in file.read_text().splitlines() if line.startswith("pmproof_last_check_timestamp_seconds ")]
    assert before <= int(line.split()[1]) <= time.time()
    assert 'verdict="conformant"} 1' in file.read_text()


def test_progress_is_never_drawn_into_a_pipe_unless_asked(good: Path) -> None:
    assert "\r" not in pmproof("check", good).stderr
    drawn = pmproof("check", "--progress", "always", good).stderr
    assert "archive" in drawn
    assert drawn.endswith("\r\033[K")


def test_colours_are_for_terminals_or_on_request(good: Path) -> None:
    assert "\033[" not in pmproof("check", good).stdout
    assert "\033[" in pmproof("check", "--color", "always", good).stdout
    assert "\033[" in on_terminal("check", good)
    assert "\033[" not in on_terminal("check", good, "--progress", "never", env={"NO_COLOR": "1"})
    assert "\033[" not in on_terminal("check", good, "--progress", "never", "--color", "never")


def on_terminal(*arguments: str | Path, env: dict[str, str] | None = None) -> str:
    """Runs pmproof on a pseudo terminal; returns all that it wrote."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PMPROOF, *map(str, arguments)], stdout=theirs, stderr=theirs, env={"TERM": "xterm"} | (env or {})
    )
    os.close(theirs)
    text = b""
    try:
        while chunk := os.read(ours, 4096):
            text += chunk
    except OSError:  # Linux: the other end was closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return text.decode()


def test_quiet_says_nothing_of_good_archives(good: Path, bad: Path) -> None:
    assert pmproof("check", "--quiet", "--rule", "+ARC-1202", good).stdout == ""
    result = pmproof("check", "--quiet", good.parent)
    assert result.returncode == 1
    assert str(bad) in result.stdout and "archives:" not in result.stdout


# Reports


def test_the_schema_is_printed() -> None:
    result = pmproof("check", "--schema")
    assert result.returncode == 0
    assert result.stdout == SCHEMA_FILE.read_text(encoding="ascii")


def test_json_as_documented(good: Path) -> None:
    report = report_of(good)
    assert report["profile"] == "archival"
    (archive,) = report["archives"]
    assert (archive["archive"], archive["readable"], archive["conformant"]) == (str(good), True, True)
    summary = archive["summary"]
    assert (summary["files"], summary["records"], summary["metrics"], summary["volumes"]) == (3, 6, 10, 1)
    assert (summary["start"], summary["finish"]) == ("1700000000.000000000", "1700000005.000000000")
    assert summary["bytes"] == sum(file.stat().st_size for file in good.parent.glob("good.*"))


def test_json_of_what_can_not_be_checked_is_valid(tmp_path: Path) -> None:
    for suffix in ("meta", "0", "index"):
        part(tmp_path / "text", suffix).write_text("no PCP archive " * 100)
    report = report_of(tmp_path / "gone", tmp_path / "text")
    assert len(report["errors"]) == 1
    assert report["archives"][0]["failure"]["kind"] == "not_an_archive"


def test_json_is_valid_wherever_a_file_is_cut(tmp_path: Path) -> None:
    for suffix in ("meta", "0", "index"):
        archive = write_archive(tmp_path / "cut", 2)
        content = part(archive, suffix).read_bytes()
        for size in range(0, len(content), 97):
            part(archive, suffix).write_bytes(content[:size])
            report_of(archive)


def test_the_number_of_threads_changes_nothing(bad: Path, tmp_path: Path) -> None:
    for name in ("a", "b", "c/d"):
        write_archive(tmp_path / name)
    assert report_of("--jobs", "1", tmp_path) == report_of("--jobs", "4", tmp_path)
    assert len(report_of(tmp_path)["archives"]) == 4


def test_what_was_left_out_is_listed(good: Path) -> None:
    report = report_of("--only", "label", "--rule", "-ARC-1202", good)
    left_out = {item["rule"] for item in report["archives"][0]["not_checked"]}
    assert {"ARC-1202", "ARC-1303", "ARC-1701"} <= left_out
    assert "ARC-1203" not in left_out and "ARC-1001" not in left_out


def test_a_rule_can_be_checked_alone_or_left_out(bad: Path) -> None:
    rules = {finding["rule"] for finding in report_of("--rule", "+ARC-1202", bad)["archives"][0]["findings"]}
    assert rules == {"ARC-1202"}
    rules = {finding["rule"] for finding in report_of("--rule", "-ARC-1202", bad)["archives"][0]["findings"]}
    assert "ARC-1202" not in rules


def test_profile_live_allows_an_unfinished_record(good: Path) -> None:
    with part(good, "0").open("rb+") as volume:
        volume.truncate(part(good, "0").stat().st_size - 7)
    assert pmproof("check", good).returncode == 1
    report = report_of("--profile", "live", good)
    assert report["profile"] == "live"
    severities = {finding["rule"]: finding["severity"] for finding in report["archives"][0]["findings"]}
    assert severities["ARC-1102"] == "info"


def test_repeats_of_a_rule_are_folded(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "bad", 2)
    for entry in range(3):  # the volume of each index entry
        set_byte(part(archive, "index"), 132 + entry * 20 + 11, 9)
    every = report_of("--max-findings", "1000", archive)["archives"][0]
    folded = report_of("--max-findings", "0", archive)["archives"][0]
    assert folded["counts"] == every["counts"]
    rules = [finding["rule"] for finding in every["findings"]]
    assert 3 in {rules.count(rule) for rule in rules}
    assert {finding["rule"]: finding["count"] for finding in folded["findings"]} == {
        rule: rules.count(rule) for rule in rules
    }


def test_hostile_names_do_no_harm(tmp_path: Path) -> None:
    name = "a\033]0;x\007<b>\n&"
    write_archive(tmp_path / name)
    result = pmproof("check", tmp_path)
    assert result.returncode == 0
    assert "\033" not in result.stdout and "a\\x1b]0;x\\x07<b>\\n&: conformant" in result.stdout
    assert report_of(tmp_path)["archives"][0]["archive"].endswith(name)
    ElementTree.fromstring(pmproof("check", "--format", "junit", tmp_path).stdout)


# What people try


def test_standard_input_is_not_an_archive() -> None:
    result = pmproof("check", "-")
    assert result.returncode == 4
    assert "cannot come from standard input" in result.stderr


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz", "a.tar.zst", "a.zip"])
def test_packed_files_are_to_be_unpacked(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"packed")
    result = pmproof("check", tmp_path / name)
    assert result.returncode == 4
    assert "unpack it into a directory" in result.stderr


def test_a_report_is_not_written_over_another_archive(good: Path, tmp_path: Path) -> None:
    other = write_archive(tmp_path / "q" / "a")
    before = digests(other.parent)
    result = pmproof("check", "--force", "--output", part(other, "0"), good)
    assert result.returncode == 2
    assert "part of an archive" in result.stderr
    assert digests(other.parent) == before


@pytest.mark.parametrize("suffix", ["1", "7.xz"])
def test_a_report_does_not_become_a_file_of_an_archive(good: Path, suffix: str) -> None:
    before = digests(good.parent)
    result = pmproof("check", "--force", "--output", part(good, suffix), good)
    assert result.returncode == 2
    assert "would be part of an archive" in result.stderr
    assert digests(good.parent) == before


def test_a_pair_names_each_report(good: Path, tmp_path: Path) -> None:
    result = pmproof("check", "--format", "text", "--output", f"json:{tmp_path / 'r'}", good)
    assert result.returncode == 0
    assert result.stdout.startswith(f"{good}: conformant")
    assert json.loads((tmp_path / "r").read_text())["footer"]["complete"]
    refused = pmproof("check", "--format", "text", "--format", "json", "--output", tmp_path / "x.json", good)
    assert refused.returncode == 2 and "--output FORMAT:FILE" in refused.stderr
    assert not (tmp_path / "x.json").exists()


# Real archives


def test_reports_of_real_archives_are_valid() -> None:
    folder = shared_archives()
    report = report_of(folder)
    assert len(report["archives"]) > 100
    assert all(archive["internal_errors"] == [] for archive in report["archives"])
    for form in ("junit", "html", "sarif", "jsonl"):
        result = pmproof("check", "--format", form, folder)
        assert result.returncode in {1, 4}
    ElementTree.fromstring(pmproof("check", "--format", "junit", folder).stdout)
