# SPDX-License-Identifier: Apache-2.0
"""TAP version 13, which all readers know: what is declared to fail is TODO, with the details of a failure as a YAML block."""

from qa.suite.journal import Run
from qa.suite.reports.text import details, why_not


def _plain(text: str) -> str:
    """In one line, and without directives: a # of its own begins a word in no ID."""
    words = "".join(c if c.isprintable() else " " for c in text).replace("\\", "\\\\").split()
    return " ".join(f"\\{word}" if word.startswith("#") else word for word in words)


def _yaml(lines: list[str]) -> list[str]:
    printable = ["".join(c if c.isprintable() else "?" for c in line) for line in lines]
    return ["  ---", "  details: |2", *(f"      {line}" for line in printable), "  ..."]


def render(run: Run) -> str:
    several = len(run.implementations) > 1
    lines: list[str] = []
    number = 0
    for one in run.implementations:
        for verdict in one.verdicts:
            number += 1
            ok = verdict["status"] in ("pass", "skip")
            name = f"{one.name}: {verdict['id']}" if several else verdict["id"]
            directive = {"skip": " # SKIP ", "deviation": " # TODO "}.get(verdict["status"], "")
            told = directive + _plain(why_not(verdict)) if directive else ""
            lines.append(f"{'ok' if ok else 'not ok'} {number} - {_plain(name)}{told}")
            if verdict["status"] in ("fail", "surprise"):
                lines += _yaml(details(run, verdict))
        for problem in one.problems:
            number += 1
            lines.append(f"not ok {number} - {_plain(f'{one.name}: {problem}')}")
    because = next((one.end.get("because") or "stopped" for one in run.implementations if not one.is_complete), "")
    if because or not run.is_complete:
        lines.append(f"Bail out! {' '.join((because or 'the run was stopped').split())}")
    return "\n".join(["TAP version 13", f"1..{number}", *lines]) + "\n"
