# SPDX-License-Identifier: Apache-2.0
"""Runs `pmproof agent files` on the folder of an agent of a peer, and says what came of it.

Twice: here, where Install and Remove can be shut in, and with the agent inside of the peer's sandbox, where it runs.
"""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.beside_pcp.agents import packaged
from qa.peers.carry import carry
from qa.peers.peers import Peer

_PMDAS = "/var/lib/pcp/pmdas"
_PMNS = "/var/lib/pcp/pmns"
# Those that need the agent.
RUNNING = tuple(f"CKA-{number}" for number in range(220, 226))
_MOST_SECONDS = 600.0
_LEFT_OUT = "left out by --check"


@dataclass(frozen=True)
class Outcome:
    """What the files of one agent of one version are. failed: the reason by check; not_checked: the identifiers.

    why_not_started: what an agent that does not run says, or that there is none.
    """

    version: str
    name: str
    passed: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    not_checked: list[str] = field(default_factory=list)
    why_not_started: str = ""


def folders_of(peer: Peer) -> list[str]:
    """The names of the agents that have a folder."""
    return sorted(path.name for path in Path(f"{peer.folder}{_PMDAS}").iterdir() if path.is_dir())


def _words(root: str, name: str) -> list[str]:
    registers = [word for part in ("pcp", "local") for word in ("--stdpmid", f"{root}{_PMNS}/stdpmid.{part}")]
    return ["agent", "files", f"{root}{_PMDAS}/{name}", "--format", "json", *registers, "--include", f"{root}{_PMNS}"]


def _chosen(only: Sequence[str]) -> list[str]:
    return [word for identifier in only for word in ("--check", identifier)]


def _report(text: str, told: str) -> dict[str, Any]:
    if not text:
        raise RuntimeError(f"pmproof says: {' '.join(told.split())}")
    report: dict[str, Any] = json.loads(text)
    return report


def _files_alone(pmproof: Path, peer: Peer, name: str, only: Sequence[str]) -> dict[str, Any]:
    words = [str(pmproof), *_words(str(peer.folder), name), *_chosen(only)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=_MOST_SECONDS, check=False)
    return _report(done.stdout, done.stderr)


def _with_agent(pmproof: Path, peer: Peer, name: str, only: Sequence[str]) -> dict[str, Any] | str:
    """A text: why the agent was not started."""
    why = "there is no program"
    for agent in packaged.agents_of(peer):
        if agent.name != name or agent.is_shared_object:
            continue
        if agent.file in packaged.LEFT_OUT:
            return packaged.LEFT_OUT[agent.file]
        trial = packaged.try_to_start(peer, agent, packaged.domain_of(peer, agent))
        if trial.command is None:
            why = trial.why
            continue
        with tempfile.TemporaryDirectory() as scratch:
            start = carry(pmproof, Path(scratch) / "pmproof", peer)
            words = [str(start), *_words("", name), *_chosen(only), "--timeout", "creds=120", "--timeout", "end=120"]
            environment = packaged.ENVIRONMENT
            done = peer.run([*words, "--", *trial.command], [scratch], timeout=_MOST_SECONDS, environment=environment)
        return _report(done.stdout, done.stderr)
    return why


def check(pmproof: Path, peer: Peer, name: str, *, only: Sequence[str] = (), running: bool = True) -> Outcome:
    """`only`: the checks to be made, all if none is named. Without `running` the agent is not started."""
    alone = [identifier for identifier in only if identifier not in RUNNING]
    found = _files_alone(pmproof, peer, name, alone)["checks"] if alone or not only else []
    by_check = {one["id"]: one for one in found if one["id"] not in RUNNING}
    why = "left out"
    if running:
        told = _with_agent(pmproof, peer, name, [one for one in RUNNING if not only or one in only])
        why = told if isinstance(told, str) else ""
        if not isinstance(told, str):
            by_check |= {one["id"]: one for one in told["checks"] if one["id"] in RUNNING}
    outcome = Outcome(peer.version, name, why_not_started=why)
    passed = 0
    for identifier, one in sorted(by_check.items()):
        if one["outcome"] == "pass":
            passed += 1
        elif one["outcome"] == "fail":
            outcome.failed[identifier] = one["because"].replace(str(peer.folder), "")
        elif one["because"] != _LEFT_OUT:
            outcome.not_checked.append(identifier)
    return Outcome(peer.version, name, passed, outcome.failed, outcome.not_checked, why)
