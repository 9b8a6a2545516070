# SPDX-License-Identifier: Apache-2.0
"""What a real pmcd makes of the field `from` in an agent's answers: nothing (PDU-008, CKA-169)."""

import os
import re
from pathlib import Path

import pytest

from qa.beside_pcp.reference_agents.collector import ask_clients
from qa.peers.carry import carry
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_FILES = Path("reference/pmda/reference_agents")
_HOST = "-h 127.0.0.1"

# from_what.py FROM AGENT...: the agent, with FROM in the header of all that it says but CREDS.
_FROM_WHAT = """\
import os, struct, subprocess, sys

agent = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE)
os.close(0)
held = b""
while data := os.read(agent.stdout.fileno(), 65536):
    held += data
    while len(held) >= 12 and len(held) >= (size := struct.unpack(">i", held[:4])[0]):
        pdu, held = held[:size], held[size:]
        if pdu[4:8] != b"\\0\\0\\x70\\x0c":
            pdu = pdu[:8] + struct.pack(">i", int(sys.argv[1])) + pdu[12:]
            open(__file__ + sys.argv[1], "wb").write(pdu)
        while pdu:
            pdu = pdu[os.write(1, pdu) :]
"""

# What clients do with an agent: descriptors, values, instances, help, labels, stores, and what there is not.
_ASKED = (
    "pminfo {host} -dm {name}",
    "pminfo {host} -f {name}.numfetch {name}.color",
    "pmprobe {host} -I {name}.color",
    "pminfo {host} -tT {name}.color",
    "pminfo {host} -l {name}.color",
    "pmstore {host} {name}.numfetch 10",
    "pmstore {host} {name}.time.user 1",
    "pminfo {host} -f {name}.numfetch",
    "pminfo {host} -d {domain}.0.99 2>&1",
)


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def test_pmcd_does_not_look_at_where_answers_come_from(peer: Peer, tmp_path: Path) -> None:
    simple = carry(Path(os.environ["PMDASIMPLE"]), tmp_path / "agent", peer)
    (tmp_path / "from_what.py").write_text(_FROM_WHAT)
    agents = {"simple": (253, ""), "second": (77, "7"), "third": (78, "-1"), "fourth": (79, "2147483647")}
    names = (_FILES / "simple/pmns").read_text()
    lines, parts = [], ["root {\n" + "".join(f"    {name}\n" for name in agents) + "}\n"]
    for name, (domain, source) in agents.items():
        proxy = f"/usr/bin/python3 {tmp_path}/from_what.py {source} " if source else ""
        lines.append(f"{name} {domain} pipe binary {proxy}{simple} -d {domain} -l {tmp_path}/{name}.log\n")
        parts.append(re.sub(r"^simple", name, names.replace("SIMPLE:", f"{domain}:"), flags=re.MULTILINE))
    (tmp_path / "pmcd.conf").write_text("".join(lines))
    (tmp_path / "pmns").write_text("\n".join(parts))
    printed = ask_clients(peer, tmp_path, [one.format(host=_HOST, name=name, domain=agents[name][0]) for name in agents for one in _ASKED])
    said = {name: printed[number * len(_ASKED) :][: len(_ASKED)] for number, name in enumerate(agents)}
    assert "value 1" in said["simple"][1].out, said["simple"]
    for name, (domain, source) in agents.items():
        assert not source or Path(f"{tmp_path}/from_what.py{source}").stat().st_size > 0
        for plain, other, asked in zip(said["simple"], said[name], _ASKED):
            same = [text.replace(name, "simple").replace(f"{domain}.", "253.") for text in (other.out, other.err)]
            without_indoms = [_without_indoms(text) for text in (plain.out, plain.err, *same)]
            assert without_indoms[:2] == without_indoms[2:] and plain.status == other.status, (name, asked)


def _without_indoms(text: str) -> str:
    """The number of an instance domain is told as a hexadecimal number, too."""
    return "\n".join(line.partition("0x")[0] for line in text.splitlines())
