# SPDX-License-Identifier: Apache-2.0
"""What the agent runtime can do beyond trivial and simple, under a real pmcd: not ready, dynamic names, every type."""

import os
import re
from pathlib import Path

import pytest

from qa.peers.carry import carry
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer
from qa.beside_pcp.reference_agents.collector import ask_clients

_HOST = "-h 127.0.0.1"


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def test_an_agent_that_is_not_ready_at_first(peer: Peer, tmp_path: Path) -> None:  # PMD-016..019, 048, 049, 088, T44
    programs = {name: carry(Path(os.environ[name]), tmp_path / name, peer) for name in ("PROBE_AGENT", "PMDATRIVIAL")}
    (tmp_path / "pmcd.conf").write_text(
        f"probe 402 pipe binary notready {programs['PROBE_AGENT']} {tmp_path}/ready\n"
        f"simple 250 pipe {programs['PMDATRIVIAL']} -d 250\n".replace("pipe /", "pipe binary /")
    )
    # "simple" is what is waited for; here it is the ready agent beside the other.
    (tmp_path / "pmns").write_text("root {\n    probe 402:*:*\n    simple\n}\nsimple {\n    time 250:0:0\n}\n")
    until_ready = f"until pminfo {_HOST} probe.disk >/dev/null 2>&1; do sleep 0.1; done"
    asked = ask_clients(
        peer,
        tmp_path,
        [
            f"pminfo {_HOST} -f probe.value.s64",
            f"pminfo {_HOST} -f simple.time",
            f"touch ready; {until_ready}; pminfo {_HOST} probe | sort",
            f"pminfo {_HOST} -f probe.value",
            f"pminfo {_HOST} -f probe.no",
            f"pminfo {_HOST} -f probe.disk",
            f"pmprobe {_HOST} -v probe.value.s64 simple.time",
            f"pmval {_HOST} -s 1 -i nic probe.disk",
            f"pminfo {_HOST} -m probe.value.float 402.0.2 2>&1; pminfo {_HOST} -d probe.no.support",
        ],
    )
    # pmcd has to ask the agent for the name, and does not (PMD-049).
    assert asked[0].status == 1 and "Error: probe.value.s64: " in asked[0].err, asked[0]
    assert "value 1" in asked[1].out
    below = ["disk", "no.support", "no.time", "no.value"]
    values = ["aggregate", "event", "float", "s64", "string"]
    names = [*below, *(f"value.{name}" for name in values)]
    assert asked[2].out.split() == [f"probe.{name}" for name in names], asked[2]
    for line in ('value "hello"', "value 1.5", "value -9999", "value [1 event record"):
        assert line in asked[3].out, asked[3]
    assert re.search(r"value .*010203", asked[3].out), asked[3]
    assert "No value(s) available!" in asked[4].out and "Try again" in asked[4].out, asked[4]
    disks = [line.strip() for line in asked[5].out.splitlines() if "inst" in line]
    assert disks == [
        'inst [0 or "disk one"] value 0.5',
        'inst [1 or "cpu"] value 1.5',
        'inst [2 or "nic two words"] value 2.5',
    ]
    assert asked[6].out.startswith("probe.value.s64 1 -9999\nsimple.time 1 "), asked[6]
    assert asked[7].out.split()[-1] == "2.500", asked[7]
    assert "Not Supported" in asked[8].out, asked[8]
