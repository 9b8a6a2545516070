# SPDX-License-Identifier: Apache-2.0
"""recheck as an archivist meets it: what is told years later."""

import json
import lzma
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from validator.custody.custody_testing import certify, compress, damage, flip, only, part, recheck, sha256, states, write_archive, write_tree
from validator.testing.run import pmproof


@pytest.fixture(name="tree")
def fixture_tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "tree")


def test_an_untouched_tree_is_unchanged(tree: Path) -> None:
    report = recheck(certify(tree))
    assert states(report) == {"host1/20240101": "unchanged", "host1/20240102": "unchanged", "host2/20240101": "unchanged"}
    assert [archive["now"] for archive in report["archives"]] == ["conformant"] * 3


def test_a_certificate_moves_with_its_tree(tree: Path, tmp_path: Path) -> None:
    certify(tree)
    moved = tmp_path / "elsewhere"
    tree.rename(moved)
    assert set(states(recheck(moved / "certificate.json")).values()) == {"unchanged"}
    (moved / "certificate.json").rename(tmp_path / "c.json")
    assert set(states(recheck(tmp_path / "c.json", status=1)).values()) == {"missing"}
    assert "ROOT is the directory" in pmproof("recheck", tmp_path / "c.json").stderr
    assert set(states(recheck(tmp_path / "c.json", moved)).values()) == {"unchanged"}


def test_recompressed_from_xz_to_zstd_keeps_the_certificate(tree: Path) -> None:
    certificate = certify(tree)
    packed = tree / "host2" / "20240101.0.xz"
    plain = packed.with_suffix("")
    plain.write_bytes(lzma.decompress(packed.read_bytes()))
    packed.unlink()
    subprocess.run(["zstd", "-q", "--rm", plain], check=True)
    report = recheck(certificate)
    assert states(report)["host2/20240101"] == "recompressed"
    found = only(report, "host2/20240101")
    assert found["files"] == [{"name": "20240101.0.xz", "now": "20240101.0.zst", "state": "recompressed"}]
    # ARC-1012: older versions of PCP do not see it.
    assert [(one["change"], one["finding"]["rule"]) for one in found["differences"]] == [("new", "ARC-1012")]


def test_recompressed_under_the_same_name(tree: Path) -> None:
    certificate = certify(tree)
    packed = tree / "host2" / "20240101.meta.xz"
    packed.write_bytes(lzma.compress(lzma.decompress(packed.read_bytes()), preset=0, check=lzma.CHECK_CRC32))
    assert only(recheck(certificate), "host2/20240101")["files"] == [
        {"name": packed.name, "now": packed.name, "state": "recompressed"}
    ]


