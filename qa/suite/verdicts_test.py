# SPDX-License-Identifier: Apache-2.0
"""Answers that are wrong in every way in which answers are wrong, and what is said of them."""

import copy
import dataclasses
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from qa.adapters.testee import outcome_of
from qa.golden import cases, compare
from qa.golden.cases import Case, Deviation
from qa.suite import journal
from qa.suite.checks import checks_of
from qa.suite.expectations import Entry, Used
from qa.suite.reports.text import details
from qa.suite.verdicts import Answer, Judge, Verdict

TODAY = datetime.date(2026, 11, 22)
CASES = {case.id: case for case in cases.load_all(Path("golden"))}


Change = Callable[[dict[str, Any]], Any]


def judged(case: Case, change: Change, version: str | None = None, entries: Sequence[Used] = ()) -> list[Verdict]:
    """Of somebody who answers as expected, the first time after a change."""
    judge = Judge(version, entries, TODAY)
    found: list[Verdict] = []
    for check in checks_of([case]):
        answer = copy.deepcopy(check.request.expect)
        if not found:
            change(answer)
        found.append(judge.verdict(Answer(check, outcome_of(answer), 0)))
    return found


def failures(name: str, change: Change) -> list[Verdict]:
    return [verdict for verdict in judged(CASES[name], change) if verdict.status != "pass"]


def text_of(verdict: Verdict) -> str:
    """As people see it."""
    run = journal.Run()
    run.add(journal.case_event(verdict.check.case, Path("golden")))
    return "\n".join(details(run, journal.verdict_event("canned", verdict)))


def metric_of(answer: dict[str, Any], fetch: int) -> dict[str, Any]:
    metric: dict[str, Any] = answer["result"]["fetches"][fetch]["metrics"][0]
    return metric


def first_value(answer: dict[str, Any], fetch: int = 1) -> dict[str, Any]:
    value: dict[str, Any] = metric_of(answer, fetch)["values"][0]
    return value


def changes() -> dict[str, Change]:
    type_error = {"status": -12397, "error": "PM_ERR_TYPE", "values": []}
    return {
        "another value": lambda answer: first_value(answer).update(value="871"),
        "another type": lambda answer: first_value(answer).update(type="64"),
        "an instance": lambda answer: first_value(answer).update(instance=0),
        "a key more": lambda answer: first_value(answer).update(name="a"),
        "no value": lambda answer: metric_of(answer, 1).update(values=[]),
        "a value too many": lambda answer: metric_of(answer, 0).update(values=[first_value(answer)]),
        "a metric's error": lambda answer: metric_of(answer, 1).update(type_error),
        "another time": lambda answer: answer["result"]["fetches"][1].update(time="1700000025.000000001"),
        "no end": lambda answer: answer["result"]["fetches"][4].update(status=0),
        "a fetch too few": lambda answer: answer["result"]["fetches"].pop(),
        "a fetch too many": lambda answer: answer["result"]["fetches"].append(answer["result"]["fetches"][4]),
        "more than the result": lambda answer: answer["result"].update(note="all is well"),
        "a refusal": lambda answer: (answer.pop("result"), answer.update(reject={"class": "damaged"})),
        "nothing": lambda answer: answer.pop("result"),
        "a skip": lambda answer: (answer.pop("result"), answer.update(skip={"reason": "no"})),
    }


def test_the_expected_answer_passes() -> None:
    assert failures("replay/worked-counter-25", lambda answer: None) == []


@pytest.mark.parametrize("what", changes())
def test_a_wrong_answer_fails_and_is_shown(what: str) -> None:
    (verdict,) = failures("replay/worked-counter-25", changes()[what])
    text = text_of(verdict)
    assert text.startswith("replay/worked-counter-25#1@pcp-legacy [INT-1501, ")
    assert '"interval": "25"' in text
    assert "expected" in text and "actual" in text


def definition_of(answer: dict[str, Any], number: int) -> dict[str, Any]:
    definition: dict[str, Any] = answer["result"]["definitions"][number]
    return definition


def changes_of_definitions() -> dict[str, Change]:
    """Of derived/where: the first does not bind."""
    return {
        "another place": lambda answer: definition_of(answer, 0).update(where="str + str"),
        "another stage": lambda answer: definition_of(answer, 0).update(stage="syntax"),
        "a position": lambda answer: definition_of(answer, 0).update(position=0),
        "another message": lambda answer: definition_of(answer, 0).update(message="no"),
        "silence": lambda answer: definition_of(answer, 0).update(message=None),
        "it binds": lambda answer: definition_of(answer, 0).update(ok=True),
        "another name": lambda answer: definition_of(answer, 0).update(name="x"),
        "a key more": lambda answer: definition_of(answer, 0).update(clause="DER-824"),
        "one too few": lambda answer: answer["result"]["definitions"].pop(),
        "one too many": lambda answer: answer["result"]["definitions"].append(definition_of(answer, 0)),
        "more than the result": lambda answer: answer["result"].update(config={"registered": 0, "diagnostics": []}),
        "no result": lambda answer: answer["result"].pop("definitions"),
        "no definition": lambda answer: answer["result"]["definitions"].__setitem__(0, "x"),
    }


