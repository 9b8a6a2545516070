# SPDX-License-Identifier: Apache-2.0
"""The operations archive.* that libpcp has calls for: what an archive says of itself, and look-ups in it."""

import ctypes
import json
from collections.abc import Callable
from typing import Any

from pcp import pmapi

from qa.adapters.pcp_definitions import descriptor_of
from qa.adapters.pcp_library import FULL, HIGHRES, NULL, ONE_LINE, PCP, Json, Refusal, Skip, describe, error_name, lookup, pmid_text
from qa.adapters.pcp_replay import Context, archives_of, time_of, time_text
from qa.adapters.value_text import json_text

_LABEL = pmapi.pmHighResLogLabel if HIGHRES else pmapi.pmLogLabel
_GET_LABEL = PCP.pmGetHighResArchiveLabel if HIGHRES else PCP.pmGetArchiveLabel
_GET_END = PCP.pmGetHighResArchiveEnd if HIGHRES else PCP.pmGetArchiveEnd
# The call of each class of labels, and what it asks for (MET-921).
_LEVELS = (
    ("context", "pmGetContextLabels"),
    ("domain", "pmGetDomainLabels"),
    ("indom", "pmGetInDomLabels"),
    ("cluster", "pmGetClusterLabels"),
    ("item", "pmGetItemLabels"),
)
_MERGED = 65536

Tell = Callable[[str], None]


def _status(status: int) -> Json:
    return {"status": 0} if status >= 0 else {"status": status, "error": error_name(status)}


def _answer(tell: Tell, result: Json) -> None:
    tell(json.dumps(result, separators=(",", ":")))


def _opened(request: Json) -> Context:
    context = Context(archives_of(request["input"]))
    if "time" in request["args"]:
        context.set_mode(time_of(request["args"]["time"]), (1, 0))
    return context


def _indom_of(text: str) -> int:
    domain, serial = text.split(".")
    return int(domain) << 22 | int(serial)


def _descriptor(pmid: int) -> Json:
    status, desc = describe(pmid)
    if status < 0:
        raise Refusal("metadata", f"pmLookupDesc: {error_name(status)}")
    return descriptor_of(desc)


def _is_derived(pmid: int) -> bool:
    """By libpcp itself, which has some in every context (ARC-310)."""
    return pmid >> 22 == 511 and not pmid >> 10 & 2048


def _names() -> list[str]:
    """All leaves of the name space."""
    found: list[str] = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
    PCP.pmTraversePMNS(b"", callback(lambda name: found.append(name.decode())))
    return found


def archive_describe(request: Json, tell: Tell) -> None:
    if len(archives_of(request["input"])) != 1:
        raise Skip("one archive is described at a time")
    _opened(request)
    label, end = _LABEL(), (ctypes.c_int64 * 2)()
    status = _GET_LABEL(ctypes.byref(label))
    if status < 0:
        raise Refusal("label", f"pmGetArchiveLabel: {error_name(status)}")
    ended = _GET_END(ctypes.byref(end))
    start = time_text((label.start.tv_sec, label.start.tv_nsec))
    own = {"version": label.magic & 255, "pid": label.pid_t, "start": start}
    own |= {"host": label.hostname.decode(), "timezone": label.timezone.decode()}
    metrics: list[Json] = []
    if "metrics" in request["args"]:
        for name in request["args"]["metrics"]:
            pmid = lookup(name)
            found = {"name": name, **_status(pmid)}
            metrics.append(found if pmid < 0 else found | {"pmid": pmid_text(pmid), "descriptor": _descriptor(pmid)})
    else:
        by_pmid: dict[int, list[str]] = {}
        for name in sorted(_names()):
            by_pmid.setdefault(lookup(name), []).append(name)
        metrics = [{"pmid": pmid_text(p), "names": by_pmid[p], "descriptor": _descriptor(p)} for p in sorted(by_pmid) if not _is_derived(p)]
    finish = None if ended < 0 else time_text((end[0], end[1]))
    _answer(tell, {"start": start, "end": finish, "labels": [own], "metrics": metrics})


def archive_indom(request: Json, tell: Tell) -> None:
    _opened(request)
    ids, names = ctypes.POINTER(ctypes.c_int)(), ctypes.POINTER(ctypes.c_char_p)()
    call = PCP.pmGetInDom if "time" in request["args"] else PCP.pmGetInDomArchive
    count = call(ctypes.c_uint(_indom_of(request["args"]["indom"])), ctypes.byref(ids), ctypes.byref(names))
    found = sorted((ids[i], json_text(names[i] or b"")) for i in range(max(count, 0)))
    _answer(tell, {**_status(count), "instances": [{"instance": one, "name": name} for one, name in found]})


def _label_sets(function: str, identifier: int | None) -> list[tuple[int, str]]:
    """Of a call: instances and JSON."""
    sets = ctypes.POINTER(pmapi.pmLabelSet)()
    asked: tuple[Any, ...] = () if identifier is None else (ctypes.c_uint(identifier),)
    count = getattr(PCP, function)(*asked, ctypes.byref(sets))
    return [(ctypes.c_int(sets[i].inst).value, (sets[i].json or b"")[: sets[i].jsonlen].decode()) for i in range(max(count, 0))]


def _merged(texts: list[str]) -> str | None:
    kept = [text.encode() for text in texts if text]
    if not kept:
        return ""
    buffer = ctypes.create_string_buffer(_MERGED)
    status = PCP.pmMergeLabels((ctypes.c_char_p * len(kept))(*kept), len(kept), buffer, _MERGED)
    return None if status < 0 else json_text(buffer.value)  # any bytes (MET-926)


def archive_labels(request: Json, tell: Tell) -> None:
    _opened(request)
    pmid = lookup(request["args"]["metric"])
    if pmid < 0:
        _answer(tell, {**_status(pmid), "sets": [], "merged": "", "instances": []})
        return
    _, desc = describe(pmid)
    indom = desc.indom & NULL
    asked = {"context": None, "domain": pmid >> 22, "indom": indom, "cluster": pmid & ~1023, "item": pmid}
    found = []
    for level, function in _LEVELS:
        if level == "indom" and indom == NULL:
            continue
        found += [{"class": level, "labels": text} for _, text in _label_sets(function, asked[level])[:1]]
    texts = [one["labels"] for one in found]
    instances = [] if indom == NULL else sorted(_label_sets("pmGetInstancesLabels", indom))
    told = [{"instance": one, "labels": text, "merged": _merged([*texts, text])} for one, text in instances]
    _answer(tell, {"status": 0, "sets": found, "merged": _merged(texts), "instances": told})


def archive_text(request: Json, tell: Tell) -> None:
    args = request["args"]
    _opened(request)
    level = FULL if args["kind"] == "help" else ONE_LINE
    buffer = ctypes.c_char_p()
    if "indom" in args:
        status = PCP.pmLookupInDomText(ctypes.c_uint(_indom_of(args["indom"])), level, ctypes.byref(buffer))
    else:
        pmid = lookup(args["metric"])
        status = pmid if pmid < 0 else PCP.pmLookupText(ctypes.c_uint(pmid), level, ctypes.byref(buffer))
    _answer(tell, _status(status) if status < 0 else {"status": 0, "text": json_text(buffer.value or b"")})
