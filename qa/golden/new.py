# SPDX-License-Identifier: Apache-2.0
"""A new golden case: its folder and its case.json, with the answer of the reference as a proposal."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from qa.golden.cases import CaseError, Json

_APPLIES: dict[str, Json] = {
    "replay.interp": {"rules": ["pcp-legacy", "pcp-6.3.2"], "archive_version": 3},
    **{
        operation: {"dialects": ["6.0.3", "6.3.8", "7.2.2"]}
        for operation in (
            "derive.parse", "derive.eval", "units.parse", "units.convert", "value.format", "value.extract", "pdu.decode",
            "help.parse",
        )
    },
}


_ID = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.-]*")


@dataclass(frozen=True)
class Wanted:
    """What a person says of a new case."""

    id: str  # CHAPTER/NAME
    title: str
    clauses: list[str]
    operation: str
    args: Json
    source: str | None  # an archive or a file, from the folder of the case; None where the operation needs none


def _input(wanted: Wanted) -> Json:
    if wanted.source is None:
        return {}
    of_file = wanted.operation in ("names.parse", "help.parse", "configuration.parse")
    return {"file" if of_file else "path": wanted.source}


def _answer(program: Path, wanted: Wanted, folder: Path) -> Json:
    """What the reference answers under the first rule or dialect; raises CaseError where it makes no sense of it."""
    applies = _APPLIES.get(wanted.operation, {})
    variant: Json = {}
    if "rules" in applies:
        variant = {"rule": applies["rules"][-1]}
    elif "dialects" in applies:
        variant = {"dialect": applies["dialects"][-1]}
    request = {"cmd": "run", "seq": "1", "op": wanted.operation, "input": _input(wanted),
               "args": wanted.args | variant}
    try:
        done = subprocess.run([program.resolve(), "testee"], input=json.dumps(request) + "\n", cwd=folder, text=True,
                              capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CaseError(f"{program} testee: {error}") from error
    try:
        answer: Json = json.loads(done.stdout)
    except ValueError as error:
        raise CaseError(f"{program} testee answered no JSON: {done.stdout[:200]}{done.stderr[:200]}") from error
    for kind in ("result", "reject"):
        if kind in answer:
            return {kind: answer[kind] if kind == "result" else {"class": answer[kind]["class"]}}
    raise CaseError(f"the reference does not answer {wanted.operation} so: {json.dumps(answer)[:400]}")


def write(root: Path, program: Path, wanted: Wanted) -> Path:
    """Makes golden/CHAPTER/NAME/case.json and returns its path.

    `why` and `provenance` are empty, which the schema refuses: what the reference printed is not a provenance, so a
    person has to say where the expectation comes from. Raises CaseError if the case exists or is not answered.
    """
    if not _ID.fullmatch(wanted.id):
        raise CaseError(f"{wanted.id} is not CHAPTER/NAME in lower case")
    folder = root / wanted.id
    if folder.exists() and (folder / "case.json").exists():
        raise CaseError(f"{wanted.id} exists already")
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        expect = _answer(program, wanted, folder)
    except CaseError:
        if new:
            folder.rmdir()
        raise
    case = {
        "schema": "pmproof-case/1",
        "id": wanted.id,
        "title": wanted.title,
        "clauses": wanted.clauses,
        "level": "must",
        "why": "",
        "provenance": {"kind": "hand", "note": ""},
        "requests": [{
            "op": wanted.operation,
            "input": _input(wanted),
            "args": wanted.args,
            "applies": _APPLIES.get(wanted.operation, {}),
            "expect": expect,
        }],
    }
    path = folder / "case.json"
    path.write_text(json.dumps(case, indent=2) + "\n", encoding="utf-8")
    return path
