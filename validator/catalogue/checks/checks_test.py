# SPDX-License-Identifier: Apache-2.0
"""The catalogue of checks is complete, well formed, and says what the specification says."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

# Not resolved: under Bazel these are links in a folder that holds just what the test declares.
CATALOGUE = Path(__file__).absolute().parent
PMDA = (CATALOGUE.parents[2] / "reference" / "spec" / "pmda.md").read_text()
METADATA = (CATALOGUE.parents[2] / "reference" / "spec" / "metadata.md").read_text()

SCHEMA = json.loads((CATALOGUE / "check.schema.json").read_text())
FILES = {
    path.stem: json.loads(path.read_text())
    for path in sorted(CATALOGUE.glob("*.json"))
    if path.name != "check.schema.json"
}
CHECKS: list[dict[str, Any]] = [check for file in FILES.values() for check in file["checks"]]
BY_ID = {check["id"]: check for check in CHECKS}

CLAUSE = re.compile(r"(?:PDU|PMD|DSO|MET)-[0-9]{3,4}\b")
SEVERITIES = {"F": "fatal", "E": "error", "W": "warning", "I": "info"}


def id_of(check: object) -> object:
    return check["id"] if isinstance(check, dict) else None


def section_of(file: dict[str, Any]) -> str:
    """The text of the specification that a file stands for."""
    level = "###" if "." in file["section"] else "##"
    number = file["section"] + ("" if level == "###" else ".")
    heading = f"{level} {number} {file['title']}\n"
    assert PMDA.count(heading) == 1, heading
    return PMDA.split(heading)[1].split("\n## ")[0].split("\n### ")[0]


def rows(text: str) -> list[list[str]]:
    found = re.findall(r"^\| (CK[AC]-\d{3} \|.*) \|$", text, re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in found]


# Severity letter and (d) of each check.
SPECIFIED = {row[0]: (row[-1][0], row[1].startswith("(d)")) for row in rows(PMDA)}


@pytest.mark.parametrize("name", FILES)
def test_each_file_fits_the_schema(name: str) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator(SCHEMA).validate(FILES[name])


@pytest.mark.parametrize("name", FILES)
def test_each_file_stands_for_one_section_of_the_specification(name: str) -> None:
    ids = [check["id"] for check in FILES[name]["checks"]]
    assert sorted(ids) == sorted(row[0] for row in rows(section_of(FILES[name])))


def test_ids_are_unique() -> None:
    assert [check for check, count in Counter(check["id"] for check in CHECKS).items() if count > 1] == []


def test_the_catalogue_has_all_153_checks_of_agents() -> None:
    specified = {check for check in SPECIFIED if check.startswith("CKA-")}
    assert len(specified) == 153
    assert {check for check in BY_ID if check.startswith("CKA-")} == specified


@pytest.mark.parametrize("check", [check for check in CHECKS if check["id"].startswith("CKA-")], ids=id_of)
def test_severity_and_destruction_are_those_of_the_specification(check: dict[str, Any]) -> None:
    letter, destroys = SPECIFIED[check["id"]]
    assert check["severity"] == SEVERITIES[letter]
    assert check.get("destroys", False) == destroys


@pytest.mark.parametrize("check", CHECKS, ids=id_of)
def test_each_clause_named_can_be_looked_up(check: dict[str, Any]) -> None:
    named = {*check["clauses"], *CLAUSE.findall(json.dumps(check))}
    for clause in named:
        text = METADATA if clause.startswith("MET-") else PMDA
        assert re.search(rf"^(?:\| )?{clause}\b", text, re.MULTILINE), clause


@pytest.mark.parametrize("key", ["title", "what"])
def test_no_two_checks_say_the_same(key: str) -> None:
    assert [text for text, count in Counter(check[key] for check in CHECKS).items() if count > 1] == []
