# SPDX-License-Identifier: Apache-2.0
"""Archives that readers open as one (ARC-2101 to ARC-2109) are judged as `pmproof check --set` judges them, and not twice."""

import csv
import io
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.fleet.testing import NET, PMPROOF, asked, checker, fleet, fleet_running, flip_a_byte, wait_for
from validator.triage.sample_archives import described, part

_SCHEMA = json.loads(Path("qa/fleet/fleet.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(name="tree")
def fixture_tree(tmp_path: Path) -> Path:
    """A directory of archives that follow each other, one of archives that overlap, and one of a single archive."""
    tree = tmp_path / "tree"
    tree.mkdir()
    for host, starts in (("good", (0, 20)), ("overlaps", (0, 10, 30)), ("single", (0,))):
        for start in starts:
            described(tree / host / f"at{start}", start, 20)
    return tree


def check(tree: Path, *words: "str | Path", program: Path = PMPROOF) -> "subprocess.CompletedProcess[str]":
    return fleet("check", "--workers", "1", "--checker", program, "--journal", tree.with_name("journal"), *words, tree)


def check_another(tree: Path, *words: "str | Path") -> "subprocess.CompletedProcess[str]":
    return fleet("check", "--workers", "1", "--checker", PMPROOF, "--journal", tree.with_name("journal"), *words, tree / "good")


def lines_of(tree: Path, kind: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in fleet("export", tree.with_name("journal")).stdout.splitlines()]
    for line in lines:
        jsonschema.validate(line, _SCHEMA, jsonschema.Draft202012Validator)
    return [line for line in lines if line["type"] == kind]


def sets_by_pmproof(tree: Path, *words: str) -> tuple[list[dict[str, Any]], int]:
    done = subprocess.run([PMPROOF, "check", "--set", "--format", "json", *words, tree], capture_output=True, timeout=NET, check=False)
    return [archive for archive in json.loads(done.stdout)["archives"] if "members" in archive], done.returncode


@pytest.mark.parametrize("words", [(), ("--rule=-ARC-2109", "--fail-on=info")])
def test_sets_are_judged_as_check_judges_them(tree: Path, words: tuple[str, ...]) -> None:
    done = check(tree, "--set", *words)
    expected, status = sets_by_pmproof(tree, *words)
    assert done.returncode == status, done.stderr
    sets = lines_of(tree, "set")
    assert [(line["directory"], line["members"]) for line in sets] == [(f"{tree}/good", 2), (f"{tree}/overlaps", 3)]
    for line, report in zip(sets, expected, strict=True):
        line["report"].pop("triage")
        assert line["report"] == report
        assert line["outcome"] == ("conformant" if report["conformant"] else "not_conformant")
    assert f"{tree}/overlaps (set of 3 archives): not conformant: 1 error; ARC-2102" in done.stdout
    assert "; 2 sets: 1 conformant, 1 not conformant (1 error" in done.stdout.splitlines()[-1]
    assert "not checked: ARC-21" not in done.stdout


def test_a_set_alone_makes_the_exit_status(tree: Path) -> None:
    assert check(tree).returncode == 0
    assert check(tree, "--set").returncode == 1
    (footer,) = lines_of(tree, "footer")
    assert (footer["outcomes"], footer["counts"]["error"]) == ({"conformant": 6}, 0)
    assert (footer["sets"]["outcomes"], footer["sets"]["counts"]["error"]) == ({"conformant": 1, "not_conformant": 1}, 1)


def test_csv_has_a_row_for_each_set(tree: Path) -> None:
    check(tree, "--set")
    rows = list(csv.DictReader(io.StringIO(fleet("export", "--format", "csv", tree.with_name("journal")).stdout)))
    assert [(row["archive"], row["members"], row["outcome"]) for row in rows[6:]] == [
        (f"{tree}/good", "2", "conformant"),
        (f"{tree}/overlaps", "3", "not_conformant"),
    ]
    assert {row["members"] for row in rows[:6]} == {""}


def sets_asked(folder: Path) -> int:
    return sum(path.endswith(".json") for _, path in asked(folder))


def test_what_has_not_changed_is_not_checked_again(tree: Path, tmp_path: Path) -> None:
    first = check(tree, "--set")
    again = check(tree, "--set", program=Path("/bin/false"))
    assert (again.stdout, again.returncode) == (first.stdout, 1)
    program = checker(tmp_path / "checker")
    described(tree / "good/at40", 40, 10)
    described(tree / "single/at40", 40, 10)
    assert check(tree, "--set", program=program).returncode == 1
    assert [path for _, path in asked(tmp_path / "checker")][:2] == [f"{tree}/good/at40", f"{tree}/single/at40"]
    assert sets_asked(tmp_path / "checker") == 1  # both in one run
    assert [line["members"] for line in lines_of(tree, "set")] == [3, 3, 2]
    for file in (tree / "single").glob("at40.*"):
        file.unlink()
    check(tree, "--set")
    assert [line["directory"] for line in lines_of(tree, "set")] == [f"{tree}/good", f"{tree}/overlaps"]


def test_sets_may_be_asked_for_later_and_then_always(tree: Path, tmp_path: Path) -> None:
    assert "not checked: ARC-2101 to ARC-2109" in check(tree).stdout
    assert check_another(tree, "--set").returncode == 2  # refused, which changes nothing
    assert check(tree).returncode == 0
    program = checker(tmp_path / "checker")
    assert check(tree, "--set", program=program).returncode == 1
    assert len(asked(tmp_path / "checker")) == sets_asked(tmp_path / "checker") == 1
    refused = check(tree)
    assert refused.returncode == 2 and "is of --set" in refused.stderr
    words = ("check", "--resume", "--trust-times", "--checker", PMPROOF, "--journal", tree.with_name("journal"))
    assert fleet(*words).returncode == 1


def test_a_set_is_checked_again_where_the_content_of_a_member_has_rotted(tree: Path, tmp_path: Path) -> None:
    assert check(tree, "--set").returncode == 1
    assert lines_of(tree, "set")[0]["outcome"] == "conformant"
    flip_a_byte(part(tree / "good/at0", "0"))
    program = checker(tmp_path / "checker")
    check(tree, "--set", program=program)
    assert [path for _, path in asked(tmp_path / "checker")][0] == f"{tree}/good/at0"
    assert sets_asked(tmp_path / "checker") == 1
    good = lines_of(tree, "set")[0]
    assert {finding["rule"] for finding in good["report"]["findings"]} == {"ARC-2107"}


def test_a_set_over_which_the_program_dies_costs_the_others_nothing(tree: Path, tmp_path: Path) -> None:
    body = "if any(path.endswith('.json') and '/overlaps/' in open(path).read() for path in paths): os.kill(os.getpid(), signal.SIGSEGV)"
    done = check(tree, "--set", program=checker(tmp_path / "checker", body))
    assert done.returncode == 5
    assert f"{tree}/overlaps (set of 3 archives): pmproof died: pmproof was ended by SIGSEGV" in done.stdout
    assert [line["outcome"] for line in lines_of(tree, "set")] == ["conformant", "checker_died"]
    assert check(tree, "--set", "--retry").returncode == 1
    assert [line["outcome"] for line in lines_of(tree, "set")] == ["conformant", "not_conformant"]


def test_a_member_without_a_report_is_not_judged(tree: Path, tmp_path: Path) -> None:
    body = f"if {str(tree / 'good/at0')!r} in paths: os.kill(os.getpid(), signal.SIGSEGV)"
    assert check(tree, "--set", program=checker(tmp_path / "checker", body)).returncode == 5
    (good, _) = lines_of(tree, "set")
    assert good["report"]["not_checked"][0] == {"rule": f"{tree}/good/at0 in the set", "because": "it has no verdict: pmproof was ended by SIGSEGV"}


def test_a_run_that_is_ended_among_its_sets_goes_on_there(tree: Path, tmp_path: Path) -> None:
    program = checker(tmp_path / "checker", "if paths[0].endswith('.json') and first({!r}): time.sleep(1e6)".format(str(tmp_path / "mark")))
    words = ("check", "--workers", "1", "--checker", program, "--journal", tree.with_name("journal"), "--set", tree)
    with fleet_running(*words) as process:
        wait_for((tmp_path / "mark").exists, process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(NET) == 128 + signal.SIGTERM
    before = len(asked(tmp_path / "checker"))
    assert fleet(*words).returncode == 1
    assert len(asked(tmp_path / "checker")) == before + 1
    assert len(lines_of(tree, "set")) == 2


def test_names_that_are_no_text(tree: Path) -> None:
    odd = tree / os.fsdecode(b"b\xff\\xfe\n")
    (tree / "overlaps").rename(odd)
    assert check(tree, "--set").returncode == 1
    expected, _ = sets_by_pmproof(tree)
    assert [line["report"]["archive"] for line in lines_of(tree, "set")] == [each["archive"] for each in expected]
    assert lines_of(tree, "set")[0]["outcome"] == "not_conformant"


def test_policies_judge_sets(tree: Path, tmp_path: Path) -> None:
    entry = '[[reclassify]]\nrule = "ARC-2102"\nseverity = "info"\nreason = "known"\nuntil = 9999-01-01\n'
    (tmp_path / "policy.toml").write_text('schema = "pmproof-policy/1"\n' + entry, encoding="utf-8")
    assert check(tree, "--set", "--policy", tmp_path / "policy.toml").returncode == 0
    assert lines_of(tree, "footer")[0]["sets"]["counts"]["info"] >= 1
