# SPDX-License-Identifier: Apache-2.0
"""certify as an archivist meets it: what is certified."""

import json
import lzma
import subprocess
from pathlib import Path

import pytest

from validator.custody.custody_testing import CERTIFICATE, EPOCH, RECHECK, REPORT, certify, damage, only, part, recheck, sha256, states, write_tree
from validator.testing.run import PMPROOF, pmproof


@pytest.fixture(name="tree")
def fixture_tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "tree")


def test_each_file_is_a_subject_by_its_digest(tree: Path) -> None:
    statement = json.loads(certify(tree).read_text("ascii"))
    files = sorted(file for file in tree.rglob("*") if file.is_file() and file.name != "certificate.json")
    expected = {str(file.relative_to(tree)): sha256(file.read_bytes()) for file in files}
    assert {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]} == expected
    assert len(statement["subject"]) == len(expected)


def test_the_content_of_a_compressed_file_has_a_digest_of_its_own(tree: Path) -> None:
    statement = json.loads(certify(tree).read_text("ascii"))
    files = {file["name"]: file for file in only(statement["predicate"], "host2/20240101")["files"]}
    packed = tree / "host2" / "20240101.0.xz"
    content = lzma.decompress(packed.read_bytes())
    assert files[packed.name]["compression"] == "xz"
    assert files[packed.name]["size"] == packed.stat().st_size
    assert files[packed.name]["content"] == {"size": len(content), "sha256": sha256(content)}
    plain = files["20240101.index"]
    assert plain["content"] == {"size": plain["size"], "sha256": plain["sha256"]}


def test_the_predicate_says_what_check_and_info_say(tree: Path) -> None:
    part(tree / "host1" / "20240101", "index").unlink()
    predicate = json.loads(certify(tree).read_text("ascii"))["predicate"]
    entry = only(predicate, "host1/20240101")
    report = json.loads(pmproof("check", "--format", "json", tree / "host1" / "20240101").stdout)
    (checked,) = report["archives"]
    assert predicate["catalogue"]["digest"] == report["tool"]["rules"]
    for member in ("readable", "conformant", "archive_version", "summary", "counts", "findings", "not_checked"):
        assert entry[member] == checked[member], member
    assert [finding["rule"] for finding in entry["findings"]] == ["ARC-1003"]
    (info,) = json.loads(pmproof("info", "--format", "json", tree / "host1" / "20240101").stdout)["archives"]
    assert entry["label"]["host"] == info["label"]["host"]
    assert predicate["created"] == "2027-01-15T08:00:00Z"
    assert predicate["totals"]["archives"] == 3 and predicate["totals"]["conformant"] == 3


def test_what_was_asked_is_recorded(tree: Path) -> None:
    words = ["--profile", "live", "--only", "label,index", "--rule", "-ARC-1904", "--fail-on", "warning", "--max-findings", "5"]
    predicate = json.loads(certify(tree, *words, tree).read_text("ascii"))["predicate"]
    assert predicate["terms"] == {
        "profile": "live",
        "only": ["label", "index"],
        "added": [],
        "removed": ["ARC-1904"],
        "fail_on": "warning",
        "max_findings": 5,
    }
    not_checked = only(predicate, "host1/20240101")["not_checked"]
    assert any("volumes" in item["rule"] for item in not_checked)
    assert set(states(recheck(tree / "certificate.json")).values()) == {"unchanged"}


def test_a_damaged_archive_is_certified_as_that_and_gives_1(tree: Path) -> None:
    damage(tree / "host1" / "20240102")
    predicate = json.loads(certify(tree, status=1).read_text("ascii"))["predicate"]
    assert only(predicate, "host1/20240102")["verdict"] == "not readable"
    assert [archive["verdict"] for archive in predicate["archives"]] == ["conformant", "not readable", "conformant"]
    assert set(states(recheck(tree / "certificate.json")).values()) == {"unchanged"}


def test_two_runs_are_equal_byte_for_byte_on_any_number_of_threads(tree: Path) -> None:
    first = certify(tree).read_bytes()
    assert certify(tree).read_bytes() == first
    assert certify(tree, "--jobs", "1", tree).read_bytes() == first
    assert certify(tree, "--jobs", "7", tree).read_bytes() == first


