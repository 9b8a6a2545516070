# SPDX-License-Identifier: Apache-2.0
"""What libpcp reads from an archive, as JSON lines.

    archive REQUEST

REQUEST is a JSON file, see qa.beside_pcp.generate.libpcp.Request. The lines are in the form of pmproof-truth/1 where
that has one; strings of bytes are written as there. The last line has "type": "end" and the status that reading ended
with.
"""

import base64
import ctypes
import functools
import json
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import cpmapi
from pcp import pmapi

from qa.adapters.pcp_library import HIGHRES, NULL, PCP, block

LIBC = ctypes.CDLL(None)
LIBC.free.argtypes = [ctypes.c_void_p]

# Before 7.0, what has nanoseconds has other names.
RESULT = pmapi.pmHighResResult if HIGHRES else pmapi.pmResult
FETCH = PCP.pmFetchHighRes if HIGHRES else PCP.pmFetch
FETCH_ARCHIVE = PCP.pmFetchHighResArchive if HIGHRES else PCP.pmFetchArchive
FREE_RESULT = PCP.pmFreeHighResResult if HIGHRES else PCP.pmFreeResult
SET_MODE = PCP.pmSetModeHighRes if HIGHRES else PCP.pmSetMode

TYPES = {-1: "nosupport", 0: "32", 1: "u32", 2: "64", 3: "u64", 4: "float", 5: "double", 6: "string", 7: "aggregate"}
TYPES |= {8: "aggregate_static", 9: "event", 10: "highres_event"}
SEMANTICS = {1: "counter", 3: "instant", 4: "discrete"}
CLASSES = {1: "context", 2: "domain", 4: "indom", 8: "cluster", 16: "item", 32: "instances"}
Time = tuple[int, int]  # seconds and nanoseconds

EVENT_FLAGS, EVENT_MISSED = (511 << 22) | 1, (511 << 22) | 2
MISSED = 0x80000000


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_int64), ("nanoseconds", ctypes.c_int64)]


