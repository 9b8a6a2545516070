# SPDX-License-Identifier: Apache-2.0
"""Many archives, by several processes, each with adapters of its own."""

import dataclasses
import functools
import json
import random
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.adapters import libpcp
from qa.adapters.testee import Limits, Testee
from qa.beside_pcp.differential import shared
from qa.beside_pcp.differential.compare import Comparison
from qa.beside_pcp.differential.contents import Contents
from qa.beside_pcp.differential.examine import ALWAYS_THERE, Examination, Examiner, Fault
from qa.beside_pcp.differential.recipes import Recipe
from qa.beside_pcp.differential.requests import Inquirer
from qa.peers.peers import Peer

SCRIPTS = 2  # seeks by chance, of each archive
_SET_QUESTIONS = (ALWAYS_THERE, ALWAYS_THERE, ALWAYS_THERE, "")
_DAMAGED = "a damaged data record (INT-903)"
# More than what the adapter itself allows a request.
_LIMIT = 90.0


@dataclass(frozen=True)
class Task:
    """A generated archive by its number, or one that is there."""

    seed: int
    number: int = 0
    path: Path | None = None

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.path}" if self.path else str(Recipe.of(self.seed, self.number))


@dataclass(frozen=True)
class Setting:
    """What each process needs. `keep`: where archives with faults are kept."""

    pmproof: Path
    versions: tuple[str, ...]
    keep: Path


@dataclass
class Examined:
    task: Task
    comparisons: dict[str, Comparison]
    faults: list[Fault] = field(default_factory=list)
    left_out: str = ""  # why nothing was asked
    kept: Path | None = None


def _same(argv: list[str]) -> list[str]:
    return argv


class Worker:
    """One process's adapters and folder. A resource: to be closed."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._folder = Path(tempfile.mkdtemp(prefix="pmproof-differential-"))
        folders = [self._folder]
        self._damaged: set[Path] = set()
        if (where := shared.folder()) is not None:
            folders.append(where)
            self._damaged = shared.damaged(where)
        self._peers: dict[str, Testee] = {}
        for version in setting.versions:
            peer = Peer.find(version)
            assert peer is not None, version
            start = functools.partial(_same, libpcp.argv(peer, folders))
            self._peers[peer.version] = Testee(f"PCP {version}", start, Limits(_LIMIT))
        self._ours = Testee("pmproof", lambda: [str(setting.pmproof), "testee"], Limits(_LIMIT))
        self._examiner = Examiner(self._peers, self._ours)

    def close(self) -> None:
        for testee in (*self._peers.values(), self._ours):
            testee.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, task: Task) -> Examined:
        recipe = None if task.path else Recipe.of(task.seed, task.number)
        if recipe is None:
            assert task.path is not None
            bases, contents = [task.path], shared.contents_of(self._setting.pmproof, task.path)
        else:
            bases, contents = recipe.make(self._setting.pmproof, self._folder)
        empty = {version: Comparison() for version in self._peers}
        if not contents.times or not contents.metrics:
            return Examined(task, empty, left_out="no records, or no metrics")
        chance = random.Random(f"{task.seed}/{task.number}/{task.path.name if task.path else ''}/questions")
        inquirer = Inquirer(contents, chance)
        if recipe is None:
            result = self._examine_recorded(bases[0], contents, inquirer)
        elif len(bases) > 1:
            questions = [inquirer.steps(1, begin) for begin in _SET_QUESTIONS]
            result = self._examiner.examine_set(bases, contents, questions)
        else:
            result = self._examiner.examine(bases[0], contents, inquirer.questions(SCRIPTS))
        return Examined(task, result.comparisons, result.faults, kept=self._keep(task, bases, result))

    def _examine_recorded(self, base: Path, contents: Contents, inquirer: Inquirer) -> Examination:
        """As it is; and without its index, which in many old archives leads where no record is."""
        result = self._examiner.examine(base, contents, inquirer.questions(SCRIPTS))
        copy = self._folder / base.name
        for file in base.parent.glob(f"{base.name}.*"):
            if not file.name.startswith(f"{base.name}.index"):
                shutil.copy(file, self._folder)
        try:
            result.add(self._examiner.examine(copy, contents, inquirer.questions(SCRIPTS)))
            if base in self._damaged:
                result.set_aside(_DAMAGED)
        finally:
            for file in self._folder.glob(f"{base.name}.*"):
                file.unlink()
        return result

    def _keep(self, task: Task, bases: Sequence[Path], result: Examination) -> Path | None:
        """Copies what has a fault, with the questions."""
        if not result.faults:
            return None
        name = task.path.name if task.path else f"seed{task.seed}-{task.number}"
        kept = self._setting.keep / name
        kept.mkdir(parents=True, exist_ok=True)
        for base in bases:
            for file in base.parent.glob(f"{base.name}.*"):
                shutil.copy(file, kept)
        told = {"archive": str(task), "faults": [dataclasses.asdict(fault) for fault in result.faults]}
        (kept / "faults.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
        return kept


def tasks(seed: int, numbers: Iterable[int], recorded: Sequence[Path]) -> Iterator[Task]:
    """The recorded archives first."""
    for path in recorded:
        yield Task(seed, path=path)
    for number in numbers:
        yield Task(seed, number)
