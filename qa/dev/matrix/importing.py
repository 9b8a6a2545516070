# SPDX-License-Identifier: Apache-2.0
"""An archive as calls of the import library (pmi), and what has to be in the archive that comes of them."""

import dataclasses
from typing import Any

from qa.beside_pcp.generate.entries import Desc, IndomChange, Record, Value, ValueSet, float_of
from qa.beside_pcp.generate.truth import Truth

Json = dict[str, Any]

_TYPES = {"32": 0, "u32": 1, "64": 2, "u64": 3, "float": 4, "double": 5, "string": 6}
_SEMANTICS = {"counter": 1, "instant": 3, "discrete": 4}
_MARK_AFTER = 1_000_000  # nanoseconds after the record before


def request_of(truth: Truth) -> tuple[Json, Truth]:
    """What to do, for import_program.py, and what comes of it.

    Of all that the library has calls for: no error codes, no sets without values, of opaque types strings alone, no records
    that go back in time. Instances never go away, for there is no call for it, and keep their names. Labels and help texts are not put.
    """
    calls = _Calls(truth)
    for record in truth.records:
        if record.sets:
            calls.put(record)
        else:
            calls.mark()
    return calls.end()


class _Calls:
    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._steps: list[Json] = []
        self._records: list[Record] = []
        self._descs: dict[str, Desc] = {}
        self._names: dict[str, dict[int, bytes]] = {}
        self._indoms: dict[str, list[IndomChange]] = {}

    def mark(self) -> None:
        """The library has a time for it only after a record."""
        if self._records and self._records[-1].sets:
            self._steps.append({"do": "mark"})
            self._records.append(Record(self._records[-1].time + _MARK_AFTER, ()))

    def put(self, record: Record) -> None:
        if self._records and record.time <= self._records[-1].time:
            return
        before = {indom: len(names) for indom, names in self._names.items()}
        sets = []
        for one in record.sets:
            desc = self._truth.descs.get(one.pmid)
            if desc is not None and desc.type in _TYPES and (values := self._values(desc, one, record.time)):
                sets.append(ValueSet(one.pmid, 0, values))
        if not sets:
            return
        for indom, names in self._names.items():
            if len(names) > before.get(indom, 0):
                self._indoms.setdefault(indom, []).append(IndomChange(record.time, indom, "full", dict(names)))
        self._steps.append({"do": "write", "seconds": record.time // 10**9, "nanoseconds": record.time % 10**9})
        self._records.append(Record(record.time, tuple(sets)))

    def end(self) -> tuple[Json, Truth]:
        while self._records and not self._records[-1].sets:  # a mark comes with the record after it
            self._records.pop()
            self._steps.pop()
        label = {key: self._truth.head["label"][key] for key in ("host", "timezone")}
        head = {"archive_version": self._truth.version, "compression": "none", "violates": [], "label": label}
        request = {"version": self._truth.version, **label, "steps": self._steps}
        return request, Truth(head, self._descs, self._indoms, records=self._records)

    def _values(self, desc: Desc, one: ValueSet, time: int) -> tuple[Value, ...]:
        values = [value for value in one.values if value.instance is None or self._has(str(desc.indom), value.instance, time)]
        if values and desc.pmid not in self._descs:
            self._add_metric(desc)
        for value in values:
            name = "" if value.instance is None else self._names[str(desc.indom)][value.instance].decode()
            self._steps.append({"do": "value", "name": desc.names[0].decode(), "instance": name, "value": _text(value)})
        return tuple(sorted(values, key=lambda value: value.instance or 0))  # ARC-660

    def _has(self, indom: str, instance: int, time: int) -> bool:
        """Whether it can be put by its name: one that changed hands cannot."""
        known = self._names.setdefault(indom, {})
        name = (self._truth.instances(indom, time) or {}).get(instance)
        if instance in known or name is None:
            return known.get(instance, b"") == name
        if name in known.values():
            return False
        known[instance] = name
        self._steps.append({"do": "instance", "indom": _word(indom), "name": name.decode(), "instance": instance})
        return True

    def _add_metric(self, desc: Desc) -> None:
        self._descs[desc.pmid] = dataclasses.replace(desc, names=desc.names[:1])
        domain, cluster, item = map(int, desc.pmid.split("."))
        dimensions = [_signed(desc.units >> shift & 15) for shift in (28, 24, 20)]
        scales = [desc.units >> 16 & 15, desc.units >> 12 & 15, _signed(desc.units >> 8 & 15)]
        self._steps.append({
            "do": "metric",
            "name": desc.names[0].decode(),
            "pmid": domain << 22 | cluster << 10 | item,
            "type": _TYPES[desc.type],
            "indom": None if desc.indom is None else _word(desc.indom),
            "semantics": _SEMANTICS[desc.semantics],
            "units": dimensions + scales,
        })


def _signed(nibble: int) -> int:
    return nibble - 16 if nibble > 7 else nibble


def _word(indom: str) -> int:
    domain, serial = map(int, indom.split("."))
    return domain << 22 | serial


def _text(value: Value) -> str:
    if isinstance(value.data, bytes):
        return value.data.decode()
    assert isinstance(value.data, int)
    return repr(float_of(value.type, value.data)) if value.type in ("float", "double") else str(value.data)
