# SPDX-License-Identifier: Apache-2.0
"""What kind of difference there is between two answers: disagreements of one kind are probably of one cause."""

from collections.abc import Callable
from typing import Any

from qa.adapters.testee import Outcome

Json = dict[str, Any]

# Words that say what happened, and are part of a kind; other texts and numbers are not.
_TELLING = ("error", "stage", "type", "semantics", "rule", "severity", "pdu", "class", "part")

# Without answer, whatever was expected.
DEAD = ("crash", "timeout", "protocol", "error")


def kind_of(expected: Outcome, actual: Outcome, same: Callable[[Any, Any], bool] = lambda one, other: bool(one == other)) -> str:
    """Of answers that differ. `same`: whether two members of a list are as good as equal."""
    if actual.kind in DEAD:
        rule = f" {actual.message[:7]}" if actual.kind == "protocol" and actual.message.startswith("TST-") else ""
        return actual.kind + rule
    if expected.kind == "reject":
        if actual.kind == "reject":
            told, right = actual.body.get("class"), expected.body.get("class")
            return f"refusal {told}, not {right}" if told != right else f"refusal {told} at another place"
        return f"an answer, not refusal {expected.body.get('class')}"
    if actual.kind == "reject":
        return f"refusal {actual.body.get('class')}, not an answer"
    return _first(expected.body, actual.body, "", same) or "something"


def _first(one: Any, other: Any, path: str, same: Callable[[Any, Any], bool]) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in one or key not in other:
                # What is said of an error is more than that something is missing.
                if key in ("error", "metrics", "values") and one.get("status") != other.get("status"):
                    continue
                return f"{path}.{key} {'missing' if key in one else 'too many'}".lstrip(".")
            if key == "status" and one[key] != other[key]:
                return f"{path}: {other.get('error', 'no error')}, not {one.get('error', 'no error')}".lstrip(".")
            if found := _first(one[key], other[key], f"{path}.{key}", same):
                numbers = key == "value" and isinstance(one.get("type"), str)
                return f"{found} (type {one['type']})" if numbers else found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if path.endswith("values"):  # the order of instances means nothing (INT-409)
            one, other = _ordered(one), _ordered(other)
        for left, right in zip(one, other, strict=False):
            if not same(left, right) and (found := _first(left, right, f"{path}[]", same)):
                return found
        if len(one) != len(other):
            return f"{path}: {'fewer' if len(other) < len(one) else 'more'} than expected".lstrip(".")
        return ""
    if one == other:
        return ""
    key = path.rpartition(".")[2]
    return f"{path} is {other}, not {one}".lstrip(".") if key in _TELLING else f"{path} differs".lstrip(".")


def place_of(expected: Outcome, actual: Outcome) -> tuple[str, str] | None:
    """Time and metric of the first fetch that differs, for looking up the reason."""
    fetches = list(zip(expected.fetches, actual.fetches, strict=False))
    for one, other in fetches:
        for metric, answered in zip(one.get("metrics", ()), other.get("metrics", ()), strict=False):
            if _by_instance(metric) != _by_instance(answered):
                return str(one["time"]), str(metric["metric"])
    return None


def _by_instance(metric: Json) -> list[Any]:
    return [metric.get("status"), _ordered(metric.get("values", []))]


def _ordered(values: list[Any]) -> list[Any]:
    """By instance, if they are values of instances."""
    if not all(isinstance(value, dict) and "instance" in value for value in values):
        return values
    return sorted(values, key=lambda value: (value["instance"] is not None, value["instance"] or 0))
