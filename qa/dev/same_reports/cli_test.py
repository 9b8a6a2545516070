# SPDX-License-Identifier: Apache-2.0
"""same_reports sees a difference, and sees none where there is none."""

import os
from pathlib import Path

import pytest

from qa.dev.same_reports.cli import main

_PMPROOF = Path(os.environ["PMPROOF"]).absolute()
_SHORT = ["--records", "1"]


def test_a_build_says_the_same_as_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(_PMPROOF), str(_PMPROOF), *_SHORT, "--rounds", "1", "--keep", str(tmp_path)]) == 0
    assert "| all archives of 1 to 1 records | 30 | 0 |" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_a_build_that_misses_a_rule_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "pmproof"
    other.write_text(f'#!/bin/sh\nif [ "$1" = check ]; then set -- "$@" --rule -ARC-1912; fi\nexec {_PMPROOF} "$@"\n', encoding="utf-8")
    other.chmod(0o755)
    assert main([str(_PMPROOF), str(other), *_SHORT, "--rounds", "0", "--keep", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "the reports differ" in captured.err and "| 30 | 2 |" in captured.out


def test_builds_that_report_nothing_are_not_the_same(tmp_path: Path) -> None:
    silent = tmp_path / "pmproof"
    silent.write_text(f'#!/bin/sh\n[ "$1" = check ] || exec {_PMPROOF} "$@"\n', encoding="utf-8")
    silent.chmod(0o755)
    with pytest.raises(SystemExit, match="reports on no archive"):
        main([str(silent), str(silent), *_SHORT, "--rounds", "0"])


def test_a_program_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["/nowhere/pmproof", str(_PMPROOF)])
    assert ended.value.code == 2 and "no program /nowhere/pmproof" in capsys.readouterr().err
