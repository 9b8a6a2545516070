# SPDX-License-Identifier: Apache-2.0
"""The policy that a run judges by (pmproof check --policy): its results are of one content of it, and of the days on
which the same entries are in force."""

import datetime
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from qa.fleet.error import MISSING, USAGE, FleetError
from qa.fleet.journal import Journal, Row
from qa.fleet.outcomes import SEVERITIES

_OPTION = "--policy="
_KEY = "policy"


def file_of(options: Sequence[str]) -> str | None:
    """The policy among the options of pmproof check."""
    return next((word[len(_OPTION) :] for word in options if word.startswith(_OPTION)), None)


def prepare(journal: Journal, today: datetime.date) -> int:
    """Notes which content the results are of. Returns how many results are forgotten, since an entry has expired.

    Raises FleetError where the policy cannot be read, or is another one than that of the journal's results.
    """
    file = file_of(journal.get("options"))
    if file is None:
        return 0
    if journal.get(_KEY) is None:
        journal.set(_KEY, {"file": file, "sha256": _digest(file), "entries": []})
        return 0
    see_that_it_is_the_same(journal)
    known = journal.get(_KEY)
    in_force = [entry["until"] for entry in known["entries"] if entry["until"] and not entry["expired"]]
    if not any(until < today.isoformat() for until in in_force):
        return 0
    journal.set(_KEY, {**known, "entries": []})
    return journal.forget_all()


def see_that_it_is_the_same(journal: Journal) -> None:
    """Raises FleetError where the policy has another content than the results in the journal are of."""
    known = journal.get(_KEY)
    if known is not None and known["sha256"] != _digest(known["file"]):
        raise FleetError(f"{known['file']} has changed since the first result: give another --journal, or --fresh", USAGE)


def _digest(file: str) -> str:
    try:
        with open(file, "rb") as content:
            return hashlib.sha256(content.read()).hexdigest()
    except OSError as error:
        raise FleetError(f"{file}: {error.strerror}", MISSING) from None


def note(journal: Journal, entries: Sequence[Mapping[str, Any]]) -> None:
    """What a report says of the policy's entries: they are the same in all reports of a day."""
    known = journal.get(_KEY)
    if known is None or known["entries"]:
        return
    kept = [{key: entry[key] for key in ("line", "what", "until", "expired")} for entry in entries]
    journal.set(_KEY, {**known, "entries": kept})


def expired(journal: Journal) -> list[Mapping[str, Any]]:
    """The entries that are not applied any more."""
    known = journal.get(_KEY)
    return [entry for entry in known["entries"] if entry["expired"]] if known else []


def unmet(journal: Journal) -> Iterator[tuple[Row, list[dict[str, Any]]]]:
    """Archives that do not have what the policy requires, and the findings about that."""
    if journal.get(_KEY) is not None:  # else no report is looked into
        yield from journal.unmet()


def counts(journal: Journal) -> dict[str, int]:
    """Findings of the policy by severity: what archives do not have of what it requires, and entries that have expired."""
    sums = dict.fromkeys(SEVERITIES, 0)
    for _, findings in unmet(journal):
        for severity in severities(findings):
            sums[severity] += 1
    sums["warning"] += len(expired(journal))
    return sums


def severities(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    return [finding["severity"] for finding in findings]
