# SPDX-License-Identifier: Apache-2.0
"""`suite run` and `suite baseline`: selections, lists of expected failures, what was last, and what cannot be read."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qa.golden import cases
from qa.suite import expectations, journal
from qa.suite.checks import checks_of
from qa.suite.cli import main
from qa.suite.testing import small_golden, verdicts_in


@pytest.fixture(name="golden", scope="module")
def fixture_golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_golden(tmp_path_factory.mktemp("golden"))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class Suite:
    def __init__(self, golden: Path, folder: Path) -> None:
        self.golden = golden
        self.events = folder / "journal"
        self.list = folder / "list"

    def run(self, *arguments: str) -> int:
        return main(["run", *arguments, "--cases", str(self.golden), "--journal", str(self.events), "--jobs", "2"])

    def expecting(self, text: str, *arguments: str) -> int:
        self.list.write_text(text, encoding="utf-8")
        return self.run(*arguments, "--expect", str(self.list))

    def baseline(self, *arguments: str) -> int:
        return main(["baseline", *arguments, str(self.list), "--cases", str(self.golden), "--jobs", "2"])

    def asked(self) -> list[str]:
        return [verdict["id"] for verdict in verdicts_in(self.events)]

    def problems(self) -> list[str]:
        return journal.load(self.events).implementations[0].problems


@pytest.fixture(name="suite")
def fixture_suite(golden: Path, tmp_path: Path) -> Suite:
    return Suite(golden, tmp_path)


@pytest.mark.parametrize(
    ("selection", "asked"),
    [
        (["--case", "metadata/semantics#1@7.2.2"], ["metadata/semantics#1@7.2.2"]),
        (["--case", "metadata/semantics#1@*"], [f"metadata/semantics#1@{v}" for v in ("6.0.3", "6.3.8", "7.2.2")]),
        (["--case", "*/semantics#2", "--case", "*#1@7.2.2", "--clause", "MET-131", "--op", "value.*"],
         ["metadata/semantics#1@7.2.2", *(f"metadata/semantics#2@{v}" for v in ("6.0.3", "6.3.8", "7.2.2"))]),
        (["--clause", "INT-1501", "--case", "*#1@pcp-legacy"], ["replay/worked-counter-25#1@pcp-legacy"]),
    ],
)
def test_what_is_selected_is_asked(selection: list[str], asked: list[str], suite: Suite) -> None:
    assert suite.run("fake:right", *selection) == 0
    assert suite.asked() == asked
    assert journal.load(suite.events).header["selection"]["complete"] is False


@pytest.mark.parametrize("option", ["--case", "--clause", "--op"])
def test_a_selection_that_matches_nothing(option: str, suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.run("fake:right", option, "nothing") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_selections_that_have_nothing_in_common(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.run("fake:right", "--case", "replay/*", "--op", "derive.*") == 2
    assert capsys.readouterr().err == "suite: the selection matches nothing\n"


def test_answers_come_in_order_however_many_adapters_there_are(suite: Suite) -> None:
    assert suite.run("fake:off-by-one") == 1
    two: list[cases.Json] = [{**verdict, "seconds": 0} for verdict in verdicts_in(suite.events)]
    assert suite.run("fake:off-by-one", "--jobs", "1") == 1
    assert [{**verdict, "seconds": 0} for verdict in verdicts_in(suite.events)] == two
    assert [verdict["id"] for verdict in two] == [check.id for check in checks_of(cases.load_all(suite.golden))]


def test_it_stops_after_so_many_failures(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.run("fake:fails", "--max-failures", "3") == 1
    assert len(suite.asked()) == 3
    run = journal.load(suite.events)
    assert not run.is_complete
    assert run.implementations[0].end["because"] == "stopped after 3 failures"
    assert "stopped after 3 failures" in capsys.readouterr().err


def test_failures_of_one_kind_are_told_once_and_counted_but_each_is_reported(
    suite: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = [tmp_path / name for name in ("report.json", "report.xml", "report.html")]
    asked_for = [word for path in reports for word in (f"--{path.suffix[1:].replace('xml', 'junit')}", str(path))]
    assert suite.run("fake:refuses", "--case", "metadata/semantics", *asked_for) == 1
    failed = [verdict["id"] for verdict in verdicts_in(suite.events) if verdict["status"] == "fail"]
    assert len(failed) > 10
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("FAIL")] == [
        next(line for line in out.splitlines() if line.startswith(f"FAIL {failed[0]} ")),
        f"FAIL {len(failed)} times value.format, first {failed[0]}: wrong: fake.refusal",
    ]
    json_report, junit, html = (report.read_text(encoding="utf-8") for report in reports)
    assert [check for check in failed if check not in json_report or check not in junit] == []
    # The page has a request once, with all dialects under which it failed so.
    assert html.count("fake.refusal") >= len({check.partition("@")[0] for check in failed})


def test_failures_that_differ_are_told_each(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.run("fake:off-by-one", "--case", "replay/worked-counter-25") == 1
    messages = {verdict["message"] for verdict in verdicts_in(suite.events) if verdict["status"] == "fail"}
    out = capsys.readouterr().out
    assert len([line for line in out.splitlines() if line.startswith("FAIL") and " times " not in line]) == len(messages) > 0


def test_why_checks_were_skipped_is_counted_after_the_claims(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    suite.run("fake:skips", "--case", "metadata/semantics")
    out = capsys.readouterr().out.splitlines()
    number = len(verdicts_in(suite.events))
    assert f"  note: {number} skipped, not today" in out
    assert out.index(f"  note: {number} skipped, not today") > next(i for i, line in enumerate(out) if "value.format " in line)


def test_what_failed_last_is_asked_again(suite: Suite) -> None:
    assert suite.run("fake:off-by-one", "--case", "replay/*") == 1
    failed = [verdict["id"] for verdict in verdicts_in(suite.events) if verdict["status"] == "fail"]
    assert suite.run("fake:off-by-one", "--case", "metadata/semantics") == 0
    assert suite.run("fake:off-by-one", "--last-failed") == 1
    assert suite.asked() == failed != []
    assert suite.run("fake:right", "--last-failed") == 2


WRONG = "derived/* | wrong | | all is wrong\nreplay/* | wrong | | all is wrong\nmetadata/* | wrong | | all is wrong\n"


def test_a_list_that_is_true_passes(suite: Suite) -> None:
    assert suite.expecting("# all of it\n\n" + WRONG, "fake:wrong") == 0
    (one,) = journal.load(suite.events).implementations
    assert {verdict["status"] for verdict in one.verdicts} == {"deviation"}
    claims = {claim["capability"]: claim["claim"] for claim in one.claims}
    assert claims["replay.interp"] == "conformant with 1 declared deviation"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (WRONG + "replay/nothing | wrong | | stale\n", "entry that matches nothing: replay/nothing | wrong |  | stale"),
        (WRONG + "replay/set-* | crash | | no crash\n", "entry that matches nothing: replay/set-*"),
        (WRONG.replace("all is wrong\n", "all is wrong | until=2000-01-01\n", 1), "expired entry: derived/*"),
    ],
)
def test_a_list_that_is_not_true_fails(text: str, problem: str, suite: Suite) -> None:
    assert suite.expecting(text, "fake:wrong") == 1
    (told,) = suite.problems()
    assert told.startswith(problem)


def test_a_surprise_pass_fails(suite: Suite) -> None:
    assert suite.expecting("metadata/semantics | wrong | | believed wrong\n", "fake:right") == 1
    assert {v["status"] for v in verdicts_in(suite.events) if v["case"] == "metadata/semantics"} == {"surprise"}


def test_what_was_not_selected_says_nothing_about_an_entry(suite: Suite) -> None:
    assert suite.expecting(WRONG, "fake:wrong", "--case", "replay/*") == 0
    assert suite.expecting(WRONG + "replay/nothing | wrong | | stale\n", "fake:wrong", "--case", "replay/*") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("replay/*", "not ID | outcome"),
        ("a | wrong | | r | until=soon", "until= is not a date"),
        ("a | right | | r", "'right' is none of the outcomes"),
        ("a | wrong | | ", "no reason"),
        (" | wrong | | r", "no ID"),
        ("# one\na | wrong | x | r\na | wrong | x | q", "a is listed twice"),
        ("a | wrong | \x00 | r | s | t", "not ID | outcome"),
    ],
)
def test_a_broken_list_is_refused(text: str, told: str, suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.expecting(text, "fake:right") == 4
    err = capsys.readouterr().err
    assert f"{suite.list}:{text.count(chr(10)) + 1}: " in err
    assert told in err
    assert err.count("\n") == 1


def test_the_baseline_is_what_makes_the_run_pass(suite: Suite) -> None:
    suite.list.write_text(
        "replay/worked-counter-25 | wrong | | why | until=2999-01-01\nreplay/gone | crash | | was fixed\n", encoding="utf-8"
    )
    assert suite.baseline("fake:off-by-one") == 1
    assert suite.baseline("fake:off-by-one", "--fix") == 0
    entries = expectations.load(suite.list)
    assert str(entries[0]) == "replay/worked-counter-25 | wrong |  | why | until=2999-01-01"
    assert "gone" not in suite.list.read_text(encoding="utf-8")
    assert suite.run("fake:off-by-one", "--expect", str(suite.list)) == 0
    assert suite.baseline("fake:off-by-one") == 0


def test_the_baseline_is_narrowed_to_what_still_fails(suite: Suite) -> None:
    suite.list.write_text("*/* | wrong | | why\n", encoding="utf-8")
    assert suite.baseline("fake:off-by-one", "--fix") == 0
    entries = expectations.load(suite.list)
    assert {entry.reason for entry in entries} == {"why"}
    assert all("#" in entry.pattern for entry in entries)
    assert suite.baseline("fake:right", "--fix") == 0
    assert expectations.load(suite.list) == []


def test_a_baseline_keeps_what_is_expired(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    text = "replay/* | wrong | | why | until=2000-01-01\n"
    suite.list.write_text(text, encoding="utf-8")
    assert suite.baseline("fake:wrong", "--fix") == 1
    assert "which only a person can change: replay/*" in capsys.readouterr().err
    assert text in suite.list.read_text(encoding="utf-8").replace("|  |", "| |")


def test_a_baseline_of_who_does_not_start(suite: Suite) -> None:
    assert suite.baseline("fake:dies-at-start", "--fix") == 3
    assert not suite.list.exists()


def test_one_of_several_does_not_start(suite: Suite) -> None:
    assert suite.run("fake:dies-at-start", "fake:right", "--case", "metadata/semantics") == 3
    dead, right = journal.load(suite.events).implementations
    assert (dead.verdicts, dead.is_complete) == ([], False)
    assert {verdict["status"] for verdict in right.verdicts} == {"pass"}


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["run", "nothing"], 2, "'nothing' is not an implementation"),
        (["run", "exec:"], 2, "'exec:' is not an implementation"),
        (["run", "exec:'"], 2, "No closing quotation"),
        (["run", "fake:nothing"], 2, "no fake is called 'nothing'"),
        (["run", "pcp:/no/such/folder"], 3, "/no/such/folder is not the root of an installed PCP"),
        (["run", "pcp:1.0"], 3, "unknown version '1.0'"),
        (["run", "fake:right", "--cases", "/no/such/folder"], 2, "no case.json below it"),
        (["run", "fake:right", "fake:wrong", "--expect", "x"], 2, "--expect is about one implementation"),
        (["run", "fake:right", "--expect", "/no/such/list"], 4, "No such file"),
        (["baseline", "fake:right", "/no/such/list"], 4, "No such file"),
        (["report", "/no/such/journal", "--json", "-"], 4, "No such file"),
        (["report", "/no/such/journal"], 2, "which report?"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: list[str], status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    err = capsys.readouterr().err
    assert err.startswith("suite: ") and told in err and err.count("\n") == 1


def test_a_broken_case_is_one_clear_line(tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads((golden / "metadata/semantics/case.json").read_text(encoding="utf-8"))
    for text in ("{", "{}", "[]", "7", json.dumps({**told, "level": "may"}), json.dumps({**told, "requests": [{}]})):
        (tmp_path / "case.json").write_text(text, encoding="utf-8")
        assert main(["run", "fake:right", "--cases", str(tmp_path)]) == 4
        err = capsys.readouterr().err
        assert err.startswith(f"suite: {tmp_path}/case.json: ") and err.count("\n") == 1


def test_only_cases_that_are_chosen_have_to_fit_the_schema(tmp_path: Path, golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(golden, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "metadata/semantics/case.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**told, "level": "may"}), encoding="utf-8")
    assert main(["run", "fake:right", "--cases", str(tmp_path), "--case", "replay/*"]) == 0
    assert main(["run", "fake:right", "--cases", str(tmp_path), "--case", "metadata/*"]) == 4
    assert f"suite: {path}: level: " in capsys.readouterr().err


# Says hello, and is silent, or gives a byte now and then; has a child in a session of its own.
_NEVER_ANSWERS = """
import json, os, sys, time
folder = sys.argv[1]
if os.fork() == 0:
    os.setsid()
    open(f"{folder}/{os.getpid()}", "w").close()
    time.sleep(600)
    os._exit(0)
