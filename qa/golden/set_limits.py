# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-sets and archive/limits-sets-opened: archives that are given as one set, a nanosecond or a
letter beside what still goes together; what a validator says of them, and what a reader that opens them says of itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qa.golden import packed
from qa.golden.limit import Whole, data, descriptor, entry, insitu, labels
from qa.golden.pdu_cases import Json

_OF = "base-v3"
_EPOCH = 0x6553F100
_START, _NANOSECOND, _HOST, _ZONE, _LABEL = 12, 20, 36, 292, 808  # of a label of version 3 (ARC-101)
_ONE, _TWO = "07400001", "07400002"  # metrics 29.0.1 and 29.0.2
_COUNT_UNITS = "00100000"


@dataclass(frozen=True)
class Metric:
    """A descriptor; by default all members have the same."""

    pmid: str = _ONE
    names: tuple[str, ...] = ("m.one",)
    type: int = 1
    indom: str = "ffffffff"
    semantics: int = 3
    units: str = "00000000"

    def record(self) -> str:
        whole = descriptor(self.pmid, "", self.type, self.indom, self.semantics, self.units)
        head = whole[8 : -8 - 16]  # without the number of names, and the one name
        body = "".join(f"{len(name):08x}{name.encode().hex()}" for name in self.names)
        length = f"{(len(head) + 8 + len(body)) // 2 + 8:08x}"
        return f"{length}{head}{len(self.names):08x}{body}{length}"


_PLAIN = Metric()


@dataclass(frozen=True)
class Member:
    """An archive: its start, and its records as seconds and nanoseconds after the start of the base archives."""

    records: Sequence[tuple[int, int]]
    metrics: tuple[Metric, ...] = (_PLAIN,)
    host: str = "testhost"
    zone: str = "UTC"
    cut: int = 0  # bytes that are missing at the end of the volume

    @property
    def begin(self) -> tuple[int, int]:
        return self.records[0]

    def files(self, base: packed.Files) -> dict[str, bytes]:
        """By part."""
        pmids = sorted({metric.pmid for metric in self.metrics})
        sets = [insitu(pmid, "00000007") for pmid in pmids]
        second, nanosecond = self.begin
        text = f'{{"hostname":"{self.host}"}}'.encode()
        entry_of_label = f"{2:04x}{8:02x}01{12:04x}{len(self.host) + 2:04x}"
        context = labels(second, f"{1:08x}", "ffffffff", f"ffffffff{len(text):08x}{text.hex()}{1:08x}{entry_of_label}")
        context = context[:32] + f"{nanosecond:08x}" + context[40:]
        meta = context + "".join(metric.record() for metric in self.metrics)
        whole = [data(at, *sets, nanosecond=part) for at, part in self.records]
        offsets = Whole([], whole).offsets
        index = "".join(
            entry(at, 0, _LABEL if i == 0 else _LABEL + len(meta) // 2, offsets[i], part)
            for i, (at, part) in enumerate(self.records)
            if i in (0, len(self.records) - 1)
        )
        bodies = {"meta": meta, "index": index, "0": "".join(whole)}
        made = {part: self._label(base[f"base.{part}"]) + bytes.fromhex(body) for part, body in bodies.items()}
        if self.cut:
            made["0"] = made["0"][: -self.cut]
        return made

    def _label(self, content: bytes) -> bytes:
        label = bytearray(content[:_LABEL])
        second, nanosecond = self.begin
        label[_START : _START + 4] = (_EPOCH + second).to_bytes(4, "big")
        label[_NANOSECOND : _NANOSECOND + 4] = nanosecond.to_bytes(4, "big")
        label[_HOST : _HOST + 256] = self.host.encode().ljust(256, b"\0")
        label[_ZONE : _ZONE + 256] = self.zone.encode().ljust(256, b"\0")
        return bytes(label)


Finding = tuple[str, str, int]  # rule, severity, in how many places


@dataclass(frozen=True)
class Set:
    name: str
    title: str
    members: tuple[Member, ...]
    findings: tuple[Finding, ...] = ()  # of the set
    own: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)  # of members, beside the missing prologue and epilogue
    refused: str = ""  # why it cannot be opened
    is_opened: bool = True  # whether a reader is asked, too
    by_name: tuple[str, ...] = ()  # it is asked for these names alone: a tool lists no metric without one
    deviates: tuple[str, ...] = ()  # versions of PCP that describe it otherwise, by ARC-553 of the ledger


def _span(first: int, last: int, nanosecond: int = 0) -> Member:
    """Records a second apart; the nanosecond is that of the first one."""
    return Member([(first, nanosecond), *((second, 0) for second in range(first + 1, last + 1))])


