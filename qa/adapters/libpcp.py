# SPDX-License-Identifier: Apache-2.0
"""Some PCP version's libpcp as an adapter: pcp_program.py, run by that PCP's own Python."""

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qa.peers.peers import AnyPath, Peer

_PROGRAM = (
    "pcp_archive.py",
    "pcp_definitions.py",
    "pcp_library.py",
    "pcp_program.py",
    "pcp_replay.py",
    "pcp_values.py",
    "pcp_versions.py",
    "value_text.py",
)
LIVE = (
    "live_client.py",
    "live_collector.py",
    "live_fake.py",
    "live_octets.py",
    "live_program.py",
    "live_reads.py",
    "live_sends.py",
    "live_values.py",
    "live_wire.py",
)


def argv(peer: Peer, folders: Sequence[AnyPath], more: Sequence[str] = ()) -> list[str]:
    """The command that is the adapter. It sees the archives in `folders`, at their own paths. With `more` modules it is
    live_program.py."""
    # In a runfiles tree the programs are links that lead nowhere in the sandbox.
    copies = Path(tempfile.mkdtemp(prefix="pmproof-adapter-"))
    atexit.register(shutil.rmtree, copies, ignore_errors=True)
    package = copies / "qa/adapters"
    package.mkdir(parents=True)
    for name in (*_PROGRAM, *more):
        shutil.copyfile(Path(__file__).with_name(name), package / name)
    # The peers have lists of derived metrics, which would be found in every archive (OUT-101).
    environment = {"PCP_DERIVED_CONFIG": "", "PYTHONPATH": str(copies)}
    program = "live_program" if more else "pcp_program"
    command = ["python3", "-B", "-m", f"qa.adapters.{program}", peer.version]
    return peer.argv(command, [copies, *folders], environment=environment)
