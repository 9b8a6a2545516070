# SPDX-License-Identifier: Apache-2.0
"""Records of volumes (section 4 of archive.md): value sets, values of all types, blocks, events."""

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from qa.suite.explore.crafted import texts
from qa.suite.explore.crafted.dice import Dice, word
from qa.suite.explore.crafted.metadata import NULL, Metric, framed, pmid

_ERRORS = (-12345, -12357, -12358, -12350, -1, -4, -110, 0, 0)
_BAD_ERRORS = (-12344, -12450, -12399, -12400, -12401, -10000, -9999, -12300, -12344, -(2**31), -133, -134, -4096)
_DOUBLES = (0.0, -0.0, 1.0, 1e300, 5e-324, math.inf, -math.inf, math.nan, -1.0, 1.7976931348623157e308)
_FLOATS = (0.0, -0.0, 1.0, 1e38, 1.401298464324817e-45, math.inf, -math.inf, math.nan, -1.0, 3.4028234663852886e38)
_NUMBERS = (0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, 5, 6)
_BLOCK_TYPES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 254, 255)
_FLAGS = (0, 1, 2, 4, 8, 16, 3, 12, 31)
_BAD_FLAGS = (2**31, 2**31 + 1, 2**31 - 1, 32, 64, 2**30, 33)

_MOST_INSTANCES = 12  # that have values in a record
_SHARES = (0.0, 0.2, 0.5, 1.0)  # of the mistakes that a record may have

# What is unusual in a value set: readers that know a record by one before it must not pass over it.
HABITS = ("format 2", "descending instances", "padding of zeros", "twice", "", "")

# ARC-590: what a logger writes first and last. The last of them are singular.
LOGGER = (
    Metric(pmid(2, 3, 3), 6, 0x00800001, 4, 0, (b"pmcd.pmlogger.host",)),
    Metric(pmid(2, 3, 0), 1, 0x00800001, 4, 0, (b"pmcd.pmlogger.port",)),
    Metric(pmid(2, 3, 2), 6, 0x00800001, 4, 0, (b"pmcd.pmlogger.archive",)),
    Metric(pmid(2, 0, 23), 3, NULL, 4, 0, (b"pmcd.pid",)),
    Metric(pmid(2, 0, 24), 1, NULL, 4, 0, (b"pmcd.seqnum",)),
)


