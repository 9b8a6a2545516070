# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-descriptors and archive/limits-instances: fields of metadata records at their limits."""

from collections.abc import Sequence

from qa.golden.limit import META_END, Finding, Limit, Table, descriptor, framed, time_of

_NEW = "0740000b"  # 29.0.11, which no value set has
_PMID, _TYPE, _INDOM, _SEMANTICS, _UNITS, _COUNT, _NAME = 8, 12, 16, 20, 24, 28, 36  # of a descriptor


def _desc(name: str, title: str, record: str, *found: tuple[str, str, int], counts: tuple[int, ...] = ()) -> Limit:
    """base-v3 with a descriptor at the end of .meta."""
    findings = tuple((rule, severity, "meta", META_END + at) for rule, severity, at in found)
    return Limit(f"desc-{name}", title, (("meta", META_END, "", record),), findings, counts=counts)


def _units(word: str, *rules: str, severity: str = "warning") -> Limit:
    what = f"units {word}: {'nothing is wrong' if not rules else ', '.join(rules)}"
    clause = rules[0] if rules else "ARC-009"
    return _desc(f"units-{word}", f"{clause}: {what}", descriptor(_NEW, "m.new", units=word), *((rule, severity, _UNITS) for rule in rules))


def _named(name: str, text: str, is_right: bool, what: str) -> Limit:
    return _desc(f"name-{name}", f"ARC-305: {what}", descriptor(_NEW, text), *(() if is_right else (("ARC-1306", "warning", _NAME),)))


def _names(pmid: str, *names: str, count: int | None = None) -> str:
    body = "".join(f"{len(name):08x}{name.encode().hex()}" for name in names)
    return framed(f"00000001{pmid}{1:08x}ffffffff{3:08x}{0:08x}{len(names) if count is None else count:08x}{body}")


