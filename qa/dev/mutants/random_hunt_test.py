# SPDX-License-Identifier: Apache-2.0
"""The order in which a random mutant is asked about, on a tree of one file and a builder that is none."""

import subprocess
import time
from pathlib import Path

import pytest

from qa.dev.mutants.build import BuildError
from qa.dev.mutants.catalogue import ListError
from qa.dev.mutants.draw import RandomMutant, all_of
from qa.dev.mutants.explored import digest
from qa.dev.mutants.random_hunt import RandomHunt, on_each
from qa.dev.mutants.tree import Tree

FILE = "reference/core/deep/sum.cc"
TEXT = "int Sum(int a, int b) { return a + b + 7; }\n"
REACHED, UNREACHED = "//reference/core:sum_test", "//reference/core:other_test"


class TextBuild:
    """The "program" is the mutated file."""

    def __init__(self, tree: Path) -> None:
        self._file = tree / FILE
        self.tested: list[str] = []

    def _text(self) -> str:
        return self._file.read_text(encoding="utf-8")

    def program(self, changed: str) -> Path:
        assert changed == FILE
        if "a - b" in self._text():
            raise BuildError("no minus here")
        return self._file

    def passes(self, target: str, changed: str) -> bool:
        self.tested.append(target)
        return "b - 7" not in self._text()

    def reaches(self, target: str, changed: str) -> bool:
        return target == REACHED


class TextPart:
    def __init__(self, word: str) -> None:
        self._word = word
        self.asked = 0

    def first_wrong(self, pmproof: Path, glob: str) -> str | None:
        self.asked += 1
        return "case#1" if self._word in pmproof.read_text(encoding="utf-8") else None


class World:
    def __init__(self, folder: Path) -> None:
        root = folder / "root"
        (root / FILE).parent.mkdir(parents=True)
        (root / FILE).write_text(TEXT, encoding="utf-8")
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        self.mutants = {one.after.strip(): one for one in all_of(root)}
        self.tree = Tree(root, folder / "copy")
        self.build = TextBuild(self.tree.folder)
        self.golden, self.explore = TextPart("b + 8"), TextPart("b + 6")
        parts = {"golden": self.golden, "explore": self.explore}
        self.hunt = RandomHunt(self.tree, self.build, parts, {"reference/core": [UNREACHED, REACHED], "reference/archive": ["//x"]})

    def mutant(self, after: str) -> RandomMutant:
        return self.mutants[f"int Sum(int a, int b) {{ return {after}; }}"]


@pytest.fixture(name="world")
def fixture_world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_the_first_part_that_notices_ends_it(world: World) -> None:
    verdict = world.hunt.on(world.mutant("a + b + 8"))
    assert (verdict.outcome, verdict.by) == ("killed", "golden:case#1")
    assert world.explore.asked == 0


def test_explore_is_asked_after_the_golden_cases_and_before_the_tests(world: World) -> None:
    assert world.hunt.on(world.mutant("a + b + 6")).by == "explore:case#1"
    assert world.golden.asked == 1 and world.build.tested == []


def test_tests_of_the_nearest_folder_are_asked_last_if_the_file_is_in_them(world: World) -> None:
    assert world.hunt.on(world.mutant("a + b - 7")).by == f"test:{REACHED}"
    assert world.golden.asked == world.explore.asked == 1
    assert world.build.tested == [REACHED]


def test_what_nothing_notices_survives(world: World) -> None:
    world.hunt = RandomHunt(world.tree, world.build, {"golden": world.golden}, {})
    assert world.hunt.on(world.mutant("a + b - 7")).outcome == "survived"


def test_what_does_not_compile_is_told_apart_and_the_tree_is_as_it_was(world: World) -> None:
    assert world.hunt.on(world.mutant("a - b + 7")).outcome == "unbuildable"
    assert (world.tree.folder / FILE).read_text(encoding="utf-8") == TEXT


def test_a_file_that_changed_since_is_an_error(world: World) -> None:
    (world.tree.folder / FILE).write_text("// new\n" + TEXT, encoding="utf-8")
    with pytest.raises(ListError):
        world.hunt.on(world.mutant("a + b + 8"))


def test_mutants_of_one_file_are_not_tried_at_the_same_time(world: World) -> None:
    hunts = [world.hunt, RandomHunt(world.tree, world.build, {"golden": world.golden}, {})]
    mutants = [world.mutant(after) for after in ("a + b + 8", "a + b + 6", "a - b + 7")]
    outcomes = {}
    in_work: list[str] = []

    def attempt(hunt: RandomHunt, number: int, mutant: RandomMutant) -> None:
        assert mutant.file not in in_work
        in_work.append(mutant.file)
        time.sleep(0.05)  # another one would begin meanwhile
        outcomes[number] = hunt.on(mutant).outcome
        in_work.remove(mutant.file)

    on_each(mutants, hunts, time.monotonic() + 60, attempt)
    assert outcomes[1] == "killed" and outcomes[3] == "unbuildable" and len(outcomes) == 3
    assert (world.tree.folder / FILE).read_text(encoding="utf-8") == TEXT


def test_none_is_begun_after_the_end(world: World) -> None:
    tried: list[int] = []
    on_each([world.mutant("a + b + 8")], [world.hunt], time.monotonic() - 1, lambda _hunt, number, _mutant: tried.append(number))
    assert not tried


def test_requests_are_made_anew_with_other_programs_and_by_other_makers(tmp_path: Path) -> None:
    for name in ("qa/suite/explore/scene.py", "qa/beside_pcp/names/sources.py", "qa/golden/layout.py", "qa/golden/cases.py", "pmproof"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    met = {digest(tmp_path, tmp_path / "pmproof")}
    for name, makes_them in (("qa/suite/explore/scene.py", True), ("qa/beside_pcp/names/sources.py", True), ("qa/golden/layout.py", True), ("pmproof", True), ("qa/golden/cases.py", False)):
        (tmp_path / name).write_text("other", encoding="utf-8")
        before = len(met)
        met.add(digest(tmp_path, tmp_path / "pmproof"))
        assert len(met) == before + makes_them, name
