# SPDX-License-Identifier: Apache-2.0
"""What pmdumplog prints, compared with the truth."""

from collections.abc import Mapping

from qa.beside_pcp.generate import printed
from qa.beside_pcp.generate.difference import Comparison
from qa.beside_pcp.generate.dumplog import Dump, DumpEvent, DumpSet, DumpValue
from qa.beside_pcp.generate.entries import EventRecord, Labels, Record, Value, ValueSet, time_text
from qa.beside_pcp.generate.expectations import Quirks, visible, without_equal_labels
from qa.beside_pcp.generate.truth import Truth

# MET-908; all three versions print "pmid" for the level that it calls "item".
_FLAGS = {1: "context", 2: "domain", 4: "indom", 8: "cluster", 16: "pmid", 32: "instances"}
_FLAGS |= {64: "compound", 128: "optional"}


class Names:
    """The names of metrics, and of instances while time goes on."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._known: dict[tuple[str, int], Mapping[int, bytes]] = {}
        self._time = truth.start

    def at(self, time: int) -> None:
        if time != self._time:
            self._known.clear()
            self._time = time

    def of_metric(self, pmid: str) -> tuple[bytes, ...]:
        desc = self._truth.descs.get(pmid)
        return desc.names if desc else ()

    def is_singular(self, pmid: str) -> bool:
        desc = self._truth.descs.get(pmid)
        return desc is not None and desc.indom is None

    def of_instance(self, pmid: str, instance: int) -> bytes | None:
        desc = self._truth.descs.get(pmid)
        if desc is None or desc.indom is None:
            return None
        key = (desc.indom, self._time)
        if key not in self._known:
            self._known[key] = self._truth.instances(*key) or {}
        return self._known[key].get(instance)


def compare(truth: Truth, dump: Dump, errors: Mapping[int, str], quirks: Quirks) -> Comparison:
    """`errors` are this version's texts of codes."""
    records, lost = visible(truth)
    found = Comparison(list(lost))
    _compare_label(truth, dump, found)
    _compare_descs(truth, dump, quirks, found)
    _compare_on_disk(truth, dump, found)
    _compare_indoms(truth, dump, found)
    _compare_labels(truth, dump, quirks, found)
    _compare_records(records, Names(truth), dump, errors, found)
    return found


def _compare_label(truth: Truth, dump: Dump, found: Comparison) -> None:
    label = truth.head["label"]
    expected = {
        "Performance metrics from host": label["host"],
        "Archive timezone": label["timezone"],
        "PID for pmlogger": str(label["pid"]),
    }
    if label.get("zoneinfo"):
        expected["Archive zoneinfo"] = label["zoneinfo"]
    found.add("label", "printed", expected, dump.label)
    found.add("label", "times printed", [truth.start, truth.end], dump.times)


def _compare_descs(truth: Truth, dump: Dump, quirks: Quirks, found: Comparison) -> None:
    actual = {desc.pmid: desc for desc in dump.descs}
    found.add("descs", "all printed", sorted(truth.descs), sorted(actual))
    for pmid, desc in truth.descs.items():
        if pmid not in actual:
            continue
        told = actual[pmid]
        found.add("names", f"{pmid} printed", sorted(desc.names), sorted(told.names))
        found.add("desc", f"{pmid} printed", printed.LONG_TYPES[desc.type], told.type)
        if desc.type == "nosupport":
            continue  # one line only (MET-135)
        found.add("desc", f"{pmid} printed", (desc.indom, desc.semantics), (told.indom, told.semantics))
        known_before = not quirks.extra_units and told.units == (printed.units_text(desc.units, False) or "none")
        clause = "ARC-010, MET-214" if known_before else ""
        found.add("units", f"{pmid} printed", printed.units_text(desc.units, True) or "none", told.units, clause)


def _compare_on_disk(truth: Truth, dump: Dump, found: Comparison) -> None:
    """Each record as it is stored, in the order of the file for each domain."""
    for indom, changes in truth.indoms.items():
        expected = []
        for change in changes:
            instances = dict(change.changes) if change.stored == "delta" else dict(change.instances)
            expected.append((change.time, change.stored == "delta", sorted(instances.items())))
        actual = [(told.time, told.delta, sorted(told.instances)) for told in dump.on_disk if told.indom == indom]
        found.add("instances", f"{indom} on disk, number", len(expected), len(actual))
        for one, other in zip(expected, actual):
            found.add("instances", f"{indom} on disk at {time_text(one[0])}", one, other)


def _compare_indoms(truth: Truth, dump: Dump, found: Comparison) -> None:
    for indom in truth.indoms:
        expected = [(change.time, dict(change.instances)) for change in truth.indom_in_time(indom)]
        # Of records with one time pmdumplog shows each, the one that counts among them.
        actual = {told.time: dict(told.instances) for told in dump.indoms if told.indom == indom}
        found.add("instances", f"{indom} printed, times", [time for time, _ in expected], sorted(actual))
        for time, instances in expected:
            found.add("instances", f"{indom} printed at {time_text(time)}", instances, actual.get(time))


