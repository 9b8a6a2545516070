# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits: base archives with a word or two changed by hand, at the limits of what a field may say, and on the
other side of them: `golden generate`. What a validator has to say was worked out from the clauses named; places are those
of section 14.15.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from qa.golden import alike_limits, block_limits, compressed_limits, cut_limits, file_label_limits, index_limits, label_limits, metadata_limits, order_limits, packed, places, set_limits, stamp_cases, value_limits, written_limits
from qa.golden.limit import PMLOGGER, REST, Finding, Limit, Table, data, descriptor, entry, framed, insitu, labels
from qa.golden.pdu_cases import Json, text_of

# Of base-v3 and base-v2: the first entry of the index.
_META_OFFSET, _DATA_OFFSET = 824, 832
_V2_META_OFFSET, _V2_DATA_OFFSET = 144, 148


def _offset(at: int, new: str, finding: Finding, title: str, name: str) -> Limit:
    return Limit(name, title, (("index", at, "0000000000000328", new),), (finding,))


def _offset_v2(at: int, new: str, finding: Finding, title: str, name: str) -> Limit:
    return Limit(name, title, (("index", at, "00000084", new),), (finding,), "base-v2")


_VOLUME, _V3_LABEL = 24, 808  # of the label: the number of the volume, its length
_TIMEZONE = 292  # of the label, 256 bytes


def _zone(zone: str, what: str, is_known: bool) -> Limit:
    """A zone as POSIX writes it, which no machine looks up."""
    old, new = (text.encode().ljust(48, b"\0").hex() for text in ("UTC", zone))
    name = "zone-" + re.sub("[^a-z0-9]+", "-", zone.lower()).strip("-")
    changes = tuple((part, _TIMEZONE, old, new) for part in ("meta", "index", "0"))
    return Limit(name, f"ARC-1223: {zone}: {what}", changes, () if is_known else (("ARC-1223", "warning", "meta", _TIMEZONE),), counts=() if is_known else (3,))


def _start(seconds: int, what: str, findings: tuple[Finding, ...]) -> Limit:
    changes = tuple((part, 12, "6553f100", seconds.to_bytes(4, "big").hex()) for part in ("meta", "index", "0"))
    # All records are of 2023.
    return Limit(f"start-{seconds}", f"ARC-1220: {what}", changes, (*findings, ("ARC-1222", "warning", "0", 12)), counts=(*(3 for _ in findings), 1))


def _instance_label(instance: int, letter: str) -> str:
    """Of one label, k, and a letter as its value."""
    json_text = f'{{"k":"{letter}"}}'.encode()
    return f"{instance:08x}{len(json_text):08x}{json_text.hex()}000000010002012000050003"


_COUNTER, _HIGHRES_EVENTS = "07400001", "0740000a"
_ITEM, _INSTANCES = "00000010", "00000020"
_LONG = 1_200_000  # bytes, more than readers of compressed files look at first
_LAST_ENTRIES = entry(3, 0, 1560, 1900) + entry(5, 0, 1610, 2628)
# The label of base-v3 in version 2, for volume 1, and a record of T+6 behind it.
_VOLUME_OF_VERSION_2 = (
    f"{132:08x}50052602{4242:08x}{0x6553F100:08x}{0:08x}{1:08x}" + b"testhost".ljust(64, b"\0").hex() + b"UTC".ljust(40, b"\0").hex() + f"{132:08x}" + framed(f"{0x6553F106:08x}{0:08x}{1:08x}" + insitu(_COUNTER, "00000424"))
)
_ONE_LABEL = "ffffffff000000077b2261223a317d000000010002011000050001"  # {"a":1}

