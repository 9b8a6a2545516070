# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits-index: entries of the index a byte or a nanosecond beside what they stand for."""

from collections.abc import Sequence

from qa.golden.limit import REST, Finding, Limit, Table, Whole, data, descriptor, entry, insitu

_ONE = "07400001"
_META = [descriptor(_ONE, "m.one")]
_RECORDS = [data(second, insitu(_ONE, "00000007")) for second in range(6)]
_SIX = Whole(_META, _RECORDS)
_AT = _SIX.offsets  # of the six records, and of the end of the volume
_META_AT, _META_END = _SIX.meta_offsets
_MS = 1_000_000  # nanoseconds
_TIME, _VOLUME, _META_OFFSET, _DATA = 0, 12, 16, 24  # in an entry of version 3

Found = tuple[str, str, int, int]  # rule, severity, which entry, where in it


def _of(second: int, data_offset: int, nanosecond: int = 0, meta_offset: int = -1, volume: int = 0) -> str:
    """Without an offset in .meta: its end, for the first second its beginning."""
    if meta_offset < 0:
        meta_offset = _META_END if second > 0 else 808
    return entry(second, volume, meta_offset, data_offset, nanosecond)


def _before(second: int, data_offset: int, nanoseconds: int) -> str:
    """So much before the second."""
    return _of(second - 1, data_offset, 1_000_000_000 - nanoseconds)


_FIRST, _LAST = _of(0, 808), _of(5, _AT[5])


def _index(name: str, title: str, entries: Sequence[str], *found: Found, counts: tuple[int, ...] = (), least: str = "info") -> Limit:
    """Of the six records. What is missing beside the index, prologue and epilogue, is added to what is found."""
    findings: list[Finding] = [(rule, severity, "index", 808 + 32 * at + within) for rule, severity, at, within in found]
    told = list(counts or (1,) * len(found))
    if least == "info":
        findings += [("ARC-2008", "info", "0", _AT[0]), ("ARC-2009", "info", "0", _AT[5])]
        told += [1, 1]
    return Limit(f"index-{name}", title, Whole(_META, _RECORDS, entries).changes, tuple(findings), least=least, counts=tuple(told))


