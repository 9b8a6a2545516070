# SPDX-License-Identifier: Apache-2.0
"""Runs `pmproof agent check` on an agent of a peer, both inside of the peer's sandbox, and says what came of it."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qa.beside_pcp.agents.packaged import ENVIRONMENT, LEFT_OUT, STORES, Agent, domain_of, name_space, try_to_start
from qa.peers.carry import carry
from qa.peers.peers import Peer

# As pmcd waits. Agents of real PCP that never answer are known (PMD-111): so much is what each such check costs.
SECONDS_TO_ANSWER = 5
_MOST_SECONDS = 600.0


@dataclass(frozen=True)
class Outcome:
    """What one agent of one version did. `why` says why it was not checked: it did not start, or could not be got at.

    preset: of --known, what the library does in every agent. declared, failed: the reason by check, of those that the preset
    expects and of the others; not_checked: the identifiers.
    """

    version: str
    file: str
    command: list[str] = field(default_factory=list)
    why: str = ""
    metrics: int = 0
    preset: str = ""
    passed: int = 0
    declared: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    not_checked: list[str] = field(default_factory=list)

    @property
    def is_checked(self) -> bool:
        return not self.why


def check(
    pmproof: Path,
    peer: Peer,
    agent: Agent,
    *,
    only: Sequence[str] = (),
    seconds: int = SECONDS_TO_ANSWER,
    reports: Path | None = None,
) -> Outcome:
    """`only`: the checks to be made, all if none is named. `seconds`: how long an answer may take. The whole report is
    put into the folder `reports`.
    """
    if agent.file in LEFT_OUT:
        return Outcome(peer.version, agent.file, why=LEFT_OUT[agent.file])
    domain = domain_of(peer, agent)
    if agent.is_shared_object:
        command = ["--dso", agent.path]
    else:
        trial = try_to_start(peer, agent, domain)
        if trial.command is None:
            return Outcome(peer.version, agent.file, why=trial.why)
        command = ["--", *trial.command]
    preset = f"{agent.library}:{peer.version}"
    with tempfile.TemporaryDirectory() as scratch:
        start = carry(pmproof, Path(scratch) / "pmproof", peer)
        names = name_space(peer, agent, Path(scratch))
        words = [str(start), "agent", "check", "--format", "json"]
        words += ["--timeout", str(seconds), "--timeout", "creds=120", "--timeout", "end=120"]
        words += ["--known", preset]
        words += [word for identifier in only for word in ("--check", identifier)]
        words += [] if domain is None else ["--domain", str(domain)]
        words += [] if names is None else ["--pmns", str(names)]
        words += [word for metric in STORES.get(agent.name, ()) for word in ("--store", metric)]
        try:
            done = peer.run([*words, *command], [scratch], timeout=_MOST_SECONDS, environment=ENVIRONMENT)
        except subprocess.TimeoutExpired:
            return Outcome(peer.version, agent.file, command, f"pmproof does not end within {_MOST_SECONDS:g} seconds")
    if not done.stdout:
        return Outcome(peer.version, agent.file, command, f"pmproof says: {' '.join(done.stderr.split())}")
    if reports:
        (reports / f"{peer.version}.{agent.file}.json").write_text(done.stdout, encoding="utf-8")
    return _outcome(json.loads(done.stdout), Outcome(peer.version, agent.file, command, preset=preset))


def _outcome(report: dict[str, Any], agent: Outcome) -> Outcome:
    by_outcome: dict[str, dict[str, str]] = {"pass": {}, "fail": {}, "declared": {}, "not_checked": {}}
    for one in report["checks"]:
        outcome = "declared" if "declared" in one else one["outcome"]
        by_outcome[outcome][one["id"]] = one["because"]
    why = report["failure"] or ""
    if "CKA-005" in by_outcome["fail"] and report["agent"]["metrics"] == 0:
        # It has said CREDS, and ends by itself for want of what it looks at: all that fails has this one reason.
        why = by_outcome["fail"]["CKA-005"]
    if why:
        return Outcome(agent.version, agent.file, agent.command, why)
    return replace(
        agent,
        metrics=report["agent"]["metrics"],
        passed=len(by_outcome["pass"]),
        declared=by_outcome["declared"],
        failed=by_outcome["fail"],
        not_checked=sorted(by_outcome["not_checked"]),
    )
