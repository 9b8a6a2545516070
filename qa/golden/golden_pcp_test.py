"""The golden cases put to real libpcp: what applies to a version's rule, with its declared deviations."""

import os
import shutil
from pathlib import Path

import pytest

from qa.adapters import libpcp
from qa.adapters.testee import Testee
from qa.golden import cases, run
from qa.peers.peers import SUITES, Peer


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    if not os.environ.get("PMPROOF_PEERS") and "HOME" not in os.environ:
        pytest.skip("where are the peers? set PMPROOF_PEERS")
    peer = Peer.find(request.param)
    if peer is None:
        pytest.skip(f"PCP {request.param} is not there: run qa/peers/peers fetch {request.param}")
    if peer.launcher.name != "bubblewrap":
        pytest.skip("the library is asked by the peer's Python, which needs bubblewrap to run")
    return peer


def test_real_pcp_answers_as_expected(peer: Peer, tmp_path: Path) -> None:
    # In a runfiles tree the archives are links, which lead nowhere in the peer's root.
    shutil.copytree("golden", tmp_path / "golden")
    found = cases.load_all(tmp_path / "golden")
    with Testee(peer.version, lambda: libpcp.argv(peer, [tmp_path])) as testee:
        verdicts = list(run.of_version(found, testee, peer.version, run.rule_of(peer.version)))
    failed = [str(verdict) for verdict in verdicts if not verdict.passed]
    assert not failed, "\n\n".join(["", *failed])
    assert sum(verdict.deviation is None for verdict in verdicts) > 200
