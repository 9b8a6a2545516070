# SPDX-License-Identifier: Apache-2.0
"""What a writer was given, beside what it wrote: both as truths."""

from collections.abc import Iterator
from dataclasses import replace

from qa.beside_pcp.generate.difference import Comparison
from qa.beside_pcp.generate.entries import EventRecord, Labels, Record, Value, ValueSet, time_text
from qa.beside_pcp.generate.truth import Truth

def compare(expected: Truth, actual: Truth, only: frozenset[str] | None = None) -> Comparison:
    """Times of metadata are the writer's own affair as long as each record finds what it had before. `only`: aspects."""
    found = _compare(expected, actual)
    if only is not None:
        found.differences = [each for each in found.differences if each.aspect in only]
    return found


def unchanged(expected: Truth, actual: Truth) -> set[str]:
    """The names of the metrics all of whose values were kept, marks around them included."""
    before, after = _history(expected), _history(actual)
    if before.get("") != after.get(""):
        return set()
    same = {pmid for pmid in expected.descs if before.get(pmid) == after.get(pmid) and expected.descs[pmid] == actual.descs.get(pmid)}
    return {expected.descs[pmid].names[0].decode() for pmid in same}


def _history(truth: Truth) -> dict[str, list[tuple[int, ValueSet | None]]]:
    """Of each metric, and of marks, which have no name."""
    found: dict[str, list[tuple[int, ValueSet | None]]] = {}
    for record in truth.records:
        for one in record.sets:
            found.setdefault(one.pmid, []).append((record.time, one))
        if not record.sets:
            found.setdefault("", []).append((record.time, None))
    return found


def _compare(expected: Truth, actual: Truth) -> Comparison:
    found = Comparison()
    for key in ("host", "timezone", "zoneinfo"):
        if key in expected.head["label"] and key in actual.head["label"]:
            found.add("label", key, expected.head["label"][key], actual.head["label"][key])
    _compare_descs(expected, actual, found)
    _compare_records(expected.records, actual.records, found)
    _compare_instances(expected, actual, found)
    _compare_labels(expected, actual, found)
    for place in sorted(expected.texts.keys() | actual.texts.keys()):
        found.add("text", f"{place[0]} of {place[1]}", expected.texts.get(place), actual.texts.get(place))
    return found


def _compare_descs(expected: Truth, actual: Truth, found: Comparison) -> None:
    gone = sorted(expected.descs.keys() - actual.descs.keys())
    found.add("descs", "missing", [], gone)
    found.add("descs", "more", [], sorted(actual.descs.keys() - expected.descs.keys()))
    for pmid in expected.descs.keys() & actual.descs.keys():
        one, other = expected.descs[pmid], actual.descs[pmid]
        found.add("names", pmid, sorted(one.names), sorted(other.names))
        wanted, got = ((each.type, each.semantics, each.indom, f"{each.units:#010x}") for each in (one, other))
        found.add("desc", pmid, wanted, got)


def _told(record: Record) -> tuple[int, tuple[ValueSet, ...]]:
    return record.time, record.sets


def _compare_records(expected: list[Record], actual: list[Record], found: Comparison) -> None:
    if list(map(_told, expected)) == list(map(_told, actual)):
        found.records += len(expected)
        found.values += sum(record.value_count() for record in expected)
        return
    left = list(actual)
    for record in expected:
        found.records += 1
        same = next((other for other in left if _told(other) == _told(record)), None)
        if same is not None:
            left.remove(same)
            found.values += record.value_count()
            continue
        kind = "record" if record.sets else "mark"
        other = next((one for one in left if one.time == record.time and bool(one.sets) == bool(record.sets)), None)
        if other is None:
            found.add(kind, f"at {time_text(record.time)}", "there", "missing")
            continue
        left.remove(other)
        found.values += _compare_sets(record, other, found)
    for record in left:
        found.add("record" if record.sets else "mark", f"at {time_text(record.time)}", "none", "there")
    if found.differences:
        return
    found.add("order", "of records", [time_text(one.time) for one in expected], [time_text(one.time) for one in actual])


def _compare_sets(expected: Record, actual: Record, found: Comparison) -> int:
    where, values = time_text(expected.time), 0
    told = {one.pmid: one for one in actual.sets}
    found.add("metrics", f"{where}, missing", [], sorted({one.pmid for one in expected.sets} - told.keys()))
    found.add("metrics", f"{where}, more", [], sorted(told.keys() - {one.pmid for one in expected.sets}))
    for one in expected.sets:
        other = told.get(one.pmid)
        if other is None:
            continue
        if one == other:
            values += len(one.values)
        elif sorted(map(repr, one.values)) == sorted(map(repr, other.values)) and one.status == other.status:
            found.add("order", f"of the values of {one.pmid} at {where}", [v.instance for v in one.values], [v.instance for v in other.values])
        elif _uncounted(one) == _uncounted(other):
            wanted, got = ([event.missed for event in _events(each)] for each in (one, other))
            found.add("missed", f"events of {one.pmid} at {where}", wanted, got)
        else:
            found.add("values", f"{one.pmid} at {where}", (one.status, one.values), (other.status, other.values))
    if found.differences == [] and expected.sets != actual.sets:
        found.add("order", f"of metrics at {where}", [one.pmid for one in expected.sets], [one.pmid for one in actual.sets])
    return values


def _events(values: ValueSet) -> list[EventRecord]:
    return [event for each in values.values if isinstance(each.data, tuple) for event in each.data]


def _uncounted(values: ValueSet) -> ValueSet:
    """Without the numbers of missed events (ARC-275)."""

    def uncounted(value: Value) -> Value:
        if not isinstance(value.data, tuple):
            return value
        return replace(value, data=tuple(replace(event, missed=event.missed and 0) for event in value.data))

    return replace(values, values=tuple(map(uncounted, values.values)))


def _compare_instances(expected: Truth, actual: Truth, found: Comparison) -> None:
    """What each value of each record is called."""
    for record in expected.records:
        for each in record.sets:
            desc = expected.descs.get(each.pmid)
            if desc is None or desc.indom is None or not each.values:
                continue
            wanted, got = (truth.instances(desc.indom, record.time) for truth in (expected, actual))
            if wanted != got:
                found.add("instances", f"{desc.indom} at {time_text(record.time)}", wanted, got)


def _in_force(changes: list[Labels], time: int) -> dict[int | None, bytes]:
    """The sets that are not empty (ARC-397)."""
    sets = next((labels.sets for labels in reversed(changes) if labels.time <= time), ())
    return {each.instance: each.json for each in sets if each.labels}


def _compare_labels(expected: Truth, actual: Truth, found: Comparison) -> None:
    """Of each level, at the time of each record after its first labels."""
    for level in sorted(expected.labels.keys() | actual.labels.keys()):
        before, after = expected.label_changes(*level), actual.label_changes(*level)
        if not before or not after:
            found.add("labels", f"{level[0]} {level[1]}", len(before), len(after))
            continue
        for time in _times(expected):
            wanted, got = _in_force(before, time), _in_force(after, time)
            if wanted != got:
                found.add("labels", f"{level[0]} {level[1]} at {time_text(time)}", wanted, got)


def _times(truth: Truth) -> Iterator[int]:
    seen = set()
    for record in truth.records:
        if record.sets and record.time not in seen:
            seen.add(record.time)
            yield record.time
