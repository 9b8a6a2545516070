# SPDX-License-Identifier: Apache-2.0
"""Each command stays within its budget over each kind of input, in small."""

import os
import re
from pathlib import Path

import pytest

from qa.dev.budgets.inputs import KINDS, MB, Kind
from qa.dev.budgets.measure import PROGRAM, Measured, command_lines, measure
from qa.dev.budgets.table import markdown

PMPROOF = Path(os.environ["PMPROOF"]).resolve()
MEMORY = 4 * MB
SCALE = 32
_TEXT = ("compare", "compare --parse")
# Of kinds that differ in size alone the largest will do.
SOME = [kind for kind in KINDS if not re.match(r"one metadata record of (64|128) MB|(4000|8000) volumes", kind.name)]


@pytest.mark.parametrize("kind", SOME, ids=[kind.name for kind in SOME])
def test_each_command_stays_within_its_budget(kind: Kind, tmp_path: Path) -> None:
    place = tmp_path / "in"
    place.mkdir()
    kind.make(place / "a", SCALE)
    for command, (words, stdin) in command_lines(place / "a", tmp_path / "out").items():
        if (command in _TEXT) != (command in kind.commands):
            continue
        found = measure(PMPROOF, words, stdin, MEMORY, 60, tmp_path / "out")
        assert found.within(MEMORY), (command, found)
        if found.status == 6:
            assert "--memory" in found.told, (command, found)
        if command == "testee":
            assert found.status == 0


def test_what_exceeds_the_budget_is_shown() -> None:
    fine, beyond = Measured(6, 100 * MB, 1, ""), Measured(0, 2 * PROGRAM + 128 * MB, 1, "")
    endless = Measured(-9, MB, 120, "", timed_out=True)
    table = markdown({"a kind": {"check": fine, "dump": beyond, "info": endless}}, 128 * MB)
    assert table.splitlines()[-1] == "| a kind | 100 (6) | **236** | **1, no end** |"
