# SPDX-License-Identifier: Apache-2.0
"""Deviations of the ledger that no emulation stands for, as far as a request and its answers show them."""

import json
from typing import Any

from qa.adapters.testee import Outcome
from qa.suite.explore.scene import Ask

Json = dict[str, Any]

DISORDER = "INT-309"  # among the clauses of a request about records whose time goes back
_E2BIG = -7


def deviation(version: str, ask: Ask, expected: Outcome, actual: Outcome) -> str | None:
    """What the ledger calls the difference between the right answer and that of a version of PCP; None: nothing."""
    if ask.operation == "archive.labels" and expected.kind == actual.kind == "result":
        return _nested_array(expected.body, actual.body) or _equal_sets(version, expected.body, actual.body)
    if ask.operation == "replay.raw" and DISORDER in ask.clauses and expected.kind == actual.kind == "result":
        return DISORDER  # what PCP answers depends on where it searched from
    return None


def _nested_array(expected: Json, actual: Json) -> str | None:
    """MET-926: merged labels of which one has an array inside an array are not what was merged, or E2BIG."""
    broken = [told for told in _label_sets(expected) if _has_nested_array(told["merged"])]
    if not broken:
        return None
    if actual.get("status") == _E2BIG:
        return "MET-926"
    return "MET-926" if _without_nested(expected, expected) == _without_nested(actual, expected) else None


def _equal_sets(version: str, expected: Json, actual: Json) -> str | None:
    """ARC-403: 6.0.3 takes sets of instances out of a record that are equal to those of the record before, and so has
    fewer instances, or those of an older record where nothing is left."""
    if version != "6.0.3" or "instances" not in expected or "instances" not in actual:
        return None
    if {**expected, "instances": []} != {**actual, "instances": []}:
        return None
    before = {told["instance"]: told for told in expected["instances"]}
    same = all(told == before.get(told["instance"], told) for told in actual["instances"])
    return "ARC-403" if same else None


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
