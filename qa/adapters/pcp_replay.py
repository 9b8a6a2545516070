# SPDX-License-Identifier: Apache-2.0
"""Operations replay.interp and derive.eval: what the fetches of one archive context of libpcp answer.

With pcp_program it is run by some PCP's own Python.
"""

import ctypes
import json
import os
import struct
import sys
from collections.abc import Callable

from qa.adapters import pcp_definitions
from qa.adapters.pcp_library import HIGHRES, NULL, PCP, Json, Refusal, block, describe, error_name, lookup
from qa.adapters.value_text import TYPES, render_of

SET_MODE = PCP.pmSetModeHighRes if HIGHRES else PCP.pmSetMode
FETCH = PCP.pmFetchHighRes if HIGHRES else PCP.pmFetch
FREE = PCP.pmFreeHighResResult if HIGHRES else PCP.pmFreeResult
FREE.argtypes = [ctypes.c_void_p]

CONTEXT_ARCHIVE, MODE_INTERP, MODE_FORWARD, END_OF_LOG = 2, 1, 2, -12370
BILLION = 10**9

# struct pmResult with nanoseconds; pmValueSet; pmValue: an instance, and a pointer or 32 bits.
RESULT, VALUE_SET, VALUE = struct.Struct("=qqi"), struct.Struct("=Iii"), struct.Struct("=i4xQ")
VALUE_SETS_AT, VALUES_AT = 24, 16

Time = tuple[int, int]  # seconds and nanoseconds


def time_text(time: Time) -> str:
    seconds, nanoseconds = time[0] + time[1] // BILLION, time[1] % BILLION
    if seconds < 0 < nanoseconds:
        total = -(seconds * BILLION + nanoseconds)
        return f"-{total // BILLION}.{total % BILLION:09d}"
    return f"{seconds}.{nanoseconds:09d}"


def nanoseconds_of(text: str) -> int:
    """Of "-1.5", say."""
    whole, _, fraction = text.lstrip("+-").partition(".")
    total = int(whole or "0") * BILLION + int(fraction[:9].ljust(9, "0"))
    return -total if text.startswith("-") else total


def time_of(text: str) -> Time:
    return divmod(nanoseconds_of(text), BILLION)


