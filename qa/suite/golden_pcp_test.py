# SPDX-License-Identifier: Apache-2.0
"""All golden cases that apply to a version of PCP, put to its real libpcp."""

import shutil
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
def test_real_pcp_answers_as_expected_but_for_what_is_declared(version: str, tmp_path: Path) -> None:
    library_peer(version)
    # In a runfiles tree the archives are links, which lead nowhere in the peer's root.
    shutil.copytree("golden", tmp_path / "golden")
    events = tmp_path / "journal"
    cases_here = ["--cases", str(tmp_path / "golden")]
    assert main(["run", f"pcp:{version}", "--jobs", "2", "--journal", str(events), *cases_here]) == 0
    (pcp,) = journal.load(events).implementations
    counts = pcp.end["counts"]
    assert counts["pass"] > 1000
    assert counts["deviation"] > 0
    assert counts["not_run"] == 0
    # What it does not have is skipped, and of what it has the descriptors of a set, and stamps that no call of libpcp makes
    # (MET-1001), and nothing else.
    skipped = {verdict["operation"] for verdict in pcp.verdicts if verdict["status"] == "skip"}
    files = {"names.parse", "help.parse", "configuration.parse"}
    archives = {"archive.decode", "archive.validate", "archive.write"}
    capabilities = set(pcp.hello["capabilities"])
    assert skipped - capabilities == archives | files | {"pdu.decode", "pdu.encode", "tool.run"}
    assert skipped & capabilities == {"archive.describe", "value.format"}
