# SPDX-License-Identifier: Apache-2.0
"""Records of .meta (sections 5 and 6 of archive.md): descriptors, instance domains, labels, help texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from qa.suite.explore.crafted import texts
from qa.suite.explore.crafted.dice import Dice, word

NULL = 0xFFFFFFFF
_TYPES = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10)
_BAD_TYPES = (-1, 8, 11, 12, -2, 255)
_SEMANTICS = (1, 3, 4, 1, 3)
_BAD_SEMANTICS = (0, 2, 5, -1)
CLASSES = (1, 2, 4, 8, 16, 32)
_BAD_CLASSES = (0, 3, 5, 64, 128, 12, 33, NULL)
_TEXT_KINDS = (5, 6, 9, 10)
_BAD_TEXT_KINDS = (0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15, 16, 17, 21, 22, 25, 5 | 1 << 31)


def pmid(domain: int, cluster: int, item: int) -> int:
    return domain << 22 | cluster << 10 | item


def indom(domain: int, serial: int) -> int:
    return domain << 22 | serial


PMIDS = tuple(pmid(29, cluster, item) for cluster in (0, 1) for item in (0, 1, 2)) + (pmid(511, 2048, 1), 1, 2)  # the last ones could be formats of values, or types
_BAD_PMIDS = (pmid(30, 0, 1), NULL, PMIDS[1] | 1 << 31, pmid(511, 2047, 1), pmid(511, 2048, 0), pmid(511, 0, 1), pmid(510, 0, 0), NULL - 1, 0, pmid(511, 2047, 0))
DOMAINS = (indom(29, 0), indom(29, 1))
BAD_DOMAINS = (indom(30, 1), NULL, DOMAINS[1] | 1 << 31, indom(511, 1), indom(29, 2), NULL - 1)


def framed(body: bytes, dice: Dice | None = None) -> bytes:
    """As a mistake a length word says something else."""
    size = len(body) + 8
    first, last = (dice.near(size) if dice and dice.slips(0.1) else size for _ in range(2))
    return word(first) + body + word(last)


@dataclass(frozen=True)
class Metric:
    pmid: int
    type: int
    indom: int
    semantics: int
    units: int
    names: tuple[bytes, ...]

    @classmethod
    def of(cls, dice: Dice) -> "Metric":
        identifier = dice.one_of(PMIDS, _BAD_PMIDS)
        names = tuple(texts.metric_name(dice) for _ in range(dice.pick((1, 1, 1, 2, 3)))) if dice.slips() else (texts.metric_name(dice),)
        if dice.slips(0.2):
            names = dice.pick(((*names, names[0]), (b"a" * dice.pick((4094, 4095, 4096, 4097)),)))
        kind = dice.one_of(_TYPES, _BAD_TYPES)
        semantics = dice.one_of(_SEMANTICS if kind < 6 or dice.slips() else (3, 4), _BAD_SEMANTICS)
        if kind == -1:
            semantics = dice.pick((0, 0, 1, 2, 3))
        domain = dice.pick((NULL, dice.one_of(DOMAINS, BAD_DOMAINS))) if identifier > 2 else NULL
        return cls(identifier, kind, domain, semantics, _units(dice), names)

    def other(self, dice: Dice) -> "Metric":
        """As a later descriptor says it."""
        new = Metric.of(dice)
        parts = {"type": self.type, "indom": self.indom, "semantics": self.semantics, "units": self.units, "names": self.names}
        for name in parts:
            if dice.often(0.3):
                parts[name] = getattr(new, name)
        if dice.often(0.2):
            parts["names"] = self.names[::-1]
        return Metric(self.pmid, **parts)  # type: ignore[arg-type]

    def record(self, dice: Dice) -> bytes:
        body = b"".join(map(word, (1, self.pmid, self.type, self.indom, self.semantics, self.units)))
        if dice.slips(0.05):
            return framed(body[: dice.upto(len(body))])
        body += word(dice.near(len(self.names)) if dice.slips(0.3) else len(self.names))
        if dice.slips(0.1):
            return framed(body[: len(body) - dice.pick((0, 0, 1, 4))])
        for name in self.names:
            body += word(dice.near(len(name)) if dice.slips(0.2) else len(name)) + name
        if dice.slips(0.1):
            body = body + b"\0" * dice.pick((1, 2, 3, 4, 5)) if dice.often(0.5) else body[: -dice.pick((1, 2, 3, 4))]
        return framed(body, dice)


def _units(dice: Dice) -> int:
    """Dimensions of space, time and count, their scales, the extra unit (ARC-010)."""
    if dice.often(0.4):
        return 0
    dimensions = [dice.one_of((0, 0, 1, -1, 2, -2), (3, -3, 4, 7, -8)) for _ in range(3)]
    scales = [
        dice.one_of((0, 1, 8, 5), (9, 10, 15)) if dimensions[0] or dice.slips() else 0,
        dice.one_of((0, 1, 3, 5), (6, 7, 15)) if dimensions[1] or dice.slips() else 0,
        dice.pick((0, 3, -3, 7, -8)) if dimensions[2] or dice.slips() else 0,
    ]
    extra = dice.pick((0, dice.one_of((1, 2, 3, 4, -1, -4), (5, -5, 15, -16)))) if dice.often(0.3) else 0
    scale = dice.one_of((1, 2, 3), (0, 4, 5, 7)) if extra or dice.slips(0.3) else 0
    units = 0
    for part in (*dimensions, *scales):
        units = units << 4 | part & 15
    return units << 8 | (extra & 31) << 3 | scale


def domain_record(dice: Dice, version: int, identifier: int, time: bytes, known: Sequence[int], names: Sequence[bytes]) -> tuple[bytes, list[int]]:
    """A full record, or in version 3 a delta to those that are known; and the instances that there are then."""
    is_delta = version == 3 and bool(known) and dice.often(0.5) or dice.slips(0.2)
    kind = dice.one_of((6 if is_delta else 5 if version == 3 else 2,), (2, 5, 6), 0.1)
    if is_delta:
        gone = [one for one in known if dice.often(0.3)]
        come = [one for one in range(8) if one not in known and dice.often(0.4)] or ([8] if not gone else [])
        if dice.slips():
            gone, come = [dice.upto(8) for _ in gone], [dice.upto(8) for _ in come]
        listed = sorted([(one, True) for one in gone] + [(one, False) for one in come])
        instances = sorted({*known, *come} - set(gone))
    else:
        instances = list(known) if known and dice.often(0.4) else [one for one in range(8) if dice.often(0.4)] or [1]
        if known and dice.often(0.3):
            instances = sorted({*instances, dice.upto(9)})
        listed = [(one, dice.slips(0.05)) for one in instances]
    if dice.slips(0.5):
        dice.chance.shuffle(listed)
    if dice.slips(0.5) and listed:
        listed.append(dice.pick(listed))
    if dice.slips(0.1):
        listed = []
    if dice.slips(0.1):
        return _tangled(dice, kind, time + word(identifier)), instances
    table, offsets = _strings(dice, [b"" if is_gone else names[one % len(names)] for one, is_gone in listed])
    identifiers = [dice.pick((-1, -2, 0, 2**31 - 1, -(2**31), one + 1)) if dice.slips(0.1) else one for one, _ in listed]
    count = dice.near(len(listed)) if dice.slips(0.2) else len(listed)
    body = word(kind) + time + word(identifier) + word(count)
    body += b"".join(map(word, identifiers)) + b"".join(map(word, offsets)) + table
    if dice.slips(0.1):
        body = body[: -dice.pick((1, 2, 3, 4, 5, 8))]
    if dice.slips(0.05):
        body = body[: dice.upto(len(body))]
    return framed(body, dice), instances


def _tangled(dice: Dice, kind: int, head: bytes) -> bytes:
    """Names that are tails of one another: together they are many times as long as the record."""
    table = bytes(dice.pick(b"abc ") for _ in range(700)) + b"\0"
    table = dice.pick((table, table * 2, b"a" * 700 + b"\0", table + b"b c\0"))
    count = dice.pick((20, 30, 40))
    offsets = [dice.upto(60) if dice.often(0.9) else dice.upto(len(table)) for _ in range(count)]
    if dice.often(0.3):
        offsets = sorted(offsets)
    return framed(word(kind) + head + word(count) + b"".join(map(word, range(count))) + b"".join(map(word, offsets)) + table)


def _strings(dice: Dice, names: Sequence[bytes]) -> tuple[bytes, list[int]]:
    """A string table, and where the name of each begins. Who has none is gone."""
    table, offsets = b"", []
    for own in names:
        if not own:
            offsets.append(dice.one_of((-1,), (-2, 0, -(2**31)), 0.2))
            continue
        name = texts.instance_name(dice) if dice.slips() else own
        if dice.slips(0.2) and table:
            offsets.append(dice.upto(len(table)))
            continue
        if dice.slips(0.1):
            table += dice.pick((b"\0", b"x", b"zz\0"))
        offsets.append(len(table))
        table += name + b"\0"
    if dice.slips(0.2):
        dice.chance.shuffle(offsets)
    if dice.slips(0.2) and offsets:
        offsets[dice.upto(len(offsets) - 1)] = dice.pick((len(table), len(table) - 1, len(table) + 1, -1, -2, 0, 1, 2**31 - 1))
    if dice.slips(0.2):
        table = table[:-1] if dice.often(0.5) else table + dice.pick((b"\0", b"x", b"yy\0"))
    return table, offsets


def labels_record(dice: Dice, version: int, time: bytes, metrics: Sequence[Metric], label_class: int, known: Sequence[int] = ()) -> bytes:
    """`known`: instances of the first domain."""
    label_class = dice.one_of((label_class,), _BAD_CLASSES, 0.3)
    metric = metrics[0]
    identifier = {
        1: NULL, 2: metric.pmid >> 22 & 511, 4: DOMAINS[0], 8: metric.pmid & ~1023, 16: metric.pmid, 32: DOMAINS[0],
    }.get(label_class, metric.pmid)  # fmt: skip
    if dice.slips():
        identifier = dice.pick((NULL, 0, identifier + 1, identifier | 1 << 31, identifier ^ 1 << 22, metric.pmid, DOMAINS[0]))
    instances = [-1]
    if label_class == 32:
        instances = sorted(dice.chance.sample(list(known), dice.upto(len(known)))) or list(known[:1])
    if dice.slips(0.3):
        ends = known[-1:] or [1]
        instances = dice.pick((instances[::-1], [*instances, *instances[:1]], [*ends, *ends], [*instances, 9], [dice.pick((-1, 0, 1, 2, -2, 2**31 - 1)) for _ in range(dice.upto(3))]))
    sets = b"".join(_label_set(dice, label_class, one) for one in instances)
    count = dice.near(len(instances)) if dice.slips(0.2) else len(instances)
    body = word(dice.one_of((7 if version == 3 else 3,), (7, 3), 0.1)) + time + word(label_class) + word(identifier) + word(count) + sets
    if dice.slips(0.1):
        body = body + b"\0" * dice.pick((1, 4, 11, 12, 13)) if dice.often(0.5) else body[: -dice.pick((1, 2, 4, 8, 12))]
    if dice.slips(0.05):
        body = body[: dice.upto(len(body))]
    return framed(body, dice)


def _many_labels(dice: Dice, label_class: int, instance: int) -> bytes:
    """As many as readers take, or one more (ARC-1505)."""
    count = dice.pick((254, 255, 256))
    text, entries = b"{", b""
    for number in range(count):
        text += b"," if number else b""
        name = b"l%03d" % number
        entries += (len(text) + 1).to_bytes(2, "big") + bytes((len(name), label_class & 63)) + (len(text) + len(name) + 3).to_bytes(2, "big") + (1).to_bytes(2, "big")
        text += b'"' + name + b'":1'
    text += b"}"
    return word(instance) + word(len(text)) + text + word(count) + entries


def _label_set(dice: Dice, label_class: int, instance: int) -> bytes:
    if dice.slips(0.1):
        return word(instance) + word(0) + word(dice.pick((0, 0, -1, -12345, 1)))
    if dice.slips(0.02):
        return _many_labels(dice, label_class, instance)
    json = texts.Json(dice).write()
    text = bytes(json.text)
    found = sorted(json.labels, key=lambda one: one.full)
    if dice.slips(0.5) and len(found) > 1:
        at = dice.upto(len(found) - 2)
        found[at], found[at + 1] = found[at + 1], found[at]
    if dice.slips(0.2) and found:
        found.append(dice.pick(found))
    if dice.slips(0.2) and found:
        found.pop(dice.upto(len(found) - 1))
    entries = b""
    for one in found:
        flags = dice.one_of((label_class,), CLASSES, 0.3) & 63 | (64 if one.nested != dice.slips(0.2) else 0) | dice.pick((0, 0, 128))
        numbers = [one.name_at, one.name_size, flags, one.value_at, one.value_size]
        if dice.slips(0.3):
            numbers[dice.pick((0, 1, 3, 4))] += dice.pick((1, -1, 2, len(text)))
        name_at, name_size, flags, value_at, value_size = (max(0, number) for number in numbers)
        entries += (name_at % 65536).to_bytes(2, "big") + bytes((name_size % 256, flags % 256))
        entries += (value_at % 65536).to_bytes(2, "big") + (value_size % 65536).to_bytes(2, "big")
    size = dice.near(len(text)) if dice.slips(0.1) else len(text)
    count = dice.near(len(found)) if dice.slips(0.1) else len(found)
    return word(instance) + word(size) + text + word(count) + entries


def text_record(dice: Dice, metrics: Sequence[Metric], told: set[tuple[int, int]]) -> bytes:
    """Nothing where there is that text already, unless that is to be a mistake."""
    kind = dice.one_of(_TEXT_KINDS, _BAD_TEXT_KINDS, 0.5)
    domains = [one.indom for one in metrics if one.indom != NULL]
    if kind & 8 and not domains and not dice.slips():
        return b""
    identifier = dice.pick(domains or DOMAINS) if kind & 8 else dice.pick(metrics).pmid
    if dice.slips(0.3):
        identifier = dice.pick((NULL, NULL, 0, identifier + 1, identifier | 1 << 31))
    if told and dice.slips(0.3):  # ARC-1607
        kind, identifier = dice.pick(sorted(told))
    elif (kind, identifier) in told and not dice.slips():
        return b""
    told.add((kind, identifier))
    text = texts.plain(dice, 12) or b"t"
    if dice.slips(0.8):
        text = dice.pick((b"", text + b"\n" + text, b"\n", text + b"\0", text + b"\0x", b"\0" + text))
    body = word(4) + word(kind) + word(identifier) + text + dice.one_of((b"\0",), (b"", b"\0\0", b"x"), 0.3)
    if dice.slips(0.1):
        body = body[: dice.upto(len(body))]
    return framed(body, dice)
