# SPDX-License-Identifier: Apache-2.0
"""The reference agents under dbpmda, beside PCP's own in Python: what differs is what chapter 13 says."""

import os
import re
from pathlib import Path

import pytest

from qa.peers.carry import carry
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_FILES = Path("reference/pmda/reference_agents")
_THEIRS = "/usr/lib/pcp/pmdas/simple/pmdasimple.python"

# Commands and what dbpmda prints of our agent.
SAME = {
    "desc simple.numfetch": "PMID: 253.0.0\n"
    "    Data Type: 32-bit unsigned int  InDom: PM_INDOM_NULL 0xffffffff\n"
    "    Semantics: instant  Units: none\n",
    "desc simple.color": "PMID: 253.0.1\n"
    "    Data Type: 32-bit int  InDom: 253.0 0x3f400000\n"
    "    Semantics: instant  Units: none\n",
    "desc simple.time.sys": "PMID: 253.1.3\n"
    "    Data Type: double  InDom: PM_INDOM_NULL 0xffffffff\n"
    "    Semantics: counter  Units: sec\n",
    "desc 253.0.7": None,
    "fetch simple.numfetch simple.color": "PMID(s): 253.0.0 253.0.1\n"
    "dump numpmid: 2\n"
    "  253.0.0 (simple.numfetch): numval: 1 valfmt: 0 vlist[]:\n   value 1\n"
    "  253.0.1 (simple.color): numval: 3 valfmt: 0 vlist[]:\n"
    "    inst [0 or ???] value 1\n    inst [1 or ???] value 101\n    inst [2 or ???] value 201\n",
    "profile 253.0 none": "",
    "fetch simple.color": "PMID(s): 253.0.1\ndump numpmid: 1\n"
    "  253.0.1 (simple.color): No values returned!\n",
    "profile 253.0 add 1": "",
    "fetch simple.color simple.numfetch": "PMID(s): 253.0.1 253.0.0\ndump numpmid: 2\n"
    "  253.0.1 (simple.color): numval: 1 valfmt: 0 vlist[]:\n    inst [1 or ???] value 102\n"
    "  253.0.0 (simple.numfetch): numval: 1 valfmt: 0 vlist[]:\n   value 3\n",
    "label instances 253.0": "Instances of pmInDom: 253.0\n[  0] Labels inst: 1\n",
    "profile 253.0 all": "",
    "instance 253.0": 'pmInDom: 253.0\n[  0] inst: 0 name: "red"\n[  1] inst: 1 name: "green"\n'
    '[  2] inst: 2 name: "blue"\n',
    "instance 253.1": 'pmInDom: 253.1\n[  0] inst: 0 name: "sec"\n[  1] inst: 1 name: "min"\n'
    '[  2] inst: 2 name: "hour"\n',
    "instance 253.0 1": 'pmInDom: 253.0\n[  0] name: "green"\n',
    "instance 253.0 green": "pmInDom: 253.0\n[  0] inst: 1\n",
    "instance 253.0 purple": "pmInDom: 253.0\nError PDU: Unknown or illegal instance identifier\n",
    "instance 253.9": "pmInDom: 253.9\nError PDU: Unknown or illegal instance domain identifier\n",
    'store simple.numfetch "41"': "PMID: 253.0.0\nGetting description...\nSending Profile...\n"
    "Getting Result Structure...\n253.0.0: 4 -> 41\nSending Result...\n",
    "fetch simple.numfetch": "PMID(s): 253.0.0\ndump numpmid: 1\n"
    "  253.0.0 (simple.numfetch): numval: 1 valfmt: 0 vlist[]:\n   value 42\n",
    'store simple.color "7"': "PMID: 253.0.1\nGetting description...\nGetting Result Structure...\n"
    "253.0.1 [0]: 2 -> 7\n253.0.1 [1]: 103 -> 7\n253.0.1 [2]: 202 -> 7\nSending Result...\n",
    'store simple.color "300"': "PMID: 253.0.1\nGetting description...\nGetting Result Structure...\n"
    "253.0.1 [0]: 8 -> 300\n253.0.1 [1]: 8 -> 300\n253.0.1 [2]: 8 -> 300\nSending Result...\n"
    "Error PDU: Bad input to pmstore\n",
    "label domain": 'Labels:\n    role="testing"\n',
    "label indom 253.0": 'pmInDom: 253.0\nLabels:\n    indom_name="color"\n    model="RGB"\n',
    "label instances 253.1": 'Instances of pmInDom: 253.1\n[  0] Labels inst: 0\n    units="sec"\n'
    '[  1] Labels inst: 1\n    units="min"\n[  2] Labels inst: 2\n    units="hour"\n',
    "label item simple.color": "PMID: 253.0.1\nInfo: __pmDecodeLabel() returns 0 label sets\n",
}

