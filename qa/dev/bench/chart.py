# SPDX-License-Identifier: Apache-2.0
"""Bars as SVG, in groups, with what was asked for as a mark: a picture that stands by itself in a page."""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _VALUES = 760, 150  # of the picture; of figures at the right
_LETTER = 6.8  # how wide one is, at most
_BAR, _GAP, _BETWEEN, _LINE = 14, 3, 12, 18
_FONT = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif"
# Told apart without colour sense, by lightness too.
_COLOURS = ("#5f6b76", "#00796b", "#5fb8ab", "#b9c3cc")


@dataclass(frozen=True)
class Bar:
    """`told`: the figure as people read it. `goal`: where the mark stands. `met`: whether it is reached, None: there is no goal."""

    value: float
    told: str
    series: int = 0
    goal: float | None = None
    met: bool | None = None


@dataclass(frozen=True)
class Group:
    name: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Chart:
    """`series`: what the colours stand for; none where there is only one. `logarithmic`: from 1 on."""

    title: str
    axis: str
    groups: Sequence[Group]
    series: Sequence[str] = ()
    logarithmic: bool = False


def svg(chart: Chart) -> str:
    """The picture. Requires a positive value."""
    most = max(max(bar.value, bar.goal or 0) for group in chart.groups for bar in group.bars)
    left = 24 + round(_LETTER * max(len(group.name) for group in chart.groups))
    room = _WIDTH - left - _VALUES

    def length(value: float) -> float:
        part = math.log10(max(value, 1.0)) / math.log10(most) if chart.logarithmic else value / most
        return max(part * room, 1.0)

    has_goals = any(bar.goal is not None for group in chart.groups for bar in group.bars)
    top = 30 + (_LINE if chart.series or has_goals else 0)
    parts: list[str] = []
    y: float = top
    for group in chart.groups:
        height = len(group.bars) * (_BAR + _GAP) - _GAP
        parts.append(_text(left - 10, y + height / 2 + 4, group.name, anchor="end"))
        for bar in group.bars:
            wide = length(bar.value)
            colour = "#b3261e" if bar.met is False else _COLOURS[1] if bar.met else _COLOURS[bar.series]
            parts.append(f'<rect x="{left}" y="{y:g}" width="{wide:.1f}" height="{_BAR}" rx="2" fill="{colour}"/>')
            if bar.goal is not None:
                at = left + length(bar.goal)
                parts.append(f'<path d="M{at:.1f} {y - 3:g}v{_BAR + 6}" stroke="#1d2125" stroke-width="2"/>')
                wide = room  # figures stand below one another, beside the marks
            parts.append(_text(left + wide + 8, y + _BAR - 3, bar.told, size=11))
            y += _BAR + _GAP
        y += _BETWEEN - _GAP
    bottom = y + 12
    axis = chart.axis + (", logarithmic" if chart.logarithmic else "")
    parts.append(_text(left, bottom - 4, axis, size=11, colour="#5f6b76"))
    legend = [(name, _COLOURS[number]) for number, name in enumerate(chart.series)]
    legend += [("goal reached", _COLOURS[1]), ("not reached", "#b3261e"), ("the goal", "")] if has_goals else []
    x: float = left
    for name, colour in legend:
        if colour:
            parts.append(f'<rect x="{x:g}" y="{top - 20}" width="11" height="11" rx="2" fill="{colour}"/>')
        else:
            parts.append(f'<path d="M{x + 5:g} {top - 22}v15" stroke="#1d2125" stroke-width="2"/>')
        parts.append(_text(x + 16, top - 10, name, size=11))
        x += 32 + 6.3 * len(name)
    title = html.escape(chart.title)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom:g}" width="{_WIDTH}" height="{bottom:g}" role="img" aria-label="{title}">',
            f"<title>{title}</title>",
            f'<rect width="{_WIDTH}" height="{bottom:g}" rx="6" fill="#ffffff"/>',
            _text(14, 20, chart.title, size=14, weight=600),
            *parts,
            "</svg>\n",
        )
    )


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12, colour: str = "#1d2125", weight: int = 400) -> str:
    style = f'font-family="{_FONT}" font-size="{size}" font-weight="{weight}" fill="{colour}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{html.escape(text)}</text>'
