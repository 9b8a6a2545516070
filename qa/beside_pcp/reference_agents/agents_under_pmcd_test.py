# SPDX-License-Identifier: Apache-2.0
"""The reference agents under a real pmcd: what PCP's own clients print of them (chapter 13)."""

import os
import re
from pathlib import Path

import pytest

from qa.peers.carry import carry
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer
from qa.beside_pcp.reference_agents.collector import Printed, ask_clients

_FILES = Path("reference/pmda/reference_agents")
_HOST = "-h 127.0.0.1"


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


class Stage:
    """A folder with what pmcd needs: agents over a pipe, over a unix socket, over inet."""

    def __init__(self, peer: Peer, folder: Path) -> None:
        self.peer = peer
        # The path of a unix socket has at most 107 bytes.
        self.folder = folder
        simple, trivial = (carry(Path(os.environ[name]), folder / name, peer) for name in ("PMDASIMPLE", "PMDATRIVIAL"))
        (folder / "simple").mkdir()
        self.configure("sec,min,hour")
        lines = [
            f"simple 253 pipe binary {simple} -d 253 -l {folder}/simple.log",
            f"trivial 250 socket unix {folder}/trivial.sock {trivial} -d 250 -u {folder}/trivial.sock",
            f"second 77 socket inet 44391 {simple} -d 77 -i 44391",
        ]
        (folder / "pmcd.conf").write_text("\n".join(lines) + "\n")
        names = ["root {\n    simple\n    trivial\n    second\n}\n"]
        for agent, symbol, domain in (("simple", "SIMPLE", 253), ("trivial", "TRIVIAL", 250)):
            names.append((_FILES / agent / "pmns").read_text().replace(f"{symbol}:", f"{domain}:"))
        second = (_FILES / "simple/pmns").read_text().replace("SIMPLE:", "77:")
        names.append(re.sub(r"^simple", "second", second, flags=re.M))
        (folder / "pmns").write_text("\n".join(names))

    def configure(self, line: str) -> None:
        (self.folder / "simple/simple.conf").write_text(line + "\n")

    def ask(self, *lines: str) -> list[Printed]:
        return ask_clients(self.peer, self.folder, lines)


def values(printed: Printed) -> list[str]:
    """The lines of values in what pminfo -f printed."""
    return [line.strip() for line in printed.out.splitlines() if "value" in line]


DESCRIPTORS = """
simple.numfetch PMID: 253.0.0
    Data Type: 32-bit unsigned int  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: instant  Units: none

simple.color PMID: 253.0.1
    Data Type: 32-bit int  InDom: 253.0 0x3f400000
    Semantics: instant  Units: none

simple.time.user PMID: 253.1.2
    Data Type: double  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: counter  Units: sec

simple.time.sys PMID: 253.1.3
    Data Type: double  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: counter  Units: sec

simple.now PMID: 253.2.4
    Data Type: 32-bit unsigned int  InDom: 253.1 0x3f400001
    Semantics: instant  Units: none
"""


def test_names_and_descriptors(peer: Peer, tmp_path: Path) -> None:  # PMD-200, PMD-201, 13.2, CKA-030
    names, simple, second, trivial = Stage(peer, tmp_path).ask(
        f"pminfo {_HOST} simple second trivial | sort",
        f"pminfo {_HOST} -md simple",
        f"pminfo {_HOST} -m second",
        f"pminfo {_HOST} -md trivial",
    )
    below = ["color", "now", "numfetch", "time.sys", "time.user"]
    expected = [f"{agent}.{name}" for agent in ("second", "simple") for name in below]
    assert names.out.split() == [*expected, "trivial.time"], names.err
    assert simple.out == DESCRIPTORS
    assert "second.now PMID: 77.2.4" in second.out.splitlines()
    assert trivial.out == (
        "\ntrivial.time PMID: 250.0.0\n"
        "    Data Type: 64-bit unsigned int  InDom: PM_INDOM_NULL 0xffffffff\n"
        "    Semantics: counter  Units: sec\n"
    )


def test_values_over_successive_fetches(peer: Peer, tmp_path: Path) -> None:  # PMD-221..223, T29, T30
    asked = Stage(peer, tmp_path).ask(
        f"pminfo {_HOST} -f simple.numfetch simple.color second.color",
        f"pminfo {_HOST} -f simple.color",
        f"pminfo {_HOST} -f simple.numfetch",
        f"pmval {_HOST} -s 1 -i green simple.color",
        f"pminfo {_HOST} -f simple.color",
        f"pmprobe {_HOST} -v trivial.time",
        "date +%s",
    )
    colors = ["red", "green", "blue"]

    def color(*numbers: int) -> list[str]:
        return [f'inst [{i} or "{name}"] value {n}' for i, (name, n) in enumerate(zip(colors, numbers))]

    assert values(asked[0]) == ["value 1", *color(1, 101, 201), *color(1, 101, 201)], asked[0].err
    assert values(asked[1]) == color(2, 102, 202)
    assert values(asked[2]) == ["value 3"]
    assert asked[3].out.split()[-1] == "103", asked[3]
    assert values(asked[4]) == color(3, 104, 203)
    assert 0 <= int(asked[6].out) - int(asked[5].out.split()[-1]) <= 60


