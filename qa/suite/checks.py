# SPDX-License-Identifier: Apache-2.0
"""What the suite asks: each request of each golden case, once under each rule or dialect that it applies to."""

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from qa.golden.cases import Case, CaseError, Json, Request


@dataclass(frozen=True)
class Check:
    case: Case
    number: int  # of the request in its case, from 1
    variant: Json  # {"rule": ...}, {"dialect": ...}, {"emulate": ...}, or nothing

    @property
    def id(self) -> str:
        """CHAPTER/CASE#NUMBER@RULE, for ever."""
        return f"{self.case.id}#{self.number}" + "".join(f"@{told}" for told in self.variant.values())

    @property
    def names(self) -> tuple[str, str, str]:
        """All that may stand for it: its own, its request's and its case's."""
        return self.id, f"{self.case.id}#{self.number}", self.case.id

    @property
    def request(self) -> Request:
        return self.case.requests[self.number - 1]

    @property
    def args(self) -> Json:
        return {**self.request.args, **self.variant}

    def is_called(self, glob: str) -> bool:
        return any(fnmatch.fnmatchcase(name, glob) for name in self.names)


def checks_of(cases: Iterable[Case]) -> list[Check]:
    return [
        Check(case, number, variant)
        for case in cases
        for number, request in enumerate(case.requests, start=1)
        for variant in request.variants
    ]


@dataclass(frozen=True)
class Selection:
    """Globs; of each kind that is given one has to match. `only` are IDs of checks."""

    cases: Sequence[str] = ()
    clauses: Sequence[str] = ()
    operations: Sequence[str] = ()
    only: frozenset[str] | None = field(default=None)

    @property
    def is_all(self) -> bool:
        return not (self.cases or self.clauses or self.operations) and self.only is None

    def choose(self, checks: Sequence[Check]) -> list[Check]:
        """Raises CaseError where a glob matches nothing, and where nothing is left."""
        for glob in self.cases:
            if not any(check.is_called(glob) for check in checks):
                raise CaseError(f"no case is called {glob}")
        for glob in self.clauses:
            if not any(fnmatch.filter(check.case.clauses, glob) for check in checks):
                raise CaseError(f"no case is of the clause {glob}")
        for glob in self.operations:
            if not any(fnmatch.fnmatchcase(check.request.operation, glob) for check in checks):
                raise CaseError(f"no case asks for the operation {glob}")
        chosen = [check for check in checks if self._has(check)]
        if not chosen:
            raise CaseError("the selection matches nothing")
        return chosen

    def _has(self, check: Check) -> bool:
        if self.cases and not any(check.is_called(glob) for glob in self.cases):
            return False
        if self.clauses and not any(fnmatch.filter(check.case.clauses, glob) for glob in self.clauses):
            return False
        if self.operations and not any(fnmatch.fnmatchcase(check.request.operation, glob) for glob in self.operations):
            return False
        return self.only is None or check.id in self.only
