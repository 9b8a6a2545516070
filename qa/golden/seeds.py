# SPDX-License-Identifier: Apache-2.0
"""What has become of each statement of the seed documents (golden/seeds.json): the page golden/seeds.md."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import coverage

_MOST = 2  # cases, and rules or checks, named in a row


@dataclass(frozen=True)
class Statement:
    """In our words. Its clauses, and the files of code that name one of them; or why there is nothing to hold a program to."""

    says: str
    clauses: tuple[str, ...]
    code: tuple[str, ...]
    because: str


@dataclass(frozen=True)
class Section:
    title: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Document:
    name: str
    title: str
    sections: tuple[Section, ...]

    @property
    def statements(self) -> list[Statement]:
        return [statement for section in self.sections for statement in section.statements]


def load(path: Path) -> list[Document]:
    def statement(told: coverage.Json) -> Statement:
        return Statement(told["says"], tuple(told.get("clauses", ())), tuple(told.get("code", ())), told.get("because", ""))

    return [
        Document(
            document["name"],
            document["title"],
            tuple(
                Section(section["title"], tuple(statement(one) for one in section["statements"]))
                for section in document["sections"]
            ),
        )
        for document in json.loads(path.read_text(encoding="utf-8"))["documents"]
    ]


def named(text: str) -> set[str]:
    """The clauses that a text names: "ARC-401..403, 405" is four."""
    found: set[str] = set()
    for prefix, numbers in re.findall(r"\b([A-Z]{3})-(\d{3,4}(?:(?:\.\.|, )\d{3,4}\b)*)", text):
        for told in numbers.split(", "):
            first, _, last = told.partition("..")
            found |= {f"{prefix}-{number:0{len(first)}d}" for number in range(int(first), int(last or first) + 1)}
    return found


def _shown(statement: Statement, clauses: dict[str, coverage.Clause]) -> str:
    """What shows it: cases, rules and checks, else tests or reasons of its clauses."""
    of_it = [clauses[one] for one in statement.clauses]
    cases = list(dict.fromkeys(case for clause in of_it for case in clause.cases))
    checks = list(dict.fromkeys(check for clause in of_it for check in clause.checks))
    words = [coverage.link_to(case) for case in cases[:_MOST]] + checks[:_MOST]
    if not words:
        words = list(dict.fromkeys(f"*{coverage.KINDS[clause.kind]}*" for clause in of_it if clause.kind))
    more = len(cases[_MOST:]) + len(checks[_MOST:])
    return ", ".join(words) + (f" and {more} more" if more else "")


def _rows(document: Document, clauses: dict[str, coverage.Clause]) -> Iterator[str]:
    yield f"## {document.title} (`{document.name}`)"
    yield ""
    total = len(document.statements)
    yield f"{total} statements, {sum(bool(one.clauses) for one in document.statements)} with clauses."
    yield ""
    yield "| statement | clauses | code | cases, rules and checks |"
    yield "|---|---|---|---|"
    for section in document.sections:
        yield f"| **{section.title}** | | | |"
        for one in section.statements:
            code = ", ".join(f"[{Path(file).name}](../{file})" for file in one.code)
            shown = _shown(one, clauses) if one.clauses else f"*{one.because}*"
            yield f"| {one.says} | {', '.join(one.clauses)} | {code} | {shown} |"
    yield ""


def page(here: Path) -> str:
    """Of the workspace's folder."""
    clauses = {clause.id: clause for chapter in coverage.chapters_of(here).values() for clause in chapter}
    lines: list[str] = [
        "# The statements of the seeds",
        "",
        "pmproof grew from five documents. What each says, in our words; the clauses of `reference/spec` that say it in",
        "full, or correct it; code that names one of them; and what shows it ([coverage.md](coverage.md) has all of that).",
        "Made by `qa/golden/golden seeds` from `seeds.json`; a test keeps it so.",
        "",
    ]
    for document in load(here / "golden/seeds.json"):
        lines += _rows(document, clauses)
    return "\n".join(lines)


def wrong(documents: Sequence[Document], here: Path, workspace: Path) -> Iterator[str]:
    """What does not hold: clauses that are not there, code that names none of them, statements without either reason."""
    known = {clause.id for chapter in coverage.chapters_of(here).values() for clause in chapter}
    for document in documents:
        for one in document.statements:
            if bool(one.clauses) == bool(one.because):
                yield f"{one.says}: it needs clauses, or a reason for having none"
            yield from (f"{one.says}: there is no clause {clause}" for clause in one.clauses if clause not in known)
            for file in one.code:
                path = workspace / file
                if not path.is_file():
                    yield f"{one.says}: there is no file {file}"
                elif not named(path.read_text(encoding="utf-8")) & set(one.clauses):
                    yield f"{one.says}: {file} names none of its clauses"
