# SPDX-License-Identifier: Apache-2.0
"""What pmdumplog prints is understood, and whatever it would print otherwise is seen."""

from pathlib import Path

import pytest

from qa.beside_pcp.generate import dumplog
from qa.beside_pcp.generate.compare_dump import compare
from qa.beside_pcp.generate.dumplog import DumpError, parse
from qa.beside_pcp.generate.entries import float_bits
from qa.beside_pcp.generate.expectations import Quirks
from qa.beside_pcp.generate.printed import clock_text, units_text, value_text
from qa.beside_pcp.generate.testing import load, write_example

_FIRST = "Tue Nov 14 22:13:20.500000000 2023 (0.000000000) 1700000000"
_SECOND = "Tue Nov 14 22:13:21.500000000 2023 (1.000000000) 1700000001"

# Of the worked example in version 3 (ARC-681).
OUTPUT = f"""\
Log Label (Log Format Version 3)
Performance metrics from host h
    commencing Tue Nov 14 22:13:20.500000000 2023 1700000000
    ending     Tue Nov 14 22:13:21.501000000 2023 1700000001
Archive timezone: UTC
Archive zoneinfo: :UTC
PID for pmlogger: 1234

Descriptions for Metrics in the Log ...
PMID: 29.0.1 (m.one)
    Data Type: 32-bit unsigned int  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: instant  Units: none
PMID: 29.0.2 (m.str)
    Data Type: string  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: discrete  Units: none
PMID: 29.0.3 (m.in or n.in)
    Data Type: 64-bit unsigned int  InDom: 29.1 0x7400001
    Semantics: counter  Units: Kbyte
PMID: 29.0.10 (m.x9)
    Data Type: 32-bit int  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: instant  Units: none
PMID: 29.0.11 (m.x10)
    Data Type: 32-bit int  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: instant  Units: none

Metric Labels in the Log ...
{_FIRST}
    Context labels (16 bytes): {{"hostname":"h"}}
        [0] name(2,8) : value(12,3) [context]

Instance Domains on-disk ...
{_FIRST} InDom: 29.1 2 instances
   0 or "a"
   1 or "bc"
{_SECOND} InDom: 29.1 delta 2 instances
   del 1
   add 2 or "d"

Instance Domains in the Log ...
InDom: 29.1
{_FIRST} 2 instances
   0 or "a"
   1 or "bc"
{_SECOND} 2 instances
   0 or "a"
   2 or "d"

{_FIRST} 5 metrics
    29.0.1 (m.one): value 7
    29.0.2 (m.str): value "hi"
    29.0.3 (m.in or n.in):
        inst [0 or "a"] value 5
        inst [1 or "bc"] value 1099511627776
    29.0.10 (m.x9): Not here
    29.0.11 (m.x10): No values returned!

{_SECOND} 5 metrics
    29.0.1 (m.one): value 7
    29.0.2 (m.str): value "hi"
    29.0.3 (m.in or n.in):
        inst [0 or "a"] value 5
        inst [2 or "d"] value 1099511627776
    29.0.10 (m.x9): Not here
    29.0.11 (m.x10): No values returned!

Tue Nov 14 22:13:21.501000000 2023 (1.001000000) 1700000001  <mark>
"""
ERRORS = {-12350: "Not here"}


@pytest.fixture(name="worked")
def fixture_worked(tmp_path: Path) -> Path:
    return write_example("worked", 3, tmp_path)


def test_the_worked_example_shows_no_difference(worked: Path) -> None:
    found = compare(load(worked), parse(OUTPUT.encode()), ERRORS, Quirks())
    assert found.differences == []
    assert (found.records, found.values) == (3, 8)


def _once(old: str, new: str) -> str:
    assert old in OUTPUT
    before, after = OUTPUT.split(old, 1)
    return before + new + after


CHANGED = [
    ("label", "host h", "host g"),
    ("label", "ending     Tue Nov 14 22:13:21.501000000", "ending     Tue Nov 14 22:13:21.500000000"),
    ("label", "logger: 1234", "logger: 1235"),
    ("names", "(m.in or n.in)\n    Data", "(m.in)\n    Data"),
    ("desc", "64-bit unsigned int", "64-bit int"),
    ("desc", "InDom: 29.1 0x7400001", "InDom: PM_INDOM_NULL 0xffffffff"),
    ("desc", "Semantics: counter", "Semantics: instant"),
    ("units", "Units: Kbyte", "Units: byte"),
    ("labels of Context", "value(12,3)", "value(12,2)"),
    ("labels of Context", "[context]", "[domain]"),
    ("instances", "del 1", "del 0"),
    ("instances", ' delta 2 instances\n   del 1\n   add 2 or "d"', ' 2 instances\n   0 or "a"\n   2 or "d"'),
    ("instances", f'{_SECOND} 2 instances\n   0 or "a"\n   2 or "d"', f'{_SECOND} 1 instance\n   0 or "a"'),
    ("records", "\nTue Nov 14 22:13:21.501000000 2023 (1.001000000) 1700000001  <mark>\n", ""),
    ("record", "Tue Nov 14 22:13:21.501000000 2023 (1.001", "Tue Nov 14 22:13:21.500000000 2023 (1.001"),
    ("values", "(m.one): value 7", "(m.one): value 8"),
    ("values", 'value "hi"', 'value "hi\nhi"'),
    ("values", '[1 or "bc"] value', '[1 or "b"] value'),
    ("values", '[1 or "bc"] value', "[1 or ???] value"),
    ("values", '        inst [1 or "bc"] value 1099511627776\n', ""),
    ("values", "Not here", "No values returned!"),
    ("values", "No values returned!", "value 0"),
]


