# SPDX-License-Identifier: Apache-2.0
"""pmproof agent check --record, and pmproof agent replay of what it wrote."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

AGENT = os.path.abspath(os.environ["BAD_AGENT"])
EXCHANGE, REPLAY, REPORT = (
    json.loads(Path(os.environ[name]).read_text()) for name in ("EXCHANGE_SCHEMA", "REPLAY_SCHEMA", "REPORT_SCHEMA")
)
PATIENT = ("--timeout", "60", "--timeout", "creds=60", "--timeout", "end=60")


def bad(mode: str, *words: str | Path) -> tuple[str | Path, ...]:
    return ("--", "/usr/bin/python3", "-B", AGENT, mode, *words)


def record(path: Path, agent: tuple[str | Path, ...], *checks: str, status: int = 1) -> dict[str, Any]:
    selection = [word for check in checks for word in ("--check", check)]
    result = pmproof("agent", "check", *PATIENT, "--fail-on", "warning", "--format", "json", "--record", path, *selection, *agent)
    assert result.returncode == status, result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    jsonschema.Draft7Validator(REPORT).validate(report)
    jsonschema.Draft7Validator(EXCHANGE).validate(json.loads(path.read_text()))
    return report


def replay(path: Path, *arguments: str | Path, status: int) -> dict[str, Any]:
    result = pmproof("agent", "replay", path, "--format", "json", *PATIENT, *arguments)
    assert result.returncode == status, result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    jsonschema.Draft7Validator(REPLAY).validate(told)
    return told


def failure(report: dict[str, Any], check: str) -> dict[str, Any]:
    (found,) = [item for item in report["checks"] if item["id"] == check and item["outcome"] == "fail"]
    return dict(found)


def test_the_same_agent_shows_the_failure_again(tmp_path: Path) -> None:
    report = record(tmp_path / "file", bad("five-two-lines"), "CKA-087")
    told = replay(tmp_path / "file", *bad("five-two-lines"), status=0)
    assert (told["check"], told["outcome"]) == ("CKA-087", "again")
    assert told["because"] == told["recorded"] == failure(report, "CKA-087")["because"]
    assert told["answers"]["other"] == told["not_repeated"] == 0 and told["stopped"] is None


def test_a_mended_agent_does_not_show_it(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("five-two-lines"), "CKA-087")
    told = replay(tmp_path / "file", *bad("five"), status=1)
    assert told["outcome"] == "not_seen"
    others = [step for step in told["steps"] if step.get("result") == "other"]
    assert others and all(step["differences"][0].startswith("text: 'one") for step in others)
    assert all(step["differences"][0].endswith("two', now 'help'") for step in others)


def test_an_agent_that_fails_otherwise_is_another_failure(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("five-two-lines"), "CKA-087")
    told = replay(tmp_path / "file", *bad("five-long-lines"), status=1)
    assert told["outcome"] == "another" and "it has 90 bytes" in told["because"]


def test_a_crash_is_seen_again_with_what_the_agent_said(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("complains"), "CKA-041")
    told = replay(tmp_path / "file", *bad("complains"), status=0)
    assert told["steps"][-2]["text"].startswith("end of file, signal 11")
    (said,) = told["said"]
    assert (said["from"], said["cut"], said["lines"][-1]) == ("standard error", True, "line 30 \x1b[31m\\xff")
    told = replay(tmp_path / "file", *bad("good"), status=1)
    assert (told["outcome"], told["stopped"]) == ("not_seen", "from here on there is nothing to compare")


def test_the_text_shows_each_step_and_the_outcome(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("crash"), "CKA-041")
    result = pmproof("agent", "replay", tmp_path / "file", *PATIENT, *bad("good"))
    lines = result.stdout.splitlines()
    assert lines[0].startswith("failure    CKA-041 ")
    assert "> FETCH context=0 pmids=[9.4093.1021]" in lines
    (wrong,) = [line for line in lines if line.startswith("! ")]
    assert wrong.startswith("! end of file, signal 11")
    assert lines[-1] == "the failure is not seen again: with these answers the check takes another course"


def test_one_of_several_failures_is_chosen(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("crash"), "CKA-041", "CKA-138")
    result = pmproof("agent", "replay", tmp_path / "file", *bad("crash"))
    assert result.returncode == 2
    assert "give --check with one of CKA-041 CKA-138" in result.stderr
    assert replay(tmp_path / "file", "--check", "cka-138", *bad("crash"), status=0)["check"] == "CKA-138"
    result = pmproof("agent", "replay", tmp_path / "file", "--check", "CKA-001", *bad("crash"))
    assert (result.returncode, "no failure of CKA-001" in result.stderr) == (2, True)


def test_of_an_agent_without_failures_there_is_nothing_to_repeat(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("good"), "CKA-041", status=0)
    result = pmproof("agent", "replay", tmp_path / "file", *bad("good"))
    assert (result.returncode, "no failure is recorded" in result.stderr) == (2, True)


def test_what_is_not_in_the_exchange_is_undetermined(tmp_path: Path) -> None:
    names = tmp_path / "names"
    names.write_text("root { bad }\nbad { one 9:0:0 gone 9:0:9 }\n")
    record(tmp_path / "file", ("--pmns", names, *bad("good")), "CKA-102")
    told = replay(tmp_path / "file", *bad("good"), status=6)
    assert told["outcome"] == "unknown" and "not in what was exchanged" in told["because"]


def test_an_agent_that_cannot_be_started_gives_3(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("crash"), "CKA-041")
    result = pmproof("agent", "replay", tmp_path / "file", "--", "/no/such/agent")
    assert (result.returncode, "/no/such/agent" in result.stderr) == (3, True)


def test_a_file_is_not_overwritten_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    refused = pmproof("agent", "check", "--record", path, "--check", "CKA-041", *bad("good"))
    assert (refused.returncode, "exists already" in refused.stderr, path.read_text()) == (2, True, "mine")
    allowed = pmproof("agent", "check", "--force", "--record", path, "--check", "CKA-041", *bad("good"))
    assert allowed.returncode == 0 and json.loads(path.read_text())["failures"] == []


def steps(*told: dict[str, Any]) -> str:
    whole = {
        "schema": "pmproof-agent-exchange/1",
        "agent": {"command": ["x"], "transport": "pipe", "notready": False},
        "failures": [{"check": "CKA-041", "because": "x", "steps": list(told)}],
    }
    return json.dumps(whole)


START = {"agent": 1, "kind": "start"}
SENT = {"agent": 1, "kind": "sent", "octets": "00000010"}


@pytest.mark.parametrize(
    "content, words",
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("{}", "the document: has no schema"),
        ("[]", "the document: is not an object"),
        ('{"schema": "pmproof-agent-exchange/2"}', 'offset 11: schema: is not "pmproof-agent-exchange/1"'),
        ('{"schema": "pmproof-agent-exchange/1"}', "has no agent"),
        (steps(SENT), "failures[0].steps[0]: is of an agent that does not run"),
        (steps(START, START), "failures[0].steps[1]: starts an agent that is not the next one"),
        (steps(START, SENT | {"octets": "0g"}), "octets are not words of hexadecimal digits"),
        (steps(START, SENT | {"octets": "00*18446744073709551615"}), "octets are not words"),
        (steps(START, SENT | {"octets": ""}), "has no octets"),
        (steps(START, SENT | {"kind": "dance"}), "kind is unknown: dance"),
        (steps(START, SENT | {"agent": 1 << 40}), "agent is not a number from 1 to 1000"),
        (steps(START, {"agent": 1, "kind": "nothing", "milliseconds": 1 << 60}), "milliseconds is longer than a day"),
        (steps(START, SENT | {"octets": "00*20000000"}, SENT | {"octets": "00*20000000"}), "beyond the octets"),
        (steps(START).replace("CKA-041", "nothing"), "failures[0].check: is not a check"),
        ('{"schema": ' + "[" * 100, "deeper than any value"),
        ('"x"', "the document: is not an object"),
    ],
)
def test_a_file_that_is_none_gives_4_and_says_where(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    result = pmproof("agent", "replay", path, *bad("good"))
    assert result.returncode == 4, result.stderr
    assert result.stderr.startswith(f"pmproof: {path}: offset ") and words in result.stderr, result.stderr


def test_a_file_that_cannot_be_read_gives_4(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        result = pmproof("agent", "replay", path, *bad("good"))
        assert (result.returncode, str(path) in result.stderr) == (4, True)


def test_each_cut_of_a_file_is_refused_or_repeated(tmp_path: Path) -> None:
    whole = tmp_path / "file"
    record(whole, bad("crash"), "CKA-041")
    content = whole.read_text()
    cut = tmp_path / "cut"
    for size in range(0, len(content) - 2, max(1, len(content) // 12)):
        cut.write_text(content[:size])
        assert pmproof("agent", "replay", cut, *bad("good")).returncode == 4


def test_schemas_are_printed() -> None:
    assert json.loads(pmproof("agent", "replay", "--schema").stdout) == REPLAY
    assert json.loads(pmproof("agent", "replay", "--file-schema").stdout) == EXCHANGE


def test_all_offences_are_counted_and_the_first_three_shown(tmp_path: Path) -> None:
    outputs = [word for name in ("junit", "html") for word in ("--output", f"{name}:{tmp_path / name}")]
    outputs += ["--format", "text"]
    result = pmproof("agent", "check", *PATIENT, *outputs, "--check", "CKA-087", *bad("five-two-lines"))
    report = record(tmp_path / "file", bad("five-two-lines"), "CKA-087")
    item = failure(report, "CKA-087")
    count, first = item["offences"]["count"], item["offences"]["first"]
    assert count > 3 and len(set(first)) == 3 and first[0] == item["because"]
    for text in (result.stdout, (tmp_path / "junit").read_text(), (tmp_path / "html").read_text()):
        flat = " ".join(text.split())
        assert f"and {count - 3} more offence" in flat
        assert all(one in flat for one in first)
    marks = [line["text"] for line in item["exchange"] if line["text"].startswith("offence ")]
    assert marks == ["offence 1", "offence 2", "offence 3"]


@pytest.mark.parametrize("mode, name", [("logs", "log"), ("complains", "standard error")])
def test_what_the_agent_said_is_shown_with_a_failure(tmp_path: Path, mode: str, name: str) -> None:
    log = tmp_path / "the log"
    words = (log,) if mode == "logs" else ()
    outputs = [word for kind in ("junit", "html") for word in ("--output", f"{kind}:{tmp_path / kind}")]
    outputs += ["--format", "text"]
    text = pmproof("agent", "check", *PATIENT, *outputs, "--check", "CKA-041", *bad(mode, *words)).stdout
    said = failure(record(tmp_path / "file", bad(mode, *words), "CKA-041"), "CKA-041")["said"]
    assert [one["from"] for one in said] == [str(log) if mode == "logs" else "standard error"]
    assert said[0]["lines"] == [f"line {number} \x1b[31m\\xff" for number in range(11, 31)]
    assert said[0]["cut"] is True
    for shown in (text, (tmp_path / "junit").read_text(), (tmp_path / "html").read_text()):
        assert name in shown and "line 30" in shown and "line 10 " not in shown and "\x1b" not in shown
    assert "line 30 \\x1b[31m\\xff" in text


def test_what_was_in_the_log_before_is_not_taken_for_the_agents(tmp_path: Path) -> None:
    log = tmp_path / "old.log"
    log.write_text("of yesterday\n")
    os.utime(log, (1, 1))
    report = record(tmp_path / "file", bad("crash", "-l", log), "CKA-041")
    assert failure(report, "CKA-041")["said"] == []


def test_a_log_that_standard_error_names_is_shown(tmp_path: Path) -> None:
    log = tmp_path / "agent.log"
    agent = tmp_path / "agent.sh"
    agent.write_text(f'#!/bin/sh\necho "logging to {log}." >&2\necho "no disk" >{log}\nexit 3\n')
    agent.chmod(0o755)
    result = pmproof("agent", "check", "--format", "json", "--check", "CKA-001", "--", agent)
    assert result.returncode == 3
    said = failure(json.loads(result.stdout), "CKA-001")["said"]
    assert [(one["from"], one["lines"]) for one in said] == [
        (str(log), ["no disk"]),
        ("standard error", [f"logging to {log}."]),
    ]


def test_nothing_is_left_running(tmp_path: Path) -> None:
    record(tmp_path / "file", bad("crash"), "CKA-041")
    command = [PMPROOF, "agent", "replay", str(tmp_path / "file"), *map(str, bad("family"))]
    mark = str(tmp_path)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "MARK_OF_TEST": mark}
    subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    for process in Path("/proc").glob("[0-9]*"):
        try:
            assert mark.encode() not in (process / "environ").read_bytes(), process
        except OSError:
            continue
