# SPDX-License-Identifier: Apache-2.0
"""`suite rules survey --budget`: what is accepted is not new, and a list that is not true is told."""

from pathlib import Path

import pytest

from qa.suite.cli import main
from qa.suite.survey_testing import A, B, Fake, listed, make_fake, numbers, survey, words


@pytest.fixture(name="fake")
def fixture_fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = make_fake(tmp_path)
    monkeypatch.setenv("PMPROOF", str(fake.program))
    return fake


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
