# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits-order: the order of records and marks, prologue and epilogue, and gaps."""

from collections.abc import Sequence

from qa.golden.limit import PMLOGGER, Finding, Limit, Table, Whole, data, descriptor, framed, insitu, mark, time_of

_ONE = "07400001"
_META = [descriptor(_ONE, "m.one")]


def _record(second: int, nanosecond: int = 0) -> str:
    return data(second, insitu(_ONE, "00000007"), nanosecond=nanosecond)


_SIX = [_record(second) for second in range(6)]


def _is_mark(record: str) -> bool:
    return record[32:40] == "0" * 8


def _ordered(name: str, title: str, records: Sequence[str], *found: tuple[str, str, int, int], counts: tuple[int, ...] = ()) -> Limit:
    """`found`: rule, severity, which record, where in it; that there is neither prologue nor epilogue is added."""
    whole = Whole(_META, records)
    with_values = [at for at, record in zip(whole.offsets, records) if not _is_mark(record)]
    findings: list[Finding] = [(rule, severity, "0", whole.offsets[record] + within) for rule, severity, record, within in found]
    findings += [("ARC-2008", "info", "0", with_values[0]), ("ARC-2009", "info", "0", with_values[-1])]
    told = dict(zip(findings, (*(counts or (1,) * len(found)), 1, 1)))
    findings.sort()
    return Limit(f"order-{name}", title, whole.changes, tuple(findings), least="info", counts=tuple(told[one] for one in findings))


_TIME = 4  # of a record


def _with_time(words: str) -> str:
    record = _record(0)
    return record[:8] + words + record[32:]


