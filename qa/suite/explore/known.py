# SPDX-License-Identifier: Apache-2.0
"""Deviations of the ledger that no emulation stands for, as far as a request and its answers show them."""

import json
from typing import Any

from qa.adapters.testee import Outcome
from qa.suite.explore.scene import Ask

Json = dict[str, Any]

_E2BIG = -7


def deviation(ask: Ask, expected: Outcome, actual: Outcome) -> str | None:
    """What the ledger calls the difference between the right answer and that of a version of PCP; None: nothing."""
    if ask.operation == "archive.labels" and expected.kind == actual.kind == "result":
        return _nested_array(expected.body, actual.body)
    return None


def _nested_array(expected: Json, actual: Json) -> str | None:
    """MET-926: merged labels of which one has an array inside an array are not what was merged, or E2BIG."""
    broken = [told for told in _label_sets(expected) if _has_nested_array(told["merged"])]
    if not broken:
        return None
    if actual.get("status") == _E2BIG:
        return "MET-926"
    return "MET-926" if _without_nested(expected, expected) == _without_nested(actual, expected) else None


def _label_sets(body: Json) -> list[Json]:
    return [told for told in (body, *body.get("instances", ())) if "merged" in told]


def _without_nested(body: Json, expected: Json) -> Json:
    """The answer without the merged labels of those that are expected to have an array inside an array."""
    instances = body.get("instances", [])
    places = expected.get("instances", [])
    if len(instances) != len(places):
        return body
    return _bare(body, expected) | {"instances": [_bare(*both) for both in zip(instances, places, strict=True)]}


def _bare(told: Json, expected: Json) -> Json:
    if _has_nested_array(expected.get("merged", "")):
        return {name: value for name, value in told.items() if name != "merged"}
    return told


def _has_nested_array(text: str) -> bool:
    try:
        return _is_nested(json.loads(text)) if "[" in text else False
    except (ValueError, RecursionError):
        return False


def _is_nested(value: object, in_array: bool = False) -> bool:
    if isinstance(value, dict):
        return any(_is_nested(member) for member in value.values())
    if isinstance(value, list):
        return in_array or any(_is_nested(element, True) for element in value)
    return False
