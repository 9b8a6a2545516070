# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-blocks and archive/limits-framing: how value sets and blocks share a record, and records a file."""

from collections.abc import Sequence

from qa.golden.limit import Finding, Limit, Table, Whole, data, descriptor, framed, insitu, time_of

_ONE, _TWO, _INDOM = "07400001", "07400002", "07400001"
_PAIRS, _SETS_END = 32, 48  # in a record with one value set of two values


def _words(*numbers: int) -> str:
    return "".join(f"{number & 0xFFFFFFFF:08x}" for number in numbers)


def _domain(count: int) -> str:
    table = "".join(f"{0x61 + one:02x}00" for one in range(count))
    return framed(_words(5) + time_of(0) + _INDOM + _words(count, *range(count), *(2 * one for one in range(count))) + table)


def _meta(kind: int, count: int) -> list[str]:
    return [descriptor(_ONE, "m.one", kind, _INDOM, 3), _domain(count)]


def _set(*indices: int, value_format: int = 1, numval: int | None = None) -> str:
    return _ONE + _words(len(indices) if numval is None else numval, value_format) + "".join(_words(one, index) for one, index in enumerate(indices))


def _string(length: int = 6, padding: str = "7e7e") -> str:
    return f"06{length:06x}" + "7800" + padding


def _found(found: Sequence[tuple[str, str, int]], least: str, at: int = 808) -> tuple[Finding, ...]:
    findings: list[Finding] = [(rule, severity, "0", at + within) for rule, severity, within in found]
    if least == "info":
        findings += [("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 808)]
    return tuple(findings)


def _one(name: str, title: str, body: str, *found: tuple[str, str, int], count: int = 1, meta: Sequence[str] | None = None, counts: tuple[int, ...] = ()) -> Limit:
    """The only record of an archive: `body` follows its number of value sets."""
    least = "fatal" if any(severity == "fatal" for _, severity, _ in found) else "info"
    record = framed(time_of(0) + _words(count) + body)
    told = counts and (*counts, 1, 1)
    return Limit(f"blocks-{name}", title, Whole(meta or _meta(6, 2), [record]).changes, _found(found, least), least=least, counts=told)


_TWO_STRINGS = _string() * 2
_NUMBER_BLOCKS = [f"0200000c{one:016x}" for one in range(6)]


def _numbers(name: str, title: str, indices: Sequence[int], blocks: Sequence[str], *found: tuple[str, str, int], counts: tuple[int, ...] = ()) -> Limit:
    """Six values of type 64, whose blocks begin 80 bytes after their record (index 22), 12 bytes each."""
    return _one(f"six-{name}", title, _set(*indices) + "".join(blocks), *found, meta=_meta(2, 6), counts=counts)


_SIX = [22 + 3 * one for one in range(6)]

_BLOCKS = (
    _one("two", "ARC-208: two blocks", _set(14, 16) + _TWO_STRINGS),
    _one("exchanged", "ARC-1716: the blocks of two values in another order", _set(16, 14) + _TWO_STRINGS, ("ARC-1716", "info", 0)),
    Limit(
        "blocks-exchanged-after-an-empty-set",
        "ARC-1725: a value set without values, then one of metric 0.0.2, whose identifier is no format; and two blocks in another order",
        Whole([*_meta(6, 2), descriptor(_TWO, "m.two"), descriptor("00000002", "m.three")], [data(0, _TWO + _words(0), insitu("00000002", "00000007"), _set(23, 21), blocks=_TWO_STRINGS)]).changes,
        (("ARC-1716", "info", "0", 808), ("ARC-1833", "info", "archive", 0), ("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 808)),
        least="info",
    ),
    _one("shared", "ARC-1711: two values have one block", _set(14, 14) + _string(), ("ARC-1711", "fatal", _PAIRS + 12)),
    _one("second-in-the-first", "ARC-1707: the second block begins a word into the first", _set(14, 15) + _TWO_STRINGS, ("ARC-1707", "fatal", _PAIRS + 12)),
    *(
        _one(f"first-index-{index}", f"ARC-1706: the first index is {index}", _set(index, 16) + _TWO_STRINGS, ("ARC-1706", "fatal", _PAIRS + 4))
        for index in (-1, 0, 1, 2, 13, 18, 0x40000000, 0x7FFFFFFF)
    ),
    *(
        _one(f"second-index-{index}", f"ARC-1706: the second index is {index}", _set(14, index) + _TWO_STRINGS, ("ARC-1706", "fatal", _PAIRS + 12))
        for index in (-1, 1, 13, 18, 19)
    ),
    *(_one(f"first-length-{length}", f"ARC-1709: the first block has {length} bytes", _set(14, 16) + _string(length) + _string(), ("ARC-1709", "fatal", _SETS_END)) for length in (0, 3)),
    _one("first-length-4", "ARC-1708: the first block ends before its value", _set(14, 16) + _string(4) + _string(), ("ARC-1708", "fatal", _SETS_END + 4)),
    _one("first-length-8", "ARC-230: the first block needs no padding", _set(14, 16) + _string(8, "7900") + _string(), ("ARC-1813", "warning", _SETS_END + 5)),
    _one("first-length-9", "ARC-1707: the first block ends in the second", _set(14, 16) + _string(9) + _string(), ("ARC-1707", "fatal", _PAIRS + 12)),
    _one("second-length-3", "ARC-1709: the second block has 3 bytes", _set(14, 16) + _string() + _string(3), ("ARC-1709", "fatal", _SETS_END + 8)),
    _one("second-length-4", "ARC-1708: the second block ends before its value", _set(14, 16) + _string() + _string(4), ("ARC-1708", "fatal", _SETS_END + 12)),
    _one("second-length-5", "ARC-230: the second block has one byte, and three of padding", _set(14, 16) + _string() + "06000005" + "007e7e7e"),
    _one("second-length-9", "ARC-1710: the second block goes a byte beyond the record", _set(14, 16) + _string() + _string(9), ("ARC-1710", "fatal", _SETS_END + 8)),
    _one("word-before", "ARC-1708: a word before the first block", _set(15, 17) + _words(0) + _TWO_STRINGS, ("ARC-1708", "fatal", _SETS_END)),
    _one("word-between", "ARC-1708: a word between two blocks", _set(14, 17) + _string() + _words(0) + _string(), ("ARC-1708", "fatal", _SETS_END + 8)),
    _one("word-after", "ARC-1708: a word after the last block", _set(14, 16) + _TWO_STRINGS + _words(0), ("ARC-1708", "fatal", _SETS_END + 16)),
    _one("format-2", "ARC-1725: value format 2", _set(14, 16, value_format=2) + _TWO_STRINGS, ("ARC-1725", "info", 28)),
    _one("format-3", "ARC-1705: value format 3", _set(14, 16, value_format=3) + _TWO_STRINGS, ("ARC-1705", "fatal", 28)),
    _one("format-minus-1", "ARC-1705: value format -1", _set(14, 16, value_format=-1) + _TWO_STRINGS, ("ARC-1705", "fatal", 28)),
    _one("padding-first", "ARC-1717: the first byte of padding is NUL", _set(14, 16) + _string(6, "007e") + _string(), ("ARC-1717", "info", _SETS_END + 6)),
    _one("padding-second", "ARC-1717: the second byte of padding is NUL", _set(14, 16) + _string(6, "7e00") + _string(), ("ARC-1717", "info", _SETS_END + 7)),
    _one("padding-of-the-last", "ARC-1717: the padding of the last block is NUL", _set(14, 16) + _string() + _string(6, "0000"), ("ARC-1717", "info", _SETS_END + 14)),
    _one("numval-5", "ARC-1704: five values, and room for four", _set(14, 16, numval=5) + _TWO_STRINGS, ("ARC-1704", "fatal", 24)),
    _one("numval-9", "ARC-1704: nine values, and room for eight", _ONE + _words(9, 0) + "".join(_words(one, 7) for one in range(8)), ("ARC-1704", "fatal", 24), meta=_meta(1, 9)),
    _one("numval-9-in-blocks", "ARC-1704: nine values, and room for eight, blocks included", _set(14, 16, numval=9) + _string() * 6, ("ARC-1704", "fatal", 24), meta=_meta(6, 9)),
    _one("sets-2-of-1", "ARC-1703: two value sets where there is one", _set(14, 16) + _TWO_STRINGS, ("ARC-1703", "fatal", 16), count=2),
    _one("sets-1-of-2", "ARC-1703: one value set where there are two", insitu(_ONE, "00000007") + insitu(_TWO, "00000007"), ("ARC-1703", "fatal", 16), meta=[descriptor(_ONE, "m.one"), descriptor(_TWO, "m.two")]),
    _one("sets-1-and-a-word", "ARC-1708: a word after the only value set", insitu(_ONE, "00000007") + _words(0), ("ARC-1708", "fatal", 40), meta=[descriptor(_ONE, "m.one")]),
    _one("sets-1-and-two-words", "ARC-1708: two words after the only value set, which are no value set", insitu(_ONE, "00000007") + _words(1, 1), ("ARC-1708", "fatal", 40), meta=[descriptor(_ONE, "m.one")]),
    _one("sets-1-and-an-empty-set", "ARC-1703: a value set, and one without values", insitu(_ONE, "00000007") + _TWO + _words(0), ("ARC-1703", "fatal", 16), meta=[descriptor(_ONE, "m.one"), descriptor(_TWO, "m.two")]),
    _one("sets-minus-1", "ARC-1701: -1 value sets", insitu(_ONE, "00000007"), ("ARC-1701", "fatal", 16), count=-1, meta=[descriptor(_ONE, "m.one")]),
    _one("sets-3-of-20-bytes", "ARC-1702: three value sets in 20 bytes", insitu(_ONE, "00000007"), ("ARC-1702", "fatal", 16), count=3, meta=[descriptor(_ONE, "m.one")]),
    _one("sets-0-and-a-set", "ARC-1712: a mark of 44 bytes", insitu(_ONE, "00000007"), ("ARC-1712", "fatal", 0), count=0, meta=[descriptor(_ONE, "m.one")]),
    _one("set-of-16", "ARC-1704: a value without its last word", _ONE + _words(1, 0, -1), ("ARC-1704", "fatal", 24), meta=[descriptor(_ONE, "m.one")]),
    _one("set-of-8", "ARC-1704: a value set of eight bytes has a value", _ONE + _words(1), ("ARC-1704", "fatal", 24), meta=[descriptor(_ONE, "m.one")]),
    _one("insitu-words", "ARC-205: insitu values that would be indices", insitu(_ONE, "00000002"), meta=[descriptor(_ONE, "m.one")]),
    _numbers("sound", "ARC-208: six blocks of one size", _SIX, _NUMBER_BLOCKS),
    _numbers("last-two-exchanged", "ARC-1716: the last two of six blocks in another order", [*_SIX[:4], _SIX[5], _SIX[4]], _NUMBER_BLOCKS, ("ARC-1716", "info", 0)),
    _numbers("first-two-exchanged", "ARC-1716: the first two of six blocks in another order", [_SIX[1], _SIX[0], *_SIX[2:]], _NUMBER_BLOCKS, ("ARC-1716", "info", 0)),
    _numbers("last-of-another-type", "ARC-1810: the last of six blocks is of another type", _SIX, [*_NUMBER_BLOCKS[:5], "0300000c" + "0" * 16], ("ARC-1810", "error", 80 + 60)),
    _numbers("first-of-another-type", "ARC-1810: the first of six blocks is of another type", _SIX, ["0300000c" + "0" * 16, *_NUMBER_BLOCKS[1:]], ("ARC-1810", "error", 80)),
    _numbers("last-longer", "ARC-1710: the last of six blocks goes beyond the record", _SIX, [*_NUMBER_BLOCKS[:5], "0200000d" + "0" * 16], ("ARC-1710", "fatal", 80 + 60)),
    _numbers("word-after", "ARC-1708: a word after the last of six blocks", _SIX, [*_NUMBER_BLOCKS, "00000000"], ("ARC-1708", "fatal", 80 + 72)),
    _numbers("shifted", "ARC-1706: six indices, each one too small", [one - 1 for one in _SIX], _NUMBER_BLOCKS, ("ARC-1706", "fatal", _PAIRS + 4)),
    _numbers("last-shared", "ARC-1711: the last two of six values have one block", [*_SIX[:5], _SIX[4]], _NUMBER_BLOCKS[:5], ("ARC-1711", "fatal", _PAIRS + 44)),
    _one("five-padded", "ARC-1717: five strings, the padding of the third is NUL", _set(*(20 + 2 * one for one in range(5))) + _string() * 2 + _string(6, "0000") + _string() * 2, ("ARC-1717", "info", 72 + 16 + 6), meta=_meta(6, 5)),
)

_FLAGGED = insitu("87400001", "00000007")
_PLAIN = insitu(_ONE, "00000007")
_LENGTH = 44  # of each record


def _with_length(record: str, leading: int | None = None, trailing: int | None = None) -> str:
    first = record[:8] if leading is None else _words(leading)
    last = record[-8:] if trailing is None else _words(trailing)
    return first + record[8:-8] + last


def _framing(name: str, title: str, records: Sequence[str], *found: tuple[str, str, int], counts: tuple[int, ...] = ()) -> Limit:
    """Without an index; places count from the first record."""
    whole = Whole([descriptor(_ONE, "m.one")], records, [data(0)[8:32] + _words(0) + f"{808:016x}" * 2])
    return Limit(f"framing-{name}", title, whole.changes, _found(found, ""), counts=counts)


_R = [data(second, _PLAIN) for second in range(4)]
_BAD = [data(second, _FLAGGED) for second in range(4)]
_FLAG_AT = 20  # the PMID of the only value set

_FRAMING = (
    _framing("sound", "ARC-082: four records", _R),
    _framing("flagged", "ARC-1727: a PMID has its flag bit in the last two of four records", [*_R[:2], *_BAD[2:]], ("ARC-1727", "error", 2 * _LENGTH + _FLAG_AT), counts=(2,)),
    *(_framing(f"length-{length:x}", f"ARC-1101: a leading length of {length:#x}", [*_R[:2], _with_length(_BAD[2], length), _BAD[3]], ("ARC-1101", "fatal", 2 * _LENGTH)) for length in (0, 1, 7, 0x80000000, 0xFFFFFFFF)),
    _framing("length-8", "ARC-1104: a leading length of 8", [*_R[:2], _with_length(_BAD[2], 8), _BAD[3]], ("ARC-1104", "fatal", 2 * _LENGTH + 4)),
    _framing("length-7fffffff", "ARC-1102: the largest leading length", [*_R[:2], _with_length(_BAD[2], 0x7FFFFFFF), _BAD[3]], ("ARC-1102", "fatal", 2 * _LENGTH)),
    _framing("trailer", "ARC-1104: a trailing length is another one, and the record after it is whole", [*_R[:2], _with_length(_BAD[2], None, 45), _BAD[3]],
             ("ARC-1104", "fatal", 3 * _LENGTH - 4), ("ARC-1727", "error", 2 * _LENGTH + _FLAG_AT), counts=(1, 2)),
    _framing("trailer-of-the-last", "ARC-1104: the trailing length of the last record is another one", [*_R[:3], _with_length(_BAD[3], None, 45)],
             ("ARC-1104", "fatal", 4 * _LENGTH - 4), ("ARC-1727", "error", 3 * _LENGTH + _FLAG_AT)),
    _framing("trailer-and-7-bytes", "ARC-1104: a trailing length is another one, and seven bytes follow", [*_R[:3], _with_length(_BAD[3], None, 45), "00000008000000"], ("ARC-1104", "fatal", 4 * _LENGTH - 4)),
    _framing("trailer-and-length-7", "ARC-1104: a trailing length is another one, and the next length is 7", [*_R[:3], _with_length(_BAD[3], None, 45), "0000000700000007"], ("ARC-1104", "fatal", 4 * _LENGTH - 4)),
    _framing("trailer-and-another-trailer", "ARC-1104: two trailing lengths are others", [*_R[:2], _with_length(_BAD[2], None, 45), _with_length(_BAD[3], None, 45)], ("ARC-1104", "fatal", 3 * _LENGTH - 4)),
    _framing("trailer-and-a-cut-record", "ARC-1104: a trailing length is another one, and the next record is cut", [*_R[:2], _with_length(_BAD[2], None, 45), _BAD[3][:-2]], ("ARC-1104", "fatal", 3 * _LENGTH - 4)),
    _framing("trailers-one-by-one", "ARC-1104: the trailing lengths of two records with one between", [_with_length(_BAD[0], None, 45), _R[1], _with_length(_BAD[2], None, 45), _R[3]],
             ("ARC-1104", "fatal", _LENGTH - 4), ("ARC-1727", "error", _FLAG_AT), counts=(2, 2)),
    *(_framing(f"{count}-bytes", f"ARC-1105: {count} bytes after the last record", [*_R, "2a" * count], ("ARC-1105", "warning", 4 * _LENGTH)) for count in (1, 2, 3)),
    *(_framing(f"{count}-zeros", f"ARC-1107: {count} zeros after the last record", [*_R, "00" * count], ("ARC-1107", "fatal", 4 * _LENGTH)) for count in (4, 5, 7, 8, 9, 64)),
    _framing("zeros-and-a-byte", "ARC-1101: zeros after the last record, and a byte", [*_R, "00" * 63 + "01"], ("ARC-1101", "fatal", 4 * _LENGTH)),
    _framing("zeros-and-a-record", "ARC-1101: zeros between two records", [*_R[:3], "00" * 8, _BAD[3]], ("ARC-1101", "fatal", 3 * _LENGTH)),
    _framing("record-of-46", "ARC-1106: a record of 46 bytes", [*_R[:2], framed(time_of(2) + _words(1) + _PLAIN + "0000"), _R[3]], ("ARC-1106", "fatal", 2 * _LENGTH)),
    _framing("record-of-8", "ARC-1108: a record of 8 bytes", [*_R[:2], framed(""), _R[3]], ("ARC-1108", "fatal", 2 * _LENGTH)),
    _framing("record-of-20", "ARC-1108: a record of 20 bytes", [*_R[:2], framed(time_of(2)), _R[3]], ("ARC-1108", "fatal", 2 * _LENGTH)),
    _framing("mark-of-28", "ARC-1712: a mark of 28 bytes", [*_R[:2], framed(time_of(1, 5) + _words(0, 0)), *_R[2:]], ("ARC-1712", "fatal", 2 * _LENGTH)),
)

TABLES = (
    Table(
        "limits-blocks",
        "Value sets and blocks that share a record",
        "A reader that trusts an index or a length reads the values of others, or what is no value.",
        "By the layouts of ARC-200, 207, 208 and 230; which of several rules tells is said in section 14.14 (data records).",
        ("ARC-200", "ARC-205", "ARC-207", "ARC-208", "ARC-230", "ARC-232", "ARC-2008", "ARC-2009"),
        _BLOCKS,
    ),
    Table(
        "limits-framing",
        "Records of a volume and the lengths around them",
        "Where a length is wrong, what follows may be read or not; what is read must be right.",
        "By ARC-080 to 084 and section 14.14 (zero tails, cut files). Where a whole record or the end follows a record whose lengths differ, the leading one is taken.",
        ("ARC-080", "ARC-082", "ARC-083"),
        _FRAMING,
    ),
)
