# SPDX-License-Identifier: Apache-2.0
"""Whether an answer is the expected one, and what both look like side by side."""

import itertools
import json
import operator
import struct
from collections.abc import Callable, Iterator
from typing import Any

from qa.adapters.testee import Outcome
from qa.golden import as_shown
from qa.golden.cases import Json

_COLUMN = 52
_LISTS = ("fetches", "definitions", "metrics", "findings", "pdus", "files", "stdout", "stderr", "records")
_LINES = ("stdout", "stderr")  # compared as they are
# What an answer may say beside what is expected: where operands do not go together (DER-901), identifiers of derived
# metrics (DER-209), where a rule is broken first.
_INFORMATION = ("where", "pmid", "part", "offset", "length", "count")
# Of these, what is compared only if both say it: how long the place is, and how many there are (ARC-2304).
_OPTIONAL = ("length", "count")
_PLACES = ("offset", "line")  # of refusals


def _instance(value: Json) -> tuple[bool, int]:
    return (value["instance"] is not None, value["instance"] or 0)


def _ordered(metric: Json) -> Json:
    """The order of instances means nothing (INT-409)."""
    return {**metric, "values": sorted(metric["values"], key=_instance)}


def _bits(text: str, form: str) -> int:
    """Neighbours differ by one, also across zero."""
    size = struct.calcsize(form)
    bits = int.from_bytes(struct.pack(form, float(text)), "big")
    sign = 1 << (8 * size - 1)
    return sign - bits if bits & sign else bits


def _is_near(expected: Json, actual: Json, tolerance: Json) -> bool:
    if expected == actual:
        return True
    if {**expected, "value": ""} != {**actual, "value": ""}:
        return False
    try:
        if expected["type"] in ("float", "double"):
            form = ">f" if expected["type"] == "float" else ">d"
            if "nan" in (expected["value"], actual["value"]):
                return False
            return abs(_bits(expected["value"], form) - _bits(actual["value"], form)) <= int(tolerance.get("ulp", 0))
        if expected["type"] in ("32", "u32", "64", "u64"):
            return abs(int(expected["value"]) - int(actual["value"])) <= int(tolerance.get("integer", 0))
    except (ValueError, OverflowError):
        pass  # the answer has no number there
    return False


def _metric_matches(expected: Json, actual: Json, tolerance: Json) -> bool:
    if "deviations" not in expected:  # why an emulation answers so
        actual = {key: told for key, told in actual.items() if key != "deviations"}
    if {**expected, "values": []} != {**actual, "values": []} or len(expected["values"]) != len(actual["values"]):
        return False
    pairs = zip(_ordered(expected)["values"], _ordered(actual)["values"], strict=True)
    return all(_is_near(one, other, tolerance) for one, other in pairs)


def fetch_matches(expected: Json, actual: Any, tolerance: Json) -> bool:
    if expected == actual:
        return True
    if not isinstance(actual, dict) or {**expected, "metrics": []} != {**actual, "metrics": []}:
        return False
    one, other = expected.get("metrics", []), actual.get("metrics", [])
    return len(one) == len(other) and all(_metric_matches(a, b, tolerance) for a, b in zip(one, other, strict=True))


def _class_matches(expected: str, actual: str) -> bool:
    """As far as both sides go: "set" and "set.host" agree."""
    return all(one == other for one, other in zip(expected.split("."), actual.split("."), strict=False))


def _reject_matches(expected: Json, actual: Json) -> bool:
    """By class, and by the place where both sides say it."""
    places = all(expected[key] == actual[key] for key in _PLACES if key in expected and key in actual)
    return places and _class_matches(expected["class"], str(actual.get("class", "")))


def _reject_text(reject: Json) -> str:
    """In one line: "refusal pdu.body, offset 20"."""
    return ", ".join([f"refusal {reject.get('class')}", *(f"{key} {reject[key]}" for key in _PLACES if key in reject)])


