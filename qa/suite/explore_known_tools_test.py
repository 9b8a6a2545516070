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


def _described(start: str, end: str, pid: int = 1) -> Outcome:
    return Outcome("result", {"start": start, "end": end, "labels": [{"start": start, "host": "h", "pid": pid}], "metrics": []})


@pytest.mark.parametrize(
    ("right", "told", "named"),
    [
        # The years 33172, 10000 and 9999; as GNU date tells them, 3317 and 1000.
        (("984644546756.317000000", "984644546788.868000000"), ("42511817156.317000000", "42511817188.868000000"), "OUT-505"),
        (("253402300799.500000000", "253402300800.500000000"), ("253402300799.500000000", "-30610223999.500000000"), "OUT-505"),
        (("984644546756.317000000", "984644546788.868000000"), ("42511817156.317000000", "42511817188.869000000"), None),
        (("253402300799.500000000", "253402300799.500000000"), ("1.500000000", "253402300799.500000000"), None),
    ],
)
def test_years_beyond_9999_that_are_cut_are_a_declared_deviation(right: tuple[str, str], told: tuple[str, str], named: str | None) -> None:  # OUT-505
    describe = Ask("archive.describe", {"path": "a"}, {}, ("ARC-006",))
    assert known_tools.deviation(describe, _described(*right), _described(*told)) == named
    assert known_tools.deviation(describe, _described(*right), _described(*told, pid=2)) is None


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ("my.a=2 \n\nmy=3\n", "DER-1202"),
        ("my = 1\nmy.a.b = 2\n", "DER-1202"),
        ("my = 1\nmya.b = 2\n", None),
        ("my = my.a\n", None),
    ],
)
def test_a_listing_that_ends_at_a_leaf_with_children_is_a_declared_deviation(config: str, named: str | None) -> None:  # DER-1202
    parse = Ask("derive.parse", {"path": "a"}, {"config": config}, ("DER-302",))
    right = Outcome("result", {"config": {"registered": 2, "diagnostics": []}})
    assert known_tools.deviation(parse, right, Outcome("crash", {}, "pminfo ended with signal 6")) == named
    assert known_tools.deviation(parse, right, Outcome("result", {"config": {"registered": 1, "diagnostics": []}})) is None


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


class _Emulates(_Says):
    """Of metrics that are fetched together something else than of one alone."""

    def run(self, operation: str, source: object, args: Any) -> Outcome:  # type: ignore[override]
        def value(name: str) -> str:
            if "emulate" not in args:
                return "right"
            return f"{name} beside others" if len(args["metrics"]) > 1 else name

        metrics = [{"metric": name, "status": 0, "values": [{"instance": None, "type": "string", "value": value(name)}], "deviations": ["DEV-06"]} for name in args["metrics"]]
        return Outcome("result", {"fetches": [{"time": "1.0", "status": 0, "metrics": metrics}]})


@pytest.mark.parametrize(
    ("name", "told", "verdict"),
    [
        ("pcp-tools", "{}", "deviation"),
        ("pcp-tools", "{} beside others", "wrong"),
        ("pcp", "{}", "wrong"),
        ("pcp", "{} beside others", "deviation"),
    ],
)
def test_tools_fetch_each_metric_by_itself(name: str, told: str, verdict: str) -> None:
    metrics = [{"metric": one, "status": 0, "values": [{"instance": None, "type": "string", "value": told.format(one)}]} for one in ("a", "b")]
    testee: Any = _Says(name, Outcome("result", {"fetches": [{"time": "1.0", "status": 0, "metrics": metrics}]}))
    right: Any = _Emulates("pmproof", Outcome("result"))
    ask = Ask("replay.interp", {"path": "a"}, {"metrics": ["a", "b"], "start": "1", "rule": "pcp-6.3.2"}, ("INT-306",))
    judged = Pair(right, testee, "7.2.2").judge(ask, Path("x"))
    assert (judged.verdict, judged.why if verdict == "deviation" else "") == (verdict, "DEV-06" if verdict == "deviation" else "")
