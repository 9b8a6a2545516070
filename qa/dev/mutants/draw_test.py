# SPDX-License-Identifier: Apache-2.0
"""Which mutants a seed draws, and that they stay the same while other lines change."""

from pathlib import Path

import pytest

from qa.dev.mutants.catalogue import ListError
from qa.dev.mutants.draw import all_of, draw, sources

CODE = "int F(int a) {\n  if (a < 3) return 1;\n  return a + 2;\n}\n"


@pytest.fixture(name="root")
def fixture_root(tmp_path: Path) -> Path:
    for name in ("core/a.cc", "core/a.h", "core/a_test.cc", "archive/fuzz/b.cc", "pmda/dso/c.cc"):
        (tmp_path / "reference" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "reference" / name).write_text(CODE, encoding="utf-8")
    return tmp_path


def test_mistakes_are_made_in_sources_of_the_reference_alone(root: Path) -> None:
    assert sources(root) == ["reference/core/a.cc"]


def test_every_mistake_applies_to_the_file_and_says_which_line_it_changes(root: Path) -> None:
    mutants = list(all_of(root))
    for one in mutants:
        changed = one.applied(CODE)
        assert changed != CODE
        assert changed == CODE.replace(one.before, one.after)
        assert CODE.splitlines()[one.line - 1] == one.before
    assert {one.after for one in mutants} >= {"  if (a <= 3) return 1;", "  if (!(a < 3)) return 1;", "  return a - 2;"}
    assert len({one.digest for one in mutants}) == len(mutants)


def test_equal_lines_are_told_apart(root: Path) -> None:
    (root / "reference/core/a.cc").write_text("return true;\nreturn true;\n", encoding="utf-8")
    one, other = all_of(root)
    assert one.digest != other.digest
    assert other.applied("return true;\nreturn true;\n") == "return true;\nreturn false;\n"


def test_a_place_is_drawn_once_and_another_seed_draws_in_another_order(root: Path) -> None:
    mutants = draw(root, "1")
    assert len({(one.begin, one.end) for one in mutants}) == len(mutants) == 6
    assert mutants == draw(root, "1")
    orders = [[one.digest for one in draw(root, str(seed))] for seed in range(5)]
    assert any(order != orders[0] for order in orders)


def test_the_order_stays_when_other_lines_change(root: Path) -> None:
    before = [one.digest for one in draw(root, "1")]
    (root / "reference/core/a.cc").write_text("// new\n\n" + CODE + "int b = 7;\n", encoding="utf-8")
    after = [one.digest for one in draw(root, "1")]
    assert [one for one in after if one in before] == before


def test_a_file_that_changed_since_is_refused(root: Path) -> None:
    mutant = draw(root, "1")[0]
    with pytest.raises(ListError, match="has changed"):
        mutant.applied("// new\n" + CODE)
