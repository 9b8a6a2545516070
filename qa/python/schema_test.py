# SPDX-License-Identifier: Apache-2.0
"""The dataclasses are those of the JSON Schema, member by member, and what the program prints becomes them."""

import dataclasses
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Optional, Union, get_args, get_origin, get_type_hints

import pytest

from pmproof import Report, Time
from pmproof.decode import NotDecodable, decode, member_of, parsed
from qa.python.testing import PMPROOF, generate, mutate

SCHEMA = json.loads(Path(os.environ.get("REPORT_SCHEMA", "validator/schema/report.schema.json")).read_text(encoding="utf-8"))
WORKED = "golden/archive/worked-v3"
# Members that are there with an option or a format alone, one that pmproof.check() does not have.
NEVER_ASKED_FOR = {"report": {"batch"}, "report.archives[]": {"triage"}}


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in node:
        return node
    target: Any = SCHEMA
    for word in node["$ref"].removeprefix("#/").split("/"):
        target = target[word]
    return resolved(target) | {name: value for name, value in node.items() if name != "$ref"}


def differences(kind: Any, node: dict[str, Any], where: str) -> Iterator[str]:
    """Where a type of Python is not what the schema describes."""
    node = resolved(node)
    variants = node.get("oneOf", [])
    kinds = node.get("type", [])
    null = {"type": "null"} in variants or "null" in kinds or None in node.get("enum", [])
    if null != (get_origin(kind) is Union):
        yield f"{where}: null is {'allowed' if null else 'refused'} by the schema, and not by {kind}"
        return
    if null:
        (kind, _) = get_args(kind)
    if variants:
        (node,) = (resolved(each) for each in variants if each != {"type": "null"})
    yield from differences_of_value(kind, node, where)


def differences_of_value(kind: Any, node: dict[str, Any], where: str) -> Iterator[str]:
    if node.get("type") == "object":
        yield from differences_of_object(kind, node, where)
    elif node.get("type") == "array":
        if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
            yield from differences(get_args(kind)[0], node["items"], f"{where}[]")
        else:
            yield f"{where}: an array is {kind}"
    elif get_origin(kind) is Literal:
        if list(get_args(kind)) != node.get("enum"):
            yield f"{where}: {node.get('enum')} is {kind}"
    elif kind is not scalar(node):
        yield f"{where}: {node} is {kind}"


def scalar(node: dict[str, Any]) -> type[Any]:
    if node.get("pattern") == SCHEMA["$defs"]["time"]["pattern"]:
        return Time
    values = [node["const"]] if "const" in node else [value for value in node.get("enum", []) if value is not None]
    if values:
        (found,) = {type(value) for value in values}
        return found
    kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
    (kind,) = (each for each in kinds if each != "null")
    return {"integer": int, "string": str, "boolean": bool}[kind]


def differences_of_object(kind: Any, node: dict[str, Any], where: str) -> Iterator[str]:
    if not dataclasses.is_dataclass(kind):
        yield f"{where}: an object is {kind}"
        return
    fields = {member_of(each.name): each for each in dataclasses.fields(kind) if not each.metadata}
    hints = {member_of(name): hint for name, hint in get_type_hints(kind).items()}
    if fields.keys() ^ node["properties"].keys() != NEVER_ASKED_FOR.get(where, set()):
        yield f"{where}: {fields.keys() ^ node['properties'].keys()} are not in both"
    for name in fields.keys() & node["properties"].keys():
        place, hint = f"{where}.{name}", hints[name]
        if name not in node["required"]:
            if fields[name].default is not None or get_origin(hint) is not Union:
                yield f"{place}: may be absent, and is {hint}"
            elif {"type": "null"} not in node["properties"][name].get("oneOf", []):
                hint = get_args(hint)[0]
        elif fields[name].default is not dataclasses.MISSING:
            yield f"{place}: is required, and has a default"
        yield from differences(hint, node["properties"][name], place)


