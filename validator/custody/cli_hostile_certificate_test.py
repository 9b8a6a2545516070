# SPDX-License-Identifier: Apache-2.0
"""Certificates from anybody: each ends with an error that names file, offset and member, and none takes much."""

import base64
import copy
import json
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from validator.testing.run import PMPROOF, pmproof

Change = Callable[[Any], object]


@pytest.fixture(name="sound", scope="module")
def fixture_sound(tmp_path_factory: pytest.TempPathFactory) -> Any:
    tree = tmp_path_factory.mktemp("tree")
    for name in ("a", "b"):
        assert pmproof("generate", "--no-truth", "--records", "5", tree / name).returncode == 0
    assert pmproof("certify", "--output", tree / "c.json", tree).returncode == 0
    return json.loads((tree / "c.json").read_text("ascii"))


def refused(document: bytes, folder: Path, status: int = 4) -> str:
    certificate = folder / "c.json"
    certificate.write_bytes(document)
    done = pmproof("recheck", certificate)
    assert done.returncode == status, (done.stdout, done.stderr)
    assert done.stdout == ""
    line = done.stderr.splitlines()[0]
    assert line.startswith(f"pmproof: {certificate}: offset "), line
    return line.partition(": offset ")[2]


def archive(statement: Any, number: int = 0) -> Any:
    return statement["predicate"]["archives"][number]


def rename(statement: Any, name: str | int) -> None:
    archive(statement)["archive"] = name


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda s: s.update(_type="https://in-toto.io/Statement/v0.1"), "_type: is not https://in-toto.io/Statement/v1"),
        (lambda s: s.update(predicateType="https://slsa.dev/provenance/v1"), "predicateType: is not urn:pmproof:archive-certificate:1"),
        (lambda s: s.update(predicate=5), "predicate: is not an object"),
        (lambda s: s.update(subject={}), "subject: is not an array"),
        (lambda s: s.pop("subject"), "the document: has no member subject"),
        (lambda s: s["predicate"].pop("terms"), "predicate: has no member terms"),
        (lambda s: s["predicate"]["terms"].update(profile="other"), "predicate.terms: profile is unknown: other"),
        (lambda s: s["predicate"]["terms"].update(only=["everything"]), "predicate.terms: only names something unknown"),
        (lambda s: s["subject"].pop(), "the document: contradicts itself: it has 5 subjects"),
        (lambda s: s["subject"][0].update(name="z.0"), "the document: contradicts itself: the subjects are not the files"),
        (lambda s: s["subject"][2]["digest"].update(sha256="0" * 64), "the document: contradicts itself: the subjects are not"),
        (lambda s: s["subject"][1]["digest"].update(sha256="xyz"), "subject[1]: digest: sha256 is unknown: xyz"),
        (lambda s: s["subject"][1].update(digest=[]), "subject[1]: digest: is not an object"),
        (lambda s: archive(s).pop("files"), "predicate.archives[0]: has no member files"),
        (lambda s: archive(s).update(files=[]), "predicate.archives[0]: has a verdict and no files"),
        (lambda s: archive(s).update(verdict="none"), "predicate.archives[0]: has files and no verdict"),
        (lambda s: archive(s).update(verdict="superb"), "predicate.archives[0].verdict: is unknown"),
        (lambda s: rename(s, "../a"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "x/../../a"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "\\x2e\\x2e/a"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "/etc/passwd"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "\\x2fetc/passwd"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "x//a"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "./a"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, "a\0"), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, ""), "predicate.archives[0].archive: is no path below the root"),
        (lambda s: rename(s, 7), "predicate.archives[0].archive: is not a string"),
        (lambda s: archive(s)["files"][0].update(name="../a.0"), "predicate.archives[0]: has a file whose name is not"),
        (lambda s: archive(s)["files"][0].update(name="/etc/a.0"), "predicate.archives[0]: has a file whose name is not"),
        (lambda s: archive(s)["files"][0].update(name="0.0"), "predicate.archives[0]: has a file whose name is not"),
        (lambda s: archive(s)["files"].reverse(), "predicate.archives[0].files[1]: is out of order, or there twice"),
        (lambda s: archive(s)["files"][1].update(size=-1), "predicate.archives[0].files[1]: size is not a number from 0"),
        (lambda s: archive(s)["files"][1].update(size=1.5), "predicate.archives[0].files[1]: size is not a number from 0"),
        (lambda s: archive(s)["files"][1].update(content=7), "predicate.archives[0].files[1]: content: is not an object"),
        (lambda s: archive(s)["files"][1]["content"].update(size=7), "predicate.archives[0]: contradicts itself"),
        (lambda s: archive(s).update(findings=[7]), "predicate.archives[0].findings[0]: is not an object"),
        (lambda s: archive(s).update(findings=[{"rule": "X"}]), "predicate.archives[0].findings[0]: rule is unknown: X"),
        (lambda s: s["predicate"]["archives"].reverse(), "predicate.archives[1].archive: is out of order, or there twice"),
        (lambda s: s["predicate"].update(archives=[archive(s), archive(s)]), "predicate.archives[1].archive: is out of order"),
        (lambda s: s["predicate"].update(archives=[5]), "predicate.archives[0]: is not an object"),
        (lambda s: s.update({str(n): n for n in range(300)}), "the document: has too many members"),
        (lambda s: s.update({"k" * 1000: 0}), "the document: has a member with too long a name"),
    ],
)
def test_what_is_wrong_is_named(change: Change, told: str, sound: Any, tmp_path: Path) -> None:
    statement = copy.deepcopy(sound)
    change(statement)
    assert told in refused(json.dumps(statement).encode(), tmp_path)


