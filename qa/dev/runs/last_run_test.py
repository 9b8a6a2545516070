# SPDX-License-Identifier: Apache-2.0
import pytest

from qa.dev.runs.last_run import BEGIN, END, into


def test_a_table_takes_the_place_of_the_one_before() -> None:
    assert into(f"a\n{BEGIN}\nold\n{END}\nb\n", "new\n") == f"a\n{BEGIN}\nnew\n{END}\nb\n"


def test_a_readme_without_a_place_is_not_written_over() -> None:
    with pytest.raises(ValueError):
        into("a\n", "new\n")
