# SPDX-License-Identifier: Apache-2.0
"""The truth about the archives of the specification, by its schema."""

import copy
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def write_example(which: str, version: int, base: Path) -> dict[str, Any]:
    subprocess.run([os.environ["WRITE_EXAMPLE"], which, str(version), base], check=True)
    truth: dict[str, Any] = json.loads(Path(f"{base}.truth.json").read_text(encoding="ascii"))
    return truth


@pytest.fixture(name="truth")
def fixture_truth(tmp_path: Path) -> dict[str, Any]:
    return write_example("base", 3, tmp_path / "base")


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("which", ["base", "worked"])
@pytest.mark.parametrize("version", [2, 3])
def test_the_archives_of_the_specification_are_told_by_the_schema(which: str, version: int, tmp_path: Path) -> None:
    VALIDATOR.validate(write_example(which, version, tmp_path / which))


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects that the schema knows the keys of."""
    if isinstance(value, dict):
        yield value
        for child in value.values():
            yield from objects(child)
    elif isinstance(value, list):
        for child in value:
            yield from objects(child)


def test_every_entry_is_of_a_kind_that_the_schema_describes(truth: dict[str, Any]) -> None:
    kinds = {entry["type"] for entry in truth["log"]}
    assert kinds == {"desc", "indom", "labels", "text", "result"}
    known: set[str] = set()
    for schema in objects(SCHEMA):
        if isinstance(schema.get("properties"), dict):
            known |= set(schema["properties"])
    used = {key for value in objects({k: v for k, v in truth.items() if k not in ("recipe", "footer")}) for key in value}
    assert used <= known


def broken() -> list[tuple[str, list[Any], Any]]:
    return [
        ("no time", ["log", -1, "time"], None),
        ("a time in microseconds", ["log", -1, "time"], "1.000000"),
        ("a number that is not a string", ["log", -1, "metrics", 0, "values", 0, "value"], 1050),
        ("a value without type", ["log", -1, "metrics", 0, "values", 0, "type"], None),
        ("values and an error", ["log", -1, "metrics", 0, "status"], -12351),
        ("an unknown entry", ["log", 0, "type"], "description"),
        ("a delta without changes", ["log", 16, "changes"], None),
        ("no footer", ["footer"], None),
        ("an event record without parameters", ["log", -1, "metrics", 7, "values", 0, "records", 0, "parameters"], None),
    ]


@pytest.mark.parametrize(("what", "path", "value"), broken(), ids=[what for what, _, _ in broken()])
def test_the_schema_refuses(what: str, path: list[Any], value: Any, truth: dict[str, Any]) -> None:
    changed: Any = copy.deepcopy(truth)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    if value is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    assert not VALIDATOR.is_valid(changed), what
