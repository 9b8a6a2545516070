# SPDX-License-Identifier: Apache-2.0
"""A real pmcd of a peer with agents of ours, in a sandbox of its own, and what clients print who ask it."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.peers.peers import Peer

# Where things are in the folder that the sandbox shares with the test. Its paths are the same inside and outside.
_SCRIPT = "run.sh"
_LOG = "pmcd.log"

# Nothing waits as long as this unless something is wrong.
_LIMIT = 300

_START = """\
cd {folder} || exit 9
export PMCD_PORT=44390 PCP_PMDAS_DIR={folder} PCP_DERIVED_CONFIG= PMCD_CONNECT_TIMEOUT=120 PMCD_REQUEST_TIMEOUT=120
export PCP_USER=root PCP_GROUP=root
pmcd -f -A -i 127.0.0.1 -p 44390 -s {folder}/pmcd.socket -c pmcd.conf -n pmns -l {log} -U root -t 120 -q 120 &
pmcd=$!
until pminfo -h 127.0.0.1 simple >/dev/null 2>&1; do
    kill -0 $pmcd 2>/dev/null || exit 8
    sleep 0.1
done
"""


@dataclass(frozen=True)
class Printed:
    """What a client printed and how it ended."""

    status: int
    out: str
    err: str


def ask_clients(peer: Peer, folder: Path, lines: Sequence[str]) -> list[Printed]:
    """Starts pmcd with the pmcd.conf and pmns of the folder, and runs one shell line after the other.

    There is a name `simple` in pmns: pmcd is waited for until it knows it.
    """
    steps = [
        f"( {line} ) >{number}.out 2>{number}.err </dev/null; echo $? >{number}.status"
        for number, line in enumerate(lines)
    ]
    script = _START.format(folder=shlex.quote(str(folder)), log=_LOG) + "\n".join([*steps, "kill $pmcd", "wait $pmcd"])
    (folder / _SCRIPT).write_text(script)
    command = ["sh", str(folder / _SCRIPT)]
    done = peer.run(command, writable=[folder], timeout=_LIMIT)
    printed = []
    for number in range(len(lines)):
        status = folder / f"{number}.status"
        log = folder / _LOG
        assert status.is_file(), f"{done}\n{log.read_text() if log.is_file() else 'no log'}"
        parts = [(folder / f"{number}.{part}").read_text() for part in ("out", "err")]
        printed.append(Printed(int(status.read_text()), *parts))
    return printed
