# SPDX-License-Identifier: Apache-2.0
"""Deviations of the ledger that no emulation stands for, as far as a request and its answers show them."""

import itertools
import json
import re
from collections.abc import Sequence
from typing import Any

from qa.adapters import live_octets
from qa.adapters.testee import Outcome
from qa.golden import as_shown
from qa.suite.explore.scene import Ask

Json = dict[str, Any]

DISORDER = "INT-309"  # among the clauses of a request about records whose time goes back
_E2BIG = -7
_TYPE = -12397
_TOUCHING = 1_000_000  # ns: how far after the last record of an archive the mark between archives lies


def deviation(version: str, ask: Ask, expected: Outcome, actual: Outcome) -> str | None:
    """What the ledger calls the difference between the right answer and that of a version of PCP; None: nothing."""
    if ask.operation == "archive.labels" and expected.kind == actual.kind == "result":
        said = (expected.body, actual.body)
        return _nested_array(*said) or _shorter_merge(*said) or _equal_sets(version, *said)
    if ask.operation == "replay.raw" and expected.kind == actual.kind == "result":
        if DISORDER in ask.clauses:
            return DISORDER  # what PCP answers depends on where it searched from
        return _lost_at_borders(expected.fetches, actual.fetches) if "paths" in ask.source else None
    if ask.operation == "pdu.decode" and expected.kind == actual.kind == "result":
        return _wrapped_fraction(expected.body, actual.body)
    if ask.operation == "pdu.decode" and actual.kind == "crash":
        return _crash_of_events(version, str(ask.args.get("bytes", "")))
    if ask.operation == "pdu.decode" and expected.kind == "reject" and actual.kind == "result":
        return _taken(version, expected.message)
    if ask.operation == "pdu.encode" and expected.kind == "reject" and actual.kind == "result":
        return _sent_empty_names(ask.args.get("pdus", ()))
    if ask.operation == "derive.eval" and expected.kind == actual.kind == "result":
        return _counted_error(expected.fetches, actual.fetches)
    return None


def _wrapped_fraction(expected: Json, actual: Json) -> str | None:
    """PDU-039: a fraction of a second is counted in nanoseconds of 32 bits."""
    wrapped = [_as_libpcp_counts(told) for told in expected["pdus"]]
    return "PDU-039" if wrapped != expected["pdus"] and as_shown.with_all_filled({"pdus": wrapped}, actual) == {"pdus": wrapped} else None


def _as_libpcp_counts(told: Json) -> Json:
    if "nanoseconds" in told:
        return told | {"nanoseconds": _in_32_bits(told["nanoseconds"])}
    if told["pdu"] == "RESULT":
        return told | {"microseconds": int(_in_32_bits(1000 * told["microseconds"]) / 1000)}
    return told


