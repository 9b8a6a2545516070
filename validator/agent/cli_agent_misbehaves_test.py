# SPDX-License-Identifier: Apache-2.0
"""pmproof agent check of agents that behave badly: it ends, says so, and leaves no process behind."""

import json
import os
import re
import signal
import subprocess
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from validator.testing.processes import processes_with
from validator.testing.run import PMPROOF, pmproof

AGENT = os.environ["BAD_AGENT"]

# Generous where the agent does answer; what waits for something that never comes gets a tiny limit from its test.
PATIENT = ("--timeout", "60", "--timeout", "creds=60", "--timeout", "end=60", "--timeout", "quiet=0.05")


def check(
    mode: str,
    *checks: str,
    timeouts: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    status: int,
) -> dict[str, Any]:
    """The report; the agent is marked, and nothing of it may be left."""
    mark = f"PMPROOF_TEST_MARK={uuid.uuid4()}"
    name, value = mark.split("=")
    selection = [word for each in checks for word in ("--check", each)]
    limits = [word for each in timeouts for word in ("--timeout", each)]
    arguments = ["agent", "check", "--format", "json", *PATIENT, *limits, *options, *selection]
    result = pmproof(*arguments, "--", "/usr/bin/python3", "-B", AGENT, mode, *words, env={name: value})
    assert processes_with(mark) == []
    assert result.returncode == status, result.stdout + result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def outcomes(report: dict[str, Any]) -> dict[str, str]:
    return {item["id"]: item["outcome"] for item in report["checks"] if item["outcome"] != "not_checked"}


def failure(report: dict[str, Any], check_id: str) -> dict[str, Any]:
    (item,) = [item for item in report["checks"] if item["id"] == check_id]
    assert item["outcome"] == "fail"
    return dict(item)


def test_the_agent_that_behaves_passes() -> None:
    report = check("good", "CKA-001", "CKA-002", "CKA-005", "CKA-010", "CKA-030", "CKA-034", "CKA-050", status=0)
    assert set(outcomes(report).values()) == {"pass"}
    assert report["claim"]["claim"] == "undetermined"
    assert report["agent"]["domain"] == 9
    assert report["agent"]["metrics"] == 1


def test_one_that_says_nothing_gives_no_verdict() -> None:
    report = check("silent", "CKA-001", "CKA-005", "CKA-030", timeouts=("creds=0.3",), status=3)
    assert "no answer" in report["failure"]
    assert outcomes(report) == {"CKA-001": "fail"}


def test_one_that_ends_at_once_gives_no_verdict() -> None:
    report = check("gone", "CKA-001", status=3)
    assert "end of file" in report["failure"]
    assert "exit status 7" in json.dumps(failure(report, "CKA-001")["exchange"])


def test_one_that_ends_behind_its_creds_fails_once() -> None:
    report = check("ends", status=3)
    assert "end of file" in report["failure"]
    assert [name for name, outcome in outcomes(report).items() if outcome == "fail"] == ["CKA-005"]
    (fetch,) = [item for item in report["checks"] if item["id"] == "CKA-034"]
    assert fetch["outcome"] == "not_checked"
    assert fetch["because"] == "the agent does not get as far as its first answer (CKA-005)"


def test_one_that_can_not_be_started_again_fails_once(tmp_path: Path) -> None:
    lock = str(tmp_path / "lock")
    report = check("once", "CKA-030", "CKA-034", "CKA-041", words=(lock,), status=1)
    assert outcomes(report) == {"CKA-030": "fail"}
    (fetch,) = [item for item in report["checks"] if item["id"] == "CKA-041"]
    assert "end of file" in fetch["because"] and fetch["because"].endswith("(CKA-030)")


def test_one_that_can_not_be_started_gives_no_verdict() -> None:
    result = pmproof("agent", "check", "--", "/no/such/agent")
    assert result.returncode == 3
    assert "/no/such/agent" in result.stdout


