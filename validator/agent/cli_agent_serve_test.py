# SPDX-License-Identifier: Apache-2.0
"""`pmproof agent serve` as a user, or a collector, meets it."""

import os
import pwd
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from validator.testing.run import PMPROOF, pmproof

CREDS, DESC_REQ, FETCH = 0x700C, 0x7004, 0x7003
VERSION_2 = bytes.fromhex("0000000101020000")
LIMIT = 60  # seconds; nothing waits for it unless something is wrong


def pdu(kind: int, body: bytes) -> bytes:
    return struct.pack(">iii", 12 + len(body), kind, 0) + body


def read_pdu(stream: IO[bytes]) -> bytes:
    header = stream.read(12)
    assert len(header) == 12, "the agent has gone"
    return header + stream.read(struct.unpack(">i", header[:4])[0] - 12)


def desc_req(domain: int) -> bytes:
    return pdu(DESC_REQ, struct.pack(">I", domain << 22))


@contextmanager
def serving(*arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [PMPROOF, "agent", "serve", *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env={"TZ": "UTC"}) as agent:
        try:
            yield agent
        finally:
            agent.kill()


def talk(reading: IO[bytes], writing: IO[bytes], domain: int) -> bytes:
    """Sets the connection up and asks for the first metric's descriptor."""
    creds = read_pdu(reading)
    assert creds[4:8] == struct.pack(">i", CREDS) and creds[12:] == VERSION_2  # PDU-130
    writing.write(pdu(CREDS, VERSION_2) + desc_req(domain))
    writing.flush()
    return read_pdu(reading)


@pytest.mark.parametrize("agent,domain", [("trivial", 250), ("simple", 253)])
def test_an_agent_at_standard_input_and_output(agent: str, domain: int) -> None:  # PMD-001, PMD-062
    with serving(agent) as process:
        assert process.stdin and process.stdout and process.stderr
        assert talk(process.stdout, process.stdin, domain)[12:16] == struct.pack(">I", domain << 22)
        process.stdin.close()
        assert process.wait(LIMIT) == 0
        assert process.stdout.read() == b"" and process.stderr.read() == b""


def test_another_domain_number() -> None:  # CKA-018
    with serving("simple", "--domain", "77", "--pipe") as process:
        assert process.stdin and process.stdout
        assert talk(process.stdout, process.stdin, 77)[12:16] == struct.pack(">I", 77 << 22)


def connect(address: str | tuple[str, int], family: int) -> socket.socket:
    until = time.monotonic() + LIMIT
    while True:
        channel = socket.socket(family)
        try:
            channel.connect(address)
            return channel
        except OSError:
            channel.close()
            assert time.monotonic() < until, "nobody listens"
            time.sleep(0.01)


def test_the_options_of_pcps_agents(tmp_path: Path) -> None:  # PMD-005
    log = tmp_path / "simple.log"
    user = pwd.getpwuid(os.geteuid()).pw_name
    with serving("simple", "-p", "-d77", "-l", log, "-D", "pdu,libpmda", "-U", user) as process:
        assert process.stdin and process.stdout
        assert talk(process.stdout, process.stdin, 77)[12:16] == struct.pack(">I", 77 << 22)
        process.stdin.close()
        assert process.wait(LIMIT) == 0
    assert log.is_file()


@pytest.mark.parametrize(
    "option,family,host",
    [
        ("--inet", socket.AF_INET, "127.0.0.1"),
        ("-i", socket.AF_INET, "127.0.0.1"),
        ("--ipv6", socket.AF_INET6, "::1"),
        ("-6", socket.AF_INET6, "::1"),
    ],
)
def test_an_agent_on_a_port(option: str, family: int, host: str) -> None:  # PMD-002
    with serving("trivial", option, "0") as process:
        assert process.stderr
        said = process.stderr.readline().decode()
        if family == socket.AF_INET6 and "listening" not in said:
            pytest.skip("no IPv6 here")
        with connect((host, int(said.strip().rpartition(":")[2])), family) as channel:
            assert talk(channel.makefile("rb"), channel.makefile("wb"), 250)[4:8] == struct.pack(">i", 0x7005)
            channel.shutdown(socket.SHUT_RDWR)
        assert process.wait(LIMIT) == 0


@pytest.mark.parametrize("option", ["--unix", "-u"])
def test_an_agent_on_a_unix_socket(option: str, tmp_path: Path) -> None:  # PMD-003
    path = os.path.relpath(tmp_path / "socket")
    path = path if len(path) < 100 else str(tmp_path / "socket")
    with serving("trivial", option, path) as process:
        with connect(path, socket.AF_UNIX) as channel:
            assert talk(channel.makefile("rb"), channel.makefile("wb"), 250)[4:8] == struct.pack(">i", 0x7005)
            channel.shutdown(socket.SHUT_RDWR)
        assert process.wait(LIMIT) == 0
    assert Path(path).is_socket()


def test_simple_reads_the_configuration_it_is_given(tmp_path: Path) -> None:  # PMD-224
    configuration = tmp_path / "simple.conf"
    configuration.write_text("min\n")
    with serving("simple", "--configuration", configuration) as process:
        assert process.stdin and process.stdout
        talk(process.stdout, process.stdin, 253)
        process.stdin.write(pdu(0x7006, struct.pack(">IiiiI", 253 << 22 | 1, 0, 0, -1, 0)))
        process.stdin.flush()
        assert read_pdu(process.stdout)[16:] == struct.pack(">iii3sc", 1, 0, 3, b"min", b"~")


def test_the_files_of_an_agent_are_printed() -> None:  # PMD-330
    done = pmproof("agent", "serve", "simple", "--print", "pmns")
    assert (done.returncode, done.stderr) == (0, "")
    assert "    color       SIMPLE:0:1\n" in done.stdout
    done = pmproof("agent", "serve", "trivial", "--print", "simple.conf")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pmproof: trivial has no file simple.conf; it has: domain.h help pmns root\n"


@pytest.mark.parametrize(
    "arguments,told",
    [
        (["other"], "other"),
        ([], "AGENT is required"),
        (["simple", "--domain", "511"], "511"),
        (["simple", "--inet", "1", "--unix", "x"], "excludes"),
        (["simple", "-i", "1", "-u", "x"], "excludes"),
        (["simple", "-p", "-6", "1"], "excludes"),
    ],
)
def test_wrong_usage(arguments: list[str], told: str) -> None:
    done = pmproof("agent", "serve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and "See pmproof agent serve --help." in done.stderr


def test_what_can_not_be_had_is_said(tmp_path: Path) -> None:
    done = pmproof("agent", "serve", "simple", "--unix", tmp_path / "no" / "socket")
    assert done.returncode == 4 and "socket: No such file or directory" in done.stderr
    done = pmproof("agent", "serve", "simple", "--user", "no-such-user")
    assert done.returncode == 4 and "no-such-user" in done.stderr


def test_help_says_what_there_is() -> None:
    assert "serve" in pmproof("agent", "--help").stdout
    page = pmproof("agent", "serve", "--help").stdout
    assert "--configuration FILE" in page and "Exit status" in page
