"""Archives made by `pmproof generate` for being read: one of each kind, or as many as wanted by chance."""

import os
import random
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


def scenarios(pmproof: Path) -> list[str]:
    """Their names, in the order of `pmproof generate --list`."""
    lines = _run(Plan(), pmproof, ["--list"]).splitlines()
    return [line.split()[0] for line in lines if line and not line[0].isspace()]


def each_kind(names: Sequence[str]) -> Iterator[Plan]:
    """Each scenario alone in both versions, all sound ones by twos, and each compression."""
    for number, name in enumerate(names):
        for version in VERSIONS:
            yield Plan((name,), version, seed=number + 1)
    for number, compression in enumerate(COMPRESSIONS):
        yield Plan((), VERSIONS[number % 2], seed=number + 1, volumes=2, compression=compression)
    for version in VERSIONS:
        yield Plan((), version, records=1, metrics=1, instances=1)
        yield Plan((), version, records=60, metrics=30, instances=20, volumes=3)


def by_chance(names: Sequence[str], seed: int) -> Iterator[Plan]:
    """Endless: several scenarios at once, other numbers each time. The same seed gives the same archives."""
    number = 0
    while True:
        number += 1
        chance = random.Random(f"{seed}/{number}")
        yield Plan(
            scenarios=tuple(chance.sample(list(names), k=min(len(names), chance.choice((1, 2, 2, 3, 4, 6))))),
            version=chance.choice(VERSIONS),
            seed=chance.randrange(1, 2**32),
            records=chance.choice((1, 2, 5, 13, 30, 100, 300)),
            metrics=chance.randrange(1, 25),
            instances=chance.choice((1, 2, 5, 12, 40)),
            volumes=chance.choice((None, None, 1, 2, 5)),
            compression=chance.choice(("none",) * 8 + COMPRESSIONS),
        )
