# SPDX-License-Identifier: Apache-2.0
"""What `suite explore` knows by itself: deviations of the ledger that no emulation stands for, and what is not asked."""

import base64
from typing import Any

import pytest

from qa.adapters.testee import Outcome
from qa.suite.explore import known, undefined
from qa.suite.explore.scene import Ask


def _labels(merged: str | None, of_instance: str = "", status: int = 0) -> Outcome:
    return Outcome("result", {"status": status, "merged": merged, "instances": [{"instance": 0, "merged": of_instance}]})


@pytest.mark.parametrize(
    ("expected", "actual", "named"),
    [
        (_labels('{"a":[[1]],"b":1}'), _labels('{"a":,"b":1}'), "MET-926"),
        (_labels('{"a":[1,[2],3]}', '{"a":[1,[2],3]}'), _labels('{"a":\x02}', '{"a":[[}'), "MET-926"),
        (_labels("", '{"a":[1,[2]]}'), _labels("", '{"a":}'), "MET-926"),
        (_labels('{"a":[[1]]}'), Outcome("result", {"status": -7, "error": "E2BIG"}), "MET-926"),
        (_labels('{"a":[[1]]}', '{"a":1}'), _labels('{"a":}', '{"a":2}'), None),  # the instance is wrong as well
        (_labels('{"a":[1,2]}'), _labels('{"a":}'), None),
        (_labels(None), _labels("{}"), None),  # what is expected is not told either
        (_labels('{"a":[{"b":[1]}]}'), _labels('{"a":}'), None),
        (_labels('{"a":"[[1]]"}'), _labels('{"a":}'), None),
        (_labels('{"a":[[1]]}'), Outcome("result", {"status": -12, "error": "ENOMEM"}), None),
        (_labels('{"a":[[1]]}'), Outcome("crash", {}, "signal 11"), None),
        (_labels('{"a.b":[[1]],"a.b":"x"}'), _labels('{"(null)":,"a.b":"x"}'), "MET-926"),  # MET-923
    ],
)
def test_merged_labels_with_an_array_in_an_array_are_a_declared_deviation(
    expected: Outcome, actual: Outcome, named: str | None
) -> None:  # MET-926
    ask = Ask("archive.labels", {"path": "a"}, {}, ())
    assert known.deviation("7.2.2", ask, expected, actual) == named


@pytest.mark.parametrize(("sets", "named"), [(['{"a":[1,[2]]}', '{"a":1}'], "MET-926"), (['{"a":[1,2]}', '{"a":1}'], None)])
def test_an_array_in_an_array_may_be_replaced_and_there_is_no_merge_yet(sets: list[str], named: str | None) -> None:  # MET-926
    ask = Ask("archive.labels", {"path": "a"}, {}, ())
    assert known.deviation("7.2.2", ask, _merge(sets, '{"a":1}', '{"a":1}'), _merge(sets, None)) == named


def _of_instances(sets: dict[int, str], merged: str = "") -> Outcome:
    told = [{"instance": one, "labels": labels, "merged": labels} for one, labels in sets.items()]
    return Outcome("result", {"status": 0, "merged": merged, "instances": told})


@pytest.mark.parametrize(
    ("version", "actual", "named"),
    [
        ("6.0.3", _of_instances({1: "b"}), "ARC-403"),
        ("6.0.3", _of_instances({0: "a", 1: "b", 2: "older"}), "ARC-403"),
        ("6.0.3", _of_instances({1: "c"}), None),
        ("6.0.3", _of_instances({1: "b"}, "m"), None),
        ("6.3.8", _of_instances({1: "b"}), None),
    ],
)
def test_instances_whose_labels_did_not_change_are_a_declared_deviation_of_an_old_version(
    version: str, actual: Outcome, named: str | None
) -> None:  # ARC-403
    ask = Ask("archive.labels", {"path": "a"}, {}, ())
    assert known.deviation(version, ask, _of_instances({0: "a", 1: "b"}), actual) == named


@pytest.mark.parametrize(("clauses", "named"), [(("INT-309",), "INT-309"), (("INT-1001",), None)])
def test_records_whose_time_goes_back_are_a_declared_deviation(clauses: tuple[str, ...], named: str | None) -> None:  # INT-309
    ask = Ask("replay.raw", {"path": "a"}, {}, clauses)
    assert known.deviation("7.2.2", ask, Outcome("result", {"fetches": [1]}), Outcome("result", {"fetches": []})) == named
    assert known.deviation("7.2.2", ask, Outcome("result", {"fetches": [1]}), Outcome("crash", {}, "signal 11")) is None


