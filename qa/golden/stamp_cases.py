# SPDX-License-Identifier: Apache-2.0
"""The case metadata/stamps: times as PCP's library and tools write them (MET-1001), at the edges of days, months and years.

What is expected comes from Python's calendar, or, beyond the years that it has, from the fact that the calendar is the same
every 400 years, of 146097 days.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from qa.golden.pdu_cases import Json

ID = "metadata/stamps"
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_EPOCH = datetime(1970, 1, 1)
_CYCLE_YEARS, _CYCLE = 400, 146097 * 86400
_YEAR = 1700000000  # in 2023, a Tuesday


def seconds_of(*when: int) -> int:
    """Of a date, which may lie beyond the years that Python has."""
    cycles = (when[0] - 2000) // _CYCLE_YEARS
    return int((datetime(when[0] - cycles * _CYCLE_YEARS, *when[1:]) - _EPOCH).total_seconds()) + cycles * _CYCLE  # type: ignore[arg-type]


def clock(second: int, nanosecond: int, digits: int, east: int) -> str:
    of_day = (second + east) % 86400
    fraction = f".{nanosecond:09d}"[: digits + 1] if digits else ""
    return f"{of_day // 3600:02d}:{of_day // 60 % 60:02d}:{of_day % 60:02d}{fraction}"


def date(second: int, nanosecond: int, digits: int, east: int) -> str:
    cycles = (second + east - seconds_of(2000, 1, 1)) // _CYCLE
    there = _EPOCH + timedelta(seconds=second + east - cycles * _CYCLE)
    day, month = _DAYS[there.weekday()], _MONTHS[there.month - 1]
    return f"{day} {month} {there.day:2d} {clock(second, nanosecond, digits, east)} {there.year + cycles * _CYCLE_YEARS}"


def _value(second: int, nanosecond: int) -> str:
    if second >= 0 or nanosecond == 0:
        return f"{second}.{nanosecond:09d}"
    return f"-{-second - 1}.{10**9 - nanosecond:09d}"


def _request(title: str, second: int, nanosecond: int = 0, digits: int = 0, east: int = 0, style: str = "date") -> Json:
    args: Json = {"style": style, "value": _value(second, nanosecond), "digits": digits}
    if east:
        args["east"] = east
    text = (date if style == "date" else clock)(second, nanosecond, digits, east)
    return {"title": title, "op": "value.format", "input": {}, "args": args, "applies": {"dialects": ["6.0.3", "6.3.8", "7.2.2"]}, "expect": {"result": {"text": text}}}


def _dates() -> Iterator[Json]:
    for month in range(1, 13):
        last = seconds_of(2023, month + 1, 1) if month < 12 else seconds_of(2024, 1, 1)
        yield _request(f"the first second of month {month}", seconds_of(2023, month, 1))
        yield _request(f"the last second of month {month}", last - 1)
    for day in range(7):
        yield _request(f"the {('first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh')[day]} day of a week, at its end", seconds_of(2023, 11, 13 + day) + 86399)
    for year in (1600, 1700, 1900, 1996, 1999, 2000, 2004, 2096, 2100, 2104, 2400):
        yield _request(f"the day after 28 February {year}", seconds_of(year, 2, 28) + 86400)
        yield _request(f"the last day of {year}", seconds_of(year + 1, 1, 1) - 1)
    for second in (-2, -1, 0, 1, 59, 60, 3599, 3600, 86399, 86400, -86399, -86400, -86401, 7 * 86400 - 1, 7 * 86400, -7 * 86400, -7 * 86400 - 1, -7 * 86400 + 1):
        yield _request(f"{second} seconds after the beginning of 1970", second)
    for second in (2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**33, 2**40):
        yield _request(f"{second} seconds after the beginning of 1970", second)
    for year in (9999, 10000, 1000, 999, 100, 10, 1, 0, -1, -4, -100, -400, 99999):
        yield _request(f"the first of March {year}, after the leap day or without one", seconds_of(year, 3, 1))
        yield _request(f"the last second of {year}", seconds_of(year + 1, 1, 1) - 1)


def _zones() -> Iterator[Json]:
    for east in (1, -1, 3600, -3600, 19800, -12600, 50400, -43200, 86399, -86399):
        for style, digits in (("date", 0), ("clock", 3)):
            yield _request(f"{abs(east)} seconds {'east' if east > 0 else 'west'} of UTC", _YEAR, 0, digits, east, style)
    yield _request("the first second of a year, of which west of UTC nobody knows", seconds_of(2024, 1, 1), east=-1)
    yield _request("the last second of a year, which is over east of UTC", seconds_of(2024, 1, 1) - 1, east=1)
    yield _request("the leap day begins east of UTC", seconds_of(2024, 2, 28) + 86399, east=3600)


def _fractions() -> Iterator[Json]:
    for nanosecond in (0, 1, 999, 1000, 999_999, 1_000_000, 1_999_999, 500_000_000, 999_000_000, 999_499_999, 999_999_499, 999_999_500, 999_999_999):
        for digits in (3, 6, 9):
            for style in ("clock", "date"):
                yield _request(f"{nanosecond} nanoseconds, with {digits} digits", _YEAR, nanosecond, digits, 0, style)
    for second, nanosecond in ((-1, 500_000_000), (-1, 1), (-1, 999_999_999), (-86401, 250_000_000)):
        for digits in (3, 9):
            yield _request("a fraction before 1970", second, nanosecond, digits, 0, "clock")
    for second in (0, 59, 60, 3599, 3600, 43199, 43200, 86399):
        yield _request(f"{second} seconds after midnight", seconds_of(2023, 11, 14) + second, 0, 3, 0, "clock")
        yield _request(f"{second} seconds after midnight, without a fraction", seconds_of(2023, 11, 14) + second, 999_999_999, 0, 0, "clock")


def case() -> Json:
    return {
        "schema": "pmproof-case/1",
        "id": ID,
        "title": "Times as stamps: days, months, leap years, zones, and fractions that are cut off",
        "clauses": ["MET-1001", "OUT-103", "OUT-201"],
        "level": "must",
        "why": "Who looks for a moment in what two readers print has to find the same.",
        "provenance": {
            "kind": "hand",
            "note": "Made by qa/golden/stamp_cases.py from Python's calendar; libpcp of 6.0.3, 6.3.8 and 7.2.2 prints the same (pmCtime; the clock with 3 and 9 digits), "
            "and pmdumplog -xx of all three the dates with 9 digits, in UTC and in EST+5.",
        },
        "requests": [*_dates(), *_zones(), *_fractions()],
    }
