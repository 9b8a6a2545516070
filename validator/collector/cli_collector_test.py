# SPDX-License-Identifier: Apache-2.0
"""pmproof collector: what it says on the command line, the agents that it directs, and what it writes."""

import json
import os
import shlex
import signal
import socket
import struct
import subprocess
from pathlib import Path

import jsonschema
import pytest

from validator.testing.run import pmproof as run

PMPROOF = os.path.abspath(os.environ["PMPROOF"])
CREDS = "00000014 0000700c 00000000 00000001 01020000"


def listen(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.settimeout(120)
    listener.bind(str(path))
    listener.listen()
    return listener


def stub_agent(role: str, control: Path) -> "subprocess.Popen[bytes]":
    command = [PMPROOF, "collector", "agent", "--role", role, "--control", str(control)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def read_exactly(connection: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size:
        part = connection.recv(size - len(got))
        assert part, f"closed after {got!r}"
        got += part
    return got


def read_line(connection: socket.socket) -> str:
    line = b""
    while not line.endswith(b"\n"):
        line += read_exactly(connection, 1)
    return line.decode()


def test_a_stub_agent_hands_on_what_it_gets_and_ends_with_its_control(tmp_path: Path) -> None:
    process = stub_agent("steady", tmp_path / "control")
    assert process.stdin and process.stdout
    assert process.stdout.read(20) == bytes.fromhex(CREDS)
    # Nobody listens yet: it keeps what comes.
    process.stdin.write(b"early")
    process.stdin.flush()
    with listen(tmp_path / "control") as listener:
        control, _ = listener.accept()
        with control:
            control.settimeout(120)
            assert read_line(control).startswith("pmproof-stub 1 steady ")
            assert read_exactly(control, 5) == b"early"
            process.stdin.write(b"later")
            process.stdin.flush()
            assert read_exactly(control, 5) == b"later"
            control.sendall(b"answer")
            assert process.stdout.read(6) == b"answer"
    assert process.wait(120) == 0
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    "role, opening",
    [
        ("attributes", "00000014 0000700c 00000000 00000001 01020044"),
        ("no_creds", "00000010 00007004 00000000 67c00001"),
        ("bad_creds", "00000014 0000700c 00000000 00000000 01020000"),
        ("late_creds", ""),
    ],
)
def test_a_stub_agent_begins_as_its_role_says_and_ends_with_the_collector(
    tmp_path: Path, role: str, opening: str
) -> None:
    process = stub_agent(role, tmp_path / "control")
    out, _ = process.communicate(timeout=120)
    assert out == bytes.fromhex(opening)
    assert process.returncode == 0


def test_what_nobody_answers_is_told_with_status_3(tmp_path: Path) -> None:
    done = run("collector", "check", "--unix", tmp_path / "absent", "--timeout", "patience=0.05", "--format", "json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert "cannot connect" in report["failure"]
    assert {check["outcome"] for check in report["checks"]} == {"not_checked"}
    assert (report["claim"]["claim"], report["conformant"]) == ("undetermined", False)
    assert report["claim"]["because"] == "the collector could not be checked"
    assert len(report["checks"]) == 65
    schema = json.loads(run("collector", "check", "--schema").stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(report)


def test_a_listener_that_is_no_collector_is_told_from_one(tmp_path: Path) -> None:
    with listen(tmp_path / "socket") as listener:
        command = [PMPROOF, "collector", "check", "--unix", str(tmp_path / "socket")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        client, _ = listener.accept()
        with client:
            client.sendall(struct.pack(">5i", 20, 0x7000, 0, -1042, 0))
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "PM_ERR_PERMISSION" in out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--timeout", "reply"], "is not a number of seconds"),
        (["--timeout", "soon=3"], "there is no soon"),
        (["--collector-version", "seven"], "is not a version such as 6.3.8"),
        (["--check", "CKC-099"], "there is no check CKC-099"),
        (["--check", "CKA-001"], "there is no check CKA-001"),
        (["--unix", "/x", "--port", "3"], "excludes"),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], message: str) -> None:
    done = run("collector", "check", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_configuration_is_written_once(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    done = run("collector", "config", folder)
    assert done.returncode == 0
    assert sorted(os.listdir(folder)) == ["checks.conf", "denied.conf", "limited.conf", "pmns", "read_only.conf"]
    lines = [shlex.split(line) for line in done.stdout.splitlines()]
    ports = [line[line.index("-p") + 1] for line in lines]
    assert len(set(ports)) == 4
    for line in lines:
        assert Path(line[line.index("-c") + 1]).is_file()
    again = run("collector", "config", folder)
    assert again.returncode == 2
    assert "is not empty" in again.stderr


@pytest.mark.parametrize("check", ["CKC-010", "CKC-065"])
def test_checks_are_explained(check: str) -> None:
    done = run("explain", check)
    assert done.returncode == 0
    assert "What to do" in done.stdout


def test_an_interrupted_check_leaves_nothing_and_says_how_far_it_was(tmp_path: Path) -> None:
    report = tmp_path / "report"
    with listen(tmp_path / "socket") as listener:
        command = [PMPROOF, "collector", "check", "--unix", str(tmp_path / "socket"), "--output", str(report)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            client, _ = listener.accept()
            with client:
                process.send_signal(signal.SIGTERM)
                _, told = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM
    assert told == "pmproof: collector check was interrupted before the first check; no report is written\n"
    assert sorted(os.listdir(tmp_path)) == ["socket"]
