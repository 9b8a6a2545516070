# SPDX-License-Identifier: Apache-2.0
"""Which clause of the specification is shown by which case, or by what instead: the page golden/coverage.md.

A clause is shown by golden cases and conversations that name it; by rules of `pmproof check` and checks of agents and collectors
(validator/catalogue), whose own it is or which name it; and else as golden/without_case.json says, which people write.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.conversations import conversation
from qa.golden import cases

Json = dict[str, Any]

_CLAUSE = re.compile(r"(?:\| |- )?((?:ARC|INT|MET|DER|PDU|PMD|DSO|CKA|CKC|OUT)-[0-9]+)[a-z]?\b")
_MOST = 3  # cases named in a row

KINDS = {
    "reference-test": "tests of the reference",
    "agents": "real agents and collectors",
    "inside": "not to be seen from outside",
    "user": "for whoever uses the tools",
    "definition": "says what words mean, or what was looked at",
    "undefined": "undefined, never compared",
    "pcp": "about PCP's programs alone",
}


class BrokenCoverage(Exception):
    """The data do not fit the specification."""


@dataclass
class Clause:
    id: str
    must: bool = False  # the word is in it
    cases: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)  # rules and checks of the catalogue
    kind: str = ""  # of KINDS
    because: str = ""
    tests: tuple[str, ...] = ()  # files

    @property
    def is_shown(self) -> bool:
        return bool(self.cases or self.checks or self.kind)


def clauses_of(text: str) -> list[Clause]:
    """Those of a chapter, in its order; rows with a letter (INT-405a) belong to the clause of the number."""
    found: dict[str, Clause] = {}
    current: Clause | None = None
    for line in text.splitlines():
        if line.startswith("#"):
            current = None
        elif told := _CLAUSE.match(line):
            current = found.setdefault(told[1], Clause(told[1]))
        if current is not None and re.search(r"\bMUST\b", line):
            current.must = True
    return list(found.values())


def catalogued(folder: Path) -> dict[str, list[str]]:
    """Of each clause the rules and checks that are it or name it."""
    found: dict[str, list[str]] = {}
    for path in [*sorted(folder.glob("*.json")), *sorted((folder / "checks").glob("*.json"))]:
        if path.name.endswith(".schema.json"):
            continue
        told = json.loads(path.read_text(encoding="utf-8"))
        for entry in told.get("rules", told.get("checks", [])):
            for clause in dict.fromkeys([entry["id"], *entry["clauses"]]):
                found.setdefault(clause, []).append(entry["id"])
    return found


def _numbers(told: str) -> Iterator[str]:
    """ARC-600..603 is four clauses, whether they are there or not."""
    prefix, _, numbers = told.partition("-")
    first, _, last = numbers.partition("..")
    for number in range(int(first), int(last or first) + 1):
        yield f"{prefix}-{number:0{len(first)}d}"


def _add_reasons(chapters: Mapping[str, list[Clause]], told: Json) -> None:
    known = {clause.id: clause for clauses in chapters.values() for clause in clauses}
    for entry in told["entries"]:
        for pattern in entry["clauses"]:
            fitting = [known[one] for one in _numbers(pattern) if one in known]
            if not fitting:
                raise BrokenCoverage(f"{pattern}: there is no such clause")
            for clause in fitting:
                if clause.kind:
                    raise BrokenCoverage(f"{clause.id} has two reasons")
                if ".." not in pattern and clause.cases:
                    raise BrokenCoverage(f"{clause.id} has cases, and a reason for having none")
                if not clause.cases:
                    clause.kind, clause.because = entry["kind"], entry["because"]
                    clause.tests = tuple(entry.get("tests", ()))


def chapters_of(here: Path) -> dict[str, list[Clause]]:
    """By file of the specification. Raises BrokenCoverage."""
    found = {
        path.name: clauses_of(path.read_text(encoding="utf-8"))
        for path in sorted((here / "reference/spec").glob("*.md"))
        if path.name != "README.md"
    }
    by_case = cases.by_clause(cases.load_all(here / "golden", checked=False))
    for one in conversation.load_all(here / "golden"):
        for name in one.all_clauses:
            by_case.setdefault(name, []).append(one.id)
    by_check = catalogued(here / "validator/catalogue")
    for clauses in found.values():
        for clause in clauses:
            clause.cases = by_case.get(clause.id, [])
            clause.checks = by_check.get(clause.id, [])
    _add_reasons(found, json.loads((here / "golden/without_case.json").read_text(encoding="utf-8")))
    return found


def link_to(case: str) -> str:
    """To a case or a conversation, from a page in golden/."""
    return f"[{case}]({case}/{conversation.NAME if case.startswith('conversations/') else 'case.json'})"


def _cases_text(names: Sequence[str]) -> str:
    told = ", ".join(link_to(name) for name in names[:_MOST])
    return told + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")


def _otherwise(clause: Clause) -> str:
    words = []
    if clause.checks:
        own = clause.id in clause.checks and len(clause.checks) == 1
        shown = clause.checks[: 2 * _MOST]
        more = f" and {len(clause.checks) - len(shown)} more" if len(clause.checks) > len(shown) else ""
        words.append("itself" if own else ", ".join(shown) + more)
    if clause.kind:
        tests = f" ({', '.join(f'`{test}`' for test in clause.tests)})" if clause.tests else ""
        words.append(f"*{KINDS[clause.kind]}*: {clause.because}{tests}")
    return "; ".join(words)


def _chapter(name: str, clauses: Sequence[Clause]) -> Iterator[str]:
    with_cases = sum(bool(clause.cases) for clause in clauses)
    must = [clause for clause in clauses if clause.must]
    yield f"## {name}"
    yield ""
    yield (
        f"{len(clauses)} clauses: {with_cases} in cases, {sum(bool(c.checks) and not c.cases for c in clauses)} more as rules and"
        f" checks, {sum(not c.checks and not c.cases for c in clauses)} otherwise. With the word MUST: {len(must)}, of them"
        f" {sum(bool(c.cases) for c in must)} in cases."
    )
    yield ""
    yield "| clause | | cases | rules, checks, and else why there is no case |"
    yield "|---|---|---|---|"
    for clause in clauses:
        row = [clause.id, "MUST" if clause.must else "", _cases_text(clause.cases), _otherwise(clause)]
        yield f"| {' | '.join(row)} |"
    yield ""


def page(here: Path) -> str:
    """Of the workspace's folder."""
    lines = [
        "# Coverage of the specification",
        "",
        "Every clause of `reference/spec/`, the cases and conversations that carry it, and what shows it beside or instead of them. Made by",
        "`qa/golden/golden coverage` from the cases, the conversations, the catalogue of rules and checks, and `without_case.json`; a test keeps it so.",
        "",
        "- *itself*: the clause is a rule of `pmproof check` (ARC-), or a check of `pmproof agent check` (CKA-) or `pmproof collector",
        "  check` (CKC-), which is tested by archives, agents and collectors that break it. Other IDs there: rules and checks that name it.",
        "- Every statement of interpolation.md and derived.md is a MUST for the reference semantics; MUST stands here where the word does.",
        "",
    ]
    for name, clauses in chapters_of(here).items():
        lines += _chapter(name, clauses)
    return "\n".join(lines)
