# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest

from qa.dev.agent_mutants import agents
from qa.dev.agent_mutants.conversation import answers, every_request, frames
from qa.dev.agent_mutants.pdus import FIELDS, HEADER, KINDS, fields_of, kind_of

_PMPROOF = Path(os.environ["PMPROOF"]).resolve()
_DOMAINS = {agents.SIMPLE: 253, agents.EVERY: 77}


def _said(agent: str, folder: Path) -> list[bytes]:
    agents.prepare(_PMPROOF, folder)
    return frames(answers(agents.command(agent, _PMPROOF, folder), every_request(_DOMAINS[agent])))


@pytest.mark.parametrize("agent", agents.AGENTS)
def test_fields_fill_the_pdus_of_an_agent_without_gap_or_overlap(agent: str, tmp_path: Path) -> None:
    for pdu in _said(agent, tmp_path):
        fields = sorted(fields_of(pdu), key=lambda field: field[1])
        assert kind_of(pdu)
        at = 0
        for name, begin, size in fields:
            assert begin == at, (kind_of(pdu), name, pdu.hex())
            at += size
        assert at == len(pdu), pdu.hex()


def test_the_agents_say_every_field_that_is_in_the_table(tmp_path: Path) -> None:
    found: dict[str, set[str]] = {}
    for agent in agents.AGENTS:
        for pdu in _said(agent, tmp_path):
            found.setdefault(kind_of(pdu), set()).update(field[0] for field in fields_of(pdu))
    header = {field[0] for field in HEADER}
    assert found == {kind: {*names, *header} for kind, names in FIELDS.items()}
    assert set(KINDS.values()) == FIELDS.keys()


def test_what_does_not_decode_has_a_header_at_least(tmp_path: Path) -> None:
    for pdu in _said(agents.EVERY, tmp_path):
        for size in range(12, len(pdu)):
            assert fields_of(pdu[:size])[:3] == list(HEADER)
