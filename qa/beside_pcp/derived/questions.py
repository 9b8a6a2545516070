# SPDX-License-Identifier: Apache-2.0
"""Expressions with the reference's answers, and what of them libpcp is asked."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.beside_pcp.derived import archives

Json = dict[str, Any]

_LIMIT = 600.0  # seconds, of one program


class ProgramError(Exception):
    """One of our programs failed."""


@dataclass(frozen=True)
class Programs:
    """`pmproof`, and generators/expression:expressions."""

    pmproof: Path
    expressions: Path


def make_archive(pmproof: Path, folder: Path, seed: str, version: str) -> Path:
    """In the folder, in place of the one before; one that this version of PCP can read (DEV-24)."""
    for old in folder.glob("a.*"):
        old.unlink()
    number = sum(seed.encode()) % 3
    deltas = number == 2 and version >= "6.2"
    described = archives.description(seed, 2 if number == 0 else 3, deltas)
    description = folder / "a.json"
    description.write_text(json.dumps(described), encoding="utf-8")
    _run([pmproof, "generate", "--quiet", "--description", description, folder / "a"])
    return folder / "a"


def batches(program: Path, archive: Path, version: str, seed: int, count: int) -> Iterator[Json]:
    for line in _run([program, archive, version, str(seed), str(count)]).splitlines():
        yield json.loads(line)


def answers_to(program: Path, archive: Path, version: str, seed: int, texts: list[str]) -> Json:
    """A batch of texts that are given."""
    told: Json = json.loads(_run([program, archive, version, str(seed)], "".join(f"{text}\n" for text in texts)))
    return told


def request_of(archive: Path, batch: Json) -> Json:
    """For qa.beside_pcp.libpcp.expressions: nothing that is undefined."""
    told: Json = {"archive": str(archive), "step": batch["step"], "seeks": batch["seeks"]}
    told["fetch_added"] = batch["fetch_added"]
    told["expressions"] = [_expression(ours) for ours in batch["expressions"]]
    return told


def _expression(ours: Json) -> Json:
    if ours.get("undefined", {}).get("from") == "text":
        return {"text": None}
    return {
        "text": ours["text"],
        "describe": "undefined" not in ours["global"],
        "add": "undefined" not in ours["added"],
        "fetch": "emulated" in ours,
    }


def _run(argv: list[Path | str], stdin: str = "") -> str:
    done = subprocess.run(argv, input=stdin, capture_output=True, text=True, timeout=_LIMIT, check=False)
    if done.returncode != 0:
        raise ProgramError(f"{Path(argv[0]).name}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout
