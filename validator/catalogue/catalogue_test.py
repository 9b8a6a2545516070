# SPDX-License-Identifier: Apache-2.0
"""The rule catalogue is complete, well formed, and says what the specification says."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

# Not resolved: under Bazel these are links in a folder that holds just what the test declares.
CATALOGUE = Path(__file__).absolute().parent
SPECIFICATION = CATALOGUE.parents[1] / "reference" / "spec"

SCHEMA = json.loads((CATALOGUE / "catalogue.schema.json").read_text())
FILES = {
    path.stem: json.loads(path.read_text())
    for path in sorted(CATALOGUE.glob("*.json"))
    if path.name != "catalogue.schema.json"
}
RULES: list[dict[str, Any]] = sorted(
    (rule for file in FILES.values() for rule in file["rules"]), key=lambda rule: int(rule["id"][4:])
)
BY_ID = {rule["id"]: rule for rule in RULES}
TEXT = {path.name: path.read_text() for path in sorted(SPECIFICATION.glob("*.md"))}
ARCHIVE = TEXT["archive.md"]

CLAUSE = re.compile(r"(?:ARC|MET)-[0-9]{3,4}\b")
SEVERITY = re.compile(r"\b(?:fatal|error|warning|info)\b")


def id_of(rule: object) -> object:
    """The name of a rule's own test."""
    return rule["id"] if isinstance(rule, dict) else None


def clauses_defined(text: str) -> list[str]:
    """The clauses of one chapter: what begins a paragraph, a list item or the row of a table."""
    found = []
    before = ""
    for line in text.splitlines():
        at_start = line if before == "" or before.startswith("#") else ""
        item = line[2:] if line.startswith(("- ", "| ")) else ""
        if match := CLAUSE.match(at_start) or CLAUSE.match(item):
            found.append(match.group())
        before = line.strip()
    return found


def severity_of(cell: str) -> list[str]:
    """The severities that a cell of section 14 names, the normal one first; what was corrected is not a part of it."""
    words = SEVERITY.findall(re.sub(r"\(corrected:.*?\)", "", cell))
    return list(dict.fromkeys(words))


def rules_of_specification() -> dict[str, list[str]]:
    rules = {}
    for row in re.findall(r"^\| (ARC-(?:1\d|2[01])\d\d \|.*) \|$", ARCHIVE, re.MULTILINE):
        cells = [cell.strip() for cell in row.split(" | ")]
        rules[cells[0]] = severity_of(cells[2])
    return rules


def severities_of_profile(number: str) -> dict[str, str]:
    section = re.split(r"\n(?:---|##)", ARCHIVE.split(f"### {number} ")[1])[0]
    rows = re.findall(r"^\| (fatal|error|warning|info|off) \| (ARC[^|]*) \|", section, re.MULTILINE)
    return {rule: severity for severity, rules in rows for rule in CLAUSE.findall(rules)}


DEFINED = {clause for text in TEXT.values() for clause in clauses_defined(text)}
SPECIFIED = rules_of_specification()


@pytest.mark.parametrize("name", FILES)
def test_each_file_fits_the_schema(name: str) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator(SCHEMA).validate(FILES[name])


def test_the_schema_refuses_a_rule_without_remedy() -> None:
    rule = {key: value for key, value in RULES[0].items() if key != "remedy"}
    with pytest.raises(jsonschema.ValidationError, match="'remedy' is a required property"):
        jsonschema.Draft7Validator(SCHEMA).validate({"section": "14.1", "title": "x", "rules": [rule]})


@pytest.mark.parametrize("name", FILES)
def test_each_file_stands_for_one_subsection_of_the_specification(name: str) -> None:
    heading = f"### {FILES[name]['section']} {FILES[name]['title']}\n"
    assert ARCHIVE.count(heading) == 1
    section = ARCHIVE.split(heading)[1].split("\n### ")[0]
    rows = re.findall(r"^\| (ARC-\d{4}) \|", section, re.MULTILINE)
    assert [rule["id"] for rule in FILES[name]["rules"]] == rows


def test_ids_are_unique() -> None:
    assert [rule for rule, count in Counter(rule["id"] for rule in RULES).items() if count > 1] == []


