# SPDX-License-Identifier: Apache-2.0
"""Chance that makes mistakes: as often as an archive is to have them."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_NEAR = (1, -1, 1, -1, 2, -2, 3, -3, 4, -4, 8, -8)
_LIMITS = (0, 0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - 2, 2**24, 2**16, 255)


class Dice:
    """`wrong`: how often a choice is one that an archive should not have."""

    def __init__(self, chance: random.Random, wrong: float) -> None:
        self.chance, self.wrong = chance, wrong

    def slips(self, factor: float = 1.0) -> bool:
        return self.chance.random() < self.wrong * factor

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        return self.chance.choice(choices)

    def upto(self, most: int) -> int:
        """0 to `most`."""
        return self.chance.randint(0, most)

    def one_of(self, good: Sequence[T], bad: Sequence[T], factor: float = 1.0) -> T:
        return self.pick(bad if self.slips(factor) else good)

    def near(self, number: int) -> int:
        """As it is; or, as a mistake, a little more or less, or a limit."""
        if not self.slips():
            return number
        return self.pick(_LIMITS) if self.often(0.2) else number + self.pick(_NEAR)


def word(number: int) -> bytes:
    return (number % 2**32).to_bytes(4, "big")
