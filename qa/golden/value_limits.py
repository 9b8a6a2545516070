# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-values and archive/limits-events: values of all types beside each other, and events."""

from collections.abc import Sequence

from qa.golden.limit import Finding, Limit, Table, Whole, data, descriptor, framed, insitu, mark, time_of

_ONE, _TWO, _THREE = "07400001", "07400002", "07400003"
_NULL = "ffffffff"
_NUMVAL, _FORMAT, _INSTANCE, _WORD, _BLOCK = 24, 28, 32, 36, 40  # of the first value set in a record, of one value
Found = tuple[str, str, int, int]  # rule, severity, which record, where in it


def _limit(name: str, title: str, meta: Sequence[str], records: Sequence[str], *found: Found, counts: tuple[int, ...] = (), and_so: tuple[Finding, ...] = ()) -> Limit:
    whole = Whole(meta, records)
    with_values = [at for at, record in zip(whole.offsets, records) if record[32:40] != "0" * 8]
    findings: list[Finding] = [(rule, severity, "0", whole.offsets[record] + within) for rule, severity, record, within in found]
    told = dict(zip(findings, counts or (1,) * len(found), strict=True))
    findings = sorted([*findings, *and_so, ("ARC-2008", "info", "0", with_values[0]), ("ARC-2009", "info", "0", with_values[-1])])
    return Limit(f"value-{name}", title, whole.changes, tuple(findings), least="info", counts=tuple(told.get(one, 1) for one in findings))


def _in_block(header: str, payload: str, value_format: int = 1) -> str:
    """A value set with one value, and the only block of its record."""
    return f"{_ONE}{1:08x}{value_format:08x}{_NULL}{12:08x}{header}{payload}"


def _value(kind: int, value: str, in_block: bool = False) -> str:
    if len(value) == 8 and not in_block:
        return insitu(_ONE, value)
    return _in_block(f"{kind:02x}{4 + len(value) // 2:06x}", value)


def _series(kind: int, name: str, title: str, values: Sequence[str], *found: Found, semantics: int = 1, counts: tuple[int, ...] = ()) -> Limit:
    """A metric of that type, a counter if nothing else is said; an empty value is a mark."""
    records = [data(second, _value(kind, value)) if value else mark(second) for second, value in enumerate(values)]
    return _limit(name, title, [descriptor(_ONE, "m.one", kind, semantics=semantics)], records, *found, counts=counts)


def _less(record: int) -> Found:
    return ("ARC-1825", "warning", record, _INSTANCE)


def _negative(record: int) -> Found:
    return ("ARC-1831", "warning", record, _INSTANCE)


# Of each type: its name, a value, the one below it, and values that tell its order from that of other types.
_NUMBERS: tuple[tuple[int, str, str, str], ...] = (
    (0, "32", "00000008", "00000007"),
    (1, "u32", "80000000", "7fffffff"),
    (2, "64", "0000000100000000", "00000000ffffffff"),
    (3, "u64", "8000000000000000", "7fffffffffffffff"),
    (4, "float", "3f800000", "3f7fffff"),
    (5, "double", "3ff0000000000000", "3fefffffffffffff"),
)

