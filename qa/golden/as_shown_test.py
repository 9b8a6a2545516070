# SPDX-License-Identifier: Apache-2.0
"""What an answer could not show is neither taken for right nor for wrong; all the rest is compared as ever."""

from typing import Any

import pytest

from qa.adapters.testee import Outcome
from qa.golden import compare

Json = dict[str, Any]


def fetch(*values: str, status: int = 0, time: str = "10.000000000", kind: str = "double") -> Json:
    told: Json = {"metric": "m", "status": status}
    if status:
        told["error"] = "PM_ERR_VALUE"
    told["values"] = [{"instance": i, "type": kind, "value": value} for i, value in enumerate(values)]
    return {"time": time, "status": 0, "metrics": [told]}


def judged(expected: list[Json], actual: list[Json], *not_shown: Json) -> str:
    expect = {"result": {"fetches": expected}}
    outcome = Outcome("result", {"fetches": actual, "not_shown": list(not_shown)} if not_shown else {"fetches": actual})
    if compare.matches(expect, outcome, {}):
        return "right"
    return "; ".join(compare.undecided(expect, outcome, {})) or "wrong"


STATUS = {"at": ["/fetches/0/metrics/0/status", "/fetches/0/metrics/0/error"], "because": "no errors are printed"}


def test_a_plain_reading_may_be_right() -> None:
    assert judged([fetch()], [fetch()], STATUS) == "right"


def test_what_differs_in_such_a_part_alone_is_undecided() -> None:
    assert judged([fetch(status=-12351)], [fetch()], STATUS) == "no errors are printed"


@pytest.mark.parametrize(
    "actual", [[fetch("1")], [fetch(time="11.000000000")], [], [fetch(), fetch()], [{"time": "10.000000000", "status": 0}]]
)
def test_what_differs_elsewhere_is_wrong(actual: list[Json]) -> None:
    assert judged([fetch(status=-12351)], actual, STATUS) == "wrong"


def test_without_it_the_same_is_wrong() -> None:
    assert judged([fetch(status=-12351)], [fetch()]) == "wrong"


@pytest.mark.parametrize("expected", [None, "", '{"a":1}'])
def test_a_part_that_is_not_shown_may_be_null(expected: str | None) -> None:
    expect = {"result": {"status": 0, "merged": expected}}
    shown = {"status": 0, "merged": "{}"}
    outcome = Outcome("result", {**shown, "not_shown": [{"at": ["/merged"], "because": "none are printed"}]})
    assert not compare.matches(expect, outcome, {})
    assert compare.undecided(expect, outcome, {}) == ["none are printed"]
    assert not compare.undecided(expect, Outcome("result", shown), {})


def test_a_whole_fetch_may_not_be_shown() -> None:
    unknown = {"at": ["/fetches/1"], "because": "nothing is printed after the end"}
    assert judged([fetch("1"), fetch("2")], [fetch("1"), fetch("3")], unknown) == "nothing is printed after the end"
    assert judged([fetch("1"), fetch("2")], [fetch("0"), fetch("3")], unknown) == "wrong"


@pytest.mark.parametrize(
    ("expected", "told"), [("0.3333333333333333", "right"), ("0.33333334", "right"), ("0.334", "wrong"), ("nan", "wrong")]
)
def test_a_number_is_as_near_as_it_is_shown(expected: str, told: str) -> None:
    near = {"at": ["/fetches/0/metrics/0/values/0/value"], "because": "eight digits", "within": "5e-8"}
    assert judged([fetch(expected)], [fetch("0.33333333")], near) == told


@pytest.mark.parametrize(("expected", "told"), [("0.3335", "right"), ("0.3333", "three digits"), ("0.335", "wrong")])
def test_a_number_that_is_hardly_shown_is_not_right(expected: str, told: str) -> None:
    near = {"at": ["/fetches/0/metrics/0/values/0/value"], "because": "three digits", "within": "5e-4"}
    assert judged([fetch(expected)], [fetch("0.3335")], near) == told


def test_values_are_found_whatever_their_order() -> None:
    near = {"at": ["/fetches/0/metrics/0/values/1/value"], "because": "no decimals", "within": "1"}
    expected = fetch("1000000.5", "2000000.5")
    expected["metrics"][0]["values"].reverse()
    assert judged([expected], [fetch("1000000.5", "2000000")], near) == "right"
    assert judged([expected], [fetch("1000000", "2000000.5")], near) == "wrong"


@pytest.mark.parametrize("at", ["/", "/fetches", "/fetches/9/metrics", "/fetches/x/0", "/no/such", "/fetches/0/metrics/0/values/7/value"])
def test_pointers_that_lead_nowhere_change_nothing(at: str) -> None:
    assert judged([fetch("1")], [fetch("2")], {"at": [at], "because": "it is so"}) in ("wrong", "it is so")
    assert judged([fetch("1")], [fetch("2")], {"at": [at], "because": "it is so", "within": "x"}) == "wrong"


def test_side_by_side_a_near_number_is_alike() -> None:
    near = {"at": ["/fetches/0/metrics/0/values/0/value"], "because": "no decimals", "within": "1"}
    outcome = Outcome("result", {"fetches": [fetch("2000000")], "not_shown": [near]})
    assert [same for *_, same in compare.rows({"result": {"fetches": [fetch("2000000.5")]}}, outcome, {})] == [True]