@pytest.mark.parametrize("what", changes_of_definitions())
def test_a_wrong_definition_fails_and_is_shown(what: str) -> None:
    (verdict,) = failures("derived/where", changes_of_definitions()[what])
    text = text_of(verdict)
    assert text.startswith("derived/where#1@6.0.3 [DER-709] wrong: ")
    assert "\n  > " in text


def test_where_and_pmid_mean_nothing_unless_they_are_expected() -> None:  # DER-209, 901
    refused = {"name": "x", "ok": False, "stage": "bind", "position": None, "message": "no"}
    assert compare.entry_matches(refused, {**refused, "where": "a + b", "pmid": "511.0.3"})
    assert not compare.entry_matches({**refused, "where": "a"}, {**refused, "where": "a + b"})
    assert not compare.entry_matches({**refused, "pmid": "511.0.3"}, refused)


def test_a_wrong_configuration_fails() -> None:
    def registered(answer: dict[str, Any]) -> None:
        answer["result"]["config"]["registered"] += 1

    def said(answer: dict[str, Any]) -> None:
        answer["result"]["config"]["diagnostics"].append("[F:1] Error: no")

    def help_text(answer: dict[str, Any]) -> None:
        answer["result"]["metrics"][0]["oneline"] = "short"

    for change in (registered, said, help_text):
        assert len(failures("derived/config-help", change)) == 1


def test_what_differs_stands_side_by_side() -> None:
    (verdict,) = failures("replay/worked-counter-25", changes()["another value"])
    lines = text_of(verdict).splitlines()
    assert [line[2] for line in lines[-5:]] == [" ", ">", " ", " ", " "]
    time = "1700000025.000000000"
    assert lines[-4].split() == [">", time, "m.counter", "870", "|", time, "m.counter", "871"]


def test_another_class_of_refusal_fails_a_shorter_one_does_not() -> None:
    def to(name: str) -> Change:
        return lambda answer: answer["reject"].update({"class": name})

    assert len(failures("replay/set-refused", to("set.overlap"))) == 1
    assert len(failures("replay/set-refused", to("label"))) == 1
    assert failures("replay/set-refused", to("set")) == []


def test_the_place_of_a_refusal_counts_where_both_sides_say_it() -> None:  # PDU-014
    def said(place: dict[str, int]) -> list[Verdict]:
        return failures("pmda/fault-places", lambda answer: answer["reject"].update(place))

    assert not failures("pmda/fault-places", lambda answer: answer["reject"].pop("offset"))
    assert not said({"line": 7})
    (verdict,) = said({"offset": 8})
    text = text_of(verdict)
    assert "expected: refusal pdu.header, offset 0" in text
    assert "actual:   refusal pdu.header, offset 8" in text


def test_length_and_count_of_a_finding_count_where_both_sides_say_them() -> None:  # ARC-2304
    def said(more: dict[str, int]) -> list[Verdict]:
        return failures("archive/rules-descriptors", lambda answer: answer["result"]["findings"][0].update(more))

    assert not failures("archive/rules-descriptors", lambda answer: answer["result"]["findings"][0].pop("count"))
    assert [verdict.status for verdict in said({"count": 2})] == ["fail"]
    assert [verdict.status for verdict in said({"length": 3})] == ["fail"]
    assert [verdict.status for verdict in said({"offset": 3})] == ["fail"]


def test_the_order_of_instances_means_nothing() -> None:  # INT-409
    def turn(answer: dict[str, Any]) -> None:
        answer["result"]["fetches"][0]["metrics"][0]["values"].reverse()

    assert failures("replay/instances-order", turn) == []


def value(kind: str, text: str) -> dict[str, Any]:
    values = [{"instance": None, "type": kind, "value": text}]
    return {"time": "1.000000000", "status": 0, "metrics": [{"metric": "m", "status": 0, "values": values}]}


@pytest.mark.parametrize(
    ("kind", "expected", "actual", "tolerance", "same"),
    [
        ("u64", "18446744073709551615", "18446744073709551614", {}, False),
        ("u64", "18446744073709551615", "18446744073709551614", {"integer": 1}, True),
        ("u64", "18446744073709551615", "18446744073709551613", {"integer": 1}, False),
        ("double", "0.1", "0.10000000000000002", {}, False),
        ("double", "0.1", "0.10000000000000002", {"ulp": 1}, True),
        ("double", "0.1", "0.10000000000000003", {"ulp": 1}, False),
        ("float", "0.1", "0.1000001", {"ulp": 4}, False),
        ("double", "0", "-5e-324", {"ulp": 1}, True),
        ("double", "nan", "nan", {}, True),
        ("double", "nan", "1", {"ulp": 4}, False),
        ("string", "a", "b", {"integer": 1, "ulp": 1}, False),
    ],
)
def test_tolerance(kind: str, expected: str, actual: str, tolerance: dict[str, int], same: bool) -> None:  # INT-611
    assert compare.fetch_matches(value(kind, expected), value(kind, actual), tolerance) == same


