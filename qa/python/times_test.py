# SPDX-License-Identifier: Apache-2.0
"""Times keep their nanoseconds, and what a damaged archive has in their place."""

import datetime

import pytest

from pmproof import Time


@pytest.mark.parametrize(
    ("text", "seconds", "nanoseconds"),
    [
        ("1700000000.250000001", 1_700_000_000, 250_000_001),
        ("0.000000000", 0, 0),
        ("-0.250000000", -1, 750_000_000),
        ("-2.000000000", -2, 0),
        ("-2.999999999", -3, 1),
        ("9223372036854775807.999999999", 2**63 - 1, 999_999_999),
        ("12.+2000000000", 12, 2_000_000_000),
        ("-12.+1000000000", -12, 1_000_000_000),
        ("12.-5", 12, -5),
    ],
)
def test_a_time_is_the_text_that_it_came_from(text: str, seconds: int, nanoseconds: int) -> None:
    time = Time.parse(text)
    assert time == (seconds, nanoseconds)
    assert str(time) == text
    assert time.ns == seconds * 10**9 + nanoseconds


@pytest.mark.parametrize("text", ["", "1", "1.5", "x.000000000", "1.0000000000", "1.00000000٣", " 1.000000000", "1.000000000\n", "--1.000000000"])
def test_anything_else_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        Time.parse(text)


def test_a_datetime_has_microseconds() -> None:
    time = Time.parse("-0.000000001")
    assert time.datetime() == datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=datetime.timezone.utc)
    assert Time.of(time.datetime()) == Time(-1, 999_999_000)
    east = datetime.timezone(datetime.timedelta(hours=5))
    assert Time.of(datetime.datetime(1970, 1, 1, 5, 0, 1, tzinfo=east)) == Time(1, 0)


def test_a_datetime_without_a_zone_is_no_time() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        Time.of(datetime.datetime(2026, 1, 1))


def test_times_are_in_order() -> None:
    assert Time(-1, 999_999_999) < Time(0, 0) < Time(0, 1) < Time(1, 0)
