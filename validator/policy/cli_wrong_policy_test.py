# SPDX-License-Identifier: Apache-2.0
"""A policy that pmproof refuses, and its schema, which refuses the same."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.policy.policy_testing import HEAD, REQUIRED, SCHEMA, write_archive
from validator.testing.run import pmproof


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "web" / "a")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1: a policy has schema ="),
        (b"\n\nx = [\n", "is not TOML: "),
        (b'schema = "pmproof-policy/1"\n\nfail = 1\n', 'line 3: the policy has no member "fail"'),
        (b'{"schema": "pmproof-policy/1",\n"require": [\n{"metrics": 1}]}', "line 3: metrics is an integer, not a list"),
        (b'{"schema": "pmproof-policy/1",\n"schema": "pmproof-policy/1"}', "line 2: the document: has the member schema twice"),
        (bytes(range(256)) * 16, "line 2: is not TOML: a byte is not UTF-8"),
        (b"\xff\xfe\x00", "line 1: is not TOML: "),
        (b"a" * 300_000, "has 300000 bytes; at most 262144 are read"),
        (b"x = " + b"[" * 200_000, "line 1: is deeper than any part of a policy"),
        (b'{"x": ' + b"[" * 200_000, "line 1: x[0]"),
        (b".".join([b"a"] * 50_000) + b" = 1\n", "line 1: is deeper than any part of a policy"),
        (b'x = "\\u0000"\n\x1b]0;owned\x07', "line 2: is not TOML: "),
    ],
)
def test_a_wrong_policy_is_refused_before_any_archive_is_read(content: bytes, said: str, archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong"
    path.write_bytes(content)
    lines: list[tuple[str | Path, ...]] = [("check", "--policy", path, archive), ("policy", "check", path, archive), ("policy", "check", path)]
    for words in lines:
        done = pmproof(*words)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.startswith(f"pmproof: {path}: ") and said in done.stderr
        assert done.stderr.isprintable() or "\n" not in done.stderr[:-1]


def test_a_policy_that_is_not_there_is_unreadable(archive: Path, tmp_path: Path) -> None:
    assert pmproof("check", "--policy", tmp_path / "none", archive).returncode == 4
    assert pmproof("policy", "check", tmp_path).returncode == 4


# A policy of each kind of error fits the schema just when pmproof takes it.

GOOD: dict[str, Any] = {
    "schema": "pmproof-policy/1",
    "profile": "ingest",
    "reclassify": [{"rule": "ARC-1903", "severity": "info", "reason": "r", "until": "2026-12-31", "where": {"archive": "a", "host": "b"}}],
    "require": [
        {
            "severity": "warning",
            "reason": "r",
            "where": {"host": "*"},
            "metrics": ["a.*"],
            "min_span": "1.5h",
            "max_interval": "60",
            "max_gap": "5min",
            "hosts": ["h"],
            "label_keys": ["k"],
            "time_zones": ["UTC"],
            "compression": ["zstd"],
            "versions": [2, 3],
        }
    ],
}


def test_the_schema_takes_what_pmproof_takes(tmp_path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(GOOD, SCHEMA, jsonschema.Draft202012Validator)
    (tmp_path / "p.json").write_text(json.dumps(GOOD), encoding="ascii")
    assert pmproof("policy", "check", tmp_path / "p.json").returncode == 0
    assert json.loads(pmproof("policy", "check", "--schema").stdout) == SCHEMA
    read = tomllib.loads(HEAD + REQUIRED)
    jsonschema.validate(read, SCHEMA, jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["schema"], "pmproof-policy/2"),
        (["profile"], "dead"),
        (["other"], 1),
        (["reclassify"], {}),
        (["reclassify", 0, "severity"], "fatal"),
        (["reclassify", 0, "reason"], ""),
        (["reclassify", 0, "rule"], "1903"),
        (["reclassify", 0, "until"], "soon"),
        (["reclassify", 0, "where"], {}),
        (["reclassify", 0, "where", "user"], "x"),
        (["require", 0], {"reason": "r"}),
        (["require", 0, "metrics"], []),
        (["require", 0, "metrics"], [""]),
        (["require", 0, "max_gap"], "long"),
        (["require", 0, "compression"], ["zip"]),
        (["require", 0, "versions"], [1]),
        (["require", 0, "versions"], ["2"]),
    ],
)
def test_the_schema_refuses_what_pmproof_refuses(path: list[str | int], value: Any, tmp_path: Path) -> None:
    wrong = json.loads(json.dumps(GOOD))
    place: Any = wrong
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(wrong)
    (tmp_path / "p.json").write_text(json.dumps(wrong), encoding="ascii")
    assert pmproof("policy", "check", tmp_path / "p.json").returncode == 2