LIMITS: Sequence[Limit] = (
    _offset(_META_OFFSET, "ffffffffffffffff", ("ARC-1910", "warning", "index", _META_OFFSET), "ARC-452: the .meta offset is -1", "meta-offset-minus-1"),
    _offset(_DATA_OFFSET, "ffffffffffffffff", ("ARC-1914", "error", "index", _DATA_OFFSET), "ARC-452: the data offset is -1", "data-offset-minus-1"),
    _offset(_META_OFFSET, "8000000000000000", ("ARC-1910", "warning", "index", _META_OFFSET), "ARC-452: the .meta offset is the least number", "meta-offset-least"),
    _offset(_DATA_OFFSET, "8000000000000000", ("ARC-1914", "error", "index", _DATA_OFFSET), "ARC-452: the data offset is the least number", "data-offset-least"),
    _offset(_META_OFFSET, "7fffffffffffffff", ("ARC-1911", "error", "index", _META_OFFSET), "ARC-452: the .meta offset is the largest number", "meta-offset-largest"),
    _offset(_DATA_OFFSET, "7fffffffffffffff", ("ARC-1915", "error", "index", _DATA_OFFSET), "ARC-452: the data offset is the largest number", "data-offset-largest"),
    _offset(_META_OFFSET, "0000000100000328", ("ARC-1911", "error", "index", _META_OFFSET), "ARC-452: the low word of the .meta offset would do", "meta-offset-high-word"),
    _offset(_DATA_OFFSET, "0000000100000328", ("ARC-1915", "error", "index", _DATA_OFFSET), "ARC-452: the low word of the data offset would do", "data-offset-high-word"),
    _offset_v2(_V2_META_OFFSET, "80000000", ("ARC-1911", "error", "index", _V2_META_OFFSET), "ARC-451: the .meta offset has bit 31", "v2-meta-offset-bit-31"),
    _offset_v2(_V2_DATA_OFFSET, "80000000", ("ARC-1915", "error", "index", _V2_DATA_OFFSET), "ARC-451: the data offset has bit 31", "v2-data-offset-bit-31"),
    Limit("one-instance-too-many", "ARC-1402: one instance more than there is room for", (("meta", 1103, "00000002", "00000003"),), (("ARC-1402", "fatal", "meta", 1103),)),
    Limit("name-of-nothing", "ARC-1411: a name begins at the NUL of the one before it", (("meta", 1119, "00000002", "00000001"),), (("ARC-1411", "warning", "meta", 1119),)),
    Limit("identifier-of-31-bits", "ARC-343: the largest identifier of an instance",
          (("meta", 1592, "00000002", "7fffffff"), *(("0", at, "00000002", "7fffffff") for at in (2040, 2404, 2768))), ()),
    Limit("entries-256", "ARC-1505: 256 labels in a set", (("meta", 1373, "00000001", "00000100"),), (("ARC-1505", "fatal", "meta", 1373),)),
    Limit("name-one-short", "ARC-1510: an entry leaves out the last letter of its name", (("meta", 1377, "00020801", "00020701"),), (("ARC-1510", "error", "meta", 1377),)),
    Limit("value-one-short", "ARC-1510: an entry leaves out the last byte of its value", (("meta", 1446, "00050003", "00050002"),), (("ARC-1510", "error", "meta", 1442),)),
    Limit("value-one-late", "ARC-1510: an entry leaves out the first byte of its value", (("meta", 1446, "00050003", "00060002"),), (("ARC-1510", "error", "meta", 1442),)),
    Limit("value-one-long", "ARC-1510: an entry goes one byte beyond its value", (("meta", 1446, "00050003", "00050004"),), (("ARC-1510", "error", "meta", 1442),)),
    Limit("less-than-a-set", "ARC-1506: four bytes follow the last label set, too few for another one",
          (("meta", 1610, "", "00000043000000076553f1040000000000000000000000100740000100000001ffffffff000000077b2261223a317d0000000100020110000500012a2a2a2a00000043"),), (("ARC-1506", "warning", "meta", 1669),)),
    Limit("entry-too-many", "ARC-1522: one label, and two entries for it",
          (("meta", 1610, "", "00000047000000076553f1040000000000000000000000100740000100000001ffffffff000000077b2261223a317d000000020002011000050001000201100005000100000047"),), (("ARC-1511", "error", "meta", 1669), ("ARC-1522", "error", "meta", 1657))),
    Limit("3-zeros-after-a-volume", "ARC-1105: three zeros after the last record of a volume", (("0", 2992, "", "000000"),), (("ARC-1105", "warning", "0", 2992),)),
    Limit("4-zeros-after-a-volume", "ARC-1107: four zeros after the last record of a volume", (("0", 2992, "", "00000000"),), (("ARC-1107", "fatal", "0", 2992),)),
    Limit("3-zeros-after-meta", "ARC-1105: three zeros after the last record of .meta", (("meta", 1610, "", "000000"),), (("ARC-1105", "error", "meta", 1610),)),
    Limit("4-zeros-after-meta", "ARC-1107: four zeros after the last record of .meta", (("meta", 1610, "", "00000000"),), (("ARC-1107", "fatal", "meta", 1610),)),
    Limit("31-zeros-after-index", "ARC-1901: zeros after the index, one too few for an entry", (("index", 904, "", "00" * 31),), (("ARC-1901", "warning", "index", 904),)),
    Limit("32-zeros-after-index", "ARC-1926: zeros after the index, as many as an entry has bytes", (("index", 904, "", "00" * 32),), (("ARC-1926", "error", "index", 904),)),
    Limit("no-trailing-length", "ARC-1103: a volume ends before the trailing length of its last record", (("0", 2988, "0000016c", ""),),
          (("ARC-1103", "fatal", "0", 2628), ("ARC-1111", "error", "0", 2628))),
    Limit("last-byte-of-a-body", "ARC-1102: a volume ends before the last byte of its last record's body", (("0", 2987, "4e0000016c", ""),),
          (("ARC-1102", "fatal", "0", 2628), ("ARC-1111", "error", "0", 2628))),
    _zone("ABC5", "a name and its offset", True),
    _zone("AB5", "a name of two letters", False),
    _zone("<+12>-12:59:59", "a name in brackets, the largest minute and second", True),
    _zone("<1>0", "a name of one digit", False),
    _zone("<+12-12", "a name without its closing bracket", False),
    _zone("ABC12:60", "minute 60", False),
    _zone("ABC12:00:60", "second 60", False),
    _zone("ABC5DEF", "summer time, when the machine thinks right", True),
    _zone("ABC5DEF4,M12.5.6,M1.1.0/2", "the last week and day, and the first", True),
    _zone("ABC5DEF,M13.1.0,M11.1.0", "month 13", False),
    _zone("ABC5DEF,M0.1.0,M11.1.0", "month 0", False),
    _zone("ABC5DEF,M3.6.0,M11.1.0", "week 6", False),
    _zone("ABC5DEF,M3.0.0,M11.1.0", "week 0", False),
    _zone("ABC5DEF,M3.2.7,M11.1.0", "day 7", False),
    _zone("ABC5DEF,M3.2,M11.1.0", "no day of the week", False),
    _zone("ABC5DEF,J1,J365/3:30", "the first and the last day of a year without leap day", True),
    _zone("ABC5DEF,J0,J365", "day 0, counted from 1", False),
    _zone("ABC5DEF,J1,J366", "day 366, counted without leap day", False),
    _zone("ABC5DEF,0,365", "the first and the last day, counted from 0", True),
    _zone("ABC5DEF,0,366", "day 366, counted from 0", False),
    _zone("ABC5DEF,J1", "one change of two", False),
    _zone("ABC5DEF,J1,J365,J2", "three changes", False),
    _start(631152000, "the start is the first second of 1990", ()),
    _start(631151999, "the start is the last second of 1989", (("ARC-1220", "warning", "meta", 12),)),
    Limit("infinity-insitu", "ARC-1828: an infinite float beside its instance", (("meta", 1045, "00000001", "00000004"), ("0", 952, "00000007", "7f800000")),
          (("ARC-1828", "warning", "0", 952),)),
    Limit("one-event-too-few", "ARC-1822: an event more than the array says", (("0", 1076, "00000002", "00000001"),), (("ARC-1822", "warning", "0", 1108),)),
    Limit("no-event", "ARC-1822: two events, where the array says that it is empty", (("0", 1076, "00000002", "00000000"),), (("ARC-1822", "warning", "0", 1080),)),
    Limit("no-highres-event", "ARC-1822: an event, where the array says that it is empty", (("0", 1128, "00000001", "00000000"),), (("ARC-1822", "warning", "0", 1132),)),
    Limit("no-parameter", "ARC-1822: a parameter more than its event says", (("0", 1152, "00000001", "00000000"),), (("ARC-1822", "warning", "0", 1156),)),
    Limit("text-cut-by-a-nul", "ARC-1609: a help text has a NUL in place of a blank", (("meta", 1485, "20", "00"),), (("ARC-1609", "warning", "meta", 1485),)),
    Limit("one-set-too-few", "ARC-1703: a value set more than the record says", (("0", 824, "00000009", "00000008"),), (("ARC-1703", "fatal", "0", 824),)),
    Limit("one-set-too-many", "ARC-1703: a value set less than the record says", (("0", 824, "00000009", "0000000a"),), (("ARC-1703", "fatal", "0", 824),)),
    Limit("metric-twice", "ARC-1713: the fifth value set is of the fourth metric", (("0", 908, "07400005", "07400004"),), (("ARC-1713", "error", "0", 908),)),
    Limit("metric-with-a-flag", "ARC-1727: a PMID has its flag bit", (("0", 828, "07400001", "87400001"),), (("ARC-1727", "error", "0", 828),)),
    Limit("format-3", "ARC-1705: a value format beyond the last one", (("0", 856, "00000001", "00000003"),), (("ARC-1705", "fatal", "0", 856),)),
    Limit("instance-twice", "ARC-1714: two values of one instance", (("0", 948, "00000001", "00000000"),), (("ARC-1714", "error", "0", 948),)),
    Limit("instance-of-later", "ARC-1805: a value of an instance that comes three seconds later", (("0", 948, "00000001", "00000002"),), (("ARC-1805", "warning", "0", 948),)),
    Limit("instance-of-none", "ARC-1804: a metric with instances has a value for instance -1", (("0", 940, "00000000", "ffffffff"),), (("ARC-1804", "error", "0", 940),)),
    Limit("instance-of-a-singular-metric", "ARC-1802: a metric without instances has a value for instance 0", (("0", 840, "ffffffff", "00000000"),), (("ARC-1802", "warning", "0", 840),)),
    Limit("instances-descend", "ARC-1729: the instances of a value set descend", (("0", 940, "00000000", "00000001"), ("0", 948, "00000001", "00000000")), ()),
    Limit("block-in-the-value-sets", "ARC-1706: the index of a block leads to the last word of the value sets", (("0", 864, "00000036", "00000035"),), (("ARC-1706", "fatal", "0", 864),)),
    Limit("block-at-the-trailer", "ARC-1706: the index of a block leads to the length after the record", (("0", 1012, "00000051", "0000005c"),), (("ARC-1706", "fatal", "0", 1012),)),
    Limit("block-of-3", "ARC-1709: a block is shorter than its head", (("0", 1063, "09", "03"),), (("ARC-1709", "fatal", "0", 1060),)),
    Limit("block-of-4", "ARC-1708: a block ends after its head, and two words belong to none", (("0", 1063, "09", "04"),), (("ARC-1708", "fatal", "0", 1064),)),
    Limit("block-one-word-short", "ARC-1708: a word belongs to no block", (("0", 1063, "09", "08"),), (("ARC-1708", "fatal", "0", 1068),)),
    Limit("block-one-word-long", "ARC-1707: a block ends in the one after it", (("0", 1063, "09", "0d"),), (("ARC-1707", "fatal", "0", 992),)),
    Limit("aggregate-without-padding", "ARC-208: an aggregate ends at the last byte of its last word", (("0", 1063, "09", "0c"),), ()),
    Limit("padding-of-nul", "ARC-1717: the padding of a string is NUL", (("0", 1039, "7e", "00"),), ()),
    Limit("float-one-short", "ARC-1811: a value of 32 bits has 3 bytes", (("0", 1043, "08", "07"),), (("ARC-1811", "error", "0", 1040),)),
    Limit("double-one-short", "ARC-1811: a value of 64 bits has 7 bytes", (("0", 1051, "0c", "0b"),), (("ARC-1811", "fatal", "0", 1048),)),
    Limit("string-without-a-nul", "ARC-1812: a string has a letter in place of its NUL", (("0", 1038, "00", "58"),), (("ARC-1812", "warning", "0", 1032),)),
    Limit("string-short-of-its-nul", "ARC-1812: a string ends before its NUL", (("0", 1031, "0b", "0a"),), (("ARC-1812", "warning", "0", 1032),)),
    Limit("string-begins-with-a-nul", "ARC-1813: a string has a NUL as its first byte", (("0", 1032, "68", "00"),), (("ARC-1813", "warning", "0", 1032),)),
    Limit("less-than-no-event", "ARC-1815: the number of events is -1", (("0", 1076, "00000002", "ffffffff"),), (("ARC-1815", "error", "0", 1076),)),
    Limit("name-ends-in-a-point", "ARC-305: a name ends in a point", (("meta", 848, "74", "2e"),), (("ARC-1306", "warning", "meta", 844),)),
    Limit("name-with-two-points", "ARC-305: a component of a name is empty", (("meta", 846, "63", "2e"),), (("ARC-1306", "warning", "meta", 844),)),
    Limit("name-with-a-hyphen", "ARC-305: a name has a hyphen", (("meta", 847, "6e", "2d"),), (("ARC-1306", "warning", "meta", 844),)),
    Limit("name-of-another", "ARC-1308: the name of the fourth metric is that of the first", (("meta", 979, "6d2e666c74", "6d2e636e74"),), (("ARC-1308", "error", "meta", 979),)),
    Limit("last-nanosecond", "ARC-1718: the last nanosecond of a second", (("0", 1184, "00000000", "3b9ac9ff"),), ()),
    Limit("nanosecond-too-many", "ARC-1718: a nanosecond more than a second has", (("0", 1184, "00000000", "3b9aca00"),), (("ARC-1718", "error", "0", 1176),)),
    _zone("ABC5DEF!x", "a character after the name of summer time that belongs to nothing", False),
    _zone("AZaz5", "a name of the first and the last letters", True),
    _zone("ABC5DEF,M3.2.0/167,M11.1.0", "the largest hour of a change", True),
    _zone("ABC5DEF,M3.2.0/168,M11.1.0", "an hour more than a change may have", False),
    Limit("cut-and-nanosecond-too-many", "ARC-1111: a volume ends in a record whose nanosecond is out of range", (("0", 2640, "00000000", "3b9aca00"), ("0", 2988, "0000016c", "")),
          (("ARC-1103", "fatal", "0", 2628),)),
    Limit("cut-and-format-3", "ARC-1111: a volume ends in a record with a value format beyond the last one", (("0", 2676, "00000001", "00000003"), ("0", 2988, "0000016c", "")),
          (("ARC-1103", "fatal", "0", 2628),)),
    Limit("cut-and-late-block", "ARC-1111: a volume ends in a record whose first block begins a word after the value sets", (("0", 2684, "00000036", "00000037"), ("0", 2988, "0000016c", "")),
          (("ARC-1103", "fatal", "0", 2628),)),
    Limit("cut-without-blocks", "ARC-1111: a volume ends before the trailing length of a record without blocks", (("0", 2992, "", data(6, insitu(_COUNTER, "00000424"))[:-8]),),
          (("ARC-1103", "fatal", "0", 2992), ("ARC-1111", "error", "0", 2992))),
    Limit("cut-after-a-stray-word", "ARC-1111: a volume ends in a record with a word after its value sets, which have no blocks", (("0", 2992, "", data(6, insitu(_COUNTER, "0000042400000000"))[:-8]),),
          (("ARC-1103", "fatal", "0", 2992),)),
    Limit("cut-label-record", "ARC-1111: .meta ends before the trailing length of a record with labels", (("meta", 1610, "", labels(4, _ITEM, _COUNTER, _ONE_LABEL)[:-8]),),
          (("ARC-1103", "fatal", "meta", 1610), ("ARC-1111", "error", "meta", 1610))),
    Limit("trailer-one-more", "ARC-1104: a trailing length is one more than the leading one, and a PMID of the record after it has its flag bit",
          (("0", 1532, "0000016c", "0000016d"), ("0", 1556, "07400001", "87400001")), (("ARC-1104", "fatal", "0", 1532), ("ARC-1727", "error", "0", 1556))),
    Limit("names-differ-in-byte-9", "ARC-1308: of three names of nine bytes the first and the third are equal, the second differs in its last byte",
          (("meta", 1610, "", descriptor("0740000b", "m.abcdefX") + descriptor("0740000c", "m.abcdefY") + descriptor("0740000d", "m.abcdefX")),), (("ARC-1308", "error", "meta", 1744),)),
    Limit("names-differ-in-byte-1", "ARC-1308: of three names the first and the third are equal, the second differs in its first byte",
          (("meta", 1610, "", descriptor("0740000b", "k.abcdef") + descriptor("0740000c", "l.abcdef") + descriptor("0740000d", "k.abcdef")),), (("ARC-1308", "error", "meta", 1742),)),
    Limit("two-names-of-another", "ARC-1308: two metrics have the name of the first one", (("meta", 934, "6d2e737472", "6d2e636e74"), ("meta", 979, "6d2e666c74", "6d2e636e74")),
          (("ARC-1308", "error", "meta", 934),), counts=(2,)),
    Limit("first-entry-after-its-record", "ARC-1918: the first entry of the index points after the record with its time", (("index", 832, "0000000000000328", "0000000000000494"),),
          (("ARC-1918", "error", "index", 832),)),
    Limit("entry-of-the-end-of-a-record", "ARC-458: the second entry with a time points to the end of the record that the first one points to",
          (("index", 872, "", entry(3, 0, 1560, 2264)),), ()),
    Limit("labels-of-an-instance-twice", "ARC-1525: two records with labels for a time, with two values of a label of the first instance",
          (("meta", 1610, "", labels(4, _INSTANCES, "07400001", _instance_label(0, "A"), _instance_label(2, "B")) + labels(4, _INSTANCES, "07400001", _instance_label(0, "C"))),),
          (("ARC-1525", "error", "meta", 1712),)),
    Limit("labels-of-an-instance-repeated", "ARC-1525: two records with labels for a time, with one value of the label",
          (("meta", 1610, "", labels(4, _INSTANCES, "07400001", _instance_label(0, "A"), _instance_label(2, "B")) + labels(4, _INSTANCES, "07400001", _instance_label(0, "A"))),),
          (("ARC-1525", "warning", "meta", 1712),)),
    Limit("epilogue-at-the-time-of-the-last-record", "ARC-1721: the last record has the time of the one before it, and is an epilogue",
          (("meta", 1610, "", "".join(descriptor(*one) for one in PMLOGGER)), ("0", 2992, "", data(5, *(one[0] + "00000000" for one in PMLOGGER)))), ()),
    Limit("record-at-the-time-of-the-last-one", "ARC-1721: the last record has the time of the one before it, and one PMID of five is none of an epilogue",
          (("meta", 1610, "", "".join(descriptor(*one) for one in PMLOGGER)), ("0", 2992, "", data(5, *(one[0] + "00000000" for one in PMLOGGER[:4]), _COUNTER + "00000000"))),
          (("ARC-1721", "warning", "0", 2996),)),
    Limit("epilogue-with-a-value-too-many", "ARC-1704: the last value set of an epilogue has one value, and says two; it has the time of the record before it",
          (("meta", 1610, "", "".join(descriptor(*one) for one in PMLOGGER)),
           ("0", 2992, "", data(5, *(one[0] + "00000000" for one in PMLOGGER[:4]), "008000180000000200000000ffffffff00000001"))),
          (("ARC-1704", "fatal", "0", 3048), ("ARC-1721", "warning", "0", 2996))),
    Limit("counter-twice", "ARC-1713: the third value set of a record is of the metric of the first one", (("0", 2992, "", data(6, insitu(_COUNTER, "00000424"), _HIGHRES_EVENTS + "00000000", insitu(_COUNTER, "00000424"))),),
          (("ARC-1713", "error", "0", 3040),)),
    Limit("instance-after-none", "ARC-1802: the third value of a metric without instances is for instance 0", (("0", 1568, "ffffffff", "00000000"),), (("ARC-1802", "warning", "0", 1568),)),
    Limit("counter-decreases-in-the-next-volume", "ARC-1825: of two instances the second decreases with the first record of the next volume",
          (("meta", 1053, "00000003", "00000001"), ("1", 952, "00000009", "00000003"), ("index", 840, _LAST_ENTRIES, entry(2, 1, 1560, 808) + entry(3, 1, 1560, 1172) + entry(5, 1, 1610, 1900))),
          (("ARC-1825", "warning", "1", 948),), split=1536),
    Limit("entries-later-than-the-last-records", "ARC-1924: the last entry is later than all records, the one before it than those of its volume alone",
          (("0", 1176, "6553f101", "6553f114"), ("0", 1312, "00000001", "00000002"),
           ("index", 840, _LAST_ENTRIES, entry(2, 1, 1560, 808) + entry(10, 1, 1610, 1900) + entry(500, 1, 1610, 1900))),
          (("ARC-1918", "warning", "index", 896), ("ARC-1924", "warning", "index", 904), ("ARC-2004", "error", "1", 812)), split=1536),
    Limit("version-of-the-second-volume", "ARC-1205: the second of two volumes is of version 2", (("1", 0, REST, _VOLUME_OF_VERSION_2),), (("ARC-1205", "fatal", "1", 4),), split=2992, least="fatal"),
    *(
        Limit(f"{name}-of-one-byte", f"ARC-1004: {what} of one byte", ((part, 0, REST, "00"),), (("ARC-1004", "fatal", part, 0),))
        for name, what, part in (("meta", "a .meta file", "meta"), ("volume", "a volume", "0"), ("index", "an index", "index"))
    ),
    Limit("compressed-long-record", "ARC-033: a record of more than a mebibyte in a compressed volume",
          (("0", 2992, "", data(6, "074000030000000100000001ffffffff0000000c", blocks=f"06{_LONG + 4:06x}" + "78" * (_LONG - 1) + "00")),), (), compressed="xz"),
)


