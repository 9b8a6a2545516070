"""A checker that dies, hangs or talks nonsense over one archive of a chunk: that one has its outcome, the others their report."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from qa.fleet.checking import check_chunk
from qa.fleet.testing import NET, PMPROOF, asked, checker, small_archives


@pytest.fixture(scope="module", name="chunk")
def fixture_chunk(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return list(map(str, small_archives(tmp_path_factory.mktemp("chunk"), records=1)))[:9]


def check(program: Path, paths: list[str], *options: str, limit: float = NET) -> list[dict[str, Any]]:
    answer = check_chunk(str(program), options, limit, paths)
    assert "refused" not in answer, answer
    found: list[dict[str, Any]] = answer["results"]
    assert len(found) == len(paths)
    return found


def test_a_chunk_is_one_run_of_the_program(chunk: list[str], tmp_path: Path) -> None:
    found = check(checker(tmp_path), chunk)
    assert [result["report"]["archive"] for result in found] == chunk
    assert [path for _, path in asked(tmp_path)] == chunk


@pytest.mark.parametrize(
    ("what", "outcome", "because"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "checker_died", "pmproof was ended by SIGSEGV"),
        ("sys.exit(3)", "garbled", "pmproof ended with status 3 and no report"),
        ("print('{}'); sys.exit(0)", "garbled", "pmproof ended with status 0 and no report"),
    ],
)
def test_an_archive_over_which_the_program_fails(
    what: str, outcome: str, because: str, chunk: list[str], tmp_path: Path
) -> None:
    found = check(checker(tmp_path, f"if {chunk[3]!r} in paths: {what}"), chunk)
    assert found[3] == {"outcome": outcome, "because": because, "report": None}
    assert found[:3] + found[4:] == check(PMPROOF, chunk[:3] + chunk[4:])


def test_an_archive_over_which_the_program_hangs(chunk: list[str], tmp_path: Path) -> None:
    # All others are checked, however slow the machine is, since a checker that hangs over them too would not be told
    # from this one: so all that is asked of the limit is that it ends.
    (hung,) = check(checker(tmp_path, "time.sleep(1e6)"), chunk[:1], limit=0.5)
    assert hung == {"outcome": "timeout", "because": "took longer than 0.5 s", "report": None}


def test_an_archive_that_is_gone_has_no_verdict(chunk: list[str], tmp_path: Path) -> None:
    found = check(PMPROOF, [chunk[0], str(tmp_path / "gone"), chunk[1]])
    assert [result["outcome"] for result in found][1] == "no_verdict"
    assert found[1]["because"] == "no such archive, file or directory"
    assert found[0]["report"]["archive"] == chunk[0] and found[2]["report"]["archive"] == chunk[1]


def test_a_name_that_is_no_text(chunk: list[str], tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    for part in ("meta", "index", "0"):
        shutil.copy(f"{chunk[0]}.{part}", f"{odd}.{part}")
    first, second = check(PMPROOF, [odd, chunk[0]])
    assert first["report"]["summary"] == second["report"]["summary"]


def test_options_are_handed_on(chunk: list[str]) -> None:
    worst = check(PMPROOF, chunk[:1], "--rule=+ARC-1003")
    assert worst[0]["outcome"] == "conformant"


def test_options_that_pmproof_refuses_end_the_run_with_2(chunk: list[str]) -> None:
    answer = check_chunk(str(PMPROOF), ["--rule=-ARC-9999"], NET, chunk)
    assert answer["status"] == 2
    assert "there is no rule ARC-9999" in answer["refused"]


@pytest.mark.parametrize("program", ["/nowhere/pmproof", "/dev/null"])
def test_a_program_that_can_not_be_run_ends_the_run_with_5(program: str, chunk: list[str]) -> None:
    answer = check_chunk(program, [], NET, chunk)
    assert answer["status"] == 5
    assert f"{program} can not be run on" in answer["refused"]
