# SPDX-License-Identifier: Apache-2.0
"""The measurement of agent check, on what is quick; its figures are for a quiet machine."""

import os
import sys
from pathlib import Path

import pytest

from qa.dev.agent_times import cli, times
from qa.dev.agent_times.subjects import DEAF, FAULT, LIMITS, SILENT, SOUND, Programs, Subject, of_bad_agent, of_faults, of_ours


def _programs() -> Programs:
    pmproof, bad_agent, faulty_agent = (Path(os.environ[name]).absolute() for name in ("PMPROOF", "BAD_AGENT", "FAULTY_AGENT"))
    return Programs(pmproof, bad_agent, faulty_agent, Path("none"))


def test_each_mode_and_each_fault_is_an_agent_of_its_own(tmp_path: Path) -> None:
    every = [*of_bad_agent(_programs()), *of_ours(_programs()), *of_faults(_programs(), tmp_path, lambda name: True)]
    assert len({one.name for one in every}) == len(every)
    faults = [one for one in every if one.group == FAULT]
    assert len(faults) > 150
    assert all(one.what.startswith("CKA-") and one.group in LIMITS for one in faults)
    assert [one.name for one in every if one.group in (SILENT, DEAF)] == ["silent", "deaf"]


def test_an_agent_is_timed_and_its_report_read() -> None:
    silent = next(one for one in of_bad_agent(_programs()) if one.name == "gone")
    timed = times.measure(silent, times=2)
    assert len(timed.seconds) == 2 and timed.wrong == ""
    assert (timed.claim, timed.failed > 0, timed.not_checked > 100) == ("undetermined", True, True)


def test_what_gives_no_report_is_told() -> None:
    timed = times.measure(Subject(SOUND, "none", "says nothing", [sys.executable, "-c", "print('x')"]), 1)
    assert timed.is_late and timed.wrong.startswith("no report")


def test_the_table_has_each_agent_and_the_slowest_faults() -> None:
    def one(group: str, name: str, seconds: float) -> times.Timed:
        return times.Timed(Subject(group, name, "it", []), (seconds, seconds / 2), "conformant")

    timed = [one(SOUND, "fine", 2), one(SILENT, "late", 6), *(one(FAULT, f"fault-{i}", i) for i in range(1, 31))]
    text = times.table(timed, "2 processors.")
    assert "| `fine` | it | 1.50 | 2.00 | 10 | conformant | 0 | 0 |" in text
    assert "| `late` | it | 4.50 | 6.00 | 5 (late) |" in text
    assert "`fault-30`" in text and "`fault-21`" in text and "`fault-20`" not in text
    assert "30 agents with one fault each" in text and "median 15.50 s, at most 30.00 s" in text


def test_an_agent_that_there_is_not_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PMPROOF_PEERS", str(tmp_path))
    programs = _programs()
    words = ["--pmproof", str(programs.pmproof), "--faulty-agent", str(programs.faulty_agent), "--libpcp-simple", str(programs.pmproof)]
    assert cli.main([*words, "--only", "nobody"]) == cli.USAGE
    assert "there is no such agent" in capsys.readouterr().err
