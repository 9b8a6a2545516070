# SPDX-License-Identifier: Apache-2.0
"""What came of mutants: a line each, why survivors survive, and the table for the README."""

import dataclasses
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.dev.agent_mutants.judge import MUST, OPEN, SHOULD, SOUND, judge
from qa.dev.agent_mutants.mutant import Mutant
from qa.dev.agent_mutants.pdus import TYPES
from qa.dev.agent_mutants.trial import GRAVE, Report

_HERE = Path(__file__).absolute().parent
RESULTS = _HERE / "results.jsonl"
SURVIVORS = _HERE / "survivors.toml"
README = _HERE / "README.md"
# Why a survivor may survive: no check looks; the checks ask too seldom for a fault as rare; pmcd and its clients cannot tell either.
KINDS = ("blind", "rare", "harmless")


class ListError(Exception):
    pass


@dataclass(frozen=True)
class Tried:
    """level: not-applied, or that of judge.py. errors, warnings (and notes): checks that failed, but for `known`: those that fail on
    the agent without a mutant, too. wrong: what pmproof itself did wrong.
    """

    seed: int
    mutant: str
    level: str
    clause: str
    why: str
    claim: str
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    wrong: str = ""
    seconds: float = 0
    known: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, seed: int, mutant: Mutant, report: Report, known: Sequence[str] = ()) -> "Tried":
        found = judge(mutant, report.changes)
        level, clause = (found.level, found.clause) if report.changes else ("not-applied", "")
        errors, warnings = ([one for one in report.of(of) if one not in known] for of in (GRAVE, ("warning", "info")))
        return cls(seed, str(mutant), level, clause, found.why, report.claim, errors, warnings, report.wrong, report.seconds, list(known))

    @property
    def kind(self) -> str:
        return Mutant.parsed(self.mutant).kind

    @property
    def survives(self) -> bool:
        """A clause is violated, and no check of the gravity that is due has failed."""
        caught = self.errors or (self.level == SHOULD and self.warnings)
        return self.level in (MUST, SHOULD) and not caught

    @property
    def is_false_alarm(self) -> bool:
        return self.level == SOUND and bool(self.errors)


@dataclass(frozen=True)
class Explained:
    mutant: str
    kind: str
    reason: str


def load(path: Path = RESULTS) -> list[Tried]:
    """Raises ListError where a line is no result."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [Tried(**json.loads(line)) for line in lines]
    except (ValueError, TypeError) as error:
        raise ListError(f"{path.name}: {error}") from error


def save(results: Iterable[Tried], path: Path = RESULTS) -> None:
    lines = [json.dumps(dataclasses.asdict(one), ensure_ascii=False) + "\n" for one in results]
    path.write_text("".join(lines), encoding="utf-8")


def replaced(results: Iterable[Tried], new: Tried) -> list[Tried]:
    """With that one in place of an older one of the same mutant."""
    return [*(one for one in results if one.mutant != new.mutant), new]


def explanations(path: Path = SURVIVORS) -> dict[str, Explained]:
    """By mutant. Raises ListError where the list cannot be read."""
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", [])
        told = [Explained(one["mutant"], one["kind"], one["reason"]) for one in listed]
    except (ValueError, KeyError, TypeError) as error:
        raise ListError(f"{path.name}: {error}") from error
    if wrong := [one.mutant for one in told if one.kind not in KINDS or not one.reason]:
        raise ListError(f"{path.name}: {', '.join(wrong)}: no kind of {', '.join(KINDS)}, or no reason")
    return {one.mutant: one for one in told}


def disagreements(results: Sequence[Tried], explained: Mapping[str, Explained]) -> list[str]:
    """Survivors that nothing explains, and explanations of what does not survive, or was not tried."""
    survivors = {one.mutant for one in results if one.survives}
    tried = {one.mutant for one in results}
    said = [f"{name}: survives, and {SURVIVORS.name} does not say why" for name in sorted(survivors - explained.keys())]
    for name in sorted(explained.keys() - survivors):
        state = "does not survive any more" if name in tried else "is not among the results"
        said.append(f"{name}: {SURVIVORS.name} explains it, but it {state}")
    return said


def table(results: Sequence[Tried], explained: Mapping[str, Explained]) -> str:
    seeds = ", ".join(str(seed) for seed in sorted({one.seed for one in results}))
    lines = [
        f"Seed {seeds}: {len(results)} mutants, {sum(one.seconds for one in results) / 60:.0f} minutes.",
        "",
        "| PDU | mutants | not applied | violate a MUST | caught | share | violate a SHOULD | caught | open | sound | false alarms |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in (*TYPES, "all"):
        lines.append(_row(kind, [one for one in results if kind in (one.kind, "all")]))
    known = sorted({f"{Mutant.parsed(one.mutant).agent}: {' '.join(one.known)}" for one in results if one.known})
    if known:
        lines += ["", f"Fails without a mutant, so that nothing is shown by it: {'; '.join(known)}."]
    survivors = [one for one in results if one.survives]
    if survivors:
        lines += ["", "| survivor | violates | kind | why nothing sees it |", "|---|---|---|---|"]
    for one in sorted(survivors, key=lambda one: (one.level, one.mutant)):
        why = explained.get(one.mutant)
        level = "" if one.level == MUST else f" ({one.level})"
        lines.append(f"| `{one.mutant}` | {one.clause}{level} | {why.kind if why else ''} | {why.reason if why else 'not read yet'} |")
    return "".join(line + "\n" for line in lines)


def _row(kind: str, results: Sequence[Tried]) -> str:
    by_level = {level: [one for one in results if one.level == level] for level in (MUST, SHOULD, OPEN, SOUND, "not-applied")}
    caught = {level: sum(not one.survives for one in by_level[level]) for level in (MUST, SHOULD)}
    must = len(by_level[MUST])
    share = f"{100 * caught[MUST] / must:.1f} %" if must else "-"
    cells: list[object] = [len(results), len(by_level["not-applied"]), must, caught[MUST], share]
    cells += [len(by_level[SHOULD]), caught[SHOULD], len(by_level[OPEN]), len(by_level[SOUND])]
    cells.append(sum(one.is_false_alarm for one in results))
    return f"| {kind} | " + " | ".join(map(str, cells)) + " |"
