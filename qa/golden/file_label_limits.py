# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-file-labels and archive/limits-file-labels-opened: the fields of the label that each file of an
archive begins with (ARC-100, ARC-101); what a validator says of them, and what a reader makes of them.
"""

from collections.abc import Sequence

from qa.golden.limit import Change, Finding, Limit, Table
from qa.golden.pdu_cases import Json

_PARTS = ("meta", "index", "0")
_PID, _START, _FRACTION, _VOLUME, _FEATURES, _RESERVED, _HOST, _ZONE, _ZONEINFO = 8, 12, 20, 24, 28, 32, 36, 292, 548
_SIZE = 256
_V2_FRACTION, _V2_HOST, _V2_ZONE, _V2_HOST_SIZE, _V2_ZONE_SIZE = 16, 24, 88, 64, 40
_OLD_HOST, _OLD_ZONE, _OLD_ZONEINFO = b"testhost", b"UTC", b":UTC"
_HOST_LABEL, _V2_HOST_LABEL = 1362, 678  # the value of hostname in the labels of the context


def _texts(at: int, size: int, old: bytes, new: bytes, parts: Sequence[str] = _PARTS) -> tuple[Change, ...]:
    return tuple((part, at, old.ljust(size, b"\0").hex(), new.ljust(size, b"\0").hex()) for part in parts)


def _words(at: int, old: int, new: int, parts: Sequence[str] = _PARTS) -> tuple[Change, ...]:
    return tuple((part, at, f"{old:08x}", f"{new % 2**32:08x}") for part in parts)


def _all(name: str, title: str, changes: tuple[Change, ...], *found: tuple[str, str, int], more: tuple[Finding, ...] = (), least: str = "", of: str = "base-v3") -> Limit:
    """The same in all three files: each finding is first in .meta."""
    findings = tuple((rule, severity, "meta", at) for rule, severity, at in found)
    return Limit(f"label-of-{name}", title, changes, (*findings, *more), of, least=least, counts=(*(3 for _ in findings), *(1 for _ in more)))


def _host(name: str, what: str, host: bytes, *rules: str, severity: str = "warning", least: str = "error") -> Limit:
    """The labels of the context name another host then (ARC-1520), which only a warning says."""
    clause = rules[0] if rules else "ARC-108"
    return _all(f"host-{name}", f"{clause}: {what}", _texts(_HOST, _SIZE, _OLD_HOST, host), *((rule, severity, _HOST) for rule in rules), more=_OTHER_HOST if least != "error" else (), least=least)


_OTHER_HOST: tuple[Finding, ...] = (("ARC-1520", "warning", "meta", _HOST_LABEL),)


def _is(name: str, what: str, host: bytes, *rules: str) -> Limit:
    return _host(name, what, host, *rules, least="warning")


def _zone(name: str, what: str, zone: bytes, *rules: tuple[str, str], at: int = _ZONE) -> Limit:
    old = _OLD_ZONE if at == _ZONE else _OLD_ZONEINFO
    clause = rules[0][0] if rules else "ARC-101"
    kind = "timezone" if at == _ZONE else "zoneinfo"
    return _all(f"{kind}-{name}", f"{clause}: {what}", _texts(at, _SIZE, old, zone), *((rule, severity, at) for rule, severity in rules))


def _zoneinfo(name: str, what: str, zone: bytes, *rules: tuple[str, str]) -> Limit:
    return _zone(name, what, zone, *rules, at=_ZONEINFO)


def _one(name: str, title: str, part: str, changes: tuple[Change, ...], rule: str, severity: str, at: int, more: tuple[Finding, ...] = ()) -> Limit:
    """In one file alone. Where it is the volume, which is the first, the others are at fault (ARC-2302), .meta first."""
    where = "meta" if part == "0" else part
    told = ((rule, severity, where, at), *more)
    return Limit(f"label-{name}", title, tuple(change for change in changes if change[0] == part), told, counts=(2 if part == "0" else 1, *(1 for _ in more)))


_PATH, _NO_HOST = "ARC-1227", "ARC-1228"
_CONTROL = ("ARC-1224", "warning")
_IS_PATH, _UNKNOWN = ("ARC-1229", "warning"), ("ARC-1223", "warning")

_HOSTS = (
    *(_is(f"with-{code:02x}", f"a host name with {chr(code)}", b"ab" + bytes([code]) + b"c") for code in b"-._:%0AZaz9"),
    *(_is(f"with-{code:02x}", f"a host name with {chr(code)}", b"ab" + bytes([code]) + b"c", _NO_HOST) for code in b" !,;@[`{~^$&="),
    *(_is(f"with-{code:02x}", f"a host name with the control character {code}", b"ab" + bytes([code]) + b"c", "ARC-1224") for code in (1, 9, 10, 31, 127)),
    _is("with-a-slash", "a host name with a slash", b"a/b", _PATH),
    _is("slash-last", "a host name that ends in a slash", b"ab/", _PATH),
    _is("dot", "the folder that one is in as a host name", b".", _PATH),
    _is("two-dots", "the folder above as a host name", b"..", _PATH),
    _is("three-dots", "three dots are no path", b"..."),
    _is("dot-first", "a dot in front", b".a"),
    _is("hyphen-first", "a hyphen in front", b"-a", _NO_HOST),
    _is("hyphen-alone", "a hyphen alone", b"-", _NO_HOST),
    _is("hyphen-last", "a hyphen at the end", b"a-"),
    _is("of-one-letter", "a host name of one letter", b"x"),
    _is("of-letters", "a host name with letters of other scripts", "höst-日本".encode()),
    _is("with-a-hidden-character", "U+200B in a host name", "a\u200bb".encode(), _NO_HOST),
    _is("with-a-late-override", "U+202E after other letters of other scripts", "höst\u202eb".encode(), _NO_HOST),
    _is("with-c1", "U+0085 in a host name", "a\x85b".encode(), _NO_HOST),
    _host("not-utf-8", "a host name that is not UTF-8", b"a\xe9b", _NO_HOST, severity="error"),
    _host("cut-in-a-letter", "a host name that ends inside a letter of UTF-8", b"a\xc3", _NO_HOST, severity="error"),
    _is("of-254", "a host name of 254 letters", b"h" * 254),
    _is("of-255", "a host name of 255 letters", b"h" * 255),
    _is("of-256", "a host name of 256 letters, without a NUL", b"h" * 256, "ARC-1215"),
    _host("empty", "no host name", b"", "ARC-1217", severity="error"),
)

_ZONES = (
    _zone("empty", "no timezone", b"", ("ARC-1218", "warning")),
    _all("timezone-posix", "ARC-101: a timezone as POSIX writes it, and no zoneinfo", (*_texts(_ZONE, _SIZE, _OLD_ZONE, b"ABC5"), *_texts(_ZONEINFO, _SIZE, _OLD_ZONEINFO, b""))),
    _zone("with-a-colon", "a timezone with the colon of zoneinfo", b":UTC", ("ARC-1224", "warning")),
    _zone("colon-and-path", "a colon and a path", b":/etc/x", ("ARC-1224", "warning"), _IS_PATH),
    _zone("path", "a timezone that is an absolute path", b"/UTC", _IS_PATH),
    _zone("dot", "a timezone that is a dot", b".", _IS_PATH),
    _zone("dots-in-the-middle", "a timezone with the folder above in its middle", b"a/../b", _IS_PATH),
    _zone("dot-last", "a timezone that ends in a dot as a part", b"a/.", _IS_PATH),
    _zone("with-a-control", "a timezone with a newline", b"U\nTC", _CONTROL),
    _zone("with-a-delete", "a timezone with the character 127", b"UTC\x7f", _CONTROL),
    _zoneinfo("empty", "no zoneinfo", b""),
    _zoneinfo("without-a-colon", "zoneinfo without its colon", b"UTC"),
    _zoneinfo("posix", "zoneinfo as POSIX writes zones", b":ABC5"),
    _zoneinfo("colon-alone", "a colon alone", b":", _UNKNOWN),
    _zoneinfo("two-colons", "two colons", b"::UTC", _UNKNOWN),
    _zoneinfo("of-no-zone", "zoneinfo with a blank", b":U TC", _UNKNOWN),
    _zoneinfo("path", "zoneinfo that is an absolute path", b":/UTC", _IS_PATH),
    _zoneinfo("path-without-a-colon", "a path without a colon", b"/UTC", _IS_PATH),
    _zoneinfo("dots-last", "zoneinfo that ends in the folder above", b":a/..", _IS_PATH),
    _zoneinfo("with-a-control", "zoneinfo with a tabulator", b":U\tC", _CONTROL),
    _zoneinfo("of-256", "zoneinfo of 256 letters, without a NUL", b":" + b"A" * 252 + b"BC5", ("ARC-1215", "warning"), _UNKNOWN),
)

_NUMBERS = (
    *(_all(f"features-{word:08x}", f"{rule}: feature bits {word:08x}", _words(_FEATURES, 0, word), *found, least="info", more=(("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 2628)))
      for word, rule, found in (
          (1, "ARC-1212", (("ARC-1212", "error", _FEATURES),)), (0x40000000, "ARC-1212", (("ARC-1212", "error", _FEATURES),)), (0x80000000, "ARC-1213", (("ARC-1213", "info", _FEATURES),)),
          (0xFFFFFFFF, "ARC-1212", (("ARC-1212", "error", _FEATURES), ("ARC-1213", "info", _FEATURES))))),
    *(_all(f"reserved-{word:08x}", f"ARC-1214: reserved {word:08x}", _words(_RESERVED, 0, word), ("ARC-1214", "warning", _RESERVED)) for word in (1, 0x80000000)),
    *(_all(f"pid-{number}".replace("--", "-minus-"), f"ARC-1221: pid {number}", _words(_PID, 4242, number), *found, least="info", more=(("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 2628)))
      for number, found in ((1, ()), (0, (("ARC-1221", "info", _PID),)), (-1, (("ARC-1221", "info", _PID),)), (2**31 - 1, ()))),
    _all("fraction-too-many", "ARC-1219: a nanosecond more than a second has", _words(_FRACTION, 0, 10**9), ("ARC-1219", "error", _FRACTION), least="error"),
    _all("fraction-last", "ARC-1222: the last nanosecond of the second of the first record", _words(_FRACTION, 0, 10**9 - 1), least="error",
         more=(("ARC-1222", "error", "0", _START), ("ARC-1719", "error", "0", 812), ("ARC-1907", "error", "index", 808))),
    _all("fraction-below-0", "ARC-1219: nanosecond -1", _words(_FRACTION, 0, -1), ("ARC-1219", "error", _FRACTION), least="error"),
    _all("second-before", "ARC-1222: the start is a second before the first record", _words(_START, 0x6553F100, 0x6553F0FF), more=(("ARC-1222", "warning", "0", _START),)),
    Limit("label-of-second-before-2038", "ARC-1226: the start is the last second that 31 bits have", _words(_START, 0x6553F100, 2**31 - 1),
          (("ARC-1222", "error", "0", _START), ("ARC-1719", "error", "0", 812), ("ARC-1907", "error", "index", 808)), least="error", counts=(1, 6, 3)),
    _all("of-31-bits", "ARC-1221: the largest pid, and a host name of one letter", (*_words(_PID, 4242, 2**31 - 1), *_texts(_HOST, _SIZE, _OLD_HOST, b"x")), more=_OTHER_HOST),
)


_OTHERS = (
    *(_one(f"pid-of-{part}", f"ARC-1207: the pid in {part} is another one", part, _words(_PID, 4242, 4243), "ARC-1207", "fatal", _PID) for part in _PARTS),
    *(_one(f"volume-of-{part}", f"ARC-1206: the volume of {part} is one more", part, (("meta", _VOLUME, "ffffffff", "00000000"), ("index", _VOLUME, "fffffffe", "ffffffff")), "ARC-1206", "fatal", _VOLUME)
      for part in ("meta", "index")),
    *(_one(f"host-of-{part}", f"ARC-1208: the last letter of the host in {part} is another one", part, _texts(_HOST, 8, _OLD_HOST, b"testhosu"), "ARC-1208", "fatal", _HOST) for part in ("meta", "index")),
    *(_one(f"longer-host-of-{part}", f"ARC-1208: the host in {part} has a letter more", part, _texts(_HOST, 9, _OLD_HOST, b"testhosts"), "ARC-1208", "fatal", _HOST) for part in ("meta", "index")),
    *(_one(f"timezone-of-{part}", f"ARC-1210: the timezone in {part} is another one", part, _texts(_ZONE, 4, _OLD_ZONE, b"ABC5"), "ARC-1210", "warning", _ZONE) for part in _PARTS),
    *(_one(f"zoneinfo-of-{part}", f"ARC-1211: the zoneinfo in {part} is empty", part, _texts(_ZONEINFO, 4, _OLD_ZONEINFO, b""), "ARC-1211", "warning", _ZONEINFO) for part in _PARTS),
    *(_one(f"start-of-{part}", f"ARC-1209: the start in {part} is a second earlier", part, _words(_START, 0x6553F100, 0x6553F0FF), "ARC-1209", "warning", _START,
           (("ARC-1222", "warning", "0", _START),) if part == "0" else ()) for part in _PARTS),
    *(_one(f"nanosecond-of-{part}", f"ARC-1209: the start in {part} is a nanosecond later", part, _words(_FRACTION, 0, 1), "ARC-1209", "warning", _START) for part in ("meta", "index")),
)


def _v2(name: str, what: str, at: int, size: int, old: bytes, new: bytes, rule: str = "", is_host: bool = True) -> Limit:
    more = (("ARC-1520", "warning", "meta", _V2_HOST_LABEL),) if is_host else ()
    clause = rule or "ARC-100"
    return _all(f"v2-{name}", f"{clause}: version 2: {what}", _texts(at, size, old, new), *(((rule, "warning", at),) if rule else ()), more=more, of="base-v2")


_VERSION_2 = (
    _v2("host-of-63", "a host name of 63 letters", _V2_HOST, _V2_HOST_SIZE, _OLD_HOST, b"h" * 63),
    _v2("host-of-64", "a host name of 64 letters, without a NUL", _V2_HOST, _V2_HOST_SIZE, _OLD_HOST, b"h" * 64, "ARC-1215"),
    _v2("timezone-of-39", "a timezone of 39 letters", _V2_ZONE, _V2_ZONE_SIZE, _OLD_ZONE, b"A" * 36 + b"BC5", is_host=False),
    _all("v2-microsecond-too-many", "ARC-1219: version 2: a microsecond more than a second has", _words(_V2_FRACTION, 0, 10**6), ("ARC-1219", "error", _V2_FRACTION), least="error", of="base-v2"),
)

_FOR_VERSION_2 = (
    _is("of-63", "a host name of 63 letters", b"h" * 63),
    _is("of-64", "a host name of 64 letters", b"h" * 64),
    *(_all(f"timezone-of-{size}-alone", f"ARC-101: a timezone of {size} letters, and no zoneinfo", (*_texts(_ZONE, _SIZE, _OLD_ZONE, b"A" * (size - 3) + b"BC5"), *_texts(_ZONEINFO, _SIZE, _OLD_ZONEINFO, b""))) for size in (39, 40)),
    Limit("label-of-first-second-beyond-31-bits", "ARC-1719: the start is the first second that 31 bits have not", _words(_START, 0x6553F100, 2**31),
          (("ARC-1222", "error", "0", _START), ("ARC-1719", "error", "0", 812), ("ARC-1907", "error", "index", 808)), least="error", counts=(1, 6, 3)),
)


def _remnant(name: str, what: str, at: int, part: str = "0") -> Limit:
    return Limit(f"label-rest-{name}", f"ARC-1216: {what}", ((part, at, "00", "78"),),
                 (("ARC-1216", "info", part, at), ("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 2628)), least="info")


_RESTS = (
    _remnant("after-the-nul", "a letter after the NUL of the host name", _HOST + 9),
    _remnant("at-the-end", "the last byte of the host name's field is a letter", _HOST + 255),
    _remnant("of-the-timezone", "the last byte of the timezone's field is a letter", _ZONE + 255),
    _remnant("of-zoneinfo", "the last byte of the field of zoneinfo is a letter", _ZONEINFO + 255, "index"),
)

TABLES = (
    Table(
        "limits-file-labels",
        "Labels of files: their fields at the limits of what they may say",
        "Who it is that an archive is of, and when it begins, stands in each of its files; programs name folders after it and put it into command lines.",
        "By the layouts of ARC-100 and 101 and the rules ARC-1206 to 1229, worked out by hand; the place of each is that of section 14.15.",
        ("ARC-100", "ARC-101", "ARC-105", "ARC-108", "ARC-2008", "ARC-2009", "ARC-2302"),
        (*_HOSTS, *_ZONES, *_NUMBERS, *_OTHERS, *_RESTS, *_VERSION_2, *_FOR_VERSION_2),
    ),
)

# What a reader says that the label is: ARC-102 and 107, that of the first volume; or why it opens nothing (ARC-104).
_LABEL: Json = {"version": 3, "pid": 4242, "start": "1700000000.000000000", "host": "testhost", "timezone": "UTC"}
_OPENED: Sequence[tuple[str, Json]] = (
    ("of-host-of-one-letter", {"host": "x"}),
    ("of-host-of-letters", {"host": "höst-日本"}),
    ("of-host-of-254", {"host": "h" * 254}),
    ("of-host-of-255", {"host": "h" * 255}),
    ("of-host-of-256", {"host": "h" * 255}),
    ("of-host-with-20", {"host": "ab c"}),
    ("of-host-with-09", {"host": "ab\tc"}),
    ("of-host-with-a-slash", {"host": "a/b"}),
    ("of-timezone-posix", {"timezone": "ABC5"}),
    ("of-timezone-of-39-alone", {"timezone": "A" * 36 + "BC5"}),
    ("of-timezone-of-40-alone", {"timezone": "A" * 37 + "BC5"}),
    ("of-zoneinfo-empty", {}),
    ("of-zoneinfo-of-256", {}),
    ("of-reserved-00000001", {}),
    ("of-pid-0", {"pid": 0}),
    ("of-pid-minus-1", {"pid": -1}),
    ("of-pid-2147483647", {"pid": 2**31 - 1}),
    ("of-second-before", {"start": "1699999999.000000000"}),
    ("start-of-0", {"start": "1699999999.000000000"}),
    ("start-of-meta", {}),
    ("start-of-index", {}),
    ("nanosecond-of-meta", {}),
    ("timezone-of-0", {"timezone": "ABC5"}),
    ("timezone-of-meta", {}),
    ("timezone-of-index", {}),
    ("rest-after-the-nul", {}),
    ("rest-at-the-end", {}),
    ("rest-of-the-timezone", {}),
    ("of-v2-host-of-63", {"version": 2, "host": "h" * 63}),
    ("of-v2-host-of-64", {"version": 2, "host": "h" * 63}),
    ("of-v2-timezone-of-39", {"version": 2, "timezone": "A" * 36 + "BC5"}),
)
_REFUSED: Sequence[tuple[str, str]] = (
    ("pid-of-meta", "label.pid"),
    ("pid-of-index", "label.pid"),
    ("pid-of-0", "label.pid"),
    ("host-of-meta", "label.host"),
    ("host-of-index", "label.host"),
    ("longer-host-of-meta", "label.host"),
    ("longer-host-of-index", "label.host"),
    ("volume-of-meta", "label.volume"),
    ("volume-of-index", "label.volume"),
)
_COUNTER: Json = {"name": "m.cnt", "status": 0, "pmid": "29.0.1", "descriptor": {"type": "u32", "semantics": "counter", "indom": None, "units": "count"}}


def _described(name: str, version: int, expect: Json) -> Json:
    (limit,) = (one for one in TABLES[0].limits if one.name == f"label-{name}")
    return {
        "title": limit.title.partition(": ")[2],
        "op": "archive.describe",
        "input": {"path": f"../inputs/limit-{limit.name}/base"},
        "args": {"metrics": ["m.cnt"]},
        "applies": {"archive_version": version, "dialects": ["6.0.3", "6.3.8", "7.2.2"]},
        "expect": expect,
    }


def opened() -> Json:
    requests = []
    for name, other in _OPENED:
        label = _LABEL | other
        result = {"start": label["start"], "end": "1700000005.000000000", "labels": [label], "metrics": [_COUNTER]}
        requests.append(_described(name, label["version"], {"result": result}))
    # PCP refuses them as well, but does not say why.
    for name, refusal in _REFUSED:
        asked = _described(name, 3, {"reject": {"class": refusal}})
        requests.append(asked | {"op": "archive.decode", "args": {}, "applies": {"archive_version": 3}})
    return {
        "schema": "pmproof-case/1",
        "id": "archive/limits-file-labels-opened",
        "title": "Labels of files at the limits of what they may say, as readers take them",
        "clauses": ["ARC-006", "ARC-100", "ARC-101", "ARC-102", "ARC-104", "ARC-107"],
        "level": "must",
        "why": "A host name without its NUL runs into the timezone; which of the labels counts is seen only where they differ.",
        "provenance": {"kind": "hand", "note": "By ARC-102, 104 and 107, made by qa/golden/file_label_limits.py, and confirmed by PCP 6.0.3, 6.3.8 and 7.2.2."},
        "requests": requests,
    }
