# SPDX-License-Identifier: Apache-2.0
"""`check --profile ingest`: what can mislead a person or a program is an error (section 14.16)."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from validator.testing.run import pmproof


@cache
def rules() -> dict[str, dict[str, Any]]:
    listed = json.loads(pmproof("list", "--format", "json").stdout)["rules"]
    return {rule["id"]: rule for rule in listed if rule["ingest"] != rule["severity"]}


def severities(*words: str | Path) -> dict[str, str]:
    report = json.loads(pmproof("check", "--format", "json", *words).stdout)
    return {finding["rule"]: finding["severity"] for finding in report["archives"][0]["findings"]}


@pytest.fixture(name="archive", scope="module")
def fixture_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("archive")
    assert pmproof("generate", "--scenario", "plain,types,labels,texts", "--records", "12", "--no-truth", folder / "a").returncode == 0
    return folder / "a"


def test_there_are_such_rules() -> None:
    assert len(rules()) > 10


@pytest.mark.parametrize("rule", sorted(rules()))
def test_what_is_hostile_is_graver(rule: str, archive: Path, tmp_path: Path) -> None:
    made = pmproof("mutate", "--rule", rule, archive, tmp_path / "bad")
    assert made.returncode == 0, made.stderr
    also = rules()[rule]["also"]
    assert severities(tmp_path / "bad")[rule] in (rules()[rule]["severity"], also)
    assert severities("--profile", "ingest", tmp_path / "bad")[rule] == rules()[rule]["ingest"]


def test_a_host_that_is_a_path_fails_the_check_of_what_comes_in(archive: Path, tmp_path: Path) -> None:
    assert pmproof("mutate", "--rule", "ARC-1227", archive, tmp_path / "bad").returncode == 0
    assert pmproof("check", tmp_path / "bad").returncode == 0
    done = pmproof("check", "--profile", "ingest", tmp_path / "bad")
    assert done.returncode == 1
    assert "  error    ARC-1227  " in done.stdout
    assert "bad: readable, not conformant (3 errors)" in done.stdout


def test_explain_tells_of_the_profile() -> None:
    assert "severity warning; in profile ingest error" in pmproof("explain", "ARC-1227").stdout
    assert "severity fatal; the same in all profiles" in pmproof("explain", "ARC-1104").stdout
