# SPDX-License-Identifier: Apache-2.0
"""What an answer could not show (not_shown of a result): tools print less than libpcp answers.

A part without `within` has its plain reading in the answer, of which nothing is known: an answer that is right but for such
parts is neither right nor wrong. A number with `within` is known to be so near, which is enough where it is a millionth.
"""

import copy
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

Json = dict[str, Any]

KEY = "not_shown"
_FINE = Decimal("1e-6")  # of the number


def stripped(result: Json) -> Json:
    return {key: told for key, told in result.items() if key != KEY}


def reasons_of(result: Json) -> list[str]:
    """Why parts were not shown."""
    return list(dict.fromkeys(one["because"] for one in result.get(KEY, [])))


def with_near_numbers(expected: Json, actual: Json) -> Json:
    """`actual` with what is expected in place of numbers that are as near as they are shown."""
    if KEY not in actual:
        return actual
    filled, wanted = _two(expected, actual)
    for one in actual.get(KEY, []):
        if "within" in one:
            for at in one["at"]:
                _fill(filled, wanted, at, one["within"], _FINE)
    return filled


def with_all_filled(expected: Json, actual: Json) -> Json:
    """`actual` with what is expected in place of all that is not shown."""
    filled, wanted = _two(expected, with_near_numbers(expected, actual))
    for one in actual.get(KEY, []):
        for at in one["at"]:
            _fill(filled, wanted, at, one.get("within"))
    return filled


def _two(expected: Json, actual: Json) -> tuple[Json, Json]:
    """Copies, instances in one order (INT-409)."""
    two = stripped(copy.deepcopy(actual)), copy.deepcopy(expected)
    for result in two:
        for metric in _metrics(result):
            metric["values"].sort(key=lambda value: (value["instance"] is not None, value["instance"] or 0))
    return two


def _metrics(result: Json) -> Iterator[Json]:
    for fetch in result.get("fetches", []):
        for metric in fetch.get("metrics", []):
            if isinstance(metric, dict) and isinstance(metric.get("values"), list):
                yield metric


def _fill(filled: Any, wanted: Any, at: str, within: str | None, fine: Decimal | None = None) -> None:
    *folders, last = at.split("/")[1:]
    for name in folders:
        filled, wanted = _child(filled, name), _child(wanted, name)
    here, there = _child(filled, last), _child(wanted, last)
    if within is not None:
        if here is not None and there is not None and _is_near(here, there, within, fine):
            _set(filled, last, there)
    elif isinstance(filled, list):
        if here is not None and there is not None:
            _set(filled, last, there)
    elif isinstance(filled, dict) and isinstance(wanted, dict):
        if last in wanted:  # where it may be null
            filled[last] = there
        else:
            filled.pop(last, None)


def _child(node: Any, name: str) -> Any:
    if isinstance(node, dict):
        return node.get(name)
    if isinstance(node, list) and name.isdecimal() and int(name) < len(node):
        return node[int(name)]
    return None


def _set(node: Any, name: str, told: Any) -> None:
    node[int(name) if isinstance(node, list) else name] = told


def _is_near(one: Any, other: Any, within: str, fine: Decimal | None) -> bool:
    try:
        if fine is not None and Decimal(within) > fine * abs(Decimal(other)):
            return False
        return abs(Decimal(one) - Decimal(other)) <= Decimal(within)
    except (InvalidOperation, TypeError, ValueError):
        return False
