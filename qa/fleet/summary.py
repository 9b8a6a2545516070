# SPDX-License-Identifier: Apache-2.0
"""What a run has come to, for a person."""

import json
from collections.abc import Mapping
from pathlib import Path

from qa.fleet import policy
from qa.fleet.journal import Journal, Row, Totals
from qa.fleet.outcomes import NOT_CHECKED, OUTCOMES, SEVERITIES
from qa.support.display import displayable

_MOST_SHOWN = 20


def not_checked(journal: Journal) -> list[dict[str, str]]:
    """What was looked at of no archive."""
    because = "archives are judged apart; pmproof policy check says it of all together"
    of_policy = [{"rule": "POL-002", "because": because}] if policy.file_of(journal.get("options") or []) else []
    return [*(() if journal.get("sets") else NOT_CHECKED), *of_policy]


def print_summary(
    journal: Journal, path: Path, quiet: bool, totals: tuple[Totals, Totals], of_policy: Mapping[str, int]
) -> None:
    """The first archives that are not conformant, and the numbers. `totals` are those of the journal, `of_policy` policy.counts()."""
    of_archives, of_sets = totals
    bad, bad_sets = (sum(number for outcome, number in each.outcomes.items() if outcome != "conformant") for each in totals)
    for sets, number in ((False, bad), (True, bad_sets)):
        for row in journal.rows(but="conformant", limit=_MOST_SHOWN, sets=sets) if number else ():
            print(displayable(_line(row)))
        if number > _MOST_SHOWN:
            what = " sets" if sets else ""
            print(f"and {number - _MOST_SHOWN} more{what}: fleet export {displayable(str(path))}")
    missed = 0
    for row, findings in policy.unmet(journal):
        missed += 1
        if missed <= _MOST_SHOWN:
            first = findings[0]
            more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
            print(displayable(f"{row.name}: policy: {first['severity']} {first['check']}: {first['message']}{more}"))
    if missed > _MOST_SHOWN:
        print(f"and {missed - _MOST_SHOWN} more that are not as the policy requires")
    for entry in policy.expired(journal):
        print(displayable(f"policy, line {entry['line']}: warning POL-001: expired on {entry['until']}: {entry['what']}"))
    if quiet:
        return
    if bad or bad_sets or missed:
        print()
    for each in not_checked(journal):
        print(f"not checked: {each['rule']} ({each['because']})")
    judged = ", ".join(f"{of_policy[severity]} {severity}" for severity in SEVERITIES if of_policy[severity])
    told = [_totals("archive", of_archives)]
    if of_sets.outcomes:
        told.append(_totals("set", of_sets))
    if judged:
        told.append(f"policy: {judged}")
    print("; ".join(told))


def _totals(what: str, totals: Totals) -> str:
    outcomes = totals.outcomes
    total = sum(outcomes.values())
    numbers = ", ".join(f"{outcomes[outcome]} {kind.text}" for outcome, kind in OUTCOMES.items() if outcome in outcomes)
    found = ", ".join(f"{totals.counts[severity]} {severity}" for severity in SEVERITIES if totals.counts[severity])
    return f"{total} {what}{'' if total == 1 else 's'}: {numbers or 'nothing was checked'}{f' ({found})' if found else ''}"


def _line(row: Row) -> str:
    called = f"{row.name} (set of {row.members} archives)" if row.members else row.name
    line = f"{called}: {OUTCOMES[row.outcome].text}"
    if row.because:
        return f"{line}: {row.because}"
    findings = json.loads(row.report)["findings"] if row.report else []
    gravest = min(findings, key=lambda finding: SEVERITIES.index(finding["severity"]), default=None)
    if gravest is None:
        return line
    where = f"{gravest['file']} offset {gravest['offset']}"
    errors = row.counts["fatal"] + row.counts["error"]
    return f"{line}: {errors} error{'' if errors == 1 else 's'}; {gravest['rule']} {where}: {gravest['message']}"