def changed(golden: Path, limit: Limit) -> packed.Files:
    """The files of the archive. Raises ValueError where the bytes are not those that the change is of."""
    files = packed.files_in(golden / "archive" / limit.of)
    if limit.split:
        volume = files["base.0"]
        files["base.0"] = volume[: limit.split]
        files["base.1"] = volume[:_VOLUME] + (1).to_bytes(4, "big") + volume[_VOLUME + 4 : _V3_LABEL] + volume[limit.split :]
    for part, at, old, new in limit.changes:
        content = files[f"base.{part}"]
        end = len(content) if old == REST else at + len(old) // 2
        if old != REST and content[at:end].hex() != old:
            raise ValueError(f"{limit.name}: base.{part} has {content[at:end].hex()} at {at}, not {old}")
        files[f"base.{part}"] = content[:at] + bytes.fromhex(new) + content[end:]
    if limit.compressed:
        suffix, compress = compressed_limits.WAYS[limit.compressed]
        files[f"base.0.{suffix}"] = compress(files.pop("base.0"))
    return files


def _finding(finding: Finding, count: int, files: packed.Files, rows: Mapping[str, places.Row]) -> Json:
    """With the length of its place, where ARC-2304 says it."""
    rule, severity, part, at = finding
    if not part:  # ARC-2303: none that is decided
        return {"rule": rule, "severity": severity, "count": count}
    told: Json = {"rule": rule, "severity": severity, "part": part, "offset": at}
    length = places.length_of(files[f"base.{part}"], part, at, rows[rule]) if rule in rows and f"base.{part}" in files else None
    return (told if length is None else told | {"length": length}) | {"count": count}