def test_text_on_standard_output_is_shown_as_octets() -> None:
    report = check("talks", "CKA-013", status=3)
    exchange = failure(report, "CKA-013")["exchange"]
    (received,) = [line for line in exchange if line["kind"] == "received"]
    assert bytes.fromhex(received["octets"]).startswith(b"bad_agent is starting\n")


def test_one_that_talks_out_of_turn_is_found() -> None:
    report = check("early", "CKA-002", timeouts=("quiet=60",), status=1)
    assert "ERROR 0" in failure(report, "CKA-002")["because"]


def test_a_surplus_answer_is_found() -> None:
    report = check("twice", "CKA-041", status=1)
    assert "probe" in failure(report, "CKA-041")["because"]


@pytest.mark.parametrize("mode", ["flood", "flood-pdus"])
def test_one_that_floods_and_ignores_signals_is_ended(mode: str) -> None:
    report = check(mode, "CKA-002", "CKA-010", timeouts=("answer=0.5", "end=0.5"), status=1)
    assert failure(report, "CKA-002")


def test_one_that_answers_nothing_gives_no_verdict() -> None:
    report = check("deaf", timeouts=("answer=0.3", "end=0.3"), status=3)
    assert "whatever it is asked after the handshake, the agent gives no answer" in report["failure"]
    assert [name for name, outcome in outcomes(report).items() if outcome == "fail"] == ["CKA-005", "CKA-009"]


def test_one_that_is_slow_to_answer_is_checked_meanwhile(tmp_path: Path) -> None:
    checks, words = ("CKA-001", "CKA-009", "CKA-030"), (str(tmp_path),)
    report = check("waits", *checks, timeouts=("answer=20",), options=("--jobs", "2"), words=words, status=0)
    assert report["agent"]["remarks"] == []
    assert set(outcomes(report).values()) == {"pass"}


@pytest.mark.parametrize("mode", ["stubborn", "family"])
def test_one_that_does_not_end_is_ended_with_all_that_it_started(mode: str) -> None:
    report = check(mode, "CKA-009", "CKA-010", "CKA-034", timeouts=("end=0.3",), status=1)
    assert outcomes(report) == {"CKA-009": "fail", "CKA-010": "fail", "CKA-034": "pass"}
    assert "still running after 0.3 s" in failure(report, "CKA-010")["because"]


def test_a_crash_is_told_with_its_signal() -> None:
    report = check("crash", "CKA-041", status=1)
    item = failure(report, "CKA-041")
    assert "end of file" in item["because"]
    assert "signal 11" in json.dumps(item["exchange"])


def test_an_answer_that_never_comes_ends_at_the_limit() -> None:
    report = check("mute", "CKA-041", timeouts=("answer=0.5",), status=1)
    assert "no answer (within 0.5 s)" in failure(report, "CKA-041")["because"]


def test_half_an_answer_is_told_as_such() -> None:
    report = check("half", "CKA-041", timeouts=("answer=0.5",), status=1)
    assert "but 20 bytes of one" in failure(report, "CKA-041")["because"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("mode", ["mute", "stubborn"])
def test_an_interrupted_check_leaves_nothing_and_says_how_far_it_was(
    tmp_path: Path, mode: str, number: signal.Signals
) -> None:
    mark = str(uuid.uuid4())
    command = [PMPROOF, "agent", "check", "--jobs", "2", "--format", "json", "--output", str(tmp_path / "report")]
    command += ["--timeout", "60", "--timeout", "end=60", "--", "/usr/bin/python3", "-B", AGENT, mode]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TMPDIR": str(tmp_path), "PMPROOF_TEST_MARK": mark}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        while not any(AGENT in line for line in agents_with(mark)) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
    assert process.returncode == -number
    how_far = r"(after \d+ of \d+ checks|before the first check)"
    assert re.fullmatch(f"pmproof: agent check was interrupted {how_far}; no report is written\n", told)
    assert processes_with(mark) == []
    assert os.listdir(tmp_path) == []


def agents_with(mark: str) -> list[str]:
    return [line for line in processes_with(mark) if "agent\0check" not in line]
