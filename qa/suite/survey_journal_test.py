# SPDX-License-Identifier: Apache-2.0
"""The journal of `suite rules survey`: what it is about, and that an interrupted survey goes on from it."""

import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qa.suite.cli import main
from qa.suite.survey_testing import A, B, Fake, make_archive, make_fake, numbers, survey, words

NET = 120.0  # a net: nothing waits for it


@pytest.fixture(name="fake")
def fixture_fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = make_fake(tmp_path)
    monkeypatch.setenv("PMPROOF", str(fake.program))
    return fake


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