def test_one_bit_with_size_and_times_kept_is_seen(tree: Path) -> None:
    certificate = certify(tree)
    volume = part(tree / "host1" / "20240102", "0")
    before = volume.stat()
    flip(volume, 400, keep_times=True)
    assert (volume.stat().st_size, volume.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    found = only(recheck(certificate, status=1), "host1/20240102")
    assert found["state"] == "changed" and found["now"] is None
    assert found["files"] == [{"name": volume.name, "now": volume.name, "state": "changed"}]


def test_a_copy_shows_where_a_file_first_differs(tree: Path, tmp_path: Path) -> None:
    certificate = certify(tree)
    shutil.copytree(tree, tmp_path / "copy")
    compress(tmp_path / "copy" / "host1" / "20240102.0")
    flip(part(tree / "host1" / "20240102", "0"), 400)
    (found,) = only(recheck("--copy", tmp_path / "copy", certificate, status=1), "host1/20240102")["files"]
    assert found["first_difference"] == 400
    cut = part(tree / "host1" / "20240102", "0").stat().st_size - 7
    flip(part(tree / "host1" / "20240102", "0"), 400)
    os.truncate(part(tree / "host1" / "20240102", "0"), cut)
    (found,) = only(recheck("--copy", tmp_path / "copy", certificate, status=1), "host1/20240102")["files"]
    assert found["first_difference"] == cut


def test_a_copy_that_is_changed_too_proves_nothing(tree: Path, tmp_path: Path) -> None:
    certificate = certify(tree)
    flip(part(tree / "host1" / "20240102", "0"), 400)
    shutil.copytree(tree, tmp_path / "copy")
    (found,) = only(recheck("--copy", tmp_path / "copy", certificate, status=1), "host1/20240102")["files"]
    assert "first_difference" not in found and "not what was certified" in found["no_difference_because"]


def remove(*files: Path) -> None:
    for file in files:
        file.unlink()


@pytest.mark.parametrize(
    "change, state, files",
    [
        (lambda base: remove(part(base, "index")), "changed", [("20240102.index", "missing")]),
        (lambda base: shutil.copy(part(base, "0"), part(base, "1")), "changed", [("20240102.1", "new")]),
        (lambda base: remove(part(base, "0"), part(base, "meta"), part(base, "index")), "missing", None),
        (lambda base: part(base, "0").rename(part(base, "1")), "changed", [("20240102.0", "missing"), ("20240102.1", "new")]),
        (lambda base: part(base, "0").write_bytes(b""), "changed", [("20240102.0", "changed")]),
    ],
    ids=["lost", "added", "gone", "renamed", "emptied"],
)
def test_what_is_lost_or_added_is_seen(
    change: Callable[[Path], object], state: str, files: list[tuple[str, str]] | None, tree: Path
) -> None:
    certificate = certify(tree)
    change(tree / "host1" / "20240102")
    report = recheck(certificate, status=1)
    assert states(report) == {"host1/20240101": "unchanged", "host1/20240102": state, "host2/20240101": "unchanged"}
    if files is not None:
        assert [(file["name"], file["state"]) for file in only(report, "host1/20240102")["files"]] == files


def edit(certificate: Path, change: Callable[[Any], object]) -> Path:
    statement = json.loads(certificate.read_text("ascii"))
    change(statement)
    certificate.write_text(json.dumps(statement), "ascii")
    return certificate


def test_a_verdict_that_was_edited_is_seen_because_the_archive_is_judged_again(tree: Path) -> None:
    damage(tree / "host1" / "20240101")

    def whitewash(statement: Any) -> None:
        statement["predicate"]["archives"][0].update(verdict="conformant", findings=[])

    found = only(recheck(edit(certify(tree, status=1), whitewash), status=1), "host1/20240101")
    assert (found["state"], found["certified"], found["now"]) == ("unchanged", "conformant", "not readable")
    assert found["judged_otherwise"]
    assert ("new", "ARC-1202") in [(one["change"], one["finding"]["rule"]) for one in found["differences"]]


def test_rules_that_judge_otherwise_are_listed_by_rule_and_place(tree: Path) -> None:
    part(tree / "host1" / "20240101", "index").unlink()
    certificate = certify(tree)

    def as_if_by_other_rules(statement: Any) -> None:
        statement["predicate"]["catalogue"] = {"version": "0.1.9", "digest": "0123456789abcdef"}
        finding = statement["predicate"]["archives"][0]["findings"][0]
        statement["predicate"]["archives"][1]["findings"] = [finding | {"rule": "ARC-1805", "part": "0", "offset": 132, "file": "20240102.0"}]
        statement["predicate"]["archives"][0]["findings"] = []

    edit(certificate, as_if_by_other_rules)
    report = recheck(certificate)  # warnings: below --fail-on
    assert report["certificate"]["rules"] == "0123456789abcdef" != report["tool"]["rules"]
    first, second = (only(report, f"host1/2024010{number}")["differences"] for number in (1, 2))
    assert [(one["change"], one["finding"]["rule"]) for one in first] == [("new", "ARC-1003")]
    assert [(one["change"], one["finding"]["rule"], one["finding"]["offset"]) for one in second] == [("gone", "ARC-1805", 132)]
    assert report["footer"]["judged_otherwise"] == 2
    recheck("--fail-on", "warning", certificate, status=1)
    assert not any(archive["differences"] for archive in recheck("--digests-only", certificate)["archives"])
    text = pmproof("recheck", certificate).stdout
    assert "the rules have changed since" in text and "+ ARC-1003 warning" in text and "- ARC-1805 warning" in text


def test_the_text_says_it_to_a_person(tree: Path) -> None:
    certificate = certify(tree)
    flip(part(tree / "host1" / "20240102", "0"), 400)
    text = pmproof("recheck", certificate).stdout.splitlines()
    assert text[0] == f"{certificate}: made 2027-01-15T08:00:00Z by pmproof 0.2.0, SHA-256 {sha256(certificate.read_bytes())}"
    assert text[1:] == [
        "host1/20240101: unchanged, conformant",
        "host1/20240102: changed",
        "  20240102.0: changed",
        "host2/20240101: unchanged, conformant",
        "3 archives: 2 unchanged, 1 changed",
    ]
    assert pmproof("recheck", "--quiet", certificate).stdout.splitlines() == [*text[2:4], text[-1]]


def test_what_takes_too_much_memory_is_not_certified_and_gets_no_answer(tree: Path) -> None:
    certificate = certify(tree)
    packed = tree / "host2" / "20240101.0.xz"
    packed.write_bytes(lzma.compress(lzma.decompress(packed.read_bytes()), preset=9))  # a dictionary of 64 MiB
    found = only(recheck("--memory", "16M", certificate, status=6), "host2/20240101")
    assert (found["state"], found["failure"]["kind"], found["failure"]["file"]) == ("no answer", "budget", f"host2/{packed.name}")
    assert only(recheck(certificate), "host2/20240101")["state"] == "recompressed"
    done = pmproof("certify", "--memory", "16M", "--force", "--output", certificate, tree)
    assert done.returncode == 6 and "host2/20240101: not certified" in done.stderr and "--memory" in done.stderr
    assert states(recheck(certificate))["host2/20240101"] == "not certified"


def test_names_that_are_not_utf8_are_found_again(tmp_path: Path) -> None:
    strange = Path(os.fsdecode(b"h\xffst \\x41\n"))
    write_archive(tmp_path / "tree" / "a" / "b", 1)
    (tmp_path / "tree" / "a").rename(tmp_path / "tree" / strange)
    certificate = certify(tmp_path / "tree")
    assert set(states(recheck(certificate))) == {"h\\xffst \\x5cx41\n/b"}


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_report_does_not_depend_on_the_number_of_threads(jobs: str, tree: Path) -> None:
    certificate = certify(tree)
    flip(part(tree / "host1" / "20240102", "0"), 400)
    assert recheck("--jobs", jobs, certificate, status=1) == recheck(certificate, status=1)


def test_a_signature_by_openssl_is_verified_and_notices_an_edit(tree: Path, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: qa/setup --test installs it")
    certificate = certify(tree)
    key, public, signature = tmp_path / "key.pem", tmp_path / "public.pem", tmp_path / "certificate.sig"

    def openssl(*words: str | Path) -> int:
        return subprocess.run(["openssl", *words], capture_output=True, check=False).returncode

    assert openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key) == 0
    assert openssl("pkey", "-in", key, "-pubout", "-out", public) == 0
    assert openssl("dgst", "-sha256", "-sign", key, "-out", signature, certificate) == 0
    verify = ("dgst", "-sha256", "-verify", public, "-signature", signature, certificate)
    assert openssl(*verify) == 0
    edit(certificate, lambda statement: statement["predicate"].update(created="2020-01-01T00:00:00Z"))
    assert openssl(*verify) == 1
