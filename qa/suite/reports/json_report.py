# SPDX-License-Identifier: Apache-2.0
"""JSON (schema/report.schema.json): verdicts by implementation, without the texts of the cases."""

import json

from qa.golden.cases import Json
from qa.suite.journal import Implemented, Run
from qa.suite.reports.text import claim_of

SCHEMA = "pmproof-suite-report/1"


def _verdict(event: Json) -> Json:
    return {key: told for key, told in event.items() if key not in ("event", "implementation")}


def _implementation(one: Implemented) -> Json:
    return {
        "name": one.name,
        "hello": one.hello,
        "complete": one.is_complete,
        "because": one.end.get("because", "its journal has no end"),
        "claim": claim_of(one),
        "claims": one.claims,
        "counts": one.end.get("counts", {}),
        "not_applicable": one.end.get("not_applicable", 0),
        "problems": one.problems,
        "verdicts": [_verdict(verdict) for verdict in one.verdicts],
    }


def render(run: Run) -> str:
    report = {
        "schema": SCHEMA,
        **{key: run.header[key] for key in ("tool", "started", "cases", "selection")},
        "implementations": [_implementation(one) for one in run.implementations],
        "footer": {"complete": run.is_complete, "status": run.footer.get("status")},
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
