# SPDX-License-Identifier: Apache-2.0
"""What `suite explore` knows of PCP's tools: deviations of the ledger that its library does not have."""

from pathlib import Path
from typing import Any

import pytest

from qa.adapters.testee import Outcome
from qa.suite.explore import known_tools
from qa.suite.explore.pair import Pair
from qa.suite.explore.scene import Ask

LABELS = Ask("archive.labels", {"path": "a"}, {"metric": "m", "time": "1"}, ("ARC-390",))
SETS = [("context", '{"h":"x"}'), ("cluster", '{"z":-1.50,"o":{"i":1}}'), ("item", '{"h":1,"p":{"q":{"r":"s"}}}')]
RIGHT = '{"h":1,"o.i":1,"p.r":"s","z":-1.50}'


def _labels(merged: str, of_instance: str | None = None, sets: list[tuple[str, str]] = SETS, **more: Any) -> Outcome:
    instances = [] if of_instance is None else [{"instance": 0, "labels": '{"h":2,"a":{"b":3}}', "merged": of_instance}]
    told = [{"class": name, "labels": text} for name, text in sets]
    return Outcome("result", {"status": 0, "sets": told, "merged": merged, "instances": instances, **more})


@pytest.mark.parametrize(
    ("merged", "named"),
    [
        ('{"h":1,"r":"s"}', "OUT-308"),
        ('{"h":1,"i":1,"r":"s","z":-1.50}', "OUT-308"),  # the first metric of its cluster has the item 0
        ('{"h":1,"i":1,"r":"s","z":-1.5}', None),
        ('{"h":1,"r":"s","z":-1.50}', None),
        ('{"h":"x","r":"s"}', None),
        ('{"h":1,"p.r":"s"}', None),
        ('{"h":1', None),
        ("[1]", None),
        ("", None),
    ],
)
def test_labels_as_pminfo_merges_them_are_a_declared_deviation(merged: str, named: str | None) -> None:  # OUT-308
    assert known_tools.deviation(LABELS, _labels(RIGHT), _labels(merged)) == named
    assert known_tools.deviation(LABELS, _labels(RIGHT), _labels(merged, sets=SETS[:1])) is None


@pytest.mark.parametrize(
    ("of_instance", "named"), [('{"b":3,"h":2,"r":"s"}', "OUT-308"), ('{"a.b":3,"h":2,"r":"s"}', None), ('{"h":1,"r":"s"}', None)]
)
def test_labels_of_an_instance_are_looked_at_as_well(of_instance: str, named: str | None) -> None:  # OUT-308
    right = _labels(RIGHT, '{"a.b":3,"h":2,"o.i":1,"p.r":"s","z":-1.50}')
    assert known_tools.deviation(LABELS, right, _labels('{"h":1,"r":"s"}', of_instance)) == named


def test_what_is_not_shown_is_no_difference() -> None:
    right = _labels(RIGHT, '{"a.b":3,"h":2,"o.i":1,"p.r":"s","z":-1.50}')
    unshown = _labels('{"h":1,"r":"s"}', not_shown=[{"at": ["/instances"], "because": "x"}])
    assert known_tools.deviation(LABELS, right, unshown) == "OUT-308"


def test_other_answers_are_no_deviation_of_tools() -> None:
    assert known_tools.deviation(LABELS, _labels(RIGHT), Outcome("crash", {}, "signal 11")) is None
    assert known_tools.deviation(Ask("archive.text", {"path": "a"}, {}, ()), _labels(RIGHT), _labels('{"h":1,"r":"s"}')) is None


class _Says:
    """An adapter that gives one answer."""

    def __init__(self, name: str, answer: Outcome) -> None:
        self.implementation = {"name": name}
        self._answer = answer

    def send(self, *_: object) -> None:
        pass

    def receive(self) -> Outcome:
        return self._answer

    def run(self, *_: object) -> Outcome:
        return self._answer


@pytest.mark.parametrize(("name", "verdict"), [("pcp-tools", "deviation"), ("pcp", "wrong"), ("another", "wrong")])
def test_only_tools_may_merge_as_pminfo_does(name: str, verdict: str) -> None:  # OUT-308
    right: Any = _Says("pmproof", _labels(RIGHT))
    testee: Any = _Says(name, _labels('{"h":1,"r":"s"}'))
    assert Pair(right, testee, "7.2.2").judge(LABELS, Path("x")).verdict == verdict
