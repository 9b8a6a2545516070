# SPDX-License-Identifier: Apache-2.0
"""The sample agent of real PCP as shared object, served by `pmproof agent host`, answers as its daemon (CKA-163)."""

import json
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from qa.beside_pcp.dso import pdus
from qa.peers.carry import carry
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_FOLDER = "/usr/lib/pcp/pmdas/sample"
_DAEMON = [f"{_FOLDER}/pmdasample", "-d", "29", "-U", "root", "-l", "/dev/null"]
_LIBRARY = f"{_FOLDER}/pmda_sample.so"
# Values that depend on when they are asked, and instance domains whose instances do: found by asking two daemons the same
# with and without pauses.
_TIMES = {2, 3, 5, 7, 37, 38, 39, 46, 47, 62, *range(81, 86), 111, 112, 136, 137, 139, 158}
_MOVING = {3, 12}


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.fixture(name="pmproof")
def fixture_pmproof(peer: Peer, tmp_path: Path) -> Path:
    return carry(Path(os.environ["PMPROOF"]), tmp_path / "program", peer)


def pmid(cluster: int, item: int) -> int:
    return 29 << 22 | cluster << 10 | item


def requests() -> Iterator[bytes]:
    metrics = [pmid(0, item) for item in range(200)]
    indoms = [29 << 22 | serial for serial in range(14) if serial not in _MOVING]
    for metric in metrics:
        yield pdus.desc(metric)
        if metric & 0x3FF not in _TIMES:
            yield pdus.fetch(metric)
        yield pdus.labels(metric, 16)
    yield pdus.fetch(*(metric for metric in metrics if metric & 0x3FF not in _TIMES))
    for indom in indoms:
        yield pdus.instances(indom)
        yield from (pdus.instances(indom, number) for number in (0, 1, 100, -5))
        yield from (pdus.instances(indom, name=name) for name in (b"bin-100", b"red", b"no such"))
        yield from (pdus.labels(indom, kind) for kind in (4, 32))
    for metric in metrics[:40]:
        yield from (pdus.text(metric, kind) for kind in (5, 6, 1))
    yield from (pdus.labels(identifier, kind) for identifier, kind in ((0xFFFFFFFF, 1), (29, 2), (29, 64), (29, 0)))
    yield from (pdus.labels(pmid(cluster, 0), 8) for cluster in range(3))
    for name in (b"sample.secret", b"sample.secret.bar", b"sample.long.one", b"nothing", b"sample.secret.foo"):
        yield from (pdus.children(name, subtype) for subtype in (0, 1))
        yield from (pdus.traverse(name), pdus.pmid_of(name))
    for value in (77, 0, 0xFFFFFFFF):
        yield from (pdus.store(pmid(0, 14), value), pdus.fetch(pmid(0, 14)))
    yield from (pdus.store(pmid(0, item), 5) for item in (10, 54, 24))
    # What no client sends (16.6).
    yield from (pdus.pdu(kind, b"") for kind in (0x7003, 0x7004, 0x7008, 0x7012, 0x700D, 0x700E))
    yield pdus.pdu(0x7003, struct.pack(">iqi", 0, 0, 0))


def test_sample_answers_as_its_daemon(peer: Peer, pmproof: Path) -> None:  # DSO-020..032, CKA-163
    daemon = pdus.Agent(peer.argv(_DAEMON))
    host = pdus.Agent(peer.argv([pmproof, "agent", "host", "--domain", "29", _LIBRARY], [pmproof.parent]))
    assert host.greeting[12:] == daemon.greeting[12:]  # but for the process
    for agent in (daemon, host):
        agent.send(pdus.profile())
    asked = 0
    for request in requests():
        theirs, ours = daemon.ask(request), host.ask(request)
        assert ours == theirs, f"{request.hex()}: daemon {theirs.hex()}, shared object {ours.hex()}"
        asked += 1
    assert asked > 850
    named = 0
    for item in range(1000, 1020):  # as a shared object it calls its names "sampledso."
        theirs, ours = (agent.ask(pdus.names_of(pmid(0, item))) for agent in (daemon, host))
        assert ours[4:8] == theirs[4:8]
        if theirs[4:8] == struct.pack(">i", 0x700E):
            found = [name.replace(b"sampledso.", b"sample.", 1) for name in pdus.names_in(ours)]
            assert found == pdus.names_in(theirs)
            named += 1
    assert named >= 9
    assert (daemon.end(), host.end()) == (0, 0)


def test_sample_passes_the_checks_of_shared_objects(peer: Peer, pmproof: Path) -> None:  # CKA-163..165
    wanted = ("CKA-030", "CKA-032", "CKA-033", "CKA-163", "CKA-164", "CKA-165")
    only = [word for identifier in wanted for word in ("--check", identifier)]
    patient = ["--timeout", "300", "--timeout", "creds=300", "--timeout", "end=300"]
    command = [str(pmproof), "agent", "check", "--format", "json", "--domain", "29", *patient, *only, "--dso", _LIBRARY]
    done = peer.run(command, [pmproof.parent], timeout=600)
    checks = {one["id"]: one for one in json.loads(done.stdout)["checks"]}
    for identifier in wanted:
        assert checks[identifier]["outcome"] == "pass", checks[identifier]
    pmapi = 4 if peer.version.startswith("7") else 2  # DSO-003
    assert checks["CKA-164"]["because"] == f"interface 7, PMAPI {pmapi}"


def test_the_agent_of_pmcd_needs_pmcd(peer: Peer, pmproof: Path) -> None:  # DSO-042, CKA-165
    library = "/usr/lib/pcp/pmdas/pmcd/pmda_pmcd.so"
    done = peer.run([pmproof, "agent", "host", "--domain", "2", library], [pmproof.parent], timeout=300)
    assert done.returncode == 3
    assert "cannot be loaded" in done.stderr and "undefined symbol" in done.stderr