def with_deviation(differs: str) -> Case:
    case = CASES["replay/worked-counter-25"]
    deviation = Deviation("DEV-03", ("7.2",), differs)
    return dataclasses.replace(case, requests=(dataclasses.replace(case.requests[0], deviations=(deviation,)),))


@pytest.mark.parametrize(
    ("differs", "what", "version", "status"),
    [
        ("always", "another value", "7.2.2", "deviation"),
        ("always", None, "7.2.2", "surprise"),  # the declaration is stale
        ("always", "another value", "7.20", "fail"),
        ("always", "another value", None, "fail"),  # it is not PCP
        ("sometimes", "another value", "7.2.2", "deviation"),
        ("sometimes", None, "7.2.2", "pass"),
    ],
)
def test_a_declared_deviation(differs: str, what: str | None, version: str | None, status: str) -> None:
    verdict = judged(with_deviation(differs), changes()[what] if what else lambda answer: None, version)[0]
    assert verdict.status == status
    assert verdict.failed == (status in ("fail", "surprise"))


@pytest.mark.parametrize(
    ("entry", "what", "status"),
    [
        (Entry("replay/worked-counter-25#1@pcp-legacy", "wrong", "", "r"), "another value", "deviation"),
        (Entry("replay/worked-counter-25#1", "wrong", "line 2", "r"), "another value", "deviation"),
        (Entry("replay/worked-*", "wrong", "", "r", TODAY), "another value", "deviation"),
        (Entry("replay/worked-counter-25#1", "wrong", "damaged", "r"), "a refusal", "deviation"),
        (Entry("replay/worked-counter-25#1", "wrong", "label", "r"), "a refusal", "fail"),
        (Entry("replay/worked-counter-25#1", "wrong", "line 3", "r"), "another value", "fail"),
        (Entry("replay/worked-counter-25#1", "crash", "", "r"), "another value", "fail"),
        (Entry("replay/worked-counter-25#2", "wrong", "", "r"), "another value", "fail"),
        (Entry("replay/worked-*", "wrong", "", "r", datetime.date(2026, 11, 21)), "another value", "fail"),
        (Entry("replay/worked-counter-25", "wrong", "", "r"), None, "surprise"),
        (Entry("replay/worked-counter-25", "wrong", "", "r"), "a skip", "skip"),
    ],
    ids=str,
)
def test_an_expected_failure(entry: Entry, what: str | None, status: str) -> None:
    change = changes()[what] if what else lambda answer: None
    verdict = judged(CASES["replay/worked-counter-25"], change, entries=[Used(entry)])[0]
    assert verdict.status == status


def test_the_rest_of_what_an_entry_concerns_has_to_fail_as_well() -> None:
    entry = Used(Entry("replay/worked-counter-25", "wrong", "", "r"))
    verdicts = judged(CASES["replay/worked-counter-25"], changes()["another value"], entries=[entry])
    assert [verdict.status for verdict in verdicts] == ["deviation", "surprise", "surprise"]


class TestRunsOfTools:
    """tool.run: lines, what they say as records, or both."""

    NAME = "tool-output/pmdumplog-stamps"

    @staticmethod
    def without(*keys: str) -> Change:
        return lambda answer: [answer["result"].pop(key) for key in keys]

    def test_lines_alone_and_records_alone_are_enough(self) -> None:
        assert failures(self.NAME, self.without("records")) == []
        assert failures(self.NAME, self.without("stdout", "stderr")) == []

    def test_records_need_no_lines_of_their_own(self) -> None:
        def change(answer: dict[str, Any]) -> None:
            self.without("stdout", "stderr")(answer)
            for record in answer["result"]["records"]:
                del record["line"]

        assert failures(self.NAME, change) == []

    def test_neither_is_too_little(self) -> None:
        assert len(failures(self.NAME, self.without("stdout", "stderr", "records"))) == 1

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda result: result["stdout"].pop(), "-; expected     29.0.1 (m.one): value 7"),
            (lambda result: result["stdout"].__setitem__(2, result["stdout"][2] + " "), "value 7 ; expected     29.0.1 (m.one): value 7"),
            (lambda result: result["stderr"].append("what is this"), "what is this; expected -"),
            (lambda result: result.__setitem__("status", 1), "status: 1; expected status: 0"),
            (lambda result: result["records"][1].__setitem__("line", 77), '"line": 77'),
            (lambda result: result["records"][1]["values"][0].__setitem__("value", "8"), '"value": "8"'),
        ],
    )  # fmt: skip
    def test_what_differs_is_shown(self, change: Change, told: str) -> None:
        (failure,) = failures(self.NAME, lambda answer: change(answer["result"]))
        assert failure.outcome == "wrong"
        assert told in failure.message or told in text_of(failure), failure.message
