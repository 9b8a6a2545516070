# SPDX-License-Identifier: Apache-2.0
"""Some PCP version's command-line tools as an adapter: tool_adapter, run by this machine's Python."""

from collections.abc import Sequence
from pathlib import Path

from qa.peers.peers import AnyPath, Peer

_PROGRAM = Path(__file__).absolute().with_name("tool_adapter")


def argv(peer: Peer, folders: Sequence[AnyPath], pmproof: AnyPath) -> list[str]:
    """The command that is the adapter. The tools see the archives in `folders`, at their own paths; `pmproof` reads what
    they print."""
    command = ["/usr/bin/python3", "-B", str(_PROGRAM), "--pmproof", str(pmproof), "--root", str(peer.folder)]
    return [*command, *map(str, folders)]
