# SPDX-License-Identifier: Apache-2.0
"""The same questions about units, values and labels put to the reference and to some PCP version's libpcp."""

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.beside_pcp.libpcp import in_peer
from qa.peers.peers import Peer

UNDEFINED = "undefined"  # a question that libpcp does not survive


class AgreeError(Exception):
    """One of the two did not answer all questions."""


@dataclass(frozen=True)
class Difference:
    question: str
    libpcp: str
    reference: str

    def __str__(self) -> str:
        return f"{_readable(self.question)}\n  libpcp:    {self.libpcp}\n  reference: {self.reference}"


@dataclass
class Agreement:
    asked: int = 0
    undefined: int = 0
    differences: list[Difference] = field(default_factory=list)


def _readable(question: str) -> str:
    kind, *fields = question.split("\t")
    if kind in ("parse", "labels", "merge"):
        return f"{kind} {[bytes.fromhex(text).decode(errors='replace') for text in fields]}"
    return question.replace("\t", " ")


def ask_libpcp(peer: Peer, questions: Sequence[str], timeout: float) -> list[str]:
    """Raises AgreeError, and subprocess.TimeoutExpired after `timeout` seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = folder / "questions"
        asked.write_text("".join(f"{question}\n" for question in questions), encoding="ascii")
        command = in_peer.command(folder, "metadata", asked)
        done = peer.run(command, [folder], timeout=timeout, environment=in_peer.environment(folder))
    answers = done.stdout.split("\n")[:-1]
    if done.returncode != 0 or len(answers) != len(questions):
        raise AgreeError(f"libpcp: status {done.returncode}, {len(answers)} answers: {done.stderr.strip()[-500:]}")
    return answers


def ask_reference(program: Path, version: str, questions: Sequence[str]) -> list[str]:
    """`version` is 6.0.3, 6.3.8 or 7.2.2."""
    lines = [f"{kind}\t{version}\t{rest}\n" for kind, _, rest in (question.partition("\t") for question in questions)]
    done = subprocess.run([program], input="".join(lines), capture_output=True, text=True, check=False)
    answers = done.stdout.split("\n")[:-1]
    if done.returncode != 0 or len(answers) != len(questions):
        raise AgreeError(f"{program}: status {done.returncode}, {len(answers)} answers: {done.stderr.strip()[-500:]}")
    return answers


def compare(peer: Peer, program: Path, version: str, questions: Sequence[str], timeout: float = 600) -> Agreement:
    """What libpcp does not survive counts as undefined, whatever the reference says."""
    agreement = Agreement(asked=len(questions))
    theirs = ask_libpcp(peer, questions, timeout)
    for question, libpcp, reference in zip(questions, theirs, ask_reference(program, version, questions), strict=True):
        if libpcp == UNDEFINED:
            agreement.undefined += 1
        elif libpcp != reference:
            agreement.differences.append(Difference(question, libpcp, reference))
    return agreement