_A, _B, _C = _span(0, 3), _span(10, 13), _span(20, 23)
_GAP: Finding = ("ARC-2109", "info", 1)
_NS = 999_999_999


def _with(member: Member, *metrics: Metric) -> Member:
    return replace(member, metrics=metrics)


def _clash(name: str, what: str, refused: str, first: Metric, second: Metric) -> Set:
    return Set(name, f"ARC-2104: {what}", (_with(_A, first), _with(_B, second)), (("ARC-2104", "fatal", 1), _GAP), refused=refused)


def _names(name: str, title: str, first: Sequence[Metric], second: Sequence[Metric], *found: Finding, own: Mapping[int, tuple[Finding, ...]] | None = None, by_name: tuple[str, ...] = (), deviates: tuple[str, ...] = ()) -> Set:
    return Set(name, title, (_with(_A, *first), _with(_B, *second)), (*found, _GAP), own or {}, by_name=by_name, deviates=deviates)


_AGAIN: tuple[Finding, ...] = (("ARC-1310", "info", 1),)
_CUT: tuple[Finding, ...] = (("ARC-1103", "fatal", 1), ("ARC-1111", "error", 1))


_OTHER = Metric(_TWO, ("m.two",))

SETS = (
    Set("gap", "ARC-2109: seven seconds between two archives", (_A, _B), (_GAP,)),
    Set("adjacent", "ARC-2102: an archive begins at the time at which the one before it ends", (_A, _span(3, 6))),
    Set("gap-of-1-ns", "ARC-2109: an archive begins a nanosecond after the end of the one before it", (_A, _span(3, 6, 1)), (_GAP,)),
    Set("overlap-of-1-ns", "ARC-2102: an archive begins a nanosecond before the end of the one before it", (_A, _span(2, 6, _NS)), (("ARC-2102", "error", 1),)),
    Set("one-start", "ARC-2103: two archives begin at one time", (_A, _span(0, 5)), (("ARC-2103", "fatal", 1),), refused="set.overlap"),
    Set("starts-1-ns-apart", "ARC-2103: two archives begin a nanosecond apart", (_A, _span(0, 5, 1)), (("ARC-2102", "error", 1),)),
    Set("second-and-third-start", "ARC-2103: the second and the third archive begin at one time", (_A, _B, _span(10, 15)), (("ARC-2103", "fatal", 1), _GAP), refused="set.overlap"),
    Set("three", "ARC-2109: two gaps between three archives", (_A, _B, _C), (("ARC-2109", "info", 2),)),
    Set("three-in-another-order", "ARC-551: three archives, the last one first", (_C, _A, _B), (("ARC-2109", "info", 2),)),
    Set("inside", "ARC-2102: the second archive lies inside the first one, the third after both", (_span(0, 9), _span(3, 6), _C), (("ARC-2102", "error", 1), _GAP)),
    Set("over-two", "ARC-2102: the first archive reaches into the third one", (_span(0, 21), _B, _C), (("ARC-2102", "error", 2),)),
    Set("other-host", "ARC-2101: the last letter of the host is another one", (_A, replace(_B, host="testhosu")), (("ARC-2101", "fatal", 1), _GAP), refused="set.host"),
    Set("longer-host", "ARC-2101: the host has one letter more", (_A, replace(_B, host="testhosts")), (("ARC-2101", "fatal", 1), _GAP), refused="set.host"),
    Set("third-host", "ARC-2101: the third archive is of another host", (_A, _B, replace(_C, host="other")), (("ARC-2101", "fatal", 1), ("ARC-2109", "info", 2)), refused="set.host"),
    Set("two-hosts", "ARC-2101: the second and the third archive are of another host", (_A, replace(_B, host="other"), replace(_C, host="other")), (("ARC-2101", "fatal", 2), ("ARC-2109", "info", 2)), refused="set.host"),
    Set("other-zone", "ARC-2108: another time zone", (_A, replace(_B, zone="EST5")), (("ARC-2108", "info", 1), _GAP)),
    _clash("type", "a metric of another type", "set.type", Metric(type=1), Metric(type=0)),
    _clash("semantics", "a metric of other semantics", "set.semantics", Metric(semantics=3), Metric(semantics=4)),
    _clash("units", "units that differ in a scale", "set.units", Metric(units="10020000"), Metric(units="10010000")),
    # Versions before 7.2.0 open these (ARC-307).
    Set("extra-unit", "ARC-2104: units that differ in the extra unit alone", (_with(_A, Metric(units="10020000")), _with(_B, Metric(units="10020009"))),
        (("ARC-2104", "fatal", 1), _GAP), {1: (("ARC-1328", "info", 1),)}, is_opened=False),
    Set("extra-scale", "ARC-2104: units that differ in the scale of the extra unit alone", (_with(_A, Metric(units="10020009")), _with(_B, Metric(units="1002000a"))),
        (("ARC-2104", "fatal", 1), _GAP), {0: (("ARC-1328", "info", 1),), 1: (("ARC-1328", "info", 1),)}, is_opened=False),
    _clash("units-and-semantics", "other units and other semantics", "set.semantics", Metric(units="10020000"), Metric(units="10010000", semantics=4)),
    Set("clash-and-back", "ARC-2104: the third archive has the type of the first one again",
        (_with(_A, Metric(type=1)), _with(_B, Metric(type=0)), _with(_C, Metric(type=1))), (("ARC-2104", "fatal", 2), ("ARC-2109", "info", 2)), refused="set.type"),
    Set("clash-that-stays", "ARC-2104: the third archive has the type of the second one",
        (_with(_A, Metric(type=1)), _with(_B, Metric(type=0)), _with(_C, Metric(type=0))), (("ARC-2104", "fatal", 1), ("ARC-2109", "info", 2)), refused="set.type"),
    Set("clash-of-the-second-metric", "ARC-2104: of two metrics the second one has another type",
        (_with(_A, _PLAIN, _OTHER), _with(_B, _PLAIN, replace(_OTHER, type=0))), (("ARC-2104", "fatal", 1), _GAP), refused="set.type"),
    _names("metric-of-one", "ARC-2104: a metric that the second archive alone has", [_PLAIN], [_PLAIN, _OTHER]),
    _names("descriptor-twice", "ARC-2105: the second archive has the descriptor twice", [_PLAIN], [_PLAIN, _PLAIN], own={1: _AGAIN}),
    _names("descriptor-twice-in-the-first", "ARC-2105: the first archive has the descriptor twice", [_PLAIN, _PLAIN], [_PLAIN], own={0: _AGAIN}),
    _names("one-name-more", "ARC-2105: the second archive has one name more", [_PLAIN], [Metric(names=("m.one", "n.one"))], ("ARC-2105", "warning", 1), deviates=("6.0.3",)),
    _names("one-name-less", "ARC-2105: the second archive has one name less", [Metric(names=("m.one", "n.one"))], [_PLAIN], ("ARC-2105", "warning", 1)),
    _names("other-name", "ARC-2105: a name with another last letter", [_PLAIN], [Metric(names=("m.onf",))], ("ARC-2105", "warning", 1)),
    _names("names-in-another-order", "ARC-2105: two names in another order", [Metric(names=("m.one", "n.one"))], [Metric(names=("n.one", "m.one"))]),
    _names("names-in-two-descriptors", "ARC-2105: two names, each in a descriptor of its own", [Metric(names=("m.one", "n.one"))], [_PLAIN, Metric(names=("n.one",))], own={1: (("ARC-1315", "error", 1),)}),
    _names("other-pmid", "ARC-2106: the name stands for another metric", [_PLAIN], [Metric(_TWO, ("m.one",))], ("ARC-2106", "error", 1), by_name=("m.one",)),
    _names("names-exchanged", "ARC-2106: two metrics have each other's name", [_PLAIN, _OTHER], [Metric(names=("m.two",)), Metric(_TWO, ("m.one",))], ("ARC-2105", "warning", 2), ("ARC-2106", "error", 2)),
    Set("name-and-back", "ARC-2105: the third archive has the name of the first one again",
        (_A, _with(_B, Metric(names=("m.onf",))), _C), (("ARC-2105", "warning", 2), ("ARC-2109", "info", 2))),
    Set("name-that-stays", "ARC-2105: the third archive has the name of the second one",
        (_A, _with(_B, Metric(names=("m.onf",))), _with(_C, Metric(names=("m.onf",)))), (("ARC-2105", "warning", 1), ("ARC-2109", "info", 2))),
    Set("last-cut", "ARC-2107: the last archive of two cannot be read to its end", (_A, replace(_B, cut=4)), (("ARC-2107", "error", 1), _GAP), {1: _CUT}, is_opened=False),
    Set("second-of-four-without-a-record", "ARC-2109: of four archives the second has nothing but a record that is cut, so that it has no end",
        (_A, replace(_B, records=[(10, 0)], cut=4), _C, _span(30, 33)), (("ARC-2107", "error", 1), ("ARC-2109", "info", 2)), {1: _CUT}, is_opened=False),
)

