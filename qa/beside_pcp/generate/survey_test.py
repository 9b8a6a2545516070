# SPDX-License-Identifier: Apache-2.0
"""Which archives are made, and what is said of them; no PCP is needed for that."""

import itertools
import os
import subprocess
from pathlib import Path

import pytest

from qa.beside_pcp.generate import archives, cli, survey
from qa.beside_pcp.generate.archives import Plan, Scenario
from qa.beside_pcp.generate.difference import Difference
from qa.beside_pcp.generate.reading import Outcome

PMPROOF = Path(os.environ["PMPROOF"])
_SCRIPT = Path(__file__).with_name("read_by_pcp")
_KNOWN = [Scenario("plain", (2, 3)), Scenario("marks", (2, 3)), Scenario("deltas", (3,))]


def test_the_scenarios_are_those_of_the_list() -> None:
    known = archives.scenarios(PMPROOF)
    assert len(known) >= 30
    assert Scenario("plain", (2, 3)) in known and Scenario("deltas", (3,)) in known


def test_each_scenario_is_made_in_each_version_that_it_is_for() -> None:
    plans = list(archives.each_kind(_KNOWN))
    alone = [(plan.scenarios, plan.version) for plan in plans if plan.scenarios]
    assert alone == [(("plain",), 2), (("plain",), 3), (("marks",), 2), (("marks",), 3), (("deltas",), 3)]
    assert {(plan.compression, plan.version) for plan in plans} >= set(itertools.product(archives.COMPRESSIONS, (2, 3)))


def test_chance_is_the_same_for_the_same_seed_and_keeps_to_versions() -> None:
    first, again, other = (list(itertools.islice(archives.by_chance(_KNOWN, seed), 50)) for seed in (1, 1, 2))
    assert first == again != other
    assert not [plan for plan in first if "deltas" in plan.scenarios and plan.version == 2]


def test_what_is_made_by_chance_is_made(tmp_path: Path) -> None:
    plans = archives.by_chance(archives.scenarios(PMPROOF), 5)
    for number, plan in enumerate(itertools.islice(plans, 10)):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = plan.make(PMPROOF, folder)
        assert len(made) == (3 if {"set", "set-gaps"} & set(plan.scenarios) else 1)
        for archive in made:
            assert Path(f"{archive}.truth.json").is_file()
            assert list(folder.glob(f"{archive.name}.meta*"))


def test_a_plan_that_is_refused_is_told_as_such() -> None:
    result = survey.read_plan(Plan(("deltas",), version=2), PMPROOF, [])
    assert "version 3 only" in result.refused


def test_a_program_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(archives.GenerateError, match="status 1"):
        survey.read_plan(Plan(), Path("/bin/false"), [])


def test_a_truth_that_can_not_be_read_is_a_fault_of_each_version(tmp_path: Path) -> None:
    class FakePeer:
        version = "9.9"

    (outcome,) = survey.read_archives([tmp_path / "none"], [FakePeer()])  # type: ignore[list-item]
    assert [fault.aspect for fault in outcome.faults] == ["truth"]


def test_the_table_counts_what_was_compared_and_why_it_differs() -> None:
    known = Difference("units", "1.2.3", "a", "b", "ARC-010")
    fault = Difference("values", "1.2.3", "1", "2")
    results = [
        survey.Read(Plan(), [Outcome("a", "6.0.3", 5, 50, [known, known]), Outcome("a", "7.2.2", 5, 50)]),
        survey.Read(Plan(), [Outcome("b", "6.0.3", 6, 60, [fault, known])]),
        survey.Read(Plan(), refused="no"),
    ]
    told = []
    lines, refused = survey.summarize(results, lambda _, outcome: told.append(outcome.archive))
    assert survey.table(lines).splitlines()[2:] == [
        "| 6.0.3 | 2 | 11 | 110 | 1 | ARC-010 (2) |",
        "| 7.2.2 | 1 | 5 | 50 | 0 | none |",
    ]
    assert (told, len(refused)) == (["b"], 1)


def test_without_any_peer_the_command_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [_SCRIPT, "1", "--pmproof", PMPROOF],
        env={"PATH": os.defpath, "PMPROOF_PEERS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.splitlines() == [
        f"PCP {version} is not there: run qa/peers/peers fetch {version}" for version in ("6.0.3", "6.3.8", "7.2")
    ]


@pytest.mark.parametrize("number", ["0", "-1", "some"])
def test_a_wrong_number_is_wrong_usage(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exited:
        cli.main([number])
    assert exited.value.code == 2
    assert "ARCHIVES" in capsys.readouterr().err