_ORDER = (
    _ordered("sound", "ARC-1720: six records a second apart", _SIX),
    _ordered("mark-after", "ARC-1724: a mark a nanosecond after the record before it", [*_SIX[:3], mark(2, 1), *_SIX[3:]]),
    _ordered("mark-at-the-record-before", "ARC-1724: a mark at the time of the record before it", [*_SIX[:3], mark(2), *_SIX[3:]], ("ARC-1724", "error", 3, _TIME)),
    _ordered("mark-at-the-record-after", "ARC-1724: a mark at the time of the record after it", [*_SIX[:3], mark(3), *_SIX[3:]]),
    _ordered("mark-after-the-record-after", "ARC-1724: a mark a nanosecond later than the record after it", [*_SIX[:3], mark(3, 1), *_SIX[3:]], ("ARC-1724", "error", 3, _TIME)),
    _ordered("two-marks", "ARC-1723: two marks one after the other", [*_SIX[:3], mark(2, 1), mark(2, 2), *_SIX[3:]], ("ARC-1723", "info", 4, 0)),
    _ordered("two-marks-of-one-time", "ARC-1723: two marks of one time", [*_SIX[:3], mark(2, 1), mark(2, 1), *_SIX[3:]], ("ARC-1723", "info", 4, 0)),
    _ordered("two-marks-descend", "ARC-1724: a mark is earlier than the mark before it", [*_SIX[:3], mark(2, 2), mark(2, 1), *_SIX[3:]],
             ("ARC-1723", "info", 4, 0), ("ARC-1724", "error", 4, _TIME)),
    _ordered("three-marks", "ARC-1723: three marks one after the other", [*_SIX[:3], mark(2, 1), mark(2, 2), mark(2, 3), *_SIX[3:]], ("ARC-1723", "info", 4, 0), counts=(2,)),
    _ordered("marks-apart", "ARC-1723: two marks with a record between them", [*_SIX[:3], mark(2, 1), _SIX[3], mark(3, 1), *_SIX[4:]]),
    _ordered("mark-last", "ARC-1723: the last record is a mark", [*_SIX, mark(5, 1)], ("ARC-1723", "info", 6, 0)),
    _ordered("marks-last", "ARC-1723: the last two records are marks", [*_SIX, mark(5, 1), mark(5, 2)], ("ARC-1723", "info", 7, 0)),
    _ordered("mark-but-one", "ARC-1723: the last record but one is a mark", [*_SIX[:5], mark(4, 1), _SIX[5]]),
    _ordered("mark-second", "ARC-1723: the second record is a mark", [_SIX[0], mark(0, 1), *_SIX[1:]]),
    _ordered("mark-first", "ARC-1723: the first record is a mark, at the label's start", [mark(0), *_SIX[1:]], ("ARC-1723", "info", 0, 0)),
    _ordered("mark-last-at-the-record", "ARC-1724: the last record is a mark, at the time of the record before it", [*_SIX, mark(5)],
             ("ARC-1723", "info", 6, 0), ("ARC-1724", "error", 6, _TIME)),
    _ordered("a-nanosecond-back", "ARC-1720: a record a nanosecond earlier than the one before it", [*_SIX, _record(4, 999999999)], ("ARC-1720", "error", 6, _TIME)),
    _ordered("one-time", "ARC-1721: a record at the time of the one before it", [*_SIX, _record(5)], ("ARC-1721", "warning", 6, _TIME)),
    _ordered("a-nanosecond-on", "ARC-1721: a record a nanosecond later than the one before it", [*_SIX, _record(5, 1)]),
    _ordered("one-time-inside", "ARC-1721: the third and the fourth record are of one time", [*_SIX[:3], *_SIX[2:]], ("ARC-1721", "warning", 3, _TIME)),
    _ordered("one-time-thrice", "ARC-1721: three records of one time", [*_SIX[:3], _SIX[2], *_SIX[2:]], ("ARC-1721", "warning", 3, _TIME), counts=(2,)),
    _ordered("back-and-back", "ARC-1720: two records each earlier than the one before it", [*_SIX, _record(4), _record(3)], ("ARC-1720", "error", 6, _TIME), counts=(2,)),
    _ordered("back-and-on", "ARC-1720: a record earlier than the one before it, and a later one", [*_SIX, _record(4), _record(4, 5)], ("ARC-1720", "error", 6, _TIME)),
    _ordered("last-nanosecond", "ARC-1718: the last nanosecond of a second", [*_SIX, _record(5, 999999999)]),
    _ordered("nanosecond-too-many", "ARC-1718: a nanosecond more than a second has", [*_SIX[:3], _record(2, 1000000000), *_SIX[3:]], ("ARC-1718", "error", 3, _TIME)),
    _ordered("nanosecond-below-0", "ARC-1718: nanosecond -1", [*_SIX[:3], _record(2, 0xFFFFFFFF), *_SIX[3:]], ("ARC-1718", "error", 3, _TIME)),
    _ordered("second-minus-1", "ARC-1722: a record of second -1", [*_SIX[:3], _with_time("ffffffffffffffff00000000"), *_SIX[3:]], ("ARC-1722", "error", 3, _TIME)),
    _ordered("last-second-of-31-bits", "ARC-1226: a record of the last second of 31 bits", [_record(0), _record(1), _with_time("7fffffff000000003b9ac9ff")]),
    _ordered("first-second-beyond-31-bits", "ARC-1226: a record of the first second beyond 31 bits", [_record(0), _record(1), _with_time("800000000000000000000000")],
             ("ARC-1226", "info", 2, _TIME)),
    _ordered("second-beyond-31-bits", "ARC-1226: two records beyond 31 bits", [_record(0), _with_time("800000000000000000000000"), _with_time("800000010000000000000000")],
             ("ARC-1226", "info", 1, _TIME)),
    # ARC-2010: more than ten times the median of one second; the median of fewer than three says nothing.
    _ordered("gap-10", "ARC-2010: ten times the median interval", [*_SIX, _record(15)]),
    _ordered("gap-11", "ARC-2010: eleven times the median interval", [*_SIX, _record(16)], ("ARC-2010", "info", 6, 0)),
    _ordered("gap-11-with-a-mark", "ARC-2010: eleven times the median interval, with a mark", [*_SIX, mark(5, 1), _record(16)]),
    _ordered("gap-first", "ARC-2010: the first interval is the long one", [_record(0), *(_record(second) for second in range(60, 64))], ("ARC-2010", "info", 1, 0)),
    _ordered("gap-of-two-intervals", "ARC-2010: two intervals, of 1 and 59 seconds", [*_SIX[:2], _record(60)]),
    _ordered("gap-of-three-intervals", "ARC-2010: three intervals", [*_SIX[:3], _record(60)], ("ARC-2010", "info", 3, 0)),
    _ordered("gaps-are-the-median", "ARC-2010: of three intervals two are long", [*_SIX[:2], _record(60), _record(120)]),
    _ordered("gaps-short-first", "ARC-2010: two gaps, the longer one first", [*_SIX, _record(60), _record(80)], ("ARC-2010", "info", 6, 0), counts=(2,)),
    _ordered("gaps-long-first", "ARC-2010: two gaps, the shorter one first", [*_SIX, _record(25), _record(90)], ("ARC-2010", "info", 6, 0), counts=(2,)),
)


