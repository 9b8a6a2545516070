"""The archives that real systems recorded: $PMPROOF_SHARED, or ../shared beside the workspace."""

import json
import os
import subprocess
from pathlib import Path

from qa.differential.contents import Contents

_BESIDE = Path(__file__).resolve().parents[3] / "shared"
# What no reader opens; the others that are defective are answered as far as they go.
_CLOSED = {"unreadable", "unsupported-version"}
# Of an archive with more records, these many times are asked about.
_MOST_TIMES = 5000
_MOST_METRICS = 60


def folder() -> Path | None:
    """Where they are; None if they are not there."""
    found = Path(os.environ.get("PMPROOF_SHARED") or _BESIDE) / "archives"
    return found.resolve() if (found / "MANIFEST.json").is_file() else None


def archives(where: Path) -> list[Path]:
    """The base names of those that can be opened."""
    entries = json.loads((where / "MANIFEST.json").read_text(encoding="utf-8"))["archives"]
    return [where / entry["path"] for entry in entries if entry["expected_verdict"] not in _CLOSED]


def defective(where: Path) -> set[Path]:
    entries = json.loads((where / "MANIFEST.json").read_text(encoding="utf-8"))["archives"]
    return {where / entry["path"] for entry in entries if entry["expected_verdict"] == "defective"}


def contents_of(pmproof: Path, base: Path) -> Contents:
    done = subprocess.run(
        [pmproof, "dump", "--format", "jsonl", base],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={"PATH": os.defpath, "LC_ALL": "C"},
        timeout=300,
        check=False,
    )
    found = Contents()
    found.add(done.stdout.splitlines())
    return found
