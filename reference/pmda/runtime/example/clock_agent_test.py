# SPDX-License-Identifier: Apache-2.0
"""The shortest agent: it is short, and it serves."""

import os
import struct
import subprocess
import time
from pathlib import Path
from typing import IO

METRIC = struct.pack(">I", 400 << 22)


def read_pdu(stream: IO[bytes]) -> bytes:
    header = stream.read(12)
    return header + stream.read(struct.unpack(">i", header[:4])[0] - 12)


def test_an_agent_with_one_metric_has_less_than_40_lines() -> None:
    source = Path("reference/pmda/runtime/example/clock_agent.cc").read_text()
    assert len(source.splitlines()) < 40


def test_it_tells_the_time_and_ends_with_its_collector() -> None:  # PMD-060..062, PMD-080, PMD-085
    pipe = subprocess.PIPE
    with subprocess.Popen([os.environ["CLOCK_AGENT"]], stdin=pipe, stdout=pipe) as agent:
        assert agent.stdin and agent.stdout
        assert read_pdu(agent.stdout)[12:] == bytes.fromhex("0000000101020000")
        before = int(time.time())
        creds = struct.pack(">iiiII", 20, 0x700C, 0, 1, 0x01020000)
        descriptor = struct.pack(">iii", 16, 0x7004, 0) + METRIC
        fetch = struct.pack(">iiiiiii", 32, 0x7003, 0, 0, 0, 0, 1) + METRIC
        agent.stdin.write(creds + descriptor + fetch)
        agent.stdin.flush()
        assert read_pdu(agent.stdout)[12:] == METRIC + bytes.fromhex("00000003 ffffffff 00000001 01003000")
        result = read_pdu(agent.stdout)
        assert result[24:40] == METRIC + struct.pack(">iii", 1, 1, -1)
        assert before <= struct.unpack(">Q", result[-8:])[0] <= int(time.time())
        agent.stdin.close()
        assert agent.wait(60) == 0
