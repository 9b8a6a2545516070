# SPDX-License-Identifier: Apache-2.0
"""What the divergence ledger recorded of real libpcp, asked again."""

import shutil
from pathlib import Path

import pytest

from qa.adapters import libpcp
from qa.adapters.testee import Testee
from qa.golden import cases, compare, ledger
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def test_real_pcp_deviates_as_the_ledger_recorded(peer: Peer, tmp_path: Path) -> None:
    if peer.version not in ledger.VERSIONS:
        pytest.skip(f"the ledger has no answers of {peer.version}")
    shutil.copytree("golden", tmp_path / "golden")
    found = {case.id: case for case in cases.load_all(tmp_path / "golden")}
    compared = 0
    with Testee(peer.version, lambda: libpcp.argv(peer, [tmp_path])) as testee:
        for entry in ledger.load(tmp_path / "golden/ledger/ledger.json"):
            for number, request in enumerate(found[entry.case].requests if entry.case else (), start=1):
                answer = entry.answer(number, peer.version)
                if answer is None:
                    continue  # as expected: the test above
                outcome = testee.run(request.operation, request.source, request.args)
                told = "\n".join(compare.side_by_side({"result": answer}, outcome, {}))
                assert compare.matches({"result": answer}, outcome, {}), f"{entry.id}, request {number}\n{told}"
                compared += 1
    assert compared >= 15
