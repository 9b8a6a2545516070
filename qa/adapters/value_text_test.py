# SPDX-License-Identifier: Apache-2.0
"""Values are written as docs/formats.md says: integers in decimal, floats with the fewest digits that give their bits."""

import base64
import struct
import sys

import pytest

from qa.adapters.value_text import event_raw, json_text, raw_of, render_of

NUMBER = {"32": 0, "u32": 1, "64": 2, "u64": 3, "float": 4, "double": 5, "string": 6, "aggregate": 7}


@pytest.mark.parametrize(
    ("kind", "form", "value", "text"),
    [
        ("32", "=i", -(2**31), "-2147483648"),
        ("u32", "=I", 2**32 - 1, "4294967295"),
        ("64", "=q", -1, "-1"),
        ("u64", "=Q", 2**64 - 1, "18446744073709551615"),
        ("double", "=d", 0.1, "0.1"),
        ("double", "=d", 100.0, "100"),
        ("double", "=d", -0.0, "-0"),
        ("double", "=d", 1e300, "1e+300"),
        ("double", "=d", 1.5e-7, "1.5e-07"),
        ("double", "=d", 1e5, "1e+05"),
        ("double", "=d", 123456.0, "123456"),
        ("double", "=d", 123456789012345680000.0, "123456789012345683968"),
        ("double", "=d", 0.001, "0.001"),
        ("double", "=d", 0.0001, "1e-04"),
        ("double", "=d", 0.00001, "1e-05"),
        ("double", "=d", 5e-324, "5e-324"),
        ("double", "=d", float("inf"), "inf"),
        ("double", "=d", float("-inf"), "-inf"),
        ("double", "=d", float("nan"), "nan"),
        ("float", "=f", 0.1, "0.1"),
        ("float", "=f", 16777216.0, "16777216"),
        ("float", "=f", 3.4028234663852886e38, "3.4028235e+38"),
        ("float", "=f", 1e-45, "1e-45"),
        ("float", "=f", float("inf"), "inf"),
    ],
)
def test_a_number(kind: str, form: str, value: float, text: str) -> None:
    raw = struct.pack(form, value)
    assert render_of(NUMBER[kind])(raw) == text
    assert raw_of(NUMBER[kind], text) == raw


@pytest.mark.parametrize("bits", [*range(0, 2**32, 0x1234567), 0x7F7FFFFF, 1, 0x80000001, 0x00800000])
def test_the_text_of_a_float_gives_its_bits_back(bits: int) -> None:
    raw = struct.pack("=I", bits)
    text = render_of(NUMBER["float"])(raw)
    assert text == "nan" or struct.pack("=f", float(text)) == raw


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"up\0", "up"),
        (b"", ""),
        (b'a "b" \\ \n\0', 'a \\"b\\" \\\\ \\n'),
        ("\u00e4\u20ac\0".encode(), "\u00e4\u20ac"),
        (b"\xff\0", "base64:/w=="),
        (b"base64:x\0", "base64:YmFzZTY0Ong="),
    ],
)
def test_a_string_stands_between_the_quotes_of_json(raw: bytes, text: str) -> None:
    assert render_of(NUMBER["string"])(raw) == text


def test_other_bytes() -> None:
    assert render_of(NUMBER["aggregate"])(b"\0\1") == "base64:AAE="


class TestEventsAreAsArchivesStoreThem:
    """libpcp has turned their numbers into those of this machine."""

    def check(self, kind: int, here: list[tuple[str, float | bytes]]) -> None:
        def packed(order: str) -> bytes:
            return b"".join(struct.pack(order + form, value) for form, value in here)

        local = "<" if sys.byteorder == "little" else ">"
        assert render_of(kind)(packed(local)) == "base64:" + base64.b64encode(packed(">")).decode()
        assert event_raw(packed(">"), highres=kind == 10) == packed(local)

    def test_without_any(self) -> None:
        self.check(9, [("I", 0)])

    def test_events_and_missed_ones(self) -> None:
        self.check(9, [("I", 2), ("i", 1700000000), ("i", 5), ("I", 1), ("I", 0),
                       ("i", 1700000001), ("i", 6), ("I", 0x80000000), ("I", 3)])

    @pytest.mark.parametrize("kind", [9, 10])
    @pytest.mark.parametrize("words", [[0xFFFFFFFF], [0xFFFFFFFF] * 9, [1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 7], [0x7FFFFFFF, 0, 0, 0, 1, 7, 1 << 24]])
    def test_numbers_of_events_and_parameters_that_lie(self, kind: int, words: list[int]) -> None:
        # What is in the octets ends it, or this would take hours; nothing is lost or told twice.
        stored = struct.pack(f">{len(words)}I", *words)
        assert len(event_raw(stored, highres=kind == 10)) == len(stored)
        assert len(base64.b64decode(render_of(kind)(stored).removeprefix("base64:"))) == len(stored)

    def test_a_number_of_parameters_below_0_is_none(self) -> None:  # PDU-174
        for kind, form in ((9, "i"), (10, "q")):
            self.check(kind, [("I", 2), (form, 1), (form, 2), ("I", 1), ("i", -3), (form, 3), (form, 4), ("I", 1), ("I", 0)])

    def test_with_nanoseconds(self) -> None:
        self.check(10, [("I", 1), ("q", 1700000000), ("q", 999999999), ("I", 2), ("I", 0)])

    def test_parameters_of_each_kind(self) -> None:
        self.check(9, [("I", 1), ("i", 1), ("i", 2), ("I", 1), ("I", 4),
                       ("I", 7), ("I", 1 << 24 | 8), ("I", 42),
                       ("I", 8), ("I", 3 << 24 | 12), ("Q", 2**40 + 1),
                       ("I", 9), ("I", 6 << 24 | 7), ("3s", b"ab\0"), ("1s", b"\0"),
                       ("I", 10), ("I", 5 << 24 | 12), ("d", 0.1)])


@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"a\\b", "a\\b"), (b"a\xff", "a\\xff"), (b"a\\xff", "a\\x5cxff"), ("é".encode() + b"\xc3", "é\\xc3")],
)
def test_bytes_that_are_not_utf8_are_told_from_text_that_looks_like_them(raw: bytes, text: str) -> None:
    assert json_text(raw) == text


def test_a_string_value_that_looks_like_such_a_byte_is_marked() -> None:
    assert render_of(NUMBER["string"])(b"a\\x1b\0") == "a\\\\x5cx1b"
