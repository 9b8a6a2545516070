# SPDX-License-Identifier: Apache-2.0
"""Runs scripts by a peer's dbpmda and by `pmproof agent run`, both within the peer, and compares what they print."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.peers.carry import carry
from qa.peers.peers import Peer

# Both programs' agent: the sample of the peer, as daemon, whose values are the same in each run.
OPEN = "open pipe /usr/lib/pcp/pmdas/sample/pmdasample -d 29 -U root -l /dev/null\n"

_RUN = """cd {folder} || exit 1
for script in *.script; do
  dbpmda -f -n names <$script >$script.dbpmda 2>$script.dbpmda.err
  echo $? >$script.dbpmda.status
  {program} agent run -n names - <$script >$script.pmproof 2>$script.pmproof.err
  echo $? >$script.pmproof.status
done
"""


@dataclass(frozen=True)
class Printed:
    out: str
    err: str
    status: int


def _comparable_out(text: str) -> str:
    """Without what is different in each run: addresses, process numbers, times of events."""
    text = re.sub(r"dump from 0x[0-9a-f]+", "dump from 0x0", text)
    text = re.sub(r"\(pid: \d+\)", "(pid: N)", text)
    # Several names of a metric: 7.2 puts commas between them.
    text = re.sub(r"^(  [0-9.]+ \([\w.]+) or ([\w.]+\): )", r"\1, \2", text, flags=re.MULTILINE)
    return re.sub(r"(event records? timestamps?) [0-9:.]+\]", r"\1 T]", text)


def _comparable_err(text: str) -> str:
    """Without the place that pmproof puts before, dbpmda's hint, and lines of the agent's log."""
    lines = [re.sub(r"^standard input:\d+: ", "", line) for line in text.splitlines()]
    drop = re.compile(r"Type 'help' for a list|\[\w{3} \w{3} +\d+ ")
    return "\n".join(line for line in lines if not drop.match(line))


def run_both(
    peer: Peer, pmproof: Path, folder: Path, names: str, scripts: Sequence[str]
) -> list[tuple[Printed, Printed]]:
    """What dbpmda and pmproof print of each script."""
    (folder / "names").write_text(names)
    program = carry(pmproof, folder / "program", peer)
    for number, script in enumerate(scripts):
        (folder / f"{number:04}.script").write_bytes((OPEN + script + "\n").encode("latin-1"))
    done = peer.run(["sh", "-c", _RUN.format(folder=folder, program=program)], writable=[folder], timeout=900)
    assert done.returncode == 0, done.stderr

    def printed(number: int, program: str) -> Printed:
        def text(suffix: str) -> str:
            return (folder / f"{number:04}.script.{program}{suffix}").read_bytes().decode("latin-1")

        return Printed(_comparable_out(text("")), _comparable_err(text(".err")), int(text(".status")))

    return [(printed(number, "dbpmda"), printed(number, "pmproof")) for number in range(len(scripts))]
