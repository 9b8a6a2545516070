# SPDX-License-Identifier: Apache-2.0
"""For tests of certify and recheck: archives, what happens to them, certificates and reports."""

import hashlib
import json
import lzma
import os
from pathlib import Path
from typing import Any

import jsonschema

from validator.testing.run import pmproof

CERTIFICATE = json.loads(Path(os.environ["CERTIFICATE_SCHEMA"]).read_text(encoding="ascii"))
RECHECK = json.loads(Path(os.environ["RECHECK_SCHEMA"]).read_text(encoding="ascii"))
REPORT = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text(encoding="ascii"))
EPOCH = {"SOURCE_DATE_EPOCH": "1800000000"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_archive(base: Path, seed: int = 1, scenario: str = "marks") -> Path:
    base.parent.mkdir(parents=True, exist_ok=True)
    words = ["generate", "--no-truth", "--seed", str(seed), "--records", "12", "--scenario", scenario, str(base)]
    assert pmproof(*words).returncode == 0
    return base


def part(archive: Path, suffix: str) -> Path:
    return archive.with_name(f"{archive.name}.{suffix}")


def compress(file: Path) -> Path:
    packed = file.with_name(file.name + ".xz")
    packed.write_bytes(lzma.compress(file.read_bytes()))
    file.unlink()
    return packed


def flip(file: Path, offset: int, keep_times: bool = False) -> None:
    state = file.stat()
    content = bytearray(file.read_bytes())
    content[offset] ^= 1
    with open(file, "r+b") as out:  # the same inode
        out.write(content)
    if keep_times:
        os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))


def damage(archive: Path) -> None:
    """ARC-1202: the trailing length word of the label of volume 0 is wrong."""
    volume = part(archive, "0")
    flip(volume, int.from_bytes(volume.read_bytes()[:4], "big") - 1)


def write_tree(tree: Path) -> Path:
    """Two hosts; an archive of the second is compressed."""
    write_archive(tree / "host1" / "20240101", 1)
    write_archive(tree / "host1" / "20240102", 2)
    packed = write_archive(tree / "host2" / "20240101", 3)
    compress(part(packed, "0"))
    compress(part(packed, "meta"))
    return tree


def certify(tree: Path, *more: str | Path, status: int = 0) -> Path:
    certificate = tree / "certificate.json"
    done = pmproof("certify", "--force", "--output", certificate, *(more or (tree,)), env=EPOCH)
    assert done.returncode == status, done.stderr
    jsonschema.validate(json.loads(certificate.read_text("ascii")), CERTIFICATE, jsonschema.Draft202012Validator)
    return certificate


def recheck(*words: str | Path, status: int = 0) -> dict[str, Any]:
    done = pmproof("recheck", "--format", "json", *words)
    assert done.returncode == status, (done.stdout, done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(report, RECHECK, jsonschema.Draft202012Validator)
    return report


def states(report: dict[str, Any]) -> dict[str, str]:
    return {archive["archive"]: archive["state"] for archive in report["archives"]}


def only(report: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [archive for archive in report["archives"] if archive["archive"] == name]
    assert isinstance(found, dict)
    return found
