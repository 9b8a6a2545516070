# SPDX-License-Identifier: Apache-2.0
"""Bags of RFC 8493: `certify --bag` makes and certifies them, `recheck --bag` verifies them. sha256sum says it, too."""

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof

RECHECK = json.loads(Path(os.environ["RECHECK_SCHEMA"]).read_text(encoding="ascii"))
CERTIFICATE = "pmproof-certificate.json"
TAGS = ["bag-info.txt", "bagit.txt", "data", "manifest-sha256.txt", CERTIFICATE, "tagmanifest-sha256.txt"]
FOREIGN = "a name with blanks, %, \u00e4 and\na newline"


@pytest.fixture(name="bag")
def fixture_bag(tmp_path: Path) -> Path:
    bag = tmp_path / "bag"
    (bag / "data/host").mkdir(parents=True)
    for seed, name in enumerate(("monday", "tuesday")):
        words = ("generate", "--no-truth", "--seed", str(seed), "--records", "5", bag / "data/host" / name)
        assert pmproof(*words).returncode == 0
    (bag / "data/README").write_text("not an archive\n", encoding="utf-8")
    (bag / "data" / FOREIGN).write_bytes(b"\0")
    return bag


def certify(bag: Path, *words: str, status: int = 0) -> str:
    done = pmproof("certify", "--bag", bag, *words)
    assert done.returncode == status, done.stderr
    return done.stderr


def recheck(bag: Path, *words: str, status: int = 0) -> dict[str, Any]:
    done = pmproof("recheck", "--format", "json", "--bag", bag, *words)
    assert done.returncode == status, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(RECHECK).validate(report)
    return report


def sha256sum(bag: Path, manifest: str) -> int:
    # Its own escape of a newline is another one than that of RFC 8493.
    lines = [line for line in (bag / manifest).read_text(encoding="utf-8").splitlines(True) if "%" not in line]
    return subprocess.run(["sha256sum", "--check", "--strict", "--quiet"], cwd=bag, input="".join(lines), text=True, check=False).returncode


def test_a_directory_becomes_a_bag_that_others_verify(bag: Path) -> None:
    payload = {file: file.read_bytes() for file in bag.rglob("*") if file.is_file()}
    told = certify(bag)
    assert "certificate of 2 archives" in told
    assert sorted(os.listdir(bag)) == sorted(TAGS)
    assert {file: file.read_bytes() for file in (bag / "data").rglob("*") if file.is_file()} == payload
    assert (bag / "bagit.txt").read_bytes() == b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    assert sha256sum(bag, "manifest-sha256.txt") == sha256sum(bag, "tagmanifest-sha256.txt") == 0
    paths = [line.split("  ", 1)[1] for line in (bag / "manifest-sha256.txt").read_text(encoding="utf-8").splitlines()]
    escaped = FOREIGN.replace("%", "%25").replace("\n", "%0A")
    assert paths == sorted(paths, key=str.encode) and f"data/{escaped}" in paths and len(paths) == len(payload)
    tagged = [line.split("  ", 1)[1] for line in (bag / "tagmanifest-sha256.txt").read_text(encoding="utf-8").splitlines()]
    assert tagged == [name for name in TAGS if name not in ("data", "tagmanifest-sha256.txt")]
    size = sum(map(len, payload.values()))
    assert f"\nPayload-Oxum: {size}.{len(payload)}\n" in (bag / "bag-info.txt").read_text(encoding="utf-8")
    subjects = json.loads((bag / CERTIFICATE).read_text(encoding="utf-8"))["subject"]
    assert all(subject["name"].startswith("data/host/") for subject in subjects)


def test_a_bag_that_is_whole_is_valid_and_its_archives_unchanged(bag: Path) -> None:
    certify(bag)
    report = recheck(bag)
    assert report["bag"]["valid"] and report["bag"]["problems"] == [] and report["bag"]["algorithms"] == ["sha256"]
    assert report["footer"]["unchanged"] == 2
    done = pmproof("recheck", "--bag", bag)
    assert done.stdout.startswith(f"bag: valid, {report['bag']['files']} files in its payload, sha256\n")


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def twice(file: Path) -> None:
    file.write_bytes(2 * file.read_bytes())


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda bag: flip(bag / "data/README"), "data/README: its content is another one (manifest-sha256.txt)"),
        (lambda bag: (bag / "data/README").unlink(), "data/README: is missing (manifest-sha256.txt)"),
        (lambda bag: (bag / "data/more").write_bytes(b""), "data/more: is in no manifest"),
        (lambda bag: flip(bag / "bag-info.txt"), "bag-info.txt: its content is another one (tagmanifest-sha256.txt)"),
        (lambda bag: (bag / "bagit.txt").unlink(), "bagit.txt: is missing"),
        (lambda bag: (bag / "manifest-sha256.txt").unlink(), "the bag has no manifest of SHA-256 or SHA-512"),
        (lambda bag: (bag / "manifest-md5.txt").write_text("0 data/README\n"), "manifest-md5.txt: is of an algorithm that is not SHA-256"),
        (lambda bag: twice(bag / "tagmanifest-sha256.txt"), "bag-info.txt: is there twice (tagmanifest-sha256.txt)"),
        (lambda bag: twice(bag / "manifest-sha256.txt"), "data/README: is there twice (manifest-sha256.txt)"),
        (lambda bag: os.symlink("/dev/null", bag / "data/link"), "data/link: is neither a file nor a directory"),
    ],
)
def test_what_is_wrong_with_a_bag_is_told(bag: Path, damage: Any, problem: str) -> None:
    certify(bag)
    damage(bag)
    report = recheck(bag, status=1)
    assert not report["bag"]["valid"]
    assert any(told.startswith(problem) for told in report["bag"]["problems"]), report["bag"]["problems"]
    assert problem in pmproof("recheck", "--bag", bag).stdout


