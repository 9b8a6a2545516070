# SPDX-License-Identifier: Apache-2.0
"""What the agent "every" knows: a metric of each type, two instance domains, texts, labels, names, and values to store into.

It is started hundreds of times in a run, so it imports as little as it can.
"""

from __future__ import annotations

import struct

NOSUPPORT, I32, U32, I64, U64, FLOAT, DOUBLE, STRING, AGGREGATE, _, EVENT, HIGHRES_EVENT = range(-1, 11)
COUNTER, INSTANT, DISCRETE = 1, 3, 4
NULL = 0xFFFFFFFF
SECONDS, COUNT = 0x01003000, 0x00100000
NAMES = (("disk one", "cpu", "nic two words"), ("alpha", "beta"))
_NUMBERS = {I64: ">q", U64: ">Q", FLOAT: ">f", DOUBLE: ">d"}

Value = int | float | bytes


class Metric:
    """values: by instance, -1 for the value of a singular one. serial: of its instance domain, -1 for none."""

    __slots__ = ("name", "item", "type", "serial", "sem", "units", "values", "writable")

    def __init__(self, name: str, item: int, type_: int, sem: int, units: int, values: dict[int, Value], serial: int = -1, writable: bool = False) -> None:
        self.name, self.item, self.type, self.sem, self.units = name, item, type_, sem, units
        self.serial, self.values, self.writable = serial, values, writable