_OFFSETS = (
    _index("sound", "ARC-455: an entry for the first record, and one for the last", [_FIRST, _LAST]),
    _index("of-all", "ARC-455: an entry for each record", [_of(second, _AT[second]) for second in range(6)]),
    _index("first-alone", "ARC-1922: nothing but the first entry", [_FIRST], ("ARC-1922", "info", 0, 0)),
    _index("without-the-last", "ARC-1922: the last entry is for the last record but one", [_FIRST, _of(4, _AT[4])], ("ARC-1922", "info", 1, 0)),
    _index("entry-twice", "ARC-1909: the last entry is there twice", [_FIRST, _LAST, _LAST], ("ARC-1909", "info", 2, _TIME)),
    _index("entry-thrice", "ARC-1909: the first entry is there three times", [_FIRST, _FIRST, _FIRST, _LAST], ("ARC-1909", "info", 1, _TIME), counts=(2,)),
    _index("end", "ARC-1927: the last entry points to the end of the volume", [_FIRST, _of(5, _AT[6])], ("ARC-1927", "info", 1, 0)),
    _index("end-1-ms-late", "ARC-1918: the last entry points to the end of the volume, a millisecond after its last record", [_FIRST, _of(5, _AT[6], _MS)],
           ("ARC-1918", "warning", 1, _DATA), least="warning"),
    _index("end-later", "ARC-1915: the last entry points to the end of the volume, more than a millisecond after its last record", [_FIRST, _of(5, _AT[6], _MS + 1)],
           ("ARC-1915", "error", 1, _DATA), least="warning"),
    _index("end-1-ms-early", "ARC-1918: the last entry points to the end of the volume, a millisecond before its last record", [_FIRST, _before(5, _AT[6], _MS)],
           ("ARC-1918", "warning", 1, _DATA), least="warning"),
    _index("end-earlier", "ARC-1919: the last entry points to the end of the volume, more than a millisecond before its last record", [_FIRST, _before(5, _AT[6], _MS + 1)],
           ("ARC-1919", "error", 1, _DATA), least="warning"),
    _index("after-the-end", "ARC-1915: the last entry points to the byte after the end of the volume", [_FIRST, _of(5, _AT[6] + 1)], ("ARC-1915", "error", 1, _DATA)),
    _index("end-of-a-record", "ARC-1918: an entry points to the end of its record", [_FIRST, _of(3, _AT[4]), _LAST], ("ARC-1918", "error", 1, _DATA)),
    _index("end-of-two-records", "ARC-1918: two of five entries point to the ends of their records", [_FIRST, _of(1, _AT[1]), _of(2, _AT[3]), _of(3, _AT[4]), _LAST],
           ("ARC-1918", "error", 2, _DATA), counts=(2,)),
    _index("record-before", "ARC-1918: an entry points to the record before its own", [_FIRST, _of(3, _AT[2]), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("two-records-before", "ARC-1918: two entries point to records before their own", [_FIRST, _of(3, _AT[1]), _of(4, _AT[2]), _LAST], ("ARC-1918", "warning", 1, _DATA), counts=(2,)),
    _index("two-records-after", "ARC-1919: an entry points two records after its own", [_FIRST, _of(3, _AT[5]), _LAST], ("ARC-1919", "error", 1, _DATA)),
    _index("between-and-after", "ARC-1918: an entry between two records points to the later one", [_FIRST, _of(3, _AT[4], 500 * _MS), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("between-and-before", "ARC-1918: an entry between two records points to the earlier one", [_FIRST, _of(3, _AT[3], 500 * _MS), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("between-and-two-after", "ARC-1919: an entry between two records points to the one after them", [_FIRST, _of(3, _AT[5], 500 * _MS), _LAST], ("ARC-1919", "error", 1, _DATA)),
    _index("1-ms-early", "ARC-1919: an entry a millisecond before the fifth record points to the sixth", [_FIRST, _before(4, _AT[5], _MS), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("more-than-1-ms-early", "ARC-1919: an entry more than a millisecond before the fifth record points to the sixth", [_FIRST, _before(4, _AT[5], _MS + 1), _LAST],
           ("ARC-1919", "error", 1, _DATA)),
    _index("1-ms-late", "ARC-1918: an entry a millisecond after its record", [_FIRST, _of(3, _AT[3], _MS), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("a-nanosecond-late", "ARC-1918: an entry a nanosecond after its record", [_FIRST, _of(3, _AT[3], 1), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("last-1-ms-late", "ARC-1924: the last entry is a millisecond after its record", [_FIRST, _of(5, _AT[5], _MS)], ("ARC-1918", "warning", 1, _DATA)),
    _index("last-later", "ARC-1924: the last entry is more than a millisecond after its record", [_FIRST, _of(5, _AT[5], _MS + 1)], ("ARC-1924", "warning", 1, _TIME)),
    _index("last-two-later", "ARC-1924: the last two entries are later than all records", [_FIRST, _of(6, _AT[4]), _of(7, _AT[5])], ("ARC-1924", "warning", 1, _TIME), counts=(2,)),
    _index("a-byte-late", "ARC-1917: an entry points to the second byte of its record", [_FIRST, _of(3, _AT[3] + 1), _LAST], ("ARC-1917", "error", 1, _DATA)),
    _index("a-byte-early", "ARC-1917: an entry points to the last byte of the record before its own", [_FIRST, _of(3, _AT[3] - 1), _LAST], ("ARC-1917", "error", 1, _DATA)),
    _index("last-a-byte-late", "ARC-1917: the last entry points to the second byte of its record", [_FIRST, _of(5, _AT[5] + 1)], ("ARC-1917", "error", 1, _DATA)),
    _index("last-a-byte-before-the-end", "ARC-1917: the last entry points to the last byte of the volume", [_FIRST, _of(5, _AT[6] - 1)], ("ARC-1917", "error", 1, _DATA)),
    _index("first-a-byte-late", "ARC-1917: the first entry points to the second byte of its record", [_of(0, 809), _LAST], ("ARC-1917", "error", 0, _DATA)),
    _index("first-in-the-label", "ARC-1914: the first entry points to the last byte of the label", [_of(0, 807), _LAST], ("ARC-1914", "error", 0, _DATA)),
    _index("in-the-label", "ARC-1914: an entry points to the last byte of the label", [_FIRST, _of(3, 807), _LAST], ("ARC-1914", "error", 1, _DATA)),
    _index("offset-1", "ARC-1914: an entry points to the second byte of the volume", [_FIRST, _of(3, 1), _LAST], ("ARC-1914", "error", 1, _DATA)),
    _index("offset-0", "ARC-1926: an entry points to the first byte of the volume", [_FIRST, _of(3, 0), _LAST], ("ARC-1926", "error", 1, _DATA)),
    _index("offsets-0", "ARC-1926: both offsets of an entry are 0", [_FIRST, _of(3, 0, meta_offset=0), _LAST], ("ARC-1926", "error", 1, _DATA)),
    _index("meta-offset-0", "ARC-1926: the .meta offset of an entry is 0", [_FIRST, _of(3, _AT[3], meta_offset=0), _LAST], ("ARC-1926", "warning", 1, _META_OFFSET)),
    _index("meta-offset-1", "ARC-1910: the .meta offset of an entry is 1", [_FIRST, _of(3, _AT[3], meta_offset=1), _LAST], ("ARC-1910", "warning", 1, _META_OFFSET)),
    _index("meta-in-the-label", "ARC-1910: the .meta offset of an entry is the last byte of the label", [_FIRST, _of(3, _AT[3], meta_offset=807), _LAST], ("ARC-1910", "warning", 1, _META_OFFSET)),
    _index("meta-second", "ARC-1913: the .meta offset of the last entry is the second record", [_FIRST, _of(5, _AT[5], meta_offset=_META_AT)], least="warning"),
    _index("meta-end", "ARC-1913: the .meta offset of the last entry is the end", [_FIRST, _of(5, _AT[5], meta_offset=_META_END)]),
    _index("meta-a-byte-late", "ARC-1913: the .meta offset of the last entry is the second byte of a record", [_FIRST, _of(5, _AT[5], meta_offset=_META_AT + 1)],
           ("ARC-1913", "warning", 1, _META_OFFSET)),
    _index("meta-a-byte-early", "ARC-1913: the .meta offset of the last entry is the last byte of .meta", [_FIRST, _of(5, _AT[5], meta_offset=_META_END - 1)],
           ("ARC-1913", "warning", 1, _META_OFFSET)),
    _index("meta-after-the-end", "ARC-1911: the .meta offset of the last entry is the byte after the end", [_FIRST, _of(5, _AT[5], meta_offset=_META_END + 1)],
           ("ARC-1911", "error", 1, _META_OFFSET)),
    _index("meta-of-the-first", "ARC-1921: the .meta offset of the first entry is the second record", [_of(0, 808, meta_offset=_META_AT), _LAST],
           ("ARC-1921", "warning", 0, _META_OFFSET)),
    _index("meta-decreases", "ARC-1912: the .meta offset of the last entry is less than the one before", [_FIRST, _of(3, _AT[3], meta_offset=_META_END), _of(5, _AT[5], meta_offset=_META_AT)],
           ("ARC-1912", "warning", 2, _META_OFFSET)),
    _index("meta-decreases-twice", "ARC-1912: the .meta offsets of the last two entries are each less than the one before",
           [_FIRST, _of(2, _AT[2], meta_offset=_META_END), _of(3, _AT[3], meta_offset=_META_AT), _of(5, _AT[5], meta_offset=808)], ("ARC-1912", "warning", 2, _META_OFFSET), counts=(2,)),
    _index("meta-decreases-once", "ARC-1912: the .meta offset decreases, and stays", [_FIRST, _of(2, _AT[2], meta_offset=_META_END), _of(3, _AT[3], meta_offset=_META_AT), _of(5, _AT[5], meta_offset=_META_AT)],
           ("ARC-1912", "warning", 2, _META_OFFSET)),
    _index("first-is-of-the-second", "ARC-1921: the first entry is for the second record", [_of(1, _AT[1]), _LAST], ("ARC-1921", "error", 0, 0)),
    _index("first-points-before", "ARC-1918: the first entry has the time of the second record, and the place of the first", [_of(1, _AT[0], meta_offset=808), _LAST], ("ARC-1918", "warning", 0, _DATA), least="warning"),
    _index("before-the-label", "ARC-1907: an entry a nanosecond before the label's start", [_before(0, 808, 1), _LAST], ("ARC-1907", "error", 0, _TIME)),
    _index("second-minus-1", "ARC-1905: an entry of second -1", [_FIRST, "ffffffffffffffff00000000" + _of(3, _AT[3])[24:], _LAST], ("ARC-1905", "error", 1, _TIME)),
    _index("last-nanosecond", "ARC-1906: the last nanosecond of a second", [_FIRST, _of(3, _AT[3], 999999999), _LAST], ("ARC-1918", "warning", 1, _DATA)),
    _index("nanosecond-too-many", "ARC-1906: a nanosecond more than a second has", [_FIRST, _of(3, _AT[3], 1000000000), _LAST], ("ARC-1906", "error", 1, _TIME)),
    _index("nanosecond-minus-1", "ARC-1906: nanosecond -1", [_FIRST, _of(3, _AT[3], 0xFFFFFFFF), _LAST], ("ARC-1906", "error", 1, _TIME)),
    _index("volume-minus-1", "ARC-1902: volume -1", [_FIRST, _of(3, _AT[3], volume=0xFFFFFFFF), _LAST], ("ARC-1902", "error", 1, _VOLUME)),
    _index("volume-1", "ARC-1903: a volume that is not there", [_FIRST, _of(3, _AT[3], volume=1), _LAST], ("ARC-1903", "error", 1, _VOLUME)),
    _index("volume-1-first", "ARC-1903: the first entry names a volume that is not there", [_of(0, 808, volume=1), _LAST], ("ARC-1903", "error", 0, _VOLUME)),
    _index("volume-1-last", "ARC-1903: the last entry names a volume that is not there", [_FIRST, _of(5, _AT[5], volume=1)], ("ARC-1903", "error", 1, _VOLUME)),
    _index("zeros-inside", "ARC-1926: an entry of zeros between others", [_FIRST, "0" * 64, _LAST], ("ARC-1926", "error", 1, 0)),
    _index("zeros-first", "ARC-1926: an entry of zeros before the others", ["0" * 64, _FIRST, _LAST], ("ARC-1926", "error", 0, 0)),
    _index("a-byte-of-an-entry", "ARC-1901: a byte after the last entry", [_FIRST, _LAST, "65"], ("ARC-1901", "warning", 2, 0)),
    _index("31-bytes-of-an-entry", "ARC-1901: an entry without its last byte", [_FIRST, _LAST, _LAST[:-2]], ("ARC-1901", "warning", 2, 0)),
    _index("equal-times", "ARC-458: the second of two entries with a time points to the end of its record", [_FIRST, _of(3, _AT[3]), _of(3, _AT[4]), _LAST], ("ARC-1909", "info", 2, _TIME)),
)

# Of base-v3: an instance domain of T+3 is the last record of .meta, at 1560; the records have 364 bytes.
_BASE = [808 + 364 * second for second in range(7)]


def _of_base(name: str, title: str, entries: Sequence[str], *found: Found) -> Limit:
    """With the offset in .meta of each entry."""
    findings = tuple((rule, severity, "index", 808 + 32 * at + within) for rule, severity, at, within in found)
    return Limit(f"index-{name}", title, (("index", 808, REST, "".join(entries)),), findings)


def _volumes(name: str, title: str, entries: Sequence[str], *findings: Finding, profile: str = "") -> Limit:
    """Of base-v3 in two volumes; the second begins with the third record."""
    return Limit(f"index-{name}", title, (("index", 808, REST, "".join(entries)),), findings, split=_BASE[2], profile=profile, least="info" if profile else "")


_BASE_LAST = _of(5, _BASE[5], meta_offset=1610)
_SECOND = [808 + 364 * (record - 2) if record > 1 else 0 for record in range(7)]  # in volume 1
_LAST_OF_2 = _of(5, _SECOND[5], meta_offset=1610, volume=1)


def _long(count: int, entries: int, has_gap: bool) -> Limit:
    """Records with a string of 10000 bytes; an entry for the first, and one for the last."""
    records = [data(second, f"{_ONE}{1:08x}{1:08x}ffffffff{12:08x}", blocks="06002710" + "78" * 9995 + "00") for second in range(count)]
    last = 808 + (count - 1) * 10044
    whole = Whole([descriptor(_ONE, "m.one", 6)], records)
    both = [entry(0, 0, 808, 808), entry(count - 1, 0, whole.meta_offsets[-1], last)]
    where = "between two entries" if entries == 2 else "after the only entry"
    findings: list[Finding] = [("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", last)]
    findings[:0] = [("ARC-1925", "info", "", 0)] if has_gap else []
    findings[:0] = [("ARC-1922", "info", "index", 808)] if entries == 1 else []
    name = f"{count}-long-records" + ("" if entries == 2 else "-and-one-entry")
    changes = Whole([descriptor(_ONE, "m.one", 6)], records, both[:entries]).changes
    return Limit(f"index-{name}", f"ARC-1925: {count} records of 10 kB {where}", changes, tuple(findings), compressed="xz", least="info")


_OTHERS = (
    _of_base("meta-of-t-3", "ARC-1920: metadata of the time of an entry is before its .meta offset", [_FIRST, _of(3, _BASE[3], meta_offset=1610), _BASE_LAST]),
    _of_base("meta-of-t-2", "ARC-1920: metadata a second later than an entry is before its .meta offset", [_FIRST, _of(2, _BASE[2], meta_offset=1610), _BASE_LAST],
             ("ARC-1920", "warning", 1, _META_OFFSET)),
    _of_base("meta-of-t-2-exact", "ARC-1920: metadata later than an entry is at its .meta offset", [_FIRST, _of(2, _BASE[2], meta_offset=1560), _BASE_LAST]),
    _of_base("meta-of-the-first-late", "ARC-1920: metadata later than the first entry is before its .meta offset", [_of(0, 808, meta_offset=1610), _BASE_LAST],
             ("ARC-1920", "warning", 0, _META_OFFSET)),
    _volumes("volumes", "ARC-1923: an entry for the first record of each volume", [_FIRST, _of(2, _SECOND[2], meta_offset=1560, volume=1), _LAST_OF_2]),
    _volumes("volume-without-an-entry", "ARC-1923: no entry for the first record of the second volume", [_FIRST, _LAST_OF_2], ("ARC-1923", "warning", "1", 808)),
    _volumes("volume-without-an-entry-live", "ARC-1923: no entry for the first record of the second volume, of an archive that is being written", [_FIRST, _LAST_OF_2],
             ("ARC-1923", "info", "1", 808), ("ARC-2008", "info", "0", 808), profile="live"),
    _volumes("volume-and-second-record", "ARC-1923: an entry for the second record of the second volume", [_FIRST, _of(3, _SECOND[3], meta_offset=1560, volume=1), _LAST_OF_2], ("ARC-1923", "warning", "1", 808)),
    _volumes("end-of-the-first-volume", "ARC-1923: an entry for the end of the first volume, with the time of its last record", [_FIRST, _of(1, _BASE[2], meta_offset=1560), _of(2, _SECOND[2], meta_offset=1560, volume=1), _LAST_OF_2]),
    _volumes("place-in-the-other-volume", "ARC-1915: an entry for the second volume with a place that only the first one of an undivided archive has",
             [_FIRST, _of(2, _SECOND[2], meta_offset=1560, volume=1), _of(5, _BASE[6], meta_offset=1610, volume=1)], ("ARC-1915", "error", "index", 808 + 64 + _DATA)),
    _volumes("volume-decreases", "ARC-1904: the number of the volume decreases", [_FIRST, _of(2, _SECOND[2], meta_offset=1560, volume=1), _of(3, _SECOND[3], meta_offset=1560, volume=0), _LAST_OF_2],
             ("ARC-1904", "error", "index", 808 + 64 + _VOLUME)),
    Limit("index-v2-last-microsecond", "ARC-1906: the last microsecond of a second", (("index", 156, "00000000", "000f423f"),), (("ARC-1918", "warning", "index", 168),), "base-v2"),
    Limit("index-v2-microsecond-too-many", "ARC-1906: a microsecond more than a second has", (("index", 156, "00000000", "000f4240"),), (("ARC-1906", "error", "index", 152),), "base-v2"),
    Limit("index-v2-in-the-label", "ARC-1914: an entry points to the last byte of a label of version 2", (("index", 168, "000004bc", "00000083"),), (("ARC-1914", "error", "index", 168),), "base-v2"),
    Limit("index-v2-after-the-label", "ARC-1918: an entry points to the first record, after a label of version 2", (("index", 168, "000004bc", "00000084"),),
          (("ARC-1918", "warning", "index", 168),), "base-v2"),
    Limit("index-v2-volume-1", "ARC-1903: a volume that is not there, in version 2", (("index", 160, "00000000", "00000001"),), (("ARC-1903", "error", "index", 160),), "base-v2"),
    Limit("index-v2-meta-in-the-label", "ARC-1910: the .meta offset is the last byte of a label of version 2", (("index", 164, "00000368", "00000083"),), (("ARC-1910", "warning", "index", 164),), "base-v2"),
    Limit("index-v2-19-bytes", "ARC-1901: an entry of version 2 without its last byte", (("index", 192, "", "6553f1050000000000000000000003980000" + "07"),),
          (("ARC-1901", "warning", "index", 192),), "base-v2"),
    *(_long(count, entries, has_gap) for count, entries, has_gap in ((15, 2, False), (45, 2, True), (15, 1, False), (45, 1, True))),
)

TABLES = (
    Table(
        "limits-index",
        "Entries of the index a byte or a nanosecond beside what they stand for",
        "Readers take the entries at their word: a record that none of them leads to is lost where reading starts after it.",
        "Which of two rules tells is said in section 14.14, the places in 14.15; prologue and epilogue are missing (ARC-2008, ARC-2009).",
        ("ARC-450", "ARC-451", "ARC-452", "ARC-454", "ARC-455", "ARC-456", "ARC-458", "ARC-2008", "ARC-2009"),
        (*_OFFSETS, *_OTHERS),
    ),
)
