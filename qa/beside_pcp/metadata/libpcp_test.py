# SPDX-License-Identifier: Apache-2.0
"""Real libpcp and the reference give the same answers about units, values and labels (MET-2xx, 4xx, 5xx, 9xx)."""

import os
from pathlib import Path

import pytest

from qa.beside_pcp.metadata import questions
from qa.beside_pcp.metadata.agree import compare
from qa.beside_pcp.metadata.cli import SUBJECTS, VERSIONS
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_ANSWER = Path(os.environ["ANSWER"])
_COUNT = 4000


@pytest.fixture(params=SUITES, name="asked")
def fixture_asked(request: pytest.FixtureRequest) -> tuple[Peer, str]:
    return library_peer(request.param), VERSIONS[request.param]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_libpcp_and_the_reference_agree(subject: str, asked: tuple[Peer, str]) -> None:
    peer, version = asked
    found = compare(peer, _ANSWER, version, SUBJECTS[subject](20260101, _COUNT))
    assert [str(difference) for difference in found.differences] == []
    assert found.undefined < _COUNT / 10


def test_another_version_is_seen_to_differ(asked: tuple[Peer, str]) -> None:  # MET-214, MET-226, MET-410
    peer, version = asked
    other = "6.0.3" if version == "7.2.2" else "7.2.2"
    assert len(compare(peer, _ANSWER, other, questions.about_units(1, 500)).differences) > 5
    assert len(compare(peer, _ANSWER, other, questions.about_values(1, 500)).differences) > 5
