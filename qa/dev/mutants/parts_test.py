# SPDX-License-Identifier: Apache-2.0
"""The parts of the suite: they see nothing wrong in pmproof, and something in programs that are."""

import os
import stat
from pathlib import Path

import pytest

from qa.golden import packed
from qa.dev.mutants.parts import Broken, Golden, PartError

PMPROOF = Path(os.environ["PMPROOF"]).absolute()
GOLDEN = Path("golden").absolute()
SOUND = [GOLDEN / "archive/base-v3/base"]


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture(name="broken", scope="module")
def fixture_broken(tmp_path_factory: pytest.TempPathFactory) -> Broken:
    return Broken(PMPROOF, SOUND, tmp_path_factory.mktemp("broken"))


def test_pmproof_finds_in_each_broken_archive_what_the_edit_says(broken: Broken) -> None:
    assert broken.first_wrong(PMPROOF, "*") is None


def test_an_edit_is_chosen_by_its_rule(broken: Broken, tmp_path: Path) -> None:
    deaf = program(tmp_path / "deaf", f"exec {PMPROOF} \"$@\" --rule -ARC-1104")
    assert broken.first_wrong(deaf, "ARC-1104:1") == "base-v3/ARC-1104:1"
    assert broken.first_wrong(deaf, "ARC-1105*") is None
    with pytest.raises(PartError, match="no archive is broken by ARC-9999"):
        broken.first_wrong(PMPROOF, "ARC-9999*")


def test_a_rule_that_is_reported_everywhere_is_seen_in_the_sound_archive(broken: Broken, tmp_path: Path) -> None:
    mild = program(tmp_path / "mild", f"exec {PMPROOF} \"$@\" --rule -ARC-2008")
    assert broken.first_wrong(mild, "*") == "base-v3/sound"


@pytest.mark.parametrize("text", ["exit 0", "echo '{'; exit 1", "kill -SEGV $$"])
def test_a_program_without_a_report_is_wrong(broken: Broken, tmp_path: Path, text: str) -> None:
    assert broken.first_wrong(program(tmp_path / "program", text), "ARC-1104*") == "base-v3/ARC-1104:1"


def test_what_was_made_is_used_again(broken: Broken, tmp_path: Path) -> None:
    Broken(PMPROOF, SOUND, tmp_path)
    again = Broken(Path("/nowhere"), SOUND, tmp_path)
    assert again.first_wrong(PMPROOF, "ARC-1216*") is None


def test_pmproof_answers_golden_cases_as_expected() -> None:
    with packed.plain(GOLDEN) as folder:
        golden = Golden(folder)
        assert golden.first_wrong(PMPROOF, "replay/worked-*") is None
        assert golden.first_wrong(PMPROOF, "archive/decoded-*") is None  # whose inputs are packed
        assert golden.first_wrong(PMPROOF, "tool-output/pmdumplog-descriptors") is None  # which it is not able to answer
    with pytest.raises(PartError, match="no case is called nothing"):
        golden.first_wrong(PMPROOF, "nothing")


def test_a_wrong_answer_is_told_by_its_check_and_a_program_that_does_not_speak_too(tmp_path: Path) -> None:
    golden = Golden(GOLDEN)
    wrong = program(tmp_path / "wrong", f"{PMPROOF} testee | sed -u 's/\"byte\"/\"bite\"/'")
    found = golden.first_wrong(wrong, "metadata/units-scales")
    assert found is not None and found.startswith("metadata/units-scales#")
    assert (golden.first_wrong(program(tmp_path / "mute", "exit 1"), "metadata/*") or "").startswith("hello: ")
