# SPDX-License-Identifier: Apache-2.0
"""The list of mutants against the tree as it is now, the specification, and what came of them."""

import fnmatch
import re
from pathlib import Path

import pytest

from qa.golden import cases
from qa.dev.mutants import catalogue, results
from qa.dev.mutants.catalogue import ListError, Mutant
from qa.dev.runs import last_run

# Not resolved: under Bazel these are links in a folder that holds just what the test declares.
ROOT = Path(__file__).absolute().parents[3]
README = ROOT / "qa/dev/mutants/README.md"
MUTANTS = catalogue.load()
RESULTS = results.load()
SPECIFICATION = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "reference/spec").glob("*.md")))


def name_of(mutant: Mutant) -> str:
    return mutant.id


@pytest.mark.parametrize("mutant", MUTANTS, ids=name_of)
def test_it_applies_at_exactly_one_place_and_changes_something(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert mutant.applied(text) != text


@pytest.mark.parametrize("mutant", MUTANTS, ids=name_of)
def test_its_clause_is_in_the_specification(mutant: Mutant) -> None:
    assert re.search(rf"\b{mutant.clause}\b", SPECIFICATION)


def test_what_should_kill_it_is_there() -> None:
    known = [case.id for case in cases.load_all(ROOT / "golden")]
    for mutant in MUTANTS:
        part, _, what = mutant.killed_by.partition(":")
        if part == "golden":
            assert fnmatch.filter(known, what), mutant.id
        elif part == "broken" and what != "*":
            assert what.rstrip("*") in SPECIFICATION, mutant.id


def test_no_two_are_the_same_change() -> None:
    assert len({mutant.digest for mutant in MUTANTS}) == len(MUTANTS)


def test_each_was_tried_as_it_stands_and_is_killed_as_the_list_says_or_survives_for_a_reason() -> None:
    assert results.problems(MUTANTS, RESULTS) == []


def test_there_are_at_least_sixty_of_which_each_part_of_the_reference_has_some() -> None:
    assert len(MUTANTS) >= 60
    for folder in ("archive", "core", "derived", "pmda/pdu", "replay"):
        assert sum(mutant.file.startswith(f"reference/{folder}/") for mutant in MUTANTS) >= 10, folder


def test_the_tables_of_the_readme_are_of_these_results() -> None:
    text = README.read_text(encoding="utf-8")
    assert last_run.into(text, results.markdown(MUTANTS, RESULTS)) == text


GOOD = """
[[mutant]]
id = "a"
file = "reference/core/x.cc"
clause = "MET-201"
breaks = "All."
before = "return 1;"
after = "return 2;"
killed_by = "golden:metadata/*"
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[mutant]", "x.toml"),
        (GOOD.replace('after = "return 2;"', ""), "after"),
        (GOOD.replace("reference/core/x.cc", "../x.cc"), "file"),
        (GOOD.replace("golden:metadata/*", "hope"), "killed_by"),
        (GOOD + GOOD, "more than one mutant is called a"),
    ],
)
def test_a_broken_list_is_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ListError, match=re.escape(told)):
        catalogue.load(tmp_path)


def test_a_change_that_applies_twice_or_never_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(GOOD, encoding="utf-8")
    (mutant,) = catalogue.load(tmp_path)
    assert mutant.applied("int f() { return 1; }") == "int f() { return 2; }"
    for text in ("", "return 1; return 1;"):
        with pytest.raises(ListError, match="not once"):
            mutant.applied(text)


def test_a_selection_that_matches_nothing_is_refused() -> None:
    assert len(catalogue.choose(MUTANTS, ["replay"])) > 10
    with pytest.raises(ListError, match="no mutant is called nothing"):
        catalogue.choose(MUTANTS, ["replay", "nothing"])
