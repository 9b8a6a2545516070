# SPDX-License-Identifier: Apache-2.0
"""Which clauses an answer, or a difference, is about."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from qa.adapters.testee import Outcome
from qa.golden import cases
from qa.suite.explore import difference
from qa.suite.explore.pair import Judged
from qa.suite.explore.scene import Ask

_CITED = re.compile(r"\[((?:INT|DER|MET)-[0-9]+)")


def clauses_in(ask: Ask, expected: Outcome) -> Iterator[str]:
    """What the right answer to a request cites: rules that are broken; else what it is about."""
    findings = expected.body.get("findings")
    if isinstance(findings, list):
        yield from (str(finding["rule"]) for finding in findings)
    else:
        yield from ask.clauses


def clause_of(pmproof: str, ask: Ask, folder: Path, judged: Judged) -> str:
    """Of a disagreement."""
    if ask.operation == "archive.validate":
        if rule := _rule_that_differs(judged.expected, judged.actual):
            return rule
    if ask.operation == "replay.interp" and (place := difference.place_of(judged.expected, judged.actual)):
        if clause := _of_replay(pmproof, ask, folder, *place):
            return clause
    return ask.clauses[0]


def _rule_that_differs(expected: Outcome, actual: Outcome) -> str:
    one, other = ([(f.get("rule"), f.get("severity")) for f in side.body.get("findings", [])] for side in (expected, actual))
    differing = [rule for rule, _ in sorted(set(one) ^ set(other), key=str)] or [
        str(left["rule"]) for left, right in zip(expected.body.get("findings", []), actual.body.get("findings", []), strict=False) if left != right
    ]
    return str(differing[0]) if differing else ""


def _of_replay(pmproof: str, ask: Ask, folder: Path, time: str, metric: str) -> str:
    """As `pmproof replay --reason` cites it."""
    archives = ",".join(cases.paths_of(ask.source_in(folder)))
    words = [pmproof, "replay", archives, "--metric", metric, "--at", f"@{time}", "--reason"]
    for how in ("rule", "emulate"):
        if how in ask.args:
            words += [f"--{how}", str(ask.args[how])]
    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": os.defpath, "LC_ALL": "C"}, timeout=60, check=False)
    found = _CITED.search(done.stdout)
    return found[1] if found else ""
