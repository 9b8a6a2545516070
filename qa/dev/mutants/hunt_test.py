# SPDX-License-Identifier: Apache-2.0
"""The runner, on a tree of two files and a builder that is none: what a mutant changes is what the parts see."""

import subprocess
from pathlib import Path

import pytest

from qa.dev.mutants import cli, results
from qa.dev.mutants.build import BuildError
from qa.dev.mutants.catalogue import Mutant
from qa.dev.mutants.hunt import Hunt
from qa.dev.mutants.tree import Tree
from qa.dev.runs.last_run import BEGIN, END

FILE = "reference/core/sum.cc"
TEXT = "left + right; // nothing else\n"


def mutant(name: str, after: str, killed_by: str = "golden:sums/*", survives_because: str = "") -> Mutant:
    return Mutant("core", name, FILE, "MET-201", "All.", "left + right", after, killed_by, survives_because)


class TextBuild:
    """The "program" is the mutated file; a text that says so does not build."""

    def __init__(self, tree: Path) -> None:
        self._file = tree / FILE
        self.built = 0

    def program(self, changed: str | None = None) -> Path:
        assert changed in (None, FILE)
        self.built += 1
        if "syntax error" in self._file.read_text(encoding="utf-8"):
            raise BuildError("sum.cc:1: syntax error")
        return self._file

    def passes(self, target: str, changed: str | None = None) -> bool:
        return target != "//core:sum_test" or "tested" not in self._file.read_text(encoding="utf-8")


class TextPart:
    """Notices a word, under one glob or when all is asked."""

    def __init__(self, word: str, glob: str) -> None:
        self._word = word
        self._glob = glob
        self.asked: list[str] = []

    def first_wrong(self, pmproof: Path, glob: str) -> str | None:
        self.asked.append(glob)
        notices = glob in (self._glob, "*") and self._word in pmproof.read_text(encoding="utf-8")
        return f"{self._word}#1" if notices else None