def quote(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = "base64:"
    return "base64:" + base64.b64encode(raw).decode("ascii") if text.startswith("base64:") else text


def epoch(seconds: int, nanoseconds: int) -> str:
    total = seconds * 10**9 + nanoseconds
    sign, total = ("-", -total) if total < 0 else ("", total)
    return f"{sign}{total // 10**9}.{total % 10**9:09d}"


def dotted(pmid: int) -> str:
    return f"{pmid >> 22 & 0x1ff}.{pmid >> 10 & 0xfff}.{pmid & 0x3ff}"


def say(kind: str, **members: Any) -> None:
    sys.stdout.write(json.dumps({"type": kind, **members}) + "\n")


class Archive:
    def __init__(self, path: str) -> None:
        self.context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, path)
        self.types: dict[int, int] = {}
        self.pmids: list[int] = []

    def set_mode(self, seconds: int, nanoseconds: int) -> None:
        when, none = Timespec(seconds, nanoseconds), Timespec(0, 0)
        status = SET_MODE(cpmapi.PM_MODE_FORW, ctypes.byref(when), ctypes.byref(none))
        if status < 0:
            raise SystemExit(f"pmSetMode: {status}")

    def label(self) -> Time:
        label = (pmapi.pmHighResLogLabel if HIGHRES else pmapi.pmLogLabel)()
        (PCP.pmGetHighResArchiveLabel if HIGHRES else PCP.pmGetArchiveLabel)(ctypes.byref(label))
        end = Timespec()
        status = (PCP.pmGetHighResArchiveEnd if HIGHRES else PCP.pmGetArchiveEnd)(ctypes.byref(end))
        start = (label.start.tv_sec, label.start.tv_nsec)
        say(
            "label",
            archive_version=label.magic & 0xFF,
            pid=label.pid_t,
            start=epoch(*start),
            end=epoch(end.seconds, end.nanoseconds) if status >= 0 else None,
            host=quote(label.hostname),
            timezone=quote(label.timezone),
            zoneinfo=quote(label.zoneinfo),
        )
        return start

    def metrics(self) -> None:
        names: list[str] = []
        self.context.pmTraversePMNS("", names.append)
        for name in names:
            pmid = int(self.context.pmLookupName([name])[0])
            if pmid >> 22 == 511 and pmid >> 21 & 1 == 0:
                continue  # event.flags and event.missed, which every context has
            if pmid not in self.types:
                self.desc(pmid)
                self.pmids.append(pmid)

    def desc(self, pmid: int) -> None:
        desc = pmapi.pmDesc()
        status = PCP.pmLookupDesc(ctypes.c_uint(pmid), ctypes.byref(desc))
        if status < 0:
            say("desc", pmid=dotted(pmid), status=status)
            return
        self.types[pmid] = desc.type
        named = ctypes.POINTER(ctypes.c_char_p)()
        count = PCP.pmNameAll(ctypes.c_uint(pmid), ctypes.byref(named))
        say(
            "desc",
            pmid=dotted(pmid),
            names=[quote(named[i]) for i in range(max(count, 0))],
            metric_type=TYPES.get(desc.type, f"type-{desc.type}"),
            semantics=SEMANTICS.get(desc.sem, f"semantics-{desc.sem}"),
            indom=None if desc.indom == NULL else f"{desc.indom >> 22 & 0x1ff}.{desc.indom & 0x3fffff}",
            indom_word=desc.indom,
            units_word=int.from_bytes(bytes(desc.units), sys.byteorder),
        )
        LIBC.free(named)

    # Instance domains, labels and texts

    def instances(self, indom: int, when: Time | None) -> None:
        identifiers, names = ctypes.POINTER(ctypes.c_int)(), ctypes.POINTER(ctypes.c_char_p)()
        function = PCP.pmGetInDomArchive if when is None else PCP.pmGetInDom
        if when is not None:
            self.set_mode(*when)
        count = function(ctypes.c_uint(indom), ctypes.byref(identifiers), ctypes.byref(names))
        found = [{"instance": identifiers[i], "name": quote(names[i])} for i in range(max(count, 0))]
        if count > 0:
            LIBC.free(identifiers)
            LIBC.free(names)
        say("instances", indom=indom, time=epoch(*when) if when else None, status=min(count, 0), instances=found)

    def labels(self, label_class: int, identifier: int, when: Time) -> None:
        self.set_mode(*when)
        sets = ctypes.POINTER(pmapi.pmLabelSet)()
        name = {1: "Context", 2: "Domain", 4: "InDom", 8: "Cluster", 16: "Item", 32: "Instances"}[label_class]
        function = getattr(PCP, f"pmGet{name}Labels")
        if label_class == 1:
            count = function(ctypes.byref(sets))
        else:
            count = function(ctypes.c_uint(identifier), ctypes.byref(sets))
        told: list[dict[str, Any]] = []
        for i in range(max(count, 0)):
            found = sets[i]
            text = (found.json or b"")[: found.jsonlen & 0xFFFF]
            told.append({"instance": None if found.inst == NULL else found.inst, "json": quote(text), "labels": []})
            for k in range(found.nlabels):
                label = found.labels[k]
                name_at, value_at = label.name & 0xFFFF, label.value & 0xFFFF
                told[-1]["labels"].append({
                    "name": quote(text[name_at : name_at + (label.namelen & 0xFF)]),
                    "value": quote(text[value_at : value_at + (label.valuelen & 0xFFFF)]),
                    "flags": label.flags & 0xFF,
                })
        members = {"class": CLASSES[label_class], "identifier": identifier, "status": min(count, 0), "sets": told}
        say("labels", time=epoch(*when), **members)

    def text(self, text_type: int, identifier: int) -> None:
        found = ctypes.c_char_p()
        level = text_type & 3 | cpmapi.PM_TEXT_DIRECT  # never the one line instead of the help (MET-802)
        function = PCP.pmLookupText if text_type & 4 else PCP.pmLookupInDomText
        status = function(ctypes.c_uint(identifier), level, ctypes.byref(found))
        text = quote(found.value or b"") if status >= 0 else ""
        say("text", text_type=text_type, identifier=identifier, status=min(status, 0), text=text)

    # Records

    def value(self, value_set: Any, place: int, metric_type: int) -> dict[str, Any]:
        """{"type", "value" | "records"} of one value."""
        told: dict[str, Any] = {"type": TYPES.get(metric_type, f"type-{metric_type}")}
        vlist = (pmapi.pmValue * value_set.numval).from_address(
            ctypes.addressof(value_set) + pmapi.pmValueSet.vlist.offset
        )
        if metric_type in (9, 10):
            return told | self.events(value_set, place, metric_type)
        if metric_type == 7:
            address = ctypes.cast(vlist[place].value.pval, ctypes.c_void_p).value or 0
            return told | {"value": "base64:" + base64.b64encode(block(address)).decode("ascii")}
        atom = pmapi.pmAtomValue()
        status = PCP.pmExtractValue(
            value_set.valfmt, ctypes.byref(vlist[place]), metric_type, ctypes.byref(atom), metric_type
        )
        if status < 0:
            return told | {"status": status}
        if metric_type == 6:
            text = quote(atom.cp)
            LIBC.free(ctypes.cast(atom.vp, ctypes.c_void_p))
            return told | {"value": text}
        if metric_type == 4:
            return told | {"value": repr(atom.f), "bits": str(struct.unpack("=I", bytes(atom)[:4])[0])}
        if metric_type == 5:
            return told | {"value": repr(atom.d), "bits": str(struct.unpack("=Q", bytes(atom)[:8])[0])}
        return told | {"value": str({0: atom.l, 1: atom.ul, 2: atom.ll, 3: atom.ull}[metric_type])}

    def stored_type(self, value_set: Any, place: int) -> int:
        """Of a value without descriptor (ARC-278): that of its block, or else 32 bits as they are."""
        if value_set.valfmt == 0:
            return 1
        vlist = (pmapi.pmValue * value_set.numval).from_address(ctypes.addressof(value_set) + pmapi.pmValueSet.vlist.offset)
        address = ctypes.cast(vlist[place].value.pval, ctypes.c_void_p).value or 0
        word = struct.unpack("=I", ctypes.string_at(address, 4))[0]
        return int(word >> 24 if sys.byteorder == "little" else word & 0xFF)

    def events(self, value_set: Any, place: int, metric_type: int) -> dict[str, Any]:
        highres = metric_type == 10
        # Those of EVENT come with microseconds in every version.
        kind = RESULT if highres else getattr(pmapi, "pmResult_v2", pmapi.pmResult)
        records = ctypes.POINTER(ctypes.POINTER(kind))()
        function = PCP.pmUnpackHighResEventRecords if highres else PCP.pmUnpackEventRecords
        count = function(ctypes.byref(value_set), place, ctypes.byref(records))
        if count < 0:
            return {"status": count}
        told = []
        for i in range(count):
            record = records[i].contents
            stamp = record.timestamp
            fraction = stamp.tv_nsec if hasattr(stamp, "tv_nsec") else stamp.tv_usec * 1000
            entry: dict[str, Any] = {"time": epoch(stamp.tv_sec, fraction), "flags": 0, "parameters": []}
            for inner in self.sets(record):
                if inner.pmid == EVENT_FLAGS:
                    entry["flags"] = int(self.value(inner, 0, 1)["value"])
                elif inner.pmid == EVENT_MISSED:
                    entry["missed"] = int(self.value(inner, 0, 1)["value"])
                else:
                    if inner.pmid not in self.types:
                        self.desc(inner.pmid)
                    for k in range(inner.numval):
                        value = self.value(inner, k, self.types.get(inner.pmid, self.stored_type(inner, k)))
                        entry["parameters"].append({"pmid": dotted(inner.pmid), **value})
            if entry["flags"] & MISSED:
                del entry["parameters"]
            told.append(entry)
        (PCP.pmFreeHighResEventResult if highres and HIGHRES else PCP.pmFreeEventResult)(records)
        return {"records": told}

    def sets(self, result: Any) -> Iterator[Any]:
        start = ctypes.addressof(result) + type(result).vset.offset
        for pointer in (ctypes.POINTER(pmapi.pmValueSet) * result.numpmid).from_address(start):
            yield pointer.contents

    def tell(self, kind: str, result: Any) -> None:
        told = []
        for value_set in self.sets(result):
            entry: dict[str, Any] = {"pmid": dotted(value_set.pmid), "status": min(value_set.numval, 0), "values": []}
            metric_type = self.types.get(value_set.pmid, -1)
            vlist = ctypes.addressof(value_set) + pmapi.pmValueSet.vlist.offset
            for i in range(max(value_set.numval, 0)):
                instance = ctypes.c_int.from_address(vlist + i * ctypes.sizeof(pmapi.pmValue)).value
                value = self.value(value_set, i, metric_type)
                entry["values"].append({"instance": None if instance == -1 else instance, **value})
            told.append(entry)
        time = epoch(result.timestamp.tv_sec, result.timestamp.tv_nsec)
        say(kind if told else "mark", time=time, reading=kind, metrics=told)

    def records(self, kind: str, fetch: Callable[[Any], int]) -> None:
        result = ctypes.POINTER(RESULT)()
        while (status := fetch(ctypes.byref(result))) >= 0:
            self.tell(kind, result.contents)
            FREE_RESULT(result)
        say("end_of_records", reading=kind, status=status)


def main(arguments: Sequence[str]) -> None:
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    try:
        archive = Archive(request["archive"])
    except pmapi.pmErr as error:
        say("end", status=error.args[0])
        return
    start = archive.label()
    archive.metrics()
    for indom, when in request["instances"]:
        archive.instances(indom, when)
    for label_class, identifier, when in request["labels"]:
        archive.labels(label_class, identifier, when)
    for text_type, identifier in request["texts"]:
        archive.text(text_type, identifier)
    for code in request["errors"]:
        say("error", code=code, text=pmapi.pmContext.pmErrStr(code))
    archive.set_mode(*start)
    archive.records("result", FETCH_ARCHIVE)
    if archive.pmids:
        archive.set_mode(*start)
        pmids = (ctypes.c_uint * len(archive.pmids))(*archive.pmids)
        archive.records("fetched", functools.partial(FETCH, len(pmids), pmids))
    say("end", status=0)
