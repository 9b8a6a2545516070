# SPDX-License-Identifier: Apache-2.0
"""`suite play` as people use it: the reference's agents and collector are right, and those that are not are told so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from qa.conversations.conversation import Json, load_all
from qa.suite.cli import main

PMPROOF = str(Path(os.environ["PMPROOF"]).resolve())
FAULTY = str(Path(os.environ["FAULTY_AGENT"]).resolve())
ALL = load_all(Path("golden"))
REPORT = json.loads(Path("qa/conversations/schema/report.schema.json").read_text(encoding="utf-8"))
LIMIT = "--limit=60"  # a busy machine is late, not wrong


@pytest.fixture(name="simple")
def fixture_simple(tmp_path: Path) -> list[str]:
    (tmp_path / "simple.conf").write_text("sec,min,hour\n")
    return [PMPROOF, "agent", "serve", "simple", "--configuration", str(tmp_path / "simple.conf")]


def play(*arguments: str) -> int:
    return main(["play", *arguments])


def report_of(path: Path) -> Json:
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(REPORT).validate(found)
    return found


def test_simple_is_right(simple: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = play("agent", "--as", "simple", "--of", "C", "--of", "labels", "--of", "error", LIMIT, "--json", str(tmp_path / "report"), "--", *simple)
    assert (status, capfd.readouterr().out.count("\nFAIL")) == (0, 0)
    report = report_of(tmp_path / "report")
    due = [one.id for one in ALL if one.agent in ("any", "simple") and "agent" in one.under_test]
    assert [one["id"] for one in report["conversations"]] == due
    assert (report["right"], report["not_for_it"]) == (len(due), len(ALL) - len(due))


def test_trivial_is_right(capfd: pytest.CaptureFixture[str]) -> None:
    command = [PMPROOF, "agent", "serve", "trivial"]
    assert play("agent", "--as", "trivial", LIMIT, "--conversation", "trivial-*", "--conversation", "any-label*", "--", *command) == 0
    assert "6 of 6 conversations are right" in capfd.readouterr().out


def test_the_collector_of_scripts_says_what_dbpmda_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:  # PMD-400..412
    assert play("collector", LIMIT, "--quiet", "--json", str(tmp_path / "report"), "--", PMPROOF, "agent", "run", "-") == 0, capfd.readouterr().out
    assert report_of(tmp_path / "report")["right"] == sum("collector" in one.under_test for one in ALL)


@pytest.mark.parametrize("kind", ["unix", "inet"])
def test_agents_that_listen(kind: str, simple: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    where = str(tmp_path / "s") if kind == "unix" else "41953"
    chosen = ["--conversation", "simple-fetch", "--conversation", "any-length-11"]
    assert play("agent", "--as", "simple", LIMIT, *chosen, f"--{kind}", where, "--", *simple, f"-{kind[0]}", where) == 0, capfd.readouterr()
    assert list(tmp_path.glob("s")) == []


def test_as_an_agent_on_pipes(tmp_path: Path) -> None:
    suite = Path("qa/suite/suite").resolve()
    agent = f"{sys.executable} {suite} play collector --conversation simple-fetch --stdio {LIMIT} --json {tmp_path}/report"
    script = f"open pipe {agent}\n" + "\n".join(next(one.commands for one in ALL if one.id.endswith("/simple-fetch"))) + "\n"
    command = [PMPROOF, "agent", "run", "-q", "120", "-"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=240, check=False)
    assert "numval: 3" in done.stdout, done
    assert report_of(tmp_path / "report")["right"] == 1


DOMAIN = "283"  # of the agent of that seed

# Faults of the generators' agents, and the conversation that notices each.
FAULTS = {
    "text-before-creds": "any-client-gone",
    "says-good-bye": "any-end-without-a-client",
    "answers-a-torn-request": "any-ends-inside-a-body",
    "only-one-credential": "any-credentials-unknown",
    "unknown-is-an-error": "any-unknown-metric-fetched",
    "unknown-has-a-value": "any-unknown-metric-fetched",
    "unknown-indom-is-empty": "any-unknown-instance-domain",
    "help-of-unknown-is-a-pmid-error": "any-no-text",
    "unknown-metric-has-labels": "any-labels-of-nothing",
    "labels-of-no-class": "any-label-type",
    "unknown-name-is-a-pmid-error": "any-unknown-names",
    "unknown-type-is-answered": "any-silence",
    "second-creds-are-answered": "any-silence",
    "short-error-kills": "any-silence",
    "malformed-profile-is-answered": "any-profiles-unanswered",
    "fetch-of-more-is-a-pmid-error": "any-broken-fetch",
    "short-label-req-kills": "any-broken-requests",
    "bad-length-is-answered": "any-length-11",
    "bad-type-kills": "any-type-zero",
}


@pytest.mark.parametrize(("fault", "conversation"), FAULTS.items())
def test_an_agent_with_a_fault_is_noticed(fault: str, conversation: str, tmp_path: Path) -> None:
    command = [FAULTY, "--seed", "4", "--fault", fault]
    assert play("agent", LIMIT, "--domain", DOMAIN, "--conversation", conversation, "--json", str(tmp_path / "report"), "--", *command) == 1
    (one,) = report_of(tmp_path / "report")["conversations"]
    assert one["outcome"] == ("crash" if fault.endswith("kills") else "ended" if fault.startswith("only") else "wrong"), one
    assert one["clauses"]


def test_a_generated_agent_is_right(capfd: pytest.CaptureFixture[str]) -> None:
    assert play("agent", LIMIT, "--domain", DOMAIN, "--", FAULTY, "--seed", "4") == 0, capfd.readouterr().out


def test_what_is_wrong_is_shown_with_both_sides_and_the_clause(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = [PMPROOF, "agent", "serve", "simple", "-d", "29"]
    assert play("agent", "--as", "simple", LIMIT, "--conversation", "simple-descriptors", "--json", str(tmp_path / "report"), "--", *command) == 1
    assert capfd.readouterr().out.startswith(
        "FAIL   conversations/simple-descriptors [PMD-085, PDU-038] wrong\n"
        "  step 4 of 15, from agent: DESC of simple.numfetch\n"
    )
    (one,) = report_of(tmp_path / "report")["conversations"]
    assert (one["outcome"], one["step"], one["from"], one["clauses"]) == ("wrong", 4, "agent", ["PMD-085", "PDU-038"])


def shell(words: str) -> list[str]:
    return ["sh", "-c", words]


CREDS = r"printf '\0\0\0\024\0\0\160\014\0\0\0\001\0\0\0\001\001\002\0\0'"


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        (f"{CREDS}; sleep 600", "timeout"),
        (f"{CREDS}; cat >/dev/null; setsid sleep 600 & sleep 600", "timeout"),
        (f"{CREDS}; kill -11 $$", "crash"),
        (f"{CREDS}; exit 7", "ended"),
        (f"{CREDS}; yes", "wrong"),
        (f"{CREDS}; printf '\\177\\377\\377\\377'; cat /dev/zero", "wrong"),
        ("echo hello, I am an agent; sleep 600", "wrong"),
    ],
)
def test_agents_that_misbehave(words: str, outcome: str, tmp_path: Path) -> None:
    chosen = ["--conversation", "any-unknown-metric", "--limit", "0.5" if outcome == "timeout" else "60", "--json", str(tmp_path / "report")]
    assert play("agent", *chosen, "--", *shell(f"exec 2>{tmp_path}/err; {words}")) == 1
    assert [one["outcome"] for one in report_of(tmp_path / "report")["conversations"]] == [outcome]
    assert subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False).stdout == ""


def test_exit_statuses(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert play("agent") == 2
    assert play("agent", "--conversation", "simple-fetch", "--", "true") == 2
    assert play("agent", "--conversation", "nothing", "--", "true") == 2
    assert play("collector") == 2
    assert play("collector", "--stdio") == 2
    assert play("agent", LIMIT, "--", str(tmp_path / "nothing")) == 3
    assert play("agent", LIMIT, "--", "false") == 3
    assert "not started: nothing came, and its stream ended; its process has ended with status 1" in capfd.readouterr().out
    assert play("collector", LIMIT, "--", "true") == 3
    (tmp_path / "conversation.json").write_text("{}")
    assert play("agent", "--conversations", str(tmp_path), "--", "true") == 4
    assert play("agent", "--conversations", str(tmp_path / "none"), "--", "true") == 2
    assert play("agent", "--list") == 0
    with pytest.raises(SystemExit, match="2"):
        play("agent", "--limit", "-1", "--", "true")
