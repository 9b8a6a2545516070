# SPDX-License-Identifier: Apache-2.0
"""Values over time as inline SVG: what is expected of a replay, and what was answered instead."""

import html
import math
from collections.abc import Sequence
from fractions import Fraction

from qa.golden.cases import Json

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 180, 8, 8, 18, 20
_MOST_POINTS = 2000

Point = tuple[float, float]


def _number(text: object) -> float | None:
    try:
        found = float(str(text))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def lines_of(fetches: Sequence[Json]) -> dict[str, list[list[Point]]]:
    """Of each metric and instance: points, in pieces where values were missing. Times from the first fetch on."""
    found: dict[str, list[list[Point]]] = {}
    begin: Fraction | None = None
    for fetch in fetches[:_MOST_POINTS]:
        try:
            time = Fraction(fetch["time"])
        except (KeyError, TypeError, ValueError):
            continue
        begin = time if begin is None else begin
        seen = set()
        for metric in fetch.get("metrics", []):
            for value in metric.get("values", []):
                number = _number(value.get("value"))
                if number is None:
                    continue
                instance = value.get("instance")
                name = metric["metric"] if instance is None else f"{metric['metric']}[{instance}]"
                seen.add(name)
                pieces = found.setdefault(name, [[]])
                pieces[-1].append((float(time - begin), number))
        for name, pieces in found.items():
            if name not in seen and pieces[-1]:
                pieces.append([])
    return found


def plot(expected: Sequence[Json], actual: Sequence[Json] | None) -> str:
    """Nothing where there are no two numbers to draw."""
    drawn = [("expected", lines_of(expected))] + ([("actual", lines_of(actual))] if actual else [])
    points = [point for _, lines in drawn for pieces in lines.values() for piece in pieces for point in piece]
    if len(points) < 2 or len({x for x, _ in points}) < 2:
        return ""
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low_y, high_y = min(y for _, y in points), max(y for _, y in points)

    def place(point: Point) -> Point:
        x = _LEFT + (point[0] - low_x) / (high_x - low_x) * (_WIDTH - _LEFT - _RIGHT)
        # Halves, for the difference of two doubles may be too large for one.
        part = (point[1] / 2 - low_y / 2) / (high_y / 2 - low_y / 2) if high_y / 2 > low_y / 2 else 0.5
        return x, _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)

    names = sorted({name for _, lines in drawn for name in lines})
    label = html.escape(f"{', '.join(names[:6])}{' and more' if len(names) > 6 else ''} over time")
    parts = [f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}"><title>{label}</title>']
    base = _HEIGHT - _BOTTOM
    parts.append(f'<line class="axis" x1="{_LEFT}" y1="{base}" x2="{_WIDTH - _RIGHT}" y2="{base}"/>')
    for kind, lines in drawn:
        for pieces in lines.values():
            for piece in pieces:
                placed = [place(point) for point in piece]
                if len(placed) > 1:
                    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
                    parts.append(f'<polyline class="{kind}" points="{path}"/>')
                if len(placed) <= 60:
                    parts += [f'<circle class="{kind} dot" cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in placed]
    parts.append(f'<text x="{_LEFT}" y="12">{high_y:g} (bottom {low_y:g})</text>')
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 5}">{low_x:g} s</text>')
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 5}" text-anchor="end">{high_x:g} s</text>')
    told = "expected, and actual dashed" if len(drawn) > 1 else "expected"
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="12" text-anchor="end">{told}: {label}</text></svg>')
    return "".join(parts)
