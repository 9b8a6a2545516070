# SPDX-License-Identifier: Apache-2.0
"""A survey's document as one HTML page (reports/shell.py, reports/page.survey.jinja)."""

from qa.suite.reports import shell
from qa.suite.survey import text
from qa.suite.survey.kinds import Json
from qa.support.display import displayable

_DIFFERENCES = {
    "number": "two numbers",
    "content": "two strings, aggregates or events",
    "baseline_only": "only the baseline has a value",
    "candidate_only": "only the candidate has a value",
    "error": "an error that the other does not answer",
}

_STYLES = {0: "good", 1: "error"}  # of the verdict, by exit status


def render(told: Json) -> str:
    most = max((one["differing"] for one in told["metrics"]["listed"]), default=1)
    names = (told["baseline"]["name"], told["candidate"]["name"])
    *summary, verdict = text.head_lines(told)
    style = _STYLES.get(told["footer"]["status"], "fatal")
    return shell.render(
        "page.survey.jinja",
        shell.Head("rules survey", " and ".join(names), verdict, style, told["tool"]["version"], str(told["began"] or "")),
        told=told,
        summary=summary,
        differences=_DIFFERENCES,
        shown=displayable,
        size=text.size_text,
        series=text.series_text,
        answer=text.answer_text,
        witness=lambda witness: "\n".join(map(displayable, text.witness_lines(witness, names))),
        why=text.why_text,
        silence=lambda one: text.silence_text(told, one),
        share=lambda part, whole: f"{100 * part / whole:.2f}" if whole else "",
        bar=lambda number: f"{100 * number / most:.1f}",
    )