def request_of(limit: Limit, files: packed.Files, rows: Mapping[str, places.Row]) -> Json:
    severities = {severity for _, severity, _, _ in limit.findings}
    counts = limit.counts or (1,) * len(limit.findings)
    findings = [_finding(one, count, files, rows) for one, count in zip(limit.findings, counts, strict=True)]
    return {
        "title": limit.title,
        "op": "archive.validate",
        "input": {"path": f"../inputs/limit-{limit.name}/base"},
        "args": {key: told for key, told in (("least", limit.least), ("profile", limit.profile)) if told},
        "applies": {"archive_version": 3 if limit.of == "base-v3" else 2},
        "expect": {"result": {"readable": "fatal" not in severities, "conformant": not severities & {"error", "fatal"}, "findings": findings}},
    }


TABLES: Sequence[Table] = (
    Table(
        "limits",
        "Fields at the limits of what they may say, and beyond",
        "A comparison that is one off, or the sign of a number, goes unnoticed in archives that are far from the limit.",
        "Each title names the clause. Offsets of version 2 are unsigned (ARC-451), those of version 3 signed (ARC-452).",
        ("ARC-033", "ARC-208", "ARC-305", "ARC-343", "ARC-391", "ARC-451", "ARC-452", "ARC-458", "ARC-594", "ARC-1717", "ARC-1729"),
        LIMITS,
    ),
    *alike_limits.TABLES,
    *cut_limits.TABLES,
    *order_limits.TABLES,
    *index_limits.TABLES,
    *metadata_limits.TABLES,
    *label_limits.TABLES,
    *file_label_limits.TABLES,
    *value_limits.TABLES,
    *block_limits.TABLES,
    *compressed_limits.TABLES,
)