_UNITS = {"00000000": "", "10020000": "Mbyte", "10010000": "Kbyte"}
_TYPES, _SEMANTICS = {0: "32", 1: "u32"}, {3: "instant", 4: "discrete"}


def _time(moment: tuple[int, int]) -> str:
    return f"{_EPOCH + moment[0]}.{moment[1]:09d}"


def _severest(own: Sequence[Finding], least: Sequence[str]) -> bool:
    return any(severity in least for _, severity, _ in own)


def _files(one: Set, base: packed.Files) -> packed.Files:
    return {f"{'base' if i == 0 else f'base-{i + 1}'}.{part}": content for i, member in enumerate(one.members) for part, content in member.files(base).items()}


def _paths(one: Set) -> Json:
    return {"paths": [f"../inputs/limit-set-{one.name}/{'base' if i == 0 else f'base-{i + 1}'}" for i in range(len(one.members))]}


def _validated(one: Set) -> Json:
    found: list[Finding] = []
    for i, member in enumerate(one.members):
        # Of the first and the last record that are whole, the last one only where nothing is lost behind it.
        whole = len(member.records) - (1 if member.cut else 0)
        missing: list[Finding] = [("ARC-2008", "info", 1)] if whole else []
        missing += [("ARC-2009", "info", 1)] if not member.cut else []
        found += sorted([*one.own.get(i, ()), *missing])
    found += sorted(one.findings)
    return {
        "title": one.title,
        "op": "archive.validate",
        "input": _paths(one),
        "args": {"least": "info"},
        "applies": {"archive_version": 3},
        "expect": {
            "result": {
                "readable": not _severest(found, ["fatal"]),
                "conformant": not _severest(found, ["fatal", "error"]),
                "findings": [{"rule": rule, "severity": severity, "count": count} for rule, severity, count in found],
            }
        },
    }


