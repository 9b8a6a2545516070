# SPDX-License-Identifier: Apache-2.0
"""Live exchanges of some PCP version as an adapter: live_program.py, run by that PCP's own Python."""

from qa.adapters import libpcp
from qa.peers.peers import Peer


def argv(peer: Peer) -> list[str]:
    """The command that is the adapter. It sees no files but its own."""
    return libpcp.argv(peer, [], libpcp.LIVE)
