# SPDX-License-Identifier: Apache-2.0
"""What libpcp reads, compared with the truth."""

from qa.beside_pcp.generate.difference import Comparison
from qa.beside_pcp.generate.entries import LabelSet, Record, ValueSet, time_text, to_time
from qa.beside_pcp.generate.expectations import Quirks, visible, without_equal_labels
from qa.beside_pcp.generate.libpcp import Reading, Request
from qa.beside_pcp.generate.truth import Truth, in_force

END_OF_LOG = -12370
INDOM_LOG = -12379
CLASS_NUMBERS = {"context": 1, "domain": 2, "indom": 4, "cluster": 8, "item": 16, "instances": 32}

# Of a domain that changes thousands of times, so many changes are looked at, first and last among them.
_MOST_TIMES = 60


def indom_word(indom: str) -> int:
    domain, serial = map(int, indom.split("."))
    return domain << 22 | serial


def spread(times: list[int]) -> list[int]:
    if len(times) <= _MOST_TIMES:
        return times
    return [times[i * (len(times) - 1) // (_MOST_TIMES - 1)] for i in range(_MOST_TIMES)]


def questions(truth: Truth) -> Request:
    """Each domain as a whole and at each change, and just before it; each label record at its time; each text."""
    request = Request()
    for indom in truth.indoms:
        word = indom_word(indom)
        request.instances.append((word, None))
        tick = 1000 if truth.version == 2 else 1
        for time in spread([change.time for change in truth.indom_in_time(indom)]):
            request.instances += [(word, time - tick), (word, time)]
    for (label_class, identifier), records in truth.labels.items():
        for time in spread(sorted({labels.time for labels in records})):
            request.labels.append((CLASS_NUMBERS[label_class], identifier, time))
    request.texts = list(truth.texts)
    request.errors = sorted({each.status for record in truth.records for each in record.sets if each.status < 0})
    return request


def compare(truth: Truth, reading: Reading, quirks: Quirks) -> Comparison:
    records, lost = visible(truth)
    found = Comparison(list(lost))
    _compare_label(truth, reading, found)
    _compare_descs(truth, reading, found)
    _compare_instances(truth, reading, found)
    _compare_labels(truth, reading, quirks, found)
    for key, text in truth.texts.items():
        status, actual = reading.texts[key]
        found.add("text", str(key), (0, text), (status, actual))
    _compare_records(records, reading, found)
    if truth.descs:
        _compare_fetched(records, reading, found)
    return found


def _compare_label(truth: Truth, reading: Reading, found: Comparison) -> None:
    label = truth.head["label"]
    for key in ("pid", "host", "timezone", "zoneinfo"):
        found.add("label", key, label.get(key, ""), reading.label[key])
    found.add("label", "start", truth.start, to_time(reading.label["start"]))
    found.add("label", "end", time_text(truth.end), reading.label["end"])
    found.add("label", "version", truth.version, reading.label["archive_version"])


def _compare_descs(truth: Truth, reading: Reading, found: Comparison) -> None:
    found.add("descs", "all", sorted(truth.descs), sorted(reading.descs))
    for pmid, desc in truth.descs.items():
        actual = reading.descs.get(pmid)
        if actual is None:
            continue
        found.add("names", pmid, sorted(desc.names), sorted(actual.names))
        found.add("units", pmid, f"{desc.units:#010x}", f"{actual.units:#010x}")
        wanted, got = ((each.type, each.semantics, each.indom) for each in (desc, actual))
        found.add("desc", pmid, wanted, got)


def _compare_instances(truth: Truth, reading: Reading, found: Comparison) -> None:
    for indom in truth.indoms:
        word = indom_word(indom)
        everything: dict[int, bytes] = {}  # the last name of each in time (ARC-348)
        for change in sorted(truth.indoms[indom], key=lambda each: each.time):
            everything |= change.instances
        for (asked, time), actual in reading.instances.items():
            if asked != word:
                continue
            where = f"{indom} at {'all times' if time is None else time_text(time)}"
            expected = everything if time is None else truth.instances(indom, time)
            found.add("instances", where, expected if expected is not None else INDOM_LOG,
                      actual.instances if actual.status == 0 else actual.status)


def _sets(sets: tuple[LabelSet, ...]) -> dict[int | None, LabelSet]:
    """Without those that have no labels (ARC-397)."""
    return {each.instance: each for each in sets if each.labels}


def _compare_labels(truth: Truth, reading: Reading, quirks: Quirks, found: Comparison) -> None:
    for (label_class, identifier, time), actual in reading.labels.items():
        changes = truth.label_changes(label_class, identifier)
        expected, got = _sets(in_force(changes, time)), _sets(actual)
        known = quirks.drops_equal_labels and _sets(in_force(without_equal_labels(changes), time)) == got
        where = f"{identifier} at {time_text(time)}"
        found.add(f"labels of {label_class}", where, expected, got, "ARC-403" if known else "")


def _compare_records(records: list[Record], reading: Reading, found: Comparison) -> None:
    found.add("records", "number", len(records), len(reading.records))
    found.add("records", "end", END_OF_LOG, reading.ends.get("result"))
    for number, (expected, actual) in enumerate(zip(records, reading.records)):
        _compare_record(f"{number} at {time_text(expected.time)}", expected, actual, found)


def _compare_record(where: str, expected: Record, actual: Record, found: Comparison) -> None:
    found.records += 1
    if (expected.time, expected.sets) == (actual.time, actual.sets):
        found.values += expected.value_count()
        return
    found.add("record", f"{where}, time", time_text(expected.time), time_text(actual.time))
    wanted, got = ([value_set.pmid for value_set in record.sets] for record in (expected, actual))
    found.add("record", f"{where}, metrics", wanted, got)
    for one, other in zip(expected.sets, actual.sets):
        found.values += len(one.values)
        if one != other and one.pmid == other.pmid:
            _compare_sets(f"{where}, {one.pmid}", one, other, found)


def _compare_sets(where: str, expected: ValueSet, actual: ValueSet, found: Comparison) -> None:
    found.add("values", f"{where}, status", expected.status, actual.status)
    found.add("values", f"{where}, number", len(expected.values), len(actual.values))
    for one, other in zip(expected.values, actual.values):
        found.add("values", f"{where}[{one.instance}]", one, other)


def fetchable(records: list[Record]) -> list[Record]:
    """Without marks, and without what is earlier than a record or mark before it (INT-1005)."""
    found = []
    latest: int | None = None
    for record in records:
        if latest is not None and record.time < latest:
            continue
        latest = record.time
        if record.sets:
            found.append(record)
    return found


def _compare_fetched(records: list[Record], reading: Reading, found: Comparison) -> None:
    """pmFetch of all metrics gives each record but marks, and of metrics that it has not no values (INT-1001..1003)."""
    records = fetchable(records)
    found.add("fetch", "number", len(records), len(reading.fetched))
    found.add("fetch", "end", END_OF_LOG, reading.ends.get("fetched"))
    for number, (expected, actual) in enumerate(zip(records, reading.fetched)):
        where = f"{number} at {time_text(expected.time)}"
        found.add("fetch", f"{where}, time", time_text(expected.time), time_text(actual.time))
        told = {value_set.pmid: value_set for value_set in reversed(expected.sets)}  # the first counts (ARC-210)
        for value_set in actual.sets:
            found.values += len(value_set.values)
            wanted = told.pop(value_set.pmid, ValueSet(value_set.pmid, 0, ()))
            if wanted != value_set:
                _compare_sets(f"{where}, {value_set.pmid} by pmFetch", wanted, value_set, found)
        found.add("fetch", f"{where}, metrics left out", [], sorted(told))