def _described(one: Set) -> Json:
    """ARC-551, ARC-553, ARC-557."""
    members = sorted(one.members, key=lambda member: member.begin)
    metrics: dict[str, Json] = {}
    names: dict[str, str] = {}  # to the PMID
    for member in members:
        for metric in member.metrics:
            domain, _, item = 29, 0, int(metric.pmid[-3:], 16)
            told = {"type": _TYPES[metric.type], "semantics": _SEMANTICS[metric.semantics], "indom": None, "units": _UNITS[metric.units]} if not one.refused else {}
            metrics.setdefault(metric.pmid, {"pmid": f"{domain}.0.{item}", "names": [], "descriptor": told})
            for name in metric.names:
                names.setdefault(name, metric.pmid)
    for name, pmid in sorted(names.items()):
        metrics[pmid]["names"].append(name)
    labels_of = [{"version": 3, "pid": 4242, "start": _time(member.begin), "host": member.host, "timezone": member.zone} for member in members]
    listed: list[Json] = [metrics[pmid] for pmid in sorted(metrics)]
    if one.by_name:
        listed = [{"name": name, "status": 0, "pmid": metrics[names[name]]["pmid"], "descriptor": metrics[names[name]]["descriptor"]} for name in one.by_name]
    result = {"start": _time(members[0].begin), "end": _time(members[-1].records[-1]), "labels": labels_of, "metrics": listed}
    return {
        "title": one.title.split(": ", 1)[1],
        "op": "archive.describe",
        "input": _paths(one),
        "args": {"metrics": list(one.by_name)} if one.by_name else {},
        "applies": {"archive_version": 3, "dialects": ["6.0.3", "6.3.8", "7.2.2"]},
        "expect": {"reject": {"class": one.refused}} if one.refused else {"result": result},
        **({"deviations": [{"id": "ARC-553", "versions": list(one.deviates), "differs": "always"}]} if one.deviates else {}),
    }


def _fetched(one: Set) -> Json:
    """The first record of all."""
    first = min(member.begin for member in one.members)
    kind = next(metric.type for member in one.members if member.begin == first for metric in member.metrics)
    values = [{"instance": None, "type": _TYPES[kind], "value": "7"}]
    result = {"fetches": [{"time": _time(first), "status": 0, "metrics": [{"metric": "m.one", "status": 0, "values": values}]}]}
    return {
        "title": f"a fetch: {one.title.split(': ', 1)[1]}",
        "op": "replay.interp",
        "input": _paths(one),
        "args": {"metrics": ["m.one"], "start": _time(first), "interval": "1", "count": 1},
        "applies": {"rules": ["pcp-legacy", "pcp-6.3.2", "documented"], "archive_version": 3},
        "expect": {"reject": {"class": one.refused}} if one.refused else {"result": result},
    }


