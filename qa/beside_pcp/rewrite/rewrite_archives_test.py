# SPDX-License-Identifier: Apache-2.0
"""`pmproof rewrite` of the archives that real systems recorded (PMPROOF_SHARED), read by real PCP (PMPROOF_PEERS)."""

import functools
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from qa.peers.peers import SUITES, Peer
from validator.testing.run import pmproof

_BESIDE = Path(__file__).resolve().parents[4] / "shared"
SHARED = Path(os.environ.get("PMPROOF_SHARED") or _BESIDE) / "archives"
# Archives for the peers: of both versions, with several volumes, marks, events, labels, deltas.
_READ_BY_PEERS = 12


@functools.cache
def manifest() -> list[dict[str, Any]]:
    path = SHARED / "MANIFEST.json"
    if not path.is_file():
        return []
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["archives"]
    return entries


def good() -> list[Path]:
    """Those that PCP itself treats as good, the compressed ones among them."""
    bad = {"defective", "unreadable", "unsupported-version"}
    return [SHARED / entry["path"] for entry in manifest() if entry["expected_verdict"] not in bad]


@pytest.fixture(autouse=True)
def fixture_archives() -> None:
    if not manifest():
        pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")


def files_of(archive: Path) -> dict[str, bytes]:
    prefix = archive.name + "."
    names = re.compile(r"(meta|index|\d+)(\.\w+)?")
    found = [path for path in archive.parent.iterdir() if path.name.startswith(prefix)]
    contents = {path.name.removeprefix(prefix): path for path in found}
    return {name: path.read_bytes() for name, path in contents.items() if names.fullmatch(name)}


def version_of(archive: Path) -> int:
    return int.from_bytes(files_of(archive)["meta"][4:8], "big") & 0xFF


def errors(archive: Path) -> set[str]:
    """The rules that the archive breaks, those about style left out: some are of one version only."""
    (report,) = json.loads(pmproof("check", "--format", "json", archive).stdout)["archives"]
    return {finding["rule"] for finding in report["findings"] if finding["severity"] in ("error", "fatal")}


def test_every_file_of_every_good_archive_comes_out_byte_for_byte(tmp_path: Path) -> None:
    archives = good()
    assert len(archives) > 90
    different = []
    for number, archive in enumerate(archives):
        out = tmp_path / f"out-{number}"
        result = pmproof("rewrite", archive, out)
        if result.returncode != 0 or files_of(out) != files_of(archive):
            different.append((archive.name, result.returncode, result.stderr))
    assert different == []


def test_what_is_refused_is_what_readers_refuse(tmp_path: Path) -> None:
    wrong = []
    for number, entry in enumerate(manifest()):
        archive, out = SHARED / entry["path"], tmp_path / f"out-{number}"
        result = pmproof("rewrite", archive, out)
        if result.returncode == 0:
            same = files_of(out) == files_of(archive)
        else:
            same = result.returncode in (1, 4) and re.search(r"\[ARC-\d+\]\n$", result.stderr) is not None
            same = same and not list(tmp_path.glob(f"out-{number}.*"))
            same = same and json.loads(pmproof("check", "--format", "json", archive).stdout)["archives"][0]["readable"] is False
        if not same:
            wrong.append((archive.name, result.returncode, result.stderr))
    assert wrong == []


def test_every_good_archive_of_version_2_has_one_of_version_3_and_comes_back(tmp_path: Path) -> None:
    wrong = []
    archives = [archive for archive in good() if version_of(archive) == 2]
    assert len(archives) > 70
    for number, archive in enumerate(archives):
        three, two = tmp_path / f"three-{number}", tmp_path / f"two-{number}"
        results = [
            pmproof("rewrite", "--archive-version", "3", "--compress", "none", archive, three),
            pmproof("rewrite", "--archive-version", "2", three, two),
        ]
        if any(result.returncode != 0 for result in results):
            wrong.append((archive.name, results[0].stderr + results[1].stderr))
            continue
        before, after = files_of(archive), files_of(two)
        names = [name for name in before if name == "index" or name.isdecimal()]
        # After the label nothing but the order of instances may differ: that is in .meta.
        if any(before[name][132:] != after[name][132:] for name in names) or len(before["meta"]) != len(after["meta"]):
            wrong.append((archive.name, "not what it was"))
        if errors(three) != errors(archive):
            wrong.append((archive.name, f"other errors: {errors(three) ^ errors(archive)}"))
    assert wrong == []


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    if not os.environ.get("PMPROOF_PEERS") and "HOME" not in os.environ:
        pytest.skip("where are the peers? set PMPROOF_PEERS")
    peer = Peer.find(request.param)
    if peer is None:
        pytest.skip(f"PCP {request.param} is not there: run qa/peers/peers fetch {request.param}")
    return peer


def dump(peer: Peer, archive: Path) -> str:
    done = peer.run(["pmdumplog", "-z", "-i", "-m", "-s", archive], [archive.parent], timeout=120)
    assert done.returncode == 0, done.stderr
    # The size of a record is that of its version, and so are the digits of a time.
    text = re.sub(r"\[\d+ bytes\]", "[bytes]", done.stdout)
    return re.sub(r"(\d\d:\d\d:\d\d\.\d{6})000\b", r"\1", text)


class TestReadByPcp:
    def test_a_converted_archive_is_sound_and_shows_the_same_values(self, peer: Peer, tmp_path: Path) -> None:
        archives = [archive for archive in good() if version_of(archive) == 2]
        archives = archives[:: max(1, len(archives) // _READ_BY_PEERS)]
        assert len(archives) >= _READ_BY_PEERS
        for number, archive in enumerate(archives):
            three = tmp_path / f"three-{number}"
            assert pmproof("rewrite", "--archive-version", "3", archive, three).returncode == 0
            before = peer.run(["pmlogcheck", archive], [archive.parent], timeout=120)
            after = peer.run(["pmlogcheck", three], [tmp_path], timeout=120)
            assert after.returncode <= before.returncode, (archive.name, after.stdout, after.stderr)
            assert dump(peer, three) == dump(peer, archive), archive.name
