# SPDX-License-Identifier: Apache-2.0
"""An adapter that answers, dies, is silent or talks nonsense: each is an outcome, and the next request is answered."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from qa.adapters.protocol import Broken, Json, Messages
from qa.adapters.testee import Limits, Testee, TesteeError

_ADAPTER = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "hello":
        print(json.dumps({"ok": True, "protocol": 1, "implementation": {"name": "fake"}}), flush=True)
        continue
    if request["cmd"] == "bye":
        sys.exit(0)
    seq, what = request["seq"], request["args"]["do"]
    if what == "die":
        os.kill(os.getpid(), 11)
    if what == "sleep":
        time.sleep(60)
    if what == "nonsense":
        print("nonsense", flush=True)
    elif what == "other":
        print(json.dumps({"seq": "k0", "result": {}}), flush=True)
    elif what == "child died":
        error = {"context": "SIGSEGV", "outcome": "crash", "fetches": [{"time": "1.0"}]}
        print(json.dumps({"seq": seq, "error": error}), flush=True)
    elif what == "large":
        print(json.dumps({"seq": seq, "result": {"text": "x" * 3_000_000}}), flush=True)
    else:
        print(json.dumps({"seq": seq, what: {"class": "c", "environment": dict(os.environ)}}), flush=True)
"""


@pytest.fixture(name="testee")
def fixture_testee(tmp_path: Path) -> Iterator[Testee]:
    program = tmp_path / "adapter.py"
    program.write_text(_ADAPTER, encoding="utf-8")
    with Testee("fake", lambda: [sys.executable, str(program)]) as made:
        yield made


def ask(testee: Testee, what: str) -> str:
    return testee.run("replay.interp", {"path": "/x"}, {"do": what}).kind


@pytest.mark.parametrize("kind", ["result", "reject", "skip", "error"])
def test_what_it_says_is_the_outcome(kind: str, testee: Testee) -> None:
    assert ask(testee, kind) == kind
    assert testee.implementation == {"name": "fake"}
    assert testee.starts == 1


@pytest.mark.parametrize(("what", "kind"), [("die", "crash"), ("nonsense", "protocol"), ("other", "protocol")])
def test_what_goes_wrong_is_an_outcome_and_the_next_request_is_answered(what: str, kind: str, testee: Testee) -> None:
    assert ask(testee, what) == kind
    assert ask(testee, "result") == "result"
    assert testee.starts == 2


def test_how_it_died_is_told(testee: Testee) -> None:
    assert testee.run("replay.interp", {}, {"do": "die"}).message == "signal 11"


def test_silence_is_ended(testee: Testee) -> None:
    testee.limits = Limits(0.3)
    begin = time.monotonic()
    assert ask(testee, "sleep") == "timeout"
    assert time.monotonic() - begin < 10
    testee.limits = Limits()
    assert ask(testee, "result") == "result"


def test_a_child_of_the_adapter_that_died_is_a_crash_with_what_came_before(testee: Testee) -> None:
    outcome = testee.run("replay.interp", {}, {"do": "child died"})
    assert (outcome.kind, outcome.fetches) == ("crash", [{"time": "1.0"}])
    assert ask(testee, "result") == "result"
    assert testee.starts == 1


def test_long_lines_come_whole(testee: Testee) -> None:
    assert len(testee.run("replay.interp", {}, {"do": "large"}).body["text"]) == 3_000_000


def test_nothing_of_our_environment_gets_in(testee: Testee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCP_COUNTER_WRAP", "")
    found = testee.run("replay.interp", {}, {"do": "result"}).body["environment"]
    assert "PCP_COUNTER_WRAP" not in found
    assert found["TZ"] == "UTC"


def test_three_deaths_at_the_start_end_it() -> None:
    testee = Testee("dead", lambda: ["/bin/false"])
    with pytest.raises(TesteeError, match="dead does not start"):
        ask(testee, "result")
    assert testee.starts == 3


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(TesteeError, match="cannot be started"):
        ask(Testee("none", lambda: ["/no/such/program"]), "result")


@pytest.mark.parametrize(
    ("not_shown", "rule"),
    [
        ([{"at": ["/text"], "because": "it is not printed"}], None),
        ([{"at": ["/text"], "because": "it is cut", "within": "1e-3"}], None),
        ([{"at": ["/text"]}], "TST-303"),
        ([{"at": ["text"], "because": "it is not printed"}], "TST-303"),
        ([], "TST-303"),
    ],
)
def test_what_could_not_be_shown_may_stand_in_any_result(not_shown: object, rule: str | None) -> None:
    answer = {"seq": "k1", "result": {"text": "1", "not_shown": not_shown}}
    if rule is None:
        Messages().check_answer(answer, "value.format")
        return
    with pytest.raises(Broken, match=rule):
        Messages().check_answer(answer, "value.format")


@pytest.mark.parametrize(
    ("operation", "result", "said"),
    [
        ("units.parse", {"units": "x"}, "'dimension' is a required property"),
        ("derive.parse", {"definitions": [{"name": "x", "ok": False}]}, "definitions[0]: 'stage' is a required property"),
        ("archive.decode", {"files": [{"part": "meta", "records": [{"offset": 0, "length": 3, "type": "label"}]}]}, "files[0].records[0]: 'version' is a required property"),
    ],
)
def test_a_result_of_another_form_is_told_by_the_member_that_is_missing(operation: str, result: Json, said: str) -> None:
    with pytest.raises(Broken, match=re.escape(said)):
        Messages().check_answer({"seq": "k1", "result": result}, operation)