# Archives that cannot be opened, and some that can: then there are two that begin at one time.
_UNOPENED = ("1001-1", "1002-1", "1004-1", "1004-2", "1005-1", "1005-2", "1005-3", "1011-1", "1103-1", "1104-1", "1104-2", "1107-1", "1109-1", "1201-1", "1202-1", "1203-1", "1204-1", "1205-1", "1206-1", "1207-1", "1208-1", "1301-1", "1401-1")  # fmt: skip
_OPENED = ("1303-1",)


def _passed_over() -> Json:
    label = {"version": 3, "pid": 4242, "start": _time((0, 0)), "host": "testhost", "timezone": "UTC"}
    counter = {"name": "m.cnt", "status": 0, "pmid": "29.0.1", "descriptor": {"type": "u32", "semantics": "counter", "indom": None, "units": "count"}}
    base: Json = {"result": {"start": _time((0, 0)), "end": _time((5, 0)), "labels": [label], "metrics": [counter]}}

    def asked(name: str, is_first: bool, expect: Json) -> Json:
        paths = ["../inputs/base-v3/base", f"../inputs/arc-{name}/base"]
        return {
            "title": f"ARC-{name.partition('-')[0]}: {'in front of' if is_first else 'after'} one that is sound",
            "op": "archive.describe",
            "input": {"paths": paths[:: -1 if is_first else 1]},
            "args": {"metrics": ["m.cnt"]},
            "applies": {"archive_version": 3, "dialects": ["7.2.2"]},
            "expect": expect,
        }

    requests = [asked(name, is_first, base) for name in _UNOPENED for is_first in (False, True)]
    requests += [asked(name, is_first, {"reject": {"class": "set.overlap"}}) for name in _OPENED for is_first in (False, True)]
    return {
        "schema": "pmproof-case/1",
        "id": "archive/sets-passed-over",
        "title": "Sets of which one archive cannot be opened: it is passed over, from 7.1.4 on",
        "clauses": ["ARC-551", "ARC-554"],
        "level": "must",
        "why": "One damaged archive must not hide those beside it; and what is only damaged further on is no reason to pass an archive over.",
        "provenance": {"kind": "hand", "note": "By ARC-554, the archives being those of the rules; pmval of 7.2.2 opens and refuses the same lists, in both orders. 6.0.3 and 6.3.8 refuse them all."},
        "requests": requests,
    }


def cases() -> list[Json]:
    rules = {rule for one in SETS for found in (one.findings, *one.own.values()) for rule, _, _ in found}
    return [
        {
            "schema": "pmproof-case/1",
            "id": "archive/limits-sets",
            "title": "Archives given as one set, a nanosecond or a letter beside what still goes together",
            "clauses": sorted({*rules, "ARC-551", "ARC-552", "ARC-553", "ARC-2008", "ARC-2009", "ARC-2303", "ARC-2304"}),
            "level": "must",
            "why": "Each archive of a set may be sound, and the set all the same answers nothing, or something else by another name.",
            "provenance": {"kind": "hand", "note": "By the rows of the rules; how often one is broken is counted from each archive to the ones before it. They have no place (ARC-2303)."},
            "requests": [_validated(one) for one in SETS],
        },
        {
            "schema": "pmproof-case/1",
            "id": "archive/limits-sets-opened",
            "title": "What archives that are opened as one say of themselves",
            "clauses": ["ARC-307", "ARC-550", "ARC-551", "ARC-552", "ARC-553", "ARC-555", "ARC-557"],
            "level": "must",
            "why": "A reader has to open what goes together, and refuse what does not.",
            "provenance": {"kind": "hand", "note": "By ARC-551, 552, 553 and 557: made by qa/golden/set_limits.py from the members' descriptions, and confirmed by PCP 6.0.3, 6.3.8 and 7.2.2: what is described by the tools, the rest by libpcp."},
            "requests": [asked(one) for asked in (_described, _fetched) for one in SETS if one.is_opened],
        },
        _passed_over(),
    ]


def inputs(golden: Path) -> dict[str, packed.Files]:
    base = packed.files_in(golden / "archive" / _OF)
    return {f"limit-set-{one.name}": _files(one, base) for one in SETS}


def pack(golden: Path) -> Json:
    base = packed.files_in(golden / "archive" / _OF)
    return {name: {"of": f"../{_OF}", **packed.pack(base, files)} for name, files in inputs(golden).items()}
