# SPDX-License-Identifier: Apache-2.0
"""The archives that a seed stands for: small ones that are hard for replay, and a larger one now and then."""

import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.differential.contents import Contents

# Marks at the ends, next to each other, many of them; archives that no logger wrote.
_SPICE = ("mark-start", "mark-end", "marks-adjacent", "marks", "no-logger", "types", "events", "counter-wrap-32")
_NEED_A_DOZEN = {"marks-adjacent", "marks", "types", "events", "counter-wrap-32"}


class GenerateError(Exception):
    """`pmproof generate` failed."""


@dataclass(frozen=True)
class Recipe:
    """One archive: a call of `pmproof generate`, and whether the index is left (without it DEV-01 cannot be)."""

    seed: int
    number: int
    arguments: tuple[str, ...]
    index: bool
    folder: Path | None = None

    @classmethod
    def of(cls, seed: int, number: int) -> "Recipe":
        chance = random.Random(f"{seed}/{number}")
        records = chance.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 12, 15, 18, 21, 21))
        if chance.random() < 0.01:
            records = chance.choice((100, 300))
        scenarios = chance.choice((["replay"], ["replay"], ["replay", "replay-falls"], ["replay-falls"]))
        if records < 2:
            scenarios = ["replay"]
        scenarios = scenarios + [
            name for name in _SPICE if chance.random() < 0.12 and (records >= 12 or name not in _NEED_A_DOZEN)
        ]
        if chance.random() < 0.03:
            scenarios.append(chance.choice(("set", "set-gaps")))
        words: list[str | int] = ["--seed", chance.randrange(1, 2**32), "--scenario", ",".join(scenarios)]
        words += ["--records", records, "--archive-version", chance.choice((2, 3))]
        words += ["--metrics", chance.choice((1, 1, 2, 3, 10)), "--instances", chance.choice((1, 2, 5))]
        words += ["--volumes", chance.randrange(1, min(3, records) + 1)]
        return cls(seed, number, tuple(map(str, words)), index=chance.random() < 0.6)

    def __str__(self) -> str:
        index = "" if self.index else ", without its index"
        return f"archive {self.number} of seed {self.seed}: pmproof generate {' '.join(self.arguments)}{index}"

    def make(self, pmproof: Path, folder: Path) -> tuple[list[Path], Contents]:
        """In the folder, in place of what was made before; more than one base name where it is a set."""
        base = folder / "a"
        for old in folder.glob("a[-.]*"):
            old.unlink()
        done = subprocess.run(
            [pmproof, "generate", "--quiet", *self.arguments, base],
            capture_output=True,
            text=True,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            timeout=120,
            check=False,
        )
        if done.returncode != 0:
            raise GenerateError(f"{self}: status {done.returncode}: {done.stderr.strip()}")
        contents, suffix = Contents(), ".truth.json"
        bases = sorted(folder / path.name.removesuffix(suffix) for path in folder.glob("a*" + suffix))
        for each in bases:
            with open(f"{each}{suffix}", encoding="utf-8") as truth:
                contents.add(truth)
            if not self.index:
                Path(f"{each}.index").unlink()
        return bases, contents