def _result_pdu(kind: str, fraction: str, number: int, source: int = 0) -> Outcome:
    told = {"pdu": kind, "from": source, "seconds": 9, fraction: number, "sets": []}
    return Outcome("result", {"pdus": [told], "not_shown": [{"at": ["/pdus/0/from"], "because": "it is the number of the client"}]})


@pytest.mark.parametrize(
    ("kind", "fraction", "right", "told", "named"),
    [
        ("HIGHRES_RESULT", "nanoseconds", (1 << 32) + 5, 5, "PDU-039"),
        ("HIGHRES_RESULT", "nanoseconds", 1 << 31, -(1 << 31), "PDU-039"),
        ("HIGHRES_RESULT", "nanoseconds", (1 << 32) + 5, 6, None),
        ("HIGHRES_RESULT", "nanoseconds", 7, 5, None),
        ("RESULT", "microseconds", 2147484, -2147483, "PDU-039"),
        ("RESULT", "microseconds", 2147483, -2147483, None),
    ],
)
def test_a_fraction_of_a_second_that_wraps_is_a_declared_deviation(kind: str, fraction: str, right: int, told: int, named: str | None) -> None:  # PDU-039
    ask = Ask("pdu.decode", {}, {}, ())
    expected = Outcome("result", {"pdus": _result_pdu(kind, fraction, right, 5).body["pdus"]})
    assert known.deviation("7.2.2", ask, expected, _result_pdu(kind, fraction, told)) == named


EVENTS = "00000030 00007001 00000000 00000000 00000000 00000001 3f400402 00000001 00000001 ffffffff 0000000b 09000008"


@pytest.mark.parametrize(
    ("version", "message", "named"),
    [
        ("6.0.3", "offset 20: nprof: entries do not fit [PDU-054]", "PDU-054"),
        ("7.2.2", "offset 20: nprof: entries do not fit [PDU-054]", None),
        ("6.0.3", "offset 36: ninst: instances do not fit [PDU-054]", None),
        ("6.3.8", "offset 76: records: leave the value block [PDU-174]", "PDU-174"),
        ("7.2.2", "offset 144: value: blocks are more than there are bytes [PDU-106]", "PDU-106"),
        ("7.2.2", "offset 36: json: is not inside the PDU [PDU-074]", "PDU-074"),
        ("7.2.2", "offset 44: name length: is above 254 [PDU-074]", "PDU-074"),
        ("6.0.3", "offset 44: label: is not inside its JSON text [PDU-074]", "PDU-074"),
        ("7.2.2", "offset 44: label: is not inside its JSON text [PDU-074]", None),
        ("7.2.2", "offset 0: len: is below 12 [PDU-003]", None),
        ("7.2.2", "", None),
    ],
)
def test_what_a_version_takes_is_a_declared_deviation(version: str, message: str, named: str | None) -> None:
    ask = Ask("pdu.decode", {}, {"bytes": ""}, ())
    assert known.deviation(version, ask, Outcome("reject", {"class": "pdu.body"}, message), Outcome("result", {"pdus": []})) == named


_EVENT = "00000064 00000000 00000001 00000002 0740000a 08000009 3132333435000000 0740000b 00000008 00000007"
_MISSED = "00000064 00000000 80000000 00000009"
_HIGHRES = "0000000000000064 0000000000000000 00000001 00000000"


