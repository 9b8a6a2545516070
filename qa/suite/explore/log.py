# SPDX-License-Identifier: Apache-2.0
"""What a run has found so far, a line of JSON for each scene, so that one that was stopped goes on."""

import json
from pathlib import Path
from typing import TextIO

from qa.suite.explore.exploration import Disagreement, Explored
from qa.suite.explore.pair import Tally
from qa.suite.explore.scene import Json
from qa.suite.journal import JournalError

SCHEMA = "pmproof-explore/2"


def line_of(explored: Explored) -> str:
    told = {
        "scene": explored.number,
        "tally": explored.tally.to_json(),
        "disagreements": [one.to_json() for one in explored.disagreements],
        "faults": explored.faults,
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"


def _explored(told: Json) -> Explored:
    found = [Disagreement.of(one) for one in told["disagreements"]]
    return Explored(told["scene"], Tally.of(told["tally"]), found, list(told["faults"]))


def opened(path: Path, header: Json) -> tuple[list[Explored], TextIO]:
    """The scenes of a run before, and the file to go on in. Raises JournalError where it is of another run."""
    header = {"schema": SCHEMA, **header}
    known: list[Explored] = []
    whole = 0
    if path.exists():
        content = path.read_bytes()
        for number, line in enumerate(content.splitlines(keepends=True), start=1):
            if not line.endswith(b"\n"):
                break  # whoever wrote it was stopped
            try:
                told = json.loads(line)
                if number == 1 and told != header:
                    raise JournalError(f"{path}: of another run: {_first_other(told, header)}")
                if number > 1:
                    known.append(_explored(told))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise JournalError(f"{path}:{number}: no line of {SCHEMA}: {error}") from error
            if known and known[-1].number != len(known):
                raise JournalError(f"{path}:{number}: scene {known[-1].number} where {len(known)} belongs")
            whole += len(line)
        with path.open("r+b") as file:
            file.truncate(whole)
    out = path.open("a", encoding="utf-8")
    if whole == 0:
        out.write(json.dumps(header, ensure_ascii=False, separators=(",", ":")) + "\n")
        out.flush()
    return known, out


def _first_other(told: object, header: Json) -> str:
    if not isinstance(told, dict):
        return "it is no journal of suite explore"
    key = next(key for key in (*header, *told) if told.get(key) != header.get(key))
    return f"{key} is {told.get(key)!r}, not {header.get(key)!r}"