def delta_of(text: str) -> Time:
    """Both parts have the sign of the whole (INT-106)."""
    total = nanoseconds_of(text)
    return (total // BILLION, total % BILLION) if total >= 0 else (-(-total // BILLION), -(-total % BILLION))


def advanced(time: Time, delta: Time) -> Time:
    """INT-203: nanoseconds may be left at 10^9."""
    seconds, nanoseconds = time[0] + delta[0], time[1] + delta[1]
    while nanoseconds > BILLION:
        seconds, nanoseconds = seconds + 1, nanoseconds - BILLION
    while nanoseconds < 0:
        seconds, nanoseconds = seconds - 1, nanoseconds + BILLION
    return seconds, nanoseconds


# The classes of refusals that libpcp tells apart as the protocol does (INT-904).
REFUSED = {
    "PM_ERR_LOGHOST": "set.host",
    "PM_ERR_LOGOVERLAP": "set.overlap",
    "PM_ERR_LOGCHANGETYPE": "set.type",
    "PM_ERR_LOGCHANGESEM": "set.semantics",
    "PM_ERR_LOGCHANGEINDOM": "set.indom",
    "PM_ERR_LOGCHANGEUNITS": "set.units",
}

_CHANGES = {name for name in REFUSED if name.startswith("PM_ERR_LOGCHANGE")}


class Context:
    """An archive context of libpcp. `lenient`: a metric that is not known has a status instead of being refused."""

    def __init__(self, archives: list[str], lenient: bool = False) -> None:
        status = PCP.pmNewContext(CONTEXT_ARCHIVE, ",".join(archives).encode())
        if status < 0:
            name = error_name(status)
            refused = REFUSED.get(name, "replay.refused")
            # Of one archive it is the descriptors of its own metadata that differ (ARC-307).
            if len(archives) == 1 and name in _CHANGES:
                refused = "metadata.descriptors_differ"
            raise Refusal(refused, f"pmNewContext: {name}")
        self.lenient = lenient
        self.metrics: dict[str, tuple[int, int, int]] = {}  # PMID or error, type, domain
        self.pmids: dict[int, int] = {}  # the types
        self.time: Time = (0, 0)
        self.delta: Time = (0, 0)

    def metric(self, name: str) -> tuple[int, int, int]:
        if name not in self.metrics:
            pmid = lookup(name)
            if pmid < 0 and not self.lenient:
                raise Refusal("replay.refused", f"{name}: {error_name(pmid)}")
            status, desc = describe(pmid) if pmid >= 0 else (0, None)
            if status < 0 and not self.lenient:
                raise Refusal("replay.refused", f"{name}: {error_name(status)}")
            # A derived metric that does not bind has no descriptor (DER-710), and is fetched all the same.
            kind, indom = (desc.type, desc.indom & NULL) if desc is not None and status >= 0 else (0, NULL)
            self.metrics[name] = (pmid, kind, indom)
            if pmid >= 0:
                self.pmids[pmid] = kind
        return self.metrics[name]

    def only(self, instances: list[int], names: list[str]) -> None:
        """The instance profile: of the domains of these metrics, these instances (INT-402)."""
        chosen = (ctypes.c_int * len(instances))(*instances)
        for indom in {self.metric(name)[2] for name in names} - {NULL}:
            PCP.pmDelProfile(ctypes.c_uint(indom), 0, None)
            PCP.pmAddProfile(ctypes.c_uint(indom), len(instances), chosen)

    def set_mode(self, time: Time, delta: Time, mode: int = MODE_INTERP) -> None:
        when, step = (ctypes.c_int64 * 2)(*time), (ctypes.c_int64 * 2)(*delta)
        status = SET_MODE(mode, when, step)
        if status < 0:
            raise Refusal("replay.refused", f"pmSetMode: {error_name(status)}")
        self.time, self.delta = time, delta

    def fetch(self, names: tuple[str, ...]) -> str:
        pmids = [self.metric(name)[0] for name in names]
        # A fetch of nothing is an error (INT-405); a null identifier has no values.
        asked = [pmid for pmid in pmids if pmid >= 0] or [NULL]
        result = ctypes.c_void_p()
        status = FETCH(len(asked), (ctypes.c_uint * len(asked))(*asked), ctypes.byref(result))
        if status < 0:
            told = f'{{"time":"{time_text(self.time)}","status":{status},"error":"{error_name(status)}"}}'
            if status == END_OF_LOG:
                self.time = advanced(self.time, self.delta)
            return told
        address = result.value or 0
        seconds, nanoseconds, count = RESULT.unpack(ctypes.string_at(address, RESULT.size))
        sets = iter(struct.unpack(f"={count}Q", ctypes.string_at(address + VALUE_SETS_AT, 8 * count)))
        told = ",".join([
            self.value_set(name, next(sets)) if pmid >= 0 else _entry(name, pmid)
            for name, pmid in zip(names, pmids, strict=True)
        ])
        FREE(result)
        self.time = advanced((seconds, nanoseconds), self.delta)
        return f'{{"time":"{time_text((seconds, nanoseconds))}","status":0,"metrics":[{told}]}}'

    def value_set(self, name: str, address: int) -> str:
        pmid, count, form = VALUE_SET.unpack(ctypes.string_at(address, VALUE_SET.size))
        if count < 0:
            return _entry(name, count)
        kind = self.pmids[pmid]
        render, typed = render_of(kind), f'"type":"{TYPES.get(kind, f"type-{kind}")}","value":'
        # In place a value has 32 bits of the word; else the word is the address of a block.
        raw_of = (lambda word: word.to_bytes(8, sys.byteorder)[:4]) if form == 0 else block
        values = ",".join([
            f'{{"instance":{"null" if instance == -1 else instance},{typed}"{render(raw_of(word))}"}}'
            for instance, word in VALUE.iter_unpack(ctypes.string_at(address + VALUES_AT, VALUE.size * count))
        ])
        return _entry(name, 0, values)


def _entry(name: str, status: int, values: str = "") -> str:
    told = f'"status":{status}' if status >= 0 else f'"status":{status},"error":"{error_name(status)}"'
    return f'{{"metric":{json.dumps(name, ensure_ascii=False)},{told},"values":[{values}]}}'


def _fetch_all(context: Context, args: Json, tell: Callable[[str], None]) -> None:
    """Tells each fetch as soon as it is done."""
    names = tuple(args["metrics"])
    for name in names:
        context.metric(name)
    if "instances" in args:
        context.only(args["instances"], args["metrics"])
    if "fetches" not in args:
        if args.get("raw"):
            context.set_mode(time_of(args["start"]), (0, 0), MODE_FORWARD)
        else:
            context.set_mode(time_of(args["start"]), delta_of(args["interval"]))
        for _ in range(args["count"]):
            tell(context.fetch(names))
        return
    for fetch in args["fetches"]:
        if "interval" in fetch:
            context.set_mode(time_of(fetch["time"]), delta_of(fetch["interval"]))
        tell(context.fetch(tuple(fetch["metrics"]) if "metrics" in fetch else names))


def archives_of(source: Json) -> list[str]:
    return list(source["paths"]) if "paths" in source else [source["path"]]


def _prepare(args: Json) -> None:
    if args.get("counter_wrap"):
        os.environ["PCP_COUNTER_WRAP"] = ""  # which calls putenv(), that libpcp sees


def replay_interp(request: Json, tell: Callable[[str], None]) -> None:
    _prepare(request["args"])
    _fetch_all(Context(archives_of(request["input"])), request["args"], tell)


def replay_raw(request: Json, tell: Callable[[str], None]) -> None:
    _fetch_all(Context(archives_of(request["input"])), {**request["args"], "raw": True}, tell)


def derive_eval(request: Json, tell: Callable[[str], None]) -> None:
    args = request["args"]
    _prepare(args)
    pcp_definitions.prepare(args)
    contexts: list[Context] = []

    def opened() -> None:
        contexts.append(Context(archives_of(request["input"]), lenient=True))

    opened()
    pcp_definitions.take(args.get("config"), args.get("derived", []), opened)
    _fetch_all(contexts[-1], args, tell)


def derive_parse(request: Json, tell: Callable[[str], None]) -> None:
    args = request["args"]
    pcp_definitions.prepare(args)

    def opened() -> None:
        Context(archives_of(request["input"]))

    has_archive = bool(request["input"])
    if has_archive:
        opened()
    result = pcp_definitions.parse(args, opened if has_archive else None)
    tell(json.dumps(result, separators=(",", ":")))