def test_the_classes_are_those_of_the_schema() -> None:
    assert list(differences(Report, SCHEMA, "report")) == []


def test_differences_are_noticed() -> None:
    @dataclasses.dataclass
    class Counts:
        fatal: str
        error: int
        warning: Optional[int] = None
        more: int = 0

    found = list(differences(Counts, {"$ref": "#/$defs/counts"}, "counts"))
    assert any("'info'" in each and "'more'" in each for each in found)
    assert any(each.startswith("counts.fatal: ") for each in found)
    assert any("counts.warning: is required" in each for each in found)
    assert any("counts.warning: null is refused" in each for each in found)


def reported(*options: str) -> Any:
    command = [str(PMPROOF), "check", "--format", "json", *options]
    return json.loads(subprocess.run(command, capture_output=True, check=False).stdout)


def as_json(value: Any) -> Any:
    if isinstance(value, Time):
        return str(value)
    if isinstance(value, tuple):
        return [as_json(each) for each in value]
    if dataclasses.is_dataclass(value):
        members = {each.name: each for each in dataclasses.fields(value) if not each.metadata}
        return {member_of(name): as_json(getattr(value, name)) for name in members}
    return value


def without_absent(value: Any, like: Any) -> Any:
    """A member that is None and that the document has not is absent."""
    if isinstance(value, list):
        return [without_absent(*pair) for pair in zip(value, like, strict=True)]
    if isinstance(value, dict):
        return {name: without_absent(one, like.get(name)) for name, one in value.items() if one is not None or name in like}
    return value


def test_a_report_has_all_that_was_printed(tmp_path: Path) -> None:
    good = generate(tmp_path / "good")
    for rule in ("ARC-1001", "ARC-1104", "ARC-1111", "ARC-1726", "ARC-1825", "ARC-1918"):
        mutate(rule, good, tmp_path / rule)
    (tmp_path / "junk.0").write_bytes(b"x")
    document = reported("--disclose", "--set", str(tmp_path), str(tmp_path / "junk.0"), str(tmp_path / "nowhere"))
    archives = document["archives"]
    # All that may be absent or null is there somewhere.
    for name in ("members", "survival", "failure", "disclosures"):
        assert any(one.get(name) for one in archives), name
    assert any("follows" in finding for one in archives for finding in one["findings"])
    assert without_absent(as_json(decode(Report, document)), document) == document


def test_unknown_members_are_passed_over() -> None:
    document = reported(WORKED)
    known = decode(Report, document)
    document["later"] = document["footer"]["later"] = document["archives"][0]["later"] = {"a": [1]}
    assert decode(Report, document) == known


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("footer", None, "footer is missing"),
        ("archives.0.summary.records", None, "archives[0].summary.records is missing"),
        ("archives.0.summary.records", "7", 'archives[0].summary.records is not an integer: "7"'),
        ("archives.0.summary.records", True, "archives[0].summary.records is not an integer: true"),
        ("archives.0.summary.start", 1.5, "archives[0].summary.start is not a time: 1.5"),
        ("archives.0.conformant", 0, "archives[0].conformant is not true or false: 0"),
        ("archives", {}, "archives is not a list: {}"),
        ("profile", "else", 'profile is not one of archival, live, ingest: "else"'),
        ("profile", ["x"], 'profile is not one of archival, live, ingest: ["x"]'),
        ("tool", [], "tool is not an object: []"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(path: str, value: Any, told: str) -> None:
    document = reported(WORKED)
    *folders, last = path.split(".")
    node = document
    for word in folders:
        node = node[int(word) if word.isdigit() else word]
    if value is None:
        del node[last]
    else:
        node[last] = value
    with pytest.raises(NotDecodable) as raised:
        decode(Report, document)
    assert str(raised.value) == told


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 10_000 + b"x"])
def test_what_is_no_json_is_an_error_of_its_own(text: bytes) -> None:
    with pytest.raises(NotDecodable, match="no JSON"):
        parsed(text)