@pytest.mark.parametrize(
    ("style", "kind", "octets", "clause"),
    [
        ("print", "event", f"00000001 {_EVENT}", ""),
        ("print", "event", f"00000002 {_EVENT} {_MISSED}", ""),
        ("print", "event", f"00000002 {_EVENT}", "MET-505"),
        ("print", "event", f"00000001 {_EVENT}"[:-2], "MET-505"),
        ("print", "event", f"00000002 {_MISSED} {_EVENT}"[:-2], "MET-505"),
        ("print", "event", "00000000", ""),
        ("print", "event", "ffffffff", ""),
        ("print", "event", "0000", "MET-505"),
        ("print", "event", "", "MET-505"),
        ("atom", "event", "00000005", ""),
        ("atom", "event", "0000", "MET-505"),
        ("print", "highres_event", f"00000001 {_HIGHRES}", ""),
        ("print", "highres_event", f"00000001 {_HIGHRES}"[:-2], "MET-505"),
        ("print", "aggregate", "00000002", ""),
    ],
)
def test_events_that_leave_their_block_are_not_asked_for(style: str, kind: str, octets: str, clause: str) -> None:  # MET-505
    value = "base64:" + base64.b64encode(bytes.fromhex(octets)).decode()
    assert undefined.clause_of("value.format", {"style": style, "type": kind, "value": value}) == clause


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("my.b=my.b\n", "DER-213"),
        ("my.a = 1\nmy.b = my.a\nmy.a = my.b\n", "DER-213"),
        ("my.b=\\\nmy.b\n", "DER-213"),
        ("x=1\\\nmy.b = my.b\n", "DER-213"),  # before 6.2.2 that is two lines
        ("my.a = 1\nmy.b = my.a\nx = my.b\nx = my.a\n", ""),
        ("amy.a = my.a\n", ""),
        ("#control debug_eval=1\n", "DER-407"),
        ("#Control c=3,D=+4294967297\n", "DER-407"),
        ("#con\\\ntrol d=01\n", "DER-407"),
        ("#control debug_eval=0,option_novalue=1\n", ""),
        ("# control debug_eval=1\n", ""),
        ("helptext)'\n#Control\n", "DER-408"),
        ("x = 12345678\n\n#control\na = 1\n", "DER-408"),
        ("a = 1\\\n+ 1 + 1\n#control\n", "DER-408"),
        ("helptext)\n#Control\n", ""),
        ("#control\nhelptext)'\n", ""),
        ("helptext)'\n#control \n", ""),
    ],
)
def test_configurations_that_leave_the_answer_open_are_not_asked_for(text: str, clause: str) -> None:
    assert undefined.clause_of("derive.parse", {"config": text}) == clause


@pytest.mark.parametrize(
    ("version", "octets", "named"),
    [("6.0.3", EVENTS, "PDU-174"), ("7.2.2", EVENTS, None), ("6.0.3", EVENTS.replace(" 09", " 07"), None), ("6.0.3", "00", None)],
)
def test_a_crash_of_events_is_declared_of_an_old_version(version: str, octets: str, named: str | None) -> None:  # PDU-174
    ask = Ask("pdu.decode", {}, {"bytes": octets}, ())
    assert known.deviation(version, ask, Outcome("reject", {"class": "pdu.body"}), Outcome("crash", {}, "SIGSEGV")) == named


@pytest.mark.parametrize(("names", "named"), [(["a", "a", ""], "PDU-069"), (["a", "a", "a"], None)])
def test_empty_names_that_are_sent_are_a_declared_deviation(names: list[str], named: str | None) -> None:  # PDU-069
    pdus = [{"pdu": "PMNS_NAMES", "from": 0, "names": [{"name": one, "status": None} for one in names]}]
    refused = Outcome("reject", {"class": "pdu.body"})
    assert known.deviation("7.2.2", Ask("pdu.encode", {}, {"pdus": pdus}, ()), refused, Outcome("result", {"bytes": "00"})) == named
    assert known.deviation("7.2.2", Ask("pdu.encode", {}, {"typed_result": {}}, ()), refused, Outcome("result", {"bytes": "00"})) is None


def _merge(sets: list[str], merged: str | None, of_instance: str | None = None) -> Outcome:
    told = [{"class": "context", "labels": text} for text in sets]
    instances = [{"instance": 0, "labels": '{"z":1}', "merged": of_instance}]
    return Outcome("result", {"status": 0, "sets": told, "merged": merged, "instances": instances})


@pytest.mark.parametrize(
    ("sets", "merged", "of_instance", "named"),
    [
        (['{"a":12}', '{"a":1}', '{"b":1}'], None, None, "MET-922"),
        (['{"a":12}', '{"a":1}'], "right", None, "MET-922"),
        (['{"a":12}', '{"a":1}'], None, None, None),  # those two are merged
        (['{"a":1}', '{"a":12}', '{"b":1}'], None, "right", None),
        (['{"a":12}', '{"a":1}', '{"b":1}'], "wrong", None, None),
    ],
)
def test_a_third_set_after_a_merge_that_became_shorter_is_a_declared_deviation(
    sets: list[str], merged: str | None, of_instance: str | None, named: str | None
) -> None:  # MET-922
    ask = Ask("archive.labels", {"path": "a"}, {}, ())
    assert known.deviation("7.2.2", ask, _merge(sets, "right", "right"), _merge(sets, merged, of_instance)) == named