@pytest.fixture(name="root")
def fixture_root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / FILE).parent.mkdir(parents=True)
    (root / FILE).write_text(TEXT, encoding="utf-8")
    (root / ".gitignore").write_text("built\nuser.bazelrc\n", encoding="utf-8")
    (root / "built").write_text("not in the copy", encoding="utf-8")
    (root / "user.bazelrc").write_text("but this", encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


class World:
    def __init__(self, root: Path, folder: Path) -> None:
        self.tree = Tree(root, folder / "copy")
        self.build = TextBuild(self.tree.folder)
        self.golden = TextPart("minus", "sums/*")
        self.broken = TextPart("times", "ARC-1101")
        self.hunt = Hunt(self.tree, self.build, {"golden": self.golden, "broken": self.broken})
        self.kept = folder / "results.jsonl"
        self.readme = folder / "README.md"
        self.readme.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")

    def run(self, *mutants: Mutant, again: bool = False) -> int:
        return cli.hunt_all(self.hunt, mutants, mutants, self.kept, self.readme, again)


@pytest.fixture(name="world")
def fixture_world(root: Path, tmp_path: Path) -> World:
    return World(root, tmp_path)


def test_the_copy_has_what_git_knows_and_the_settings_of_the_machine(root: Path, tmp_path: Path) -> None:
    folder = Tree(root, tmp_path / "copy").folder
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == {FILE, ".gitignore", "user.bazelrc"}


def test_a_copy_is_brought_up_to_date_and_what_has_not_changed_is_left_alone(root: Path, tmp_path: Path) -> None:
    copy = Tree(root, tmp_path / "copy").folder
    (copy / FILE).write_text("left over of a run that was killed", encoding="utf-8")
    (copy / "stranger").write_text("", encoding="utf-8")
    before = (copy / ".gitignore").stat().st_mtime_ns
    Tree(root, tmp_path / "copy")
    assert (copy / FILE).read_text(encoding="utf-8") == TEXT
    assert not (copy / "stranger").exists()
    assert (copy / ".gitignore").stat().st_mtime_ns == before


def test_what_is_expected_is_asked_first_and_ends_it(world: World) -> None:
    result = world.hunt.on(mutant("minus", "left minus right"))
    assert (result.outcome, result.by) == ("killed", "golden:minus#1")
    assert world.golden.asked == ["sums/*"] and world.broken.asked == []


def test_the_tree_is_as_it_was_behind_a_mutant_and_behind_one_that_does_not_build(world: World) -> None:
    world.hunt.on(mutant("minus", "left minus right"))
    with pytest.raises(BuildError):
        world.hunt.on(mutant("bad", "syntax error"))
    assert (world.tree.folder / FILE).read_text(encoding="utf-8") == TEXT


def test_all_parts_are_asked_before_it_has_survived(world: World) -> None:
    result = world.hunt.on(mutant("other", "right + left"))
    assert (result.outcome, result.by) == ("survived", "")
    assert world.golden.asked == ["sums/*", "*"] and world.broken.asked == ["*"]


def test_a_test_kills_without_the_program_and_if_it_passes_the_others_are_asked(world: World) -> None:
    assert world.hunt.on(mutant("a", "tested", "test://core:sum_test")).by == "test://core:sum_test"
    assert world.build.built == 0
    assert world.hunt.on(mutant("b", "times", "test://core:sum_test")).by == "broken:times#1"


def test_without_a_mutant_nothing_is_wrong(world: World) -> None:
    assert world.hunt.unmutated(world.tree.folder / FILE) == ""


def test_all_killed_is_status_0_with_a_score(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.run(mutant("a", "left minus right"), mutant("b", "left times right", "broken:ARC-1101")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 of 2 mutants killed"
    assert "| core | 2 | 2 | 1 | 1 | 0 | 0 |" in world.readme.read_text(encoding="utf-8")


def test_a_survivor_is_status_1_unless_it_has_a_reason(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.run(mutant("a", "right + left")) == 1
    told = capsys.readouterr()
    assert told.err == "a: survives without a reason\n"
    assert told.out.splitlines()[-1] == "0 of 1 mutants killed, 1 survive (0 with a reason)"
    assert world.run(mutant("a", "right + left", survives_because="Addition is commutative.")) == 0
    assert "| a | MET-201 | All. | Addition is commutative. |" in world.readme.read_text(encoding="utf-8")


def test_a_list_that_is_not_true_is_status_1(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.run(mutant("a", "left minus right", survives_because="It does not.")) == 1
    assert world.run(mutant("b", "left times right")) == 1
    assert capsys.readouterr().err.splitlines() == [
        "a: is said to survive, and is killed by golden:minus#1",
        "b: killed by broken:times#1, not by golden:sums/*",
    ]


def test_a_mutant_that_does_not_build_or_apply_is_an_error_of_the_list_and_the_others_are_tried(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = Mutant("core", "gone", FILE, "MET-201", "All.", "left - right", "", "golden:sums/*")
    assert world.run(mutant("bad", "syntax error"), elsewhere, mutant("a", "left minus right")) == 4
    told = capsys.readouterr()
    assert "sum.cc:1: syntax error" in told.err and "not once" in told.err
    assert told.out.splitlines()[-1] == "1 of 1 mutants killed, 2 not tried"


def test_a_run_that_was_stopped_goes_on_and_a_change_of_a_mutant_is_tried_anew(world: World) -> None:
    first = mutant("a", "left minus right")
    assert world.run(first) == 0
    assert world.run(first, mutant("b", "minus")) == 0
    assert world.build.built == 2
    assert world.run(mutant("a", "minus left"), mutant("b", "minus")) == 0
    assert world.build.built == 3
    assert world.run(mutant("a", "minus left"), again=True) == 0
    assert world.build.built == 4


def test_survivors_are_tried_again(world: World) -> None:
    world.run(mutant("a", "right + left"))
    world.run(mutant("a", "right + left"))
    assert world.build.built == 2


def test_results_of_mutants_that_are_no_more_are_left_out(world: World) -> None:
    world.run(mutant("a", "minus"), mutant("b", "minus"))
    world.run(mutant("b", "minus"), mutant("c", "minus"))
    assert [result.id for result in results.load(world.kept)] == ["b", "c"]