@pytest.mark.parametrize(("aspect", "old", "new"), CHANGED, ids=[f"{i}-{each[0]}" for i, each in enumerate(CHANGED)])
def test_one_changed_line_is_seen_as_what_it_is(aspect: str, old: str, new: str, worked: Path) -> None:
    found = compare(load(worked), parse(_once(old, new).encode()), ERRORS, Quirks())
    assert {difference.aspect for difference in found.differences} == {aspect}


def test_a_text_may_have_quotes_brackets_and_empty_lines() -> None:  # OUT-104
    said = f'''
{_FIRST} 1 metric
    1.2.3 (m[):
        inst [4 or "a" "b"] value "x"] y

"
        inst [5 or "c"] value "

{_SECOND}  <mark>
'''
    first, second = parse(said.encode()).records
    assert [(each.name, each.text) for each in first.sets[0].values] == [(b'a" "b', b'"x"] y\n\n"'), (b"c", b'"')]
    assert second.sets == []


def test_event_records_have_their_parameters_and_missed_ones() -> None:  # OUT-423
    said = f"""
{_FIRST} 2 metrics
    1.2.3 (a.b[4 or "x"]): 2 (and 3 missed) event records
        --- event record [0] timestamp Tue Nov 14 22:13:20.000005 2023 (0.000005) flags 0x1 (point) ---
        1.2.9 (p.q): value "two
lines"
        --- event record [1] timestamp Tue Nov 14 22:13:20.000006 2023 (0.000006) flags 0x80000000 (missed) ---
        ==> 3 missed event records
    1.2.3 (a.b[5 or "y"]): No event records
    1.2.4 (c): 1 event record
        --- event record [0] timestamp 22:13:20.000000005 ---
"""
    (record,) = parse(said.encode()).records
    (first, second), (third,) = (value_set.values for value_set in record.sets)
    assert (first.instance, first.name) == (4, b"x")
    assert [(event.time, event.flags, event.missed) for event in first.events] == [
        ("22:13:20.000005", 1, None),
        ("22:13:20.000006", 0x80000000, 3),
    ]
    assert first.events[0].parameters == [("1.2.9", b'"two\nlines"')]
    assert (second.instance, second.events) == (5, [])
    assert third.events[0].time == "22:13:20.000000005"


def test_a_line_that_no_rule_is_for_is_an_error() -> None:
    with pytest.raises(DumpError, match="line 2: unknown line of the label"):
        parse(b"Log Label (Log Format Version 3)\nsomething else\n")


def test_all_of_the_options_are_asked_for() -> None:
    assert dumplog.OPTIONS[0] == "-xxx" and set(dumplog.OPTIONS[1:]) == {"-L", "-d", "-e", "-i", "-I", "-m"}


@pytest.mark.parametrize(
    ("kind", "number", "text"),
    [
        ("double", 0.1, "0.1"),
        ("double", 1 / 3, "0.3333333333333333"),
        ("float", 0.1, "0.1"),
        ("float", 1 / 3, "0.33333334"),
        ("double", float("-inf"), "-inf"),
        ("double", float("nan"), "nan"),
        ("double", -float("nan"), "-nan"),
    ],
)
def test_floats_are_printed_with_as_many_digits_as_pcp_prints(kind: str, number: float, text: str) -> None:  # MET-502
    assert value_text(kind, float_bits(kind, number)).decode() == text


def test_bytes_are_printed_as_all_that_they_could_be() -> None:  # MET-504
    assert value_text("aggregate", b"ABCDEFGH").startswith(b"5208208757389214273 ")
    assert value_text("aggregate", b"ABCDEFGH").endswith(b' "ABCDEFGH" [4142434445464748]')
    assert value_text("aggregate", b"\x01\x02") == b"[0102]"


@pytest.mark.parametrize(
    ("word", "before", "since"),
    [
        (0, "", ""),
        (0x1F025300, "Mbyte / hour", "Mbyte / hour"),
        (0x01F05600, "hour / count x 10^6", "hour / count x 10^6"),
        (0x0F003000, "/ sec", "/ sec"),
        (0x00F00100, "/ count x 10", "/ count x 10"),
        (0x00000300, "x 10^3", "count x 10^3"),
        (0x2D097000, "space-9^2 / time-7^3", "space-9^2 / time-7^3"),
        (0x0F003022, "/ sec", "power (W) / sec"),
        (0x00000009, "", "temperature (C)"),
        (0x0000000F, "", "temperature (scale-"),
        (0x000000FA, "", "/ temperature (F)"),
    ],
)
def test_units_are_printed_as_that_version_does(word: int, before: str, since: str) -> None:  # MET-211..214
    assert (units_text(word, False), units_text(word, True)) == (before, since)


def test_clock_times_are_cut() -> None:  # OUT-103
    assert clock_text(1700000000_999999999, 6) == "22:13:20.999999"
    assert clock_text(-1, 9) == "23:59:59.999999999"
