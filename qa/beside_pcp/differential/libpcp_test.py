# SPDX-License-Identifier: Apache-2.0
"""Real libpcp answers as the reference does, or as its emulation: a small run of qa/beside_pcp/differential/run.

What goes wrong is found out: an implementation that lies is told from libpcp.
"""

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from qa.adapters import libpcp
from qa.adapters.testee import Testee
from qa.beside_pcp.differential import cli, shared
from qa.beside_pcp.differential.report import Report
from qa.beside_pcp.differential.survey import Setting, Worker, tasks
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer
from qa.dev.runs.workers import spread

PMPROOF = Path(os.environ["PMPROOF"])
_GENERATED = 200
_RECORDED = 10
_JOBS = 2

# `pmproof testee`, with one digit changed in the answers.
_LIAR = """#!{python}
import re, subprocess, sys
if sys.argv[1:] != ["testee"]:
    sys.exit(subprocess.run([{pmproof!r}, *sys.argv[1:]]).returncode)
inner = subprocess.Popen([{pmproof!r}, "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    inner.stdin.write(line)
    inner.stdin.flush()
    answer = inner.stdout.readline()
    sys.stdout.write(re.sub(r'"type":"u64","value":"(\\d*)7"', r'"type":"u64","value":"\\g<1>8"', answer))
    sys.stdout.flush()
"""


def versions() -> list[str]:
    if not os.environ.get("PMPROOF_PEERS") and "HOME" not in os.environ:
        pytest.skip("where are the peers? set PMPROOF_PEERS")
    found = [Peer.find(version) for version in SUITES]
    return [peer.version for peer in found if peer is not None and peer.launcher.name == "bubblewrap"]


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def run(pmproof: Path, keep: Path, numbers: range, recorded: Sequence[Path] = ()) -> Report:
    there = versions()
    if not there:
        pytest.skip("no PCP version is there: run qa/peers/peers fetch all")
    found = Report("test", 1)
    for examined in spread(Worker, Setting(pmproof, tuple(there), keep), tasks(1, numbers, recorded), _JOBS, at_once=4):
        found.add(examined.comparisons)
        print(examined.task, examined.faults if examined.faults else "")
    return found


def test_generated_archives_are_replayed_as_libpcp_does(tmp_path: Path) -> None:
    found = run(PMPROOF, tmp_path, range(1, _GENERATED + 1))
    assert [each.unexplained[:3] for each in found.versions.values()] == [[] for _ in found.versions]
    assert min(each.values for each in found.versions.values()) > 100 * _GENERATED


def test_recorded_archives_are_replayed_as_libpcp_does(tmp_path: Path) -> None:
    where = shared.folder()
    if where is None:
        pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")
    there = [base for base in shared.archives(where) if Path(f"{base}.meta").exists()]
    small = sorted(there, key=lambda base: Path(f"{base}.meta").stat().st_size)[: len(there) // 2]
    found = run(PMPROOF, tmp_path, range(0), small[:: len(small) // _RECORDED])
    assert [each.unexplained[:3] for each in found.versions.values()] == [[] for _ in found.versions]


def test_an_implementation_that_lies_is_found_out(tmp_path: Path) -> None:
    liar = tmp_path / "liar"
    liar.write_text(_LIAR.format(python=sys.executable, pmproof=str(PMPROOF.resolve())), encoding="utf-8")
    liar.chmod(liar.stat().st_mode | stat.S_IXUSR)
    found = run(liar, tmp_path / "kept", range(1, 21))
    assert min(len(each.unexplained) for each in found.versions.values()) > 0
    assert list((tmp_path / "kept").glob("*/faults.json"))
    assert list((tmp_path / "kept").glob("*/a.meta"))


class TestTheAdapter:
    """libpcp as an adapter."""

    def test_an_unknown_metric_and_an_absent_archive_are_refused(self, peer: Peer, tmp_path: Path) -> None:
        args = {"metrics": ["no.such"], "start": "0", "interval": "1", "count": 1}
        with Testee("libpcp", lambda: libpcp.argv(peer, [tmp_path])) as testee:
            assert testee.run("replay.interp", {"path": str(tmp_path / "none")}, args).kind == "reject"
            assert testee.run("archive.decode", {"path": str(tmp_path / "none")}, {}).kind == "skip"
            assert testee.implementation["version"] == peer.version
            assert testee.starts == 1


def test_the_command_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not versions():
        pytest.skip("no PCP version is there: run qa/peers/peers fetch all")
    output = tmp_path / "result.json"
    words = ["--archives", "3", "--no-recorded", "--pmproof", str(PMPROOF), "--keep", str(tmp_path)]
    assert cli.main([*words, "--output", str(output)]) == 0
    assert "| **unexplained** | 0" in capsys.readouterr().out
    assert output.is_file()