open(f"{folder}/{os.getpid()}", "w").close()
sys.stdin.readline()
print(json.dumps({"ok": True, "protocol": 1, "implementation": {"name": "none", "version": "1"},
                  "capabilities": ["value.format", "replay.interp"], "rules": ["pcp-legacy"]}), flush=True)
sys.stdin.readline()
open(f"{folder}/asked", "w").close()
while True:
    if sys.argv[2] == "drips":
        os.write(1, b"x")
    time.sleep(0.01)
"""


def never_answers(folder: Path, how: str) -> str:
    (folder / "processes").mkdir()
    (folder / "adapter.py").write_text(_NEVER_ANSWERS, encoding="utf-8")
    return f"exec:{sys.executable} {folder / 'adapter.py'} {folder / 'processes'} {how}"


def still_there(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder / "processes") if Path("/proc", name).exists()]


@pytest.mark.parametrize("how", ["is-silent", "drips"])
def test_limits_act_within_a_case_and_end_all_at_once(how: str, suite: Suite, tmp_path: Path) -> None:
    # One request of several of a case times out; the others, and a bye, would take an hour.
    name = never_answers(tmp_path, how)
    begin = time.monotonic()
    limits = ["--limit", "0.5", "--max-failures", "1", "--op", "value.format"]
    assert suite.run(name, *limits) == 1
    assert time.monotonic() - begin < 60
    (verdict,) = verdicts_in(suite.events)
    assert verdict["outcome"] == "timeout"
    # Each of two adapters was asked once, and one of them may just have been started again.
    assert 1 <= len(list((tmp_path / "processes").glob("[0-9]*"))) <= 8
    assert still_there(tmp_path) == []


def test_silence_at_the_start_is_waited_for_once(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.run("fake:silent-at-start", "--start-limit", "1") == 3
    assert "does not start: silent for 1 s (TST-103)" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process(number: signal.Signals, suite: Suite, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    page = tmp_path / "page.html"
    page.write_text("the page before", encoding="utf-8")
    words = ["run", never_answers(tmp_path, "is-silent"), "--cases", str(suite.golden), "--journal", str(suite.events)]
    command = [sys.executable, "-c", "import sys; from qa.suite.cli import main; sys.exit(main(sys.argv[1:]))"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(temporary)}
    with subprocess.Popen(
        [*command, *words, "--html", str(page)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        while not (tmp_path / "processes/asked").exists():
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        assert process.stderr is not None
        told = process.stderr.read()
    net = time.monotonic() + 60
    while still_there(tmp_path) or any("home" in name for name in os.listdir(temporary)):
        assert time.monotonic() < net
        time.sleep(0.02)
    assert page.read_text(encoding="utf-8") == "the page before"
    if number == signal.SIGKILL:
        return
    assert process.returncode == 128 + number
    answered = len(verdicts_in(suite.events))  # skips, which nobody was asked for
    assert told.startswith(f"suite: ended by {number.name}; {answered} of ")
    assert told.endswith(f" checks were answered, no report was written; {suite.events} has the answers\n")
    assert told.count("\n") == 1
    assert os.listdir(temporary) == []
