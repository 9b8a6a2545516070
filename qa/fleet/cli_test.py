# SPDX-License-Identifier: Apache-2.0
"""The command line of fleet as a user meets it: exit statuses, what goes where, exports that can be relied on."""

import csv
import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.fleet.outcomes import exit_status
from qa.fleet.testing import PMPROOF, checker, fleet, flip_a_byte, small_archives

_SCHEMA = json.loads(Path("qa/fleet/fleet.schema.json").read_text(encoding="utf-8"))
_REPORT = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text(encoding="utf-8"))
_ARCHIVE = {"$ref": "#/$defs/archive", "$defs": _REPORT["$defs"]}


@pytest.fixture(scope="module", name="tree")
def fixture_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two archives without a finding of any weight, and two with."""
    folder = tmp_path_factory.mktemp("tree")
    for archive in small_archives(folder / "all", records=1)[:4]:
        for file in archive.parent.glob(f"{archive.name}.*"):
            shutil.copy(file, folder)
    shutil.rmtree(folder / "all")
    return folder


@pytest.fixture(scope="module", name="journal")
def fixture_journal(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a run over the tree, with an archive over which pmproof dies."""
    folder = tmp_path_factory.mktemp("run")
    victim = sorted(tree.glob("*.meta"))[0].with_suffix("")
    program = checker(folder, f"if {str(victim)!r} in paths: os.kill(os.getpid(), signal.SIGSEGV)")
    done = fleet("check", "--workers", "1", "--checker", program, "--journal", folder / "journal", tree)
    assert done.returncode == 5, done.stderr
    assert done.stderr == ""
    assert f"{victim}: pmproof died: pmproof was ended by SIGSEGV" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("4 archives: ")
    return folder / "journal"


def lines_of(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in fleet("export", journal).stdout.splitlines()]


def test_json_lines_are_as_the_schema_says(journal: Path) -> None:
    lines = lines_of(journal)
    for line in lines:
        jsonschema.validate(line, _SCHEMA, jsonschema.Draft202012Validator)
        if line.get("report"):
            jsonschema.validate(line["report"], _ARCHIVE, jsonschema.Draft202012Validator)
    header, *archives, footer = lines
    assert header["tool"]["name"] == "pmproof"
    assert len(archives) == footer["archives"] == 4
    assert sum(footer["outcomes"].values()) == 4
    assert footer["outcomes"]["checker_died"] == 1


def test_workers_are_of_this_project_wherever_the_command_is_called(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "qa").mkdir()
    (tmp_path / "qa/__init__.py").write_text("raise SystemExit('another qa')", encoding="utf-8")
    words: list[str | Path] = ["check", "--workers", "1", "--checker", PMPROOF, "--journal", tmp_path / "journal", tree]
    done = fleet(*words, cwd=tmp_path)
    assert done.stdout.splitlines()[-1].startswith("4 archives: "), done.stderr


