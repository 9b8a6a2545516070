# SPDX-License-Identifier: Apache-2.0
"""The record of the last runs: results.json, and the tables of the README that are made of it."""

import collections
import dataclasses
import json
from pathlib import Path
from typing import Any

from qa.dev.sanitizers.outcome import Outcome

Row = dict[str, Any]
Rows = dict[str, dict[str, Row]]  # by sanitizer and folder
SANITIZERS = {"asan": "AddressSanitizer, with leaks and UndefinedBehaviorSanitizer", "tsan": "ThreadSanitizer"}
FILE = Path(__file__).with_name("results.json")


def load(file: Path = FILE) -> Rows:
    rows: Rows = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return rows


def row(outcome: Outcome, *, date: str, commit: str, minutes: int) -> Row:
    return {"date": date, "commit": commit, "minutes": minutes, **dataclasses.asdict(outcome)}


def is_sound(one: Row) -> bool:
    return bool(one["passed"]) and not one["failed"] and not one["not_run"]


def save(rows: Rows, file: Path = FILE) -> None:
    file.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def markdown(rows: Rows) -> str:
    lines: list[str] = []
    for name, title in SANITIZERS.items():
        folders = rows.get(name, {})
        lines += ["", f"### {title}", ""] if lines else [f"### {title}", ""]
        if not folders:
            lines.append("Not run yet.")
            continue
        lines += [
            "| Folder | Date | Commit | Minutes | Passed | Failed | Not run | Tests in them | Skipped |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for folder, one in folders.items():
            lines.append(
                f"| {folder} | {one['date']} | {one['commit']} | {one['minutes']} | {len(one['passed'])} |"
                f" {len(one['failed'])} | {len(one['not_run'])} | {one['tests']} | {sum(one['skipped'].values())} |"
            )
        all_of = list(folders.values())
        sums = [sum(one["minutes"] for one in all_of), *(sum(len(one[key]) for one in all_of) for key in ("passed", "failed", "not_run"))]
        tests, skipped = sum(one["tests"] for one in all_of), sum(sum(one["skipped"].values()) for one in all_of)
        lines.append(f"| all | | | {' | '.join(map(str, sums))} | {tests} | {skipped} |")
        told = [f"- failed: `{label}` ({word})" for one in all_of for label, word in one["failed"].items()]
        told += [f"- not run: `{label}`: {why}" for one in all_of for label, why in one["not_run"].items()]
        skips: collections.Counter[str] = collections.Counter()
        for one in all_of:
            skips.update(one["skipped"])
        told += [f"- {count} skipped: {why}" for why, count in sorted(skips.items())]
        lines += ["", *told] if told else []
    return "\n".join(lines) + "\n"
