# SPDX-License-Identifier: Apache-2.0
"""`suite rules survey`: what is new is told, what is known is not, and nothing gets lost on the way."""

import os
from pathlib import Path

import pytest

from qa.suite.cli import main
from qa.suite.survey_testing import A, B, C, Fake, listed, make_archive, make_fake, numbers, survey, unanswered, words


@pytest.fixture(name="fake")
def fixture_fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = make_fake(tmp_path)
    monkeypatch.setenv("PMPROOF", str(fake.program))
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
