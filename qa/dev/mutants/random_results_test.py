# SPDX-License-Identifier: Apache-2.0
"""The record of random mutants, and the page that is made of it."""

from pathlib import Path

import pytest

from qa.dev.mutants import random_results
from qa.dev.mutants.catalogue import ListError
from qa.dev.mutants.random_results import Explained, Tried


def tried(digest: str, outcome: str, by: str = "", seed: str = "1", file: str = "reference/core/a.cc") -> Tried:
    return Tried(seed, digest, file, 3, "relation", "  if (a || b < 1)", "  if (a || b <= 1)", outcome, by, 2.5, "abc")


def test_what_was_appended_is_read_and_the_last_of_a_mutant_counts(tmp_path: Path) -> None:
    path = tmp_path / "random.jsonl"
    assert random_results.load(path) == []
    for one in (tried("a", "survived"), tried("b", "killed", "golden:x#1"), tried("a", "killed", "explore:y"), tried("a", "survived", seed="2")):
        random_results.append(one, path)
    assert random_results.load(path) == [tried("a", "killed", "explore:y"), tried("b", "killed", "golden:x#1"), tried("a", "survived", seed="2")]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "random.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(ListError, match="random.jsonl:1"):
        random_results.load(path)


@pytest.mark.parametrize(
    "text",
    ["[[survivor]]\ndigest = 'a'\nkind = 'hopeless'\nreason = 'x'\n", "[[survivor]]\ndigest = 'a'\nkind = 'gap'\nreason = ''\n", "[[survivor]]\n", "["],
)
def test_an_explanation_has_a_kind_and_a_reason(tmp_path: Path, text: str) -> None:
    path = tmp_path / "survivors.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ListError):
        random_results.explanations(path)


def test_the_page_counts_by_folder_and_killer_and_names_survivors() -> None:
    results = [
        tried("a", "killed", "golden:x#1"),
        tried("b", "killed", "explore:y"),
        tried("c", "killed", "test://reference/core:a_test", file="reference/archive/a.cc"),
        tried("d", "survived"),
        tried("e", "survived"),
        tried("f", "unbuildable"),
        tried("g", "killed", "golden:x#1", seed="2"),
    ]
    page = random_results.page("1", results, {"d": Explained("d", "equivalent", "Both are never reached.")})
    assert page.startswith("Seed 1: 5 mutants, and 1 that did not compile.")
    assert "| reference/core | 4 | 1 | 1 | 0 | 2 | 1 | 0 | 0 | 33.3 % | 66.7 % |" in page
    assert "| reference/archive | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0.0 % | 0.0 % |" in page
    assert "| all | 5 | 1 | 1 | 1 | 2 | 1 | 0 | 0 | 25.0 % | 50.0 % |" in page
    assert "Of the 2 that survive 1 nothing can tell from the original, 0 differ in time or memory alone, " in page
    assert page.count("1 have not been read yet") == 1
    slow = random_results.page("1", results, {"d": Explained("d", "speed", "It is slow."), "e": Explained("e", "unobserved", "A text.")})
    assert "| all | 5 | 1 | 1 | 1 | 2 | 1 | 1 | 0 | 33.3 % | 66.7 % |" in slow
    assert "and with what the specification leaves open: golden cases 25.0 %, golden cases and explore 50.0 %." in slow
    change = "`if (a \\|\\| b < 1)` → `if (a \\|\\| b <= 1)`"
    assert f"| d reference/core/a.cc:3 | {change} | equivalent | Both are never reached. |" in page
    assert f"| e reference/core/a.cc:3 | {change} |  | not read yet |" in page


def test_what_no_operation_comes_to_is_left_out_of_the_share_and_told_with_it() -> None:
    results = [
        tried("a", "killed", "golden:x#1"),
        tried("b", "killed", "test://reference/core:a_test"),
        tried("c", "survived"),
        tried("d", "killed", "explore:y"),
    ]
    unreached = {digest: Explained(digest, "unreached", "The command line alone.") for digest in "bcd"}
    page = random_results.page("1", results, unreached)
    # Who noticed d came to it, whatever the list says.
    assert "| all | 4 | 1 | 1 | 1 | 1 | 0 | 0 | 2 | 50.0 % | 100.0 % |" in page
    assert "With those that no operation comes to: golden cases 25.0 %, golden cases and explore 50.0 %; and " in page
    assert "| all | 4 | 1 | 1 | 1 | 1 | 0 | 0 | 0 | 25.0 % | 50.0 % |" in random_results.page("1", results, {})
    # A test beside the code may look at texts and at memory.
    assert "| all | 4 | 1 | 1 | 1 | 1 | 0 | 1 | 0 | 33.3 % | 66.7 % |" in random_results.page("1", results, {"b": Explained("b", "unobserved", "A text.")})
    # It kills what is equivalent only if it is not.
    assert "| all | 4 | 1 | 1 | 1 | 1 | 0 | 0 | 0 | 25.0 % | 50.0 % |" in random_results.page("1", results, {"b": Explained("b", "equivalent", "?")})


def test_each_explanation_is_of_a_survivor_or_of_what_a_test_alone_kills() -> None:
    results = random_results.load()
    survivors = {one.digest for one in results if one.outcome == "survived"}
    by_tests = {one.digest for one in results if one.part == "test"}
    for one in random_results.explanations().values():
        assert one.digest in (survivors if one.kind == "equivalent" else survivors | by_tests), one.digest
