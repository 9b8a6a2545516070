# SPDX-License-Identifier: Apache-2.0
"""Questions by chance: the same for the same seed, of all kinds, and in the form that is read."""

from collections import Counter

from qa.beside_pcp.metadata import questions


def test_a_seed_gives_its_questions() -> None:
    for about in (questions.about_units, questions.about_values, questions.about_labels):
        assert about(7, 50) == about(7, 50)
        assert about(7, 50) != about(8, 50)


def test_all_kinds_are_asked() -> None:
    asked = [*questions.about_units(1, 500), *questions.about_values(1, 500), *questions.about_labels(1, 500)]
    kinds = Counter(question.split("\t")[0] for question in asked)
    assert set(kinds) == {"parse", "text", "convert", "extract", "atom", "print", "compact", "flags", "labels", "merge"}
    assert min(kinds.values()) > 20


def test_a_question_is_one_line_of_ascii() -> None:
    for question in [*questions.about_units(2, 500), *questions.about_values(2, 500), *questions.about_labels(2, 500)]:
        assert question.isascii()
        assert "\n" not in question
