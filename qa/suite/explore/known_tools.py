# SPDX-License-Identifier: Apache-2.0
"""Deviations of the ledger that PCP's tools have by themselves, beside those of its library."""

import datetime
import json
from collections.abc import Iterator, Sequence
from typing import Any

from qa.adapters.testee import Outcome
from qa.beside_pcp.differential.contents import time_text
from qa.golden import as_shown
from qa.suite.explore import known
from qa.suite.explore.scene import Ask

Json = dict[str, Any]
_EPOCH = datetime.date(1970, 1, 1)
_CYCLE = 146097  # days of 400 years
Set = tuple[str, str]  # the class of a set of labels, and its text


def deviation(ask: Ask, expected: Outcome, actual: Outcome) -> str | None:
    """What the ledger calls the difference between the right answer and that of tools; None: nothing."""
    if ask.operation == "archive.labels" and expected.kind == actual.kind == "result":
        shown = as_shown.with_all_filled(expected.body, actual.body)
        return "OUT-308" if _is_as_pminfo_merges(expected.body, shown) else None
    if ask.operation == "archive.describe" and expected.kind == actual.kind == "result":
        shown = as_shown.with_all_filled(expected.body, actual.body)
        return "OUT-505" if shown != expected.body and shown == _with_years_cut(expected.body) else None
    if ask.operation == "derive.parse" and actual.kind == "crash":
        return "DER-1202" if _has_leaf_with_children(str(ask.args.get("config", ""))) else None
    return None


def _has_leaf_with_children(config: str) -> bool:
    """DER-1202: of such names an assertion fails when the tool lists them."""
    names = {line.partition("=")[0].strip() for line in config.split("\n") if "=" in line}
    return any(other.startswith(f"{name}.") for name in names for other in names)


def _with_years_cut(expected: Json) -> Json:
    """OUT-505: of years beyond 9999 the first four digits."""
    labels = [label | {"start": _cut(label["start"])} for label in expected["labels"]]
    return expected | {"start": _cut(expected["start"]), "end": _cut(expected["end"]), "labels": labels}


def _cut(time: str) -> str:
    """Of the year 33172 it becomes 3317. A time from then on is above 0, and has nine digits of a second."""
    seconds, _, fraction = time.partition(".")
    days, second = divmod(int(seconds), 86400)
    cycles, day = divmod(days, _CYCLE)
    of_cycle = _EPOCH + datetime.timedelta(days=day)
    year = of_cycle.year + 400 * cycles
    if year <= 9999:
        return time
    try:
        cut = of_cycle.replace(year=int(str(year)[:4]))
    except ValueError:  # a February 29
        return time
    return time_text(((cut - _EPOCH).days * 86400 + second) * 10**9 + int(fraction))


def _is_as_pminfo_merges(expected: Json, shown: Json) -> bool:
    """OUT-308: nested labels under their innermost names, with or without those of the cluster."""
    if known.without_merged(expected) != known.without_merged(shown):
        return False
    common = [(told["class"], told["labels"]) for told in expected.get("sets", ())]
    pairs = [(common, expected, shown)]
    pairs += [
        ([*common, ("instances", right.get("labels", ""))], right, told)
        for right, told in zip(expected.get("instances", ()), shown.get("instances", ()), strict=True)
    ]
    return all(right.get("merged") == told.get("merged") or _is_merge_of(sets, told.get("merged")) for sets, right, told in pairs)


def _is_merge_of(sets: Sequence[Set], merged: str | None) -> bool:
    if not merged:
        return False
    try:
        told = _values(merged)
        return told in (_merge(sets), _merge([one for one in sets if one[0] != "cluster"]))
    except (ValueError, RecursionError):
        return False


def _merge(sets: Sequence[Set]) -> Json:
    found: Json = {}
    for _, text in sets:
        found |= dict(_innermost(_values(text))) if text else {}
    return found


def _innermost(labels: Json) -> Iterator[tuple[str, object]]:
    for name, value in labels.items():
        if isinstance(value, dict) and value:
            yield from _innermost(value)
        else:
            yield name, value


def _values(text: str) -> Json:
    """Numbers as they are written. Raises ValueError."""
    told = json.loads(text, parse_int=_number, parse_float=_number)
    if not isinstance(told, dict):
        raise ValueError("no object")
    return told


def _number(text: str) -> tuple[str, str]:
    return "number", text
