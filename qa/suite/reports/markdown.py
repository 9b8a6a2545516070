# SPDX-License-Identifier: Apache-2.0
"""Markdown, as the summary of a CI job shows it."""

from collections import Counter

from qa.suite.journal import Implemented, Run
from qa.suite.reports.text import chapter_of, claim_of, counts_text, notes, why_not

_MOST_TOLD = 30


def _cell(text: str) -> str:
    """Of whatever an implementation said: nothing in it is Markdown or HTML."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    for c in "\\`*_[]<>|#&!~":
        flat = flat.replace(c, f"&#{ord(c)};")
    return flat


def _matrix(run: Run) -> list[str]:
    chapters = sorted({chapter_of(verdict) for one in run.implementations for verdict in one.verdicts})
    if not chapters:
        return []
    lines = ["| chapter | " + " | ".join(_cell(one.name) for one in run.implementations) + " |"]
    lines.append("|---|" + "---|" * len(run.implementations))
    for chapter in chapters:
        row = [chapter]
        for one in run.implementations:
            counts = Counter(verdict["status"] for verdict in one.verdicts if chapter_of(verdict) == chapter)
            row.append(counts_text(dict(sorted(counts.items()))) if counts else "not asked")
        lines.append(f"| {' | '.join(row)} |")
    return [*lines, ""]


def _implementation(run: Run, one: Implemented) -> list[str]:
    lines = [f"### {_cell(one.name)}: {claim_of(one)}", ""]
    if one.title != one.name:
        lines += [_cell(one.title), ""]
    if one.claims:
        lines += ["| capability | claim | checks |", "|---|---|---|"]
        lines += [f"| {_cell(c['capability'])} | {c['claim']} | {counts_text(c['counts'])} |" for c in one.claims]
        lines.append("")
    lines += [f"- {_cell(note)}" for note in notes(run, one)]
    failed = [verdict for verdict in one.verdicts if verdict["status"] in ("fail", "surprise")]
    for verdict in failed[:_MOST_TOLD]:
        lines.append(f"- **{_cell(verdict['id'])}** {_cell(run.cases[verdict['case']]['title'])}: {_cell(why_not(verdict))}")
    if len(failed) > _MOST_TOLD:
        lines.append(f"- and {len(failed) - _MOST_TOLD} more failures, which are not shown here")
    return [*lines, ""]


def render(run: Run) -> str:
    lines = ["## pmproof suite", ""]
    if not run.is_complete:
        lines += ["**The run is not complete.**", ""]
    lines += _matrix(run)
    for one in run.implementations:
        lines += _implementation(run, one)
    return "\n".join(lines).rstrip("\n") + "\n"
