# SPDX-License-Identifier: Apache-2.0
"""A random mutant is put to the golden cases, then to explored requests, then to the tests next to the code."""

import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from qa.dev.mutants.build import BuildError
from qa.dev.mutants.draw import FOLDERS, RandomMutant
from qa.dev.mutants.hunt import Part
from qa.dev.mutants.tree import Tree

TEST = "test"


class Builder(Protocol):
    def program(self, changed: str) -> Path:
        """Raises BuildError."""

    def passes(self, target: str, changed: str) -> bool:
        """Raises BuildError."""

    def reaches(self, target: str, changed: str) -> bool:
        """Whether a test has this file in it."""


@dataclass(frozen=True)
class Verdict:
    """killed, survived, or unbuildable. `by`: "PART:WHAT" that failed first."""

    outcome: str
    by: str
    seconds: float


class RandomHunt:
    """`parts`: in the order in which they are asked. `tests`: targets, by the folder that they lie in."""

    def __init__(self, tree: Tree, build: Builder, parts: Mapping[str, Part], tests: Mapping[str, Sequence[str]]) -> None:
        self._tree, self._build, self._parts, self._tests = tree, build, parts, tests

    def on(self, mutant: RandomMutant) -> Verdict:
        """Raises ListError where the file has changed since it was drawn."""
        begin = time.monotonic()
        with self._tree.mutated(mutant):
            try:
                by = self._killer(mutant)
            except BuildError:
                return Verdict("unbuildable", "", round(time.monotonic() - begin, 1))
        return Verdict("killed" if by else "survived", by, round(time.monotonic() - begin, 1))

    def _killer(self, mutant: RandomMutant) -> str:
        program = self._build.program(mutant.file)
        for name, part in self._parts.items():
            if found := part.first_wrong(program, "*"):
                return f"{name}:{found}"
        for target in self._beside(mutant.file):
            if self._build.reaches(target, mutant.file) and not self._build.passes(target, mutant.file):
                return f"{TEST}:{target}"
        return ""

    def _beside(self, file: str) -> Sequence[str]:
        """The tests of the nearest folder that has some."""
        return next((self._tests[str(folder)] for folder in Path(file).parents if str(folder) in self._tests), ())


def on_each(
    mutants: Sequence[RandomMutant],
    hunts: Sequence[RandomHunt],
    end: float,
    attempt: Callable[[RandomHunt, int, RandomMutant], None],
) -> None:
    """As many attempts at a time as there are hunts of one tree, never two in the same file, and none begun after `end`
    (time.monotonic)."""
    waiting = list(enumerate(mutants, start=1))
    in_work: set[str] = set()
    change = threading.Condition()

    def next_one() -> tuple[int, RandomMutant] | None:
        with change:
            while waiting and time.monotonic() <= end:
                for place, (number, mutant) in enumerate(waiting):
                    if mutant.file not in in_work:
                        in_work.add(mutant.file)
                        del waiting[place]
                        return number, mutant
                change.wait(1)
            return None

    def work(hunt: RandomHunt) -> None:
        while found := next_one():
            try:
                attempt(hunt, *found)
            finally:
                with change:
                    in_work.discard(found[1].file)
                    change.notify_all()

    with ThreadPoolExecutor(len(hunts)) as pool:
        for done in [pool.submit(work, hunt) for hunt in hunts]:
            done.result()


def tests_by_folder(tree: Path) -> dict[str, list[str]]:
    """Test programs that lie beside what is mutated."""
    folders = " + ".join(f"//{folder}/..." for folder in FOLDERS)
    query = ["bazel", "query", "--noshow_progress", f"kind(cc_test, {folders}) except attr(tags, manual, {folders})"]
    told = subprocess.run(query, cwd=tree, check=True, capture_output=True, text=True)
    found: dict[str, list[str]] = {}
    for target in sorted(told.stdout.split()):
        if not target.partition(":")[0].endswith("/fuzz"):
            found.setdefault(target.removeprefix("//").partition(":")[0], []).append(target)
    return found
