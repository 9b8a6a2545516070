# SPDX-License-Identifier: Apache-2.0
"""What answers have in common that are put together out of prints."""

import math
import struct
import sys
import time
from collections.abc import Sequence
from fractions import Fraction

from qa.adapters.tool_archive import UNKNOWN_NAME, Archives, Metric, Question
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Skip, ToolError
from qa.adapters.value_text import double_text, float_text

END: Json = {"status": -12370, "error": "PM_ERR_EOL"}

# Digits of a value's fraction that show it whole.
DIGITS = {"float": 149, "double": 1074}

START_DECIMALS = 6  # of a second

EVENTS = ("event", "highres_event")

FEWER_DIGITS = "fewer digits are printed than the value has"
ALTERED = "pmrep -o csv prints no commas, quotes and line breaks of texts (OUT-732)"
NOT_FETCHED = "tools fetch nothing that has no descriptor: what a fetch says of it is not told (DER-710)"
TWICE = "tools fetch no metric twice at a time"
BELOW_ZERO = "pmval prints ! for what is below 0 of a counter (OUT-214)"


class NotShown:
    """Parts of an answer that a print does not show: why, and where."""

    def __init__(self) -> None:
        self._at: dict[tuple[str, str], list[str]] = {}

    def add(self, because: str, *at: str, within: str = "") -> None:
        self._at.setdefault((because, within), []).extend(at)

    def to_json(self) -> list[Json]:
        return [
            {"at": at, "because": because} | ({"within": within} if within else {})
            for (because, within), at in self._at.items()
        ]

    def beside(self, result: Json) -> Json:
        return {**result, "not_shown": self.to_json()} if self._at else result


def time_text(seconds: Fraction) -> str:
    total = math.floor(seconds * 10**9)
    sign, total = ("-", -total) if total < 0 else ("", total)
    return f"{sign}{total // 10**9}.{total % 10**9:09d}"


def has_decimals(seconds: Fraction, decimals: int) -> bool:
    """Whether so many are enough."""
    return bool(seconds * 10**decimals % 1 == 0)


def start_of(args: Json) -> Fraction:
    """Raises Skip where -S would be cut."""
    start = Fraction(args["start"])
    if not has_decimals(start, START_DECIMALS):
        raise Skip(f"tools take {START_DECIMALS} decimals of a second as their start")
    return start


def clock_text(seconds: Fraction) -> str:
    """As an option that names a time takes it, in UTC."""
    whole, nanos = divmod(math.floor(seconds * 10**9), 10**9)
    try:
        when = time.gmtime(whole)
    except (OverflowError, ValueError, OSError):
        raise Skip(f"{seconds} s has no date") from None
    return f"@{time.strftime('%a %b %d %H:%M:%S', when)}.{nanos:09d} {when.tm_year}"


def value_of(printed: Json, metric: Metric, at: str, unshown: NotShown) -> Json:
    """A value as the protocol has it. `at`: where it stands in the result."""
    kind, text = metric.type, printed["value"]
    instance = None
    if not metric.is_singular:
        name = printed.get("name")
        if name not in metric.numbers and printed.get("altered"):
            raise Skip(ALTERED)
        if name not in metric.numbers:
            raise ToolError(f"it prints an instance {name!r} that pmprobe does not know")
        instance = metric.numbers[name]
        if instance is None:
            raise Skip(f"several instances are called {name!r}")
    if text is None:
        unshown.add(BELOW_ZERO, f"{at}/value")
        text = "-1"
    elif kind in DIGITS and "within" in printed and len(text.partition(".")[2]) < DIGITS[kind]:
        unshown.add(FEWER_DIGITS, f"{at}/value", within=printed["within"])
    elif printed.get("altered") and kind == "string" and set(text) & set(" _"):
        unshown.add(ALTERED, f"{at}/value")
    return {"instance": instance, "type": kind, "value": number_text(kind, text)}


def number_text(kind: str, text: str) -> str:
    """A printed number in the form of the protocol; other values as they are."""
    if kind not in DIGITS:
        return text
    number = float(text)
    if math.isinf(number) and "inf" not in text.lower():
        # The last digit of the largest DOUBLE is rounded up: a finite number is printed.
        number = math.copysign(sys.float_info.max, number)
    if kind == "double":
        return double_text(struct.pack("=d", number))
    return float_text(struct.pack("=f", number))


def entry(name: str, metric: Metric, values: list[Json], at: str, unshown: NotShown, no_status: str) -> Json:
    """What a fetch says of a metric, `values` being what was printed. `no_status`: why nothing is said of an error."""
    if metric.status["status"] != 0:
        unshown.add(NOT_FETCHED, f"{at}/status", f"{at}/error")
        return {"metric": name, **metric.status, "values": []}
    if not values:
        unshown.add(no_status, f"{at}/status", f"{at}/error")
    values = sorted(values, key=lambda value: metric.numbers.get(value.get("name", ""), None) or 0)
    told = [value_of(value, metric, f"{at}/values/{i}", unshown) for i, value in enumerate(values)]
    return {"metric": name, "status": 0, "values": told}


def known_in(archives: Archives, question: Question, names: Sequence[str]) -> dict[str, Metric]:
    """What is known of metrics, and of names of none."""
    metrics = archives.metrics(question)
    return {name: metrics.get(name) or Metric(UNKNOWN_NAME) for name in names}
