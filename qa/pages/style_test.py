# SPDX-License-Identifier: Apache-2.0
"""The colours that all pages have (validator/text/html/page.css) against each other, by WCAG 2.2 AA, light and dark."""

import math
import re
from pathlib import Path

import pytest

STYLES = Path("validator/text/html")
BACKED = ("good", "info", "warning", "error")
TEXTS = (*BACKED, "fatal", "text", "faint", "link", "baseline", "candidate")


def palettes() -> dict[str, dict[str, str]]:
    blocks = re.findall(r":root \{(.*?)\}", (STYLES / "page.css").read_text(encoding="utf-8"), re.DOTALL)
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in blocks[:2])
    assert light.keys() == dark.keys()
    return {"light": light, "dark": dark}


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else math.pow((part + 0.055) / 1.055, 2.4) for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(front: str, back: str, part: float) -> str:
    return "#" + "".join(f"{round(int(front[at : at + 2], 16) * part + int(back[at : at + 2], 16) * (1 - part)):02x}" for at in (1, 3, 5))


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read_on_each_ground(theme: str) -> None:
    colors = palettes()[theme]
    grounds = [(text, ground) for text in TEXTS for ground in ("ground", "raised")]
    grounds += [(text, f"{name}-back") for name in BACKED for text in (name, "text", "link", "faint")]
    assert [(text, on) for text, on in grounds if contrast(colors[text], colors[on]) < 4.5] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_controls_and_curves_can_be_made_out(theme: str) -> None:
    colors = palettes()[theme]
    assert [ground for ground in ("ground", "raised") if contrast(colors["edge"], colors[ground]) < 3] == []
    style = (STYLES / "rules_diff.css").read_text(encoding="utf-8")
    (opacity,) = {float(text) for text in re.findall(r"stroke-opacity: ([.\d]+)", style)}
    assert contrast(mixed(colors["baseline"], colors["ground"], opacity), colors["ground"]) >= 3


def test_no_page_has_colours_of_its_own() -> None:
    """Each has two palettes, and they are in one place."""
    for path in (*STYLES.glob("*.css"), *STYLES.glob("*.js"), Path("qa/suite/reports/page.css")):
        if path.name != "page.css" or path.parent != STYLES:
            text = path.read_text(encoding="utf-8")
            assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s\"'])|\brgba?\(|prefers-color-scheme", text) == [], path
