# SPDX-License-Identifier: Apache-2.0
"""`pmproof check --against`: recorded archives (PMPROOF_SHARED), and what real PCP (PMPROOF_PEERS) makes of archives."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from qa.peers.peers import SUITES, Peer
from validator.testing.run import pmproof

_BESIDE = Path(__file__).resolve().parents[4] / "shared"
SHARED = Path(os.environ.get("PMPROOF_SHARED") or _BESIDE) / "archives"


def against(original: Path, *words: str | Path) -> tuple[int, Any]:
    done = pmproof("check", "--against", original, "--format", "json", *words)
    return done.returncode, json.loads(done.stdout)


def kinds(report: Any) -> set[tuple[str, str]]:
    return {(each["change"], each["kind"]) for each in report["differences"]}


class TestRecorded:
    @pytest.fixture(name="archives")
    def fixture_archives(self) -> list[dict[str, Any]]:
        manifest = SHARED / "MANIFEST.json"
        if not manifest.is_file():
            pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")
        archives: list[dict[str, Any]] = json.loads(manifest.read_text(encoding="utf-8"))["archives"]
        return archives

    def test_of_each_archive_that_readers_read_nothing_is_lost_against_itself(self, archives: list[dict[str, Any]]) -> None:
        wrong, answered = [], 0
        for entry in archives:
            archive = SHARED / entry["path"]
            _, report = against(archive, archive)
            (judged,) = report["original"]["archives"]
            readable = judged["verdict"] in ("conformant", "not conformant")
            answered += readable
            if report["outcome"] != ("nothing lost" if readable else "no answer"):
                wrong.append((archive.name, judged["verdict"], report["outcome"], report["failure"], report["differences"]))
        assert wrong == []
        assert answered > 90

    def test_nothing_is_lost_on_the_way_to_version_3(self, archives: list[dict[str, Any]], tmp_path: Path) -> None:
        wrong, converted = [], 0
        for number, entry in enumerate(archives[::4]):
            archive, three = SHARED / entry["path"], tmp_path / str(number)
            if pmproof("rewrite", "--archive-version", "3", "--compress", "zstd", archive, three).returncode != 0:
                continue
            converted += 1
            _, report = against(archive, three)
            readable = report["original"]["archives"][0]["verdict"] != "not readable"
            if report["outcome"] != ("nothing lost" if readable else "no answer"):
                wrong.append((archive.name, report["outcome"], report["failure"], report["differences"]))
        assert wrong == []
        assert converted > 15
