# SPDX-License-Identifier: Apache-2.0
"""Small archives made field by field, with as many mistakes as they are to have: about each of them a rule has something to say."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from qa.suite.explore.crafted import metadata, texts
from qa.suite.explore.crafted.data import HABITS, LOGGER, Values
from qa.suite.explore.crafted.dice import Dice, word
from qa.suite.explore.crafted.many import Many
from qa.suite.explore.crafted.metadata import DOMAINS, Metric

Files = dict[str, bytes]  # by part: meta, index, the number of a volume

AREAS = ("descriptors", "domains", "labels", "texts", "values", "times", "file labels", "framing", "index")
_TURNS = (*AREAS, "values", "index", "domains")  # the rules on these need the most chances
_MISTAKES = (0.02, 0.05, 0.1)  # everywhere
_IN_AREA = (0.2, 0.4, 0.7)  # in one area, and then few elsewhere
_SOUND = 0.1
_MANY, _MANY_IN_AREA = 0.06, 0.5  # of the domains have many instances
_HABITS = 0.2  # have metrics with something unusual in all records
_INSTANCES = (b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"ab", b"cpu 0", b"x y", b"/dev/sd a", b"i9")
_STARTS = (1_700_000_000,)
_BAD_STARTS = (0, 1, -1, 631152000, 631151999, 2**31 - 3, 2**31 - 1, 2**31, 2**31 + 5, 4_000_000_000, 2**32, 1_900_000_000)
_BEFORE_ALL = -(10**20)
_STEPS = (10**9, 10**9, 10**9, 10**9, 500_000_000, 2 * 10**9)
_BAD_STEPS = (0, 1000, 1, -1000, -1, -(10**9), 10**10, 11 * 10**9, 10 * 10**9 + 1000, 60 * 10**9, 10**6, -(10**6), 1_001_000)
_BEHIND = (
    b"\0", b"\0" * 3, b"\0" * 4, b"\0" * 20, b"\0" * 4096, b"\0\0\0\7", b"\0\0\0\10", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"x", b"xyz", b"\0\0\0\x14\0\0\0",
    word(24), word(8) * 2, word(12) + word(0) + word(12), b"\0" * 30 + b"x", b"\0" * 5000 + b"\1",
)  # fmt: skip
_PLACES = {2: (64, 40, 0), 3: (256, 256, 256)}  # host, time zone, zone information


@dataclass
class Crafted:
    """One archive. `metrics` and `begin` may be those of another one that it follows."""

    dice: Dice
    focus: tuple[str, Dice]  # an area of AREAS, or "", and how often something is wrong there
    version: int
    metrics: list[Metric]
    begin: int  # nanoseconds
    host: bytes
    zone: bytes
    end: int = 0
    files: Files = field(default_factory=dict)
    domains: dict[int, list[tuple[int, list[int]]]] = field(default_factory=dict)  # which instances from when on

    @classmethod
    def of(cls, chance: random.Random, after: "Crafted | None" = None) -> "Crafted":
        area = "" if chance.random() < 0.3 else chance.choice(_TURNS)
        wrong = chance.choice(_IN_AREA if area else _MISTAKES)
        if chance.random() < _SOUND:
            wrong = 0.0
        dice = Dice(chance, chance.choice((0.0, 0.0, 0.0, 0.01)) if area and wrong else wrong)
        focus = area, Dice(chance, wrong)
        if after is None or dice.slips():
            by_name = focus[1] if area == "descriptors" else dice
            metrics = _distinct([Metric.of(by_name) for _ in range(dice.pick((1, 2, 3, 5, 8)))], by_name)
            begin = (dice.pick(_BAD_STARTS) if dice.often(0.03) else dice.one_of(_STARTS, _BAD_STARTS)) * 10**9 + dice.pick((0, 0, 5000, 999_999_000, 500_000_000))
            host, zone = texts.host(dice), texts.zone(dice, 39).encode()
            version = dice.pick((2, 3, 3))
            if version == 3 and dice.often(0.05):  # what version 2 has no room for
                host, zone = (host * 99)[: dice.pick((63, 64, 100))], dice.pick((b"<+03>-3:00:00<-0330>-3:30:00,M1.1.0,J365", zone))
            made = cls(dice, focus, version, metrics, begin, host, zone)
        else:
            metrics = [one.other(dice) if dice.slips() else one for one in after.metrics if dice.often(0.8)] or after.metrics[:1]
            begin = after.end + dice.pick((0, 1000, -1000, 10**9, 10**6, 60 * 10**9, -(10**9), 10**10))
            version = dice.one_of((after.version,), (2, 3), 0.3)
            host = dice.one_of((after.host,), (b"other", after.host + b"x"), 0.3)
            made = cls(dice, focus, version, metrics, begin, host, dice.one_of((after.zone,), (b"EST",), 0.3))
        made._make()
        return made

    def of_area(self, area: str) -> Dice:
        return self.focus[1] if area == self.focus[0] else self.dice

    def time(self, nanoseconds: int) -> bytes:
        """As it is stored; a fraction may be out of range."""
        seconds, fraction = divmod(nanoseconds, 10**9)
        if self.version == 2:
            fraction = self.of_area("times").one_of((fraction // 1000,), (10**6, 10**6 - 1, -1, 2**31 - 1, 0), 0.05)
            return word(seconds) + word(fraction)
        fraction = self.of_area("times").one_of((fraction,), (10**9, 10**9 - 1, -1, 2**31 - 1, 0), 0.05)
        return word(seconds) + word(seconds >> 32) + word(fraction)

    def _make(self) -> None:
        dice = self.dice
        times = [self.begin]
        for _ in range(dice.pick((1, 2, 4, 8, 8, 16, 40))):
            times.append(max(0, times[-1] + self.of_area("times").one_of(_STEPS, _BAD_STEPS, 0.5)))
        self.end = times[-1]
        has_logue = dice.often(0.7)
        meta, meta_ends = self._metadata(times, has_logue)
        volumes = self._volumes(times, has_logue)
        self.files["meta"] = meta
        for number, (content, _) in volumes.items():
            self.files[str(number)] = content
        if not dice.slips(0.1):
            self.files["index"] = self._index(meta_ends, volumes)
        elif dice.often(0.3):
            self.files["index"] = b""

    def _metadata(self, times: Sequence[int], has_logue: bool) -> tuple[bytes, list[tuple[int, int]]]:
        """The file, and when each record of it begins to be valid, and where it ends."""
        dice = self.dice
        records: list[tuple[int, bytes]] = []
        first = times[0]
        if has_logue:
            if not self.of_area("descriptors").slips(0.03):
                records += [(first, one.record(self.dice)) for one in LOGGER]
            head = word(5 if self.version == 3 else 2) + self.time(first) + word(0x00800001)
            records.append((first, metadata.framed(head + word(1) + word(77) + word(0) + b"77 h\0")))
        about = self.of_area("descriptors")
        if not about.slips(0.03):  # ARC-1332
            records += [(first, one.record(about)) for one in self.metrics]
        if about.slips(0.5):
            records.append((first, dice.pick(self.metrics).other(about).record(about)))
        if about.slips(0.3) and records:
            records.append(dice.pick(records))
        records += self._domains(times)
        about = self.of_area("texts")
        told: set[tuple[int, int]] = set()
        records += [(times[-1] if about.slips(0.5) else first, metadata.text_record(about, self.metrics, told)) for _ in range(dice.pick((0, 1, 2, 3)))]
        records += self._labels(times)
        records = [one for one in records if one[1]]
        records.sort(key=lambda one: one[0])
        framing = self.of_area("framing")
        if framing.slips(0.2):
            dice.chance.shuffle(records)
        if framing.slips(0.4):
            kind = dice.pick((0, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8, -1))
            odd = b"".join(word(dice.pick((0, 0, 0, 1, 2, -1, 5, 2**31))) for _ in range(dice.upto(8))) + bytes(dice.pick((0, 0, 0, 1, 4)))
            records.insert(dice.pick((len(records), dice.upto(len(records)))), (times[-1], metadata.framed(word(kind) + odd)))
        content, ends = self._file(-1, [one for _, one in records])
        return content, list(zip([_BEFORE_ALL, *(moment for moment, _ in records)], ends, strict=True))

    def _domains(self, times: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        dice = self.of_area("domains")
        when = _Moments(dice, times)
        if dice.slips(0.1):  # ARC-1807
            return
        share = _MANY_IN_AREA if self.focus[0] == "domains" else _MANY
        for domain in DOMAINS:
            if not dice.slips() and all(one.indom != domain for one in self.metrics):
                continue
            if dice.often(share):
                yield from self._many(domain, times)
                continue
            names = dice.chance.sample(_INSTANCES, len(_INSTANCES))
            for moment in when(dice.pick((1, 1, 2, 3, 10)), first=True):
                known = self.instances_at(domain, moment)
                identifier = dice.one_of((domain,), metadata.BAD_DOMAINS, 0.2)
                record, known = metadata.domain_record(dice, self.version, identifier, self.time(moment), known, names)
                self.domains.setdefault(domain, []).append((moment, known))
                yield dice.one_of((moment,), times, 0.3), record
        if share == _MANY_IN_AREA and dice.wrong and dice.often(share):  # no metric has these, which is no mistake of the records
            for domain in range(DOMAINS[-1] + 1, DOMAINS[-1] + 1 + dice.pick((1, 2, 4))):
                yield from self._many(domain, times)

    def _many(self, domain: int, times: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Those that are last have the most mistakes: readers compare with records without any."""
        dice = self.of_area("domains")
        about = Many(dice, self.version, dice.often(0.2), dice.wrong > 0 and dice.often(0.6))
        count = dice.pick((2, 3, 3, 4, 5, 6, 8, 12))
        step = max(1, (times[-1] - times[0]) // 1000 // count) * 1000
        for place in range(count):
            moment = times[0] + place * step
            if dice.slips(0.2):
                moment += dice.pick((step, -step, -2 * step, 1000, -1000))
            breaks = 0.0 if dice.wrong == 0 or place == 0 else 0.5 if place == count - 1 else 0.1
            record, known = about.next(self.time(moment) + word(domain), breaks)
            if domain in DOMAINS:
                self.domains.setdefault(domain, []).append((moment, known))
            yield dice.one_of((moment,), times, 0.1), record

    def _labels(self, times: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        dice = self.of_area("labels")
        when = _Moments(dice, times)
        classes = dice.chance.sample(metadata.CLASSES, 6)
        for label_class in classes[: dice.pick((0, 1, 2, 4, 6))]:
            for moment in when(dice.pick((1, 1, 2)), first=True):
                known = self.instances_at(DOMAINS[0], moment)
                if label_class in (4, 32) and not known and not dice.slips():
                    continue
                for _ in range(2 if dice.slips(0.5) else 1):
                    chosen = dice.one_of((label_class,), metadata.CLASSES, 0.3)
                    yield moment, metadata.labels_record(dice, self.version, self.time(moment), self.metrics, chosen, known)

    def instances_at(self, domain: int, moment: int) -> list[int]:
        return next((known for when, known in reversed(self.domains.get(domain, [])) if when <= moment), [])

    def _file(self, part: int, records: Sequence[bytes]) -> tuple[bytes, list[int]]:
        """With its label; and where records begin or end."""
        dice = self.of_area("framing")
        content = self.label(part)
        ends = [len(content)]
        for one in records:
            content += one
            ends.append(len(content))
        if dice.slips(0.6):
            content = self._cut(content, ends)
        if dice.slips(0.08):
            content = content[: dice.pick((0, 1, 2, 3, 4, 5, 7, 8, 12, ends[0] - 1, *(ends[0],) * 4))]
        return content, ends

    def _cut(self, content: bytes, ends: Sequence[int]) -> bytes:
        """In a record that may be wrong before that; or with something behind it, or between records; or a length is wrong."""
        dice = self.dice
        at = dice.upto(len(ends) - 1)
        begin, end = ends[max(0, at - 1)], ends[at]
        match dice.upto(7):
            case 0 | 1 | 2 | 3 if at:
                if dice.often(0.6):
                    place = begin + 4 * dice.upto((end - begin) // 4 - 1)
                    old = int.from_bytes(content[place : place + 4], "big")
                    new = dice.pick((0, 1, 2, 5, -1, 2**31, 10**6, 10**6 - 1, 10**9, end - begin, old + 1, old - 1, old + 4, old - 4, old ^ 1 << dice.upto(31)))
                    content = content[:place] + word(new) + content[place + 4 :]
                return content[: end - dice.upto(dice.pick((8, 16, end - begin)))]
            case 4:
                return content[:end] + dice.pick(_BEHIND)
            case 5:
                return content[:end] + b"\0" * dice.pick((4, 8, 5000)) + content[end:]
            case 6 if at:
                place = dice.pick((begin, end - 4))
                size = dice.pick((0, 1, 4, 7, 8, 9, 2**31 - 1, 2**31, 2**32 - 1, end - begin + dice.pick((1, -1, 4, -4, 8)), *(one - begin for one in ends if one > begin)))
                return content[:place] + word(size) + content[place + 4 :]
        return content + dice.pick(_BEHIND)

    def label(self, part: int) -> bytes:
        told_dice = self.of_area("file labels")
        dice = Dice(told_dice.chance, told_dice.wrong if part > 0 else told_dice.wrong / 3)  # those of later volumes are held against the first ones
        host_size, zone_size, info_size = _PLACES[self.version]
        size = 132 if self.version == 2 else 808
        seconds, fraction = divmod(self.begin + (dice.pick((1000, -1000, 10**9, -(10**9), 1)) if dice.slips() else 0), 10**9)
        fraction = dice.one_of((fraction // (1000 if self.version == 2 else 1),), (10**9, 10**6, -1, 10**9 - 1, 10**6 - 1), 0.5)
        start = word(seconds) + (word(seconds >> 32) if self.version == 3 else b"") + word(fraction)
        magic = 0x50052600 + dice.one_of((self.version,), (1, 4, 5 - self.version, 5 - self.version, 0x100), 0.2)
        told = word(magic) + word(dice.one_of((4711,), (0, 1, -1, 4712))) + start + word(part if not dice.slips(0.5) else part + dice.pick((1, -1)))
        if self.version == 3:
            told += word(dice.one_of((0,), (1, 1 << 31, 1 << 30, NULL_BITS))) + word(dice.one_of((0,), (1, NULL_BITS)))
        told += _fixed(dice, dice.one_of((self.host,), (texts.host(told_dice),), 2), host_size)
        told += _fixed(dice, dice.one_of((self.zone,), (texts.zone(told_dice).encode(), b""), 2), zone_size)
        if self.version == 3:
            info = b":" + texts.zone(told_dice).encode() if told_dice.slips() else b""
            told += _fixed(dice, info[dice.upto(1) :] if dice.slips() else info, info_size)
        lengths = [dice.one_of((size,), (size + 4, size - 1, 0, 2**31), 0.3) for _ in range(2)]
        whole = word(lengths[0]) + told + word(lengths[1])
        return whole[: dice.upto(len(whole))] if dice.slips(0.1) else whole

    def _volumes(self, times: Sequence[int], has_logue: bool) -> dict[int, tuple[bytes, list[tuple[int, int]]]]:
        """By number: the file, and where each record begins, with its time."""
        dice = self.dice
        mute = frozenset(one.pmid for one in self.metrics if self.of_area("values").slips(0.4))
        about = self.of_area("values")
        habits = {one.pmid: dice.pick(HABITS) for one in self.metrics} if about.wrong and dice.often(_HABITS) else {}
        values = Values(about, self.version, self.metrics, dice.often(0.6), mute, habits)
        records: list[tuple[int, bytes]] = []
        is_stale = self.of_area("domains").slips(0.5) or (dice.wrong > 0 and dice.often(0.1))  # instances are those of the beginning
        for place, moment in enumerate(times):
            is_end = place in (0, len(times) - 1)
            logue = dice.one_of((5,), (3, 0)) if has_logue and is_end else 0
            if not is_end and dice.often(0.08):
                records.append((moment, values.mark(self.time(moment))))
            else:
                records.append((moment, values.record(self.time(moment), {0x00800001: [77]} | {one: self.instances_at(one, times[0] if is_stale else moment) for one in self.domains}, logue)))
        if self.of_area("times").slips(0.2):
            at = dice.pick((0, len(records)))
            records.insert(at, (times[0] if at == 0 else times[-1], values.mark(self.time(times[0] if at == 0 else times[-1] + 1000))))
        cuts = sorted({0, *(dice.upto(len(records)) for _ in range(dice.pick((0, 0, 0, 1, 2))))})
        made = {}
        number = dice.one_of((0,), (1, 2), 0.2)
        for begin, end in zip(cuts, [*cuts[1:], len(records)], strict=True):
            content, places = self._file(number, [one for _, one in records[begin:end]])
            made[number] = content, [(moment, at) for (moment, _), at in zip([*records[begin:end], (times[-1], b"")], places, strict=True)]
            number += self.of_area("index").one_of((1,), (2, 3), 0.1)
        return made

    def _index(self, meta: Sequence[tuple[int, int]], volumes: dict[int, tuple[bytes, list[tuple[int, int]]]]) -> bytes:
        dice = self.of_area("index")
        size = 4 if self.version == 2 else 8
        entries: list[tuple[int, int, int, int]] = []  # time, volume, offset in .meta, in the volume
        last = max(volumes)
        share = dice.pick((0.3, 0.3, 1.0))
        for number, (_, places) in volumes.items():
            kept = [one for place, one in enumerate(places[:-1]) if place == 0 or dice.often(share) or (number == last and place == len(places) - 2)]
            entries += [(moment, number, max(end for when, end in meta if when <= moment), at) for moment, at in kept]
        if entries and not dice.slips():
            entries[0] = entries[0][:2] + (meta[0][1],) + entries[0][3:]
        ends = [end for _, end in meta]
        for place, one in enumerate(entries):
            if dice.slips():
                entries[place] = self._other_entry(one, ends, [at for _, at in volumes[one[1]][1]], [moment for moment, _ in volumes[one[1]][1]])
        if dice.slips(0.3) and entries:  # the end of the last record
            entries[-1] = (*entries[-1][:3], volumes[last][1][-1][1])
        if dice.slips(0.5) and len(entries) > 1:
            at = dice.upto(len(entries) - 2)
            entries[at], entries[at + 1] = entries[at + 1], entries[at]
        if dice.slips(0.3) and entries:
            entries.insert(dice.upto(len(entries)), dice.pick(entries))
        if dice.slips(0.3) and entries:
            entries.pop(dice.upto(len(entries) - 1))
        told = self.label(-2)
        for moment, number, *offsets in entries:
            told += self.time(moment) + word(number) + b"".join((one % 256**size).to_bytes(size, "big") for one in offsets)
        if dice.slips(0.2):
            told += bytes(dice.pick((1, 4, 19, 20, 31, 32, 40, 64, 96)))
        return told[: -dice.upto(33) or None] if dice.slips(0.1) else told

    def _other_entry(self, entry: tuple[int, int, int, int], ends: Sequence[int], places: Sequence[int], moments: Sequence[int]) -> tuple[int, int, int, int]:
        dice = self.of_area("index")
        moment, number, meta, at = entry
        limits = (0, 4, 132, 131, 808, 807, -1, -4, 2**31 - 1, 2**31, 1, 133, 809)
        match dice.upto(3):
            case 0:
                moment = dice.pick((*moments, moment + dice.pick((1, -1, 1000, -1000, 10**6, -(10**6), 1_001_000, -1_001_000, 10**9, -(10**9))), self.begin - 1000, self.end + 1000, self.end + 10**9, self.end + 10**12, self.end, self.end, self.end + 1, 0, -1))
            case 1:
                number = dice.pick((number + 1, number - 1, -1, 0, 1, 99, 2**31 - 1))
            case 2:
                meta = dice.pick((*ends, dice.pick(ends) + dice.pick((1, -1, 4, -4)), *limits))
            case _:
                at = dice.pick((*places, dice.pick(places) + dice.pick((1, -1, 4, -4)), *limits))
        return moment, number, meta, at


NULL_BITS = 0xFFFFFFFF


@dataclass(frozen=True)
class _Moments:
    dice: Dice
    times: Sequence[int]

    def __call__(self, count: int, first: bool = False) -> list[int]:
        chosen = sorted(self.dice.pick(self.times) for _ in range(count))
        if first and chosen:
            chosen[0] = self.times[0]
        if not self.dice.slips():
            chosen = sorted(set(chosen))
        if self.dice.slips():
            chosen = [one + self.dice.pick((0, 1000, -1000, 10**9, -(10**9), 1)) for one in chosen]
        return [max(0, one) for one in chosen]


def _distinct(metrics: Sequence[Metric], dice: Dice) -> list[Metric]:
    """Each identifier and each name once, unless that is to be a mistake."""
    kept: list[Metric] = []
    names: set[bytes] = set()
    is_free: Callable[[bytes], bool] = lambda name: not any(name == one or name.startswith(one + b".") or one.startswith(name + b".") for one in names)
    for one in metrics:
        clash = any(one.pmid == other.pmid for other in kept) or not all(map(is_free, one.names)) or len(set(one.names)) < len(one.names)
        if not clash or dice.slips() or not kept:
            kept.append(one)
            names.update(one.names)
    return kept


def _fixed(dice: Dice, text: bytes, size: int) -> bytes:
    """In a field of that size: with NULs behind it, or without any, or with something left over."""
    if dice.slips(0.5):
        return dice.pick((text * size, (text + b"\0" + text).ljust(size, b"\0"), text.ljust(size - 1, b"\0") + b"x", (text * size)[: size - 1] + b"\0", b"x" * size))[:size].ljust(size, b"\0")
    return text[:size].ljust(size, b"\0")
