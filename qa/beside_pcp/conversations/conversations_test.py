# SPDX-License-Identifier: Apache-2.0
"""Golden conversations with the agents and collectors of real PCP: they are right but for what README.md says."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from qa.beside_pcp.conversations.pmcd import hold
from qa.conversations.conversation import load_all
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer
from qa.suite.cli import main

ALL = {one.id.partition("/")[2]: one for one in load_all(Path("golden"))}
LIMIT = "--limit=120"  # a busy machine is late, not wrong
SOON = "--limit=5"  # for what is never answered
SAMPLE = ["/usr/lib/pcp/pmdas/sample/pmdasample", "-d", "29", "-U", "root", "-l", "/dev/null"]
PYTHON = "/usr/lib/pcp/pmdas/{0}/pmda{0}.python"

# README.md says why.
SAMPLE_DIFFERS = {"any-unknown-metric-fetched"}
PYTHON_DIFFERS = {"simple": {"any-labels-of-an-unknown-domain"}, "trivial": set[str]()}
PYTHON_IS_SILENT = {"any-credentials-broken"}
# What pmcd is asked by its client as it asks its agent.
UNDER_PMCD = ("any-no-text", "any-unknown-instance-domain", "any-unknown-metric-fetched", "simple-descriptors", "simple-fetch",
              "simple-instances", "simple-profile", "trivial-time")  # fmt: skip


@pytest.fixture(name="peer", params=SUITES)
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.fixture(name="folder")
def fixture_folder() -> Iterator[Path]:
    # A short path: the name of a socket has 107 bytes at most.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


def wrong_of(folder: Path, arguments: Sequence[str], limit: str = LIMIT) -> set[str]:
    """The conversations that are not right."""
    report = folder / "report"
    status = main(["play", arguments[0], limit, "--json", str(report), *arguments[1:]])
    found = json.loads(report.read_text(encoding="utf-8"))["conversations"]
    assert status in (0, 1) and found
    return {one["id"].partition("/")[2] for one in found if one["outcome"] != "right"}


def chosen(*globs: str) -> list[str]:
    return [word for glob in globs for word in ("--conversation", glob)]


def test_sample(peer: Peer, folder: Path) -> None:
    """All of them of one version, of the others those that are about sample itself."""
    only = [] if peer.version.startswith("7.2") else chosen("sample-*")
    words = ["agent", "--as", "sample", "--of", peer.version, "--of", "labels", "--of", "list", *only]
    assert wrong_of(folder, [*words, "--", *peer.argv(SAMPLE)]) == (set() if only else SAMPLE_DIFFERS)


@pytest.mark.parametrize("name", ["simple", "trivial"])
def test_agents_in_python(name: str, folder: Path) -> None:
    """A few, for they start slowly."""
    peer = library_peer("7.2")
    (folder / "simple").mkdir()
    (folder / "simple/simple.conf").write_text("sec,min,hour\n")
    environment = {"PCP_USER": "root", "PCP_GROUP": "root", "PCP_PMDAS_DIR": str(folder), "PCP_LOG_DIR": str(folder)}
    command = peer.argv(["python3", PYTHON.format(name)], writable=[folder], environment=environment)
    simple = ("simple-fetch", "simple-labels", "simple-names", "simple-now", "simple-profile-cases", "simple-store",
              "simple-store-negative", "any-labels-of-an-unknown-domain")
    trivial = ("trivial-*", "any-labels-of-an-unknown-domain")
    words = ["agent", "--as", name, "--of", "Python", "--of", "labels"]
    answered = chosen(*(simple if name == "simple" else trivial))
    assert wrong_of(folder, [*words, *answered, "--", *command]) == PYTHON_DIFFERS[name]
    assert wrong_of(folder, [*words, *chosen(*PYTHON_IS_SILENT), "--", *command], SOON) == PYTHON_IS_SILENT


def test_dbpmda(peer: Peer, folder: Path) -> None:  # PMD-402 to PMD-412
    (folder / "names").write_text("root {\n    simple\n}\nsimple {\n    numfetch 253:0:0\n}\n")
    command = peer.argv(["dbpmda", "-f", "-n", folder / "names", "-q", "120"], writable=[folder])
    only = [] if peer.version.startswith("7.2") else chosen("sample-*", "simple-profile", "simple-store", "any-no-text")
    assert wrong_of(folder, ["collector", *only, "--unix", str(folder / "s"), "--", *command]) == set()


@pytest.mark.parametrize("name", UNDER_PMCD)
def test_pmcd(peer: Peer, name: str, folder: Path) -> None:  # PMD-010 to PMD-013, PMD-021
    found = hold(peer, ALL[name], folder)
    assert (found.outcome, found.step, found.because) == ("right", 0, "")
