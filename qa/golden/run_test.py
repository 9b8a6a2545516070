"""That the suite can fail: answers that are wrong in every way in which answers are wrong."""

import copy
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qa.adapters.testee import Outcome, Testee, outcome_of
from qa.golden import cases, compare, run
from qa.golden.cases import Case, CaseError, Deviation
from qa.golden.cli import main
from validator.testing.run import PMPROOF

CASES = {case.id: case for case in cases.load_all(Path("golden"))}


class Canned(Testee):
    """Answers what the case expects, after a change."""

    def __init__(self, case: Case, change: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__("canned", lambda: ["false"])
        self._answers = [copy.deepcopy(request.expect) for request in case.requests for _ in request.variants]
        change(self._answers[0])

    def run(self, operation: str, source: dict[str, Any], args: dict[str, Any]) -> Outcome:
        return outcome_of(self._answers.pop(0))


def failures(name: str, change: Callable[[dict[str, Any]], Any]) -> list[run.Verdict]:
    case = CASES[name]
    return [verdict for verdict in run.under_all([case], Canned(case, change)) if not verdict.passed]


def metric_of(answer: dict[str, Any], fetch: int) -> dict[str, Any]:
    metric: dict[str, Any] = answer["result"]["fetches"][fetch]["metrics"][0]
    return metric


def first_value(answer: dict[str, Any], fetch: int = 1) -> dict[str, Any]:
    value: dict[str, Any] = metric_of(answer, fetch)["values"][0]
    return value


def changes() -> dict[str, Callable[[dict[str, Any]], Any]]:
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
    text = str(verdict)
    assert text.startswith("replay/worked-counter-25 [INT-1501, ")
    assert '"interval": "25"' in text
    assert "expected" in text and "actual" in text


def definition_of(answer: dict[str, Any], number: int) -> dict[str, Any]:
    definition: dict[str, Any] = answer["result"]["definitions"][number]
    return definition


def changes_of_definitions() -> dict[str, Callable[[dict[str, Any]], Any]]:
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
    text = str(verdict)
    assert text.startswith("derived/where [DER-709], request 1, dialect 6.0.3\n")
    assert "\n> " in text


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
    lines = str(verdict).splitlines()
    assert [line[0] for line in lines[-5:]] == [" ", ">", " ", " ", " "]
    time = "1700000025.000000000"
    assert lines[-4].split() == [">", time, "m.counter", "870", "|", time, "m.counter", "871"]


def test_another_class_of_refusal_fails_a_shorter_one_does_not() -> None:
    def to(name: str) -> Callable[[dict[str, Any]], Any]:
        return lambda answer: answer["reject"].update({"class": name})

    assert len(failures("replay/set-refused", to("set.overlap"))) == 1
    assert len(failures("replay/set-refused", to("label"))) == 1
    assert failures("replay/set-refused", to("set")) == []


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
    ("differs", "what", "version", "passed"),
    [
        ("always", "another value", "7.2.2", True),
        ("always", None, "7.2.2", False),  # the declaration is stale
        ("always", "another value", "7.20", False),
        ("sometimes", "another value", "7.2.2", True),
        ("sometimes", None, "7.2.2", True),
    ],
)
def test_a_declared_deviation(differs: str, what: str | None, version: str, passed: bool) -> None:
    case = with_deviation(differs)
    testee = Canned(case, changes()[what] if what else lambda answer: None)
    (verdict,) = run.of_version([case], testee, version)
    assert verdict.passed == passed


def test_which_rule_a_version_has() -> None:  # INT-1202
    assert [run.rule_of(version) for version in ("6.0.3", "6.3.1", "6.3.2", "6.3.8", "7.2.2")] == [
        "pcp-legacy",
        "pcp-legacy",
        "pcp-6.3.2",
        "pcp-6.3.2",
        "pcp-6.3.2",
    ]


def test_which_dialect_a_version_has() -> None:
    versions = ("6.0.3", "6.3.8", "7.2.0", "7.2.2")
    assert [run.dialect_of(version) for version in versions] == ["6.0.3", "6.3.8", "7.2.2", "7.2.2"]
    assert [run.dialect_of(version) for version in ("6.0.4", "7.1.5", "7.20.1")] == [None, None, None]


def test_a_version_is_asked_what_applies_to_its_dialect() -> None:
    (case,) = [CASES["derived/controls"]]
    asked = [number for number, request in enumerate(case.requests, start=1) if "6.3.8" in request.dialects]
    answers = [copy.deepcopy(case.requests[number - 1].expect) for number in asked]

    class Answering(Testee):
        def run(self, operation: str, source: dict[str, Any], args: dict[str, Any]) -> Outcome:
            assert "dialect" not in args
            return outcome_of(answers.pop(0))

    verdicts = list(run.of_version([case], Answering("6.3.8", lambda: ["false"]), "6.3.8"))
    assert [verdict.number for verdict in verdicts] == asked
    assert all(verdict.passed for verdict in verdicts)


def test_a_case_that_is_not_there_is_an_error() -> None:
    with pytest.raises(CaseError, match="no case is called replay/nothing"):
        cases.load_all(Path("golden"), ["replay/worked-*", "replay/nothing"])
    with pytest.raises(CaseError, match="no case.json"):
        cases.load_all(Path("golden/schema"))


SKIPPING = """#!/usr/bin/python3
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["cmd"] == "bye":
        break
    skip = {"seq": asked.get("seq"), "skip": {"reason": "no such rule", "issue": ""}}
    print(json.dumps({"ok": True, "protocol": 1} if asked["cmd"] == "hello" else skip), flush=True)
"""


def test_who_skips_everything_has_shown_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "skipping").write_text(SKIPPING, encoding="ascii")
    (tmp_path / "skipping").chmod(0o755)
    assert main(["run", f"exec:{tmp_path}/skipping", "replay/worked-counter-25"]) == 2
    assert "0 answers compared, 0 failed, 0 with a declared deviation, 3 skipped" in capsys.readouterr().err


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["list", "replay/set-*"]) == 0
    assert "replay/set-of-two" in capsys.readouterr().out
    assert main(["list", "--by-clause"]) == 0
    assert "INT-1501      replay/worked-counter-25, " in capsys.readouterr().out
    assert main(["run", f"exec:{PMPROOF} testee", "replay/worked-*"]) == 0
    assert " 0 failed, 0 with a declared deviation, 0 skipped" in capsys.readouterr().err
    assert main(["run", "exec:false", "replay/worked-*"]) == 3
    assert main(["run", "pcp:1.0"]) == 3
    assert main(["run", "something"]) == 2
    assert main(["run", "exec:true", "nothing"]) == 2
    assert main(["copy", str(tmp_path), "replay/worked-instant-4"]) == 0
    assert (tmp_path / "replay/inputs/worked/archive.meta").exists()
    assert [case.id for case in cases.load_all(tmp_path)] == ["replay/worked-instant-4"]
