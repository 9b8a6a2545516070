# SPDX-License-Identifier: Apache-2.0
"""The comparison sees whatever libpcp would say otherwise, and nothing where it says what the truth says."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qa.beside_pcp.generate.compare_libpcp import compare, fetchable, questions, spread
from qa.beside_pcp.generate.entries import Record, ValueSet
from qa.beside_pcp.generate.expectations import Quirks
from qa.beside_pcp.generate.libpcp import LibpcpError, Request, to_reading
from qa.beside_pcp.generate.testing import load, right_answers, write_example

Answers = list[dict[str, Any]]


@pytest.mark.parametrize("which", ["base", "worked"])
@pytest.mark.parametrize("version", [2, 3])
def test_right_answers_show_no_difference_and_every_value_is_counted(which: str, version: int, tmp_path: Path) -> None:
    archive = write_example(which, version, tmp_path)
    truth = load(archive)
    found = compare(truth, to_reading(right_answers(archive)), Quirks())
    assert found.differences == []
    assert found.records == len(truth.records)
    assert found.values == 2 * sum(record.value_count() for record in truth.records)


def answer(answers: Answers, kind: str, place: int = 0) -> dict[str, Any]:
    return [each for each in answers if each["type"] == kind][place]


def value(answers: Answers, pmid: str, place: int = 0) -> dict[str, Any]:
    sets = answer(answers, "result", place)["metrics"]
    found: dict[str, Any] = next(each for each in sets if each["pmid"] == pmid)["values"][0]
    return found


Change = Callable[[Answers], object]
CHANGES: list[tuple[str, Change]] = [
    ("label", lambda all_: answer(all_, "label").update(host="other")),
    ("label", lambda all_: answer(all_, "label").update(end="1700000004.000000000")),
    ("label", lambda all_: answer(all_, "label").update(archive_version=2)),
    ("descs", lambda all_: all_.remove(answer(all_, "desc"))),
    ("names", lambda all_: answer(all_, "desc").update(names=["m.cnt", "m.alias"])),
    ("units", lambda all_: answer(all_, "desc").update(units_word=0x00100001)),
    ("desc", lambda all_: answer(all_, "desc").update(semantics="instant")),
    ("desc", lambda all_: answer(all_, "desc", 5).update(indom="29.2")),
    ("instances", lambda all_: answer(all_, "instances", -1)["instances"].pop()),
    ("instances", lambda all_: answer(all_, "instances", -1)["instances"][0].update(name="z")),
    ("instances", lambda all_: answer(all_, "instances", 1).update(status=0)),
    ("labels of context", lambda all_: answer(all_, "labels")["sets"][0]["labels"][0].update(flags=2)),
    ("labels of instances", lambda all_: answer(all_, "labels", 1)["sets"].pop(0)),
    ("text", lambda all_: answer(all_, "text").update(text="two lines")),
    ("text", lambda all_: answer(all_, "text").update(status=-12349)),
    ("records", lambda all_: all_.remove(answer(all_, "result", -1))),
    ("records", lambda all_: answer(all_, "end_of_records").update(status=-12373)),
    ("record", lambda all_: answer(all_, "result").update(time="1700000000.000000001")),
    ("record", lambda all_: answer(all_, "result")["metrics"].reverse()),
    ("values", lambda all_: value(all_, "29.0.1").update(value="1001")),
    ("values", lambda all_: value(all_, "29.0.2").update(value="5")),
    ("values", lambda all_: value(all_, "29.0.3").update(value="hello")),
    ("values", lambda all_: value(all_, "29.0.4").update(value="1.5000001")),
    ("values", lambda all_: value(all_, "29.0.5", 1).update(value="2.2500000000000004")),
    ("values", lambda all_: value(all_, "29.0.5").update(value="-0")),
    ("values", lambda all_: value(all_, "29.0.6").update(instance=1)),
    ("values", lambda all_: value(all_, "29.0.7").update(value="base64:AQIDBAY=")),
    ("values", lambda all_: value(all_, "29.0.8")["records"][0]["parameters"][0].update(value="78")),
    ("values", lambda all_: value(all_, "29.0.8")["records"][1].update(missed=4)),
    ("values", lambda all_: value(all_, "29.0.10")["records"][0].update(flags=2)),
    ("values", lambda all_: answer(all_, "result")["metrics"][0].update(values=[], status=-12351)),
    ("fetch", lambda all_: all_.remove(answer(all_, "fetched"))),
    ("fetch", lambda all_: answer(all_, "fetched")["metrics"].pop()),
    ("values", lambda all_: answer(all_, "fetched")["metrics"][0]["values"][0].update(value="9")),
]


@pytest.mark.parametrize(("aspect", "change"), CHANGES, ids=[f"{i}-{aspect}" for i, (aspect, _) in enumerate(CHANGES)])
def test_one_wrong_answer_is_seen_as_what_it_is(aspect: str, change: Change, tmp_path: Path) -> None:
    archive = write_example("base", 3, tmp_path)
    answers = copy.deepcopy(right_answers(archive))
    change(answers)
    aspects = {difference.aspect for difference in compare(load(archive), to_reading(answers), Quirks()).differences}
    assert aspect in aspects
    assert len(aspects) == 1 or aspect in ("records", "fetch")  # all after it are shifted then


def test_each_domain_is_asked_for_as_a_whole_and_around_each_change(tmp_path: Path) -> None:
    word, start = 29 << 22 | 1, 1700000000 * 10**9
    asked = questions(load(write_example("base", 2, tmp_path))).instances
    change = start + 3 * 10**9
    assert asked == [(word, None), (word, start - 1000), (word, start), (word, change - 1000), (word, change)]


def test_of_many_times_the_first_and_the_last_are_looked_at() -> None:
    times = spread(list(range(1000)))
    assert (len(times), times[0], times[-1]) == (60, 0, 999)


def test_times_before_1970_are_asked_for_as_seconds_and_nanoseconds_that_are_not_negative() -> None:
    assert '"instances": [[1, [-1, 999999999]], [1, null]]' in Request([(1, -1), (1, None)]).to_json([Path("a")])


def test_fetching_skips_marks_and_what_is_earlier_than_before() -> None:  # INT-1003, INT-1005
    sets = (ValueSet("1.2.3", 0, ()),)
    times = [(1, sets), (2, ()), (1, sets), (2, sets), (2, sets)]
    records = [Record(time, each) for time, each in times]
    assert fetchable(records) == [records[0], records[3], records[4]]


def test_an_answer_of_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(LibpcpError, match="unknown line 'help'"):
        to_reading([{"type": "help"}])
