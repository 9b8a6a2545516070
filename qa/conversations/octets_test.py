# SPDX-License-Identifier: Apache-2.0
"""The language of octets: what fits, where it does not, and what a sender makes of it."""

import pytest

from qa.conversations.octets import BadPattern, compare, in_words, parse, size_of, written


def offset(pattern: str, digits: str, known: dict[str, bytes] | None = None) -> int | None:
    return compare(parse(pattern), bytes.fromhex(digits), known or {}).offset


@pytest.mark.parametrize(
    ("pattern", "digits", "expected"),
    [
        ("0000000c 00007fff", "0000000c 00007fff", None),
        ("0000000c 00007fff", "0000000c 00007ffe", 7),
        ("0000000c 00007fff", "0000000c 00007f", 7),
        ("0000000c", "0000000c 00", 4),
        ("", "", None),
        ("00?? ????", "00ab cdef", None),
        ("<len> 01", "00000005 01", None),
        ("<len> 01", "00000006 01", 3),
        ("<a> <a>", "00000001 00000001", None),
        ("<a> <a>", "00000001 00000002", 7),
        ("<a:2> 00 <a:2>", "beef 00 beef", None),
        ("<any:3> 01", "ffffff 01", None),
        ("01 <rest>", "01", None),
        ("01 <rest>", "01 02 03", None),
        ("{ 01 02 | 03 04 }", "03040102", None),
        ("{ 01 02 | 03 04 } 05", "0304010206", 4),
        ("{ 01 02 | 03 04 }", "03040304", 2),
        ("{ 01 02 | 01 03 }", "01030102", None),
        ("{ 01 02 | 01 03 }", "010301ff", 3),
        ("{ 01 <a:1> | 02 <b:1> } <b:1> <a:1>", "02bb01aa bbaa", None),
        ("{ 01 <a:1> | 02 <b:1> } <b:1> <a:1>", "02bb01aa aabb", 4),
    ],
)
def test_the_first_octet_that_differs(pattern: str, digits: str, expected: int | None) -> None:
    assert offset(pattern, digits) == expected


def test_what_was_captured_before_is_expected_again() -> None:
    assert offset("<a> 01", "000000ff 01", {"a": b"\0\0\0\xff"}) is None
    assert offset("<a> 01", "000000fe 01", {"a": b"\0\0\0\xff"}) == 3


def test_what_differs_captures_nothing_after_it() -> None:
    found = compare(parse("<a:1> 01 <b:1>"), bytes.fromhex("aa02bb"), {})
    assert (found.offset, found.captured) == (1, {"a": b"\xaa"})
    assert found.expected == ["??", "01", "??"]


def test_what_a_sender_makes_of_it() -> None:
    data, known = written(parse("<len> <slot:1> { 01 | 02 } ?? <slot:1> <rest>"), {"slot": b"\x07"})
    assert (in_words(data.hex()), known) == ("00000009 07010200 07", {"slot": b"\x07"})
    assert written(parse("<new:2> <new:2>"), {})[1] == {"new": b"\0\0"}
    assert compare(parse("<len> <slot:1> { 01 | 02 } ?? <slot:1> <rest>"), data, {}).fits


def test_identifiers_of_the_agents_domain() -> None:  # PDU-030, PDU-031
    assert written(parse("<pmid:0.1> <indom:0> <domain> <pmid:4095.1023>", 253), {})[0].hex() == "3f4000013f400000000000fd3f7fffff"


def test_how_long_it_is() -> None:
    assert size_of(parse("<len> <a:3> ?? { 01 | 02 03 } <any:5>")) == 16
    assert size_of(parse("01 <rest>")) is None


@pytest.mark.parametrize(
    "text",
    [
        "0", "0g", "ABCD", "?", "<>", "<A>", "<a:0>", "<a:99999999>", "<any>", "<len:2>", "<rest> 00", "{ 01", "01 }", "{ }", "{ 01 | }",
        "{ { 01 } }", "{ <rest> }", "|", "<pmid:1>", "<pmid:4096.0>", "<pmid:0.1024>", "<indom:4194304>", "<domain:1>", "<a", "<a:1.5>",
    ],
)  # fmt: skip
def test_what_is_not_of_the_language_is_refused(text: str) -> None:
    with pytest.raises(BadPattern):
        parse(text)
