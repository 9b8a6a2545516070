# SPDX-License-Identifier: Apache-2.0
"""Archives made by `pmproof generate` for being read: one of each kind, or as many as wanted by chance."""

import os
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

COMPRESSIONS = ("xz", "gz", "bz2", "zstd")
VERSIONS = (2, 3)


class GenerateError(Exception):
    """`pmproof generate` failed; refused() says whether it was the arguments' fault."""

    def __init__(self, plan: "Plan", status: int, message: str) -> None:
        super().__init__(f"{plan}: status {status}: {message.strip()}")
        self.status = status
        self.message = message.strip()

    def refused(self) -> bool:
        return self.status == 2


@dataclass(frozen=True)
class Plan:
    """One call of `pmproof generate`."""

    scenarios: tuple[str, ...] = ()
    version: int = 3
    seed: int = 1
    records: int = 20
    metrics: int = 6
    instances: int = 4
    volumes: int | None = None
    compression: str = "none"

    def arguments(self) -> list[str]:
        words = ["--seed", self.seed, "--archive-version", self.version, "--records", self.records]
        words += ["--metrics", self.metrics, "--instances", self.instances, "--compress", self.compression]
        if self.scenarios:
            words += ["--scenario", ",".join(self.scenarios)]
        if self.volumes is not None:
            words += ["--volumes", self.volumes]
        return [str(word) for word in words]

    def __str__(self) -> str:
        return " ".join(["generate", *self.arguments()])

    def make(self, pmproof: Path, folder: Path) -> list[Path]:
        """The base names of what was made in the empty `folder`: more than one where it is a set."""
        _run(self, pmproof, [*self.arguments(), str(folder / "a")])
        suffix = ".truth.json"
        return sorted(folder / path.name.removesuffix(suffix) for path in folder.glob("*" + suffix))


def _run(plan: Plan, pmproof: Path, arguments: Sequence[str]) -> str:
    done = subprocess.run(
        [pmproof, "generate", *arguments],
        capture_output=True,
        encoding="utf-8",
        env={"PATH": os.defpath, "LC_ALL": "C"},
        timeout=120,
        check=False,
    )
    if done.returncode != 0:
        raise GenerateError(plan, done.returncode, done.stderr)
    return done.stdout


@dataclass(frozen=True)
class Scenario:
    name: str
    versions: tuple[int, ...]  # of archives, that it is for


def scenarios(pmproof: Path) -> list[Scenario]:
    """In the order of `pmproof generate --list`."""
    rows = re.finditer(r"^(\S+) +([23](?:, [23])*) +", _run(Plan(), pmproof, ["--list"]), re.MULTILINE)
    return [Scenario(row[1], tuple(map(int, row[2].split(", ")))) for row in rows]


def one_of_each(known: Sequence[Scenario]) -> list[Plan]:
    """Each scenario alone, in the versions by turns, and each compression."""
    plans = []
    for number, scenario in enumerate(known):
        version = scenario.versions[number % len(scenario.versions)]
        plans.append(Plan((scenario.name,), version, seed=number + 1, records=14, metrics=5, instances=3))
    for number, compression in enumerate(COMPRESSIONS):
        plans.append(Plan((), VERSIONS[number % 2], seed=number + 1, volumes=2, compression=compression))
    return plans


def each_kind(known: Sequence[Scenario]) -> Iterator[Plan]:
    """Each scenario alone in each version, each compression, very small archives and one that is larger."""
    for number, scenario in enumerate(known):
        for version in scenario.versions:
            yield Plan((scenario.name,), version, seed=number + 1)
    for version in VERSIONS:
        for number, compression in enumerate(COMPRESSIONS):
            yield Plan((), version, seed=number + 1, volumes=2, compression=compression)
        for records in (1, 2, 3):
            yield Plan((), version, records=records, metrics=1, instances=1)
        yield Plan((), version, records=60, metrics=30, instances=20, volumes=3)


def by_chance(known: Sequence[Scenario], seed: int) -> Iterator[Plan]:
    """Endless: several scenarios at once, other numbers each time. The same seed gives the same archives."""
    number = 0
    while True:
        number += 1
        chance = random.Random(f"{seed}/{number}")
        version = chance.choice(VERSIONS)
        possible = [scenario.name for scenario in known if version in scenario.versions]
        records = chance.choice((14, 30, 60, 100, 300))
        yield Plan(
            scenarios=tuple(chance.sample(possible, k=min(len(possible), chance.choice((1, 2, 2, 3, 4, 6))))),
            version=version,
            seed=chance.randrange(1, 2**32),
            records=records,
            metrics=chance.randrange(1, 25),
            instances=chance.choice((1, 2, 5, 12, 40)),
            # Some scenarios need a dozen records in each.
            volumes=chance.choice((None, *(count for count in (1, 2, 3, 5) if records >= 13 * count))),
            compression=chance.choice(("none",) * 8 + COMPRESSIONS),
        )
