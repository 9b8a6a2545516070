# SPDX-License-Identifier: Apache-2.0
"""`suite rules survey` when something goes wrong: the other archives are compared all the same, and what was known stays known."""

from pathlib import Path

import pytest

from qa.suite.cli import main
from qa.suite.survey_testing import A, B, Fake, make_archive, make_fake, numbers, survey, unanswered, words


@pytest.fixture(name="fake")
def fixture_fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = make_fake(tmp_path)
    monkeypatch.setenv("PMPROOF", str(fake.program))
    return fake


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