_COUNTERS = (
    *(
        limit
        for kind, name, high, low in _NUMBERS
        for limit in (
            _series(kind, f"{name}-increases", f"ARC-1825: a counter of type {name} increases by the least that it can", [low, high]),
            _series(kind, f"{name}-stays", f"ARC-1825: a counter of type {name} stays", [high, high, high]),
            _series(kind, f"{name}-decreases", f"ARC-1825: a counter of type {name} decreases by the least that it can", [high, low], _less(1)),
            _series(kind, f"{name}-decreases-at-last", f"ARC-1825: the third value of a counter of type {name} is less than the second", [low, high, low], _less(2)),
            _series(kind, f"{name}-decreases-after-a-mark", f"ARC-1825: a counter of type {name} decreases after a mark", [high, "", low]),
            _series(kind, f"{name}-decreases-and-increases", f"ARC-1825: a counter of type {name} decreases, and increases", [high, low, high], _less(1)),
            _series(kind, f"{name}-instant-decreases", f"ARC-1825: an instantaneous metric of type {name} decreases", [high, low], semantics=3),
            _series(kind, f"{name}-discrete-decreases", f"ARC-1825: a discrete metric of type {name} decreases", [high, low], semantics=4),
        )
    ),
    _series(0, "32-negative", "ARC-1831: a counter of type 32 is -1", ["ffffffff"], _negative(0)),
    _series(0, "32-least", "ARC-1831: a counter of type 32 is the least number", ["80000000"], _negative(0)),
    _series(0, "32-zero", "ARC-1831: a counter of type 32 is 0", ["00000000"]),
    _series(0, "32-largest", "ARC-1831: a counter of type 32 is the largest number", ["00000000", "7fffffff"]),
    _series(0, "32-from-below-0", "ARC-1831: a counter of type 32 increases from -1 to 0", ["ffffffff", "00000000"], _negative(0)),
    _series(0, "32-below-0", "ARC-1825: a counter of type 32 decreases from 0 to -1", ["00000000", "ffffffff"], _less(1), _negative(1)),
    _series(0, "32-negative-instant", "ARC-1831: an instantaneous metric of type 32 is -1", ["ffffffff"], semantics=3),
    _series(1, "u32-largest", "ARC-1831: a counter of type U32 is the largest number", ["00000000", "ffffffff"]),
    _series(1, "u32-wraps", "ARC-1825: a counter of type U32 goes from the largest number to 0", ["ffffffff", "00000000"], _less(1)),
    _series(2, "64-negative", "ARC-1831: a counter of type 64 is -1", ["ffffffffffffffff"], _negative(0)),
    _series(2, "64-zero", "ARC-1831: a counter of type 64 is 0", ["0000000000000000"]),
    _series(2, "64-below-0", "ARC-1825: a counter of type 64 decreases from the largest number to the least", ["7fffffffffffffff", "8000000000000000"], _less(1), _negative(1)),
    _series(3, "u64-largest", "ARC-1831: a counter of type U64 is the largest number", ["ffffffffffffffff"]),
    _series(3, "u64-wraps", "ARC-1825: a counter of type U64 goes from the largest number to 0", ["ffffffffffffffff", "0000000000000000"], _less(1)),
    _series(4, "float-negative", "ARC-1831: a counter of type FLOAT is less than 0", ["80000001"], _negative(0)),
    _series(4, "float-zero", "ARC-1831: a counter of type FLOAT is 0", ["00000000"]),
    _series(4, "float-more-negative", "ARC-1825: a counter of type FLOAT goes from -1 to -2", ["bf800000", "c0000000"], _less(1), _negative(0), counts=(1, 2)),
    _series(4, "float-less-negative", "ARC-1825: a counter of type FLOAT goes from -2 to -1", ["c0000000", "bf800000"], _negative(0), counts=(2,)),
    _series(5, "double-negative", "ARC-1831: a counter of type DOUBLE is less than 0", ["8000000000000001"], _negative(0)),
    _series(5, "double-more-negative", "ARC-1825: a counter of type DOUBLE goes from -1 to -2", ["bff0000000000000", "c000000000000000"], _less(1), _negative(0), counts=(1, 2)),
    *(
        limit
        for semantics, what in ((1, "a counter"), (3, "an instantaneous metric"))
        for kind, name, word, is_finite, at in (
            (4, "float-largest", "7f7fffff", True, _INSTANCE), (4, "float-infinity", "7f800000", False, _WORD), (4, "float-nan", "7fc00000", False, _WORD), (4, "float-nan-last", "7fffffff", False, _WORD),
            (4, "float-minus-infinity", "ff800000", False, _WORD), (5, "double-largest", "7fefffffffffffff", True, _BLOCK), (5, "double-infinity", "7ff0000000000000", False, _BLOCK),
            (5, "double-nan", "7ff0000000000001", False, _BLOCK), (5, "double-minus-infinity", "fff0000000000000", False, _BLOCK),
        )
        for limit in (
            _series(kind, f"{name}-{semantics}", f"ARC-1828: {what} is {name}", [word], *(() if is_finite else (("ARC-1828", "warning", 0, at),)), semantics=semantics),
        )
    ),
    _series(5, "double-nan-between", "ARC-1828: a counter of type DOUBLE is not a number between two others", ["4000000000000000", "7ff8000000000000", "3ff0000000000000"], ("ARC-1828", "warning", 1, _BLOCK)),
    _series(5, "double-nan-twice", "ARC-1828: a metric of type DOUBLE is not a number, twice", ["7ff8000000000000", "3ff0000000000000", "7ff8000000000000"], ("ARC-1828", "warning", 0, _BLOCK), semantics=3, counts=(2,)),
)  # fmt: skip

_FLOAT = [descriptor(_ONE, "m.one", 4, semantics=3)]
_HALF = "3f000000"


def _domain(second: int, *ids: int) -> str:
    """29.1 at that time."""
    table = b"".join(f"i{one}".encode() + b"\0" for one in ids)
    offsets = [3 * i for i in range(len(ids))]
    return framed(f"{5:08x}{time_of(second)}{_ONE}{len(ids):08x}" + "".join(f"{one:08x}" for one in (*ids, *offsets)) + table.hex())


def _of_instance(instance: int, word: str = "00000007") -> str:
    return f"{_ONE}{1:08x}{0:08x}{instance & 0xFFFFFFFF:08x}{word}"


