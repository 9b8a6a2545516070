# SPDX-License-Identifier: Apache-2.0
"""What came of the mutants: a line each, and the tables of the README that are made of them."""

import dataclasses
import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

from qa.dev.mutants.catalogue import ListError, Mutant

RESULTS = Path(__file__).absolute().parent / "results.jsonl"
_SCHEMA = Path(__file__).absolute().parent / "schema/result.schema.json"


@dataclass(frozen=True)
class Result:
    """`by`: "PART:WHAT" that failed first; empty where nothing did. `seconds`: with building it."""

    id: str
    digest: str  # of the mutant as it was then
    outcome: str  # killed or survived
    by: str
    seconds: float

    @property
    def is_killed(self) -> bool:
        return self.outcome == "killed"

    @property
    def part(self) -> str:
        return self.by.partition(":")[0]

    def is_of(self, mutant: Mutant) -> bool:
        return self.id == mutant.id and self.digest == mutant.digest


@functools.cache
def _validator() -> Any:
    return jsonschema.Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))


def load(path: Path = RESULTS) -> list[Result]:
    """Raises ListError where a line is none of a result."""
    found = []
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, start=1):
        try:
            told = json.loads(line)
            _validator().validate(told)
        except (ValueError, jsonschema.ValidationError) as error:
            raise ListError(f"{path}:{number}: {str(error).splitlines()[0]}") from error
        found.append(Result(**told))
    return found


def save(path: Path, results: Sequence[Result], mutants: Sequence[Mutant]) -> None:
    """In the order of the list; those of mutants that are no more are left out."""
    by_id = {result.id: result for result in results}
    lines = [json.dumps(dataclasses.asdict(by_id[one.id]), ensure_ascii=False) for one in mutants if one.id in by_id]
    written = path.with_suffix(".new")
    written.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    written.replace(path)


def of(mutant: Mutant, results: Sequence[Result]) -> Result | None:
    """None if it was not tried as it stands."""
    return next((result for result in results if result.is_of(mutant)), None)


def problems(mutants: Sequence[Mutant], results: Sequence[Result]) -> list[str]:
    """Why the list is not true: what survives without a reason, what is killed though it has one, or by another part."""
    found = []
    for mutant in mutants:
        result = of(mutant, results)
        if result is None:
            found.append(f"{mutant.id}: not tried")
        elif result.is_killed and mutant.survives_because:
            found.append(f"{mutant.id}: is said to survive, and is killed by {result.by}")
        elif not result.is_killed and not mutant.survives_because:
            found.append(f"{mutant.id}: survives without a reason")
        elif result.is_killed and result.part != mutant.killed_by.partition(":")[0]:
            found.append(f"{mutant.id}: killed by {result.by}, not by {mutant.killed_by}")
    return found


def score(mutants: Sequence[Mutant], results: Sequence[Result]) -> str:
    tried = [result for mutant in mutants if (result := of(mutant, results))]
    killed = sum(result.is_killed for result in tried)
    explained = sum(bool(one.survives_because) for one in mutants if (r := of(one, results)) and not r.is_killed)
    told = f"{killed} of {len(tried)} mutants killed"
    if killed < len(tried):
        told += f", {len(tried) - killed} survive ({explained} with a reason)"
    if len(tried) < len(mutants):
        told += f", {len(mutants) - len(tried)} not tried"
    return told


_PARTS = ("golden", "broken", "test")


def markdown(mutants: Sequence[Mutant], results: Sequence[Result]) -> str:
    """The score by list, and the survivors with their reasons."""
    lines = ["| list | mutants | killed | by golden cases | by broken archives | by tests | survive |", "|---|---:|---:|---:|---:|---:|---:|"]
    chapters = list(dict.fromkeys(mutant.chapter for mutant in mutants))
    for name, chosen in [(c, [m for m in mutants if m.chapter == c]) for c in chapters] + [("all", list(mutants))]:
        tried = [result for mutant in chosen if (result := of(mutant, results))]
        killed = [result for result in tried if result.is_killed]
        by = [sum(result.part == part for result in killed) for part in _PARTS]
        cells = [len(chosen), len(killed), *by, len(tried) - len(killed)]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    survivors = [mutant for mutant in mutants if (result := of(mutant, results)) and not result.is_killed]
    if survivors:
        lines += ["", "| survives | clause | what it breaks | why |", "|---|---|---|---|"]
        lines += [f"| {m.id} | {m.clause} | {_cell(m.breaks)} | {_cell(m.survives_because)} |" for m in survivors]
    return "".join(line + "\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
