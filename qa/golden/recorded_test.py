# SPDX-License-Identifier: Apache-2.0
"""The case of a QA archive, on the archive itself: that its described input stands for it (INT-1543)."""

import os
import shutil
from pathlib import Path

import pytest

from qa.adapters import libpcp
from qa.adapters.testee import Testee
from qa.golden import cases, compare
from qa.peers.peers import SUITES
from qa.peers.testing import library_peer
from validator.testing.run import PMPROOF

_BESIDE = Path(__file__).resolve().parents[3] / "shared"
(CASE,) = cases.load_all(Path("golden"), ["replay/qa-wrap"])


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("PMPROOF_SHARED") or _BESIDE) / "archives/archives/wrap"
    if not folder.is_dir():
        pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")
    shutil.copytree(folder, tmp_path / "wrap")
    return tmp_path / "wrap/wrap"


def answers_as_expected(testee: Testee, archive: Path) -> bool:
    for request in CASE.requests:
        outcome = testee.run(request.operation, {"path": str(archive)}, request.args)
        if not compare.matches(request.expect, outcome, request.tolerance):
            return False
    return True


def test_the_reference(archive: Path) -> None:
    with Testee("reference", lambda: [PMPROOF, "testee"]) as testee:
        assert answers_as_expected(testee, archive)


@pytest.mark.parametrize("version", SUITES)
def test_real_pcp(version: str, archive: Path) -> None:
    peer = library_peer(version)
    argv = libpcp.argv(peer, [archive.parent])
    with Testee(peer.version, lambda: argv) as testee:
        assert answers_as_expected(testee, archive)