@pytest.mark.parametrize("path", ["../outside", "data/../../outside", "/etc/passwd", "bagit.txt", "data/"])
def test_a_manifest_leads_nowhere_else(bag: Path, path: str) -> None:
    (bag.parent / "outside").write_bytes(b"secret")
    certify(bag)
    with open(bag / "manifest-sha256.txt", "a", encoding="utf-8") as manifest:
        manifest.write(f"{hashlib.sha256(b'secret').hexdigest()}  {path}\n")
    problems = recheck(bag, status=1)["bag"]["problems"]
    assert any(told.startswith(path) and ("no path of the payload" in told or "is missing" in told) for told in problems), problems


def test_hostile_tag_files_are_shown_as_characters(bag: Path) -> None:
    certify(bag)
    (bag / "manifest-sha256.txt").write_bytes(b"\x1b[2J\xff\n" + b"0" * 64 + b"  data/\x1b[31m\n" + b"\r\r\n\n")
    (bag / "bagit.txt").write_bytes(b"BagIt-Version: \x1b[2J\n")
    done = pmproof("recheck", "--bag", bag)
    assert done.returncode == 1 and "\x1b" not in done.stdout
    assert "line 1 is not a digest and a path" in done.stdout and "data/\\x1b[31m: is missing" in done.stdout


def test_a_bag_of_somebody_else_is_certified_and_left_as_it_is(bag: Path) -> None:
    lines = []
    for file in sorted((bag / "data").rglob("*")):
        if file.is_file():
            name = file.relative_to(bag).as_posix().replace("%", "%25").replace("\n", "%0a")
            lines.append(f"{hashlib.sha512(file.read_bytes()).hexdigest().upper()} *{name}\r\n")
    (bag / "manifest-sha512.txt").write_text("".join(lines), encoding="utf-8", newline="")
    (bag / "bagit.txt").write_text("BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n", encoding="utf-8")
    before = {file: file.read_bytes() for file in bag.rglob("*") if file.is_file()}
    certify(bag)
    assert {file: file.read_bytes() for file in bag.rglob("*") if file.is_file() and file.name != CERTIFICATE} == before
    assert recheck(bag)["bag"]["algorithms"] == ["sha512"]


def test_a_bag_that_is_not_valid_is_not_certified(bag: Path) -> None:
    certify(bag)
    (bag / CERTIFICATE).unlink()
    flip(bag / "data/README")
    told = certify(bag, status=1)
    assert "data/README: its content is another one" in told and "not certified: the bag is not valid" in told
    assert not (bag / CERTIFICATE).exists()


def test_what_cannot_become_a_bag_is_refused_and_left_alone(bag: Path, tmp_path: Path) -> None:
    assert "has no directory data" in certify(tmp_path, status=2)
    (bag / "manifest-sha256.txt").write_text("mine\n", encoding="utf-8")
    assert "--force replaces it" in certify(bag, status=2)
    assert sorted(os.listdir(bag)) == ["data", "manifest-sha256.txt"]
    os.symlink("/dev/null", bag / "data/link")
    told = certify(bag, "--force", status=5)
    assert "data/link" in told and sorted(os.listdir(bag)) == ["data", "manifest-sha256.txt"]


@pytest.mark.parametrize("words", [["--output", "x"], ["--root", "."], ["archive"]])
def test_a_bag_stands_for_the_other_places(bag: Path, words: list[str]) -> None:
    assert "--bag stands for ARCHIVE, --output and --root" in certify(bag, *words, status=2)


def test_a_certificate_and_a_bag_are_not_both_given(bag: Path) -> None:
    done = pmproof("recheck", "--bag", bag, bag / CERTIFICATE)
    assert done.returncode == 2 and "not both" in done.stderr