def entry_matches(expected: Json, actual: Any) -> bool:
    """An item of a list; what is information is compared if it is expected."""
    if not isinstance(actual, dict):
        return False
    expected = {key: told for key, told in expected.items() if key in actual or key not in _OPTIONAL}
    return expected == {key: told for key, told in actual.items() if key in expected or key not in _INFORMATION}


def record_matches(expected: Json, actual: Any) -> bool:
    """Of what a tool's output says. In which line is compared if both say it: records may have none."""
    if not isinstance(actual, dict) or "line" not in actual:
        expected = {key: told for key, told in expected.items() if key != "line"}
    return bool(expected == actual)


def _entry_matcher(key: str, tolerance: Json) -> Callable[[Any, Any], bool]:
    if key == "fetches":
        return lambda expected, actual: fetch_matches(expected, actual, tolerance)
    return operator.eq if key in _LINES else record_matches if key == "records" else entry_matches


def _part_matches(key: str, expected: Any, actual: Any, tolerance: Json) -> bool:
    """One part of a result."""
    if key not in _LISTS or not isinstance(expected, list):
        return bool(expected == actual)
    matches_one = _entry_matcher(key, tolerance)
    return (
        isinstance(actual, list)
        and len(expected) == len(actual)
        and all(matches_one(one, other) for one, other in zip(expected, actual, strict=True))
    )


def matches(expect: Json, outcome: Outcome, tolerance: Json) -> bool:
    if "reject" in expect:
        return outcome.kind == "reject" and _reject_matches(expect["reject"], outcome.body)
    if outcome.kind != "result":
        return False
    return _result_matches(expect["result"], as_shown.with_near_numbers(expect["result"], outcome.body), tolerance)


def _in_common(expected: Json, actual: Json) -> tuple[Json, Json]:
    """What is compared: of a run of a tool its lines, the records that they say, or both, whichever the answer has."""
    outputs = {"stdout", "stderr", "records"}
    if "stdout" not in expected or outputs.isdisjoint(actual):
        return expected, actual
    return {key: told for key, told in expected.items() if key not in outputs or key in actual}, actual


def _result_matches(expected: Json, actual: Json, tolerance: Json) -> bool:
    expected, actual = _in_common(expected, actual)
    if set(actual) != set(expected):
        return False
    return all(_part_matches(key, told, actual[key], tolerance) for key, told in expected.items())


def undecided(expect: Json, outcome: Outcome, tolerance: Json) -> list[str]:
    """Why an answer that does not match is not wrong either: what differs is what it could not show."""
    if "result" not in expect or outcome.kind != "result" or as_shown.KEY not in outcome.body:
        return []
    filled = as_shown.with_all_filled(expect["result"], outcome.body)
    return as_shown.reasons_of(outcome.body) if _result_matches(expect["result"], filled, tolerance) else []


def _value_text(value: Json) -> str:
    instance = value.get("instance")
    return f"{'' if instance is None else f'{instance}='}{value.get('value')}"


def metric_text(metric: Json) -> str:
    """What a fetch says of a metric: "0=1 3=2", "none", an error."""
    values = [_value_text(value) for value in metric.get("values", [])]
    if metric.get("status"):
        values.insert(0, str(metric.get("error", metric["status"])))
    return " ".join(values) or "none"


def fetch_text(fetch: Any) -> str:
    """One fetch in one line: "10.000000000 m.c 610 m.i 0=1 3=2"."""
    if not isinstance(fetch, dict) or "time" not in fetch:
        return str(fetch)
    if fetch.get("status"):
        return f"{fetch['time']} {fetch.get('error', fetch['status'])}"
    words = [fetch["time"]]
    for metric in fetch.get("metrics", []):
        words += [str(metric.get("metric")), metric_text(metric)]
    return " ".join(words)


