# SPDX-License-Identifier: Apache-2.0
"""What the tools of real PCP print is what the reference answers: `pmproof compare` and `pmproof replay`."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer
from qa.beside_pcp.tool_output.tools import ENVIRONMENT, make_archives, output_of, runs

PMPROOF = os.environ["PMPROOF"]

GOLDEN = (
    "archive/worked-v2/worked",
    "archive/worked-v3/worked",
    "archive/base-v3/base",
    "replay/inputs/worked/archive",
    "replay/instances-gone-and-back/archive",
    "replay/instances-by-delta/archive",
    "replay/opaque-bytes/archive",
    "replay/counter-float/archive",
    "replay/nanoseconds/archive",
    "derived/inputs/operands/archive",
)


def pmproof(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [PMPROOF, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)


@pytest.fixture(scope="module", params=list(SUITES))
def peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("archives")
    make_archives(PMPROOF, folder)
    return folder


def emulated(version: str) -> str:
    return next(known for known in ("6.0.3", "6.3.8", "7.2.2") if known.startswith(version.rsplit(".", 1)[0]))


def test_all_tools_of_two_archives(peer: Peer, archives: Path, tmp_path: Path) -> None:
    expected, actual = tmp_path / "expected.jsonl", tmp_path / "actual.txt"
    for name, run in runs().items():
        actual.write_bytes(output_of(peer, run, archives))
        if run["replay"] is None:
            more = ("--instances",) if name.startswith("pmprobe-names") else ()
            done = pmproof("compare", "--tool", run["tool"], "--parse", *run["compare"], *more, actual)
        else:
            rule = () if "--raw" in run["replay"] else ("--emulate", emulated(peer.version))
            replayed = pmproof("replay", "--format", "jsonl", *run["replay"], *rule, archives / f"tools-{run['archive']}")
            expected.write_text(replayed.stdout, encoding="utf-8")
            done = pmproof("compare", "--tool", run["tool"], "--expected", expected, *run["compare"], actual)
        assert (name, done.returncode) == (name, 0), done.stdout + done.stderr


@pytest.mark.parametrize("golden", GOLDEN)
def test_golden_archives(peer: Peer, golden: str, tmp_path: Path) -> None:
    # Links lead out of the folder that the tool sees.
    source = Path("golden", golden)
    for file in source.parent.glob(source.name + ".*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    archive = tmp_path / source.name
    expected, actual = tmp_path / "expected.jsonl", tmp_path / "actual.txt"

    def output(*command: str | Path) -> None:
        done = peer.run(list(command), [tmp_path], timeout=120, environment=ENVIRONMENT)
        actual.write_text(done.stdout, encoding="utf-8", errors="surrogateescape")

    output("pmdumplog", "-Z", "UTC", "-d", "-x", archive)
    dumped = pmproof("compare", "--tool", "pmdumplog", "--parse", actual)
    assert dumped.returncode == 0, dumped.stdout
    records = map(json.loads, dumped.stdout.splitlines())
    metrics = [record["metric"] for record in records if record.get("kind") == "descriptor"]
    words = [word for metric in metrics for word in ("--metric", metric)]
    expected.write_text(pmproof("replay", "--raw", "--format", "jsonl", *words, archive).stdout, encoding="utf-8")
    for tool, arguments in (
        ("pmdumplog", ("-Z", "UTC", "-x", "-m", archive)),
        ("pminfo", ("-f", "-d", "-a", archive, *metrics)),
        ("pmprobe", ("-v", "-a", archive, *metrics)),
    ):
        output(tool, *arguments)
        done = pmproof("compare", "--tool", tool, "--expected", expected, *words, actual)
        assert (tool, done.returncode) == (tool, 0), done.stdout + done.stderr
