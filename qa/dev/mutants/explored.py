# SPDX-License-Identifier: Apache-2.0
"""A fixed number of requests as `suite explore` makes them, with the answers of a pmproof that is not mutated."""

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qa.adapters.process import Stop
from qa.adapters.testee import Limits, Outcome, Testee, TesteeError
from qa.dev.mutants.build import bounded
from qa.golden import compare
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.command import variants_of
from qa.suite.explore.exploration import Maker
from qa.suite.explore.pair import Pair, tolerance_of
from qa.suite.explore.scene import Ask

_VERSIONS = ("6.0.3", "6.3.8", "7.2.2")


# What makes the requests, from the workspace.
_MAKERS = ("qa/suite/explore", "qa/beside_pcp", "qa/golden/layout.py")


def digest(root: Path, *programs: Path) -> str:
    """Of the programs that requests are made with, and of what makes them: another one makes others."""
    told = hashlib.sha256()
    for maker in _MAKERS:
        whole = root / maker
        for path in sorted(whole.rglob("*.py")) if whole.is_dir() else [whole]:
            told.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    for program in programs:
        told.update(program.read_bytes())
    return told.hexdigest()[:16]


@dataclass(frozen=True)
class _Asked:
    scene: int
    ask: Ask
    expected: Outcome


def _with_emulated(asks: Sequence[Ask]) -> Iterator[Ask]:
    """With each request of interpolated values another one, of what a version of PCP answers. `suite explore` asks for that
    where PCP deviates."""
    for number, ask in enumerate(asks):
        yield ask
        if ask.operation == "replay.interp":
            args = {key: told for key, told in ask.args.items() if key != "rule"}
            yield replace(ask, args=args | {"emulate": _VERSIONS[number % len(_VERSIONS)]})


class Explored:
    """Requests are asked in the order of their scenes."""

    def __init__(self, programs: Programs, seed: str, count: int, folder: Path, limits: Limits = Limits(request=20)) -> None:
        """Makes the archives, and asks about them, unless a run before did it in that folder."""
        self._folder = folder
        self._limits = limits
        known = folder / "asked.pickle"
        if not known.exists():
            folder.mkdir(parents=True, exist_ok=True)
            written = known.with_suffix(".new")
            written.write_bytes(pickle.dumps(list(self._made(programs, seed, count))))
            written.replace(known)
        self._asked: Sequence[_Asked] = pickle.loads(known.read_bytes())

    def __len__(self) -> int:
        return len(self._asked)

    def _made(self, programs: Programs, seed: str, count: int) -> list[_Asked]:
        made: list[_Asked] = []
        stop = Stop()
        with Testee("reference", lambda: [programs.pmproof, "testee"], self._limits, stop=stop) as reference:
            reference.start()
            maker = Maker(programs, seed, variants_of(reference.hello, ()))
            pair = Pair(reference, reference, None)
            scene = 0
            while len(made) < count:
                folder = self._folder / str(scene)
                folder.mkdir(exist_ok=True)
                for ask in _with_emulated(maker.make(scene, folder, pair).asks):
                    expected = reference.run(ask.operation, ask.source_in(folder), ask.args)
                    if expected.kind in ("result", "reject"):
                        made.append(_Asked(scene, ask, expected))
                scene += 1
        stop.close()
        return made[:count]

    def first_wrong(self, pmproof: Path, glob: str) -> str | None:  # all are asked, whatever the glob
        stop = Stop()
        try:
            with Testee("mutant", lambda: bounded(pmproof, "testee"), self._limits, stop=stop) as mutant:
                for asked in self._asked:
                    source = asked.ask.source_in(self._folder / str(asked.scene))
                    answer = mutant.run(asked.ask.operation, source, asked.ask.args)
                    is_answer = answer.kind in ("result", "reject")
                    expected = {asked.expected.kind: asked.expected.body}
                    if not is_answer or not compare.matches(expected, answer, tolerance_of(asked.ask)):
                        return f"{asked.ask.operation} of scene {asked.scene}"
        except TesteeError as error:
            return f"hello: {error}"
        finally:
            stop.close()
        return None
