# SPDX-License-Identifier: Apache-2.0
"""What PCP is known to do otherwise is excused where its clause says so, and nowhere else."""

from typing import Any

import pytest

from qa.beside_pcp.generate.entries import Label, Labels, LabelSet, Record, ValueSet
from qa.beside_pcp.generate.expectations import Quirks, complaint_clause, refusal, visible, without_equal_labels
from qa.beside_pcp.generate.truth import Truth

_WRAP = "a.0:[22:13:22.000]: c.total[cpu0]: unsigned 32-bit wrap\n\tvalue 5 at 22:13:21.000\n\tvalue 1 at 22:13:22.000"
_BACK = "a.0:[22:13:30.500]: timestamp went backwards, prior timestamp: 22:13:31.000"
_INDEX = (
    "a.index[entry 4]: timestamp (2.000000000) went backwards in time (from 3.000000000 at [entry 3])\n"
    "a.index[entry 4]: offset to metadata (967) decreased (from 1037 at [entry 3])\n"
    "a.index: last valid record ends at offset 192 (of 272)"
)


def truth(*rules: str, records: tuple[Record, ...] = ()) -> Truth:
    head: dict[str, Any] = {"violates": list(rules)}
    return Truth(head, records=list(records))


@pytest.mark.parametrize(("rule", "said"), [("ARC-1825", _WRAP), ("ARC-1720", _BACK), ("ARC-1908", _INDEX)])
def test_pmlogcheck_may_complain_of_the_rule_that_is_broken_and_of_nothing_else(rule: str, said: str) -> None:
    assert complaint_clause(truth(rule), said) == rule
    assert complaint_clause(truth(), said) == ""
    assert complaint_clause(truth("ARC-1723"), said) == ""
    assert complaint_clause(truth(rule), f"{said}\na.meta: something else") == ""


def test_two_broken_rules_may_both_be_complained_of() -> None:
    assert complaint_clause(truth("ARC-1825", "ARC-1720"), f"{_WRAP}\n{_BACK}") == "ARC-1825, ARC-1720"


@pytest.mark.parametrize(
    ("rule", "code"),
    [("ARC-1311", -12404), ("ARC-1312", -12405), ("ARC-1313", -12406), ("ARC-1314", -12407)],
)
def test_descriptors_that_change_are_refused_by_their_code(rule: str, code: int) -> None:  # ARC-307
    assert refusal(truth(rule)) == code
    assert refusal(truth("ARC-1314", rule)) == code


def test_a_sound_archive_is_opened() -> None:
    assert refusal(truth("ARC-1825")) is None


def _record(time: int, mark: bool = False) -> Record:
    return Record(time, () if mark else (ValueSet("1.2.3", 0, ()),))


def test_every_record_of_a_sound_archive_is_seen() -> None:
    records = (_record(1, mark=True), _record(2), _record(1), _record(3))
    assert visible(truth(records=records)) == (list(records), [])


def test_a_mark_in_front_of_the_index_is_not_seen() -> None:  # ARC-459
    records = (_record(1, mark=True), _record(2), _record(3, mark=True))
    seen, lost = visible(truth("ARC-1921", records=records))
    assert seen == list(records[1:])
    assert [(each.where, each.clause) for each in lost] == [("0 at 0.000000001", "ARC-459")]


def test_a_record_that_is_earlier_than_the_one_before_is_skipped() -> None:  # ARC-500
    records = (_record(1), _record(3), _record(2), _record(3), _record(4))
    seen, lost = visible(truth("ARC-1720", records=records))
    assert [record.time for record in seen] == [1, 3, 3, 4]
    assert [(each.where, each.clause) for each in lost] == [("2 at 0.000000002", "ARC-500")]


def test_what_is_at_the_very_end_of_the_archive_before_is_lost_in_a_set() -> None:  # INT-1005
    records = [_record(1), _record(5, mark=True), _record(4), _record(6)]
    seen, lost = visible(Truth({"violates": []}, records=records, archives=2))
    assert [record.time for record in seen] == [1, 5, 6]
    assert [(each.where, each.clause) for each in lost] == [("2 at 0.000000004", "INT-1005")]


def test_the_oldest_version_loses_instance_labels_that_did_not_change() -> None:  # ARC-403
    def labels(time: int, *values: bytes) -> Labels:
        sets = (LabelSet(i, b"{}", (Label(b"a", value, 32),)) for i, value in enumerate(values))
        return Labels(time, "instances", 5, tuple(sets))

    kept = without_equal_labels([labels(1, b"1", b"2"), labels(2, b"1", b"3"), labels(3, b"1", b"3")])
    assert [(each.time, [one.instance for one in each.sets]) for each in kept] == [(1, [0, 1]), (2, [1]), (3, [0])]


def test_each_version_has_its_quirks() -> None:
    assert Quirks.of("6.0.3") == Quirks(extra_units=False, zstd=False, drops_equal_labels=True, deltas_in_sets=False)
    assert Quirks.of("6.3.8") == Quirks(extra_units=False, zstd=True)
    assert Quirks.of("7.2.2") == Quirks()
