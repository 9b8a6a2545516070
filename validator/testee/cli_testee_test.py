# SPDX-License-Identifier: Apache-2.0
"""`pmproof testee` as a suite meets it: one process, many lines, whatever they are."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from validator.testee.testing.session import SCHEMA, Json, Session, open_session, run, values
from validator.testing.run import PMPROOF, pmproof

BASE = Path("golden/archive/base-v3")


@pytest.fixture(name="session")
def _session() -> Iterator[Session]:
    with open_session() as session:
        yield session


def test_the_schema_is_one_and_is_printed() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(pmproof("testee", "--schema").stdout) == SCHEMA


def test_hello_says_who_it_is(session: Session) -> None:
    reply = session.ask({"cmd": "hello", "protocol": 1})
    assert (reply["ok"], reply["protocol"], reply["implementation"]["name"]) == (True, 1, "pmproof")
    assert f"pmproof {reply['implementation']['version']} " in pmproof("--version").stdout
    # All but what PCP's tools are asked for: it has none of its own.
    assert reply["capabilities"] == [op for op in SCHEMA["$defs"]["op"]["enum"] if op != "tool.run"]
    assert reply["rules"] == ["pcp-legacy", "pcp-6.3.2", "documented"]
    assert reply["emulates"] == ["6.0.3", "6.3.8", "7.2.2"]


def test_another_protocol_is_refused(session: Session) -> None:
    assert session.ask({"cmd": "hello", "protocol": 2}) == {"ok": False, "protocol": 1}


def test_bye_ends_it() -> None:
    done = subprocess.run(
        [PMPROOF, "testee"], input=b'{"cmd":"bye"}\n{"cmd":"hello","protocol":1}\n', capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("last", [b"", b'{"cmd":"hello","protocol":1}'])
def test_the_end_of_the_input_ends_it(last: bytes) -> None:
    done = subprocess.run([PMPROOF, "testee"], input=last, capture_output=True, check=False)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1 if last else 0)


HOSTILE = {
    "empty": b"",
    "no JSON": b"nonsense",
    "half": b'{"cmd":"run"',
    "two": b'{"cmd":"hello","protocol":1} {}',
    "a list": b"[]",
    "a number": b"1e999",
    "no UTF-8": b'{"cmd":"\xff"}',
    "NUL": b'{"cmd":\x00}',
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "closed": b"]" * 100_000,
    "no command": b"{}",
    "another command": b'{"cmd":"dance"}',
    "a command that is none": b'{"cmd":["run"]}',
    "no operation": b'{"cmd":"run","seq":"x"}',
    "an operation that is none": b'{"cmd":"run","seq":"x","op":{}}',
    "too long": b'{"cmd":"' + b"x" * (16 << 20) + b'"}',
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_line_that_makes_no_sense_is_an_error_and_no_end(session: Session, line: bytes) -> None:
    assert session.ask(line)["error"]["context"]
    assert session.ask({"cmd": "hello", "protocol": 1})["ok"]


def test_seq_comes_back_as_it_was(session: Session) -> None:
    for seq in ("", "é\"\\\n", 7, -1, 2**63):
        assert session.ask({"cmd": "run", "seq": seq, "op": "units.parse", "input": {}, "args": {}})["seq"] == seq
        assert session.ask({"cmd": "dance", "seq": seq})["seq"] == seq


def test_many_requests_keep_their_order_and_take_little() -> None:
    """All are written before any reply is read; an archive of 20,000 is as quick as the first."""
    def one(i: int) -> Json:
        start = f"{1700000000 + i % 5}.000000000"
        return run(BASE, seq=str(i), metrics=["m.cnt"], start=start, interval="1", count=1)

    count = 5000
    lines = b"".join(json.dumps(one(i)).encode() + b"\n" for i in range(count))
    begun = time.process_time() + sum(os.times()[2:4])
    done = subprocess.run([PMPROOF, "testee"], input=lines, capture_output=True, check=True)
    used = time.process_time() + sum(os.times()[2:4]) - begun
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["seq"] for reply in replies] == [str(i) for i in range(count)]
    assert [values(reply["result"]["fetches"])[0] for reply in replies] == [str(1000 + 10 * (i % 5)) for i in range(count)]
    assert used < 30
