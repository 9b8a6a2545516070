# SPDX-License-Identifier: Apache-2.0
"""Golden cases put to the command-line tools of each version of PCP: what they print is right but for what is declared."""

import shutil
from pathlib import Path

import pytest

from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer
from qa.suite import journal
from qa.suite.cli import main
from qa.suite.implementations import EXPECTED

# Some of each operation, so that it takes seconds: all of them are asked by `suite run tool:VERSION` (qa/adapters/README.md).
CHOSEN = ("archive/described", "archive/help-texts", "archive/instances-at-a-time", "archive/labels-of-a-metric",
          "archive/records-as-they-are", "replay/worked-*", "replay/instances-*", "replay/strings-*", "replay/counter-double", "replay/set-*", "ledger/dev-0*",
          "derived/names", "derived/config-*", "derived/error-positions*", "derived/rate", "derived/prefix-values",
          "tool-output/pmdumplog-records", "tool-output/pmval-columns", "tool-output/pmval-events", "tool-output/pminfo-values", "tool-output/pmrep-csv",
          "tool-output/pmlogsummary-columns", "tool-output/pmprobe-values", "tool-output/pmlogcheck-label", "tool-output/pmlogsize-files", "tool-output/pmstat-*",
          "tool-output/zones")
OPERATIONS = {"archive.describe", "archive.indom", "archive.labels", "archive.text",
              "replay.interp", "replay.raw", "derive.parse", "derive.eval", "tool.run"}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(params=SUITES, name="peer", scope="module")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.fixture(name="golden")
def fixture_golden(tmp_path: Path) -> Path:
    # In a runfiles tree the archives are links, which lead nowhere in the peer's root.
    shutil.copytree("golden", tmp_path / "golden")
    return tmp_path / "golden"


def test_real_tools_print_what_is_expected_but_for_what_is_declared(peer: Peer, golden: Path, tmp_path: Path) -> None:
    events = tmp_path / "journal"
    chosen = [word for case in CHOSEN for word in ("--case", case)]
    assert (EXPECTED / f"tool-{peer.version}.txt").exists()  # and is taken
    arguments = [*chosen, "--jobs", "2", "--journal", str(events), "--cases", str(golden)]
    assert main(["run", f"tool:{peer.version}", *arguments]) == 0
    (tools,) = journal.load(events).implementations
    assert tools.hello["implementation"]["version"] == peer.version
    assert tools.end["counts"]["deviation"] > 0
    passed = [verdict for verdict in tools.verdicts if verdict["status"] == "pass"]
    assert {verdict["operation"] for verdict in passed} == OPERATIONS
    assert len(passed) > 100
    # Nothing is left out without a word.
    assert all(verdict["message"] for verdict in tools.verdicts if verdict["status"] == "skip")


def test_its_adapter_breaks_no_rule(golden: Path) -> None:
    # The adapter is the same for all versions.
    peer = library_peer("7.2")
    assert main(["lint-adapter", f"tool:{peer.version}", "--cases", str(golden)]) == 0
