# SPDX-License-Identifier: Apache-2.0
"""Operations derive.parse and derive.eval of `pmproof testee`, from outside, on the base archive of ARC-1000: a counter
m.cnt of 1000, 1010, ... at each second, and m.inst with instances."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from validator.testee.testing.session import Json, Session, open_session

BASE = {"path": str(Path("golden/archive/base-v3"))}
START = 1700000000


@pytest.fixture(name="session")
def _session() -> Iterator[Session]:
    with open_session() as session:
        yield session


def definition(expression: str, name: str = "d.x", **more: Any) -> Json:
    return {"name": name, "expression": expression} | more


def parsed(session: Session, *definitions: Json, source: Json | None = None, **args: Any) -> list[Json]:
    reply = session.answer("derive.parse", BASE if source is None else source, definitions=list(definitions), **args)
    found: list[Json] = reply["result"]["definitions"]
    return found


def values(session: Session, *expressions: str, **args: Any) -> list[Any]:
    """Of each fetch the values of each expression; "" where there is none, the error's name where that is one."""
    derived = [definition(expression, f"d.x{i}") for i, expression in enumerate(expressions)]
    steps = {"start": str(START), "interval": "1", "count": 3}
    asked = {"metrics": [one["name"] for one in derived]} | (args if args.keys() & {"fetches", "raw"} else steps | args)
    reply = session.answer("derive.eval", BASE, derived=derived, **asked)
    return [
        fetch.get("error")
        or [metric.get("error") or " ".join(one["value"] for one in metric["values"]) for metric in fetch["metrics"]]
        for fetch in reply["result"]["fetches"]
    ]


def test_a_definition_has_the_descriptor_that_it_binds_to(session: Session) -> None:
    descriptor = {"type": "double", "semantics": "instant", "indom": None, "units": "count / sec"}
    assert parsed(session, definition("rate(m.cnt)"), pmids=True) == [
        {"name": "d.x", "ok": True, "pmid": "511.0.3", "descriptor": descriptor}
    ]


def test_a_syntax_error_has_a_position(session: Session) -> None:
    message = "Arithmetic or relational or boolean operator expected to follow NAME"
    refused = {"name": "d.x", "ok": False, "stage": "syntax", "position": 2, "message": message}
    assert parsed(session, definition("a b")) == [refused]
    assert parsed(session, definition("a b"), source={}) == [refused]
    assert parsed(session, definition("a b", per_context=True)) == [refused]


def test_where_pcp_is_silent_the_message_is_null(session: Session) -> None:
    assert parsed(session, definition(""))[0] == {
        "name": "d.x",
        "ok": False,
        "stage": "syntax",
        "position": -1,
        "message": None,
    }
    silent = {"name": "d.x", "ok": False, "stage": "bind", "position": None, "where": None, "message": None}
    for dialect in ("6.0.3", "6.3.8"):
        assert parsed(session, definition("nope + 1"), dialect=dialect) == [silent]
    aloud = silent | {"where": "operand nope", "message": "Unknown operand metric"}
    assert parsed(session, definition("nope + 1")) == [aloud]


def test_what_does_not_bind_says_where(session: Session) -> None:
    [told] = parsed(session, definition("m.cnt * m.cnt"))
    assert (told["stage"], told["where"], told["message"]) == (
        "bind",
        "m.cnt * m.cnt",
        "Illegal operator for counters",
    )


def test_a_call_that_adds_does_not_say_where(session: Session) -> None:
    [told] = parsed(session, definition("m.cnt * m.cnt", per_context=True), pmids=True)
    assert (told["pmid"], told["where"], told["message"]) == ("511.2047.1023", None, "Illegal operator for counters")


def test_a_name_is_taken_once_in_each_scope(session: Session) -> None:
    told = parsed(session, definition("1"), definition("2"), definition("3", per_context=True))
    assert [one["ok"] for one in told] == [True, False, True]
    assert told[1]["stage"] == "name"
    assert told[1]["message"] == "Duplicate global derived metric name"