_LOGUE = {name: pmid for pmid, name, *_ in PMLOGGER}
_HOST, _PORT, _ARCHIVE, _PID, _SEQNUM = (one[0] for one in PMLOGGER)
_EMPTY = f"{0:08x}"
_LOGUE_META = [
    *_META,
    *(descriptor(*one) for one in PMLOGGER),
    framed(f"00000005{time_of(0)}00800001{1:08x}{9:08x}{0:08x}3900"),  # instance 9 "9" of 2.1
]
_HEAD = 20  # of a record of version 3 before its value sets


def _logue(second: int, pid: int | None = 5, seqnum: int | None = 1, more: bool = True, nanosecond: int = 0, pid_in: int = 8) -> str:
    """Five metrics, or three; `more`: with values of the first three; `pid_in`: so many bytes, of which it should have eight. The block of pmcd.pid is the last one."""
    metrics = (_HOST, _PORT, _ARCHIVE) + ((_PID, _SEQNUM) if pid is not None or seqnum is not None else ())
    has = {_HOST: more, _PORT: more, _ARCHIVE: more, _PID: pid is not None and pid >= 0, _SEQNUM: seqnum is not None and seqnum >= 0}
    at = _HEAD + sum(20 if has[one] else 8 for one in metrics)
    sets, blocks = [], ""
    for one in metrics:
        if not has[one]:
            sets.append(one + _EMPTY)
            continue
        is_block = one in (_HOST, _ARCHIVE, _PID)
        word = f"{(at + len(blocks) // 2) // 4 + 2:08x}"
        if one == _PID:
            blocks += f"03{4 + pid_in:06x}{pid:0{2 * pid_in}x}"
        elif is_block:
            blocks += "060000066800" + "7e7e"
        else:
            word = f"{seqnum if one == _SEQNUM else 4330:08x}"
        sets.append(f"{one}{1:08x}{int(is_block):08x}{'ffffffff' if one in (_PID, _SEQNUM) else f'{9:08x}'}{word}")
    return data(second, *sets, blocks=blocks, nanosecond=nanosecond)


def _logues(name: str, title: str, records: Sequence[str], *found: tuple[str, int], and_so: tuple[Finding, ...] = (), counts: tuple[int, ...] = ()) -> Limit:
    whole = Whole(_LOGUE_META, records)
    findings = sorted([*((rule, "info", "0", whole.offsets[record]) for rule, record in found), *and_so])
    return Limit(f"logue-{name}", title, whole.changes, tuple(findings), least="info", counts=counts)


_BETWEEN = [_record(1), _record(2)]
_NEVER = ("ARC-1832", "info", "archive", 0)

