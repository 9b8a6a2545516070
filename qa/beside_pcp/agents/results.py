# SPDX-License-Identifier: Apache-2.0
"""What came of the agents, as recorded in results.json, and as tables for the README."""

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path

from qa.beside_pcp.agents.checking import Outcome

RECORDED = Path(__file__).with_name("results.json")


def load(path: Path = RECORDED) -> list[Outcome]:
    return [Outcome(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def save(outcomes: Iterable[Outcome], path: Path = RECORDED) -> None:
    rows = [dataclasses.asdict(one) for one in sorted(outcomes, key=lambda one: (one.file, one.version))]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def replaced(outcomes: Iterable[Outcome], new: Outcome) -> list[Outcome]:
    """The outcomes with that one in place of an older one of the same agent and version."""
    key = (new.file, new.version)
    return [one for one in outcomes if (one.file, one.version) != key] + [new]


def markdown(outcomes: Iterable[Outcome]) -> str:
    """Agents that were checked, by version, with what failed; how many failed each check; those not checked, and why."""
    rows = list(outcomes)
    versions = sorted({one.version for one in rows})
    by_key = {(one.file, one.version): one for one in rows}
    files = sorted({one.file for one in rows})
    lines = [f"| agent | {' | '.join(versions)} |", f"|{'---|' * (len(versions) + 1)}"]
    for file in files:
        cells = [by_key.get((file, version)) for version in versions]
        if any(cell and cell.is_checked for cell in cells):
            lines.append(f"| {file} | {' | '.join(_counts(cell) for cell in cells)} |")
    lines += ["", *_by_check(rows, versions)]
    lines += ["", "Not checked:", "", "| agent | versions | what it, or pmproof, said |", "|---|---|---|"]
    for file in files:
        reasons: dict[str, list[str]] = {}
        for version in versions:
            one = by_key.get((file, version))
            if one and not one.is_checked:
                reasons.setdefault(one.why, []).append(version)
        lines += [f"| {file} | {', '.join(where)} | {_cell(why)} |" for why, where in reasons.items()]
    return "\n".join(lines) + "\n"


def _counts(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    if not outcome.is_checked:
        return "not checked"
    failed = f": {' '.join(sorted(name.removeprefix('CKA-') for name in outcome.failed))}" if outcome.failed else ""
    numbers = (outcome.passed, len(outcome.failed), len(outcome.declared), len(outcome.not_checked))
    return f"{' / '.join(map(str, numbers))}{failed}"


def _by_check(rows: Iterable[Outcome], versions: Iterable[str]) -> list[str]:
    """How many agents fail each check, beyond the preset and as it declares."""
    checked = [one for one in rows if one.is_checked]
    columns = [(f"{version}{what}", version, what) for what in ("", ", declared") for version in versions]
    lines = [f"| check | {' | '.join(head for head, _, _ in columns)} |", f"|---|{'---:|' * len(columns)}"]
    total = [sum(one.version == version for one in checked) for _, version, _ in columns]
    lines.append(f"| agents | {' | '.join(map(str, total))} |")
    for check in sorted({name for one in checked for name in (*one.failed, *one.declared)}):
        counts = [
            sum(one.version == version and check in (one.declared if what else one.failed) for one in checked)
            for _, version, what in columns
        ]
        lines.append(f"| {check} | {' | '.join(str(count or '') for count in counts)} |")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")[:160]