def test_a_metric_of_the_archive_hides_a_derived_one(session: Session) -> None:
    [told] = parsed(session, definition("1", "m.cnt"))
    assert told["descriptor"]["semantics"] == "counter"


def test_without_an_archive_nothing_binds(session: Session) -> None:
    assert parsed(session, definition("nope + 1"), source={}) == [{"name": "d.x", "ok": True}]


def test_the_language_is_that_of_the_dialect(session: Session) -> None:
    ternary = definition("1 ? m.inst : novalue()")
    accepted = {dialect: parsed(session, ternary, dialect=dialect)[0]["ok"] for dialect in ("seed", "6.0.3", "7.2.2")}
    assert accepted == {"seed": False, "6.0.3": False, "7.2.2": True}


def test_a_configuration_says_what_is_wrong_with_it(session: Session) -> None:
    config = "a.b = m.cnt\n   \na.b(oneline) = hello\nx.y = 1 +\nlost = 1"
    reply = session.answer("derive.parse", BASE, config=config, metrics=["a.b", "x.y"])
    assert reply["result"]["config"] == {
        "registered": 1,
        "diagnostics": [
            "[F:2] Error: pmLoadDerivedConfig: missing ``='' after derived metric name",
            "   ",
            "[F:4] Error: pmRegisterDerived(x.y, ...) syntax error",
            " 1 +",
            "   ^",
            "Arithmetic expression expected to follow PLUS",
        ],
    }
    known, unknown = reply["result"]["metrics"]
    assert (known["status"], known["oneline"], known["helptext"]) == (0, "hello", "hello")
    assert unknown == {"name": "x.y", "status": -12357, "error": "PM_ERR_NAME"}


def test_a_metric_that_does_not_bind_has_no_descriptor(session: Session) -> None:
    reply = session.answer("derive.parse", BASE, definitions=[definition("nope")], metrics=["d.x"])
    assert reply["result"]["metrics"] == [{"name": "d.x", "status": -12409, "error": "PM_ERR_BADDERIVE"}]


def test_a_missing_operand_may_be_no_value(session: Session) -> None:
    [told] = parsed(session, definition("count(nope)"), missing_is_novalue=True)
    assert told["descriptor"]["units"] == "count"
    args = {"definitions": [definition("1")], "missing_is_novalue": True}
    reply = session.answer("derive.parse", BASE, **args, dialect="6.3.8")
    assert list(reply) == ["skip"]


def test_values_are_those_of_the_operands(session: Session) -> None:
    assert values(session, "m.cnt * 2", "rate(m.cnt)", "5") == [
        ["2000", "", "5"],
        ["2020", "10", "5"],
        ["2040", "10", "5"],
    ]


def test_what_is_not_defined_has_the_status_that_pcp_answers(session: Session) -> None:
    def statuses(*metrics: str, **how: Any) -> list[int]:
        derived = [definition("a b", "d.syntax"), definition("nope", "d.unbound"), definition("1", "d.good")]
        args = {"derived": derived, "metrics": list(metrics), "start": str(START), "count": 1} | how
        [fetch] = session.answer("derive.eval", BASE, **args)["result"]["fetches"]
        return [metric["status"] for metric in fetch["metrics"]]

    asked = ["d.syntax", "d.unbound", "d.unknown", "m.cnt"]
    assert statuses(*asked, "d.good", interval="1") == [-12357, -12358, -12357, 0, 0]
    # DER-710: where nothing else is derived, the archive is asked.
    rules: list[Json] = [{}, {"emulate": "6.0.3"}]
    for rule in rules:
        assert statuses(*asked, interval="1", **rule) == [-12357, -12378, -12357, 0]
    assert statuses(*asked, raw=True) == [-12357, 0, -12357, 0]


def test_a_metric_remembers_the_fetches_that_asked_for_it(session: Session) -> None:  # DER-1131
    fetches: list[Json] = [{"time": str(START), "interval": "1"}, {"metrics": ["m.cnt"]}, {}]
    found = values(session, "delta(m.cnt)", fetches=fetches)
    assert [fetch[0] for fetch in found] == ["", "1010", "20"]


