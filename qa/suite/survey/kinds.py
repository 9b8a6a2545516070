# SPDX-License-Identifier: Apache-2.0
"""Kinds of movements: what `pmproof rules diff` found in one archive, by clauses, semantics, type and difference."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

NO_CLAUSE = "none"


class TooManyKinds(Exception):
    """More than a report shows."""


@dataclass(frozen=True, order=True)
class Kind:
    """The clauses that both sides cite (NO_CLAUSE where none is known), and where and how values differ."""

    baseline: str
    candidate: str
    semantics: str
    type: str
    difference: str  # number, content, baseline_only, candidate_only, error

    def __str__(self) -> str:
        """Its ID: INT-503>INT-506/instant/float/number."""
        return f"{self.baseline}>{self.candidate}/{self.semantics}/{self.type}/{self.difference}"

    @classmethod
    def of(cls, identifier: str) -> "Kind":
        clauses, semantics, kind, difference = identifier.split("/")
        baseline, candidate = clauses.split(">")
        return cls(baseline, candidate, semantics, kind, difference)

    @property
    def row(self) -> tuple[str, str, str]:
        return self.semantics, self.type, self.difference

    @property
    def column(self) -> tuple[str, str]:
        return self.baseline, self.candidate


@dataclass(frozen=True)
class Moved:
    """One kind in one archive. `differences` is how many values, at most so many unless `exact`; `signature` changes
    where other answers came."""

    kind: Kind
    differences: int
    exact: bool
    signature: str
    witness: Json


def moved(archive: Json) -> list[Moved]:
    """Of an archive of pmproof-rules-diff/1 with all its examples. Raises TooManyKinds."""
    examples: dict[Kind, list[Json]] = defaultdict(list)
    for example in archive["examples"]:  # by time
        examples[_kind(example)].append(example)
    # The first one of each kind is left out last.
    if archive["more_examples"] and len(examples) == len(archive["examples"]):
        raise TooManyKinds(f"more than {len(examples)} kinds of differences")
    rows = {
        (group["semantics"], group["type"], difference): int(group["values"][difference])
        for group in archive["groups"]
        for difference in ("number", "content", "baseline_only", "candidate_only", "error")
    }
    columns = {(_clause(one["baseline"]), _clause(one["candidate"])): int(one["differences"]) for one in archive["clauses"]}
    groups = {(group["semantics"], group["type"]): group["values"] for group in archive["groups"]}
    found = []
    for kind, (differences, exact) in sorted(sizes(examples, rows, columns).items()):
        alone = sum(other.row[:2] == kind.row[:2] for other in examples) == 1
        values = groups[kind.row[:2]]
        signature = _signature(examples[kind], [values["largest"], values["mean"]] if alone else [])
        found.append(Moved(kind, differences, exact, signature, examples[kind][0]))
    return found


def sizes(
    kinds: Iterable[Kind], rows: Mapping[tuple[str, str, str], int], columns: Mapping[tuple[str, str], int]
) -> dict[Kind, tuple[int, bool]]:
    """How many values each kind has, and whether that is exact, from the sums of rows and columns that a report has.

    Where a kind is the only one left of its row or column, it has what is left there. Kinds that remain
    stand in circles, and of those only the most they can have is known.
    """
    left_in_rows, left_in_columns = dict(rows), dict(columns)
    in_row: dict[tuple[str, str, str], set[Kind]] = defaultdict(set)
    in_column: dict[tuple[str, str], set[Kind]] = defaultdict(set)
    for kind in kinds:
        in_row[kind.row].add(kind)
        in_column[kind.column].add(kind)
    found: dict[Kind, tuple[int, bool]] = {}
    queue = [kind for line in (*in_row.values(), *in_column.values()) if len(line) == 1 for kind in line]
    while queue:
        kind = queue.pop()
        row, column = in_row[kind.row], in_column[kind.column]
        if kind in found or (len(row) > 1 and len(column) > 1):
            continue
        number = left_in_rows[kind.row] if len(row) == 1 else left_in_columns[kind.column]
        found[kind] = (number, True)
        left_in_rows[kind.row] -= number
        left_in_columns[kind.column] -= number
        for line in (row, column):
            line.discard(kind)
            if len(line) == 1:
                queue.extend(line)
    for kind in {kind for line in in_row.values() for kind in line}:
        found[kind] = (min(left_in_rows[kind.row], left_in_columns[kind.column]), False)
    return found


def _kind(example: Json) -> Kind:
    series = example["series"]
    baseline, candidate = (_clause(example[side]["clause"]) for side in ("baseline", "candidate"))
    return Kind(baseline, candidate, series["semantics"], series["type"], example["difference"])


def _clause(clause: str | None) -> str:
    return clause or NO_CLAUSE


def _signature(examples: Iterable[Json], distances: list[Json]) -> str:
    told = [
        [
            example["time"],
            example["series"]["metric"],
            example["series"]["instance"],
            *(example[side][part] for side in ("baseline", "candidate") for part in ("value", "error")),
        ]
        for example in examples
    ]
    return hashlib.blake2b(json.dumps([told, distances]).encode(), digest_size=8).hexdigest()
