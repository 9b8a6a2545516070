# SPDX-License-Identifier: Apache-2.0
"""The archives of the specification with their truth, and the answers of a libpcp that reads them rightly."""

import os
import subprocess
from pathlib import Path
from typing import Any

from qa.beside_pcp.generate import truth
from qa.beside_pcp.generate.compare_libpcp import CLASS_NUMBERS, END_OF_LOG, INDOM_LOG, indom_word, questions
from qa.beside_pcp.generate.entries import to_time
from qa.beside_pcp.generate.truth import Truth


def write_example(which: str, version: int, folder: Path) -> Path:
    """Makes "base" or "worked" in `folder`; gives the base name of the archive."""
    base = folder / f"{which}{version}"
    subprocess.run([os.environ["WRITE_EXAMPLE"], which, str(version), base], check=True)
    return base


def load(archive: Path) -> Truth:
    return truth.load(Path(f"{archive}.truth.json"))


def right_answers(archive: Path) -> list[dict[str, Any]]:
    """What qa.beside_pcp.libpcp.archive would say of it, made from the truth itself."""
    known = load(archive)
    entries = [dict(entry) for entry in truth.entries_of(Path(f"{archive}.truth.json"))]
    label = known.head["label"]
    last = [entry["time"] for entry in entries if entry["type"] in ("mark", "result")][-1]
    told = {"type": "label", "archive_version": known.version, "zoneinfo": "", **label, "end": last}
    answers: list[dict[str, Any]] = [told]
    answers += [entry for entry in entries if entry["type"] == "desc"]
    answers += _instances(known, entries)
    for entry in entries:
        if entry["type"] == "labels":
            answers.append({**entry, "status": 0})
        elif entry["type"] == "text":
            answers.append({**entry, "status": 0})
    records = [entry for entry in entries if entry["type"] in ("mark", "result")]
    answers += [{**entry, "reading": "result"} for entry in records]
    answers.append({"type": "end_of_records", "reading": "result", "status": END_OF_LOG})
    answers += [{**entry, "type": "fetched", "reading": "fetched"} for entry in records if entry["type"] == "result"]
    answers.append({"type": "end_of_records", "reading": "fetched", "status": END_OF_LOG})
    assert {number for number, _, _ in questions(known).labels} <= set(CLASS_NUMBERS.values())
    return answers


def _instances(known: Truth, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    answers = []
    changes = [entry for entry in entries if entry["type"] == "indom"]
    for indom, time in questions(known).instances:
        of_indom = [entry for entry in changes if indom_word(entry["indom"]) == indom]
        wanted = [entry for entry in of_indom if time is None or to_time(entry["time"]) <= time]
        shown = [entry["instances"] for entry in (wanted if time is None else wanted[-1:])]
        told = None if time is None else f"{time // 10**9}.{time % 10**9:09d}"
        found = [instance for instances in shown for instance in instances]
        status = 0 if wanted else INDOM_LOG
        answers.append({"type": "instances", "indom": indom, "time": told, "status": status, "instances": found})
    return answers