def case_of(golden: Path, table: Table) -> Json:
    rows = places.rows_of((golden.parent / "reference/spec/archive.md").read_text(encoding="utf-8"))
    rules = {rule for limit in table.limits for rule, _, _, _ in limit.findings}
    return {
        "schema": "pmproof-case/1",
        "id": f"archive/{table.name}",
        "title": table.title,
        "clauses": sorted({*rules, *table.clauses, "ARC-2301", "ARC-2304"}),
        "level": "must",
        "why": table.why,
        "provenance": {"kind": "hand", "note": table.note},
        "requests": [request_of(limit, changed(golden, limit), rows) for limit in table.limits],
    }


def cases(golden: Path) -> list[Json]:
    """All of them."""
    limits = {limit.name: (limit, changed(golden, limit)) for table in TABLES for limit in table.limits}
    return [*(case_of(golden, table) for table in TABLES), *written_limits.cases(limits), *set_limits.cases(), file_label_limits.opened(), stamp_cases.case()]


def _write_pack(path: Path, inputs_of_it: Mapping[str, Json]) -> Path:
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in inputs_of_it.items())
    path.write_text(f'{{\n  "schema": "pmproof-packed/1",\n  "inputs": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")
    return path


def write(golden: Path) -> list[Path]:
    single = {
        f"limit-{limit.name}": {"of": f"../{limit.of}", **packed.pack(packed.files_in(golden / "archive" / limit.of), changed(golden, limit))}
        for table in TABLES
        for limit in table.limits
    }
    folder = golden / "archive/inputs"
    written = [_write_pack(folder / "packed-limits.json", single), _write_pack(folder / "packed-limit-sets.json", set_limits.pack(golden))]
    for case in cases(golden):
        path = golden / case["id"] / "case.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text_of(case), encoding="utf-8")
        written.append(path)
    return written
