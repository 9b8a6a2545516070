# SPDX-License-Identifier: Apache-2.0
"""The golden cases of chapter pmda put to libpcp and pmcd of each version of PCP, by live exchanges with them."""

from pathlib import Path

import pytest

from qa.peers.peers import SUITES
from qa.peers.testing import library_peer
from qa.suite import journal
from qa.suite.cli import main


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("version", SUITES)
def test_real_pcp_says_and_reads_pdus_as_expected_but_for_what_is_declared(version: str, tmp_path: Path) -> None:
    peer = library_peer(version)
    events = tmp_path / "journal"
    assert main(["run", f"live:{version}", "--case", "pmda/*", "--jobs", "2", "--journal", str(events), "--cases", "golden"]) == 0
    (live,) = journal.load(events).implementations
    assert live.hello["implementation"]["version"] == peer.version
    counts = live.end["counts"]
    assert counts["pass"] > 600
    assert counts["deviation"] > 0
    assert counts["not_run"] == 0
    # Of both operations most are answered, and nothing is left out without a word.
    for operation in ("pdu.decode", "pdu.encode"):
        told = [verdict for verdict in live.verdicts if verdict["operation"] == operation]
        assert sum(verdict["status"] == "pass" for verdict in told) > len(told) / 2
    assert all(verdict["message"] for verdict in live.verdicts if verdict["status"] == "skip" and verdict["operation"].startswith("pdu."))


def test_its_adapter_breaks_no_rule() -> None:
    # The adapter is the same for all versions.
    peer = library_peer("7.2")
    assert main(["lint-adapter", f"live:{peer.version}", "--cases", "golden"]) == 0