def _level(labels: Labels) -> tuple[str, str]:
    number = labels.identifier
    indom = f"{number >> 22 & 0x1FF}.{number & 0x3FFFFF}"
    cluster = f"{number >> 22 & 0x1FF}.{number >> 10 & 0xFFF}"
    return {
        "context": ("Context", ""),
        "domain": ("Domain", str(number)),
        "indom": ("InDom", indom),
        "instances": ("InDom", indom),
        "cluster": ("Cluster", cluster),
        "item": ("PMID", f"{cluster}.{number & 0x3FF}"),
    }[labels.label_class]


def _flags(flags: int) -> str:
    return ",".join(word for bit, word in _FLAGS.items() if flags & bit)


_Shown = dict[tuple[int, str, str, int | None], tuple[bytes, list[tuple[bytes, bytes, str]]]]


def _labels_shown(changes: list[Labels]) -> _Shown:
    """By time, level, what it belongs to and instance: the JSON, and each label with its value and flags."""
    shown: _Shown = {}
    for labels in changes:
        for each in labels.sets:
            told = [(label.name, label.value, _flags(label.flags)) for label in each.labels]
            shown[labels.time, *_level(labels), each.instance] = (each.json, told)
    return shown


def _compare_labels(truth: Truth, dump: Dump, quirks: Quirks, found: Comparison) -> None:
    expected: _Shown = {}
    kept: _Shown = {}
    for level in truth.labels:
        changes = truth.label_changes(*level)
        expected |= _labels_shown(changes)
        kept |= _labels_shown(without_equal_labels(changes))
    actual: _Shown = {}
    for told in dump.labels:
        parts = [
            (told.json[name : name + size], told.json[value : value + length], flags)
            for name, size, value, length, flags in told.labels
        ]
        actual[told.time, told.level, told.of, told.instance] = (told.json, parts)
    for key in sorted(expected.keys() | actual.keys(), key=repr):
        aspect = f"labels of {key[1]}" + ("" if key[3] is None else " instances")
        clause = "ARC-403" if quirks.drops_equal_labels and kept.get(key) == actual.get(key) else ""
        found.add(aspect, f"{key[2:]} printed at {time_text(key[0])}", expected.get(key), actual.get(key), clause)


def _compare_records(
    records: list[Record], names: Names, dump: Dump, errors: Mapping[int, str], found: Comparison
) -> None:
    found.add("records", "number printed", len(records), len(dump.records))
    for number, (record, told) in enumerate(zip(records, dump.records)):
        where = f"{number} at {time_text(record.time)}"
        found.records += 1
        found.values += record.value_count()
        found.add("record", f"{where}, time printed", record.time, told.time)
        number_of_sets = len(record.sets)
        found.add("record", f"{where}, metrics printed", (number_of_sets,) * 2, (told.count, len(told.sets)))
        names.at(record.time)
        for value_set, shown in zip(record.sets, told.sets):
            expected = _shown(value_set, names, errors)
            shown.names = tuple(sorted(shown.names))
            if expected != shown:
                _compare_sets(f"{where}, {value_set.pmid} printed", expected, shown, found)


def _compare_sets(where: str, expected: DumpSet, actual: DumpSet, found: Comparison) -> None:
    found.add("names", where, (expected.pmid, expected.names), (actual.pmid, actual.names))
    found.add("values", f"{where}, error", expected.error, actual.error)
    found.add("values", f"{where}, number", len(expected.values), len(actual.values))
    for one, other in zip(expected.values, actual.values):
        found.add("values", f"{where}[{one.instance}]", one, other)


def _shown(value_set: ValueSet, names: Names, errors: Mapping[int, str]) -> DumpSet:
    shown = DumpSet(value_set.pmid, tuple(sorted(names.of_metric(value_set.pmid))))
    if value_set.status < 0:
        shown.error = errors[value_set.status].encode()
    elif not value_set.values:
        shown.error = b"No values returned!"
    shown.values = [_shown_value(value_set.pmid, value, names) for value in value_set.values]
    return shown


def _shown_value(pmid: str, value: Value, names: Names) -> DumpValue:
    if value.instance is None or names.is_singular(pmid):
        shown = DumpValue(None, None)
    else:
        shown = DumpValue(value.instance, names.of_instance(pmid, value.instance))
    if isinstance(value.data, tuple):
        shown.events = [_shown_event(event, value.type) for event in value.data]
    else:
        shown.text = printed.value_text(value.type, value.data)
    return shown


def _shown_event(event: EventRecord, kind: str) -> DumpEvent:
    digits = 9 if kind == "highres_event" else 6
    shown = DumpEvent(printed.clock_text(event.time, digits), event.flags, event.missed)
    shown.parameters = [(each.pmid, printed.value_text(each.type, each.data)) for each in event.parameters]
    return shown