def _in_32_bits(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


# Clause and field of what the reference refuses and a version takes, or each of them.
_TAKEN = {
    ("PDU-051", "code", ""),
    ("PDU-054", "nprof", "6.0.3"),
    ("PDU-063", "namelen", ""),
    ("PDU-074", "json", ""),
    ("PDU-074", "name length", ""),
    ("PDU-106", "value", ""),
    ("PDU-174", "records", ""),
}
_REFUSED = re.compile(r"offset \d+: ([a-z ]+): .* \[([A-Z]{3}-\d+)\]")


def _taken(version: str, message: str) -> str | None:
    told = _REFUSED.fullmatch(message)
    if told is None:
        return None
    field, clause = told.groups()
    is_known = bool(_TAKEN & {(clause, field, ""), (clause, field, version)}) or (clause, version) == ("PDU-074", "6.0.3")
    return clause if is_known else None


def _crash_of_events(version: str, octets: str) -> str | None:
    """PDU-174: 6.0.3 reads events beyond their block."""
    frames = live_octets.frames_of(bytes.fromhex(octets)) if version == "6.0.3" else []
    blocks = [kind for one in frames if one.name in ("RESULT", "HIGHRES_RESULT") for kind, _ in live_octets.blocks_of(one)]
    return "PDU-174" if {9, 10} & set(blocks) else None


def _sent_empty_names(pdus: Sequence[Json]) -> str | None:
    """PDU-069: names that no reader takes are sent."""
    return "PDU-069" if any(not one["name"] for told in pdus if told["pdu"] == "PMNS_NAMES" for one in told["names"]) else None


def _lost_at_borders(expected: Sequence[Json], actual: Sequence[Json]) -> str | None:
    """DEV-16 (INT-1005): a record of the next archive that is not after the mark between both is lost. What was asked
    for so many times reaches further then."""
    place = lost = 0
    for fetch in expected:
        if place < len(actual) and fetch == actual[place]:
            place += 1
        elif place and fetch["status"] == 0 and _nanoseconds(fetch) - _nanoseconds(actual[place - 1]) < _TOUCHING:
            lost += 1
        else:
            return None
    return "DEV-16" if 0 < lost and len(actual) - place <= lost else None


def _nanoseconds(fetch: Json) -> int:
    seconds, _, fraction = fetch["time"].partition(".")
    return int(seconds) * 10**9 + int(fraction)


def _counted_error(expected: Sequence[Json], actual: Sequence[Json]) -> str | None:
    """DEV-18: PM_ERR_TYPE, counted on."""
    differ = False
    for right, told in zip(expected, actual, strict=False):
        for metric, other in zip(right.get("metrics", ()), told.get("metrics", ()), strict=False):
            if metric["status"] == _TYPE and _TYPE - 64 < other["status"] < _TYPE:
                differ = True
            elif not _same_metric(metric, other):
                return None
    return "DEV-18" if differ and len(expected) == len(actual) else None


def _same_metric(one: Json, other: Json) -> bool:
    """Whatever the order of instances."""

    def key(value: Json) -> tuple[bool, int]:
        return value["instance"] is not None, value["instance"] or 0

    return {**one, "values": sorted(one["values"], key=key)} == {**other, "values": sorted(other["values"], key=key)}


def _shorter_merge(expected: Json, actual: Json) -> str | None:
    """MET-922: no merge where that of some of the sets is shorter than that of one fewer, and more follow."""
    if len(expected.get("instances", ())) != len(actual.get("instances", ())):
        return None
    common = [told["labels"] for told in expected.get("sets", ())]
    pairs = [(common, expected, actual)]
    pairs += [([*common, right.get("labels", "")], right, told) for right, told in zip(expected.get("instances", ()), actual.get("instances", ()), strict=True)]
    found = False
    for sets, right, told in pairs:
        if right.get("merged") == told.get("merged"):
            continue
        if told.get("merged") is not None or not _becomes_shorter(sets):
            return None
        found = True
    same = without_merged(expected) == without_merged(actual)
    return "MET-922" if found and same else None


def without_merged(body: Json) -> Json:
    bare = {name: told for name, told in body.items() if name != "merged"}
    instances = [{name: told for name, told in one.items() if name != "merged"} for one in body.get("instances", ())]
    return bare | {"instances": instances}


def _becomes_shorter(sets: Sequence[str]) -> bool:
    merged: Json = {}
    lengths = []
    for text in sets:
        try:
            merged |= _flat(json.loads(text)) if text else {}
        except (ValueError, RecursionError):
            return False
        lengths.append(len(json.dumps(merged, separators=(",", ":"), ensure_ascii=False)))
    return any(after < before for before, after in itertools.pairwise(lengths[:-1]))


def _flat(labels: Json, prefix: str = "") -> Json:
    found: Json = {}
    for name, value in labels.items():
        inner = isinstance(value, dict) and value
        found |= _flat(value, f"{prefix}{name}.") if inner else {prefix + name: value}
    return found


def _nested_array(expected: Json, actual: Json) -> str | None:
    """MET-926: labels of which one has an array inside an array are not merged to what they say, or to nothing, or E2BIG."""
    if not any(_is_broken(told, expected) for told in _label_sets(expected)):
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
    return _bare(body, expected, expected) | {"instances": [_bare(*both, expected) for both in zip(instances, places, strict=True)]}


def _is_broken(told: Json, expected: Json) -> bool:
    """Whether one of the sets that were merged has an array inside an array. Another one may replace it afterwards."""
    texts = [told.get("merged") or "", told.get("labels", ""), *(one["labels"] for one in expected.get("sets", ()))]
    return any(map(_has_nested_array, texts))


def _bare(told: Json, place: Json, expected: Json) -> Json:
    if _is_broken(place, expected):
        return {name: value for name, value in told.items() if name != "merged"}
    return told


def _has_nested_array(text: str) -> bool:
    if "[" not in text:
        return False
    try:
        # Equal names may stand there twice (MET-923).
        values = json.loads(text, object_pairs_hook=lambda pairs: dict(enumerate(value for _, value in pairs)))
        return _is_nested(values)
    except (ValueError, RecursionError):
        return False


def _is_nested(value: object, in_array: bool = False) -> bool:
    if isinstance(value, dict):
        return any(_is_nested(member) for member in value.values())
    if isinstance(value, list):
        return in_array or any(_is_nested(element, True) for element in value)
    return False
