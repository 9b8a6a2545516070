# SPDX-License-Identifier: Apache-2.0
"""`suite rules survey`: what is new is told, what is known is not, and nothing gets lost on the way."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qa.suite.cli import main
from qa.suite.survey_testing import A, B, C, Fake, make_archive, numbers, report, survey, unanswered, words

NET = 120.0  # a net: nothing waits for it


@pytest.fixture(name="fake")
def fixture_fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """A pmproof, and three archives, a the largest, in which nothing differs."""
    fake = Fake(tmp_path / "fake")
    monkeypatch.setenv("PMPROOF", str(fake.program))
    for name, size in (("a", 900), ("b", 200), ("c", 500)):
        make_archive(tmp_path / "archives", name, b"x" * size)
        fake.answers(name)
    return fake


def test_the_first_survey_tells_all_kinds_the_largest_first_with_the_smallest_archive(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4, B: 50})
    fake.answers("b", {A: 3})
    fake.answers("c", {A: 9, C: 1})
    told = survey(tmp_path, 1)
    assert list(numbers(told["new"]).items()) == [(B, 50), (A, 16), (C, 1)]
    assert [Path(one["witness"]["archive"]).name for one in told["new"]] == ["a", "b", "c"]
    largest, everywhere, _ = told["new"]
    assert (largest["archives"], everywhere["archives"]) == (1, 3)
    assert everywhere["witness"]["size"] == 204
    assert everywhere["witness"]["time"] == "1700000000.000000000" and everywhere["witness"]["candidate"]["value"] == "2"
    assert told["is_first"] and told["archives"] == {
        "asked": 3, "compared": 3, "reused": 0, "new": 3, "changed": 0, "differing": 3, "with_new_movements": 3, "gone": 0,
    }  # fmt: skip
    assert told["values"] == {"compared": 500, "differing": 67}
    assert told["clauses"]["listed"][0] == {"baseline": "INT-503", "candidate": "INT-502", "differences": 50, "archives": 1}


def test_the_second_survey_tells_only_what_is_new(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    survey(tmp_path, 1)
    told = survey(tmp_path, 0)
    assert told["new"] == [] and numbers(told["known"]) == {A: 4} and told["archives"]["asked"] == 3
    assert fake.asked() == ["a", "a", "b", "b", "c", "c"]
    fake.answers("b", {B: 7})
    told = survey(tmp_path, 1)
    assert numbers(told["new"]) == {B: 7} and told["new"][0]["why"] == {"new_kind": 1}
    assert numbers(told["known"]) == {A: 4}
    assert survey(tmp_path, 0)["new"] == []


@pytest.mark.parametrize(
    ("answers", "why", "differences"),
    [
        ({"b": ({A: 2}, "2")}, {"spread": 1}, 2),
        ({"a": ({A: 5}, "2")}, {"grown": 1}, 5),
        ({"a": ({A: 4}, "3")}, {"other_answers": 1}, 4),
        ({"a": ({A: 5}, "2"), "b": ({A: 1}, "2"), "c": ({A: 1}, "2")}, {"spread": 2, "grown": 1}, 7),
    ],
)
def test_a_known_kind_moves_on(
    answers: dict[str, tuple[dict[str, int], str]], why: dict[str, int], differences: int, tmp_path: Path, fake: Fake
) -> None:
    fake.answers("a", {A: 4})
    survey(tmp_path, 1)
    for name, (kinds, answer) in answers.items():
        fake.answers(name, kinds, answer=answer)
    (one,) = survey(tmp_path, 1)["new"]
    assert (one["why"], one["differences"]) == (why, differences)


def test_less_is_no_news_and_a_kind_that_is_gone_is_told(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4, B: 3})
    survey(tmp_path, 1)
    fake.answers("a", {A: 2})
    told = survey(tmp_path, 0)
    assert told["new"] == [] and told["gone"] == [B]
    fake.answers("a", {A: 2, B: 3})  # it comes back
    assert numbers(survey(tmp_path, 1)["new"]) == {B: 3}


def test_known_kinds_in_archives_that_are_new_or_changed_are_no_news(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    fake.answers("b", {B: 1})
    survey(tmp_path, 1)
    make_archive(tmp_path / "archives", "a", b"y" * 900)
    make_archive(tmp_path / "archives", "d")
    for part in ("meta", "0"):
        (tmp_path / f"archives/b.{part}").unlink()
    fake.answers("a", {A: 400, B: 2})
    fake.answers("d", {A: 3, C: 1})
    told = survey(tmp_path, 1)
    assert numbers(told["new"]) == {C: 1}
    assert {key: told["archives"][key] for key in ("asked", "new", "changed", "gone")} == {"asked": 3, "new": 1, "changed": 1, "gone": 1}
    # From now on they are known like the others.
    fake.answers("a", {A: 401, B: 2})
    assert [one["why"] for one in survey(tmp_path, 1)["new"]] == [{"grown": 1}]


def test_an_archive_that_changed_under_its_size_and_time_is_seen(tmp_path: Path, fake: Fake) -> None:
    survey(tmp_path, 0)
    meta = tmp_path / "archives/a.meta"
    times = meta.stat()
    meta.write_bytes(b"y" + meta.read_bytes()[1:])
    os.utime(meta, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert survey(tmp_path, 0, "--trust-sides")["archives"]["changed"] == 1


def test_with_trusted_sides_only_archives_that_are_new_or_changed_are_asked_about(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    survey(tmp_path, 1)
    fake.asked()
    make_archive(tmp_path / "archives", "b", b"other")
    make_archive(tmp_path / "archives", "d")
    fake.answers("d", {B: 2})
    told = survey(tmp_path, 1, "--trust-sides")
    assert fake.asked() == ["b", "d"]
    assert numbers(told["new"]) == {B: 2} and numbers(told["known"]) == {A: 4}
    assert (told["archives"]["reused"], told["values"]["differing"]) == (2, 6)
    # A file of a side has changed, which here is pmproof itself.
    fake.program.write_text(fake.program.read_text(encoding="utf-8") + "# other\n", encoding="utf-8")
    assert survey(tmp_path, 0, "--trust-sides")["archives"]["reused"] == 0
    assert fake.asked() == ["a", "b", "c", "d"]


def test_what_a_person_reads(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake.answers("a", {A: 4})
    since = survey(tmp_path, 1) and survey(tmp_path, 0)["known_since"]
    fake.answers("a", {A: 5, B: 3}, unanswered=[unanswered("reject", 2, "no such\x1bmetric")])
    fake.answers("c", {C: 1}, answer="\x1b[2J", status=4, failure={"file": "c.0", "message": "is damaged", "rule": None, "kind": "damaged", "offset": 0})
    make_archive(tmp_path / "archives", "b", b"other")
    capsys.readouterr()
    budget = listed(tmp_path, f"{A} | */b | as decided", f"{B} | | until then | until=2020-01-01")
    assert main(words(tmp_path, "--show", "2", "--progress", "always", *budget)) == 4
    out, err = capsys.readouterr()
    assert "/3 archives" in err
    lines = out.splitlines()
    (new,) = [line for line in lines if line.startswith("new since ")]
    assert new.startswith("new since 20") and since is not None
    lines[lines.index(new)] = new.split(":", 3)[3]
    assert lines == [
        "baseline old, candidate new",
        "3 archives: 2 with differences, 1 changed",
        "  archives/c: not compared: c.0: is damaged",
        "400 values compared, 9 differ (2.25 %)",
        "",
        " 3 kinds, 9 values in 2 archives",
        "",
        "  INT-503>INT-503/instant/float/number  5 values in 1 archive",
        "    1 archive had fewer values of it",
        "    archives/a (904 bytes)",
        '    1700000000.000000000  m.float [1 "one"]  instant float',
        "      old  1  [INT-503]",
        "      new  2  [INT-503]",
        "",
        "  INT-503>INT-502/discrete/32/number    3 values in 1 archive",
        "    archives/a (904 bytes)",
        '    1700000001.000000000  m.32 [1 "one"]  discrete 32',
        "      old  1  [INT-503]",
        "      new  2  [INT-502]",
        "  and 1 more kind (--show shows more)",
        f"the list is not true: expired entry: {B} |  | until then | until=2020-01-01",
        f"the list is not true: entry that matches nothing: {A} | */b | as decided",
        "newly unanswered by new: 2 questions in 1 archive, reject",
        "not answered, so not compared (a question is a metric at a time)",
        "  new, reject: 2 questions in 1 archive: no such\\x1bmetric",
    ]
    assert main(words(tmp_path, "--known")) == 4
    out = capsys.readouterr().out
    assert "nothing is new\n\nknown\n" in out and "new  \\x1b[2J  [INT-503]" in out


# What the budget accepts.


def listed(folder: Path, *entries: str) -> list[str | Path]:
    path = folder / "budget"
    path.write_text("# accepted\n\n" + "".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    return ["--budget", path]


def test_what_is_accepted_is_not_new(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4, B: 2})
    fake.answers("b", {A: 1})
    told = survey(tmp_path, 1, *listed(tmp_path, f"{A} | | meant so", "*/discrete/* | */no/such/place | x | until=2999-01-01", "*>*/discrete/* | *a | y"))
    assert told["new"] == [] and told["list_faults"] == ["entry that matches nothing: */discrete/* | */no/such/place | x | until=2999-01-01"]
    assert [(one["movements"], one["reason"]) for one in told["accepted"]] == [(2, "meant so"), (1, "y")]
    assert told["accepted_kinds"] == [{"kind": B, "differences": 2}, {"kind": A, "differences": 5}]
    # Once they are no longer accepted they are known.
    assert numbers(survey(tmp_path, 0)["known"]) == {A: 5, B: 2}


def test_an_entry_is_about_the_archives_that_it_names(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    fake.answers("b", {A: 1})
    assert numbers(survey(tmp_path, 1, *listed(tmp_path, f"{A} | */a | meant so"))["new"]) == {A: 1}


def test_an_archive_that_is_accepted_as_unreadable_excuses_no_entry(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", status=4, failure={"file": "x/a.0", "message": "is damaged", "rule": None, "kind": "damaged", "offset": 0})
    told = survey(tmp_path, 1, *listed(tmp_path, "unreadable | */a | a disk broke", f"{A} | | nowhere"))
    assert told["list_faults"] == [f"entry that matches nothing: {A} |  | nowhere"]


def test_an_expired_entry_fails_and_accepts_nothing(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    told = survey(tmp_path, 1, *listed(tmp_path, f"{A} | | meant so | until=2020-01-31"))
    assert told["list_faults"] == [f"expired entry: {A} |  | meant so | until=2020-01-31"]
    assert numbers(told["new"]) == {A: 4}
    assert survey(tmp_path, 1, *listed(tmp_path, f"{A} | | meant so | until=2020-01-31"))["new"] == []


def test_an_entry_about_what_was_not_compared_is_not_said_to_match_nothing(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", status=4, failure={"file": "x/a.0", "message": "is damaged", "rule": "ARC-1002", "kind": "damaged", "offset": 0})
    told = survey(tmp_path, 4, *listed(tmp_path, f"{A} | */a | there it was"))
    assert told["list_faults"] == []
    assert survey(tmp_path, 4, *listed(tmp_path, f"{A} | */b | there it was"))["list_faults"] != []


def test_archives_that_cannot_be_read_are_told_and_can_be_accepted(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", status=4, failure={"file": "x/a.0", "message": "is damaged", "rule": "ARC-1002", "kind": "damaged", "offset": 0})
    (one,) = survey(tmp_path, 4)["not_compared"]["listed"]
    assert (one["outcome"], one["because"], one["accepted"]) == ("not_compared", "a.0: is damaged [ARC-1002]", False)
    told = survey(tmp_path, 0, *listed(tmp_path, "unreadable | */a | a disk broke"))
    assert told["not_compared"]["listed"][0]["accepted"]
    assert survey(tmp_path, 4, *listed(tmp_path, "*>* | */a | no glob is about that"))["list_faults"] == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (f"{A} | ", "not KIND | glob of archives | reason"),
        (f"{A} | | ", "no reason"),
        (" | | x", "no kind"),
        ("INT-503 | | x", "is no kind such as"),
        (f"{A} | | x | until=soon", "until= is not a date"),
        (f"{A} | | x\n{A} | | y", ":4: INT-503>INT-503/instant/float/number is listed twice"),
    ],
)
def test_a_list_that_cannot_be_read(entry: str, said: str, tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(tmp_path, *listed(tmp_path, entry))) == 4
    assert said in capsys.readouterr().err
    assert fake.asked() == [] and not (tmp_path / "journal").exists()


# What goes wrong.


def test_an_implementation_that_crashes_on_one_archive(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    fake.answers("b", {B: 2})
    survey(tmp_path, 1)
    fake.answers("a", {}, status=3, unanswered=[unanswered("crash", 7), unanswered("skip", 2)])
    fake.answers("c", {A: 1})
    told = survey(tmp_path, 3)
    assert numbers(told["new"]) == {A: 1}  # c was compared all the same
    assert [(one["outcome"], one["questions"]) for one in told["unanswered"]["listed"]] == [("crash", 7), ("skip", 2)]
    assert [(Path(one["archive"]).name, one["outcome"]) for one in told["not_compared"]["listed"]] == [("a", "broken")]
    # What was known of it before is not forgotten.
    fake.answers("a", {A: 4})
    told = survey(tmp_path, 0)
    assert told["new"] == [] and numbers(told["known"]) == {A: 5, B: 2}
    fake.answers("a", {A: 5})
    assert [one["why"] for one in survey(tmp_path, 1)["new"]] == [{"grown": 1}]


def test_what_a_side_no_longer_answers_is_new(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", unanswered=[unanswered("reject", 5, "no such metric"), unanswered("skip", 5, "a tool has no place for it", "baseline")])
    told = survey(tmp_path, 0)  # on the first time it is only counted
    assert told["newly_unanswered"] == [] and len(told["unanswered"]["listed"]) == 2
    fake.answers("a", unanswered=[unanswered("reject", 2, "no such metric"), unanswered("reject", 4, "nor this one"), unanswered("skip", 5, "s", "baseline")])
    told = survey(tmp_path, 1)
    assert told["newly_unanswered"] == [{"side": "candidate", "outcome": "reject", "archives": 1, "questions": 1}]
    assert survey(tmp_path, 0)["newly_unanswered"] == []


def test_an_implementation_that_does_not_start_ends_the_survey(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fake/b.json").unlink()
    fake.ends("b", 3, "pmproof: exec:./nope does not start: no such file")
    assert main(words(tmp_path)) == 3
    assert "suite: exec:./nope does not start: no such file" in capsys.readouterr().err
    fake.asked()
    fake.answers("b", {A: 1})
    assert numbers(survey(tmp_path, 1)["new"]) == {A: 1}


def test_what_pmproof_refuses_is_wrong_usage(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"fake/{name}.json").unlink()
        fake.ends(name, 2, "pmproof: --interval: x is no duration\nSee pmproof rules diff --help.")
    assert main(words(tmp_path, "--interval", "x")) == 2
    assert "suite: --interval: x is no duration\n" in capsys.readouterr().err


def test_a_pmproof_that_dies_or_talks_nonsense_or_hangs(tmp_path: Path, fake: Fake) -> None:
    fake.does("a", "dies")
    (tmp_path / "fake/b.json").write_text('{"schema": "else"}', encoding="utf-8")
    fake.does("c", "hangs")
    make_archive(tmp_path / "archives", "d")
    fake.answers("d", {A: 1})
    told = survey(tmp_path, 5, "--time-limit", "1")
    assert numbers(told["new"]) == {A: 1}
    a, b, c = told["not_compared"]["listed"]
    assert (a["outcome"], a["because"]) == ("died", "pmproof was ended by SIGSEGV")
    assert b["outcome"] == "died" and "its report cannot be used" in b["because"]
    assert (c["outcome"], c["because"]) == ("not_compared", "took longer than 1 s")


def test_arguments_that_name_nothing(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    survey(tmp_path, 0)
    assert main([*words(tmp_path), str(tmp_path / "nowhere")]) == 4
    assert "nowhere: no such archive, file or directory" in capsys.readouterr().err
    assert main([*words(tmp_path)[:-1], str(tmp_path / "nowhere")]) == 4


def test_nothing_to_compare_is_no_success(tmp_path: Path, fake: Fake) -> None:
    for name in ("a", "b", "c"):
        fake.answers(name, compared=0, status=2)
    assert survey(tmp_path, 2)["values"] == {"compared": 0, "differing": 0}


def test_a_report_that_cannot_be_written_leaves_what_is_new_new(tmp_path: Path, fake: Fake) -> None:
    fake.answers("a", {A: 4})
    assert main(words(tmp_path, "--html", tmp_path / "no/such/folder/page.html")) == 4
    fake.asked()
    assert numbers(survey(tmp_path, 1)["new"]) == {A: 4}
    assert fake.asked() == []  # the answers were there


# The journal.


def test_a_journal_is_about_two_sides_and_what_they_are_asked(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake.answers("a", {A: 4})
    survey(tmp_path, 1, "--metric", "m")
    assert main(words(tmp_path)) == 2
    assert "is about --baseline old --candidate new --metric=m: give another --journal, or --fresh" in capsys.readouterr().err
    assert numbers(survey(tmp_path, 1, "--fresh")["new"]) == {A: 4}


@pytest.mark.parametrize(("content", "status", "said"), [(b"", 4, "is empty"), (b"some text", 2, "is not a journal of suite rules survey")])
def test_what_is_no_journal_is_not_touched(
    content: bytes, status: int, said: str, tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "journal").write_bytes(content)
    assert main(words(tmp_path)) == status
    assert said in capsys.readouterr().err and (tmp_path / "journal").read_bytes() == content


def test_a_damaged_journal_is_said_to_be_so(tmp_path: Path, fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    survey(tmp_path, 0)
    content = bytearray((tmp_path / "journal").read_bytes())
    content[4096:8192] = bytes(4096)
    (tmp_path / "journal").write_bytes(content)
    assert main(words(tmp_path)) == 4
    assert "the journal is damaged" in capsys.readouterr().err
    survey(tmp_path, 0, "--fresh")


# Interruptions.


class Running:
    """A survey in a process of its own, of which archive c hangs."""

    def __init__(self, folder: Path, fake: Fake, *more: str) -> None:
        fake.does("c", "hangs")
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-B", "qa/suite/suite", *words(folder, *more)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a shell's background job ignores
        )
        self._asked, self._journal = folder / "fake/asked", folder / "journal"

    def wait_for_c(self) -> None:
        """Until it hangs, and the answers of a and b are in the journal."""
        end = time.monotonic() + NET
        while not (self._asked.exists() and "c" in self._asked.read_text(encoding="utf-8").split() and self._answered() == 2):
            assert self.process.poll() is None and time.monotonic() < end
            time.sleep(0.01)

    def _answered(self) -> int:
        with closing(sqlite3.connect(f"file:{self._journal}?mode=ro", uri=True, timeout=NET)) as journal:
            number: int = journal.execute("SELECT count(*) FROM result").fetchone()[0]
        return number


@pytest.fixture(name="hanging")
def fixture_hanging(tmp_path: Path, fake: Fake) -> Iterator[Running]:
    """One job at a time, so that a and b are answered when c hangs."""
    fake.answers("a", {A: 4})
    running = Running(tmp_path, fake, "--jobs", "1")
    running.wait_for_c()
    yield running
    running.process.kill()
    running.process.communicate(timeout=NET)


def is_running(fake: Fake) -> bool:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return str(fake.program) in listed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_survey_goes_on_where_it_was(number: signal.Signals, tmp_path: Path, fake: Fake, hanging: Running) -> None:
    hanging.process.send_signal(number)
    _, said = hanging.process.communicate(timeout=NET)
    assert hanging.process.returncode == 128 + number
    assert f"2 of 3 archives have their answers in {tmp_path}/journal, the same command goes on from there" in said
    assert f"suite: ended by {number.name}" in said and "Traceback" not in said
    assert not (tmp_path / "survey.json").exists()
    fake.asked()
    fake.does("c", "hangs", False)
    fake.answers("c", {A: 1})
    assert numbers(survey(tmp_path, 1)["new"]) == {A: 5}
    assert fake.asked() == ["c"]


def test_a_killed_survey_goes_on_too_and_leaves_no_pmproof(tmp_path: Path, fake: Fake, hanging: Running) -> None:
    hanging.process.kill()
    hanging.process.wait(timeout=NET)
    end = time.monotonic() + NET
    while is_running(fake) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_running(fake)
    fake.asked()
    fake.does("c", "hangs", False)
    assert numbers(survey(tmp_path, 1)["new"]) == {A: 4}
    assert fake.asked() == ["c"]


def test_what_changed_since_the_interruption_is_asked_again(tmp_path: Path, fake: Fake, hanging: Running) -> None:
    hanging.process.send_signal(signal.SIGTERM)
    hanging.process.communicate(timeout=NET)
    fake.asked()
    fake.does("c", "hangs", False)
    make_archive(tmp_path / "archives", "a", b"other")
    fake.answers("a", {B: 1})
    assert numbers(survey(tmp_path, 1)["new"]) == {B: 1}
    assert fake.asked() == ["a", "c"]


def test_with_other_files_of_a_side_nothing_of_an_interrupted_survey_counts(tmp_path: Path, fake: Fake, hanging: Running) -> None:
    hanging.process.send_signal(signal.SIGTERM)
    hanging.process.communicate(timeout=NET)
    fake.asked()
    fake.does("c", "hangs", False)
    fake.program.write_text(fake.program.read_text(encoding="utf-8") + "# other\n", encoding="utf-8")
    survey(tmp_path, 1)
    assert fake.asked() == ["a", "b", "c"]


def test_two_surveys_do_not_write_one_journal(tmp_path: Path, fake: Fake, hanging: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(tmp_path)) == 2
    assert "another survey is writing it" in capsys.readouterr().err


# Thousands.


# The survey in a process of its own, in which no pmproof is started: each archive has the same report of 300 kB.
_MEASURED = """
import resource, sys
from pathlib import Path
from qa.suite.cli import main
from qa.suite.survey.asking import Asker
Asker._run = lambda self, path: (1, Path(sys.argv[1]).read_bytes(), "")
status = main(sys.argv[2:])
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory_of(folder: Path, archives: int) -> int:
    """The most that a survey of so many archives has in memory at once, in kB."""
    for number in range(archives):
        make_archive(folder / "archives", f"n{number}")
    (folder / "report").write_text(json.dumps(report("n", {A: 3, B: 2}, padding="x" * 300_000)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", "-c", _MEASURED, folder / "report", *words(folder, "--json", folder / "survey.json")],
        env={**os.environ, "PMPROOF": "/bin/false", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=1500,
        check=True,
    )
    status, most = done.stdout.split()[-2:]
    assert status == "1", done.stderr
    told = json.loads((folder / "survey.json").read_text(encoding="utf-8"))
    assert numbers(told["new"]) == {A: 3 * archives, B: 2 * archives}
    return int(most)


def test_two_thousand_archives_take_hardly_more_memory_than_two_hundred(tmp_path: Path) -> None:
    few, many = memory_of(tmp_path / "few", 200), memory_of(tmp_path / "many", 2000)
    assert many < few + 20_000, (few, many)  # their reports are 600,000
