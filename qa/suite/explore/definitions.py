# SPDX-License-Identifier: Apache-2.0
"""Definitions of derived metrics that refer to each other and to what an archive has, in whatever order they are bound."""

import random
from collections.abc import Sequence

from qa.suite.explore.scene import Json

_NAMES = ("x.a", "x.b", "x.c", "y.a", "y.b.c")
_BAD_NAMES = ("", ".a", "1a", "a..b", "x.", "a-b", "x")
_WITH_SCALAR = ("6.3.8", "7.2.2")
# Of an operand that may be derived itself (DER-702). None closes a circle (DER-213), gives a constant the type of a string (DER-708)
# or leaves a value open: those are undefined.
_PLAIN = ("{}", "{}", "{} + 1", "1 + {}", "defined({})", "mkconst(7, meta={})", "mkconst(7, meta={}, type=double)", 'mkconst(7, meta={}, units="byte")')
_BOUND = (
    "sum({})", "count({})", "instant({})", "{} * {}", "{} == 2", "-{}", "{}[i1 b]", "matchinst(/i[0-3]/, {})", "defined({}) ? 1 : 2", "1 ? {} : 3", "0 ? 3 : {}",
    'rescale({}, "byte")', "avg({}) + max({})", "scalar({})", "{} / 4",
)  # fmt: skip


def of(chance: random.Random, dialect: str, metrics: Sequence[str]) -> list[Json]:
    """Of derive.parse. `metrics`: those of the archive with numbers."""
    told: list[Json] = []
    for _ in range(chance.choice((1, 2, 3, 5))):
        name = chance.choice(_BAD_NAMES) if chance.random() < 0.04 else chance.choice(_NAMES)
        used = [str(one["name"]) for one in told]
        earlier = [] if name in used else used
        forms = _PLAIN if chance.random() < 0.5 else _BOUND
        form = chance.choice([one for one in forms if dialect in _WITH_SCALAR or "scalar" not in one])
        operand = chance.choice(earlier if earlier and chance.random() < 0.5 else [*metrics, *metrics, *metrics, "no.such"])
        one: Json = {"name": name, "expression": form.format(*[operand] * 2)}
        if chance.random() < 0.4:
            one["per_context"] = True
        told.append(one)
    return told


def far_constant(chance: random.Random) -> str:
    """A number with a fraction that a double has no room for, or hardly."""
    digits = chance.choice((20, 300, 308, 309, 310, 330, 400))
    kind = chance.random()
    if kind < 0.4:
        return f"{chance.choice('129')}{chance.choice('09') * digits}.{chance.choice(('0', '5', ''))}"
    return f"{chance.choice(('', '0', '000'))}.{'0' * digits}{chance.choice('159')}"
