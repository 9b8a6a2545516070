# SPDX-License-Identifier: Apache-2.0
"""Readers of archives: what each says of one that was written, beside what is to be expected."""

import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.adapters import libpcp as adapter
from qa.adapters.testee import Limits, Testee
from qa.beside_pcp.differential import shared
from qa.beside_pcp.differential.examine import LEGACY, OPERATION, CLOSEST, Examiner
from qa.beside_pcp.differential.requests import Inquirer, Question
from qa.beside_pcp.generate import compare_libpcp, libpcp
from qa.beside_pcp.generate.difference import Comparison, Difference, short
from qa.beside_pcp.generate.expectations import Quirks, complaint_clause, refusal
from qa.beside_pcp.generate.truth import Truth
from qa.dev.matrix import kept
from qa.dev.matrix.decoded import Decoded
from qa.dev.matrix.writers import Written
from qa.peers.peers import Peer

CHECK, DECODER = "pmproof check", "pmproof dump, replay"
_SECONDS = 120
_LIMITS = Limits(request=150)
# Seeks by chance are for qa/beside_pcp/differential: they bring libpcp to loop for ever (DEV-05).
_SCRIPTS = 0


@dataclass(frozen=True)
class Task:
    """An archive that was written, and what it was made of."""

    written: Written
    decoded: Decoded
    given: Sequence[Path]  # the original
    given_rules: frozenset[str]  # that the original breaks on purpose
    questions: Sequence[Question]

    @property
    def truth(self) -> Truth:
        """What readers have to find: what the writer said itself, or else what the octets say."""
        if self.written.said is None:
            return self.decoded.truth
        head = {**self.written.said.head, "violates": self.decoded.truth.head["violates"]}
        return Truth(head, *(getattr(self.written.said, name) for name in ("descs", "indoms", "labels", "texts", "records")))


@dataclass
class Said:
    """What one reader said. `deviations`: names of the ledger, and how many answers each explains."""

    compared: int = 0
    differences: list[Difference] = field(default_factory=list)
    deviations: dict[str, int] = field(default_factory=dict)
    left_out: str = ""  # why it was not asked


def readers_of(peers: Sequence[Peer]) -> list[str]:
    return [CHECK, DECODER, *(f"libpcp {peer.version}" for peer in peers), *(f"pmlogcheck {peer.version}" for peer in peers)]


class Readers:
    """All of them, for archives below one folder. A resource: to be closed."""

    def __init__(self, pmproof: Path, peers: Sequence[Peer], folder: Path) -> None:
        self._pmproof = pmproof
        self._peers = peers
        self._testees = {peer.version: Testee(peer.version, _same(adapter.argv(peer, [folder])), _LIMITS) for peer in peers}
        self._ours = Testee("pmproof", _same([str(pmproof), "testee"]), _LIMITS)

    def close(self) -> None:
        for testee in (*self._testees.values(), self._ours):
            testee.close()

    def questions(self, base: Path, seed: str) -> list[Question]:
        contents = shared.contents_of(self._pmproof, base)
        if not contents.times or not contents.metrics:
            return []
        return Inquirer(contents, random.Random(seed)).questions(_SCRIPTS)

    def read(self, task: Task) -> dict[str, Said]:
        said = {CHECK: _check(task), DECODER: self._decoder(task)}
        replayed = self._replay(task)
        for peer in self._peers:
            said[f"libpcp {peer.version}"] = _library(peer, task, replayed.get(peer.version, Said()))
        for peer in self._peers:
            said[f"pmlogcheck {peer.version}"] = _pmlogcheck(peer, task)
        return said

    def _decoder(self, task: Task) -> Said:
        """Was what the writer was given kept; and is it replayed as the original is?"""
        if task.written.expected is None:
            return Said(left_out="nothing to compare with")
        found = kept.compare(task.written.expected, task.decoded.truth, task.written.kept)
        said = Said(found.values, found.differences)
        if task.written.replays:
            same = kept.unchanged(task.written.expected, task.decoded.truth)
            for question in task.questions:
                names = [name for name in question.args["metrics"] if name in same]
                if names:
                    self._compare_replays(task, Question(question.args | {"metrics": names}, question.plain), said)
        return said

    def _compare_replays(self, task: Task, question: Question, said: Said) -> None:
        """Of metrics that were kept: what else was written must not make another answer of them."""
        sources: list[dict[str, Any]] = [{"paths": [str(base) for base in task.given]}, {"path": str(task.written.base)}]
        for rule in (LEGACY, CLOSEST):
            before, after = (self._ours.run(OPERATION, source, question.under(rule=rule)) for source in sources)
            said.compared += sum(len(metric["values"]) for fetch in after.fetches for metric in fetch.get("metrics", ()))
            if before.kind != after.kind or len(before.fetches) != len(after.fetches):
                said.differences.append(Difference("replay", rule, short(str(before)), short(str(after))))
                continue
            for one, other in zip(before.fetches, after.fetches):
                if _sorted(one) != _sorted(other):
                    said.differences.append(Difference("replay", f"{rule} at {one['time']}", short(one), short(other)))

    def _replay(self, task: Task) -> dict[str, Said]:
        """libpcp of each version beside the reference under its rule, and its emulation."""
        contents = shared.contents_of(self._pmproof, task.written.base)
        there = {name.decode() for desc in task.decoded.truth.descs.values() for name in desc.names}
        asked = [(question, [name for name in question.args["metrics"] if name in there]) for question in task.questions]
        questions = [Question(question.args | {"metrics": names}, question.plain) for question, names in asked if names]
        unknown = [peer.version for peer in self._peers if _unknown_compression(peer, task.written.base)]
        testees = {version: testee for version, testee in self._testees.items() if version not in unknown}
        result = Examiner(testees, self._ours).examine(task.written.base, contents, questions)
        said = {}
        for version, found in result.comparisons.items():
            one = said[version] = Said(found.values)
            for counter in (found.deviations, found.undefined, found.crashes, found.aside):
                for name, number in counter.items():
                    one.deviations[name] = one.deviations.get(name, 0) + number
            one.differences += [Difference("replay", version, "as the reference, or its emulation", short(text)) for text in found.unexplained]
        return said