def _shaped(name: str, title: str, meta: Sequence[str], sets: Sequence[str], *found: Found, counts: tuple[int, ...] = ()) -> Limit:
    return _limit(name, title, meta, [data(second, one) for second, one in enumerate(sets)], *found, counts=counts)


# What is wrong in one record is so in the next that looks like it, and what was right need not be any more.
_AGAIN = (
    *(
        limit
        for semantics, what in ((1, "a counter"), (3, "an instantaneous metric"))
        for limit in (
            _shaped(f"instance-after-none-twice-{semantics}", f"ARC-1802: {what} without instances has instance 0 in two records", [descriptor(_ONE, "m.one", semantics=semantics)], [_of_instance(0)] * 2,
                    ("ARC-1802", "warning", 0, _INSTANCE), counts=(2,)),
            _shaped(f"instance-after-none-and-none-{semantics}", f"ARC-1802: {what} without instances has instance 0, none, and instance 0", [descriptor(_ONE, "m.one", semantics=semantics)],
                    [_of_instance(0), _of_instance(-1), _of_instance(0)], ("ARC-1802", "warning", 0, _INSTANCE), counts=(2,)),
            _shaped(f"instance-unknown-twice-{semantics}", f"ARC-1805: {what} has a value of an unknown instance in two records", [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), _domain(0, 0, 1)],
                    [_of_instance(7)] * 2, ("ARC-1805", "warning", 0, _INSTANCE), counts=(2,)),
            _shaped(f"instance-goes-{semantics}", f"ARC-1805: {what} has values of an instance that is gone from the second of three records on",
                    [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), _domain(0, 0, 1), _domain(1, 1)], [_of_instance(0)] * 3, ("ARC-1805", "warning", 1, _INSTANCE), counts=(2,)),
            _shaped(f"instance-goes-late-{semantics}", f"ARC-1805: {what} has values of an instance that is gone from the fifth of six records on",
                    [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), _domain(0, 0, 1), _domain(4, 1)], [_of_instance(0)] * 6, ("ARC-1805", "warning", 4, _INSTANCE), counts=(2,)),
            _shaped(f"instance-stays-{semantics}", f"ARC-1805: {what} has values of an instance that stays in its domain, which changes with the fifth of six records",
                    [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), _domain(0, 0, 1), _domain(4, 0, 2)], [_of_instance(0)] * 6),
            _shaped(f"instance-comes-{semantics}", f"ARC-1805: {what} has values of an instance that comes with the third of three records",
                    [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), _domain(0, 1), _domain(2, 0, 1)], [_of_instance(0)] * 3, ("ARC-1805", "warning", 0, _INSTANCE), counts=(2,)),
            _shaped(f"instance-of-none-twice-{semantics}", f"ARC-1804: {what} with instances has a value without one in two records", [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), _domain(0, 0)],
                    [_of_instance(-1)] * 2, ("ARC-1804", "error", 0, _INSTANCE), counts=(2,)),
        )
    ),
)


def _come_and_go(name: str, title: str, instances: Sequence[int], *found: Found, semantics: int, beside: Sequence[Sequence[str]], counts: tuple[int, ...] = ()) -> Limit:
    """Values of one instance each, beside metrics that are not in all records; there is no record of the domain."""
    meta = [descriptor(_ONE, "m.one", indom=_ONE, semantics=semantics), descriptor(_TWO, "m.two"), descriptor(_THREE, "m.three")]
    records = [data(second, _of_instance(one, f"{7 + second:08x}"), *(insitu(pmid, "00000007") for pmid in pmids)) for second, (one, pmids) in enumerate(zip(instances, beside, strict=True))]
    return _limit(name, title, meta, records, ("ARC-1807", "error", 0, 20), *found, counts=(1, *counts) if counts else ())


# A set that is as before but for its instance, in records that have other sets beside it.
_OTHER_INSTANCE = tuple(
    limit
    for semantics, what in ((1, "a counter"), (3, "an instantaneous metric"))
    for limit in (
        _come_and_go(f"instance-1-then-none-{semantics}", f"ARC-1804: {what} has a value of instance 1 twice, then one without an instance", [1, 1, -1], ("ARC-1804", "error", 2, _INSTANCE), semantics=semantics,
                     beside=[(_THREE,), (_TWO, _THREE), (_THREE,)]),
        _come_and_go(f"instance-1-then-none-late-{semantics}", f"ARC-1804: {what} has a value of instance 1 four times, then one without an instance", [1, 1, 1, 1, -1], ("ARC-1804", "error", 4, _INSTANCE), semantics=semantics,
                     beside=[(_TWO, _THREE), (_TWO,), (_THREE,), (_TWO, _THREE), (_TWO,)]),
        _come_and_go(f"instance-7-then-none-{semantics}", f"ARC-1804: {what} has a value of instance 7 twice, then one without an instance", [7, 7, -1], ("ARC-1804", "error", 2, _INSTANCE), semantics=semantics,
                     beside=[(_THREE,), (_TWO, _THREE), (_THREE,)]),
    )
)


