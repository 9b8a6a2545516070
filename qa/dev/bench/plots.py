# SPDX-License-Identifier: Apache-2.0
"""A plot for each theme that docs/benchmark.md has figures of, drawn from its tables."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from qa.dev.bench.chart import Bar, Chart, Group, svg

Row = dict[str, str]
_NUMBER = re.compile(r"[0-9.]+")


class NoFigures(Exception):
    """The page has none of a theme."""


def draw(page: str) -> dict[str, str]:
    """The plots by the name of the theme, of the text of the page."""
    rows = rows_of(page)
    return {theme: svg(chart(rows, page)) for theme, chart in _THEMES.items()}


def write(page: Path, folder: Path) -> list[Path]:
    """Draws all of them into a folder. Returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for theme, picture in draw(page.read_text(encoding="utf-8")).items():
        written.append(folder / f"benchmark-{theme}.svg")
        written[-1].write_text(picture, encoding="utf-8")
    return written


def rows_of(page: str) -> list[Row]:
    """Of all tables of a page, in its order: cells by the name of their column."""
    found: list[Row] = []
    columns: list[str] | None = None
    for line in page.splitlines():
        if not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if columns is None:
            columns = cells
        elif not set(line) <= set("|-: "):
            found.append(dict(zip(columns, cells, strict=True)))
    return found


def _figure(text: str) -> float:
    number = _NUMBER.search(text)
    if number is None:
        raise NoFigures(text)
    return float(number[0])


def _speeds(title: str, is_of_it: Callable[[str], bool], programs: Sequence[str]) -> Callable[[list[Row], str], Chart]:
    """MB of archive in a second of CPU time, by archive."""

    def chart(rows: list[Row], _: str) -> Chart:
        by_archive: dict[str, dict[str, float]] = {}
        for row in rows:
            if row.get("program") in programs and "MB/s" in row and is_of_it(row["archive"]):
                by_archive.setdefault(row["archive"], {}).setdefault(row["program"], _figure(row["MB/s"]))
        groups = [
            Group(
                archive.removeprefix("recorded-").removesuffix("-256MB") if archive.startswith("recorded-") else archive,
                [Bar(speeds[one], f"{speeds[one]:.0f}", number) for number, one in enumerate(programs) if one in speeds],
            )
            for archive, speeds in by_archive.items()
            if len(speeds) > 1
        ]
        if not groups:
            raise NoFigures(title)
        return Chart(title, "MB of archive in a second of CPU time", groups, programs)

    return chart


def _goals(title: str, axis: str, asked: str, logarithmic: bool = False, unit: str = "x", with_name: bool = False) -> Callable[[list[Row], str], Chart]:
    """What was asked for, beside what was measured. `asked` finds the rows. `with_name`: rows are named by what was asked, and by the archive only
    where the same was asked of several; else by the archive."""

    def chart(rows: list[Row], _: str) -> Chart:
        groups = []
        names = [row.get("asked for", "") for row in rows]
        for row, name in zip(rows, names, strict=True):
            if not re.search(asked, name) or not _NUMBER.match(row["measured"]) or not row["measured"].endswith(f" {unit}"):
                continue
            bar = Bar(_figure(row["measured"]), f"{row['measured']} ({row['target']})", 0, _figure(row["target"]), row["verdict"] == "met")
            short = re.sub(" faster than libpcp| to their operands alone", "", name)
            named = short if names.count(name) == 1 else f"{short}, {row['archive']}"
            groups.append(Group(named if with_name else row["archive"], [bar]))
        if not groups:
            raise NoFigures(title)
        return Chart(title, axis, groups, logarithmic=logarithmic)

    return chart


def _encoding(rows: list[Row], _: str) -> Chart:
    columns = ("memcpy GB/s", "encode GB/s")
    found = [row for row in rows if "encode GB/s" in row]
    groups = [Group(row["records of"], [Bar(_figure(row[one]), row[one], number) for number, one in enumerate(columns)]) for row in found]
    if not groups:
        raise NoFigures("encoding")
    return Chart("Encoding records into memory", "GB in a second of CPU time", groups, ("memcpy of the same bytes", "encode"))


def _instructions(_: list[Row], page: str) -> Chart:
    told = re.search(r"^Instructions a byte \(([^)]*)\): (.*)\.$", page, re.M)
    if told is None:
        raise NoFigures("instructions")
    named = [one.rpartition(" ") for one in told[2].split(", ")]
    groups = [Group(name, [Bar(float(figure), figure, 1)]) for name, _, figure in named]
    return Chart(f"Instructions for each byte of an archive ({told[1]})", "instructions a byte", groups)


_PROGRAMS = ("pmlogcheck", "check --jobs 1", "check --jobs 2", "bare walk")

# By the names of the benchmark's themes; "agent" and "fleet" have a row or two each, which need no plot.
_THEMES: dict[str, Callable[[list[Row], str], Chart]] = {
    "recorded": _speeds("check, on archives that real systems recorded", lambda name: name.startswith("recorded-") and name.endswith("MB"), _PROGRAMS),
    "speed": _speeds("check, on the archive of a made-up host", lambda name: name.startswith("host-") and name.endswith("MB"), _PROGRAMS),
    "dump": _goals("dump beside pmdumplog -a", "times as fast", r"^dump faster"),
    "compressed": _goals("check of a compressed archive beside the decompressor and the check of the plain one", "times their CPU time", r"^compressed"),
    "memory": _goals("Peak memory of check, beside the mapping of the files", "MB", r"^peak memory$", unit="MB"),
    "instructions": _instructions,
    "encode": _encoding,
    "linear": _goals("Does the time of check grow as the input does?", "growth of the time, divided by that of the input", r"^linear in"),
    "replay": _goals("replay beside libpcp", "times as fast", r"^(replay of 50|10000 random|one value|a further random)", logarithmic=True, with_name=True),
    "derived": _goals("Derived metrics beside fetching their operands alone", "times the CPU time", r"^derived metrics", with_name=True),
}
