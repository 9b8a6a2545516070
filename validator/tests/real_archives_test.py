# SPDX-License-Identifier: Apache-2.0
"""Archives that PCP wrote, and the verdict on each that the manifest of the shared archives tells."""

import bz2
import json
import lzma
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

PMPROOF = os.environ["PMPROOF"]


def _shared() -> Path | None:
    beside = Path(__file__).resolve().parents[3] / "shared"
    folder = Path(os.environ.get("PMPROOF_SHARED") or beside) / "archives"
    return folder if (folder / "MANIFEST.json").is_file() else None


SHARED = _shared()
WHY_NOT = "no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace"
pytestmark = pytest.mark.skipif(SHARED is None, reason=WHY_NOT)
MANIFEST = json.loads((SHARED / "MANIFEST.json").read_text(encoding="utf-8"))["archives"] if SHARED else []
AS_THE_TWIN = "as the uncompressed archive of the same name"
TWINS = [entry for entry in MANIFEST if entry["expected_verdict"] == AS_THE_TWIN]
JUDGED = [entry for entry in MANIFEST if entry["expected_verdict"] != AS_THE_TWIN]


def named(entries: list[dict[str, Any]]) -> pytest.MarkDecorator:
    """One test for each archive; one that is skipped where there are none."""
    return pytest.mark.parametrize("entry", entries or [{}], ids=[entry["id"] for entry in entries] or ["none"])


def path_of(entry: dict[str, Any]) -> Path:
    assert SHARED is not None
    return SHARED / str(entry["path"])


def check(archive: Path, *options: str) -> dict[str, Any]:
    command = [PMPROOF, "check", "--format", "json", "--max-findings", "1000000", *options, str(archive)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)
    assert done.returncode in (0, 1, 4), done.stderr.decode()
    [report] = json.loads(done.stdout)["archives"]
    assert isinstance(report, dict)
    return report


def findings_of(report: dict[str, Any]) -> Counter[str]:
    """What was found and where; files by their part, so that compressed and plain ones can be compared."""
    return Counter(
        json.dumps({key: value for key, value in finding.items() if key != "file"}, sort_keys=True)
        for finding in report["findings"]
    )


def content_of(file: Path) -> bytes:
    """Not compressed."""
    content = file.read_bytes()
    if file.suffix == ".xz":
        return lzma.decompress(content)
    return bz2.decompress(content) if file.suffix == ".bz2" else content


def test_there_are_archives_of_each_verdict_and_compressed_ones() -> None:
    verdicts = {"clean", "quirks", "defective", "unreadable", "unsupported-version", AS_THE_TWIN}
    assert {entry["expected_verdict"] for entry in MANIFEST} == verdicts


# Damaged, but all readers give the same and right answers: a warning (section 14.0 of the specification).
READ_ALIKE = {"badti-1"}


class TestVerdicts:
    @named(JUDGED)
    def test_the_verdict_is_that_of_the_manifest(self, entry: dict[str, Any]) -> None:
        report = check(path_of(entry))
        wrong = [f for f in report["findings"] if f["severity"] in ("fatal", "error")]
        verdict = entry["expected_verdict"]
        if verdict in ("clean", "quirks"):
            assert not wrong
            assert report["conformant"] and report["failure"] is None
        else:
            assert verdict in ("defective", "unreadable", "unsupported-version")
            assert bool(wrong) == (not report["conformant"]) == (entry["id"] not in READ_ALIKE)
            assert wrong or any(f["severity"] == "warning" for f in report["findings"])

    @named([entry for entry in JUDGED if entry["expected_verdict"] in ("clean", "quirks")])
    def test_everything_is_counted(self, entry: dict[str, Any]) -> None:
        summary = check(path_of(entry))["summary"]
        counts = entry["counts"]
        assert summary["records"] == counts["results"] + counts["marks"]
        assert summary["marks"] == counts["marks"]
        assert summary["values"] == counts["values"]
        assert summary["metrics"] == counts["metrics"]
        assert summary["index_entries"] == counts["index_entries"]
        assert summary["bytes"] == sum(file["bytes"] for file in entry["files"].values())


class TestCompressedTwins:
    @named(TWINS)
    def test_the_findings_are_those_of_the_plain_files(self, entry: dict[str, Any], tmp_path: Path) -> None:
        for name in entry["files"]:
            file = path_of(entry).parent / Path(name).name
            plain_name = file.stem if file.suffix in (".xz", ".bz2") else file.name
            (tmp_path / plain_name).write_bytes(content_of(file))
        packed = check(path_of(entry))
        plain = check(tmp_path / path_of(entry).name)
        assert findings_of(packed) == findings_of(plain)
        for key in ("conformant", "readable", "counts", "summary", "not_checked"):
            assert packed[key] == plain[key]


class TestDump:
    @named(MANIFEST)
    def test_every_byte_of_every_file_is_accounted_for_once(self, entry: dict[str, Any]) -> None:
        command = [PMPROOF, "dump", "--format", "jsonl", str(path_of(entry))]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)
        assert done.returncode in (0, 1), done.stderr.decode()
        ends: dict[str, int] = {}
        complete = set()
        for line in done.stdout.splitlines():
            record = json.loads(line)
            file = Path(record["file"]).name
            assert record["offset"] == ends.get(file, 0), record
            assert file not in complete
            ends[file] = record["offset"] + record["length"]
            if record["type"] == "end":
                complete.add(file)
        files = [path_of(entry).parent / Path(file).name for file in entry["files"]]
        assert ends == {file.name: len(content_of(file)) for file in files}
        assert complete == set(ends)
