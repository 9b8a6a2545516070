# SPDX-License-Identifier: Apache-2.0
"""The golden cases as data: by their schema, with the clauses of the specification, on archives that are what their
descriptions say."""

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest

from qa.golden import cases, packed, rule_cases
from qa.golden.cases import Case, Json
from validator.testing.run import pmproof

ROOT = Path("golden")
CASES = cases.load_all(ROOT)
SCHEMA = json.loads(Path(os.environ["CASE_SCHEMA"]).read_text(encoding="utf-8"))
ARCHIVES = json.loads(Path(os.environ["ARCHIVE_SCHEMA"]).read_text(encoding="utf-8"))
TESTEE = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
DESCRIPTIONS = sorted(
    path for path in ROOT.rglob("*.json") if '"schema": "pmproof-archive/1"' in path.read_text(encoding="utf-8")[:80]
)


def name_of(case: Case) -> str:
    return case.id


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_case_is_by_the_schema_and_lies_where_its_id_says(case: Case) -> None:
    told = json.loads((case.folder / "case.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    assert case.folder == ROOT / case.id


def completed(result: Json) -> Json:
    """With `where`, which an expectation may leave out (DER-901)."""
    if "definitions" not in result:
        return result
    return {
        **result,
        "definitions": [{"where": None, **one} if one.get("stage") == "bind" else one for one in result["definitions"]],
    }


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_requests_and_expected_results_are_by_the_protocol(case: Case) -> None:
    protocol: Json = {**TESTEE, "$id": "urn:pmproof:testee:here"}

    def by(part: str) -> jsonschema.Draft202012Validator:
        return jsonschema.Draft202012Validator({**protocol, "oneOf": [{"$ref": f"#/$defs/{part}"}]})

    for operation in {request.operation for request in case.requests}:
        of_args, of_result = by(f"{operation}.args"), by(f"{operation}.result")
        for request in case.requests:
            if request.operation == operation:
                for variant in request.variants:
                    of_args.validate({**request.args, **variant})
                if "result" in request.expect:
                    of_result.validate(completed(request.expect["result"]))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_its_clauses_are_in_the_specification(case: Case) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path("reference/spec").glob("*.md"))
    for clause in case.clauses:
        word = clause.removeprefix("INT-") if "DEV" in clause else clause  # the chapter's short form
        assert re.search(rf"\b{re.escape(word)}\b", text), clause


def test_every_archive_that_lies_there_is_used_and_every_used_one_lies_there() -> None:
    with packed.plain(ROOT) as root:
        used = {path for case in cases.load_all(root) for path in case.archives}
        # Of the names that a context may have some name a file or a folder, others nothing.
        (names,) = cases.load_all(root, ["archive/context-names"])
        folders = names.archive_folders
        used -= names.archives
        for path in used:
            assert any(path.parent.glob(f"{path.name}.*")), path
        lying = {path.absolute().with_suffix("") for path in root.rglob("*.meta") if path.parent.parent != root / "archive"}
        # Some are broken by having no .meta.
        assert {path for path in lying if path.parent not in folders} <= used
        without = {path.parent.name.rpartition("-")[0] for path in used - lying if path.parent.parent != root / "archive"}
        assert without <= {"arc-1001", "arc-1009", "arc-1012", "arc-1008"}


@pytest.mark.parametrize("description", DESCRIPTIONS, ids=str)
def test_the_bytes_are_what_the_description_says(description: Path, tmp_path: Path) -> None:
    jsonschema.Draft202012Validator(ARCHIVES).validate(json.loads(description.read_text(encoding="utf-8")))
    done = pmproof("generate", "--description", description, tmp_path / description.stem)
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    base = re.compile(rf"{re.escape(description.stem)}(-[0-9]+)?\.[a-z0-9]+")  # of a set: archive-1.meta
    there = {
        path.name: path.read_bytes()
        for path in description.parent.iterdir()
        if base.fullmatch(path.name) and path.suffix != ".json"
    }
    assert made == there


def test_each_edit_that_breaks_a_rule_has_a_case_or_a_reason() -> None:
    listed = json.loads((ROOT / rule_cases.LEFT_OUT).read_text(encoding="utf-8"))["cases"]
    reasons = {one["edit"]: one["because"] for one in listed}
    with_input = {name.upper()[:8] + ":" + name[9:] for name, _ in packed.inputs_of(ROOT / "archive/inputs/packed-rules.json")}
    edits = re.findall(r"^(ARC-[0-9]+:[0-9]+)\s", pmproof("mutate", "--list").stdout, re.M)
    assert sorted([*with_input, *reasons]) == sorted(edits)
    assert all(len(because) > 20 for because in reasons.values())


def test_the_examples_and_tables_of_the_chapter_have_cases() -> None:
    known = cases.by_clause(CASES)
    wanted = [*range(1501, 1510), *range(1521, 1532), *range(1541, 1547)]
    assert [number for number in wanted if f"INT-{number}" not in known] == []
