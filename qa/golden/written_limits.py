# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-written-again and archive/limits-in-the-other-version: what is at the limits, written by archive.write.

What is expected are the bytes of the input, or those of other_version.py; no program was asked.
"""

import base64
from collections.abc import Iterator, Sequence

from qa.golden import other_version, packed
from qa.golden.limit import Limit
from qa.golden.pdu_cases import Json

# Bytes that are not as canonical writers put them, or that nothing refers to.
_AGAIN = (
    "order-mark-second", "order-two-marks-descend", "order-nanosecond-below-0", "order-second-minus-1", "logue-both", "index-31-bytes-of-an-entry", "index-zeros-inside", "index-second-minus-1",
    "index-nanosecond-minus-1", "index-volume-minus-1", "index-v2-19-bytes", "desc-aliases", "desc-no-name", "desc-empty-name", "desc-count-minus-1", "desc-type-minus-2",
    "instances-bytes-before", "instances-bytes-before-and-a-nanosecond-too-many", "instances-bytes-between", "instances-bytes-after", "instances-names-descend", "instances-tail-of-a-name", "instances-shared-name", "instances-identifiers-descend",
    "instances-no-instance", "instances-delta-replaces", "instances-delta-of-nothing", "instances-bytes-ff", "label-entries-exchanged", "label-nlabels-minus-1", "label-bytes-after", "label-no-sets",
    "label-two-sets", "label-value-after-the-end", "text-type-21", "text-nul-inside", "text-empty", "text-not-utf-8", "value-string-empty", "value-string-of-no-byte", "value-aggregate",
    "value-event-missed", "value-highres-event-sound", "value-code-known", "value-type-0-in-a-block", "value-255-for-string", "blocks-exchanged", "blocks-format-2", "blocks-padding-first",
    "blocks-second-length-5", "blocks-six-sound", "blocks-six-last-two-exchanged", "blocks-five-padded", "blocks-insitu-words", "framing-3-bytes",
    "label-rest-after-the-nul", "label-rest-at-the-end", "label-rest-of-the-timezone", "label-rest-of-zoneinfo", "label-of-host-of-255", "label-of-host-of-256", "label-of-host-not-utf-8", "label-of-host-empty",
    "label-of-timezone-empty", "label-of-zoneinfo-empty", "label-of-features-00000001", "label-of-features-80000000", "label-of-reserved-00000001", "label-of-pid-minus-1", "label-of-fraction-too-many",
    "label-of-fraction-below-0", "label-of-second-before-2038", "label-of-v2-host-of-64", "label-of-v2-microsecond-too-many", "label-zoneinfo-of-index", "label-start-of-meta",
    "instances-delta-removes-all", "instances-delta-after-a-later-one", "instances-delta-removes-all-then-adds",
)  # fmt: skip

_OTHER = (
    "order-sound", "order-one-time", "order-back-and-back", "order-mark-first", "order-mark-at-the-record-after", "logue-both", "logue-prologue-of-three", "index-of-all", "index-end",
    "index-entry-twice", "index-meta-second", "index-meta-end", "index-end-of-a-record", "index-volumes", "index-v2-last-microsecond", "index-v2-after-the-label", "desc-aliases", "desc-no-name",
    "desc-count-minus-1", "desc-empty-name", "instances-one-more", "instances-names-descend", "instances-bytes-before", "instances-bytes-between", "instances-bytes-after", "instances-tail-of-a-name",
    "instances-shared-name", "instances-identifiers-descend", "instances-identifier-twice", "instances-empty-name", "instances-delta-adds", "instances-delta-adds-the-second",
    "instances-delta-replaces", "instances-delta-renames-and-adds", "label-entries", "label-entries-exchanged", "label-nlabels-minus-1", "label-no-sets", "label-two-sets", "label-instances",
    "text-type-10", "text-nul-inside", "text-empty", "value-string-empty", "value-string-of-no-byte", "value-64-increases", "value-double-increases", "value-event-sound", "value-event-missed",
    "value-highres-event-sound", "value-code-known", "value-instances-increase", "blocks-exchanged", "blocks-format-2", "blocks-padding-first", "blocks-six-sound", "blocks-five-padded", "blocks-insitu-words",
    "label-rest-after-the-nul", "label-rest-at-the-end", "label-rest-of-the-timezone", "label-rest-of-zoneinfo", "label-of-host-of-63", "label-of-host-not-utf-8", "label-of-host-empty",
    "label-of-timezone-of-39-alone", "label-of-zoneinfo-empty", "label-of-zoneinfo-without-a-colon", "label-of-pid-minus-1", "label-of-second-before-2038", "label-of-v2-host-of-63", "label-of-v2-host-of-64",
    "label-of-v2-timezone-of-39", "label-zoneinfo-of-index", "instances-delta-removes-all-and-adds", "instances-delta-removes-the-first", "instances-delta-removes-the-last",
    "instances-delta-between",
)  # fmt: skip

# Where, and what has no counterpart.
_NONE = (
    ("last-nanosecond", 1172, "ARC-003: a record of no whole microsecond"),
    ("nanosecond-too-many", 1172, "ARC-1718: a record whose nanosecond is out of range"),
    ("order-mark-second", 852, "ARC-003: a mark of no whole microsecond"),
    ("order-nanosecond-below-0", 940, "ARC-1718: a record of nanosecond -1"),
    ("order-first-second-beyond-31-bits", 896, "ARC-504: a record of the first second beyond 31 bits"),
    ("index-a-nanosecond-late", 840, "ARC-003: an entry of no whole microsecond"),
    ("index-nanosecond-too-many", 840, "ARC-1906: an entry whose nanosecond is out of range"),
    ("index-v2-microsecond-too-many", 152, "ARC-1906: an entry whose microsecond is out of range"),
    ("index-a-byte-late", 840, "ARC-455: an entry for the second byte of a record"),
    ("index-last-a-byte-before-the-end", 840, "ARC-455: an entry for the last byte of the volume"),
    ("index-after-the-end", 840, "ARC-455: an entry for the byte after the end of the volume"),
    ("index-in-the-label", 840, "ARC-455: an entry for the last byte of the label"),
    ("index-first-a-byte-late", 808, "ARC-455: the first entry for the second byte of its record"),
    ("index-meta-a-byte-late", 840, "ARC-455: the .meta offset of an entry is the second byte of a record"),
    ("index-meta-after-the-end", 840, "ARC-455: the .meta offset of an entry is the byte after the end"),
    ("index-volume-1", 840, "ARC-455: an entry for a volume that is not there"),
    ("index-place-in-the-other-volume", 872, "ARC-455: an entry for a place that only the other volume has"),
    ("index-v2-volume-1", 152, "ARC-455: an entry of version 2 for a volume that is not there"),
    ("index-a-byte-of-an-entry", 872, "ARC-1901: a byte after the last entry"),
    ("index-v2-19-bytes", 192, "ARC-1901: an entry of version 2 without its last byte"),
    ("framing-1-bytes", 984, "ARC-1105: a byte after the last record of a volume"),
    ("3-zeros-after-meta", 1610, "ARC-1105: three zeros after the last record of .meta"),
    ("instances-between-records", 1610, "ARC-003: an instance domain of no whole microsecond"),
    ("instances-delta-without-a-full-record", 1610, "ARC-371: a delta of a domain without a full record"),
    ("instances-delta-removes-all", 1610, "ARC-345: a delta after which a domain is empty, which no record of version 2 says"),
    ("instances-delta-removes-all-then-adds", 1610, "ARC-345: a delta after which a domain is empty, for a second"),
    ("instances-delta-after-a-later-one", 1652, "ARC-503: a delta that stands after a later one"),
    ("instances-bytes-before-and-a-nanosecond-too-many", 1610, "ARC-003: a domain whose nanosecond is out of range, with a byte before its first name"),
    ("label-bytes-after", 1610, "ARC-301: a record of labels with a byte after the last set"),
    ("label-of-host-of-64", 0, "ARC-100: a host name of 64 letters"),
    ("label-of-host-of-255", 0, "ARC-100: a host name of 255 letters"),
    ("label-of-host-of-256", 0, "ARC-102: a host name of 256 letters, of which readers use 255"),
    ("label-of-timezone-of-40-alone", 0, "ARC-100: a timezone of 40 letters"),
    ("label-of-zoneinfo-posix", 0, "ARC-101: a zoneinfo that says something else than the timezone"),
    ("label-of-zoneinfo-two-colons", 0, "ARC-101: a zoneinfo with two colons before the timezone"),
    ("label-of-timezone-empty", 0, "ARC-101: a zoneinfo, and no timezone"),
    ("label-of-features-00000001", 0, "ARC-103: a feature bit"),
    ("label-of-features-80000000", 0, "ARC-103: the feature bit for QA"),
    ("label-of-reserved-00000001", 0, "ARC-101: a reserved word that is not 0"),
    ("label-of-fraction-too-many", 0, "ARC-1718: a start whose nanosecond is out of range"),
    ("label-of-fraction-last", 0, "ARC-003: a start of no whole microsecond"),
    ("label-of-first-second-beyond-31-bits", 0, "ARC-504: a start beyond 31 bits of seconds"),
    ("label-of-v2-microsecond-too-many", 0, "ARC-1718: a start whose microsecond is out of range"),
    ("zone-abc5", 0, "ARC-101: a zoneinfo that says something else than the timezone"),
)


# What is refused, and where, although what an archive is opened for stands in its other files.
_REFUSED = (("version-of-the-second-volume", "label.versions_differ", 4),)


def _base64(content: bytes) -> str:
    return f"base64:{base64.b64encode(content).decode()}"


def _request(limit: Limit, title: str, args: Json, expect: Json) -> Json:
    version = 3 if limit.of == "base-v3" else 2
    path = f"../inputs/limit-{limit.name}/base"
    return {"title": title, "op": "archive.write", "input": {"path": path}, "args": args, "applies": {"archive_version": version}, "expect": expect}


def _case(name: str, title: str, clauses: Sequence[str], level: str, why: str, note: str, requests: Sequence[Json]) -> Json:
    return {
        "schema": "pmproof-case/1",
        "id": f"archive/{name}",
        "title": title,
        "clauses": sorted(clauses),
        "level": level,
        "why": why,
        "provenance": {"kind": "hand", "note": note},
        "requests": list(requests),
    }


def cases(limits: dict[str, tuple[Limit, packed.Files]]) -> Iterator[Json]:
    def again(name: str) -> Json:
        limit, files = limits[name]
        return _request(limit, limit.title, {}, {"result": {"files": {file.split(".")[1]: _base64(content) for file, content in sorted(files.items())}}})

    def other(name: str) -> Json:
        limit, files = limits[name]
        version = 3 if limit.of == "base-v3" else 2
        written = other_version.of(files, version)
        return _request(limit, limit.title, {"version": 5 - version}, {"result": {"files": {part: _base64(content) for part, content in sorted(written.items())}}})

    def none(name: str, offset: int, title: str) -> Json:
        limit, _ = limits[name]
        return _request(limit, title, {"version": 2 if limit.of == "base-v3" else 3}, {"reject": {"class": "version.inexpressible", "offset": offset}})

    def refused(name: str, reason: str, offset: int) -> Json:
        limit, _ = limits[name]
        return _request(limit, limit.title, {}, {"reject": {"class": reason, "offset": offset}})

    yield _case(
        "limits-written-again",
        "Archives with fields at their limits that are read and written again, byte for byte",
        ("ARC-1205", "ARC-600", "ARC-603", "ARC-604"),
        "must",
        "Tools that rewrite archives must not lose what they do not understand.",
        "What is expected are the bytes of the input; what ARC-1205 calls fatal is refused.",
        [*(again(name) for name in _AGAIN), *(refused(*one) for one in _REFUSED)],
    )
    yield _case(
        "limits-in-the-other-version",
        "Archives with fields at their limits that are written in the other version, or cannot be",
        ("ARC-003", "ARC-004", "ARC-101", "ARC-207", "ARC-345", "ARC-372", "ARC-451", "ARC-452", "ARC-455", "ARC-504", "ARC-600", "ARC-602", "ARC-604"),
        "should",
        "Each record becomes the one that says the same, and the index follows; what the other version cannot say is not made up.",
        "What is expected was made by qa/golden/other_version.py, from the layouts of both versions; where nothing can be expected, the title names the clause.",
        [*(other(name) for name in _OTHER), *(none(*one) for one in _NONE)],
    )
