# SPDX-License-Identifier: Apache-2.0
"""For tests that need a fetched peer: says why they are skipped where there is none."""

import os

import pytest

from qa.peers.peers import Peer


def any_peer(version: str) -> Peer:
    """A peer whose programs can be run."""
    if not os.environ.get("PMPROOF_PEERS") and "HOME" not in os.environ:
        pytest.skip("where are the peers? set PMPROOF_PEERS")
    peer = Peer.find(version)
    if peer is None:
        pytest.skip(f"PCP {version} is not there: run qa/peers/peers fetch {version}")
    return peer


def library_peer(version: str) -> Peer:
    """A peer in which its own Python can run, and with it its libpcp."""
    peer = any_peer(version)
    if peer.launcher.name != "bubblewrap":
        pytest.skip("the library is asked by the peer's Python, which needs bubblewrap to run")
    return peer
