# SPDX-License-Identifier: Apache-2.0
"""The figures of README.md are those of the pages that it names for them."""

import re
from collections import Counter
from pathlib import Path

import pytest

README = Path("README.md").read_text(encoding="utf-8")
BENCHMARK = Path("docs/benchmark.md").read_text(encoding="utf-8")
CHAPTER = Path("reference/spec/archive.md").read_text(encoding="utf-8")


def _rows(text: str, *wanted: str) -> list[dict[str, str]]:
    """Of the tables that have these columns."""
    found = []
    columns: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            columns = []
        elif not columns:
            columns = cells
        elif set(wanted) <= set(columns) and not set(line) <= set("|-: "):
            found.append(dict(zip(columns, cells, strict=True)))
    return found


def _readme(row: str) -> list[str]:
    """The cells of a row of README's table."""
    return next(line for line in README.splitlines() if line.startswith(f"| {row}")).split(" | ")


def _said(rule: dict[str, str], version: str) -> str:
    """What pmlogcheck of a version does by the conventions of section 14.0, as one of status, silent, unnoticed, depends."""
    said = rule["6.0.3"]
    if version != "6.0.3" and not rule["7.2.x"].startswith("=") and rule["7.2.x"]:
        said = rule["7.2.x"]
    letter = re.match(r"[FOWR-](?=$|[:; ,])", said)
    kind = {"F": "status", "O": "status", "W": "silent", "-": "unnoticed", "R": "silent" if version == "6.0.3" else "status"}
    return kind[letter[0]] if letter else "depends"


@pytest.mark.parametrize("version", ["6.0.3", "7.2.2"])
def test_what_pmlogcheck_reports(version: str) -> None:
    rules = _rows(CHAPTER, "ID", "Rule", "Severity", "6.0.3", "7.2.x")
    # Those that are sums of others are never reported by themselves: "see there".
    grave = [rule for rule in rules if re.match(r"fatal|error", rule["Severity"]) and not rule["6.0.3"].startswith("see ")]
    assert f"{len(grave)} of its {len(rules)} rules" in _readme("rules by whose violation")[1]
    counts = Counter(_said(rule, version) for rule in grave)
    for row, kind, ours in (("… reported, with", "status", len(grave)), ("… reported, but", "silent", 0), ("… not noticed", "unnoticed", 0)):
        cells = _readme(row)
        assert cells[1] == str(ours)
        assert f"{counts[kind]} ({version})" in cells[2], (row, counts)


def test_speed_on_recorded_archives() -> None:
    speeds = [row for row in _rows(BENCHMARK, "program", "archive", "MB/s") if re.fullmatch(r"recorded-.*MB", row["archive"])]
    cells = _readme("MB a second of CPU time")
    for program, cell in (("check --jobs 1", cells[1]), ("pmlogcheck", cells[2])):
        # Those that pmlogcheck was measured on, too.
        found = [int(row["MB/s"]) for row in speeds if row["program"] == program]
        assert cell.startswith(f"{min(found)} to {max(found)}"), program
    ratios = [float(row["measured"].split()[0]) for row in _targets("check faster than pmlogcheck", "recorded-")]
    walks = [float(row["measured"].split()[0]) for row in _targets("check slower than the bare walk", "recorded-")]
    assert f"is {min(ratios):.1f} to {max(ratios):.0f} times as fast as pmlogcheck" in README
    assert f"takes {min(walks):.1f} to {max(walks):.1f} times as long as touching each value" in README


def test_speed_of_replay_and_memory() -> None:
    replay = float(_targets("replay of 50 metrics at 10 s faster than libpcp, cold", "host-v3-1000MB")[0]["measured"].split()[0])
    assert f"`replay` is {int(replay)} times as fast as libpcp" in README
    peak = float(_targets("peak memory", "host-v3-1000MB")[0]["measured"].split()[0])
    assert f"takes {peak:.1f} MB of memory" in README


def _targets(name: str, archive: str) -> list[dict[str, str]]:
    rows = _rows(BENCHMARK, "asked for", "archive", "measured")
    return [row for row in rows if row["asked for"] == name and row["archive"].startswith(archive)]
