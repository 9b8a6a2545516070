# SPDX-License-Identifier: Apache-2.0
"""What catches each real defect of PCP's past (golden/real-defects.json), and what has become of each test idea of the
specification (golden/test-ideas.json): the page golden/real-defects.md."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.golden import cases, coverage

Json = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """A defect or a test idea. `caught_by`: KIND:NAME, of a case, a rule, a check of agents or collectors, or a test."""

    id: str
    title: str
    caught_by: tuple[str, ...]
    note: str


def defects(path: Path) -> list[Entry]:
    told = json.loads(path.read_text(encoding="utf-8"))["defects"]
    return [Entry(one["id"], one["title"], tuple(one["caught_by"]), one.get("note", "")) for one in told]


def ideas(path: Path) -> dict[str, list[Entry]]:
    """By chapter."""
    told = json.loads(path.read_text(encoding="utf-8"))["chapters"]
    return {
        chapter: [Entry(number, "", tuple(one.get("shown_by", ())), one.get("note", "")) for number, one in entries.items()]
        for chapter, entries in told.items()
    }


def ideas_in(text: str) -> set[str]:
    """The numbers of a chapter's test ideas."""
    section = re.search(r"^## (?:[0-9]+\. )?Test ideas.*?$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if section is None:
        return set()
    lines = re.findall(r"^(?:- \(([0-9]+)\)|([0-9]+)\.|\| (T[0-9]+) )", section[1], re.MULTILINE)
    return {number for line in lines for number in line if number}


def unknown(entries: Sequence[Entry], here: Path) -> Iterator[str]:
    """What they name that is not there."""
    known_cases = {case.id for case in cases.load_all(here / "golden", checked=False)}
    known_checks = {one for found in coverage.catalogued(here / "validator/catalogue").values() for one in found}
    for entry in entries:
        for told in entry.caught_by:
            kind, _, name = told.partition(":")
            there = {
                "case": name in known_cases,
                "rule": name in known_checks,
                "check": name in known_checks,
                "test": (here / name).is_file(),
            }
            if not there.get(kind, False):
                yield f"{entry.id}: {told}"


def _told(caught_by: Sequence[str]) -> str:
    words: Mapping[str, list[str]] = {"case": [], "rule": [], "check": [], "test": []}
    for told in caught_by:
        kind, _, name = told.partition(":")
        words[kind].append({"case": f"[{name}]({name}/case.json)", "test": f"`{name}`"}.get(kind, name))
    return "; ".join(
        f"{kind}{'s' if len(names) > 1 else ''} {', '.join(names)}" for kind, names in words.items() if names
    )


def page(here: Path) -> str:
    lines = [
        "# Real defects, and the specification's test ideas",
        "",
        "Made by `qa/golden/golden real-defects` from `real-defects.json` and `test-ideas.json`; a test keeps it so, and looks",
        "whether everything named is there. A rule is one of `pmproof check`, with archives that break it in `archive/rules-*`; a",
        "check is one of `pmproof agent check` (CKA-) or `pmproof collector check` (CKC-), with agents or collectors that fail it.",
        "",
        "## Real defects of PCP's past",
        "",
        "| | what went wrong | what catches it |",
        "|---|---|---|",
    ]
    for entry in defects(here / "golden/real-defects.json"):
        note = f". {entry.note}" if entry.note else ""
        lines.append(f"| {entry.id} | {entry.title} | {_told(entry.caught_by)}{note} |")
    for chapter, entries in ideas(here / "golden/test-ideas.json").items():
        lines += ["", f"## Test ideas of {chapter}", "", "| idea | shown by |", "|---|---|"]
        for entry in entries:
            parts = [part for part in (_told(entry.caught_by), entry.note) if part]
            lines.append(f"| {entry.id} | {'. '.join(parts)} |")
    return "\n".join(lines) + "\n"