def test_the_offset_is_that_of_what_is_wrong(sound: Any, tmp_path: Path) -> None:
    statement = copy.deepcopy(sound)
    archive(statement, 1)["verdict"] = "superb"
    document = json.dumps(statement, indent=1).encode()
    offset = document.index(b'"superb"')
    assert refused(document, tmp_path).startswith(f"{offset}: predicate.archives[1].verdict: ")


@pytest.mark.parametrize(
    "document, told",
    [
        (b"", "is not JSON"),
        (b"\0" * 100, "is not JSON"),
        (b"[]", "the document: is not an object"),
        (b"7", "the document: is not an object"),
        (b'{"_type": "https://in-toto.io/Statement/v1"', "is not JSON"),
        (b'{"_type": "https://in-toto.io/Statement/v1",}', "is not JSON"),
        (b'{"_type": "\xff"}', "is not JSON"),
        (b'{"x": 1e99999}', "is not JSON"),
        (b'{"x": 1, "x": 1}', "the document: has the member x twice"),
        (b'{"x": {"y": {"z": 1, "z": 2}}}', "x: has the member z twice"),
        (b'{"predicate": {"archives": [{"archive": "a", "archive": "b"}]}}', "predicate.archives[0]: has the member archive twice"),
        (b'{"x": ' + b"[" * 1000 + b"]" * 1000 + b"}", "x: is deeper than any value"),
        (b'{"x": ' + b'{"x":' * 1000 + b"1" + b"}" * 1001, "x: is deeper than any value"),
        (b'{"payloadType": "application/vnd.in-toto+json", "payload": ""}', "payloadType: this is an envelope (DSSE)"),
    ],
)
def test_what_is_no_certificate_is_refused(document: bytes, told: str, tmp_path: Path) -> None:
    assert told in refused(document, tmp_path)


def test_an_envelope_is_opened_as_the_message_says(sound: Any, tmp_path: Path) -> None:
    payload = base64.b64encode(json.dumps(sound).encode()).decode()
    assert "base64 -d" in refused(json.dumps({"payloadType": "application/vnd.in-toto+json", "payload": payload}).encode(), tmp_path)


def test_each_truncation_is_refused(sound: Any, tmp_path: Path) -> None:
    document = json.dumps(sound).encode()
    for size in range(0, len(document) - 1, 97):
        assert "is not JSON" in refused(document[:size], tmp_path)


def limited(certificate: Path, memory: int) -> "subprocess.CompletedProcess[bytes]":
    most = (40 << 20) + memory

    def limit() -> None:
        if "PMPROOF_SANITIZED" not in os.environ:
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    command = [PMPROOF, "recheck", "--jobs", "1", "--memory", str(memory), str(certificate)]
    return subprocess.run(command, capture_output=True, check=False, timeout=120, preexec_fn=limit)


@pytest.mark.parametrize(
    "begin, piece, told",
    [
        (b'{"x": "', b"y" * (1 << 20), b"longer than any value"),
        (b'{"x": [', b"[]," * (1 << 18), b"longer than any value"),
        (b'{"x": 1', b"1" * (1 << 20), b"longer than any value"),
        (b'{"x":', b" " * (1 << 20), b"longer than any value"),
        (b'{"subject": [', b'{"name":"a.0","digest":{"sha256":"' + b"0" * 64 + b'"}},', b"is not JSON"),
        (b'{"predicate": {"archives": [{"archive": "a", "findings": [', b'{"rule":"ARC-1102","severity":"info","file":"f","part":"0","offset":0,"length":0,"record":0,"field":"","actual":"","expected":"","message":"","count":1},', b"takes more memory"),
        (b'{"predicate": {"archives": [{"archive": "a", "not_checked": [', b'{"rule":"","because":""},', b"takes more memory"),
    ],
    ids=["string", "value", "number", "blanks", "subjects", "findings", "not checked"],
)  # fmt: skip
def test_a_huge_certificate_takes_no_memory(begin: bytes, piece: bytes, told: bytes, tmp_path: Path) -> None:
    certificate = tmp_path / "c.json"
    with open(certificate, "wb") as out:
        out.write(begin)
        block = piece * ((1 << 20) // len(piece) or 1)
        # Memory is not limited under a sanitizer, which is slow.
        for _ in range(20 if "PMPROOF_SANITIZED" in os.environ else 200):
            out.write(block)
    done = limited(certificate, 8 << 20)
    assert done.returncode in (4, 6), done.stderr
    assert told in done.stderr, done.stderr[:300]
    assert os.fsencode(certificate) + b": offset " in done.stderr


def test_a_certificate_that_is_missing_or_no_file_gives_4(tmp_path: Path) -> None:
    for path in (tmp_path / "gone", tmp_path):
        assert pmproof("recheck", path).returncode == 4
    (tmp_path / "c.json").write_text("{}")
    assert pmproof("recheck", tmp_path / "c.json", tmp_path / "gone").returncode == 4


def test_members_that_are_unknown_or_in_another_order_do_no_harm(sound: Any, tmp_path: Path) -> None:
    statement = copy.deepcopy(sound)
    statement["predicate"]["later"] = {"deep": [1, [2, {"x": None}]]}
    archive(statement)["later"] = [True]
    statement["subject"][0]["annotations"] = {"x": 1}
    (tmp_path / "c.json").write_text(json.dumps(statement, sort_keys=True), "ascii")
    done = pmproof("recheck", tmp_path / "c.json")
    assert done.returncode == 1 and "2 archives: 0 unchanged, 2 missing" in done.stdout
