# SPDX-License-Identifier: Apache-2.0
"""What a run has come to, for a person."""

import json
from pathlib import Path

from qa.fleet.journal import Journal, Row
from qa.fleet.outcomes import NOT_CHECKED, OUTCOMES, SEVERITIES

_MOST_SHOWN = 20


def displayable(text: str) -> str:
    """What can be shown on any terminal: names are whatever somebody gave to a file."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def print_summary(journal: Journal, path: Path, quiet: bool) -> None:
    """The first archives that are not conformant, and the numbers."""
    outcomes = journal.outcomes()
    bad = sum(number for outcome, number in outcomes.items() if outcome != "conformant")
    for row in journal.rows(but="conformant", limit=_MOST_SHOWN):
        print(displayable(_line(row)))
    if bad > _MOST_SHOWN:
        print(f"and {bad - _MOST_SHOWN} more: fleet export {displayable(str(path))}")
    if quiet:
        return
    if bad:
        print()
    for each in NOT_CHECKED:
        print(f"not checked: {each['rule']} ({each['because']})")
    total = sum(outcomes.values())
    numbers = ", ".join(f"{outcomes[outcome]} {kind.text}" for outcome, kind in OUTCOMES.items() if outcome in outcomes)
    counts = journal.counts()
    found = ", ".join(f"{counts[severity]} {severity}" for severity in SEVERITIES if counts[severity])
    print(f"{total} archive{'' if total == 1 else 's'}: {numbers or 'nothing was checked'}{f' ({found})' if found else ''}")


def _line(row: Row) -> str:
    line = f"{row.name}: {OUTCOMES[row.outcome].text}"
    if row.because:
        return f"{line}: {row.because}"
    findings = json.loads(row.report)["findings"] if row.report else []
    gravest = min(findings, key=lambda finding: SEVERITIES.index(finding["severity"]), default=None)
    if gravest is None:
        return line
    where = f"{gravest['file']} offset {gravest['offset']}"
    errors = row.counts["fatal"] + row.counts["error"]
    return f"{line}: {errors} error{'' if errors == 1 else 's'}; {gravest['rule']} {where}: {gravest['message']}"
