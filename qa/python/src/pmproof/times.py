# SPDX-License-Identifier: Apache-2.0
"""Times of archives, which have nanoseconds."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

_TEXT = re.compile(r"(-?)([0-9]+)\.([+-]?)([0-9]+)")
_NANOSECONDS = 1_000_000_000
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Time(NamedTuple):
    """Seconds since 1970-01-01 UTC, and nanoseconds that count up from there, also before 1970.

    Of a damaged archive the two are as they are stored: nanoseconds below 0, or 1,000,000,000 of them and more.
    """

    seconds: int
    nanoseconds: int

    @classmethod
    def parse(cls, text: str) -> Time:
        """Returns the time that the program prints as "1700000000.250000000".

        Raises ValueError for anything else.
        """
        found = _TEXT.fullmatch(text)
        if not found or not text.isascii():
            raise ValueError(f"{text!r} is no time")
        minus, seconds, sign, fraction = found.groups()
        if sign:  # as stored
            return cls(int(minus + seconds), int(sign + fraction))
        if len(fraction) != 9:
            raise ValueError(f"{text!r} is no time: it has no nanoseconds")
        return cls(*divmod(int(minus + seconds + fraction), _NANOSECONDS))

    @classmethod
    def of(cls, when: datetime.datetime) -> Time:
        """Returns the time of a datetime, which has a time zone.

        Raises ValueError for one that has none.
        """
        if when.utcoffset() is None:
            raise ValueError(f"{when!r} has no time zone")
        since = when - _EPOCH
        return cls(since.days * 86400 + since.seconds, since.microseconds * 1000)

    @property
    def ns(self) -> int:
        """Nanoseconds since 1970: what numpy and pandas count."""
        return self.seconds * _NANOSECONDS + self.nanoseconds

    def datetime(self) -> datetime.datetime:
        """Returns it in UTC. A datetime has microseconds: what is below is cut off.

        Raises OverflowError outside of the years 1 to 9999.
        """
        return _EPOCH + datetime.timedelta(microseconds=self.ns // 1000)

    def __str__(self) -> str:
        if not 0 <= self.nanoseconds < _NANOSECONDS:
            return f"{self.seconds}.{self.nanoseconds:+}"
        sign, (seconds, fraction) = "-" if self.ns < 0 else "", divmod(abs(self.ns), _NANOSECONDS)
        return f"{sign}{seconds}.{fraction:09}"
