# SPDX-License-Identifier: Apache-2.0
"""Agents whose checks are timed: silent, hostile and sound ones, each with the command that checks it."""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.agents.packaged import ENVIRONMENT, Agent, domain_of, name_space, try_to_start
from qa.peers.carry import carry
from qa.peers.peers import Peer

# Seconds that all checks of one may take: an agent that is silent, one that answers nothing after its CREDS, one that
# is sound, one that does its worst.
SILENT, DEAF, SOUND, HOSTILE, FAULT = "silent", "deaf", "sound", "hostile", "fault"
# A sound agent may take T = 5 s for its first answer (section 16): so long a deaf one is waited for.
LIMITS = {SILENT: 5.0, DEAF: 5.5, SOUND: 10.0, HOSTILE: 60.0, FAULT: 60.0}

# Modes of bad_agent.py, by what such an agent does.
_SILENT = {
    "silent": "says nothing at all, and ignores signals",
}
_DEAF = {
    "deaf": "says CREDS, and then nothing",
}
_HOSTILE = {
    "mute": "answers all but FETCH",
    "early": "says an ERROR before pmcd's CREDS",
    "talks": "says something else before its CREDS",
    "gone": "ends at once",
    "ends": "ends after the handshake",
    "crash": "dies of each FETCH",
    "half": "says half of each RESULT",
    "twice": "answers each FETCH twice",
    "flood": "says zeros without end, and ignores signals",
    "flood-pdus": "says ERRORs without end, and ignores signals",
    "stubborn": "does not end, and ignores signals",
    "family": "does not end, nor do its three processes in sessions of their own",
}
# Of the agent that has the faults.
_SEED = "7"


@dataclass(frozen=True)
class Subject:
    """`command` is the whole `agent check` of it."""

    group: str
    name: str
    what: str
    command: Sequence[str]


@dataclass(frozen=True)
class Programs:
    pmproof: Path
    bad_agent: Path
    faulty_agent: Path
    libpcp_simple: Path


def _check(pmproof: Path) -> list[str]:
    return [str(pmproof), "agent", "check", "--format", "json"]


def of_bad_agent(programs: Programs) -> Iterator[Subject]:
    for group, modes in ((SILENT, _SILENT), (DEAF, _DEAF), (HOSTILE, _HOSTILE)):
        for mode, what in modes.items():
            agent = ["/usr/bin/python3", str(programs.bad_agent), mode]
            yield Subject(group, mode, what, [*_check(programs.pmproof), "--", *agent])


def of_faults(programs: Programs, folder: Path, wanted: Callable[[str], bool]) -> Iterator[Subject]:
    """Each fault of generators/agent whose name is wanted, of an agent that has everything else."""
    program = str(programs.faulty_agent)
    for line in _printed([program, "--list"]).splitlines():
        check, _, rest = line.partition(" ")
        name, _, what = rest.partition(": ")
        if not wanted(name):
            continue
        agent = [program, "--seed", _SEED, "--fault", name]
        pmns = folder / f"{name}.pmns"
        pmns.write_text(_printed([*agent, "--pmns"]), encoding="utf-8")
        yield Subject(FAULT, name, f"{check}: {what}", [*_check(programs.pmproof), "--pmns", str(pmns), "--", *agent])


def of_ours(programs: Programs) -> Iterator[Subject]:
    for name in ("simple", "trivial"):
        agent = [str(programs.pmproof), "agent", "serve", name]
        yield Subject(SOUND, f"agent serve {name}", "pmproof's own", [*_check(programs.pmproof), "--", *agent])


def of_pcp(programs: Programs, peer: Peer, folder: Path) -> Iterator[Subject]:
    """C agents of a peer, in its sandbox: sample, and simple on its library (qa/beside_pcp/agent_bench)."""
    start = carry(programs.pmproof, folder / "pmproof", peer)
    simple, configuration = folder / "libpcp_simple", folder / "simple.conf"
    shutil.copy(programs.libpcp_simple, simple)
    configuration.write_text("sec,min,hour\n", encoding="utf-8")

    def subject(name: str, what: str, options: Sequence[str], agent: Sequence[str]) -> Subject:
        check = [*_check(start), *options, "--", *agent]
        return Subject(SOUND, name, f"{what} on PCP {peer.version}", peer.argv(check, [folder], environment=ENVIRONMENT))

    yield subject("libpcp_pmda", "simple in C", [], [str(simple), str(configuration)])
    sample = Agent("sample", "pmdasample")
    trial = try_to_start(peer, sample, domain_of(peer, sample))
    names = name_space(peer, sample, folder)
    if trial.command is not None and names is not None:
        yield subject("pmdasample", "PCP's sample in C", ["--pmns", str(names)], trial.command)


def _printed(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
