# SPDX-License-Identifier: Apache-2.0
"""Real libpcp and the reference make the same of configuration files of derived metrics (DER-301..329, 401..406)."""

import os
from pathlib import Path

import pytest

from qa.beside_pcp.configuration.agree import compare
from qa.beside_pcp.configuration.cases import CASES
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_SAYS = Path(os.environ["SAYS"])
_ARCHIVE = Path("golden/archive/base-v3/base")


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def _dialect(peer: Peer) -> str:
    return "7.2.2" if peer.version.startswith("7.") else peer.version


def test_libpcp_and_the_reference_agree(peer: Peer) -> None:
    assert compare(peer, _SAYS, _dialect(peer), _ARCHIVE, CASES) == []


def test_another_version_is_seen_to_differ(peer: Peer) -> None:  # DER-305, 402
    other = "6.0.3" if _dialect(peer) == "7.2.2" else "7.2.2"
    assert len(compare(peer, _SAYS, other, _ARCHIVE, CASES)) > 5
