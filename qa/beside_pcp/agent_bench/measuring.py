# SPDX-License-Identifier: Apache-2.0
"""Runs `pmproof agent bench` on pmproof's simple beside one agent of a peer, all inside of the peer's sandbox."""

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.beside_pcp.agents.packaged import ENVIRONMENT, Agent, domain_of
from qa.peers.carry import carry
from qa.peers.peers import Peer

# simple on PCP's own library, which no package has compiled (libpcp_simple.cc).
LIBRARY = "libpcp_pmda"
# One read and one write for a fetch: what no agent on pipes can be faster than (bare_pipe.cc).
FLOOR = "bare_pipe"

# Of the packages: those that start without hardware and servers and have a singular metric.
PACKAGED = (
    Agent("simple", "pmdasimple.python"),
    Agent("trivial", "pmdatrivial.python"),
    Agent("sample", "pmdasample"),
    Agent("mmv", "pmdammv"),
    Agent("sendmail", "pmdasendmail"),
    Agent("mailq", "pmdamailq"),
    Agent("kvm", "pmdakvm"),
)

# Those with the five metrics of simple: what they answer is the same.
_ALIKE = (LIBRARY, FLOOR, "pmdasimple.python")


@dataclass(frozen=True)
class Pair:
    """One line of both agents."""

    version: str
    theirs: str
    clients: int
    metrics: int
    our_line: dict[str, Any]
    their_line: dict[str, Any]

    @property
    def ratio(self) -> float:
        """Fetches a second: ours to theirs."""
        return float(self.our_line["fetches_a_second"] / self.their_line["fetches_a_second"])


class MeasureError(Exception):
    pass


def measure(
    pmproof: Path, built: Mapping[str, Path], peer: Peer, theirs: str, words: Sequence[str]
) -> list[Pair]:
    """`built`: the programs of LIBRARY and FLOOR; `theirs`: one of these or the file of one of PACKAGED;
    `words`: options of `agent bench`."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        start = carry(pmproof, folder / "pmproof", peer)
        configuration = folder / "simple.conf"
        configuration.write_text("sec,min,hour\n", encoding="utf-8")
        if theirs in (LIBRARY, FLOOR):
            program = folder / theirs
            shutil.copy(built[theirs], program)
            command = [str(program), str(configuration)]
        else:
            (agent,) = (one for one in PACKAGED if one.file == theirs)
            command = next(iter(agent.commands(domain_of(peer, agent), Path("/dev/null"))))
        ours = [str(start), "agent", "serve", "simple", "--configuration", str(configuration)]
        patient = ["--timeout", "60", "--timeout", "creds=60"]
        bench = [str(start), "agent", "bench", "--format", "json", *patient, *words, "--beside", " ".join(command)]
        done = peer.run([*bench, "--", *ours], [scratch], timeout=3600, environment=ENVIRONMENT)
    if done.returncode != 0:
        raise MeasureError(f"{peer.version} {theirs}: {done.stderr.strip() or f'status {done.returncode}'}")
    lines = json.loads(done.stdout)["measurements"]
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    return [Pair(peer.version, theirs, a["clients"], a["metrics"], a, b) for a, b in pairs]


def plan(theirs: str) -> list[str]:
    """What is measured beside it: agents that are not alike have one metric in common, whatever it is."""
    if theirs in _ALIKE:
        return ["--metrics", "1,5,100,1000", "--clients", "1,8"]
    return ["--metrics", "1", "--clients", "1"]


def markdown(pairs: Sequence[Pair]) -> str:
    def microseconds(theirs: float, ours: float) -> tuple[str, str, str]:
        return f"{theirs / 1000:.1f}", f"{ours / 1000:.1f}", f"{theirs / ours:.2f}"

    rows = [
        "| PCP | agent | clients | metrics | fetches/s | ours | ratio | p50 us | ours | ratio "
        "| CPU us | ours | ratio |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in pairs:
        ours, theirs = one.our_line, one.their_line
        cells = [
            *(one.version, one.theirs, str(one.clients), str(one.metrics)),
            *(f"{theirs['fetches_a_second']:.0f}", f"{ours['fetches_a_second']:.0f}", f"{one.ratio:.2f}"),
            *microseconds(theirs["latency"]["p50"], ours["latency"]["p50"]),
            *microseconds(theirs["cpu_nanoseconds_a_fetch"], ours["cpu_nanoseconds_a_fetch"]),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
