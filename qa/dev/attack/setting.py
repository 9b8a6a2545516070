# SPDX-License-Identifier: Apache-2.0
"""What an attack is given: the program, a folder, chance, and time."""

import hashlib
import os
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

State = dict[str, str]  # digests by name


@dataclass(frozen=True)
class Setting:
    program: Path
    failing_reads: Path  # to be loaded in front of it
    folder: Path  # empty
    chance: random.Random
    seconds: float  # to be spent
    thorough: float  # of what has a count: 1 for as many runs as the table speaks of, less for a test
    keep: Path  # for inputs with which something was wrong

    def count(self, of_all: int) -> int:
        return max(1, round(of_all * self.thorough))


def state_of(folder: Path, essence: Callable[[bytes], bytes] = lambda content: content) -> State:
    """Every file below it. `essence`: of its content, what is compared."""
    found = {}
    for top, _, names in os.walk(os.fsencode(folder)):
        for name in names:
            path = os.path.join(top, name)
            with open(path, "rb") as file:
                digest = hashlib.sha1(essence(file.read())).hexdigest()
            found[os.fsdecode(os.path.relpath(path, os.fsencode(folder)))] = digest
    return found


def emptied(folder: Path) -> Path:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder


class Clock:
    """Whether there is time left."""

    def __init__(self, seconds: float) -> None:
        self._begin = time.monotonic()
        self._seconds = seconds

    def spent(self) -> float:
        return time.monotonic() - self._begin

    def left(self) -> bool:
        return self.spent() < self._seconds