# Where the agent in Python is another one: PMD-208, PMD-229, PMD-233, PMD-235, PMD-237.
DIFFERENT = {
    "text simple.numfetch": r"PMID: 253.0.0\n\[Number of pmFetch operations.\]\nHow many fetches (.|\n)*",
    "text indom 253.0": r'pmInDom: 253.0\n\[Instance domain "colour" for simple PMDA\]\nAlways (.|\n)*',
    "fetch simple.color simple.color": r"PMID(.|\n)* value 0\n(.|\n)* value 9\n(.|\n)* value 1\n"
    r"(.|\n)*inst \[2 or \?\?\?\] value 10\n",
    'store simple.numfetch "-3"': r"PMID(.|\n)*Sending Result...\nError PDU: Bad input to pmstore\n",
    'store simple.time.user "3"': r"PMID(.|\n)*Sending Result...\nError PDU: No permission to perform "
    r"requested operation\n",
    "pmid simple.color": r"Metric: simple.color\nError PDU: Unknown metric name\n",
    "children simple": r"Metric: simple\nError PDU: Unknown metric name\n",
    "traverse simple": r"Metric: simple\nError PDU: Unknown metric name\n",
}


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def answers(peer: Peer, folder: Path, agent: str) -> dict[str, str]:
    """What dbpmda prints of each command to that agent, without what is never twice the same."""
    commands = [*SAME, *DIFFERENT]
    script = "\n".join([f"open pipe {agent} -d 253", "getdesc on", *commands, "close"]) + "\n"
    root = "root {\n    simple\n}\n" + (_FILES / "simple/pmns").read_text().replace("SIMPLE:", "253:")
    (folder / "root").write_text(root)
    (folder / "simple").mkdir(exist_ok=True)
    (folder / "simple/simple.conf").write_text("sec,min,hour\n")
    environment = {"PCP_PMDAS_DIR": str(folder), "PCP_USER": "root", "PCP_GROUP": "root", "PCP_DERIVED_CONFIG": ""}
    # The agent in Python writes its log to the folder it is started in.
    line = f"cd {folder} && exec dbpmda -e -f -n root -q 240 2>&1"
    done = peer.run(["sh", "-c", line], stdin=script, writable=[folder], environment=environment, timeout=300)
    text = re.sub(r"__pmResult dump from 0x\w+ timestamp: [\d.]+ [\d:.]+ ", "dump ", done.stdout)
    found: dict[str, str] = {}
    for command, following in zip(commands, [*commands[1:], "close"]):
        start = text.index(f"\n{command}\n") + 1
        end = text.index(f"\n{following}\n", start) + 1
        found[command] = text[start + len(command) + 1 : end]
        text = text[end - 1 :]
    return found


def test_an_agent_under_dbpmda(peer: Peer, tmp_path: Path) -> None:  # 13.2, PMD-400..411
    program = carry(Path(os.environ["PMDASIMPLE"]), tmp_path / "program", peer)
    ours = answers(peer, tmp_path, str(program))
    for command, expected in SAME.items():
        if expected is not None:
            assert ours[command] == expected, command
    for command, pattern in DIFFERENT.items():
        assert re.fullmatch(pattern, ours[command]), (command, ours[command])
    theirs = answers(peer, tmp_path, _THEIRS)
    assert {command: theirs[command] for command in SAME} == {command: ours[command] for command in SAME}
