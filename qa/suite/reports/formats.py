# SPDX-License-Identifier: Apache-2.0
"""The reports that are made of a run."""

from collections.abc import Callable
from dataclasses import dataclass

from qa.suite.journal import Run
from qa.suite.reports import badge, html_report, json_report, junit, markdown, tap


@dataclass(frozen=True)
class Format:
    says: str
    render: Callable[[Run], str]


FORMATS = {
    "json": Format("all verdicts and claims (schema/report.schema.json)", json_report.render),
    "junit": Format("JUnit XML, a test suite for each implementation", junit.render),
    "tap": Format("TAP version 13", tap.render),
    "markdown": Format("a summary, such as $GITHUB_STEP_SUMMARY wants it", markdown.render),
    "html": Format("one page that needs nothing else: matrix, drill-down, side by side, plots", html_report.render),
    "badge": Format("JSON of shields.io's endpoint badge", badge.render),
}
