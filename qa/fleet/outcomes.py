# SPDX-License-Identifier: Apache-2.0
"""What can come of an archive, and the exit status that it makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """`status`: exit status, as README.md lists them; 1 depends on the severities that are found."""

    text: str
    status: int


OUTCOMES: Mapping[str, Outcome] = {
    "conformant": Outcome("conformant", 0),
    "not_conformant": Outcome("not conformant", 1),
    "no_verdict": Outcome("no verdict", 4),
    "over_budget": Outcome("over the memory budget", 6),
    "timeout": Outcome("over the time limit", 6),
    "internal_error": Outcome("internal error of pmproof", 5),
    "checker_died": Outcome("pmproof died", 5),
    "garbled": Outcome("pmproof gave no report", 5),
    "worker_died": Outcome("its worker died", 5),
}

NOT_CHECKED = ({"rule": "ARC-2101 to ARC-2109", "because": "rules on sets of archives: --set checks them"},)

SEVERITIES = ("fatal", "error", "warning", "info")
_ORDER = (5, 4, 6, 1)


def exit_status(outcomes: Iterable[str], counts: Mapping[str, int], fail_on: str, missing: bool) -> int:
    """The first that applies of 5, 4, 6 and 1, else 0. `missing`: an argument named nothing, or nothing was checked."""
    statuses = {OUTCOMES[outcome].status for outcome in outcomes} - {1}
    if missing:
        statuses.add(4)
    if any(counts[severity] for severity in SEVERITIES[: SEVERITIES.index(fail_on) + 1]):
        statuses.add(1)
    return next((status for status in _ORDER if status in statuses), 0)
