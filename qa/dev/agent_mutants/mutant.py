# SPDX-License-Identifier: Apache-2.0
"""A mutant: one field of one kind of PDU, what becomes of it, in which of the PDUs, and whose they are.

Written as AGENT:KIND.FIELD/OPERATOR/WHEN/WHERE, such as simple:RESULT.numval/plus-one/every-3/last.
"""

from __future__ import annotations

from qa.dev.agent_mutants.operators import FIELD_OPERATORS, PDU_OPERATORS
from qa.dev.agent_mutants.pdus import FIELDS, HEADER

WHOLE = "pdu"  # stands for the field where the PDU itself is dropped, repeated, cut, ...
WHENS = ("each", "every", "from")
WHERES = ("first", "last", "all")


class Mutant:
    """when: each PDU; every-N: once in N; from-N: from the N-th on that a process sends.

    where: which occurrence of a field that a PDU has several times.
    """

    __slots__ = ("agent", "kind", "field", "operator", "when", "where")

    def __init__(self, agent: str, kind: str, field: str, operator: str, when: str, where: str) -> None:
        self.agent, self.kind, self.field = agent, kind, field
        self.operator, self.when, self.where = operator, when, where

    def __str__(self) -> str:
        return f"{self.agent}:{self.kind}.{self.field}/{self.operator}/{self.when}/{self.where}"

    def hits(self, count: int, start: int) -> bool:
        """Whether the PDU number `count` (from 0) of the kind is mutated, in the process that was started as number `start`.

        Once in N: another one in each process, because many processes send only a few PDUs.
        """
        name, _, number = self.when.partition("-")
        if name == "every":
            return (count + start) % int(number) == 0
        return name == "each" or count + 1 >= int(number)

    @classmethod
    def parsed(cls, text: str) -> Mutant:
        """Raises ValueError where it is no mutant."""
        agent, colon, rest = text.partition(":")
        parts = rest.split("/")
        kind, dot, field = parts[0].partition(".")
        if not colon or not dot or len(parts) != 4:
            raise ValueError(f"{text}: not AGENT:KIND.FIELD/OPERATOR/WHEN/WHERE")
        made = cls(agent, kind, field, parts[1], parts[2], parts[3])
        made._demand_known()
        return made

    def _demand_known(self) -> None:
        names = [*FIELDS.get(self.kind, ()), WHOLE, *(name for name, _, _ in HEADER)]
        operator, when = self.operator.partition("-")[0], self.when.partition("-")
        number_is_right = when[2] == "" if when[0] == "each" else when[2].isdigit() and int(when[2]) > 0
        known = {
            "kind": self.kind in FIELDS,
            "field": self.field in names,
            "operator": operator in (PDU_OPERATORS if self.field == WHOLE else FIELD_OPERATORS),
            "when": when[0] in WHENS and number_is_right,
            "where": self.where in WHERES,
        }
        if wrong := [name for name, right in known.items() if not right]:
            raise ValueError(f"{self}: no such {' and '.join(wrong)}")