def entry_text(entry: Any) -> str:
    """A definition or a metric of derive.parse in one line: "x.a double instant 60.1 byte / sec", "x.b syntax 7: ...".

    Other items as JSON.
    """
    if not isinstance(entry, dict):
        return str(entry)
    if "rule" in entry:
        return f"{entry['rule']} {entry.get('severity')}"
    if "name" not in entry:
        return json.dumps(entry, ensure_ascii=False)
    if "descriptor" in entry:
        told = entry["descriptor"]
        words = [told.get("type"), told.get("semantics"), told.get("indom") or "-", told.get("units")]
        words += [json.dumps(entry[key]) for key in ("oneline", "helptext") if entry.get(key) is not None]
    elif "stage" in entry:
        place = "" if entry.get("position") is None else f" {entry['position']}"
        where = f" {entry['where']}:" if entry.get("where") else ""
        words = [f"{entry['stage']}{place}:{where} {entry.get('message') or '(silence)'}"]
    else:
        words = [entry.get("error", "ok")]
    return " ".join([entry["name"], *map(str, filter(None, [entry.get("pmid"), *words]))])


def _entry_text(key: str, entry: Any) -> str:
    if key == "fetches":
        return fetch_text(entry)
    return json.dumps(entry, ensure_ascii=False) if key == "records" else entry_text(entry)


def _records(files: list[Json]) -> Iterator[Json]:
    """Of archive.decode."""
    for file in files:
        for record in file["records"]:
            yield {"part": file["part"], **record}


def _rows(result: Json) -> Iterator[tuple[str, Any, str]]:
    """What a result consists of: which part, the thing itself, and a line of text for it."""
    for key, told in result.items():
        if key in _LISTS and isinstance(told, list):
            for one in _records(told) if key == "files" else told:
                yield key, one, _entry_text(key, one)
        else:
            yield key, told, f"{key}: {json.dumps(told, ensure_ascii=False)}"


Row = tuple[str, str, bool]  # expected, actual, whether that is the same


def rows(expect: Json, outcome: Outcome, tolerance: Json) -> list[Row]:
    """What stands beside each other, "-" where one side has nothing; refusals and the like in one row."""
    if "reject" in expect or outcome.kind != "result":
        expected = _reject_text(expect["reject"]) if "reject" in expect else "a result"
        actual = _reject_text(outcome.body) if outcome.kind == "reject" else str(outcome)
        return [(expected, actual, matches(expect, outcome, tolerance))]
    expected_result, actual_result = _in_common(expect["result"], as_shown.with_near_numbers(expect["result"], outcome.body))
    left, right = list(_rows(expected_result)), list(_rows(actual_result))
    found = []
    for key in dict.fromkeys(key for key, _, _ in left + right):
        ones, others = ([row for row in side if row[0] == key] for side in (left, right))
        for (here, one, text), (there, other, other_text) in itertools.zip_longest(ones, others, fillvalue=("", None, "-")):
            part, other_part = ([one], [other]) if key in _LISTS else (one, other)
            found.append((text, other_text, here == there and _part_matches(key, part, other_part, tolerance)))
    return found


def expected_lines(expect: Json) -> list[str]:
    """The left side alone."""
    if "reject" in expect:
        return [_reject_text(expect["reject"])]
    return [text for _, _, text in _rows(expect["result"])]


def first_difference(expect: Json, outcome: Outcome, tolerance: Json) -> str:
    """In one line; of an answer that does not match."""
    for number, (expected, actual, same) in enumerate(rows(expect, outcome, tolerance), start=1):
        if not same:
            return f"line {number}: {actual[:120]}; expected {expected[:120]}"
    return "more than the expected result"


def side_by_side(expect: Json, outcome: Outcome, tolerance: Json) -> Iterator[str]:
    """Expected on the left, actual on the right; lines that differ are marked."""
    told = rows(expect, outcome, tolerance)
    if "reject" in expect or outcome.kind != "result":
        ((expected, actual, _),) = told
        yield f"expected: {expected}"
        yield f"actual:   {actual}"
        return
    yield f"  {'expected':{_COLUMN}}   actual"
    for expected, actual, same in told:
        yield f"{' ' if same else '>'} {expected:{_COLUMN}} {'=' if same else '|'} {actual}"
