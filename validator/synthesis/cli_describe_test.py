# SPDX-License-Identifier: Apache-2.0
"""`pmproof generate --description` as a user meets it, and the schema of what it reads."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

DESCRIPTION: dict[str, Any] = {
    "schema": "pmproof-archive/1",
    "epoch": "1700000000",
    "metrics": {
        "m.c": {"pmid": "60.0.1", "type": "u32", "semantics": "counter", "units": {"count": [1, 0]}},
        "m.s": {"pmid": "60.0.2", "type": "string", "semantics": "discrete"},
        "m.i": {"pmid": "60.0.3", "type": "double", "semantics": "instant", "indom": "60.1"},
    },
    "indoms": [
        {"indom": "60.1", "time": 0, "instances": {"0": "a", "1": "b"}},
        {"indom": "60.1", "time": 20, "delta": {"1": None, "2": "c"}},
    ],
    "records": [
        {"time": 0, "values": {"m.c": 10, "m.s": "zero", "m.i": {"0": 0.5, "1": "-inf"}}},
        {"time": "10", "values": {"m.c": "20", "m.s": {"error": -12357}, "m.i": None}},
        {"mark": "10.001"},
        {"time": "20", "values": {"m.c": 100, "m.i": {"0": 1, "2": 2}}, "volume": 1},
    ],
    "index": "all",
}


def write(folder: Path, description: Any) -> Path:
    path = folder / "archive.json"
    path.write_text(json.dumps(description), encoding="utf-8")
    return path


def values(archive: Path | str, metric: str, at: str) -> list[Any]:
    done = pmproof("replay", archive, "--metric", metric, "--at", at, "--format", "jsonl")
    return [json.loads(line)["values"] for line in done.stdout.splitlines()]


def test_an_archive_by_description_is_sound_and_replayed(tmp_path: Path) -> None:
    VALIDATOR.validate(DESCRIPTION)
    done = pmproof("generate", "--description", write(tmp_path, DESCRIPTION), tmp_path / "a")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"{tmp_path}/a: 4 data records, ")
    assert sorted(path.name for path in tmp_path.glob("a.*")) == ["a.0", "a.1", "a.index", "a.meta"]
    assert pmproof("check", tmp_path / "a").returncode == 0
    assert values(tmp_path / "a", "m.c", "+5s,+20s") == [
        [{"instance": None, "type": "u32", "value": "15"}],
        [{"instance": None, "type": "u32", "value": "100"}],
    ]
    assert [value["name"] for value in values(tmp_path / "a", "m.i", "+20s")[0]] == ["a", "c"]


def test_the_same_description_gives_the_same_bytes(tmp_path: Path) -> None:
    file = write(tmp_path, DESCRIPTION)
    for name in ("a", "b"):
        assert pmproof("generate", "--quiet", "--description", file, tmp_path / name).stderr == ""
    for suffix in ("0", "1", "index", "meta"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_several_archives(tmp_path: Path) -> None:
    description = copy.deepcopy(DESCRIPTION)
    description["archives"] = [
        {"records": description.pop("records"), "index": description.pop("index")},
        {"start": 40, "records": [{"time": 40, "values": {"m.c": 1}}]},
    ]
    VALIDATOR.validate(description)
    done = pmproof("generate", "--description", write(tmp_path, description), tmp_path / "s")
    assert done.returncode == 0
    assert "2 archives, 5 data records" in done.stderr
    answers = values(f"{tmp_path}/s-1,{tmp_path}/s-2", "m.c", "+10s,+30s,+40s")
    assert [[value["value"] for value in answer] for answer in answers] == [["20"], [], ["1"]]


def test_what_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    file = write(tmp_path, DESCRIPTION)
    assert pmproof("generate", "--description", file, tmp_path / "a").returncode == 0
    again = pmproof("generate", "--description", file, tmp_path / "a")
    assert again.returncode == 2
    assert "--force" in again.stderr
    assert pmproof("generate", "--force", "--description", file, tmp_path / "a").returncode == 0


def refused() -> list[tuple[str, list[Any], Any, str]]:
    return [
        ("an unknown member", ["label"], {}, '"label" is unknown here'),
        ("another schema", ["schema"], "pmproof-truth/1", "/schema: is not"),
        ("a time that is not a text", ["records", 0, "time"], 0.5, "/records/0/time: is not a time"),
        ("too many decimals", ["records", 0, "time"], "0.0000000001", "/records/0/time: is not a time"),
        ("a mark with values", ["records", 2, "values"], {"m.c": 1}, '/records/2: "values" is unknown'),
        ("a record of nothing", ["records", 0, "values"], {}, "/records/0: a record without values"),
        ("a number of instances", ["indoms", 0, "instances"], 2, "/indoms/0/instances: is not an object"),
        ("a truth value", ["records", 0, "values", "m.c"], True, "/records/0/values/m.c: is not a number"),
        ("no type", ["metrics", "m.c", "type"], "int", "/metrics/m.c/type: is none of"),
        ("no such index", ["index"], "each", "/index: is neither"),
    ]


@pytest.mark.parametrize(("what", "path", "value", "said"), refused(), ids=[row[0] for row in refused()])
def test_what_is_refused_the_schema_refuses_too(
    what: str, path: list[Any], value: Any, said: str, tmp_path: Path
) -> None:
    description: Any = copy.deepcopy(DESCRIPTION)
    holder = description
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    assert not VALIDATOR.is_valid(description), what
    done = pmproof("generate", "--description", write(tmp_path, description), tmp_path / "a")
    assert done.returncode == 2
    assert f"{tmp_path}/archive.json: " in done.stderr
    assert said in done.stderr
    assert not list(tmp_path.glob("a.*"))


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--description", "nothing.json", "a"], 4, "nothing.json"),
        (["--description", "x.json", "--seed", "2", "a"], 2, "excludes"),
        (["--description", "x.json", "--list"], 2, "excludes"),
    ],
)
def test_refusals(arguments: list[str], status: int, said: str) -> None:
    done = pmproof("generate", *arguments)
    assert done.returncode == status
    assert said in done.stderr


def test_no_json_is_refused_with_its_offset(tmp_path: Path) -> None:
    (tmp_path / "archive.json").write_text('{"schema": }', encoding="ascii")
    done = pmproof("generate", "--description", tmp_path / "archive.json", tmp_path / "a")
    assert done.returncode == 2
    assert "archive.json: offset 11: not JSON" in done.stderr


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