def test_csv_says_the_same(journal: Path, tmp_path: Path) -> None:
    assert fleet("export", "--format", "csv", "--output", tmp_path / "csv", journal).returncode == 0
    with open(tmp_path / "csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    archives = lines_of(journal)[1:-1]
    assert [(row["archive"], row["outcome"]) for row in rows] == [(each["archive"], each["outcome"]) for each in archives]
    for row, each in zip(rows, archives):
        if each["report"]:
            assert int(row["records"]) == each["report"]["summary"]["records"]
            assert {key: int(row[key]) for key in ("fatal", "error", "warning", "info")} == each["report"]["counts"]


def test_the_same_command_again_checks_nothing_and_says_the_same(journal: Path, tree: Path) -> None:
    done = fleet("check", "--workers", "1", "--checker", "/bin/false", "--journal", journal, tree)
    assert done.returncode == 5
    assert f"4 of 4 archives are in {journal} already" in done.stderr
    assert done.stdout.splitlines()[-1].startswith("4 archives: ")


def test_a_byte_that_rots_is_found_though_size_and_time_are_kept(tree: Path, tmp_path: Path) -> None:
    shutil.copytree(tree, tmp_path / "tree")
    command = ["check", "--workers", "1", "--checker", str(PMPROOF), "--journal", str(tmp_path / "journal"), str(tmp_path / "tree")]
    before = fleet(*command)
    volume = sorted((tmp_path / "tree").glob("*.0"))[0]
    flip_a_byte(volume)
    trusting = fleet(*command, "--trust-times")
    assert trusting.stdout == before.stdout
    assert trusting.stderr == f"fleet: 4 of 4 archives are in {tmp_path / 'journal'} already\n"
    again = fleet(*command)
    assert again.returncode == 1
    assert again.stderr.splitlines() == [
        f"fleet: 4 of 4 archives are in {tmp_path / 'journal'} already; the content of 4 is compared",
        f"fleet: {volume}: content has changed, size and time have not; its archive was checked again",
    ]
    assert again.stdout.startswith(f"{volume.with_suffix('')}: not conformant")
    assert again.stdout != before.stdout
    third = fleet(*command)
    assert (third.stdout, third.stderr.count("\n")) == (again.stdout, 1)


def test_a_damaged_journal_is_one_line_with_what_to_do(journal: Path, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(journal.read_bytes()[:6000])
    for done in (fleet("check", "--journal", tmp_path / "journal", tree), fleet("export", tmp_path / "journal")):
        assert (done.returncode, done.stdout) == (4, "")
        assert done.stderr.startswith(f"fleet: {tmp_path / 'journal'}: the journal is damaged (")
        assert done.stderr.endswith("or begin anew with --fresh\n") and done.stderr.count("\n") == 1


def test_an_export_that_fails_leaves_what_was_there(journal: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "journal"
    shutil.copy(journal, damaged)
    with sqlite3.connect(damaged) as connection:
        connection.execute("UPDATE archive SET report = '{' WHERE place = 3")
    (tmp_path / "out").write_text("the results before", encoding="utf-8")
    done = fleet("export", "--force", "--output", tmp_path / "out", damaged)
    assert done.returncode == 5, done.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8") == "the results before"
    assert [name for name in os.listdir(tmp_path) if "partial" in name] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check"], "no ARCHIVE given"),
        (["check", "--journal", "JOURNAL", "/elsewhere"], "is about"),
        (["check", "--journal", "JOURNAL", "--rule", "-ARC-1104", "TREE"], "is of other options"),
        (["check", "--journal", "TREE/README", "--checker", "/bin/true", "TREE"], "is not a journal"),
        (["check", "--journal", "NEW", "--resume"], "no such journal"),
        (["check", "--journal", "NEW", "--checker", "/nowhere/pmproof", "TREE"], "no such program"),
        (["check", "--journal", "/nowhere/journal", "--checker", "/bin/true", "TREE"], "No such file or directory"),
        (["check", "--scheduler", "tls://127.0.0.1:1", "TREE"], "TLS needs"),
        (["check", "--scheduler", "tcp://127.0.0.1:1", "--workers", "2", "TREE"], "not with --scheduler"),
        (["check", "--chunk", "0", "TREE"], "at least 1"),
        (["check", "--fail-on", "trouble", "TREE"], "invalid choice"),
        (["export", "--output", "JOURNAL", "--force", "JOURNAL"], "is the journal"),
        (["export", "--output", "TREE/README", "JOURNAL"], "exists"),
        ([], "required"),
    ],
)
def test_wrong_usage_gives_2_and_says_so(
    arguments: list[str], said: str, journal: Path, tree: Path, tmp_path: Path
) -> None:
    (tree / "README").write_text("text", encoding="utf-8")
    places = {"JOURNAL": str(journal), "TREE": str(tree), "NEW": str(tmp_path / "new")}
    words = []
    for word in arguments:
        for name, place in places.items():
            word = word.replace(name, place) if word.startswith(name) else word
        words.append(word)
    done = fleet(*words)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert said in done.stderr
    assert (tree / "README").read_text(encoding="utf-8") == "text"


def test_options_that_pmproof_refuses_give_2(tree: Path, tmp_path: Path) -> None:
    done = fleet(
        "check", "--workers", "1", "--checker", PMPROOF, "--journal", tmp_path / "journal", "--rule", "-ARC-9999", tree
    )
    assert done.returncode == 2, done.stderr
    assert "there is no rule ARC-9999" in done.stderr


def test_what_is_not_there_gives_4(tree: Path, tmp_path: Path) -> None:
    done = fleet("check", "--workers", "1", "--checker", PMPROOF, "--journal", tmp_path / "journal", tmp_path / "gone")
    assert done.returncode == 4
    assert done.stderr == f"fleet: {tmp_path / 'gone'}: no such archive, file or directory\n"
    assert fleet("export", tmp_path / "nothing").returncode == 4


def test_an_error_of_its_own_gives_5_and_never_1(tree: Path, tmp_path: Path) -> None:
    # A program that is none of pmproof's at all, and says what no version of it would.
    program = checker(tmp_path, """print('{"schema": "pmproof-report/1", "footer": {"complete": true}, "tool": {}, "archives": 7}'); sys.exit(0)""")
    done = fleet("check", "--workers", "1", "--checker", program, "--journal", tmp_path / "journal", tree)
    assert done.returncode == 5, done.stderr
    assert "pmproof gave no report" in done.stdout


def test_no_scheduler_gives_5(tree: Path, tmp_path: Path) -> None:
    done = fleet("check", "--scheduler", "tcp://127.0.0.1:1", "--wait", "0.5", "--journal", tmp_path / "journal", tree)
    assert done.returncode == 5
    assert "no scheduler at tcp://127.0.0.1:1" in done.stderr


@pytest.mark.parametrize(
    ("outcomes", "errors", "missing", "status"),
    [
        (["conformant"], 0, False, 0),
        (["conformant", "not_conformant"], 1, False, 1),
        (["conformant"], 0, True, 4),
        (["not_conformant", "timeout"], 1, False, 6),
        (["no_verdict", "over_budget"], 1, False, 4),
        (["no_verdict", "worker_died"], 1, True, 5),
        (["checker_died"], 0, False, 5),
    ],
)
def test_exit_status_is_the_first_of_5_4_6_1(outcomes: list[str], errors: int, missing: bool, status: int) -> None:
    counts = {"fatal": 0, "error": errors, "warning": 1, "info": 0}
    assert exit_status(outcomes, counts, "error", missing) == status
    if status == 0:
        assert exit_status(outcomes, counts, "warning", missing) == 1


def _policy(file: Path, *entries: str) -> Path:
    file.write_text('schema = "pmproof-policy/1"\n' + "\n".join(entries), encoding="utf-8")
    return file


_REQUIRED = '[[require]]\nmetrics = ["no.such.metric"]\nreason = "someone reads it"\nseverity = "warning"'


def test_archives_are_judged_by_a_policy(tree: Path, tmp_path: Path) -> None:
    policy = _policy(tmp_path / "policy.toml", _REQUIRED)
    check = ("check", "--checker", PMPROOF, "--workers", "1", "--policy", policy, "--journal", tmp_path / "journal")
    done = fleet(*check, "--fail-on", "warning", tree)
    assert done.returncode == 1, done.stderr
    assert 'policy: warning POL-101: there is no metric "no.such.metric"' in done.stdout
    assert done.stdout.splitlines()[-1].endswith("; policy: 4 warning")
    assert "not checked: POL-002" in done.stdout
    header, *archives, footer = lines_of(tmp_path / "journal")
    for line in (header, footer):
        jsonschema.validate(line, _SCHEMA, jsonschema.Draft202012Validator)
    assert header["policy"]["file"] == str(policy)
    assert header["policy"]["entries"] == [
        {"line": 2, "what": "metrics no.such.metric", "until": None, "expired": False}
    ]
    assert [each["report"]["unmet"][0]["check"] for each in archives] == ["POL-101"] * 4
    # The tree has findings of its own.
    assert fleet(*check, "--fail-on", "error", tree).returncode == fleet(
        "check", "--checker", PMPROOF, "--workers", "1", "--journal", tmp_path / "other", tree
    ).returncode


def test_results_are_of_one_content_of_the_policy(tree: Path, tmp_path: Path) -> None:
    policy = _policy(tmp_path / "policy.toml", _REQUIRED)
    check = ("check", "--checker", PMPROOF, "--workers", "1", "--policy", policy, "--journal", tmp_path / "journal", tree)
    assert fleet(*check).stderr == ""
    _policy(policy, _REQUIRED, '[[require]]\nversions = [3]')
    done = fleet(*check)
    assert done.returncode == 2
    assert f"{policy} has changed since the first result" in done.stderr
    policy.unlink()
    assert fleet(*check).returncode == 4
    _policy(policy, 'profile = "nonsense"')
    done = fleet("check", "--checker", PMPROOF, "--workers", "1", "--policy", policy, "--journal", tmp_path / "wrong", tree)
    assert done.returncode == 2
    assert "profile is none of archival, live, ingest" in done.stderr


def test_all_is_checked_again_where_an_entry_has_expired(tree: Path, tmp_path: Path) -> None:
    entry = '[[reclassify]]\nrule = "ARC-2010"\nseverity = "info"\nreason = "old"\nuntil = 9999-01-01'
    policy = _policy(tmp_path / "policy.toml", entry)
    check = ("check", "--checker", PMPROOF, "--workers", "1", "--policy", policy, "--journal", tmp_path / "journal", tree)
    assert "checked again" not in fleet(*check).stderr
    with sqlite3.connect(tmp_path / "journal") as connection:
        # As if its last day were over.
        (value,) = connection.execute("SELECT value FROM fleet WHERE key = 'policy'").fetchone()
        assert json.loads(value)["entries"][0]["until"] == "9999-01-01"
        connection.execute("UPDATE fleet SET value = ? WHERE key = 'policy'", (value.replace("9999-01-01", "2020-01-01"),))
    done = fleet(*check)
    assert "an entry of the policy has expired since: 4 archives are checked again" in done.stderr
    assert lines_of(tmp_path / "journal")[0]["policy"]["entries"][0]["until"] == "9999-01-01"
