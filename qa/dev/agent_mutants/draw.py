# SPDX-License-Identifier: Apache-2.0
"""Mutants and sound variants by chance: the same of the same seed. Kinds of PDUs are equally likely, and so are the fields of each."""

import random

from qa.dev.agent_mutants.agents import AGENTS, EVERY, SIMPLE
from qa.dev.agent_mutants.mutant import WHOLE, Mutant
from qa.dev.agent_mutants.operators import FIELD_OPERATORS, PDU_OPERATORS
from qa.dev.agent_mutants.pdus import FIELDS, HEADER, KINDS, OCTETS

_HEADER = tuple(name for name, _, _ in HEADER)
# Once in N: rarer faults than this are a matter of luck, because many checks ask only a few times.
_WHENS = ("each", "each", "each", "every-2", "every-3", "every-7", "from-2", "from-5")
_WHERES = ("first", "last", "all")
# A delay that is allowed, and one over the limit of PMD-041.
_DELAYS = (1, 5500)


def mutants(seed: int, count: int) -> list[Mutant]:
    """Different ones."""
    chance = random.Random(f"agent mutants {seed}")
    found: dict[str, Mutant] = {}
    while len(found) < count:
        mutant = _mutant(chance)
        found.setdefault(str(mutant), mutant)
    return list(found.values())


def _mutant(chance: random.Random) -> Mutant:
    kind = chance.choice(sorted(KINDS.values()))
    field = chance.choice([*FIELDS[kind], *_HEADER, WHOLE, WHOLE, WHOLE])
    operator = chance.choice(PDU_OPERATORS if field == WHOLE else FIELD_OPERATORS)
    if operator in ("plus", "minus"):
        operator += "-one"
    elif operator == "flip":
        operator += f"-{chance.randrange(64 if field in OCTETS else 32)}"
    elif operator == "other":
        operator += f"-{chance.randrange(12)}"
    elif operator == "delay":
        operator += f"-{chance.choice(_DELAYS)}"
    when = chance.choice(_WHENS)
    where = "first" if field in (WHOLE, *_HEADER) else chance.choice(_WHERES)
    agent = EVERY if kind.startswith("PMNS") or field.startswith(("event.", "parameter.")) else chance.choice((SIMPLE, EVERY))
    return Mutant(agent, kind, field, operator, when, where)


def sound_variants(seed: int, count: int) -> list[str]:
    """Each AGENT:NAME,NAME,...; different ones."""
    chance = random.Random(f"sound variants {seed}")
    found: dict[str, None] = {}
    while len(found) < count:
        agent = chance.choice((SIMPLE, EVERY, EVERY))
        choices = AGENTS[agent].variants
        names = [chance.choice(choices[of]) for of in sorted(chance.sample(sorted(choices), chance.randint(1, 4)))]
        found.setdefault(f"{agent}:{','.join(names)}")
    return list(found)
