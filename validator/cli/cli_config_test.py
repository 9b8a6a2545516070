# SPDX-License-Identifier: Apache-2.0
"""pmproof.toml and PMPROOF_* set what the command line leaves open, and are seen to do so."""

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

Done = subprocess.CompletedProcess[str]


def run(folder: Path, *words: str, **variables: str) -> Done:
    program = Path(PMPROOF).resolve()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PMPROOF_")}
    return subprocess.run([program, *words], cwd=folder, env=environment | variables, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(name="store", scope="module")
def fixture_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the archive `a` in the folder `deep/below`; a warning is all that is wrong with it."""
    folder = tmp_path_factory.mktemp("store")
    below = folder / "deep/below"
    below.mkdir(parents=True)
    assert pmproof("generate", "--seed", "7", "--records", "12", "--no-truth", below / "sound").returncode == 0
    assert pmproof("mutate", "--rule", "ARC-1224", below / "sound", below / "a").returncode == 0
    return folder


@pytest.fixture(name="below")
def fixture_below(store: Path) -> Path:
    for old in store.rglob("*.toml"):
        old.unlink()
    return store / "deep/below"


def test_without_file_and_variables_all_is_as_before(below: Path) -> None:
    assert run(below, "config").stdout.startswith("no pmproof.toml here or in a folder above\nnot set: profile, ")
    done = run(below, "check", "a")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_nearest_file_upward_holds_and_is_named(store: Path, below: Path) -> None:
    (store / "pmproof.toml").write_text('fail-on = "warning"\n', encoding="utf-8")
    done = run(below, "check", "a")
    assert done.returncode == 1
    assert done.stderr == f"pmproof: setting fail-on = warning ({store}/pmproof.toml, line 1)\n"
    (below / "pmproof.toml").write_text('\nfail-on = "error"\n', encoding="utf-8")
    done = run(below, "check", "a")
    assert (done.returncode, done.stderr) == (0, "pmproof: setting fail-on = error (pmproof.toml, line 2)\n")
    assert run(below, "check", "--quiet", "a").stderr == ""


def test_the_command_line_wins_over_a_variable_and_that_over_the_file(below: Path) -> None:
    (below / "pmproof.toml").write_text('fail-on = "warning"\n', encoding="utf-8")
    assert run(below, "check", "a").returncode == 1
    by_variable = run(below, "check", "a", PMPROOF_FAIL_ON="error")
    assert (by_variable.returncode, by_variable.stderr) == (0, "pmproof: setting fail-on = error (PMPROOF_FAIL_ON)\n")
    by_option = run(below, "check", "--fail-on", "warning", "a", PMPROOF_FAIL_ON="error")
    assert (by_option.returncode, by_option.stderr) == (1, "")
    assert run(below, "check", "a", PMPROOF_FAIL_ON="").returncode == 1  # an empty one is not set


def test_no_config_takes_neither(below: Path) -> None:
    (below / "pmproof.toml").write_text("nonsense", encoding="utf-8")
    for words in (("--no-config", "check", "a"), ("check", "--no-config", "a")):
        done = run(below, *words, PMPROOF_FAIL_ON="warning")
        assert (done.returncode, done.stderr) == (0, "")
    assert run(below, "config", "--no-config").stdout.startswith("no pmproof.toml")


def test_rules_and_parts_come_as_lists(below: Path) -> None:
    (below / "pmproof.toml").write_text('fail-on = "warning"\nrules = ["-ARC-1224"]\nonly = ["label", "index"]\n', encoding="utf-8")
    assert run(below, "check", "a").returncode == 0
    assert run(below, "check", "a", PMPROOF_RULES="+ARC-1224,-ARC-1918").returncode == 1
    # An option replaces the setting.
    assert run(below, "check", "--rule", "+ARC-1224", "a").returncode == 1


def test_a_policy_is_found_from_the_folder_of_the_file(store: Path, below: Path) -> None:
    (store / "rules.toml").write_text(
        'schema = "pmproof-policy/1"\n[[reclassify]]\nrule = "ARC-1224"\nseverity = "error"\nreason = "zones matter here"\n', encoding="utf-8"
    )
    (store / "pmproof.toml").write_text('policy = "rules.toml"\n', encoding="utf-8")
    done = run(below, "check", "a")
    assert done.returncode == 1 and "zones matter here" in done.stdout
    # What excludes it is on the command line.
    done = run(below, "check", "--against", "sound", "a")
    assert "policy" not in done.stderr and done.returncode in (0, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\nfail_on = "error"', 'line 2: there is no setting "fail_on"; nearest: fail-on'),
        ("jobs = 'many'", "line 1: jobs is a text, not an integer"),
        ("rules = 'ARC-1224'", "line 1: rules is a text, not a list of texts"),
        ("rules = [1]", "line 1: rules is a list, not a list of texts"),
        ("fail-on = 'fatal'", "line 1: --fail-on: fatal is not one of error, warning, info"),
        ("jobs = 0", "line 1: --jobs: 0 is not from 1 to 4096"),
        ("memory = 'much'", "line 1: --memory: much is not a size"),
        ("profile = ", "line 1"),
        pytest.param("[" * 100_000, "line 1", id="deep"),
        pytest.param("#" * 300_000, "has 300000 bytes", id="large"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_with_its_line(below: Path, text: str, said: str) -> None:
    (below / "pmproof.toml").write_text(text, encoding="utf-8")
    done = run(below, "check", "a")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "pmproof.toml" in done.stderr
    # Commands that take no setting do not ask.
    assert run(below, "version").returncode == 0


def test_a_setting_that_breaks_rules_of_the_command_is_refused(below: Path) -> None:
    done = run(below, "check", "a", PMPROOF_RULES="-ARC-9999")
    assert done.returncode == 2 and "ARC-9999" in done.stderr


def test_what_is_no_regular_file_is_not_waited_for(below: Path) -> None:
    os.mkfifo(below / "pmproof.toml")
    done = run(below, "check", "a")
    assert done.returncode != 0 and "pmproof.toml: is not a regular file" in done.stderr


def test_foreign_characters_are_escaped(below: Path) -> None:
    (below / "pmproof.toml").write_text('docs = "\\u001b[2J\\u202e"\n"\\u001b" = 1\n', encoding="utf-8")
    for words in (("config",), ("check", "a")):
        done = run(below, *words)
        assert "\x1b" not in done.stdout + done.stderr and "\u202e" not in done.stdout + done.stderr


def test_json_has_every_setting_and_where_it_stands(below: Path) -> None:
    (below / "pmproof.toml").write_text('rules = ["-ARC-1224", "+ARC-1001"]\npolicy = "p.toml"\n', encoding="utf-8")
    done = run(below, "config", "--format", "json", PMPROOF_JOBS="3")
    told = json.loads(done.stdout)
    jsonschema.validate(told, json.loads(run(below, "config", "--schema").stdout))
    assert told["file"] == str(below / "pmproof.toml")
    assert told["settings"] == [
        {"name": "rules", "option": "--rule", "values": ["-ARC-1224", "+ARC-1001"], "line": 1, "variable": None},
        {"name": "policy", "option": "--policy", "values": [str(below / "p.toml")], "line": 2, "variable": None},
        {"name": "jobs", "option": "--jobs", "values": ["3"], "line": None, "variable": "PMPROOF_JOBS"},
    ]
