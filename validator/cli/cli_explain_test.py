# SPDX-License-Identifier: Apache-2.0
"""list, explain, --help and --version of pmproof."""

import json

import pytest

from validator.testing.run import pmproof


def test_list_has_a_line_for_each_rule() -> None:
    listed = json.loads(pmproof("list", "--format", "json").stdout)
    rules, checks = listed["rules"], listed["checks"]
    lines = pmproof("list").stdout.splitlines()
    assert len(rules) >= 265
    assert lines[-1].startswith(f"{len(rules)} rules, {len(checks)} checks")
    for rule, line in zip(rules + checks, lines[1:-1], strict=True):
        assert line.split()[:5] == [rule["id"], rule["severity"], rule.get("live", "-"), rule.get("ingest", "-"), rule["part"]]
        assert line.endswith(rule["title"])


def test_list_of_agent_has_the_checks_of_agents_alone() -> None:
    listed = json.loads(pmproof("list", "--only", "agent", "--format", "json").stdout)
    assert listed["rules"] == []
    assert {check["part"] for check in listed["checks"]} == {"agent"}
    assert len(pmproof("list", "--only", "agent").stdout.splitlines()) == len(listed["checks"]) + 2


def test_explain_has_all_of_a_check_and_its_clauses() -> None:
    checks = json.loads(pmproof("list", "--only", "agent", "--format", "json").stdout)["checks"]
    (check,) = [check for check in checks if check["id"] == "CKA-030"]
    result = pmproof("explain", "cka-030")
    assert result.returncode == 0
    text = " ".join(result.stdout.split())
    for key in ("id", "title", "what", "why", "remedy"):
        assert check[key] in text
    for clause in check["clauses"]:
        assert f"{clause}, pmda.md" in text
    assert "CKA-030" in pmproof("explain", "PDU-036").stdout


def test_explain_has_all_of_a_rule_and_its_clauses() -> None:
    rules = json.loads(pmproof("list", "--format", "json").stdout)["rules"]
    (rule,) = [rule for rule in rules if rule["id"] == "ARC-1303"]
    result = pmproof("explain", "arc-1303")
    assert result.returncode == 0
    text = " ".join(result.stdout.split())
    for key in ("id", "title", "what", "why", "remedy"):
        assert rule[key] in text
    for clause in rule["clauses"]:
        assert f"{clause}, archive.md" in text


@pytest.mark.parametrize(
    "clause, words",
    [
        ("ARC-208", "immediately after the last value set"),
        ("MET-211", "Numerator"),
        ("OUT-213", "A parser MUST cut by position"),
        ("OUT-821", "signed|unsigned 32|64-bit wrap"),
    ],
)
def test_explain_prints_a_clause(clause: str, words: str) -> None:
    result = pmproof("explain", clause)
    assert result.returncode == 0
    assert words in " ".join(result.stdout.split())


def test_explain_of_every_rule_says_something() -> None:
    rules = [rule["id"] for rule in json.loads(pmproof("list", "--format", "json").stdout)["rules"]]
    result = pmproof("explain", *rules)
    assert result.returncode == 0
    assert result.stdout.count("What to do\n") == len(rules)


def test_explain_of_an_unknown_id_gives_2_and_the_nearest() -> None:
    result = pmproof("explain", "ARC-1117", "ARC-208")
    assert result.returncode == 2
    assert "nearest: ARC-11" in result.stderr
    assert "ARC-208" in result.stdout


@pytest.mark.parametrize("command", [[], ["check"], ["list"], ["explain"]])
def test_each_command_has_help(command: list[str]) -> None:
    result = pmproof(*command, "--help")
    assert result.returncode == 0
    assert "Usage: pmproof" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_version_names_the_rules() -> None:
    result = pmproof("--version")
    assert result.returncode == 0
    digest = json.loads(pmproof("list", "--format", "json").stdout)["tool"]["rules"]
    assert digest in result.stdout
