# SPDX-License-Identifier: Apache-2.0
from collections import Counter

import pytest

from qa.dev.agent_mutants import agents, draw
from qa.dev.agent_mutants.mutant import Mutant
from qa.dev.agent_mutants.pdus import FIELDS


def test_a_seed_draws_the_same_mutants_and_more_of_them_begin_with_the_same() -> None:
    some, more = ([str(one) for one in draw.mutants(3, count)] for count in (50, 80))
    assert more[:50] == some
    assert len(set(more)) == 80
    assert some != [str(one) for one in draw.mutants(4, 50)]


def test_kinds_of_pdus_are_equally_likely_and_all_fields_are_drawn() -> None:
    kinds = Counter(one.kind for one in draw.mutants(1, 900))
    assert kinds.keys() == FIELDS.keys()
    assert max(kinds.values()) < 1.6 * min(kinds.values())
    drawn = draw.mutants(1, 3000)
    assert {(kind, field) for kind, names in FIELDS.items() for field in names} <= {(one.kind, one.field) for one in drawn}


def test_a_mutant_is_read_as_it_is_written() -> None:
    for mutant in draw.mutants(2, 300):
        assert str(Mutant.parsed(str(mutant))) == str(mutant)


@pytest.mark.parametrize(
    "text",
    [
        "DESC.sem/zero/each/first",
        "simple:DESC/zero/each/first",
        "simple:DESC.none/zero/each/first",
        "simple:DESC.sem/drop/each/first",
        "simple:DESC.pdu/zero/each/first",
        "simple:DESC.sem/zero/every/first",
        "simple:DESC.sem/zero/every-0/first",
        "simple:DESC.sem/zero/each/second",
        "simple:DESC.sem/zero/each",
    ],
)
def test_what_is_no_mutant_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not AGENT|no such"):
        Mutant.parsed(text)


def test_when_says_which_pdus_are_changed() -> None:
    def hits(when: str, start: int) -> list[int]:
        mutant = Mutant.parsed(f"simple:DESC.sem/zero/{when}/first")
        return [count for count in range(7) if mutant.hits(count, start)]

    assert hits("each", 5) == [0, 1, 2, 3, 4, 5, 6]
    assert hits("every-3", 0) == [0, 3, 6]
    assert hits("every-3", 1) == [2, 5]
    assert hits("from-3", 1) == [2, 3, 4, 5, 6]


def test_a_seed_draws_the_same_sound_variants_and_each_of_them_is_known() -> None:
    drawn = draw.sound_variants(3, 40)
    assert drawn == draw.sound_variants(3, 40)
    for variant in drawn:
        agent, options, changes = agents.split(variant)
        assert agent in agents.AGENTS
        assert options or changes


def test_variants_that_are_not_known_are_refused() -> None:
    for variant in ("none:pad-0", "simple:base=1000", "every:pad-77", "every:"):
        with pytest.raises(ValueError, match="variant|not AGENT"):
            agents.split(variant)
