# SPDX-License-Identifier: Apache-2.0
"""The archives that real systems recorded: $PMPROOF_SHARED, or ../shared beside the workspace."""

import json
import os
import subprocess
from pathlib import Path

from qa.beside_pcp.differential.contents import Contents

_BESIDE = Path(__file__).resolve().parents[4] / "shared"
# What no reader opens; the others that are defective are answered as far as they go.
_CLOSED = {"unreadable", "unsupported-version"}
_NOT_ASKED = {"nosupport"}  # DEV-19


def folder() -> Path | None:
    """Where they are; None if they are not there."""
    found = Path(os.environ.get("PMPROOF_SHARED") or _BESIDE) / "archives"
    return found.resolve() if (found / "MANIFEST.json").is_file() else None


def archives(where: Path) -> list[Path]:
    """The base names of those that can be opened."""
    entries = json.loads((where / "MANIFEST.json").read_text(encoding="utf-8"))["archives"]
    return [where / entry["path"] for entry in entries if entry["expected_verdict"] not in _CLOSED]


def damaged(where: Path) -> set[Path]:
    """Those with a data record that is damaged: what libpcp answers then depends on how far it has read (INT-903), and
    without an index it takes the end for elsewhere. The emulation does not model damage."""
    entries = json.loads((where / "MANIFEST.json").read_text(encoding="utf-8"))["archives"]
    kinds = {where / entry["path"]: entry.get("violations", ()) for entry in entries}
    return {path for path, found in kinds.items() if any(kind.startswith("data-") for kind in found)}


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
    lines = done.stdout.splitlines()
    found.add(lines)
    for name in _misfits(lines):
        found.metrics.pop(name, None)
    return found


def _misfits(lines: list[str]) -> set[str]:
    """Metrics that are not asked about: libpcp does not turn the bytes of a value whose block has another type than the
    descriptor says (ARC-1810), and answers garbage for types that it does not know (DEV-19)."""
    types: dict[str, str] = {}
    found = set()
    for entry in map(json.loads, lines):
        if entry["type"] == "desc":
            types.update(dict.fromkeys(entry["names"], entry["metric_type"]))
            if entry["metric_type"] in _NOT_ASKED:
                found.update(entry["names"])
        elif entry["type"] == "result":
            for metric in entry["metrics"]:
                name = metric.get("metric", "")
                if any(value.get("type") != types.get(name) for value in metric["values"]):
                    found.add(name)
    return found