_DESCRIPTORS = (
    *(_units(word) for word in ("20000000", "e0000000", "02000000", "0e000000", "00200000", "00e00000", "10080000", "01005000", "00100f00", "00100700")),
    _units("30000000", "ARC-1320"),
    _units("d0000000", "ARC-1320"),
    _units("70000000", "ARC-1320"),
    _units("80000000", "ARC-1320"),
    _units("03000000", "ARC-1321"),
    _units("0d000000", "ARC-1321"),
    _units("00300000", "ARC-1322"),
    _units("00d00000", "ARC-1322"),
    _units("00010000", "ARC-1323"),
    _units("00090000", "ARC-1323"),
    _units("10090000", "ARC-1324"),
    _units("f0090000", "ARC-1324"),
    _units("00001000", "ARC-1325"),
    _units("00006000", "ARC-1325"),
    _units("01006000", "ARC-1326"),
    _units("0f006000", "ARC-1326"),
    _units("00000100", "ARC-1326"),
    _units("00000f00", "ARC-1326"),
    _units("33300000", "ARC-1320", "ARC-1321", "ARC-1322"),
    _desc("type-minus-1", "ARC-1316: type -1", descriptor(_NEW, "m.new", -1 & 0xFFFFFFFF)),
    _desc("type-minus-2", "ARC-1316: type -2", descriptor(_NEW, "m.new", -2 & 0xFFFFFFFF), ("ARC-1316", "error", _TYPE)),
    *(_desc(f"type-{kind}", f"ARC-1316: type {kind}", descriptor(_NEW, "m.new", kind), *(() if kind not in (8, 11) else (("ARC-1316", "error", _TYPE),))) for kind in range(12)),
    *(
        _desc(f"counter-of-type-{kind}", f"ARC-1334: a counter of type {kind}", descriptor(_NEW, "m.new", kind & 0xFFFFFFFF, semantics=1), *(() if kind < 6 else (("ARC-1334", "error", _TYPE),)))
        for kind in (-1, 0, 5, 6, 7, 9, 10)
    ),
    *(
        _desc(f"semantics-{semantics}", f"ARC-1317: semantics {semantics}", descriptor(_NEW, "m.new", semantics=semantics & 0xFFFFFFFF),
              *(() if semantics in (1, 3, 4) else (("ARC-1317", "error", _SEMANTICS),)))
        for semantics in (-1, 0, 1, 2, 3, 4, 5)
    ),
    _desc("indom-of-domain-30", "ARC-1319: an instance domain of another domain", descriptor(_NEW, "m.new", indom="07800001"), ("ARC-1319", "warning", _INDOM)),
    _desc("indom-of-domain-29", "ARC-1319: another instance domain of the same domain", descriptor(_NEW, "m.new", indom="077fffff")),
    _desc("indom-of-domain-28", "ARC-1319: the last instance domain of the domain before", descriptor(_NEW, "m.new", indom="073fffff"), ("ARC-1319", "warning", _INDOM)),
    _desc("derived-with-an-indom", "ARC-311: a logged derived metric with an instance domain of another domain", descriptor("7fe00001", "d.new", indom="07400001")),
    _desc("derived-2047", "ARC-1331: a derived metric of cluster 2047", descriptor("7fdffc01", "d.new"), ("ARC-1331", "error", _PMID)),
    _desc("derived-2048", "ARC-1331: a derived metric of cluster 2048", descriptor("7fe00001", "d.new")),
    _desc("derived-item-0", "ARC-1331: item 0 of cluster 2048 of domain 511", descriptor("7fe00000", "d.new"), ("ARC-1331", "error", _PMID)),
    _desc("domain-510", "ARC-1331: a metric of domain 510", descriptor("7f800000", "d.new")),
    _desc("pmid-with-a-flag", "ARC-1329: a descriptor for a PMID with its flag bit", descriptor("8740000b", "m.new"), ("ARC-1329", "error", _PMID)),
    _desc("pmid-null", "ARC-1330: a descriptor for PM_ID_NULL", descriptor("ffffffff", "m.new"), ("ARC-1330", "error", _PMID)),
    _desc("pmid-null-but-one", "ARC-1330: a descriptor for PM_ID_NULL with another item", descriptor("fffffffe", "m.new"), ("ARC-1329", "error", _PMID)),
    _named("letters", "A.z.Z9_", True, "letters, a digit and an underscore"),
    _named("digit-first", "m.9a", False, "a component begins with a digit"),
    _named("underscore-first", "m._a", False, "a component begins with an underscore"),
    _named("point-first", ".m", False, "a name begins with a point"),
    _named("point", ".", False, "a point"),
    _named("two-letters", "zz", True, "a name of one component"),
    *(_named(f"with-{ord(letter):02x}", f"m.a{letter}b", False, f"a name with the character {ord(letter):02x}") for letter in "/:@[^`{ \t"),
    _desc("no-name", "ARC-1303: no name", _names(_NEW), ("ARC-1303", "error", _COUNT)),
    _desc("count-minus-1", "ARC-1303: -1 names", _names(_NEW, count=0xFFFFFFFF), ("ARC-1303", "error", _COUNT)),
    _desc("empty-name", "ARC-1304: a name of length 0", _names(_NEW, ""), ("ARC-1304", "error", _NAME - 4)),
    _desc("empty-second-name", "ARC-1304: a second name of length 0", _names(_NEW, "m.new", ""), ("ARC-1304", "error", _NAME + 5)),
    _desc("count-one-more", "ARC-1335: two names where one is there", _names(_NEW, "m.new", count=2), ("ARC-1335", "fatal", _COUNT)),
    _desc("count-one-less", "ARC-1304: one name where two are there", _names(_NEW, "m.new", "m.old", count=1), ("ARC-1304", "fatal", _NAME + 5)),
    _desc("aliases", "ARC-306: three names", _names(_NEW, "m.new", "m.old", "n.new")),
    _desc("names-of-the-same", "ARC-1308: the second name is that of another metric", _names(_NEW, "m.new", "m.cnt"), ("ARC-1308", "error", _NAME + 9)),
    _desc("name-below", "ARC-1309: a name below that of another metric", descriptor(_NEW, "m.dbl.new"), ("ARC-1309", "error", 988 + _NAME - META_END)),
    _desc("name-below-by-a-letter", "ARC-1309: a name of one letter below that of another metric", descriptor(_NEW, "m.dbl.n"), ("ARC-1309", "error", 988 + _NAME - META_END)),
    _desc("name-beside", "ARC-1309: a name that goes on after that of another metric without a point", descriptor(_NEW, "m.dblnew")),
    _desc("name-above", "ARC-1309: a name above all others", descriptor(_NEW, "m"), ("ARC-1309", "error", _NAME)),
    _desc("name-above-in-part", "ARC-1309: a name that others begin with, without a point", descriptor(_NEW, "m.e")),
    _desc("name-above-an-alias", "ARC-1309: the second name of a metric is below its first", _names(_NEW, "n.new", "n.new.sub"), ("ARC-1309", "error", _NAME)),
    _desc("repeated-other-type", "ARC-1311: the descriptor again, with another type", descriptor("07400002", "m.i64", 3), ("ARC-1311", "fatal", _TYPE)),
    _desc("repeated-other-semantics", "ARC-1312: the descriptor again, with other semantics", descriptor("07400002", "m.i64", 2, semantics=4), ("ARC-1312", "fatal", _SEMANTICS)),
    _desc("repeated-other-indom", "ARC-1313: the descriptor again, with an instance domain", descriptor("07400002", "m.i64", 2, indom="07400001"), ("ARC-1313", "fatal", _INDOM)),
    _desc("repeated-other-units", "ARC-1314: the descriptor again, with other units", descriptor("07400002", "m.i64", 2, units="00100000"), ("ARC-1314", "fatal", _UNITS)),
    _desc("repeated-other-name", "ARC-1315: the descriptor again, with another name", descriptor("07400002", "m.i65", 2), ("ARC-1315", "error", _NAME - 4)),
    _desc("repeated-one-name-more", "ARC-1315: the descriptor again, with a second name",
          framed(f"00000001{'07400002'}{2:08x}ffffffff{3:08x}{0:08x}{2:08x}{5:08x}{b'm.i64'.hex()}{5:08x}{b'm.new'.hex()}"), ("ARC-1315", "error", _NAME - 4)),
    _desc("names-in-another-order", "ARC-1315: the descriptor again, with its names in another order", _names(_NEW, "m.new", "m.old") + _names(_NEW, "m.old", "m.new"),
          ("ARC-1315", "warning", 54 + _NAME - 4)),
    _desc("names-in-the-same-order", "ARC-1315: the descriptor again, with its names in the same order", _names(_NEW, "m.new", "m.old") * 2),
    _desc("too-short", "ARC-1109: a descriptor of 35 bytes", framed(f"00000001{_NEW}{1:08x}ffffffff{3:08x}" + "000000"), ("ARC-1109", "fatal", 0)),
    _desc("without-count", "ARC-1303: a descriptor without its number of names", framed(f"00000001{_NEW}{1:08x}ffffffff{3:08x}{0:08x}"), ("ARC-1303", "fatal", _COUNT)),
    _desc("count-cut", "ARC-1109: a descriptor with three bytes of its number of names", framed(f"00000001{_NEW}{1:08x}ffffffff{3:08x}{0:08x}000000"), ("ARC-1109", "fatal", 0)),
    _desc("record-type-0", "ARC-1301: record type 0", framed(f"{0:08x}{0:08x}"), ("ARC-1301", "fatal", 4)),
    _desc("record-type-8", "ARC-1301: record type 8", framed(f"{8:08x}{0:08x}"), ("ARC-1301", "fatal", 4)),
)

