# SPDX-License-Identifier: Apache-2.0
"""The record of the last runs: results.json, and the tables of the README that are made of it."""

import dataclasses
import json
from pathlib import Path
from typing import Any

from qa.dev.sanitizers.outcome import Outcome

Rows = dict[str, dict[str, Any]]  # by sanitizer
SANITIZERS = {"asan": "AddressSanitizer, with leaks and UndefinedBehaviorSanitizer", "tsan": "ThreadSanitizer"}
FILE = Path(__file__).with_name("results.json")


def load(file: Path = FILE) -> Rows:
    rows: Rows = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return rows


def row(outcome: Outcome, *, date: str, commit: str, targets: list[str], minutes: int) -> dict[str, Any]:
    return {"date": date, "commit": commit, "targets": targets, "minutes": minutes, **dataclasses.asdict(outcome)}


def save(rows: Rows, file: Path = FILE) -> None:
    file.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def markdown(rows: Rows) -> str:
    lines = [
        "| Sanitizer | Date | Commit | Targets | Minutes | Passed | Failed | Not run | Tests in them | Skipped |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, title in SANITIZERS.items():
        one = rows.get(name)
        if one is None:
            lines.append(f"| {title} | not run yet | | | | | | | | |")
            continue
        skipped = sum(one["skipped"].values())
        lines.append(
            f"| {title} | {one['date']} | {one['commit']} | `{' '.join(one['targets'])}` | {one['minutes']} |"
            f" {len(one['passed'])} | {len(one['failed'])} | {len(one['not_run'])} | {one['tests']} | {skipped} |"
        )
    for name, title in SANITIZERS.items():
        one = rows.get(name, {})
        told = [f"- failed: `{label}` ({word})" for label, word in one.get("failed", {}).items()]
        told += [f"- not run: `{label}`: {why}" for label, why in one.get("not_run", {}).items()]
        told += [f"- {count} skipped: {why}" for why, count in one.get("skipped", {}).items()]
        if told:
            lines += ["", f"{title}:", "", *told]
    return "\n".join(lines) + "\n"
