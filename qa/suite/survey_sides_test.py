# SPDX-License-Identifier: Apache-2.0
"""`suite rules survey` with the real pmproof: profiles and implementations, right and wrong ones."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from qa.suite.cli import main
from qa.suite.survey_testing import SCHEMA, Json, numbers

PMPROOF = Path(os.environ["PMPROOF"]).absolute()
NET = 300.0  # a net: nothing waits for it

# Hands all to the reference, by the rule that stands in a file; dies at archives called "deadly".
_ADAPTER = """
import json, os, subprocess, sys
reference = subprocess.Popen([os.environ["PMPROOF"], "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    request = json.loads(line)
    if "deadly" in str(request.get("input")):
        os.abort()
    if "args" in request:
        request["args"]["rule"] = open(sys.argv[1]).read().strip()
    reference.stdin.write(json.dumps(request).encode() + b"\\n")
    reference.stdin.flush()
    if request["cmd"] == "bye":
        break
    sys.stdout.buffer.write(reference.stdout.readline())
    sys.stdout.buffer.flush()
"""


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with two archives and an adapter."""
    (tmp_path / "archives").mkdir()
    for seed in ("1", "2"):
        command = [str(PMPROOF), "generate", "--seed", seed, "--records", "6", "--metrics", "4", "--instances", "1", "--no-truth"]
        subprocess.run([*command, str(tmp_path / f"archives/a{seed}")], check=True, timeout=NET, stdout=subprocess.DEVNULL)
    (tmp_path / "adapter.py").write_text(_ADAPTER, encoding="utf-8")
    (tmp_path / "rule").write_text("pcp-6.3.2", encoding="utf-8")
    monkeypatch.setenv("PMPROOF", str(PMPROOF))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def adapter() -> str:
    return "exec:" + shlex.join([sys.executable, "-B", "adapter.py", "rule"])


def survey(baseline: str, candidate: str, status: int, *more: str) -> Json:
    sides = ["--baseline", baseline, "--candidate", candidate, "--journal", "journal", "--json", "survey.json", "--interval", "300ms"]
    assert main(["rules", "survey", *sides, *more, "archives"]) == status
    told: Json = json.loads(Path("survey.json").read_text(encoding="utf-8"))
    jsonschema.validate(told, SCHEMA, jsonschema.Draft202012Validator)
    return told


def test_profiles_differ_as_rules_diff_says(folder: Path) -> None:
    told = survey("pcp-legacy", "pcp-6.3.2", 1)
    command = [str(PMPROOF), "rules", "diff", "--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2", "--interval", "300ms", "--format", "json", "archives"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=NET, check=False)
    alone = json.loads(done.stdout)["total"]
    assert told["values"] == {key: alone["values"][key] for key in ("compared", "differing")} and told["values"]["differing"] > 0
    assert all(one["exact"] for one in told["new"]) and sum(numbers(told["new"]).values()) == told["values"]["differing"]
    assert {(one["semantics"], one["type"]): one["differing"] for one in told["groups"]} == {
        (one["semantics"], one["type"]): one["values"]["differing"] for one in alone["groups"]
    }
    assert {(one["baseline"], one["candidate"]): one["differences"] for one in told["clauses"]["listed"]} == {
        (one["baseline"], one["candidate"]): one["differences"] for one in alone["clauses"]
    }
    # Below the journal's folder archives are named from there.
    assert {one["witness"]["archive"] for one in told["new"]} <= {"archives/a1", "archives/a2"}
    assert (told["baseline"]["name"], told["candidate"]["kind"]) == ("pcp-legacy", "profile")


def test_an_implementation_that_changes_its_rule_moves_values_once(folder: Path) -> None:
    told = survey("pcp-6.3.2", adapter(), 0, "--candidate-name", "mine")
    assert told["values"]["differing"] == 0 < told["values"]["compared"]
    (folder / "rule").write_text("pcp-legacy", encoding="utf-8")
    told = survey("pcp-6.3.2", adapter(), 1, "--candidate-name", "mine")
    assert told["new"] and told["candidate"]["name"] == "mine"
    again = survey("pcp-6.3.2", adapter(), 0, "--candidate-name", "mine")
    assert again["new"] == [] and numbers(again["known"]) == numbers(told["new"])


def test_an_implementation_that_dies_at_one_archive_answers_the_others(folder: Path) -> None:
    for part in ("meta", "index", "0"):
        (folder / f"archives/deadly.{part}").write_bytes((folder / f"archives/a1.{part}").read_bytes())
    (folder / "rule").write_text("pcp-legacy", encoding="utf-8")
    told = survey("pcp-6.3.2", adapter(), 3)
    assert told["new"] and told["archives"]["differing"] == 2
    assert [(one["archive"], one["outcome"]) for one in told["not_compared"]["listed"]] == [("archives/deadly", "broken")]
    assert {one["outcome"] for one in told["unanswered"]["listed"]} == {"crash"}


def test_an_implementation_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "survey", "--baseline", "pcp-6.3.2", "--journal", "journal", "archives", "--candidate"]
    assert main([*words, "exec:./nope"]) == 3
    assert "exec:./nope does not start" in capsys.readouterr().err
    assert main([*words, "tool:/no/such/root", "--fresh"]) == 3
    assert main([*words, "no-such-profile", "--fresh"]) == 2
    assert main([*words, "exec:'", "--fresh"]) == 2


def test_an_archive_that_cannot_be_read(folder: Path) -> None:
    (folder / "archives/bad.meta").write_bytes((folder / "archives/a1.meta").read_bytes())
    told = survey("pcp-6.3.2", "emulate:6.3.8", 4)
    (bad,) = told["not_compared"]["listed"]
    assert (bad["archive"], bad["because"]) == ("archives/bad", "bad.0: there is no data volume [ARC-1002]")
    (folder / "budget").write_text("unreadable | archives/bad | lost in 2024\n", encoding="utf-8")
    assert survey("pcp-6.3.2", "emulate:6.3.8", 0, "--budget", "budget")["list_faults"] == []
