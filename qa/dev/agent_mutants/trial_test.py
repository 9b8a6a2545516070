# SPDX-License-Identifier: Apache-2.0
"""Whole runs of agent check, of a few seconds each: the long run is a command (README.md)."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from qa.dev.agent_mutants import trial
from qa.dev.agent_mutants.mutant import Mutant
from qa.dev.agent_mutants.results import Tried

_PMPROOF = Path(os.environ["PMPROOF"]).resolve()


@pytest.fixture(scope="module")
def where() -> Iterator[trial.Bench]:
    with trial.bench(_PMPROOF) as bench:
        yield bench


@pytest.mark.parametrize("agent", ["simple", "every"])
def test_behind_the_proxy_an_agent_is_as_sound_as_without(agent: str, where: trial.Bench) -> None:
    report = where.tried(agent, "-")
    assert (report.claim, report.of(("fatal", "error", "warning")), report.wrong) == ("conformant", [], "")


def test_a_mutant_that_violates_a_clause_is_caught(where: trial.Bench) -> None:
    mutant = Mutant.parsed("simple:DESC.sem/zero/each/first")
    tried = Tried.of(1, mutant, where.tried(mutant.agent, str(mutant)))
    assert (tried.level, tried.clause, tried.claim) == ("must", "PDU-037", "not conformant")
    assert "CKA-030" in tried.errors


def test_a_mutant_without_effect_is_not_counted(where: trial.Bench) -> None:
    mutant = Mutant.parsed("simple:PMNS_IDS.status/ones/each/first")
    tried = Tried.of(1, mutant, where.tried(mutant.agent, str(mutant)))
    assert (tried.level, tried.survives, tried.claim) == ("not-applied", False, "conformant")


def test_a_sound_variant_passes(where: trial.Bench) -> None:
    report = where.tried("every", "sound=blocks,values,instances,labels,pad-255,pieces-3", ["base=1000"])
    assert (report.claim, report.of(("fatal", "error", "warning")), report.wrong) == ("conformant", [], "")
