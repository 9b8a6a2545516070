# SPDX-License-Identifier: Apache-2.0
"""Which reference belongs to a version, which archive sets are safe to compare, and what ends a run."""

from pathlib import Path

import pytest

from qa.beside_pcp.differential.compare import Comparison
from qa.beside_pcp.differential.contents import NANOSECONDS, Contents
from qa.beside_pcp.differential.examine import CLOSEST, LEGACY, Examination, Fault, is_safe, rule_of
from qa.beside_pcp.differential.requests import Question
from qa.beside_pcp.differential.survey import Setting, Worker, tasks
from qa.peers.error import PeerError
from qa.dev.runs.workers import spread


@pytest.mark.parametrize(
    ("version", "rule"),
    [("6.0.3", LEGACY), ("6.3.1", LEGACY), ("6.3.2", CLOSEST), ("6.3.8", CLOSEST), ("7.2.2", CLOSEST)],
)
def test_the_rule_changed_with_6_3_2(version: str, rule: str) -> None:  # INT-1201
    assert rule_of(version) == rule


class TestASetIsSafe:
    """Members with records at 0, 10, .. 40 and at 100, 110, .. 140 seconds."""

    def safe(
        self,
        start: str = "0",
        interval: str = "15",
        *,
        gap: int = 60,
        marks: tuple[int, ...] = (),
        metrics: tuple[str, ...] = ("plain.reads",),
    ) -> bool:
        contents = Contents()
        for begin in (0, 40 + gap):
            own_marks = {mark for mark in marks if 0 <= mark - begin <= 40}
            times = sorted({begin + second for second in (0, 10, 20, 30, 40)} | own_marks)
            contents.members.append(tuple(second * NANOSECONDS for second in times))
            contents.times += contents.members[-1]
        contents.marks = [second * NANOSECONDS for second in marks]
        args = {"metrics": list(metrics), "start": start, "interval": interval, "count": 9}
        return is_safe(Question(args, plain=True), contents)

    def test_where_three_records_follow_each_fetch_before_the_border(self) -> None:
        assert self.safe("10", "31")
        assert not self.safe("0", "15")  # at 30: one record follows
        assert not self.safe("20", "31")

    def test_not_backward(self) -> None:
        assert not self.safe("10", "-31")

    def test_not_where_the_first_fetch_is_behind_a_member(self) -> None:
        assert self.safe("101", "31")
        assert not self.safe("45", "100")

    def test_not_at_the_time_of_a_mark(self) -> None:
        assert self.safe("10", "31", marks=(15, 27))
        assert not self.safe("10", "31", marks=(15, 103))

    def test_not_without_a_gap(self) -> None:
        assert not self.safe("10", "31", gap=0)

    def test_not_with_metrics_that_are_not_always_there(self) -> None:
        assert not self.safe("10", "31", metrics=("plain.reads", "replay.m0"))

    def test_not_with_a_mark_at_an_end_of_a_member(self) -> None:
        assert self.safe("10", "31", marks=(15,))
        assert not self.safe("10", "31", marks=(100,))
        assert not self.safe("10", "31", marks=(0,))


def test_what_is_set_aside_is_counted_by_contexts() -> None:
    found = Examination({"6.0.3": Comparison(unexplained=["a", "b", "c"]), "6.3.8": Comparison()})
    found.faults = [Fault("6.0.3", {}, ("a", "b")), Fault("6.0.3", {}, ("c",))]
    found.set_aside("damage")
    assert found.faults == []
    assert found.comparisons["6.0.3"].unexplained == []
    assert found.comparisons["6.0.3"].aside == {"damage": 2}
    assert found.comparisons["6.3.8"].aside == {}


def test_a_process_that_can_not_begin_ends_the_run(tmp_path: Path) -> None:
    setting = Setting(tmp_path / "no-such-program", ("9.9",), tmp_path)
    with pytest.raises(PeerError, match="unknown version"):
        list(spread(Worker, setting, tasks(1, range(1, 3), []), jobs=1))
