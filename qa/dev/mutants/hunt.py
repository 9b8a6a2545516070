# SPDX-License-Identifier: Apache-2.0
"""The hunt: each mutant is built, and put to the parts of the suite until one of them fails."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from qa.dev.mutants.build import Build
from qa.dev.mutants.catalogue import Mutant
from qa.dev.mutants.results import Result
from qa.dev.mutants.tree import Tree


class Part(Protocol):
    """A part of the suite that is put to a program."""

    def first_wrong(self, pmproof: Path, glob: str) -> str | None:
        """The first thing that it does wrong of those that the glob matches."""


class Hunt:
    """`parts`: by name, in the order in which they are asked about what is expected to be killed elsewhere."""

    def __init__(self, tree: Tree, build: Build, parts: Mapping[str, Part]) -> None:
        self._tree = tree
        self._build = build
        self._parts = parts

    def on(self, mutant: Mutant) -> Result:
        """Raises ListError where it does not apply, and BuildError where it does not build."""
        begin = time.monotonic()
        with self._tree.mutated(mutant):
            by = self._killer(mutant)
        outcome = "killed" if by else "survived"
        return Result(mutant.id, mutant.digest, outcome, by, round(time.monotonic() - begin, 1))

    def unmutated(self, pmproof: Path) -> str:
        """What the program does wrong without a mutant; empty as it should be."""
        return self._first(pmproof, [(name, "*") for name in self._parts])

    def _killer(self, mutant: Mutant) -> str:
        name, _, what = mutant.killed_by.partition(":")
        if name == "test":
            if not self._build.passes(what, mutant.file):
                return mutant.killed_by
            return self._first(self._build.program(mutant.file), [(part, "*") for part in self._parts])
        others = [(part, "*") for part in self._parts if part != name]
        return self._first(self._build.program(mutant.file), [(name, what), (name, "*"), *others])

    def _first(self, pmproof: Path, asked: list[tuple[str, str]]) -> str:
        for name, glob in asked:
            if found := self._parts[name].first_wrong(pmproof, glob):
                return f"{name}:{found}"
        return ""


