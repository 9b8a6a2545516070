"""An archive as calls of the import library (pmi), and what has to be in the archive that comes of them."""

import dataclasses
from typing import Any

from qa.generate.entries import IndomChange, Record, Value, ValueSet, float_of
from qa.generate.truth import Truth

Json = dict[str, Any]

_TYPES = {"32": 0, "u32": 1, "64": 2, "u64": 3, "float": 4, "double": 5, "string": 6}
_SEMANTICS = {"counter": 1, "instant": 3, "discrete": 4}
_CLASSES = {"context": 1, "domain": 2, "indom": 4, "cluster": 8, "item": 16, "instances": 32}
_MARK_AFTER = 1_000_000


def request_of(truth: Truth) -> tuple[Json, Truth]:
    """Of all that the library has calls for: no error codes, no sets without values, no opaque values or events but strings.

    Instances are never taken away, for there is no call for it; what one is called does not change either.
    """
    wanted = {pmid: desc for pmid, desc in truth.descs.items() if desc.type in _TYPES}
    names: dict[str, dict[int, bytes]] = {}
    indoms: dict[str, list[IndomChange]] = {}
    records: list[Record] = []
    steps: list[Json] = []
    seen: set[str] = set()
    for record in truth.records:
        if not record.sets:
            if records and records[-1].sets:
                steps.append({"do": "mark"})
                records.append(Record(records[-1].time + _MARK_AFTER, ()))
            continue
        if records and record.time <= records[-1].time:
            continue  # the library refuses it
        sets = []
        grown = set()
        for one in record.sets:
            desc = wanted.get(one.pmid)
            if desc is None or not one.values:
                continue
            if one.pmid not in seen:
                seen.add(one.pmid)
                steps.append({
                    "do": "metric", "name": desc.names[0].decode(), "pmid": _pmid(one.pmid), "type": _TYPES[desc.type],
                    "indom": None if desc.indom is None else _indom(desc.indom), "semantics": _SEMANTICS[desc.semantics],
                    "units": [desc.units >> shift & 15 for shift in (28, 24, 20, 16, 12, 8)],
                })
            values = []
            known = names.setdefault(desc.indom, {}) if desc.indom else {}
            there = (truth.instances(desc.indom, record.time) or {}) if desc.indom else {}
            for value in sorted(one.values, key=lambda value: value.instance or 0):
                if value.instance is not None:
                    name = there.get(value.instance)
                    if name is None or known.get(value.instance, name) != name or (name in known.values() and value.instance not in known):
                        continue  # a name that changes hands
                    if value.instance not in known:
                        known[value.instance] = name
                        grown.add(desc.indom)
                        steps.append({"do": "instance", "indom": _indom(str(desc.indom)), "name": name.decode(), "instance": value.instance})
                values.append(value)
                told = "" if value.instance is None else known[value.instance].decode()
                steps.append({"do": "value", "name": desc.names[0].decode(), "instance": told, "value": _text(value)})
            if values:
                sets.append(ValueSet(one.pmid, 0, tuple(values)))
        if not sets:
            continue
        for indom in grown:
            indoms.setdefault(str(indom), []).append(IndomChange(record.time, str(indom), "full", dict(names[str(indom)])))
        steps.append({"do": "write", "seconds": record.time // 10**9, "nanoseconds": record.time % 10**9})
        records.append(Record(record.time, tuple(sets)))
    while records and not records[-1].sets:  # the library has the time of a mark only when something follows
        records.pop()
        steps.pop()
    label = truth.head["label"]
    descs = {pmid: dataclasses.replace(wanted[pmid], names=wanted[pmid].names[:1]) for pmid in seen}
    head = {"archive_version": truth.version, "compression": "none", "violates": [], "label": {"host": label["host"], "timezone": label["timezone"]}}
    request = {"version": truth.version, "host": label["host"], "timezone": label["timezone"], "steps": steps}
    return request, Truth(head, descs, indoms, records=records)


def _pmid(dotted: str) -> int:
    domain, cluster, item = map(int, dotted.split("."))
    return domain << 22 | cluster << 10 | item


def _indom(dotted: str) -> int:
    domain, serial = map(int, dotted.split("."))
    return domain << 22 | serial


def _text(value: Value) -> str:
    if isinstance(value.data, bytes):
        return value.data.decode()
    assert isinstance(value.data, int)
    return repr(float_of(value.type, value.data)) if value.type in ("float", "double") else str(value.data)