_LOGUES = (
    _logues("both", "ARC-2009: prologue and epilogue of one PMCD", [_logue(0), *_BETWEEN, _logue(3)]),
    _logues("other-pid", "ARC-2009: the epilogue has another pmcd.pid", [_logue(0), *_BETWEEN, _logue(3, pid=6)], ("ARC-2009", 3)),
    _logues("other-pid-of-64-bits", "ARC-2009: pmcd.pid differs in its upper word", [_logue(0), *_BETWEEN, _logue(3, pid=5 + (1 << 32))], ("ARC-2009", 3)),
    _logues("other-seqnum", "ARC-2009: the epilogue has another pmcd.seqnum", [_logue(0), *_BETWEEN, _logue(3, seqnum=2)], ("ARC-2009", 3)),
    _logues("other-both", "ARC-2009: the epilogue has another pmcd.pid and pmcd.seqnum", [_logue(0), *_BETWEEN, _logue(3, pid=6, seqnum=2)], ("ARC-2009", 3)),
    _logues("no-prologue", "ARC-2008: the first record is no prologue", [_record(0), *_BETWEEN, _logue(3)], ("ARC-2008", 0)),
    _logues("no-epilogue", "ARC-2009: the last record is no epilogue", [_logue(0), *_BETWEEN], ("ARC-2009", 2)),
    _logues("one-record", "ARC-2009: the prologue is the only record", [_logue(0)], ("ARC-2009", 0), and_so=(("ARC-1333", "info", "meta", 895),)),
    _logues("prologue-alone-with-a-mark", "ARC-2009: the last record is a mark, and the one before it the epilogue", [_logue(0), *_BETWEEN, _logue(3), mark(4)], ("ARC-1723", 4)),
    _logues("no-pid-first", "ARC-2009: the prologue has no pmcd.pid to compare with", [_logue(0, pid=-1), *_BETWEEN, _logue(3, pid=6, seqnum=2)]),
    _logues("no-pid-last", "ARC-2009: the epilogue has no pmcd.pid to compare with", [_logue(0), *_BETWEEN, _logue(3, pid=-1, seqnum=2)]),
    Limit("logue-pid-of-32-bits-first", "ARC-1811: the prologue ends in a pmcd.pid of four bytes, which says nothing of the PMCD", (_short := Whole(_LOGUE_META, [_logue(0, pid_in=4), *_BETWEEN, _logue(3)])).changes,
          (("ARC-1811", "fatal", "0", _short.offsets[0] + _HEAD + 5 * 20 + 2 * 8),), least="info"),
    _logues("without-values-of-three", "ARC-2009: host, port and archive without values, and another pmcd.pid", [_logue(0, more=False), *_BETWEEN, _logue(3, pid=6, more=False)],
            ("ARC-2009", 3), and_so=(_NEVER,), counts=(3, 1)),
    _logues("prologue-of-three", "ARC-591: a prologue of three metrics", [_logue(0, pid=None, seqnum=None), *_BETWEEN, _logue(3)]),
    _logues("prologue-of-four", "ARC-2008: four metrics of a prologue", [data(0, *(one + _EMPTY for one in (_HOST, _PORT, _ARCHIVE, _PID))), *_BETWEEN, _logue(3)], ("ARC-2008", 0)),
    _logues("prologue-of-two-and-one", "ARC-2008: two metrics of a prologue, and another one", [data(0, _HOST + _EMPTY, _PORT + _EMPTY, _ONE + _EMPTY), *_BETWEEN, _logue(3)], ("ARC-2008", 0)),
    _logues("prologue-of-port-archive-pid", "ARC-2008: three metrics of a prologue without the host", [data(0, _PORT + _EMPTY, _ARCHIVE + _EMPTY, _PID + _EMPTY), *_BETWEEN, _logue(3)],
            ("ARC-2008", 0)),
    _logues("prologue-of-host-port-seqnum", "ARC-2008: three metrics of a prologue without the archive", [data(0, _HOST + _EMPTY, _PORT + _EMPTY, _SEQNUM + _EMPTY), *_BETWEEN, _logue(3)],
            ("ARC-2008", 0)),
    _logues("epilogue-of-four-and-one", "ARC-2009: four metrics of an epilogue, and another one",
            [_logue(0), *_BETWEEN, data(3, *(one + _EMPTY for one in (_HOST, _PORT, _ARCHIVE, _PID, _ONE)))], ("ARC-2009", 3)),
    _logues("at-the-time-of-the-first", "ARC-593: the prologue has the time of the first result", [_logue(0), _record(0), *_BETWEEN, _logue(3)],
            and_so=(("ARC-1721", "info", "0", 964),)),
    _logues("later-epilogue", "ARC-2009: an epilogue, and another record", [_logue(0), *_BETWEEN, _logue(3), _record(4)], ("ARC-2009", 4)),
)

TABLES = (
    Table(
        "limits-order",
        "The order of records, of marks among them, and gaps",
        "Times that are a nanosecond apart are in order or not, and marks say where series end.",
        "Each title names the clause; the places are those of section 14.15. The median of ARC-2010 is that of intervals of one second.",
        ("ARC-150", "ARC-151", "ARC-2008", "ARC-2009"),
        _ORDER,
    ),
    Table(
        "limits-logues",
        "Prologues and epilogues, and what is none",
        "They say which PMCD an archive is of, and whether it was the same one to the end.",
        "By the lists of ARC-590 and 591. A metric without values is ARC-1832's; records of one time beside a prologue are told as information.",
        ("ARC-590", "ARC-591", "ARC-593", "ARC-594", "ARC-2008", "ARC-2009"),
        _LOGUES,
    ),
)
