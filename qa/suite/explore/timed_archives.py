# SPDX-License-Identifier: Apache-2.0
"""Small archives for replay: their records and marks come at one time, a moment apart, before the start of the archive or back in
time; volumes are cut, damaged or missing; values are stored as those of another type. Archives of one set touch or overlap."""

import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qa.suite.explore.crafted.dice import Dice, word
from qa.suite.explore.crafted.metadata import DOMAINS, NULL, Metric, framed, pmid

SECOND = 10**9
_BEGIN = 1_700_000_000 * SECOND
_STEPS = (SECOND, SECOND, SECOND, SECOND // 2, 3 * SECOND, 10**6, 1000, 0, 0)
_MARKED = 0.15  # of the records have a mark beside them
_MARK_AT = (1000, 10**6, SECOND // 4)  # after it
_ODD_MARK_AT = (0, 0, 1000, -1000, 10**6)  # ARC-1724, INT-704
_TYPES = (0, 1, 1, 2, 3, 4, 5, 6, 6, 7)
_ODD_TYPES = (-1, 9, 10)  # which have no values over time (INT-405, INT-412)
_DERIVED = (pmid(511, 0, 0), pmid(511, 2047, 0), pmid(511, 2048, 0), pmid(511, 4095, 0), pmid(510, 0, 0))  # DER-702, 1301, 1302
_POOLS = ((0, 1, 2), (0, 1, 2, 3, 4), (0, 3, 6, 9), (1, 4, 7, 20), tuple(range(15)), tuple(range(16)), tuple(range(17)))  # from 16 on they have lives (INT-403)
_ERRORS = (-12351, -12357, -12350, -1)
_BEGINS = (0, 5, 2**31 - 3, 2**32 - 3, 2**63 - 3, 2**64 - 3)  # of counters: a wrap is near
_GAPS = (0, 1000, 10**6 - 1000, 10**6, 10**6 + 1000, SECOND, 5 * SECOND)
_OVERLAPS = (-1000, -(10**6), -SECOND, -2 * SECOND, -20 * SECOND)
_ODD = 0.6  # of the archives may have something wrong, each of these as often
_FAULTS = ("back", "early", "forms", "twice", "marks", "tail", "cut", "scar", "hole", "label", "index", "names")
_FAULTY = 0.2


@dataclass
class Timed:
    """`odd`: what is wrong with it, of _FAULTS."""

    version: int
    metrics: Sequence[Metric]
    pool: Sequence[int]
    begin: int  # nanoseconds
    odd: frozenset[str] = frozenset()
    times: list[int] = field(default_factory=list)  # of its records and marks, in their order
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return max(self.times)

    def time(self, nanoseconds: int) -> bytes:
        seconds, fraction = divmod(nanoseconds, SECOND)
        return word(seconds) + (word(fraction // 1000) if self.version == 2 else word(seconds >> 32) + word(fraction))

    def label(self, part: int, start: int) -> bytes:
        size, places = (132, (64, 40)) if self.version == 2 else (808, (256, 256, 256))
        told = word(size) + word(0x50052600 + self.version) + word(4711) + self.time(start) + word(part)
        told += bytes(8) if self.version == 3 else b""
        texts = (b"host", b"UTC", b"")
        return told + b"".join(text.ljust(room, b"\0") for text, room in zip(texts, places, strict=False)) + word(size)


def set_of(chance: random.Random, count: int, unsound: bool) -> list[Timed]:
    """`count` archives, one after the other or not, with the same metrics."""
    version = chance.choice((2, 3, 3))
    pool = chance.choice(_POOLS)
    metrics = [_metric(chance, place, unsound) for place in range(chance.choice((2, 3, 4)))]
    begin = _BEGIN + chance.choice((0, 0, SECOND // 2, 999_999_000))
    made: list[Timed] = []
    for _ in range(count):
        is_odd = unsound and chance.random() < _ODD
        odd = frozenset(fault for fault in _FAULTS if is_odd and chance.random() < _FAULTY)
        made.append(Timed(version, metrics, pool, begin, odd))
        _fill(chance, made[-1])
        overlaps = unsound and chance.random() < 0.4
        begin = made[-1].last + chance.choice(_OVERLAPS if overlaps else _GAPS)
        if not overlaps:
            begin = max(begin, made[-1].begin + 1000)  # INT-904: no two start at one time
        begin -= begin % 1000
    return made


def _metric(chance: random.Random, place: int, unsound: bool) -> Metric:
    kind = chance.choice(_ODD_TYPES) if unsound and chance.random() < 0.06 else chance.choice(_TYPES)
    semantics = chance.choice((1, 3, 4)) if kind < 6 or (unsound and chance.random() < 0.3) else chance.choice((3, 4))
    domain = DOMAINS[0] if chance.random() < 0.5 else NULL
    number = pmid(29, 0, place + 1)
    if unsound and chance.random() < 0.1:
        number = chance.choice(_DERIVED) + place
    return Metric(number, kind, domain, semantics, 0, (f"m.n{place}".encode(),))


def _fill(chance: random.Random, one: Timed) -> None:
    moments = list(_moments(chance, one))
    start = one.begin + (chance.choice((1000, SECOND // 2, SECOND, SECOND + 1000, 2 * SECOND)) if "early" in one.odd else 0)
    values = _Values(chance, one)
    meta, known = _metadata(chance, one, sorted({moment for moment, is_mark in moments if not is_mark}) or [one.begin])
    content = []
    for moment, is_mark in moments:
        one.times.append(moment)
        content.append(framed(one.time(moment) + word(0)) if is_mark else values.record(moment, known))
    if "tail" in one.odd:  # the last ones cannot be read (INT-207)
        for place in range(len(content) - min(len(content), chance.choice((1, 1, 2, 3))), len(content)):
            count = 4 + len(one.time(0))
            content[place] = content[place][:count] + word(chance.choice((-1, 10**6, 2**31 - 1))) + content[place][count + 4 :]
    one.files["meta"] = one.label(-1, start) + meta
    cuts = sorted({0, *(chance.randrange(len(content) + 1) for _ in range(chance.choice((0, 0, 1, 2))))})
    entries = []
    for number, (begin, end) in enumerate(zip(cuts, [*cuts[1:], len(content)], strict=True)):
        whole = one.label(number, start)
        for place in range(begin, end):
            entries.append((one.times[place], number, len(whole)))
            whole += content[place]
        one.files[str(number)] = whole
    if chance.random() < 0.7:
        one.files["index"] = _index(chance, one, start, entries)
    _spoil(chance, one, len(cuts))


def _moments(chance: random.Random, one: Timed) -> Iterator[tuple[int, bool]]:
    """When there is a record, or a mark."""
    now = before = one.begin
    for place in range(chance.choice((1, 2, 3, 5, 8, 12, 40))):
        if place:
            now += chance.choice((-SECOND, -1000, -3 * SECOND)) if "back" in one.odd and chance.random() < 0.3 else chance.choice(_STEPS)
        near = [(max(before, now + chance.choice(_ODD_MARK_AT if "marks" in one.odd else _MARK_AT)), True)] if chance.random() < _MARKED else []
        is_before = bool(near) and (near[0][0] < now or (near[0][0] == now and chance.random() < 0.5))
        if is_before and place:
            yield from near
        yield now, False
        if near and not is_before:
            yield from near
            now = max(now, near[0][0])
        before = now


def _metadata(chance: random.Random, one: Timed, moments: Sequence[int]) -> tuple[bytes, list[tuple[int, list[int]]]]:
    """Its records, and which instances there are from when on."""
    sound = Dice(chance, 0)
    told = b"".join(metric.record(sound) for metric in one.metrics)
    known = []
    for moment in sorted({moments[0], *(chance.choice(moments) for _ in range(chance.choice((0, 0, 1, 2, 4))))}):
        few = len(one.pool) - chance.choice((0, 0, 1, 2))
        instances = chance.sample(one.pool, max(1, few)) if chance.random() < 0.5 else list(one.pool)
        if chance.random() < 0.7:
            instances.sort()
        table = [f"i{instance} {'ab'[instance % 2]}\0".encode() for instance in instances]
        offsets = [sum(map(len, table[:place])) for place in range(len(table))]
        body = word(5 if one.version == 3 else 2) + one.time(moment) + word(DOMAINS[0]) + word(len(instances))
        told += framed(body + b"".join(map(word, (*instances, *offsets))) + b"".join(table))
        known.append((moment, instances))
    if "names" in one.odd and chance.random() < 0.3:
        told += _labels(chance, one, moments[0])
    return told, known


def _labels(chance: random.Random, one: Timed, moment: int) -> bytes:
    """Of the first metric, around as many names as a merge takes, and as much text (MET-907)."""
    count = chance.choice((1, 255, 256, 1529, 1530, 1531))
    text = "{" + ",".join(f'"l{number}":{number % 7}' for number in range(count)) + "}"
    if chance.random() < 0.3:
        text = '{"l":"' + "x" * (65534 - 8 + chance.choice((-1, 0, 1))) + '"}'
    body = word(7 if one.version == 3 else 3) + one.time(moment) + word(16) + word(one.metrics[0].pmid) + word(1)
    return framed(body + word(-1) + word(len(text)) + text.encode() + word(0))


@dataclass
class _Values:
    """The values of records, one after the other: counters rise, mostly."""

    chance: random.Random
    one: Timed
    counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def record(self, moment: int, known: Sequence[tuple[int, list[int]]]) -> bytes:
        chance = self.chance
        chosen = [metric for metric in self.one.metrics if chance.random() < 0.7] or [chance.choice(list(self.one.metrics))]
        there = next((instances for when, instances in reversed(known) if when <= moment), known[0][1])
        sets = [self._set(metric, there) for metric in chosen]
        head = self.one.time(moment) + word(len(sets))
        at = 4 + len(head) + sum(8 + (4 + 8 * len(values) if values else 0) for _, _, _, values in sets)
        body = blocks = b""
        for metric, count, form, values in sets:
            body += word(metric.pmid) + word(count) + (word(form) if values else b"")
            for instance, value in values:
                if form == 0:
                    value = value[:4].ljust(4, b"\0")
                body += word(instance) + (value if form == 0 else word((at + len(blocks)) // 4 + 2))
                blocks += value if form else b""
        return framed(head + body + blocks)

    def _set(self, metric: Metric, there: Sequence[int]) -> tuple[Metric, int, int, list[tuple[int, bytes]]]:
        chance = self.chance
        if chance.random() < 0.06:
            return metric, chance.choice(_ERRORS), 0, []
        if chance.random() < 0.05:
            return metric, 0, 0, []
        instances = [-1]
        if metric.indom != NULL:
            instances = chance.sample(there, chance.choice((len(there), chance.randint(1, len(there)))))
        is_other = "forms" in self.one.odd and chance.random() < 0.3
        kind = chance.choice(_TYPES) if is_other else metric.type
        form = 0 if kind in (0, 1) or (kind == 4 and metric.pmid % 2) else 1  # INT-411: that of a float does not change
        if is_other and chance.random() < 0.3:
            form = 1 - form
        if "twice" in self.one.odd and chance.random() < 0.2:
            instances = [*instances, chance.choice(instances)]
        values = [(one, self._value(metric, kind, one)) for one in instances]
        told = [(one, value if form == 0 else _block(kind, value)) for one, value in values]
        if "forms" in self.one.odd and form and chance.random() < 0.3:  # only one of them
            place = chance.randrange(len(told))
            other = chance.choice(_TYPES)
            told[place] = told[place][0], _block(other, self._value(metric, other, told[place][0]))
        return metric, len(told), form, told

    def _value(self, metric: Metric, kind: int, instance: int) -> bytes:
        chance = self.chance
        number = self._number(metric, instance)
        match kind:
            case 0 | 1:
                return word(number)
            case 2 | 3:
                return word(number >> 32) + word(number)
            case 4:
                return struct.pack(">f", number % 2**24 / 8)
            case 5:
                return struct.pack(">d", number % 2**40 / 8)
            case 6:
                return chance.choice((b"", b"a", b"two", b"a b c", b"x" * 9)) + b"\0"
            case 9 | 10:
                return word(0)
            case _:
                return chance.randbytes(chance.choice((1, 4, 7)))

    def _number(self, metric: Metric, instance: int) -> int:
        key = metric.pmid, instance
        step = self.chance.choice((0, 1, 2, 10, 100)) if self.chance.random() < 0.9 else self.chance.choice((-1, -50, 2**31, 2**33))
        self.counts[key] = self.counts[key] + step if key in self.counts else self.chance.choice(_BEGINS)
        return self.counts[key]


def _block(kind: int, value: bytes) -> bytes:
    whole = word((kind & 255) << 24 | len(value) + 4) + value
    return whole + bytes(-len(whole) % 4)


def _index(chance: random.Random, one: Timed, start: int, records: Sequence[tuple[int, int, int]]) -> bytes:
    """Entries of all records, of some, or of the first and the last."""
    share = chance.choice((1, 0.4, 0))
    size = 4 if one.version == 2 else 8
    told = one.label(-2, start)
    for place, (moment, number, offset) in enumerate(records):
        if place in (0, len(records) - 1) or chance.random() < share:
            if "index" in one.odd and chance.random() < 0.3:
                moment += chance.choice((-SECOND, SECOND, -1000, 1000))
            meta = len(one.files["meta"])
            told += one.time(moment) + word(number) + b"".join(part.to_bytes(size, "big") for part in (meta, offset))
    return told


def _spoil(chance: random.Random, one: Timed, volumes: int) -> None:
    """A volume is not there, breaks off, has another label, or a word that is another one."""
    label = 132 if one.version == 2 else 808
    if "cut" in one.odd:
        part = str(chance.randrange(volumes))
        size = len(one.files[part])
        one.files[part] = one.files[part][: max(label, size - chance.choice((1, 4, 12, 40, chance.randrange(size))))]
    if "scar" in one.odd:
        part = str(chance.randrange(volumes))
        content = one.files[part]
        if len(content) > label:
            at = label + 4 * chance.randrange((len(content) - label) // 4)
            old = int.from_bytes(content[at : at + 4], "big")
            new = chance.choice((old + 1, old - 1, old ^ 1 << chance.randrange(31), 0, NULL, old + 4))
            one.files[part] = content[:at] + word(new) + content[at + 4 :]
    if "label" in one.odd:
        part = str(chance.randrange(volumes))
        at = chance.choice((0, 4, 8, label - 4))
        one.files[part] = one.files[part][:at] + word(chance.choice((0, 1, 0x50052601, 133))) + one.files[part][at + 4 :]
    if "hole" in one.odd and volumes > 1:
        del one.files[str(chance.randrange(volumes))]