def test_arguments_that_overlap_name_each_archive_once(tree: Path) -> None:
    whole = json.loads(certify(tree).read_text("ascii"))
    again = certify(tree, tree / "host2", part(tree / "host1" / "20240101", "meta"), tree / "host1", tree / "host1" / "20240102")
    assert json.loads(again.read_text("ascii")) == whole


def test_what_is_not_below_the_root_is_wrong_usage(tree: Path, tmp_path: Path) -> None:
    done = pmproof("certify", "--output", tree / "host1" / "c.json", tree)
    assert done.returncode == 2 and "--root" in done.stderr
    done = pmproof("certify", "--root", tree, "--output", tmp_path / "c.json", tree / "host1", env=EPOCH)
    assert done.returncode == 0
    assert set(states(recheck(tmp_path / "c.json", tree))) == {"host1/20240101", "host1/20240102"}


def test_an_archive_that_cannot_be_checked_is_not_certified_and_the_others_are(tree: Path) -> None:
    for suffix in ("meta", "0", "index"):
        part(tree / "host1" / "text", suffix).write_text("this is no PCP archive, only a text of some length\n" * 20)
    done = pmproof("certify", "--output", tree / "c.json", tree, env=EPOCH)
    assert done.returncode == 4
    assert "host1/text: not certified" in done.stderr and "1 not certified" in done.stderr
    statement = json.loads((tree / "c.json").read_text("ascii"))
    entry = only(statement["predicate"], "host1/text")
    assert entry["verdict"] == "none" and entry["files"] == [] and entry["failure"]
    assert not [subject for subject in statement["subject"] if "text" in subject["name"]]
    assert states(recheck(tree / "c.json"))["host1/text"] == "not certified"


def test_nothing_to_certify_is_no_certificate(tmp_path: Path) -> None:
    done = pmproof("certify", "--output", tmp_path / "c.json", tmp_path)
    assert done.returncode == 4 and not list(tmp_path.iterdir())


def test_an_existing_file_is_replaced_only_by_force_and_an_archive_never(tree: Path) -> None:
    certificate = certify(tree)
    assert pmproof("certify", "--output", certificate, tree).returncode == 2
    volume = part(tree / "host1" / "20240101", "0")
    before = volume.read_bytes()
    assert pmproof("certify", "--output", volume, volume).returncode == 2
    assert pmproof("certify", "--force", "--output", volume, volume).returncode == 2
    assert volume.read_bytes() == before


def test_a_certificate_that_cannot_be_written_gives_5(tree: Path) -> None:
    command = [PMPROOF, "certify", "--root", str(tree), "--output", "-", str(tree)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 5 and b"could not be written" in done.stderr


def test_a_wrong_source_date_epoch_is_wrong_usage(tree: Path) -> None:
    done = pmproof("certify", "--output", tree / "c.json", tree, env={"SOURCE_DATE_EPOCH": "yesterday"})
    assert done.returncode == 2 and "SOURCE_DATE_EPOCH" in done.stderr


def test_both_forms_of_a_part_are_certified(tree: Path) -> None:  # ARC-1008
    volume = part(tree / "host1" / "20240101", "0")
    volume.with_name(volume.name + ".xz").write_bytes(lzma.compress(volume.read_bytes()))
    files = only(json.loads(certify(tree, status=1).read_text("ascii"))["predicate"], "host1/20240101")["files"]
    assert {file["name"]: file["judged"] for file in files} == {
        "20240101.0": True, "20240101.0.xz": False, "20240101.index": True, "20240101.meta": True,
    }  # fmt: skip
    assert set(states(recheck(tree / "certificate.json")).values()) == {"unchanged"}


@pytest.mark.parametrize("command", ["certify", "recheck"])
def test_the_schema_is_printed(command: str) -> None:
    assert json.loads(pmproof(command, "--schema").stdout) == (CERTIFICATE if command == "certify" else RECHECK)


def test_what_the_schemas_share_is_the_same_in_all() -> None:
    shared = REPORT["$defs"]
    for schema in (CERTIFICATE, RECHECK):
        for name in ("count", "rule_id", "severity", "status", "finding", "summary", "counts", "survival", "time"):
            assert schema["$defs"].get(name, shared[name]) == shared[name], name
