# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/benchmark.md show what its tables say."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qa.dev.bench import plots
from qa.dev.bench.chart import Bar, Chart, Group, svg
from qa.dev.bench.suite import THEMES

PAGE = Path("docs/benchmark.md").read_text(encoding="utf-8")
DRAWN = plots.draw(PAGE)
SVG = "{http://www.w3.org/2000/svg}"


def _texts(picture: str) -> list[str]:
    return [str(element.text) for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def _widths(picture: str) -> list[float]:
    """Of the bars, in their order."""
    elements = ElementTree.fromstring(picture).iter(f"{SVG}rect")
    return [float(one.attrib["width"]) for one in elements if one.attrib["height"] == "14"]


def test_each_theme_with_figures_has_a_plot() -> None:
    assert set(THEMES) - set(DRAWN) == {"agent", "fleet"}


@pytest.mark.parametrize("theme", DRAWN)
def test_the_plot_of_a_theme_is_drawn_from_the_tables_of_today(theme: str) -> None:
    assert Path(f"docs/images/benchmark-{theme}.svg").read_text(encoding="utf-8") == DRAWN[theme], "qa/dev/bench/bench --plots"
    assert f"](images/benchmark-{theme}.svg)" in PAGE


def test_figures_are_those_of_the_page() -> None:
    assert {"processes", "93", "3379", "11770"} <= set(_texts(DRAWN["recorded"]))
    assert "15.22 x (>= 100 x)" in _texts(DRAWN["replay"])
    assert {"10000 random times, cold, host-v3-1000MB", "10000 random times, cold, recorded-numa-256MB", "a further random time"} <= set(_texts(DRAWN["replay"]))
    assert "0.10 x (>= 100 x)" in _texts(DRAWN["replay"])
    changed = PAGE.replace("| 15.22 x |", "| 950.00 x |")
    assert "950.00 x (>= 100 x)" in _texts(plots.draw(changed)["replay"])


def test_a_page_without_figures_has_no_plot() -> None:
    with pytest.raises(plots.NoFigures):
        plots.draw("# Nothing\n")


def test_bars_are_as_long_as_their_figures() -> None:
    chart = Chart("A & B", "MB", [Group("one", [Bar(10, "10"), Bar(20, "20", 1)]), Group("two", [Bar(5, "5")])], ("a", "b"))
    first, second, third = _widths(svg(chart))
    assert second == pytest.approx(2 * first, rel=0.01) and first == pytest.approx(2 * third, rel=0.01)
    assert _texts(svg(chart))[0] == "A & B"


def test_a_goal_that_is_not_reached_looks_otherwise() -> None:
    reached, missed = (svg(Chart("x", "x", [Group("g", [Bar(2, "2", 0, goal, met)])])) for goal, met in ((1, True), (3, False)))
    colours = [re.findall(r'height="14"[^>]*fill="([^"]*)"', picture) for picture in (reached, missed)]
    assert len(colours[0]) == len(colours[1]) == 1 and colours[0] != colours[1]


def test_nothing_of_a_picture_lies_outside_of_it() -> None:
    for picture in DRAWN.values():
        root = ElementTree.fromstring(picture)
        wide, high = float(root.attrib["width"]), float(root.attrib["height"])
        for one in root.iter(f"{SVG}rect"):
            x, y = float(one.attrib.get("x", 0)), float(one.attrib.get("y", 0))
            assert 0 <= x and x + float(one.attrib["width"]) <= wide and 0 <= y and y + float(one.attrib["height"]) <= high
        for text in root.iter(f"{SVG}text"):
            assert 0 <= float(text.attrib["y"]) <= high and 0 <= float(text.attrib["x"]) < wide
