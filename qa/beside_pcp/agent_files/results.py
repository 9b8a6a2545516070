# SPDX-License-Identifier: Apache-2.0
"""What came of the agents' files, as recorded in results.json, and as tables for the README."""

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path

from qa.beside_pcp.agent_files.checking import Outcome

RECORDED = Path(__file__).with_name("results.json")


def load(path: Path = RECORDED) -> list[Outcome]:
    return [Outcome(**one) for one in json.loads(path.read_text(encoding="utf-8"))]


def save(outcomes: Iterable[Outcome], path: Path = RECORDED) -> None:
    rows = [dataclasses.asdict(one) for one in sorted(outcomes, key=lambda one: (one.name, one.version))]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def replaced(outcomes: Iterable[Outcome], new: Outcome) -> list[Outcome]:
    """The outcomes with that one in place of an older one of the same agent and version."""
    key = (new.name, new.version)
    return [one for one in outcomes if (one.name, one.version) != key] + [new]


def markdown(outcomes: Iterable[Outcome]) -> str:
    """How many folders there are by version; then each finding, and in which versions of which agents it is."""
    rows = list(outcomes)
    versions = sorted({one.version for one in rows})
    lines = ["| version | folders | without a finding | agents started |", "|---|---|---|---|"]
    for version in versions:
        of_version = [one for one in rows if one.version == version]
        sound = sum(not one.failed for one in of_version)
        started = sum(not one.why_not_started for one in of_version)
        lines.append(f"| {version} | {len(of_version)} | {sound} | {started} |")
    findings: dict[tuple[str, str, str], list[str]] = {}
    for one in rows:
        for identifier, because in one.failed.items():
            findings.setdefault((identifier, one.name, _cell(because)), []).append(one.version)
    lines += ["", "| check | agent | versions | what |", "|---|---|---|---|"]
    lines += [
        f"| {identifier} | {name} | {', '.join(sorted(where))} | {because} |"
        for (identifier, name, because), where in sorted(findings.items())
    ]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())[:160]