def _formats(name: str, title: str, in_blocks: Sequence[bool], *found: Found, counts: tuple[int, ...] = ()) -> Limit:
    return _limit(name, title, _FLOAT, [data(second, _value(4, _HALF, in_block)) for second, in_block in enumerate(in_blocks)], *found, counts=counts)


def _typed(kind: int, name: str, title: str, set_and_block: str, *found: Found, counts: tuple[int, ...] = ()) -> Limit:
    return _limit(name, title, [descriptor(_ONE, "m.one", kind, semantics=3)], [data(0, set_and_block)], *found, counts=counts)


def _block_of(kind: int, value: str, length: int | None = None) -> str:
    size = 4 + len(value) // 2 if length is None else length
    padded = value + "7e" * (-(len(value) // 2) % 4)
    return _in_block(f"{kind:02x}{size:06x}", padded)


_INDOM = "07400001"
_MANY = [descriptor(_ONE, "m.one", 1, _INDOM, 1), framed(f"00000005{time_of(0)}{_INDOM}{3:08x}{0:08x}{1:08x}{2:08x}{0:08x}{2:08x}{4:08x}610062006300")]


def _pairs(second: int, *values: tuple[int, int]) -> str:
    return data(second, f"{_ONE}{len(values):08x}{0:08x}" + "".join(f"{instance & 0xFFFFFFFF:08x}{value:08x}" for instance, value in values))


def _instances(name: str, title: str, records: Sequence[str], *found: Found, counts: tuple[int, ...] = ()) -> Limit:
    return _limit(f"instances-{name}", title, _MANY, records, *found, counts=counts)


_P1, _P2, _P3 = 32, 40, 48  # the pairs of a set


def _numbers_of(second: int, *instances: int) -> str:
    """A 7 in a block for each."""
    first = _P1 // 4 + 2 * len(instances) + 2
    pairs = "".join(f"{instance:08x}{first + 3 * place:08x}" for place, instance in enumerate(instances))
    return data(second, f"{_ONE}{len(instances):08x}{1:08x}{pairs}", blocks=f"0200000c{7:016x}" * len(instances))


_BIG = [descriptor(_ONE, "m.one", 2, _INDOM), _MANY[1]]

_ENCODINGS = (
    _formats("formats-insitu", "ARC-1814: three FLOATs as insitu values", [False] * 3),
    _formats("formats-blocks", "ARC-1814: three FLOATs in blocks", [True] * 3),
    _formats("formats-change", "ARC-1814: the third FLOAT is in a block", [False, False, True], ("ARC-1814", "error", 2, _FORMAT)),
    _formats("formats-change-back", "ARC-1814: the second of three FLOATs is an insitu value", [True, False, True], ("ARC-1814", "error", 1, _FORMAT), counts=(2,)),
    *(_typed(kind, f"type-{kind}-in-a-block", f"ARC-1809: a value of type {kind} in a block", _block_of(kind, "00000007"), ("ARC-1809", "error", 0, _BLOCK)) for kind in (0, 1)),
    *(_typed(kind, f"type-{kind}-insitu", f"ARC-1808: a value of type {kind} as an insitu value", insitu(_ONE, "00000007"), ("ARC-1808", "error", 0, _FORMAT)) for kind in (2, 3, 5, 6, 7)),
    _typed(2, "u64-for-64", "ARC-1810: a block of type U64 for a metric of type 64", _block_of(3, "0000000000000007"), ("ARC-1810", "error", 0, _BLOCK)),
    _typed(3, "64-for-u64", "ARC-1810: a block of type 64 for a metric of type U64", _block_of(2, "0000000000000007"), ("ARC-1810", "error", 0, _BLOCK)),
    _typed(5, "64-for-double", "ARC-1810: a block of type 64 for a metric of type DOUBLE", _block_of(2, "0000000000000007"), ("ARC-1810", "error", 0, _BLOCK)),
    _typed(4, "double-for-float", "ARC-1810: a block of type DOUBLE for a metric of type FLOAT", _block_of(5, "3ff0000000000000"), ("ARC-1810", "error", 0, _BLOCK)),
    _typed(6, "aggregate-for-string", "ARC-1810: a block of type AGGREGATE for a metric of type STRING", _block_of(7, "7800"), ("ARC-1810", "error", 0, _BLOCK)),
    _typed(7, "string-for-aggregate", "ARC-1810: a block of type STRING for a metric of type AGGREGATE", _block_of(6, "7800"), ("ARC-1810", "error", 0, _BLOCK)),
    _typed(6, "0-for-string", "ARC-1810: a block of type 0 for a metric of type STRING", _block_of(0, "7800"), ("ARC-1810", "warning", 0, _BLOCK)),
    _typed(7, "0-for-aggregate", "ARC-1810: a block of type 0 for a metric of type AGGREGATE", _block_of(0, "7800"), ("ARC-1810", "warning", 0, _BLOCK)),
    _typed(2, "0-for-64", "ARC-1810: a block of type 0 for a metric of type 64", _block_of(0, "0000000000000007"), ("ARC-1810", "warning", 0, _BLOCK)),
    _typed(7, "8-for-aggregate", "ARC-1829: a block of type 8 for a metric of type AGGREGATE", _block_of(8, "7800"), ("ARC-1829", "warning", 0, _BLOCK)),
    _typed(6, "8-for-string", "ARC-1829: a block of type 8 for a metric of type STRING", _block_of(8, "7800"), ("ARC-1810", "error", 0, _BLOCK), ("ARC-1829", "warning", 0, _BLOCK)),
    _typed(6, "255-for-string", "ARC-1829: a block of type 255 for a metric of type STRING", _block_of(255, "7800"), ("ARC-1810", "error", 0, _BLOCK), ("ARC-1829", "warning", 0, _BLOCK)),
    _typed(2, "64-of-11", "ARC-1811: a block of 11 bytes for a metric of type 64", _block_of(2, "00000000000007"), ("ARC-1811", "fatal", 0, _BLOCK)),
    _typed(2, "64-of-13", "ARC-1811: a block of 13 bytes for a metric of type 64", _block_of(2, "000000000000000700"), ("ARC-1811", "error", 0, _BLOCK)),
    _typed(4, "float-of-7", "ARC-1811: a block of 7 bytes for a metric of type FLOAT", _block_of(4, "3f0000"), ("ARC-1811", "error", 0, _BLOCK)),
    _typed(4, "float-of-9", "ARC-1811: a block of 9 bytes for a metric of type FLOAT", _block_of(4, "3f00000000"), ("ARC-1811", "error", 0, _BLOCK)),
    _typed(6, "string-empty", "ARC-1812: a string of nothing but its NUL", _block_of(6, "00")),
    _typed(6, "string-of-no-byte", "ARC-1812: a string without a byte", _block_of(6, "")),
    _typed(6, "string-without-nul", "ARC-1812: a string of one letter without NUL", _block_of(6, "78"), ("ARC-1812", "warning", 0, _BLOCK + 4)),
    _typed(6, "string-two-nuls", "ARC-1813: a string with two NULs", _block_of(6, "780000"), ("ARC-1813", "warning", 0, _BLOCK + 5)),
    _typed(6, "string-inner-nul", "ARC-1813: a string with a NUL after its first letter", _block_of(6, "78007900"), ("ARC-1813", "warning", 0, _BLOCK + 5)),
    _typed(6, "string-tab", "ARC-1834: a string with a newline and a tabulator", _block_of(6, "780a0900")),
    _typed(6, "string-escape", "ARC-1834: a string with an escape character after a newline", _block_of(6, "780a1b00"), ("ARC-1834", "warning", 0, _BLOCK + 6)),
    _typed(6, "string-return", "ARC-1834: a string with a carriage return", _block_of(6, "780d00"), ("ARC-1834", "warning", 0, _BLOCK + 5)),
    _typed(6, "string-hidden", "ARC-1834: a string with U+200B", _block_of(6, "78e2808b00"), ("ARC-1834", "warning", 0, _BLOCK + 5)),
    _typed(6, "string-hidden-after-a-nul", "ARC-1834: a string with U+200B after its NUL", _block_of(6, "7800e2808b00"), ("ARC-1813", "warning", 0, _BLOCK + 5)),
    _typed(6, "string-not-utf-8", "ARC-1835: a string with a byte that is not UTF-8", _block_of(6, "7879ff00"), ("ARC-1835", "info", 0, _BLOCK + 6)),
    _typed(6, "string-utf-8", "ARC-1835: a string with a letter of two bytes", _block_of(6, "78c3bc00")),
    _typed(7, "aggregate", "ARC-1834: an aggregate with an escape character, a byte that is not UTF-8, and no NUL", _block_of(7, "1bff78")),
    _typed(7, "aggregate-of-no-byte", "ARC-1709: an aggregate without a byte", _block_of(7, "")),
    _typed(-1 & 0xFFFFFFFF, "nosupport", "ARC-1830: a value of a metric of type NOSUPPORT", insitu(_ONE, "00000007"), ("ARC-1830", "error", 0, 20)),
    _instances("increase", "ARC-1825: three instances increase", [_pairs(0, (0, 1), (1, 1), (2, 1)), _pairs(1, (0, 2), (1, 2), (2, 2))]),
    *(
        _instances(f"decrease-{which}", f"ARC-1825: instance {which} of three decreases", [_pairs(0, (0, 5), (1, 5), (2, 5)), _pairs(1, *((one, 4 if one == which else 6) for one in range(3)))],
                   ("ARC-1825", "warning", 1, at))
        for which, at in ((0, _P1), (1, _P2), (2, _P3))
    ),
    _instances("decrease-at-another-place", "ARC-1825: an instance decreases at another place in its set", [_pairs(0, (0, 5), (1, 7)), _pairs(1, (1, 6), (2, 1))], ("ARC-1825", "warning", 1, _P1)),
    _instances("other-first", "ARC-1825: another instance comes first, with a lower value", [_pairs(0, (1, 7), (2, 9)), _pairs(1, (0, 1), (1, 7), (2, 9))]),
    _instances("away-and-back", "ARC-1825: an instance is away for a record, and comes back with a lower value", [_pairs(0, (0, 5), (1, 5)), _pairs(1, (0, 6)), _pairs(2, (0, 6), (1, 4))]),
    _instances("descend", "ARC-1729: the instances descend", [_pairs(0, (2, 1), (0, 1))], ("ARC-1729", "info", 0, 20)),
    _instances("last-descend", "ARC-1729: the last two of three instances descend", [_pairs(0, (0, 1), (2, 1), (1, 1))], ("ARC-1729", "info", 0, 20)),
    _instances("descend-twice", "ARC-1729: the instances of two sets descend", [_pairs(0, (2, 1), (0, 1)), _pairs(1, (2, 1), (0, 1))], ("ARC-1729", "info", 0, 20), counts=(2,)),
    _instances("unknown", "ARC-1805: the third instance is not there", [_pairs(0, (0, 1), (1, 1), (3, 1))], ("ARC-1805", "warning", 0, _P3)),
    _instances("unknown-first", "ARC-1805: two instances are not there", [_pairs(0, (3, 1), (4, 1))], ("ARC-1805", "warning", 0, _P1), counts=(2,)),
    _limit("instances-in-blocks-unknown", "ARC-1805: the second value in blocks is of an unknown instance in the last of five records, which are the same otherwise", _BIG,
           [*(_numbers_of(second, 0, 2) for second in range(4)), _numbers_of(4, 0, 7)], ("ARC-1805", "warning", 4, _P2)),
    _instances("minus-1", "ARC-1804: the second value is of instance -1", [_pairs(0, (0, 1), (-1, 1))], ("ARC-1729", "info", 0, 20), ("ARC-1804", "error", 0, _P2)),
    _instances("minus-2", "ARC-1804: a value of instance -2", [_pairs(0, (-2, 1), (0, 1))], ("ARC-1804", "error", 0, _P1)),
    _instances("twice", "ARC-1714: an instance has two values, one after the other", [_pairs(0, (0, 1), (1, 1), (1, 1))], ("ARC-1714", "error", 0, _P3)),
    _instances("twice-apart", "ARC-1714: an instance has two values, with another one between", [_pairs(0, (1, 1), (2, 1), (1, 1))], ("ARC-1714", "error", 0, _P3), ("ARC-1729", "info", 0, 20)),
    _instances("thrice", "ARC-1714: an instance has three values", [_pairs(0, (1, 1), (1, 1), (1, 1))], ("ARC-1714", "error", 0, _P2), counts=(2,)),
    _limit("code-known", "ARC-1715: an error code that is known", [descriptor(_ONE, "m.one")], [data(0, insitu(_ONE, "00000007")), data(1, _ONE + f"{-12351 & 0xFFFFFFFF:08x}")]),
    _limit("code-unknown", "ARC-1715: an error code that is not known", [descriptor(_ONE, "m.one")], [data(0, insitu(_ONE, "00000007")), data(1, _ONE + f"{-12545 & 0xFFFFFFFF:08x}")], ("ARC-1715", "warning", 1, _NUMVAL)),
    _limit("never", "ARC-1833: the second of two metrics never has a value", [descriptor(_ONE, "m.one"), descriptor(_TWO, "m.two")], [data(0, insitu(_ONE, "00000007"), _TWO + "0" * 8), data(1, _TWO + "0" * 8)],
           and_so=(("ARC-1833", "info", "archive", 0),)),
    _limit("at-last", "ARC-1833: a metric has a value in the last record", [descriptor(_ONE, "m.one")], [data(0, _ONE + "0" * 8), data(1, _ONE + "0" * 8), data(2, insitu(_ONE, "00000007"))]),
    _limit("at-first", "ARC-1833: a metric has a value in the first record", [descriptor(_ONE, "m.one")], [data(0, insitu(_ONE, "00000007")), data(1, _ONE + "0" * 8)]),
    _limit("instance-0", "ARC-1802: a metric without instances has a value for instance 0", [descriptor(_ONE, "m.one")], [data(0, f"{_ONE}{1:08x}{0:08x}{0:08x}{7:08x}")], ("ARC-1802", "warning", 0, _INSTANCE)),
    _limit("domain-later", "ARC-1806: the instance domain is a nanosecond later than the values", [_MANY[0], framed(f"00000005{time_of(0, 1)}{_INDOM}{1:08x}{0:08x}{0:08x}6100")],
           [_pairs(0, (0, 1)), data(0, f"{_ONE}{1:08x}{0:08x}{0:08x}{2:08x}", nanosecond=1)], ("ARC-1806", "error", 0, 20)),
    _limit("domain-never", "ARC-1807: there is no record of the instance domain", _MANY[:1], [_pairs(0, (0, 1)), _pairs(1, (0, 1))], ("ARC-1807", "error", 0, 20)),
)

_EVENTS, _HIGHRES = 9, 10
_STRING_PARAMETER, _NUMBER_PARAMETER = "0740000c", "07400009"
_EVENT_META = {
    kind: [descriptor(_ONE, "m.ev", kind, semantics=3), descriptor(_NUMBER_PARAMETER, "m.evp", 1), descriptor(_STRING_PARAMETER, "m.evs", 6)]
    for kind in (_EVENTS, _HIGHRES)
}
_NUMBER = f"{_NUMBER_PARAMETER}010000080000004d"
_STRING = f"{_STRING_PARAMETER}06000006" + "7800" + "7e7e"


def _event(kind: int, second: int, fraction: int, flags: int = 1, parameters: Sequence[str] = (_NUMBER, _STRING)) -> str:
    seconds = 0x6553F100 + second
    time = f"{seconds:016x}{fraction & 0xFFFFFFFFFFFFFFFF:016x}" if kind == _HIGHRES else f"{seconds:08x}{fraction & 0xFFFFFFFF:08x}"
    return time + f"{flags:08x}{len(parameters):08x}" + "".join(parameters)


def _array(name: str, title: str, kind: int, events: Sequence[str], *found: tuple[str, str, int], count: int | None = None, rest: str = "", counts: tuple[int, ...] = ()) -> Limit:
    """An event array of T+0; where something is found is counted from the number of its events."""
    payload = f"{len(events) if count is None else count:08x}" + "".join(events) + rest
    records = [data(0, _in_block(f"{kind:02x}{4 + len(payload) // 2:06x}", payload))]
    placed: tuple[Found, ...] = tuple((rule, severity, 0, _BLOCK + 4 + at) for rule, severity, at in found)
    meta = _EVENT_META[kind] if events else _EVENT_META[kind][:1]
    return _limit(f"{'highres-' if kind == _HIGHRES else ''}event-{name}", title, meta, records, *placed, counts=counts)


def _of_both(kind: int) -> tuple[Limit, ...]:
    which, fraction, at_fraction, at_flags, head = ("a high-resolution event", 999_999_999, 8, 16, 24) if kind == _HIGHRES else ("an event", 999_999, 4, 8, 16)
    size = head + 12 + 12
    first, second = 4, 4 + size
    return (
        _array("sound", f"ARC-1820: {which} with two parameters", kind, [_event(kind, 0, 5)]),
        _array("of-each-flag", f"ARC-1821: {which} of each flag that is known", kind, [_event(kind, 0, 5, flags) for flags in (1, 2, 4, 8, 16, 31)]),
        *(_array(f"flag-{flags:x}", f"ARC-1821: {which} with the flag {flags:x}", kind, [_event(kind, 0, 5, flags)], ("ARC-1821", "warning", first + at_flags)) for flags in (0x20, 0x21, 0x100, 0x40000000)),
        _array("missed", f"ARC-1817: {which} stands for those that were missed", kind, [_event(kind, 0, 5), f"{_event(kind, 0, 5, 0x80000000, ())[:-8]}{3:08x}", _event(kind, 0, 5)]),
        _array("missed-and-point", f"ARC-1817: {which} stands for those that were missed, with another flag", kind, [_event(kind, 0, 5), f"{_event(kind, 0, 5, 0x80000001, ())[:-8]}{0:08x}"], ("ARC-1817", "warning", second + at_flags)),
        _array("second-flag-20", f"ARC-1821: the second of two has an unknown flag: {which}", kind, [_event(kind, 0, 5), _event(kind, 0, 5, 32)], ("ARC-1821", "warning", second + at_flags)),
        _array("largest-fraction", f"ARC-1820: {which} of the largest fraction", kind, [_event(kind, 0, fraction)]),
        _array("fraction-too-large", f"ARC-1820: {which} of a fraction one too large", kind, [_event(kind, 0, fraction + 1)], ("ARC-1820", "warning", first + at_fraction)),
        _array("fraction-minus-1", f"ARC-1820: {which} of fraction -1", kind, [_event(kind, 0, -1)], ("ARC-1820", "warning", first + at_fraction)),
        _array("one-time", f"ARC-1826: {which} at the time of the one before it", kind, [_event(kind, 0, 5), _event(kind, 0, 5)]),
        _array("back", f"ARC-1826: {which} earlier than the one before it", kind, [_event(kind, 0, 5), _event(kind, 0, 4)], ("ARC-1826", "info", second)),
        _array("back-twice", f"ARC-1826: {which} earlier than the one before it, twice", kind, [_event(kind, 0, 5), _event(kind, 0, 4), _event(kind, 0, 3)], ("ARC-1826", "info", second), counts=(2,)),
        _array("60-s-late", f"ARC-1826: {which} a minute later than its record", kind, [_event(kind, 60, 0)]),
        _array("later", f"ARC-1826: {which} more than a minute later than its record", kind, [_event(kind, 60, 1)], ("ARC-1826", "info", first)),
        _array("early", f"ARC-1826: {which} a day earlier than its record", kind, [_event(kind, -86400, 0)]),
        _array("no-parameters", f"ARC-1818: {which} without parameters, and one with", kind, [_event(kind, 0, 5, 1, ()), _event(kind, 0, 5)]),
        _array("parameter-of-no-metric", f"ARC-1818: the second parameter is of no metric: {which}", kind, [_event(kind, 0, 5, 1, (_NUMBER, "07400042010000080000004d", _STRING))], ("ARC-1818", "warning", first + head + 12)),
        _array("parameter-of-another-type", f"ARC-1819: the second parameter has another type: {which}", kind, [_event(kind, 0, 5, 1, (_NUMBER, f"{_NUMBER_PARAMETER}000000080000004d", _STRING))],
               ("ARC-1819", "warning", first + head + 12 + 4)),
        _array("string-with-a-control", f"ARC-1834: a parameter has a control character: {which}", kind, [_event(kind, 0, 5, 1, (_NUMBER, f"{_STRING_PARAMETER}06000007" + "781b00" + "7e"))], ("ARC-1834", "warning", first + head + 12 + 9)),
        _array("string-with-a-nul", f"ARC-1834: a parameter has a control character after its NUL: {which}", kind, [_event(kind, 0, 5, 1, (_NUMBER, f"{_STRING_PARAMETER}06000007" + "78001b" + "7e"))]),
        _array("string-not-utf-8", f"ARC-1835: a parameter is not UTF-8: {which}", kind, [_event(kind, 0, 5, 1, (_NUMBER, f"{_STRING_PARAMETER}06000007" + "78ff00" + "7e"))], ("ARC-1835", "info", first + head + 12 + 9)),
        _array("string-without-nul", f"ARC-1834: a string of whole words without a NUL, and a parameter behind it: {which}", kind, [_event(kind, 0, 5, 1, (f"{_STRING_PARAMETER}06000008" + "78797a78", _NUMBER))]),
        _array("four-bytes-more", f"ARC-1822: four bytes after {which}", kind, [_event(kind, 0, 5)], ("ARC-1822", "warning", second), rest="00000000"),
        _array("minus-1", f"ARC-1815: -1 records: {which}", kind, [], ("ARC-1815", "error", 0), count=0xFFFFFFFF, rest="00000000"),
    )


_ARRAYS = (*_of_both(_EVENTS), *_of_both(_HIGHRES))

TABLES = (
    Table(
        "limits-counters",
        "Counters of all types that increase, stay and decrease by the least that they can",
        "Rates are made of differences: a comparison in another type, or by words, tells wraps that are none.",
        "By the types of ARC-011; the least differences are those of the last bit.",
        ("ARC-011", "ARC-205", "ARC-230", "ARC-2008", "ARC-2009"),
        _COUNTERS,
    ),
    Table(
        "limits-values",
        "Values of all types, their encodings and their instances",
        "A value is found by its format, its block and its instance; each may be of another metric than it says.",
        "By the layouts of ARC-200 to 208 and 230, and section 14.14 (encoding of values, instances).",
        ("ARC-200", "ARC-205", "ARC-206", "ARC-207", "ARC-230", "ARC-233", "ARC-1709", "ARC-1833", "ARC-2008", "ARC-2009"),
        (*_ENCODINGS, *_AGAIN, *_OTHER_INSTANCE),
    ),
    Table(
        "limits-events",
        "Event arrays at the limits of what they may say",
        "Events are records within a value, with times, flags and values of their own.",
        "By the layouts of ARC-260, 261, 272 and 273; \"near\" is at most a minute later (section 14.14).",
        ("ARC-260", "ARC-261", "ARC-272", "ARC-273", "ARC-274", "ARC-275", "ARC-1817", "ARC-2008", "ARC-2009"),
        _ARRAYS,
    ),
)