def test_a_metric_that_is_listed_twice_is_evaluated_twice(session: Session) -> None:  # DER-1102
    found = values(session, "delta(m.cnt)", metrics=["d.x0", "m.cnt", "d.x0"])
    assert found == [["", "1000", "0"], ["10", "1010", "0"], ["10", "1020", "0"]]


def test_records_are_read_as_they_are(session: Session) -> None:  # DER-1106
    found = values(session, "delta(m.cnt)", raw=True, start=str(START), count=4)
    assert found[:3] == [[""], ["10"], ["10"]]
    assert values(session, "delta(m.cnt)", raw=True, start=str(START + 1000), count=2) == ["PM_ERR_EOL"] * 2


def test_an_emulation_gives_the_operands(session: Session) -> None:
    for version in ("6.0.3", "6.3.8", "7.2.2"):
        assert values(session, "m.cnt * 2", "sum(m.inst)", "5", emulate=version) == values(
            session, "m.cnt * 2", "sum(m.inst)", "5"
        )


def test_the_instances_asked_for_are_those_of_operands(session: Session) -> None:
    assert values(session, "m.inst * 2", "count(m.inst)", count=1) == [["0 14", "2"]]
    # The domain is that of a metric that is listed: also the operand's, whoever else has it.
    assert values(session, "m.inst * 2", "count(m.inst)", count=1, instances=[1]) == [["14", "1"]]


def test_a_configuration_counts_in_eval(session: Session) -> None:
    args = {"metrics": ["c.x"], "start": str(START), "interval": "1", "count": 1}
    reply = session.answer("derive.eval", BASE, config="c.x = m.cnt + m.cnt - m.cnt\n", **args)
    assert reply["result"]["fetches"][0]["metrics"][0]["values"] == [{"instance": None, "type": "u32", "value": "1000"}]


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"definitions": {}},
        {"definitions": []},
        {"definitions": [1]},
        {"definitions": [{"name": "x"}]},
        {"definitions": [{"name": "x", "expression": 1}]},
        {"definitions": [{"name": "x", "expression": "1", "per_context": "yes"}]},
        {"config": 1},
        {"config": "", "metrics": []},
        {"config": "", "dialect": 1},
    ],
)
def test_what_makes_no_sense_is_an_error(session: Session, args: Json) -> None:
    assert "error" in session.nonsense("derive.parse", BASE, **args)


def test_what_needs_an_archive_says_so(session: Session) -> None:
    reply = session.answer("derive.parse", definitions=[definition("1", per_context=True)])
    assert "archive" in reply["error"]["context"]
    assert "archive" in session.answer("derive.parse", config="", metrics=["x"])["error"]["context"]
    assert session.answer("derive.parse", {"path": "/nonexistent"}, config="")["reject"]["class"] == "files.not_found"


def test_a_nul_is_not_cut_off(session: Session) -> None:
    assert "NUL" in session.answer("derive.parse", definitions=[definition("1\0 b")])["error"]["context"]


def test_what_excludes_each_other_is_an_error(session: Session) -> None:
    steps: Json = {"metrics": ["m.cnt"], "start": "1", "count": 1}
    excluded: list[Json] = [{"interval": "1"}, {"rule": "pcp-6.3.2"}, {"emulate": "6.0.3"}]
    for more in [*excluded, {"fetches": [{"time": "1", "interval": "1"}]}]:
        assert "error" in session.nonsense("derive.eval", BASE, raw=True, **steps, **more)
    assert "error" in session.nonsense("derive.eval", BASE, **steps)


def test_an_expression_without_end_is_refused_in_time(session: Session) -> None:
    deep = "(" * 1_000_000
    [told] = parsed(session, definition(deep), source={})
    assert (told["stage"], told["position"]) == ("syntax", len(deep) - 1)
