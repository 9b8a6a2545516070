# SPDX-License-Identifier: Apache-2.0
"""A survey's document as one HTML page that needs nothing else (reports/page.survey.jinja)."""

from qa.suite.reports.html_report import template
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
_MORE_STYLE = """\
.bar { display: block; height: .35rem; background: var(--plot); min-width: 1px; } td.number { text-align: right; white-space: nowrap; }
"""


def render(told: Json) -> str:
    most = max((one["differing"] for one in told["metrics"]["listed"]), default=1)
    return template("page.survey.jinja").render(
        title=f"pmproof: {told['baseline']['name']} and {told['candidate']['name']}",
        more_style=_MORE_STYLE,
        told=told,
        summary=list(text.head_lines(told)),
        differences=_DIFFERENCES,
        shown=displayable,
        size=text.size_text,
        series=text.series_text,
        answer=text.answer_text,
        witness=lambda witness: "\n".join(map(displayable, text.witness_lines(witness, (told["baseline"]["name"], told["candidate"]["name"])))),
        why=text.why_text,
        silence=lambda one: text.silence_text(told, one),
        share=lambda part, whole: f"{100 * part / whole:.2f}" if whole else "",
        bar=lambda number: f"{100 * number / most:.1f}",
    )
