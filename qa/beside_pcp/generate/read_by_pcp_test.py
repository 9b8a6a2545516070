# SPDX-License-Identifier: Apache-2.0
"""Real PCP reads what `pmproof generate` makes: no complaint, and the values that OUT.truth.json tells."""

import os
import subprocess
from pathlib import Path

import pytest

from qa.beside_pcp.generate import archives, libpcp, survey
from qa.beside_pcp.generate.archives import Plan
from qa.beside_pcp.generate.compare_libpcp import questions
from qa.beside_pcp.generate.reading import Outcome, check
from qa.beside_pcp.generate.testing import load, write_example
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_JOBS = 2


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.mark.parametrize("which", ["base", "worked"])
@pytest.mark.parametrize("version", [2, 3])
def test_the_archives_of_the_specification_are_read_as_their_truth_says(
    which: str, version: int, peer: Peer, tmp_path: Path
) -> None:
    archive = write_example(which, version, tmp_path)
    truth = load(archive)
    outcome = check(peer, archive, truth)
    assert outcome.differences == []
    assert outcome.values == 3 * sum(record.value_count() for record in truth.records)


def test_each_kind_of_generated_archive_is_read_as_its_truth_says(peer: Peer) -> None:
    pmproof = Path(os.environ["PMPROOF"])
    plans = archives.one_of_each(archives.scenarios(pmproof))
    assert len(plans) > 30
    faults: list[str] = []

    def note(result: survey.Read, outcome: Outcome) -> None:
        faults.append(f"{outcome.archive} of {result.plan}: {'; '.join(map(str, outcome.faults[:5]))}")

    lines, refused = survey.summarize(survey.read_all(plans, pmproof, [peer], _JOBS), note)
    assert faults == []
    assert [(str(one.plan), one.refused) for one in refused] == []
    line = lines[peer.version]
    assert line.archives >= len(plans)
    assert line.values > 20_000  # about half of what was compared when this was written


class TestWhatGoesWrongIsSeen:
    def test_a_changed_value(self, peer: Peer, tmp_path: Path) -> None:
        archive = write_example("base", 3, tmp_path)
        data = bytearray(Path(f"{archive}.0").read_bytes())
        assert data.count(b"hello2\0") == 1
        data[data.index(b"hello2\0")] = ord("j")
        Path(f"{archive}.0").write_bytes(data)
        faults = check(peer, archive, load(archive)).faults
        assert {fault.aspect for fault in faults} == {"values"}
        assert len(faults) == 3  # as stored, as fetched, as printed

    def test_a_record_that_is_cut_off(self, peer: Peer, tmp_path: Path) -> None:
        archive = write_example("base", 3, tmp_path)
        data = Path(f"{archive}.0").read_bytes()
        Path(f"{archive}.0").write_bytes(data[:-4])
        aspects = {fault.aspect for fault in check(peer, archive, load(archive)).faults}
        assert {"pmlogcheck", "records", "label"} <= aspects

    def test_an_archive_that_can_not_be_opened(self, peer: Peer, tmp_path: Path) -> None:
        archive = write_example("base", 3, tmp_path)
        truth = load(archive)
        Path(f"{archive}.meta").unlink()
        assert {fault.aspect for fault in check(peer, archive, truth).faults} == {"pmlogcheck", "libpcp"}

    def test_a_reader_that_does_not_come_to_its_end(self, peer: Peer, tmp_path: Path) -> None:
        archive = write_example("base", 3, tmp_path)
        truth = load(archive)
        with pytest.raises(subprocess.TimeoutExpired):
            libpcp.read(peer, [archive], questions(truth), timeout=0.001)
        faults = check(peer, archive, truth, timeout=0.001).faults
        assert {fault.aspect for fault in faults} == {"pmlogcheck", "libpcp"}


def test_arguments_that_are_refused_are_told_from_a_failure(tmp_path: Path) -> None:
    with pytest.raises(archives.GenerateError) as refused:
        Plan(("no-such-scenario",)).make(Path(os.environ["PMPROOF"]), tmp_path)
    assert refused.value.refused()
