# SPDX-License-Identifier: Apache-2.0
"""The list of mutants: small changes of the meaning of one file each."""

import fnmatch
import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jsonschema

ROOT = Path(__file__).absolute().parents[3]
LIST = Path(__file__).absolute().parent / "list"
_SCHEMA = Path(__file__).absolute().parent / "schema/mutants.schema.json"


class ListError(Exception):
    """The list cannot be used as it stands."""


@dataclass(frozen=True)
class Mutant:
    """`killed_by`: what is asked first, "PART:WHAT" (parts.py). `survives_because`: empty unless nothing kills it."""

    chapter: str  # the name of its list
    id: str
    file: str
    clause: str
    breaks: str
    before: str
    after: str
    killed_by: str
    survives_because: str = ""

    @property
    def digest(self) -> str:
        """Of what it changes: a result is about this and no other change."""
        return hashlib.sha256("\0".join((self.file, self.before, self.after)).encode()).hexdigest()[:16]

    def applied(self, text: str) -> str:
        """The file with the change. Raises ListError unless it applies at exactly one place."""
        places = text.count(self.before)
        if places != 1:
            raise ListError(f"{self.id}: {self.file} has its text {places} times, not once")
        return text.replace(self.before, self.after)


def load(folder: Path = LIST) -> list[Mutant]:
    """By the name of their list, then by the file that they change, so that each build goes on from the one before.

    Raises ListError where a list cannot be read, or two mutants have one ID.
    """
    validator = jsonschema.Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))
    found: list[Mutant] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            told = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ListError(f"{path.name}: {error}") from error
        if wrong := next(validator.iter_errors(told), None):
            place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in wrong.absolute_path)
            raise ListError(f"{path.name}: {place.lstrip('.')}: {wrong.message[:200]}")
        found += [Mutant(path.stem, **one) for one in told["mutant"]]
    if not found:
        raise ListError(f"{folder}: no list of mutants")
    known = [mutant.id for mutant in found]
    if twice := {name for name in known if known.count(name) > 1}:
        raise ListError(f"more than one mutant is called {', '.join(sorted(twice))}")
    return sorted(found, key=lambda mutant: (mutant.chapter, mutant.file))


def choose(mutants: Sequence[Mutant], globs: Sequence[str]) -> list[Mutant]:
    """Those whose ID, list or file one of the globs matches; all without globs. Raises ListError where one matches none."""

    def has(mutant: Mutant, glob: str) -> bool:
        return any(fnmatch.fnmatchcase(name, glob) for name in (mutant.id, mutant.chapter, mutant.file))

    for glob in globs:
        if not any(has(mutant, glob) for mutant in mutants):
            raise ListError(f"no mutant is called {glob}")
    return [mutant for mutant in mutants if not globs or any(has(mutant, glob) for glob in globs)]