_EXTRA = tuple(
    _desc(
        f"extra-{word}",
        f"{'ARC-1328' if is_legal else 'ARC-1327'}: units {word}",
        descriptor(_NEW, "m.new", units=word),
        *(() if is_legal else (("ARC-1327", "error", _UNITS),)),
    )
    for word, is_legal in (
        ("00000009", True), ("0000000b", True), ("0000000c", False), ("00000011", True), ("00000013", True), ("00000014", False), ("00000019", True), ("0000001b", True), ("0000001c", False),
        ("00000021", True), ("00000024", True), ("00000025", False), ("00000008", False), ("00000010", False), ("00000018", False), ("00000020", False), ("00000001", False), ("00000029", False),
    )
)  # fmt: skip

_DOMAIN = "07400001"


def _words(*numbers: int) -> str:
    return "".join(f"{number & 0xFFFFFFFF:08x}" for number in numbers)


def _indom(second: int, ids: Sequence[int], offsets: Sequence[int], table: bytes, kind: int = 5, indom: str = _DOMAIN, count: int | None = None, nanosecond: int = 0) -> str:
    return framed(_words(kind) + time_of(second, nanosecond) + indom + _words(len(ids) if count is None else count, *ids, *offsets) + table.hex())


_TIME, _OF, _N, _IDS = 8, 20, 24, 28  # of an instance domain of version 3
# Of each the hash that libstdc++ makes has 7 as its last eight bits.
_COLLIDING = (
    "gc", "vg", "aes", "afh", "amh", "aog", "bha", "bia", "bsg", "bve", "cda", "cfe", "ckq", "cyt", "daq", "dpz", "eql", "ewx", "ezs", "fal", "fhz", "fvo", "gdt", "gun", "gzq", "hhl", "hxr", "ikb", "itn", "jcp",
)  # fmt: skip
_NUMBERED = tuple(enumerate(_COLLIDING, 10))


