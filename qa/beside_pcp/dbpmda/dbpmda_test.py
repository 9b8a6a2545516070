# SPDX-License-Identifier: Apache-2.0
"""`pmproof agent run` prints what the real dbpmda prints for the same script (pmda.md section 15)."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from qa.beside_pcp.dbpmda.compare import run_both
from qa.beside_pcp.dbpmda.random_scripts import script
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_HERE = Path(__file__).parent
_NAMES = (_HERE / "names").read_text()
_PMPROOF = Path(os.environ["PMPROOF"]).absolute()


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def differences(peer: Peer, folder: Path, scripts: Sequence[str]) -> str:
    """The first few scripts of which the programs print something else; asserts that most print something."""
    told = []
    silent = 0
    for text, (theirs, ours) in zip(scripts, run_both(peer, _PMPROOF, folder, _NAMES, scripts)):
        silent += theirs.out.count("\n") == 1 and not theirs.err
        assert ours.status in (0, 2, 3), f"{text}\n{ours}"
        if theirs.out != ours.out or theirs.err != ours.err:
            told.append(f"=== {text}\n--- dbpmda:\n{theirs.out}{theirs.err}\n--- pmproof:\n{ours.out}{ours.err}")
    assert silent < len(scripts) / 4
    return f"{len(told)} of {len(scripts)}:\n" + "\n".join(told[:5]) if told else ""


def test_dbpmda_prints_the_same(peer: Peer, tmp_path: Path) -> None:  # PMD-400..416
    scripts = (_HERE / "scripts.txt").read_text().rstrip("\n").split("\n%%\n")
    assert len(scripts) > 350
    assert differences(peer, tmp_path, scripts) == ""


def test_dbpmda_prints_the_same_of_random_scripts(peer: Peer, tmp_path: Path) -> None:  # PMD-400..414
    generator = random.Random(20261122)
    assert differences(peer, tmp_path, [script(generator) for _ in range(150)]) == ""
