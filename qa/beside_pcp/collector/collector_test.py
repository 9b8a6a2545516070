# SPDX-License-Identifier: Apache-2.0
"""`pmproof collector check` against real pmcds: what it finds in each version is what README.md says, and no more."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.beside_pcp.collector.collectors import Collectors
from qa.peers.peers import Peer
from qa.peers.testing import library_peer

PMPROOF = Path(os.environ["PMPROOF"]).resolve()
SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text())

# What fails, with a part of the reason; README.md says why.
FINDINGS: dict[str, dict[str, str]] = {"6.0.3": {}, "6.3.8": {}, "7.2": {}}

# What cannot be checked there.
UNCHECKED: dict[str, set[str]] = {"6.0.3": set(), "6.3.8": set(), "7.2": set()}


@pytest.fixture(name="version", scope="module", params=list(FINDINGS))
def version_fixture(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(name="peer", scope="module")
def peer_fixture(version: str) -> Peer:
    return library_peer(version)


@pytest.fixture(name="reports", scope="module")
def reports_fixture(peer: Peer) -> Iterator[dict[str, dict[str, Any]]]:
    """By unix socket with all that there is, and by inet as a client that knows nothing."""
    # A short path: the name of a socket has 107 bytes at most.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, Collectors(peer, PMPROOF, Path(folder)) as collectors:
        # First: with agents that are gone, pmcd answers a client that names a container with PM_ERR_AGAIN (CKC-008).
        inet = collectors.check_by_inet("--collector-version", peer.version)
        yield {"all": collectors.check(), "inet": inet}


def outcomes(report: dict[str, Any], outcome: str) -> dict[str, str]:
    return {check["id"]: check["because"] for check in report["checks"] if check["outcome"] == outcome}


def test_the_findings_are_those_that_are_known(version: str, reports: dict[str, dict[str, Any]]) -> None:
    found = outcomes(reports["all"], "fail")
    assert sorted(found) == sorted(FINDINGS[version]), found
    for check, because in FINDINGS[version].items():
        assert because in found[check]


def test_all_else_was_checked(version: str, reports: dict[str, dict[str, Any]]) -> None:
    unchecked = outcomes(reports["all"], "not_checked")
    assert set(unchecked) == UNCHECKED[version], unchecked


def test_the_version_is_the_one_that_the_collector_announces(peer: Peer, reports: dict[str, dict[str, Any]]) -> None:
    collector = reports["all"]["collector"]
    assert (collector["version"], collector["version_from"]) == (peer.version, "pmcd.version")


def test_requests_by_inet_are_answered_alike(reports: dict[str, dict[str, Any]]) -> None:
    of_requests = [f"CKC-{number:03}" for number in range(1, 45)]
    by_unix, by_inet = ({check["id"]: check["outcome"] for check in reports[key]["checks"]} for key in ("all", "inet"))
    assert {check: by_inet[check] for check in of_requests} == {check: by_unix[check] for check in of_requests}


def test_reports_fit_their_schema(reports: dict[str, dict[str, Any]]) -> None:
    for report in reports.values():
        jsonschema.Draft7Validator(SCHEMA).validate(report)