def _raw(*times: str) -> Outcome:
    return Outcome("result", {"fetches": [{"time": time, "status": 0 if time != "end" else -12370} for time in times]})


@pytest.mark.parametrize(
    ("actual", "named"),
    [
        (_raw("1.000000000", "3.000000000", "end"), "DEV-16"),
        (_raw("1.000000000", "3.000000000", "4.000000000"), "DEV-16"),  # asked for three times
        (_raw("1.000000000", "end", "end"), None),
        (_raw("1.000000000", "1.000000000", "3.000000000", "end"), None),
        (_raw("3.000000000", "end"), None),
    ],
)
def test_a_record_at_the_border_of_two_archives_that_is_lost_is_a_declared_deviation(actual: Outcome, named: str | None) -> None:  # INT-1005
    expected = _raw("1.000000000", "1.000999999", "3.000000000")
    ask = Ask("replay.raw", {"paths": ["a", "b"]}, {}, ())
    assert known.deviation("6.0.3", ask, expected, actual) == named
    assert known.deviation("6.0.3", Ask("replay.raw", {"path": "a"}, {}, ()), expected, actual) is None


def test_another_end_after_a_lost_record_is_none() -> None:  # INT-1005
    expected = _raw("1.000000000", "1.000999999", "3.000000000", "end")
    told = [{"time": time, "status": status} for time, status in (("1.000000000", 0), ("3.000000000", 0), ("end", -12351))]
    ask = Ask("replay.raw", {"paths": ["a", "b"]}, {}, ())
    assert known.deviation("7.2.2", ask, expected, Outcome("result", {"fetches": told})) is None


def _fetched(status: int, *instances: int) -> Outcome:
    opaque = {"metric": "d", "status": status, "values": []}
    number = {"metric": "n", "status": 0, "values": [{"instance": one, "value": "1"} for one in instances]}
    return Outcome("result", {"fetches": [{"time": "1.0", "status": 0, "metrics": [opaque, number]}]})


@pytest.mark.parametrize(
    ("actual", "named"),
    [(_fetched(-12399, 10, 2), "DEV-18"), (_fetched(-12396, 2, 10), None), (_fetched(0, 2, 10), None), (_fetched(-12398, 2), None)],
)
def test_an_error_that_is_counted_on_is_a_declared_deviation(actual: Outcome, named: str | None) -> None:  # INT-DEV-18
    ask = Ask("derive.eval", {"path": "a"}, {}, ())
    assert known.deviation("7.2.2", ask, _fetched(-12397, 2, 10), actual) == named


@pytest.mark.parametrize(
    ("before", "after", "clause"),
    [
        ("10000000", "10060000", ""),  # byte, Ebyte: 2^60
        ("1f001d00", "1f060100", "MET-244"),  # byte / usec, Ebyte / nsec: 2^60 times 1000
        ("10101813", "10165313", "MET-244"),
        ("f1060000", "f1000000", "MET-244"),  # nsec / Ebyte, nsec / byte: 2^60 times 10^9
        ("f1063000", "f1003000", ""),  # sec / Ebyte, sec / byte
        ("20000000", "20030000", "MET-244"),
        ("00100800", "00100700", ""),
    ],
)
def test_conversions_whose_factors_wrap_are_not_asked_for(before: str, after: str, clause: str) -> None:  # MET-244
    args = {"type": "32", "value": "1", "from": {"word": before}, "to": {"word": after}}
    assert undefined.clause_of("units.convert", args) == clause


@pytest.mark.parametrize("args", [{}, {"type": "event"}, {"value": "base64:AAAA"}, {"type": "event", "value": "base64:A"}, {"type": "event", "value": "AAAA"}])
def test_a_value_that_shrinking_left_incomplete_may_be_asked_for(args: dict[str, Any]) -> None:
    assert undefined.clause_of("value.format", args) == ""
    assert undefined.clause_of("derive.parse", args) == ""


@pytest.mark.parametrize("args", [{}, {"from": {}, "to": {"word": "10000000"}}, {"from": {"word": "1"}, "to": {"word": "10000000"}}])
def test_a_conversion_that_shrinking_left_incomplete_is_not_asked_for(args: dict[str, Any]) -> None:
    assert undefined.clause_of("units.convert", args)