@dataclass
class Values:
    """Makes records: most have fewer mistakes than `base`, so that one of them shows. Counters go on from what they were."""

    base: Dice
    version: int
    metrics: Sequence[Metric]
    steady: bool = False  # all records have the same metrics and instances
    mute: frozenset[int] = frozenset()  # metrics that never have a value
    habits: Mapping[int, str] = field(default_factory=dict)  # one of HABITS, by metric: in all records
    counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = self.base  # of the record that is made

    def record(self, time: bytes, instances: dict[int, list[int]], logue: int = 0) -> bytes:
        """`logue`: 0, or how many metrics of a logger it has instead."""
        chance = self.base.chance
        dice = self.dice = Dice(chance, self.base.wrong * chance.choice(_SHARES))
        chosen = [one for one in self.metrics if self.steady or dice.often(0.75)] or list(self.metrics[:1])
        if logue:
            chosen = list(LOGGER[:logue])
        if dice.slips(0.3):
            dice.chance.shuffle(chosen)
        chosen += [one for one in chosen if self.habits.get(one.pmid) == "twice"]  # ARC-1713
        if dice.slips(0.1):
            chosen.append(dice.pick(chosen))
        sets = [(one, *self._values(one, instances)) for one in chosen]
        if dice.slips(0.2):  # identifiers that could be the format of the set before them, which has none
            at = dice.upto(len(sets))
            sets[at:at] = [(replace(chosen[0], pmid=dice.pick((0, 1, 2, 3))), [], None, dice.pick((0, 0, -12345))) for _ in range(2)]
        record = framed(self._body(time, sets), dice)
        return self._scarred(record) if dice.slips(0.7 if self.steady else 0.2) else record

    def _scarred(self, record: bytes) -> bytes:
        """A few of its words are others, so that it is not quite as those before."""
        dice = self.dice
        for _ in range(dice.pick((1, 1, 2, 3))):
            at = 4 * dice.upto(len(record) // 4)
            old = int.from_bytes(record[at : at + 4], "big")
            other = record[4 * dice.upto(len(record) // 4) :][:4]
            new = dice.pick((old + 1, old - 1, old ^ 1 << dice.upto(31), old + 4, 0, -1, int.from_bytes(other, "big")))
            if 4 <= at < len(record) - 4:
                record = record[:at] + word(new) + record[at + 4 :]
        return record

    def mark(self, time: bytes) -> bytes:
        return framed(time + word(0) + (word(dice_word) if (dice_word := self.dice.upto(9)) and self.dice.slips(0.05) else b""), self.dice)

    def _values(self, metric: Metric, instances: dict[int, list[int]]) -> tuple[list[int], list[bytes] | None, int]:
        """Instances, and values of 4 bytes; or blocks; or an error code."""
        dice = self.dice
        if metric.pmid in self.mute or dice.often(0.0 if self.steady else 0.08) or dice.slips(0.1):
            return [], None, dice.one_of(_ERRORS, _BAD_ERRORS)
        names = [-1]
        if metric.indom != NULL:
            known = instances.get(metric.indom, [dice.pick((0, 1, 1, 7))])
            if not known and not dice.slips():
                return [], None, 0
            known = known[:_MOST_INSTANCES] if self.steady else known
            known = known or [0]
            names = sorted(dice.chance.sample(known, len(known) if self.steady else min(_MOST_INSTANCES, dice.pick((len(known), dice.upto(len(known))))))) or known[:1]
        if self.habits.get(metric.pmid) == "descending instances":
            names = names[::-1]
        if dice.slips(0.2):
            names = dice.pick(([-1], [0], names[::-1], [*names, *names[:1]], [*names, 9], [-2], [], [-1, -1], [0, -1]))
        return names, [self._value(metric, one) for one in names], len(names)

    def _value(self, metric: Metric, instance: int) -> bytes:
        dice = self.dice
        kind = metric.type
        if kind in (0, 1, 2, 3):
            number = self._number(metric, instance)
            return word(number) if kind < 2 else word(number >> 32) + word(number)
        if kind in (4, 5):
            number_of: float = dice.one_of((1.5, 0.0, 2.0), _FLOATS if kind == 4 else _DOUBLES)
            if metric.semantics == 1 and not dice.slips():
                number_of = min(float(self._number(metric, instance)), 3e38)
            return struct.pack(">f" if kind == 4 else ">d", number_of)
        if kind in (9, 10):
            return _events(dice, kind == 10, self.metrics)
        if dice.slips(0.01):
            return b"x" * dice.pick((65_530, 100_000, 150_000)) + b"\0"
        plain = texts.plain(dice, 6)
        if self.steady and metric.pmid % 2:  # strings of one length, so that those with a mistake stand where sound ones were
            plain = plain[:5].ljust(5, b"a")
        text = plain + dice.one_of((b"\0",), (b"", b"\0\0", b"\0x", b"\0xyz\0"), 0.3)
        return b"" if dice.slips(0.1) else text

    def _number(self, metric: Metric, instance: int) -> int:
        key = (metric.pmid, instance)
        if metric.semantics != 1:
            return self.dice.pick(_NUMBERS)
        now = self.counts.get(key, self.dice.one_of((5, 0, 2**30), _NUMBERS, 0.3)) + self.dice.one_of((0, 1, 100, 2), (-1, -2, -100, 2**31, -(2**40)), 0.3)
        self.counts[key] = now
        return now

    def _body(self, time: bytes, sets: Sequence[tuple[Metric, list[int], list[bytes] | None, int]]) -> bytes:
        """Sets, then the blocks in their order; as a mistake in another, shared, with a gap, overlapping."""
        dice = self.dice
        in_blocks = [metric.type > 1 or dice.slips(0.1) for metric, *_ in sets]
        in_blocks = [told and not (metric.type == 4 and dice.slips(0.2)) and not dice.slips(0.05) for told, (metric, *_) in zip(in_blocks, sets, strict=True)]
        head = time + word(dice.near(len(sets)) if dice.slips(0.1) else len(sets))
        size = sum(8 + (4 + 8 * len(names) if values else 0) for _, names, values, _ in sets)
        at = 4 + len(head) + size  # in the record
        blocks: list[bytes] = []
        places: list[int] = []
        for (metric, _, values, _), told in zip(sets, in_blocks, strict=True):
            for value in (values or ()) if told else ():
                blocks.append(self._block(metric, value))
                places.append(at)
                at += len(blocks[-1])
        if dice.slips(0.4) and len(blocks) > 1:  # in another order
            blocks, places = self._shuffled(blocks, places)
        if dice.slips(0.1) and places:
            one = dice.upto(len(places) - 1)
            places[one] = dice.pick((*places, *places, places[one] + 4, places[one] - 4, at, at - 4, at + 4, 4 + len(head) + size - 4, 0, 2**24))
        told_places = iter(places)
        body = b""
        for (metric, names, values, count), told in zip(sets, in_blocks, strict=True):
            body += word(metric.pmid ^ (dice.pick((1 << 31, 1, 1 << 10)) if dice.slips(0.05) else 0))
            body += word(dice.near(count) if dice.slips(0.1) else count)
            if not values:
                continue
            usual = 0 if not told else 2 if self.habits.get(metric.pmid) == "format 2" else 1
            body += word(dice.one_of((usual,), (0, 1, 2, 2, 3, -1), 0.2))
            for name, value in zip(names, values, strict=True):
                body += word(name) + (word(next(told_places) // 4 + 2) if told else value[:4].ljust(4, b"\0"))
        tail = dice.pick((b"\0\0\0\0", word(0x06000004), b"~~~~", b"\0" * 8, word(0x0000000C) + b"\0" * 8)) if dice.slips(0.1) else b""
        whole = head + body + (tail + b"".join(blocks) if dice.often(0.2) else b"".join(blocks) + tail)
        return whole[: dice.upto(len(whole))] if dice.slips(0.05) else whole

    def _shuffled(self, blocks: list[bytes], places: list[int]) -> tuple[list[bytes], list[int]]:
        order = list(range(len(blocks)))
        self.dice.chance.shuffle(order)
        at, there = places[0], {}
        for one in order:
            there[one] = at
            at += len(blocks[one])
        return [blocks[one] for one in order], [there[one] for one in range(len(blocks))]

    def _block(self, metric: Metric, value: bytes) -> bytes:
        dice = self.dice
        size = len(value) + 4
        if dice.slips(0.2):
            size = dice.pick((size + 1, size - 1, 0, 3, 4, 5, size + 4, size - 4, 8, 12))
        kind = dice.one_of((metric.type & 255,), _BLOCK_TYPES, 0.2)
        padding = -len(value) % 4
        fill = (b"\0" if self.habits.get(metric.pmid) == "padding of zeros" else b"~") * padding
        if padding and dice.slips(0.3):
            fill = bytes(dice.pick((0x7E, 0, 0x7D, 0x7F)) for _ in range(padding))
        return word(kind << 24 | size & 0xFFFFFF) + value + fill


def _events(dice: Dice, highres: bool, metrics: Sequence[Metric]) -> bytes:
    """An array of event records (section 6)."""
    if dice.slips(0.05):  # ARC-1824
        return b"\0" * dice.pick((0, 1, 3, 4))
    wide = 8 if highres else 4
    second = 1_700_000_000
    events = b""
    able = [one for one in metrics if 0 <= one.type < 7]
    count = dice.pick((1, 1, 2, 3))
    for _ in range(count):
        second += dice.one_of((0, 1, 2), (-1, 59, 60, 61, 10**6), 0.3)
        fraction = dice.one_of((0, 1, 999_999), (-1, 10**6, 10**9, 10**9 - 1, 2**31 - 1), 0.3)
        flags = dice.one_of(_FLAGS, _BAD_FLAGS, 0.4)
        number = dice.pick((0, 1, 2) if able else (0,)) if flags < 2**31 else dice.pick((0, 1, 5))
        events += (second % 2 ** (8 * wide)).to_bytes(wide, "big") + (fraction % 2 ** (8 * wide)).to_bytes(wide, "big")
        events += word(flags) + word(dice.near(number) if dice.slips(0.1) else number)
        for _ in range(number if flags < 2**31 else 0):
            metric = dice.pick(able)
            kind = dice.one_of((metric.type,), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255), 0.2)
            value = texts.plain(dice, 7) + dice.one_of((b"\0",), (b"", b"\0a"), 0.2) if kind > 5 else b"\0" * (4 if kind in (0, 1, 4) else 8)
            size = len(value) + 4
            if dice.slips(0.1):
                size = dice.pick((size + 1, size - 1, 0, 3, 4, size + 4, 2**24 - 1))
            events += word(metric.pmid + dice.slips(0.1)) + word(kind << 24 | size & 0xFFFFFF) + value + b"~" * (-len(value) % 4)
    told = word(dice.one_of((count,), (0, -1, count + 1, count - 1), 0.4)) + events
    if dice.slips(0.1):
        told = told[: dice.upto(len(told))] if dice.often(0.5) else told + b"\0" * dice.pick((1, 2, 3, 4, 8))
    return told
