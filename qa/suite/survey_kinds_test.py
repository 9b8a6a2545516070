# SPDX-License-Identifier: Apache-2.0
"""Kinds of movements, and how large each is by the sums that a report has."""

import random
from collections import Counter

import pytest

from qa.suite.survey.kinds import Kind, TooManyKinds, moved, sizes
from qa.suite.survey_testing import A, B, C, report

Cells = dict[Kind, int]


def of_cells(cells: Cells) -> dict[Kind, tuple[int, bool]]:
    rows: Counter[tuple[str, str, str]] = Counter()
    columns: Counter[tuple[str, str]] = Counter()
    for kind, number in cells.items():
        rows[kind.row] += number
        columns[kind.column] += number
    return sizes(cells, rows, columns)


def kind(row: int, column: int) -> Kind:
    return Kind(f"INT-{column}", "INT-503", "instant", f"t{row}", "number")


def test_an_identifier_is_the_kind() -> None:
    for identifier in (A, B, C, "none>none/instant/string/content"):
        assert str(Kind.of(identifier)) == identifier


def test_a_kind_that_is_alone_in_its_row_or_column_has_all_of_it() -> None:
    cells = {kind(0, 0): 3, kind(0, 1): 5, kind(1, 1): 7, kind(2, 1): 11}
    assert of_cells(cells) == {one: (number, True) for one, number in cells.items()}


def test_of_kinds_in_a_circle_the_most_that_they_can_have_is_told() -> None:
    cells = {kind(0, 0): 3, kind(0, 1): 5, kind(1, 0): 7, kind(1, 1): 1, kind(2, 2): 9, kind(2, 0): 4}
    found = of_cells(cells)
    assert found[kind(2, 2)] == (9, True) and found[kind(2, 0)] == (4, True)
    assert found[kind(0, 0)] == (8, False) and found[kind(1, 1)] == (6, False)


@pytest.mark.parametrize("seed", range(200))
def test_whatever_the_table_is_what_is_exact_is_right_and_the_rest_is_not_too_small(seed: int) -> None:
    chance = random.Random(seed)
    places = [(row, column) for row in range(chance.randint(1, 6)) for column in range(chance.randint(1, 6))]
    cells = {kind(*place): chance.randint(1, 9) for place in places if chance.random() < 0.4}
    found = of_cells(cells)
    assert found.keys() == cells.keys()
    for one, (number, exact) in found.items():
        assert number == cells[one] if exact else number >= cells[one]


def test_the_witness_is_the_first_example() -> None:
    told = report("a", {A: 3, B: 4})["archives"][0]
    later = {**told["examples"][0], "time": "1800000000.000000000"}
    found = {str(one.kind): one for one in moved({**told, "examples": [*told["examples"], later]})}
    assert found[A].witness == told["examples"][0] and found[A].differences == 3 and found[B].differences == 4


def test_the_signature_tells_other_answers_apart() -> None:
    first, again, other = (moved(report("a", {A: 3}, answer=answer)["archives"][0])[0].signature for answer in ("2", "2", "5"))
    assert first == again != other


def test_an_archive_with_more_kinds_than_a_report_shows_is_no_small_matter() -> None:
    told = report("a", {A: 3, B: 4})["archives"][0]
    with pytest.raises(TooManyKinds):
        moved({**told, "more_examples": 1})
    # More examples of kinds that are shown are left out without harm.
    assert len(moved({**told, "examples": [*told["examples"], told["examples"][0]], "more_examples": 1})) == 2