def _instances(name: str, title: str, record: str, *found: tuple[str, str, int], least: str = "info", at: int = META_END, counts: tuple[int, ...] = ()) -> Limit:
    """base-v3, with a record of 29.1 of T+4 at the end of .meta. There are 0 "a" and 2 "c" before it."""
    findings: list[Finding] = [(rule, severity, "meta", at + within) for rule, severity, within in found]
    told = list(counts or (1,) * len(findings))
    if least == "info":
        findings += [("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 2628)]
        told += [1, 1]
    return Limit(f"instances-{name}", title, (("meta", at, "", record),), tuple(findings), least=least, counts=tuple(told))


def _full(*named: tuple[int, str], second: int = 4, indom: str = _DOMAIN, rest: bytes = b"") -> str:
    table, offsets = b"", []
    for _, text in named:
        offsets.append(len(table))
        table += text.encode() + b"\0"
    return _indom(second, [number for number, _ in named], offsets, table + rest, indom=indom)


def _delta(*named: tuple[int, str | None], second: int = 4, indom: str = _DOMAIN) -> str:
    table, offsets = b"", []
    for _, text in named:
        offsets.append(len(table) if text is not None else -1)
        table += text.encode() + b"\0" if text is not None else b""
    return _indom(second, [number for number, _ in named], offsets, table, kind=6, indom=indom)


_SAME = ((0, "a"), (2, "c"))

_INSTANCES = (
    _instances("one-more", "ARC-1423: one instance more than before", _full(*_SAME, (3, "d"))),
    _instances("other-last", "ARC-1423: the last instance is another one", _full((0, "a"), (2, "c"), (4, "d"))),
    _instances("the-same", "ARC-1423: the same instances as before", _full(*_SAME), ("ARC-1423", "info", 0)),
    _instances("name-longer", "ARC-1424: a name that begins with the one before", _full((0, "a"), (2, "cc")), ("ARC-1424", "warning", _IDS + 12)),
    _instances("first-name-longer", "ARC-1424: the first name begins with the one before", _full((0, "aa"), (2, "c")), ("ARC-1424", "warning", _IDS + 8)),
    _instances("both-names", "ARC-1424: both instances have new names", _full((0, "x"), (2, "y")), ("ARC-1424", "warning", _IDS + 8), counts=(2,)),
    _instances("names-exchanged", "ARC-1424: the instances have exchanged their names", _full((0, "c"), (2, "a")), ("ARC-1424", "warning", _IDS + 8), ("ARC-1425", "warning", _IDS), counts=(2, 2)),
    _instances("name-of-another", "ARC-1425: a new instance has a name that another one had", _full((0, "a"), (2, "x"), (3, "c")), ("ARC-1424", "warning", _IDS + 16), ("ARC-1425", "warning", _IDS + 8)),
    _instances("name-twice", "ARC-1409: two instances have one name", _full(*_SAME, (3, "c")), ("ARC-1409", "warning", _IDS + 20)),
    _instances("name-thrice", "ARC-1409: three instances have one name", _full(*_SAME, (3, "c"), (4, "c")), ("ARC-1409", "warning", _IDS + 16 + 8), counts=(2,)),
    _instances("names-apart", "ARC-1409: names that differ in their last letters", _full(*_SAME, (3, "abcdefghi"), (4, "abcdefghj"))),
    _instances("names-equal-apart", "ARC-1409: the first and the last of three new names are equal", _full(*_SAME, (3, "abcdefghi"), (4, "abcdefghj"), (5, "abcdefghi")), ("ARC-1409", "warning", _IDS + 20 + 16)),
    _instances("first-words", "ARC-1410: two names with one first word", _full(*_SAME, (3, "x y"), (4, "x z")), ("ARC-1410", "warning", _IDS + 16 + 12)),
    _instances("first-word-and-name", "ARC-1410: a name, and another one with that as its first word", _full(*_SAME, (3, "x"), (4, "x z")), ("ARC-1410", "warning", _IDS + 16 + 12)),
    _instances("first-words-differ", "ARC-1410: two names with two words each", _full(*_SAME, (3, "x z"), (4, "y z"))),
    _instances("first-words-begin-alike", "ARC-1410: two names, the first word of one begins with that of the other", _full(*_SAME, (3, "x z"), (4, "xx z"))),
    _instances("blank-first", "ARC-1410: two names with a blank as their first byte", _full(*_SAME, (3, " x"), (4, " y")), ("ARC-1410", "warning", _IDS + 16 + 12)),
    _instances("long-names-with-a-blank", "ARC-1410: a blank as the tenth byte of two names", _full(*_SAME, (3, "abcdefghi x"), (4, "abcdefghi y")), ("ARC-1410", "warning", _IDS + 16 + 12)),
    _instances("long-names-with-a-late-blank", "ARC-1410: two names that differ before their blank", _full(*_SAME, (3, "abcdefghi x"), (4, "abcdefghj y"))),
    _instances("empty-name", "ARC-1411: an empty name between others", _full((0, "a"), (2, "c"), (3, ""), (4, "d")), ("ARC-1411", "warning", _IDS + 16 + 8)),
    _instances("empty-name-last", "ARC-1411: an empty name as the last one", _full(*_SAME, (3, "")), ("ARC-1411", "warning", _IDS + 12 + 8)),
    *(
        _instances(f"name-with-{text.encode().hex()}", f"ARC-1429: a name with {what}", _full(*_SAME, (3, f"x{text}y")), *(((rule, "warning", _IDS + 24 + 4),) if rule else ()))
        for text, rule, what in (
            ("\x01", "ARC-1429", "the first control character"), ("\x1f", "ARC-1429", "the last control character before the blank"), ("!", "", "the first printable character"),
            ("~", "", "the last printable character of ASCII"), ("\x7f", "ARC-1429", "DEL"), ("\x80", "ARC-1429", "U+0080"), ("\x9f", "ARC-1429", "U+009F"), ("\xa0", "", "U+00A0"),
            ("\u061b", "", "U+061B"), ("\u061c", "ARC-1431", "U+061C"), ("\u061d", "", "U+061D"), ("\u200a", "", "U+200A"), ("\u200b", "ARC-1431", "U+200B"), ("\u200f", "ARC-1431", "U+200F"),
            ("\u2010", "", "U+2010"), ("\u2027", "", "U+2027"), ("\u2028", "ARC-1431", "U+2028"), ("\u202e", "ARC-1431", "U+202E"), ("\u202f", "", "U+202F"), ("\u2065", "", "U+2065"),
            ("\u2066", "ARC-1431", "U+2066"), ("\u2069", "ARC-1431", "U+2069"), ("\u206a", "", "U+206A"), ("\ufeff", "ARC-1431", "U+FEFF"), ("\ufefe", "", "U+FEFE"), ("\ufffd", "", "U+FFFD"),
            ("\ufffe", "ARC-1431", "U+FFFE"), ("\uffff", "ARC-1431", "U+FFFF"), ("\U00010000", "", "U+10000"), ("\U0010ffff", "", "U+10FFFF"),
        )
    ),
    *(
        _instances(f"bytes-{text.hex()}", f"ARC-1429: a name with the bytes {text.hex()}", _indom(4, [0, 2, 3], [0, 2, 4], b"a\0c\0x" + text + b"y\0"), *((("ARC-1429", "warning", _IDS + 24 + 4),) if is_wrong else ()))
        for text, is_wrong in (
            (b"\xc2", True), (b"\xc3\xbc", False), (b"\xc1\xbf", True), (b"\xdf\xbf", False), (b"\xe0\x9f\xbf", True), (b"\xe0\xa0\x80", False), (b"\xed\x9f\xbf", False), (b"\xed\xa0\x80", True),
            (b"\xee\x80\x80", False), (b"\xf0\x8f\xbf\xbf", True), (b"\xf0\x90\x80\x80", False), (b"\xf4\x8f\xbf\xbf", False), (b"\xf4\x90\x80\x80", True), (b"\xf5\x80\x80\x80", True), (b"\xbf", True),
            (b"\xe2\x82", True), (b"\xff", True),
        )
    ),
    _instances("control-first", "ARC-1429: a control character as the first byte of a name", _full(*_SAME, (3, "\nx")), ("ARC-1429", "warning", _IDS + 24 + 4)),
    _instances("control-in-the-second", "ARC-1429: a control character in the first of two names", _full(*_SAME, (3, "x\ty"), (4, "z")), ("ARC-1429", "warning", _IDS + 32 + 4)),
    _instances("controls-in-both", "ARC-1429: a control character in two names", _full(*_SAME, (3, "x\ty"), (4, "\x01")), ("ARC-1429", "warning", _IDS + 32 + 4), counts=(2,)),
    _instances("hidden-and-control", "ARC-1431: a control character and U+200B in a name", _full(*_SAME, (3, "\u200bx\x01")), ("ARC-1429", "warning", _IDS + 24 + 4), ("ARC-1431", "warning", _IDS + 24 + 4)),
    _instances("control-after-eight", "ARC-1429: a control character after eight others", _full(*_SAME, (3, "abcdefgh\x01")), ("ARC-1429", "warning", _IDS + 24 + 4)),
    _instances("shared-name", "ARC-1421: two instances share the bytes of a name", _indom(4, [0, 2, 3], [0, 2, 2], b"a\0c\0"), ("ARC-1409", "warning", _IDS + 20), ("ARC-1421", "info", _IDS + 20)),
    _instances("tail-of-a-name", "ARC-1421: a name is the tail of another one", _indom(4, [0, 2, 3], [0, 4, 2], b"a\0xc\0"[:2] + b"xyc\0"), ("ARC-1421", "info", _IDS + 16)),
    _instances("tail-with-a-control", "ARC-1429: a control character in a name, and another one is its tail after it", _indom(4, [0, 2, 3], [0, 4, 2], b"a\0x\x01c\0"), ("ARC-1421", "info", _IDS + 16), ("ARC-1429", "warning", _IDS + 24 + 2)),
    _instances("tail-from-a-control", "ARC-1429: a name is the tail of another one, from its control character on", _indom(4, [0, 2, 3, 4], [0, 2, 4, 5], b"a\0c\0x\x01y\0"),
               ("ARC-1421", "info", _IDS + 28), ("ARC-1429", "warning", _IDS + 32 + 4), counts=(1, 2)),
    _instances("tail-in-a-character", "ARC-1429: a name begins inside of a character of another one", _indom(4, [0, 2, 3, 4], [0, 2, 4, 6], b"a\0c\0x\xc3\xbcy\0"),
               ("ARC-1421", "info", _IDS + 28), ("ARC-1429", "warning", _IDS + 32 + 6)),
    *(
        _instances(f"tail-in-a-character-{byte[1]:02x}", f"ARC-1429: a name begins with the byte {byte[1]:02x}, inside of a character of another one", _indom(4, [0, 2, 3, 4], [0, 2, 4, 6], b"a\0c\0x" + byte + b"y\0"),
                   ("ARC-1421", "info", _IDS + 28), ("ARC-1429", "warning", _IDS + 32 + 6))
        for byte in (b"\xc3\x80", b"\xc3\x81", b"\xc3\xbf")
    ),
    _instances("bytes-before", "ARC-1420: a byte before the first name", _indom(4, [0, 2], [1, 3], b"\0a\0c\0"), ("ARC-1420", "info", _IDS + 16), ("ARC-1423", "info", 0)),
    _instances("bytes-before-and-a-nanosecond-too-many", "ARC-346: a byte before the first name, and a nanosecond more than a second has", _indom(4, [0, 2], [1, 3], b"\0a\0c\0", nanosecond=10**9),
               least="warning"),
    _instances("bytes-before-like-an-offset", "ARC-1420: before the first name are four bytes that pass for the offset of the second one", _indom(4, [0, 2], [4, 6], b"\0\0\0\6a\0c\0"),
               ("ARC-1420", "info", _IDS + 16), ("ARC-1423", "info", 0)),
    _instances("names-that-collide", f"ARC-1409: {len(_COLLIDING)} names that a hash table takes for alike, as std::hash of libstdc++ does, differ", _full(*_SAME, *_NUMBERED)),
    _instances("names-that-collide-and-one-twice", f"ARC-1409: after {len(_COLLIDING)} such names one of them again", _full(*_SAME, *_NUMBERED, (50, _COLLIDING[5])),
               ("ARC-1409", "warning", _IDS + 4 * (33 + 32))),
    _instances("names-that-collide-and-two-twice", f"ARC-1409: after {len(_COLLIDING)} such names two of them again, the later one first", _full(*_SAME, *_NUMBERED, (50, _COLLIDING[9]), (51, _COLLIDING[2])),
               ("ARC-1409", "warning", _IDS + 4 * (34 + 32)), counts=(2,)),
    _instances("names-that-collide-before-a-blank", f"ARC-1410: {len(_COLLIDING)} names with such words before a blank, and one of the words twice",
               _full(*_SAME, *((number, f"{name} x") for number, name in _NUMBERED), (50, f"{_COLLIDING[5]} y")), ("ARC-1410", "warning", _IDS + 4 * (33 + 32))),
    _instances("tails-of-one-name", "ARC-1421: a hundred names are tails of one", _indom(4, [0, 2, *range(10, 110)], [0, 2, *range(4, 104)], b"a\0c\0" + b"n" * 100 + b"\0"),
               ("ARC-1421", "info", _IDS + 4 * (102 + 3)), counts=(99,)),
    _instances("tails-of-one-name-and-one-twice", "ARC-1409: a hundred names are tails of one, the last of them that before it",
               _indom(4, [0, 2, *range(10, 110)], [0, 2, *range(4, 103), 102], b"a\0c\0" + b"n" * 100 + b"\0"),
               ("ARC-1409", "warning", _IDS + 4 * (102 + 101)), ("ARC-1421", "info", _IDS + 4 * (102 + 3)), counts=(1, 99)),
    _instances("tails-of-one-name-and-three-alike", "ARC-1409: a hundred names are tails of one, the last three of them alike",
               _indom(4, [0, 2, *range(10, 110)], [0, 2, *range(4, 102), 101, 101], b"a\0c\0" + b"n" * 100 + b"\0"),
               ("ARC-1409", "warning", _IDS + 4 * (102 + 100)), ("ARC-1421", "info", _IDS + 4 * (102 + 3)), counts=(2, 99)),
    _instances("bytes-between", "ARC-1420: bytes between two names", _indom(4, [0, 2], [0, 4], b"a\0x\0c\0"), ("ARC-1420", "info", _IDS + 16 + 2), ("ARC-1423", "info", 0)),
    _instances("bytes-after", "ARC-1427: a byte after the last name", _indom(4, [0, 2], [0, 2], b"a\0c\0\0"), ("ARC-1423", "info", 0), ("ARC-1427", "info", _IDS + 16 + 4)),
    _instances("names-descend", "ARC-342: the names lie in another order than the instances", _indom(4, [0, 2], [2, 0], b"c\0a\0"), ("ARC-1423", "info", 0)),
    _instances("names-descend-with-a-gap", "ARC-1420: bytes between two names that lie in another order", _indom(4, [0, 2], [4, 0], b"c\0x\0a\0"), ("ARC-1420", "info", _IDS + 16 + 2), ("ARC-1423", "info", 0)),
    _instances("identifiers-descend", "ARC-1419: the identifiers descend", _full((2, "c"), (0, "a")), ("ARC-1419", "info", _IDS + 4), ("ARC-1423", "info", 0)),
    _instances("last-identifiers-descend", "ARC-1419: the last two identifiers descend", _full((0, "a"), (3, "d"), (2, "c")), ("ARC-1419", "info", _IDS + 8)),
    _instances("identifier-twice", "ARC-1408: an identifier occurs twice", _full((0, "a"), (2, "c"), (2, "d")), ("ARC-1408", "error", _IDS + 8)),
    _instances("identifier-twice-apart", "ARC-1408: an identifier occurs twice, with another one between", _full((0, "a"), (2, "c"), (0, "d")), ("ARC-1408", "error", _IDS + 8), ("ARC-1419", "info", _IDS + 8)),
    _instances("identifier-thrice", "ARC-1408: an identifier occurs three times", _full((0, "a"), (2, "c"), (2, "d"), (2, "e")), ("ARC-1408", "error", _IDS + 8), counts=(2,)),
    _instances("identifier-minus-1", "ARC-1407: identifier -1", _full((0, "a"), (-1, "c")), ("ARC-1407", "fatal", _IDS + 4), least="fatal"),
    _instances("identifiers-below-0", "ARC-1407: two identifiers below 0", _full((-1, "a"), (-2147483648, "c")), ("ARC-1407", "fatal", _IDS), least="fatal", counts=(2,)),
    _instances("offset-minus-1", "ARC-1405: name offset -1 in a full record", _indom(4, [0, 2], [0, -1], b"a\0"), ("ARC-1405", "fatal", _IDS + 12), least="fatal"),
    _instances("offset-minus-2", "ARC-1403: name offset -2 in a full record", _indom(4, [0, 2], [0, -2], b"a\0"), ("ARC-1403", "fatal", _IDS + 12), least="fatal"),
    _instances("offset-beyond", "ARC-1403: a name offset one beyond the length of the table", _indom(4, [0, 2], [0, 3], b"a\0"), ("ARC-1403", "fatal", _IDS + 12), least="fatal"),
    _instances("delta-offset-minus-2", "ARC-1406: name offset -2 in a delta", _indom(4, [3], [-2], b"", kind=6), ("ARC-1406", "fatal", _IDS + 4), least="fatal"),
    _instances("count-2-of-1", "ARC-1402: two instances, and room for one", _indom(4, [0], [0], b"abcdefg", count=2), ("ARC-1402", "fatal", _N), least="fatal"),
    _instances("no-instance", "ARC-1418: no instance", _full(), ("ARC-1418", "warning", _N)),
    _instances("too-short", "ARC-1109: an instance domain of 31 bytes", framed(_words(5) + time_of(4) + _DOMAIN + "000000"), ("ARC-1109", "fatal", 0), least="fatal"),
    _instances("at-least-32", "ARC-1418: an instance domain of 32 bytes", framed(_words(5) + time_of(4) + _DOMAIN + _words(0)), ("ARC-1418", "warning", _N)),
    _instances("flag", "ARC-1412: an instance domain with its flag bit", _full((0, "x"), indom="87400001"), ("ARC-1412", "warning", _OF)),
    _instances("of-no-metric", "ARC-1413: an instance domain of no metric", _full((0, "x"), indom="07400002"), ("ARC-1413", "info", _OF)),
    _instances("full-twice", "ARC-1422: two full records of one time", _full(*_SAME, (3, "d")) + _full(*_SAME, (3, "d"), (4, "e")), ("ARC-1422", "warning", 62 + _TIME)),
    _instances("a-nanosecond-apart", "ARC-1422: two full records a nanosecond apart", _full(*_SAME, (3, "d")) + _indom(4, [0, 2, 4], [0, 2, 4], b"a\0c\0e\0", nanosecond=1),
               ("ARC-2005", "info", 62 + _TIME)),
    _instances("delta-adds", "ARC-1415: a delta adds an instance", _delta((3, "d"))),
    _instances("delta-adds-one-of-two", "ARC-1415: a delta adds an instance, and one that is there", _delta((2, "c"), (3, "d")), ("ARC-1415", "error", _IDS)),
    _instances("delta-adds-the-second", "ARC-1415: a delta adds two instances, the second of which is there", _delta((1, "b"), (2, "c")), ("ARC-1415", "error", _IDS + 4)),
    _instances("delta-replaces", "ARC-1417: a delta deletes an instance and adds it", _delta((2, None), (2, "x")), ("ARC-1417", "warning", _IDS + 4), ("ARC-1424", "warning", _IDS + 12)),
    _instances("delta-renames-and-adds", "ARC-1415: a delta deletes an instance, and adds another one with its name", _delta((1, "b"), (3, "d"))),
    _instances("delta-removes-all", "ARC-345: a delta deletes all instances, two of which have values later", _delta((0, None), (2, None)), least="error"),
    _instances("delta-removes-all-and-adds", "ARC-345: a delta deletes all instances, and adds one", _delta((0, None), (2, None), (3, "d")), least="error"),
    _instances("delta-removes-all-then-adds", "ARC-345: a delta deletes all instances, and the next one adds one", _delta((0, None), (2, None)) + _delta((5, "x"), second=5), least="error"),
    _instances("delta-removes-the-first", "ARC-345: a delta deletes the first instance", _delta((0, None)), least="error"),
    _instances("delta-removes-the-last", "ARC-345: a delta deletes the last instance", _delta((2, None)), least="error"),
    _instances("delta-between", "ARC-345: a delta adds an instance between the others, and another one after them", _delta((1, "b"), (7, "h"))),
    _instances("delta-after-a-later-one", "ARC-1422: a delta stands after a later one of its domain", _delta((3, "d")) + _delta((4, "e"), second=3), ("ARC-1422", "error", 42 + 8), least="error"),
    _instances("delta-of-nothing", "ARC-1418: a delta without instances", _delta(), ("ARC-1418", "warning", _N)),
    _instances("delta-without-a-full-record", "ARC-1414: a delta of a domain without a full record", _delta((3, "d"), indom="07400002"), ("ARC-1413", "info", _OF), ("ARC-1414", "error", 0)),
    _instances("delta-identifiers-descend", "ARC-1419: the identifiers of a delta descend", _delta((4, "e"), (3, "d")), ("ARC-1419", "info", _IDS + 4)),
    _instances("between-records", "ARC-2005: an instance domain between two records", _indom(4, [0, 2, 4], [0, 2, 4], b"a\0c\0e\0", nanosecond=5), ("ARC-2005", "info", _TIME)),
    _instances("at-the-last-record", "ARC-2002: an instance domain of the time of the last record", _full(*_SAME, (3, "d"), second=5)),
    _instances("a-nanosecond-late", "ARC-2002: an instance domain a nanosecond later than the last record", _indom(5, [0, 2, 4], [0, 2, 4], b"a\0c\0e\0", nanosecond=1), ("ARC-2002", "warning", _TIME)),
    _instances("at-the-time-of-the-one-before", "ARC-1422: an instance domain of the time of the delta before it", _full(*_SAME, (3, "d"), second=5) + _full(*_SAME, second=5), ("ARC-1422", "warning", 62 + _TIME)),
)



def _tangled(name: str, title: str, table: bytes, offsets: Sequence[int], first: int) -> Limit:
    """So many names that share bytes that reading them one by one would take their square; the first two are those of before."""
    ids = [0, 2, *range(10, 10 + len(offsets))]
    names = _IDS + 4 * len(ids)
    record = _indom(4, ids, [0, 2, *(4 + offset for offset in offsets)], b"a\0c\0" + table)
    return _instances(f"tangled-{name}", title, record, ("ARC-1421", "info", names + 8 + 4 * first), counts=(len(offsets) - 1,))


_TAIL = b"x" * 200
_TANGLED = (
    _tangled("tails", "ARC-1421: forty names, each a tail of the one before", _TAIL + b"\0", range(40), 1),
    _tangled("blank", "ARC-1410: forty names that are tails, with a blank near their end", _TAIL + b" y\0", range(40), 1),
    _tangled("descend", "ARC-342: forty names that are tails, the shortest first", _TAIL + b"\0", range(39, -1, -1), 0),
)

# Readers compare a full record of sixteen instances or more with the one before it, and look only at those that are new.
_SIXTEEN = ((0, "a"), (2, "c"), *((number, f"n{number}") for number in range(10, 24)))
_SEVENTEEN = (*_SIXTEEN, (40, "q"))


def _many(*named: tuple[int, str], second: int = 5, rest: bytes = b"") -> str:
    return _full(*named, second=second, indom="07400002", rest=rest)


def _third(name: str, title: str, third: str, *found: tuple[str, str, int], counts: tuple[int, ...] = ()) -> Limit:
    """Three records of 29.2, of T+3 to T+5; in the second there is one instance more. No metric has that domain."""
    before = _many(*_SIXTEEN, second=3) + _many(*_SEVENTEEN, second=4)
    all_found = sorted([("ARC-1413", "info", _OF), *((rule, severity, len(before) // 2 + within) for rule, severity, within in found)])
    return _instances(f"third-{name}", title, before + third, *all_found, counts=(1, *counts) if counts else ())


def _of_names(*names: str, begin: int = 10, second: int) -> str:
    return _many(*enumerate(names, begin), second=second)


_OFFSETS, _NAMES = _IDS + 4 * 18, _IDS + 8 * 18  # of eighteen instances
_LENGTHS = 2 + 2 + 14 * 4  # of the names of sixteen
_THIRD = (
    _third("one-more", "ARC-1408: the third of three records of many instances has one more", _many(*_SEVENTEEN, (41, "r"))),
    _third("one-goes", "ARC-1408: the third record of many instances has the first two and the last two of the one before no more", _many(*_SEVENTEEN[:2], *_SEVENTEEN[4:-2], (41, "r"))),
    _third("identifier-twice", "ARC-1408: a new instance of many has the identifier of the one before it", _many(*_SEVENTEEN, (40, "r")), ("ARC-1408", "error", _IDS + 4 * 17)),
    _third("identifier-less", "ARC-1419: a new instance of many has a lower identifier than the one before it", _many(*_SEVENTEEN, (39, "r")), ("ARC-1419", "info", _IDS + 4 * 17)),
    _third("name-twice", "ARC-1409: a new instance of many has the name of another one", _many(*_SEVENTEEN, (41, "n15")), ("ARC-1409", "warning", _OFFSETS + 4 * 17)),
    _third("beginning-twice", "ARC-1410: up to its blank the name of a new instance of many is that of another one", _many(*_SEVENTEEN, (41, "n15 x")), ("ARC-1410", "warning", _OFFSETS + 4 * 17)),
    _third("empty-name", "ARC-1411: a new instance of many has an empty name", _many(*_SEVENTEEN, (41, "")), ("ARC-1411", "warning", _OFFSETS + 4 * 17)),
    _third("control", "ARC-1429: the name of a new instance of many has a control character", _many(*_SEVENTEEN, (41, "r\n")), ("ARC-1429", "warning", _NAMES + _LENGTHS + 2)),
    _third("hidden", "ARC-1431: the name of a new instance of many has U+200B", _many(*_SEVENTEEN, (41, "r\u200b")), ("ARC-1431", "warning", _NAMES + _LENGTHS + 2)),
    _third("bytes-after", "ARC-1427: a byte after the last name of many", _many(*_SEVENTEEN, (41, "r"), rest=b"\0"), ("ARC-1427", "info", _NAMES + _LENGTHS + 4)),
    _third("renamed", "ARC-1424: one instance of many has another name", _many(*_SEVENTEEN[:9], (17, "x"), *_SEVENTEEN[10:]), ("ARC-1424", "warning", _IDS + 4 * 17 + 4 * 9)),
    _third("longer-name", "ARC-1424: the name of one instance of many is longer by a letter", _many(*_SEVENTEEN[:9], (17, "n17x"), *_SEVENTEEN[10:]), ("ARC-1424", "warning", _IDS + 4 * 17 + 4 * 9)),
    _third("another-identifier", "ARC-1425: one instance of many has another identifier", _many(*_SEVENTEEN[:-1], (41, "q")), ("ARC-1425", "warning", _IDS + 4 * 16)),
    _third("names-exchanged", "ARC-1424: two instances of many have the names of each other", _many(*_SEVENTEEN[:9], (17, "n18"), (18, "n17"), *_SEVENTEEN[11:]),
           ("ARC-1424", "warning", _IDS + 4 * 17 + 4 * 9), ("ARC-1425", "warning", _IDS + 4 * 9), counts=(2, 2)),
    _instances("second-bytes-after", "ARC-1427: a byte after the last name of the second of two records of many instances", _many(*_SIXTEEN, second=4) + _many(*_SEVENTEEN, rest=b"\0"),
               ("ARC-1413", "info", _OF), ("ARC-1427", "info", len(_many(*_SIXTEEN)) // 2 + _IDS + 8 * 17 + _LENGTHS + 2)),
    # Without the first name others that collide with it have to be found all the same.
    *(
        _instances(name, title, _of_names(*_COLLIDING[:17], second=3) + _of_names(*_COLLIDING[:18], second=4) + _of_names(*_COLLIDING[1:18], *more, begin=11, second=5),
                   *sorted([("ARC-1413", "info", _OF), *found]))
        for name, title, more, found in (
            ("colliding-first-goes", "ARC-1409: of names that collide the first one goes, and another one comes", _COLLIDING[18:19], ()),
            *(
                (f"colliding-first-goes-and-{number}-twice", f"ARC-1409: of names that collide the first one goes, and number {number} is there twice", _COLLIDING[number - 1 : number],
                 (("ARC-1409", "warning", sum(len(_of_names(*_COLLIDING[:count], second=3)) // 2 for count in (17, 18)) + _OFFSETS + 4 * 17),))
                for number in (2, 3, 18)
            ),
        )
    ),
)

TABLES = (
    Table(
        "limits-descriptors",
        "Descriptors at the limits of what they may say",
        "What a descriptor says holds for every value of its metric.",
        "By the layout of ARC-302, the units of ARC-009 and 010, the types of ARC-011, and the names of ARC-305.",
        ("ARC-009", "ARC-010", "ARC-011", "ARC-302", "ARC-305", "ARC-306", "ARC-310", "ARC-311", "ARC-1328"),
        (*_DESCRIPTORS, *_EXTRA),
    ),
    Table(
        "limits-instances",
        "Instance domains at the limits of what they may say",
        "Instances are told apart by identifiers and names; tools print the names to people.",
        "By the layout of ARC-340 to 343 and 370; characters by ARC-002.",
        ("ARC-002", "ARC-340", "ARC-341", "ARC-342", "ARC-343", "ARC-370", "ARC-371", "ARC-2008", "ARC-2009"),
        (*_INSTANCES, *_TANGLED, *_THIRD),
    ),
)