def _same(argv: list[str]) -> Any:
    return lambda: argv


def _sorted(fetch: dict[str, Any]) -> Any:
    metrics = [
        (one["metric"], one["status"], sorted((value["instance"] or 0, value["type"], value["value"]) for value in one["values"]))
        for one in fetch.get("metrics", ())
    ]
    return fetch["time"], fetch["status"], metrics


def _check(task: Task) -> Said:
    """Conformant, but for what the original breaks on purpose."""
    said = Said(len(task.decoded.lines))
    for one in task.decoded.errors():
        if one.rule not in task.given_rules:
            said.differences.append(Difference("check", one.rule, "no error", one.message))
    return said


def _unknown_compression(peer: Peer, base: Path) -> bool:
    """6.0.3 does not know zstd (ARC-033)."""
    return not Quirks.of(peer.version).zstd and any(base.parent.glob(f"{base.name}.*.zst"))


def _library(peer: Peer, task: Task, said: Said) -> Said:
    truth, found = task.truth, Comparison()
    if _unknown_compression(peer, task.written.base):
        return Said(left_out="6.0.3 does not know zstd (ARC-033)")
    try:
        reading = libpcp.read(peer, [task.written.base], compare_libpcp.questions(truth), _SECONDS)
        found = compare_libpcp.compare(truth, reading, Quirks.of(peer.version))
    except libpcp.RefusedError as error:
        if error.status != refusal(truth):
            found.add("libpcp", "as a whole", "read", str(error))
    except (libpcp.LibpcpError, subprocess.TimeoutExpired) as error:
        found.add("libpcp", "as a whole", "read", str(error))
    said.compared += found.values
    said.differences += found.differences
    return said


def _pmlogcheck(peer: Peer, task: Task) -> Said:
    """It complains of what `pmproof check` has a finding of, and of nothing else."""
    base = task.written.base
    if _unknown_compression(peer, base):
        return Said(left_out="6.0.3 does not know zstd (ARC-033)")
    done = peer.run(["pmlogcheck", base], [base.parent], timeout=_SECONDS, environment=libpcp.ENVIRONMENT)
    told = (done.stdout + done.stderr).replace(str(base), base.name).strip()
    said = Said(1)
    if (done.returncode != 0 or told) and not complaint_clause(task.decoded.truth, told):
        said.differences.append(Difference("pmlogcheck", "as a whole", "no complaint", short(f"status {done.returncode}: {told}")))
    return said