def test_stores_and_their_errors(peer: Peer, tmp_path: Path) -> None:  # PMD-204, PMD-232..238, T29, T32
    asked = Stage(peer, tmp_path).ask(
        f"pmstore {_HOST} simple.numfetch 10",
        f"pminfo {_HOST} -f simple.numfetch",
        f"pmstore {_HOST} simple.color 254",
        f"pminfo {_HOST} -f simple.color",
        f"pminfo {_HOST} -f simple.color",
        f"pmstore {_HOST} simple.color 300",
        f"pmstore {_HOST} -i green simple.color 7",
        f"pminfo {_HOST} -f simple.color",
        f"pmstore {_HOST} simple.time.user 1",
        f"pmstore {_HOST} simple.now 1",
        f"pmstore {_HOST} trivial.time 1",
    )
    assert "new value=10" in asked[0].out, asked[0]
    # pmstore fetches before it stores, to tell the old value; so the store is what counts.
    assert values(asked[1]) == ["value 11"]
    assert [line.split()[-1] for line in values(asked[3])] == ["255", "255", "255"]
    assert [line.split()[-1] for line in values(asked[4])] == ["0", "0", "0"]
    assert "pmStore: Bad input to pmstore" in asked[5].out, asked[5]
    # pmstore fetches once before it stores, with -i only that instance; storing 300 sets red to 255 and ends there.
    assert [line.split()[-1] for line in values(asked[7])] == ["0", "8", "2"], asked[7]
    for refused in asked[8:]:
        assert "pmStore: No permission to perform requested operation" in refused.out, refused


def test_instances_help_and_labels(peer: Peer, tmp_path: Path) -> None:  # PMD-206, 220, 229, 230
    asked = Stage(peer, tmp_path).ask(
        f"pmprobe {_HOST} -I simple.color",
        f"pmprobe {_HOST} -I simple.now",
        f"pminfo {_HOST} -tT simple trivial",
        f"pminfo {_HOST} -x simple.now",
        f"pminfo {_HOST} -l simple.color simple.now trivial.time",
    )
    assert asked[0].out == 'simple.color 3 "red" "green" "blue"\n', asked[0]
    assert asked[1].out == 'simple.now 3 "sec" "min" "hour"\n'
    for name in ("simple.numfetch", "simple.color", "simple.now", "simple.time.user", "trivial.time"):
        assert re.search(rf"^{name} \[.+\]$", asked[2].out, re.M), asked[2]
    assert "simple.numfetch [Number of pmFetch operations.]" in asked[2].out.splitlines()
    assert "how many fetches this agent was asked for" in asked[2].out.lower()
    for part in ('"indom_name":"color"', '"model":"RGB"', '"unitsystem":"SI"', '"units":"hour"', '"role":"testing"'):
        assert part in asked[4].out, asked[4]


def test_the_configuration_is_read_again(peer: Peer, tmp_path: Path) -> None:  # PMD-224, CKA-086, T35
    edit = "sleep 0.05; echo {} >simple/simple.conf"
    asked = Stage(peer, tmp_path).ask(
        f"pminfo {_HOST} -f simple.now",
        edit.format("hour"),
        f"pminfo {_HOST} -f simple.now",
        edit.format("hour,sec"),
        f"pminfo {_HOST} -f simple.now",
        "rm simple/simple.conf",
        f"pminfo {_HOST} -f simple.now",
        edit.format("sec,min,hour"),
        f"pminfo {_HOST} -f simple.now",
    )

    def instances(printed: Printed) -> list[str]:
        return re.findall(r'inst \[(\d+ or "\w+")\]', printed.out)

    assert instances(asked[0]) == ['0 or "sec"', '1 or "min"', '2 or "hour"'], asked[0]
    assert instances(asked[2]) == ['2 or "hour"']
    assert instances(asked[4]) == ['0 or "sec"', '2 or "hour"']
    assert "No value(s) available!" in asked[6].out
    assert instances(asked[8]) == ['0 or "sec"', '1 or "min"', '2 or "hour"']