@pytest.mark.parametrize("name", FILES)
def test_ids_are_sorted(name: str) -> None:
    ids = [rule["id"] for rule in FILES[name]["rules"]]
    assert ids == sorted(ids)


def test_the_catalogue_has_the_rules_of_the_specification_and_no_others() -> None:
    assert len(SPECIFIED) == 275
    assert sorted(BY_ID) == sorted(SPECIFIED)


@pytest.mark.parametrize("rule", RULES, ids=id_of)
def test_severities_are_those_of_the_specification(rule: dict[str, Any]) -> None:
    assert [rule[key] for key in ("severity", "also") if key in rule] == SPECIFIED[rule["id"]]


def test_severities_under_the_profile_live_are_those_of_the_specification() -> None:
    assert {rule["id"]: rule["live"] for rule in RULES if "live" in rule} == severities_of_profile("14.13")


def test_severities_under_the_profile_ingest_are_those_of_the_specification() -> None:
    assert {rule["id"]: rule["ingest"] for rule in RULES if "ingest" in rule} == severities_of_profile("14.16")


@pytest.mark.parametrize("rule", RULES, ids=id_of)
def test_a_severity_that_differs_is_another_one(rule: dict[str, Any]) -> None:
    assert rule["severity"] not in [rule.get("also"), rule.get("live")]


@pytest.mark.parametrize("rule", [rule for rule in RULES if "ingest" in rule], ids=id_of)
def test_under_the_profile_ingest_nothing_is_less_grave(rule: dict[str, Any]) -> None:
    order = ["info", "warning", "error", "fatal"]
    ingest = order.index(rule["ingest"])
    assert order.index(rule["severity"]) < ingest
    assert order.index(rule.get("also", "fatal")) >= ingest


@pytest.mark.parametrize("rule", RULES, ids=id_of)
def test_each_clause_named_can_be_looked_up(rule: dict[str, Any]) -> None:
    named = {rule["id"], *rule["clauses"], *CLAUSE.findall(json.dumps(rule))}
    assert named - DEFINED == set()


@pytest.mark.parametrize("rule", RULES, ids=id_of)
def test_a_rule_stands_on_clauses_and_not_on_rules(rule: dict[str, Any]) -> None:
    assert set(rule["clauses"]) & set(SPECIFIED) == set()


@pytest.mark.parametrize("rule", RULES, ids=id_of)
def test_rules_referred_to_exist_and_are_others(rule: dict[str, Any]) -> None:
    others = {*rule.get("covered_by", []), *rule.get("together", [])}
    assert others <= set(BY_ID) - {rule["id"]}


CAUSES = {rule["id"]: {cause for one in rule["follows"] for cause in one["of"]} for rule in RULES if "follows" in rule}


def test_what_a_rule_follows_from_exists() -> None:
    assert set().union(*CAUSES.values()) <= set(BY_ID)


def test_rules_follow_each_other_without_a_circle() -> None:
    left = dict(CAUSES)
    while leaves := [rule for rule, causes in left.items() if not causes & set(left)]:
        for rule in leaves:
            del left[rule]
    assert left == {}


def test_sums_are_covered_by_rules_that_report() -> None:
    sums = {rule["id"] for rule in RULES if "covered_by" in rule}
    assert sums == {"ARC-1726", "ARC-1827", "ARC-2006"}
    assert not sums & {part for rule in sums for part in BY_ID[rule]["covered_by"]}


@pytest.mark.parametrize("key", ["title", "what"])
def test_no_two_rules_say_the_same(key: str) -> None:
    assert [text for text, count in Counter(rule[key] for rule in RULES).items() if count > 1] == []


def test_no_clause_is_defined_twice() -> None:
    defined = Counter(clause for text in TEXT.values() for clause in clauses_defined(text))
    assert [clause for clause, count in defined.items() if count > 1] == []


@pytest.mark.parametrize("name", TEXT)
def test_each_clause_that_a_chapter_refers_to_can_be_looked_up(name: str) -> None:
    # A hyphenated range such as ARC-625..627 names its first clause in full.
    assert set(CLAUSE.findall(TEXT[name])) - DEFINED == set()
