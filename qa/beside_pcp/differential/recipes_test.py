# SPDX-License-Identifier: Apache-2.0
"""The archives that a seed stands for, and what they are asked: the same each time, and sound."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from qa.beside_pcp.differential.contents import Contents, nanoseconds, time_text
from qa.beside_pcp.differential.recipes import Recipe
from qa.beside_pcp.differential.requests import MOST_FETCHES, Inquirer

PMPROOF = Path(os.environ["PMPROOF"])


def test_a_number_stands_for_one_archive() -> None:
    assert Recipe.of(1, 7) == Recipe.of(1, 7)
    assert len({Recipe.of(seed, number).arguments for seed in (1, 2) for number in range(50)}) == 100


def test_many_shapes_are_among_them() -> None:
    recipes = [Recipe.of(1, number) for number in range(300)]
    words = [" ".join(recipe.arguments) for recipe in recipes]
    for wanted in ("--archive-version 2", "--archive-version 3", "--volumes 3", "--records 1 ", "--records 21",
                   "mark-start", "mark-end", "marks-adjacent", "replay-falls", ",set"):
        assert any(wanted in each for each in words), wanted
    assert 50 < sum(recipe.index for recipe in recipes) < 250


def test_archives_are_sound_and_asked_within_bounds(tmp_path: Path) -> None:
    asked = 0
    for number in range(60):
        recipe = Recipe.of(5, number)
        bases, contents = recipe.make(PMPROOF, tmp_path)
        assert len(contents.members) == len(bases)
        for base in bases:
            only = "label,index,metadata,data" if recipe.index else "label,metadata,data"
            # Of a mark in front there is no index entry, as PCP writes none.
            arguments = [str(PMPROOF), "check", "--quiet", "--only", only, "--rule", "-ARC-1921", str(base)]
            done = subprocess.run(arguments, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{recipe}: {done.stdout}"
        for question in Inquirer(contents, random.Random(number)).questions(2):
            asked += 1
            assert question.args["metrics"]
            assert set(question.args["metrics"]) <= set(contents.metrics)
            if question.plain:
                assert 1 <= question.args["count"] <= MOST_FETCHES
                assert nanoseconds(question.args["interval"]) != 0
                assert question.backward == (nanoseconds(question.args["interval"]) < 0)
            else:
                assert {"time", "interval"} <= set(question.args["fetches"][0])
    assert asked == 240


def test_the_same_questions_each_time(tmp_path: Path) -> None:
    _, contents = Recipe.of(1, 3).make(PMPROOF, tmp_path)
    first, second = (Inquirer(contents, random.Random("x")).questions(3) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("text", ["0.000000000", "1.500000000", "-1.500000000", "1700000000.000000001"])
def test_times_are_read_as_they_are_written(text: str) -> None:
    assert time_text(nanoseconds(text)) == text


def test_contents_of_a_dump_are_those_of_the_truth(tmp_path: Path) -> None:
    recipe = Recipe(1, 1, ("--scenario", "replay,marks,deltas", "--records", "30"), index=True)
    (base,), truth = recipe.make(PMPROOF, tmp_path)
    dump = [str(PMPROOF), "dump", "--format", "jsonl", str(base)]
    dumped = Contents()
    dumped.add(subprocess.run(dump, capture_output=True, text=True, check=True).stdout.splitlines())
    assert dumped == truth
    assert len(truth.times) > 30
    assert truth.marks
    assert truth.deltas