class World:
    """options: what a sound agent may do or not (sound.py)."""

    def __init__(self, domain: int, options: dict[str, int]) -> None:
        self.domain, self.options = domain, options
        self.fetches = options.get("count", 100000)
        base = options.get("base", 0)
        step = options.get("step", 1)
        self.instances = [{base + step * number: name for number, name in enumerate(names)} for names in NAMES]
        first, second = list(self.instances[0]), list(self.instances[1])
        texts: list[Value] = [b"one", b"", b"a longer text"]
        self.metrics = [
            Metric("every.count", 0, U32, COUNTER, COUNT, {-1: 0}),
            Metric("every.level", 1, I32, INSTANT, 0, dict(zip(first, (-7, 0, 2147483647))), 0, True),
            Metric("every.big", 2, I64, INSTANT, 0, {-1: -5000000000}, writable=True),
            Metric("every.ubig", 3, U64, COUNTER, SECONDS, dict(zip(second, (1 << 63, 12))), 1),
            Metric("every.ratio", 4, FLOAT, INSTANT, 0, dict(zip(first, (0.5, -2.25, 100.0))), 0),
            Metric("every.load", 5, DOUBLE, INSTANT, 0, {-1: 10.0}, writable=True),
            Metric("every.text", 6, STRING, DISCRETE, 0, {-1: b"hello"}, writable=True),
            Metric("every.words", 7, STRING, INSTANT, 0, dict(zip(first, texts)), 0),
            Metric("every.blob", 8, AGGREGATE, INSTANT, 0, {-1: b"\x01\x02\x03\x00\x05"}),
            Metric("every.events", 9, EVENT, INSTANT, 0, {-1: b""}),
            Metric("every.precise", 10, HIGHRES_EVENT, INSTANT, 0, {-1: b""}),
            Metric("every.param.id", 11, U32, INSTANT, 0, {}),
            Metric("every.param.text", 12, STRING, INSTANT, 0, {}),
            Metric("every.gone", 13, NOSUPPORT, 0, 0, {}),
        ]
        self._by_pmid = {self.pmid(metric): metric for metric in self.metrics}
        self.pmid_of = {metric.name: self.pmid(metric) for metric in self.metrics}

    def pmid(self, metric: Metric) -> int:
        return self.domain << 22 | metric.item

    def indom(self, serial: int) -> int:
        return NULL if serial < 0 else self.domain << 22 | serial

    def metric(self, pmid: int) -> Metric | None:
        return self._by_pmid.get(pmid)

    def instances_of(self, indom: int) -> dict[int, str] | None:
        serial = indom & 0x3FFFFF
        return self.instances[serial] if indom == self.domain << 22 | serial and serial < len(self.instances) else None

    def fetched(self) -> None:
        """Called for every well-formed fetch, before its values are computed."""
        self.fetches = (self.fetches + 1) & 0xFFFFFFFF
        self.metrics[0].values[-1] = self.fetches
        self.metrics[9].values[-1] = self._events(">iiII", 1000)
        self.metrics[10].values[-1] = self._events(">qqII", 1000000)

    def _events(self, layout: str, fraction: int) -> bytes:
        """So many records as come with this fetch: none, one, two with the second a missed one."""
        records = []
        seconds = 1700000000 + self.fetches % 1000000
        if self.fetches % 3 >= 1:
            numbers = struct.pack(">III", self.pmid_of["every.param.id"], U32 << 24 | 8, self.fetches)
            words = struct.pack(">II", self.pmid_of["every.param.text"], STRING << 24 | 7) + b"abc\0"
            records.append(struct.pack(layout, seconds, fraction, 1, 2) + numbers + words)
        if self.fetches % 3 == 2:
            records.append(struct.pack(layout, seconds, fraction + 1, 0x80000000, 0 if "q" in layout else 4))
        return struct.pack(">I", len(records)) + b"".join(records)

    def block(self, metric: Metric, value: Value) -> bytes:
        """The value block, padded."""
        if isinstance(value, bytes):
            body = value + b"\0" if metric.type == STRING else value
        else:
            body = struct.pack(_NUMBERS[metric.type], value)
        return struct.pack(">I", metric.type << 24 | 4 + len(body)) + body + b"~" * (-len(body) % 4)

    def stored(self, metric: Metric, block: bytes | int) -> Value | None:
        """The value that a store says, in situ as a number; nothing where it is of another type."""
        if isinstance(block, int):
            return (block ^ 0x80000000) - 0x80000000 if metric.type == I32 else None
        if block[0] != metric.type:
            return None
        body = block[4:]
        if metric.type == STRING:
            return body[:-1] if body[-1:] == b"\0" and b"\0" not in body[:-1] else None
        layout = _NUMBERS.get(metric.type)
        if layout is None or len(body) != struct.calcsize(layout):
            return None
        value: float = struct.unpack(layout, body)[0]
        return value

    def text(self, ident: int, kind: int) -> bytes:
        """Empty: there is none."""
        if "notexts" in self.options:
            return b""
        one_line = bool(kind & 1)
        if kind & 4 and (metric := self._by_pmid.get(ident)):
            name = metric.name
        elif kind & 8 and not kind & 4 and self.instances_of(ident) is not None:
            name = f"domain {ident & 0x3FFFFF}"
        else:
            return b""
        return (f"what {name} is" if one_line else f"What {name} is, at length.\nIn two lines.").encode()

    def labels(self, ident: int, kind: int) -> list[tuple[int, dict[str, str]]]:
        """Label sets: instance, and values by name."""
        if kind == 2:
            return [(-1, {"agent": "every"})]
        if kind == 4 and self.instances_of(ident) is not None:
            return [(-1, {"indom_name": f"domain{ident & 0x3FFFFF}", "unitsystem": "SI"})]
        if kind == 8 and ident >> 10 == self.domain << 12:
            return [(-1, {"cluster": "zero"})]
        if kind == 16 and ident in self._by_pmid:
            return [(-1, {"item": f"number{ident & 0x3FF}"})]
        if kind == 32 and (instances := self.instances_of(ident)):
            return [(number, {"word": name.split()[0]} if name != "cpu" else {}) for number, name in instances.items()]
        return []

    def children(self, name: str) -> list[tuple[str, int]] | None:
        """Last components and status (1: not a leaf); none of a leaf; nothing where there is no such name."""
        if name in self.pmid_of:
            return []
        below = [other[len(name) + 1 :] for other in self.pmid_of if other.startswith(name + ".")]
        found = {one.partition(".")[0]: int("." in one) for one in below}
        return list(found.items()) if found else None

    def leaves(self, name: str) -> list[str]:
        return [other for other in self.pmid_of if other == name or other.startswith(name + ".")]
