# SPDX-License-Identifier: Apache-2.0
"""Replays of versions of PCP, which `suite explore` asks for of whoever says to emulate them."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from qa.adapters.testee import Outcome
from qa.suite.explore import archive_scenes
from qa.suite.explore.pair import Pair
from qa.suite.explore.scene import Ask, Variants

PMPROOF = os.path.abspath(os.environ["PMPROOF"])


def test_whoever_emulates_is_asked_for_it_and_need_not_name_deviations(tmp_path: Path) -> None:  # INT-1202
    programs = archive_scenes.Programs(PMPROOF, "")
    wants = Variants(frozenset({"replay.interp"}), ["pcp-6.3.2"], ["7.2.2"], emulates=["6.0.3", "7.2.2"])
    told = [ask.args for number in range(6) for ask in archive_scenes.sound(programs, "1", number, wants, _folder(tmp_path, number)).asks]
    assert {one["emulate"] for one in told if "emulate" in one} == {"6.0.3", "7.2.2"}
    assert all(("rule" in one) != ("emulate" in one) for one in told)
    of_nobody = archive_scenes.sound(programs, "1", 0, replace(wants, emulates=()), _folder(tmp_path, 9)).asks
    assert of_nobody and not any("emulate" in ask.args for ask in of_nobody)


def _folder(parent: Path, number: int) -> Path:
    folder = parent / str(number)
    folder.mkdir()
    return folder


def _fetches(value: str, **more: object) -> Outcome:
    metric = {"metric": "m", "status": 0, "values": [{"instance": None, "type": "u32", "value": value}], **more}
    return Outcome("result", {"fetches": [{"time": "1.000000000", "status": 0, "metrics": [metric]}]})


@pytest.mark.parametrize(
    ("expected", "actual", "verdict"),
    [
        (_fetches("7", deviations=["INT-DEV-01"]), _fetches("7"), "right"),
        (_fetches("7", deviations=["INT-DEV-01"]), _fetches("7", deviations=["another"]), "right"),
        (_fetches("7"), _fetches("8"), "wrong"),
        (Outcome("result", {"fetches": [{"time": "1.000000000", "undefined": "DEV-7"}]}), _fetches("8"), "undefined"),
    ],
)
def test_emulated_answers_are_compared_but_for_names_and_what_is_undefined(expected: Outcome, actual: Outcome, verdict: str, tmp_path: Path) -> None:
    class Says:
        def __init__(self, answer: Outcome) -> None:
            self.answer = answer

        def send(self, *_: object) -> None:
            pass

        def receive(self) -> Outcome:
            return self.answer

        def run(self, *_: object) -> Outcome:
            return self.answer

    ask = Ask("replay.interp", {"path": "a"}, {"metrics": ["m"], "emulate": "7.2.2"}, ("INT-1202",))
    assert Pair(Says(expected), Says(actual), None).judge(ask, tmp_path).verdict == verdict  # type: ignore[arg-type]
