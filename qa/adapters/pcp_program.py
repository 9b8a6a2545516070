"""An adapter (pmproof-testee/1) to the libpcp of the PCP that it runs in: operation replay.interp.

    python3 -m qa.adapters.pcp_program VERSION

Beside value_text it stands alone: nothing of pmproof can be imported where it runs. Real libpcp crashes and loops on
some inputs, and what it writes where it should not may show much later; so each request is answered by a child of its
own, which is also a fresh process for what libpcp reads once for each (INT-802). Of a child that dies the fetches
before are told:

    {"seq": "k1", "error": {"context": "...", "outcome": "crash" | "timeout", "fetches": [...]}}
"""

import ctypes
import gc
import json
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any

from pcp import pmapi

from qa.adapters.value_text import TYPES, render_of

# The binding finds the library, and says which of its interfaces there are; the calls are our own, by raw memory: its
# objects would take several times as long as libpcp.
PCP = ctypes.CDLL(pmapi.LIBPCP._name)
# Before 7.0, what has nanoseconds has other names.
HIGHRES = hasattr(pmapi, "pmHighResResult")
SET_MODE = PCP.pmSetModeHighRes if HIGHRES else PCP.pmSetMode
FETCH = PCP.pmFetchHighRes if HIGHRES else PCP.pmFetch
FREE = PCP.pmFreeHighResResult if HIGHRES else PCP.pmFreeResult
FREE.argtypes = [ctypes.c_void_p]

CONTEXT_ARCHIVE, MODE_INTERP, END_OF_LOG = 2, 1, -12370
BILLION = 10**9

CPU_SECONDS, REAL_SECONDS = 5.0, 40.0  # of one request

# struct pmResult with nanoseconds; pmValueSet; pmValue: an instance, and a pointer or 32 bits.
RESULT, VALUE_SET, VALUE = struct.Struct("=qqi"), struct.Struct("=Iii"), struct.Struct("=i4xQ")
VALUE_SETS_AT, VALUES_AT = 24, 16

Json = dict[str, Any]
Time = tuple[int, int]  # seconds and nanoseconds


class Refusal(Exception):
    """libpcp does not open the archive, or does not know a metric."""


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


def error_name(code: int) -> str:
    for name, number in ERRORS.items():
        if number == code:
            return name
    return f"error {code}"


ERRORS = {
    name: getattr(pmapi.c_api, name)
    for name in dir(pmapi.c_api)
    if name.startswith("PM_ERR_") and isinstance(getattr(pmapi.c_api, name), int)
}

# The classes of refusals that libpcp tells apart as the protocol does (INT-904).
REFUSED = {
    "PM_ERR_LOGHOST": "set.host",
    "PM_ERR_LOGOVERLAP": "set.overlap",
    "PM_ERR_LOGCHANGETYPE": "set.type",
    "PM_ERR_LOGCHANGESEM": "set.semantics",
    "PM_ERR_LOGCHANGEINDOM": "set.indom",
    "PM_ERR_LOGCHANGEUNITS": "set.units",
}


def block(address: int) -> bytes:
    """The bytes of a pmValueBlock, whose head has its length."""
    word = int.from_bytes(ctypes.string_at(address, 4), sys.byteorder)
    length = word & 0xFFFFFF if sys.byteorder == "little" else word >> 8
    return ctypes.string_at(address + 4, max(length - 4, 0))


class Context:
    """An archive context of libpcp."""

    def __init__(self, archives: list[str]) -> None:
        status = PCP.pmNewContext(CONTEXT_ARCHIVE, ",".join(archives).encode())
        if status < 0:
            raise Refusal(f"pmNewContext: {error_name(status)}")
        self.metrics: dict[str, tuple[int, int, int]] = {}  # PMID, type, domain
        self.lists: dict[tuple[str, ...], Any] = {}
        self.pmids: dict[int, tuple[str, int]] = {}  # how the entry of a metric begins, and its type
        self.time: Time = (0, 0)
        self.delta: Time = (0, 0)

    def metric(self, name: str) -> tuple[int, int, int]:
        if name not in self.metrics:
            pmid = ctypes.c_uint()
            status = PCP.pmLookupName(1, (ctypes.c_char_p * 1)(name.encode()), ctypes.byref(pmid))
            if status < 0:
                raise Refusal(f"{name}: {error_name(status)}")
            desc = pmapi.pmDesc()
            status = PCP.pmLookupDesc(pmid, ctypes.byref(desc))
            if status < 0:
                raise Refusal(f"{name}: {error_name(status)}")
            self.metrics[name] = (pmid.value, desc.type, desc.indom & 0xFFFFFFFF)
            self.pmids[pmid.value] = (f'{{"metric":{json.dumps(name, ensure_ascii=False)},"status":', desc.type)
        return self.metrics[name]

    def only(self, instances: list[int], names: list[str]) -> None:
        """The instance profile: of the domains of these metrics, these instances (INT-402)."""
        chosen = (ctypes.c_int * len(instances))(*instances)
        for indom in {self.metric(name)[2] for name in names} - {0xFFFFFFFF}:
            PCP.pmDelProfile(ctypes.c_uint(indom), 0, None)
            PCP.pmAddProfile(ctypes.c_uint(indom), len(instances), chosen)

    def set_mode(self, time: Time, delta: Time) -> None:
        when, step = (ctypes.c_int64 * 2)(*time), (ctypes.c_int64 * 2)(*delta)
        status = SET_MODE(MODE_INTERP, when, step)
        if status < 0:
            raise Refusal(f"pmSetMode: {error_name(status)}")
        self.time, self.delta = time, delta

    def fetch(self, names: tuple[str, ...]) -> str:
        if names not in self.lists:
            self.lists[names] = (ctypes.c_uint * len(names))(*(self.metric(name)[0] for name in names))
        result = ctypes.c_void_p()
        status = FETCH(len(names), self.lists[names], ctypes.byref(result))
        if status < 0:
            told = f'{{"time":"{time_text(self.time)}","status":{status},"error":"{error_name(status)}"}}'
            if status == END_OF_LOG:
                self.time = advanced(self.time, self.delta)
            return told
        address = result.value or 0
        seconds, nanoseconds, count = RESULT.unpack(ctypes.string_at(address, RESULT.size))
        sets = struct.unpack(f"={count}Q", ctypes.string_at(address + VALUE_SETS_AT, 8 * count))
        told = ",".join(map(self.value_set, sets))
        FREE(result)
        self.time = advanced((seconds, nanoseconds), self.delta)
        return f'{{"time":"{time_text((seconds, nanoseconds))}","status":0,"metrics":[{told}]}}'

    def value_set(self, address: int) -> str:
        pmid, count, form = VALUE_SET.unpack(ctypes.string_at(address, VALUE_SET.size))
        start, kind = self.pmids[pmid]
        if count < 0:
            return f'{start}{count},"error":"{error_name(count)}","values":[]}}'
        render, name = render_of(kind), TYPES.get(kind, f"type-{kind}")
        # In place a value has 32 bits of the word; else the word is the address of a block.
        raw_of = (lambda word: word.to_bytes(8, sys.byteorder)[:4]) if form == 0 else block
        values = ",".join([
            f'{{"instance":{"null" if instance == -1 else instance},"type":"{name}","value":"{render(raw_of(word))}"}}'
            for instance, word in VALUE.iter_unpack(ctypes.string_at(address + VALUES_AT, VALUE.size * count))
        ])
        return f'{start}0,"values":[{values}]}}'


def answer(request: Json, tell: Callable[[str], None]) -> None:
    """Tells each fetch as soon as it is done."""
    source, args = request["input"], request["args"]
    if args.get("counter_wrap"):
        os.environ["PCP_COUNTER_WRAP"] = ""  # which calls putenv(), that libpcp sees
    context = Context(source["paths"] if "paths" in source else [source["path"]])
    names = tuple(args["metrics"])
    for name in names:
        context.metric(name)
    if "instances" in args:
        context.only(args["instances"], args["metrics"])
    if "fetches" not in args:
        context.set_mode(time_of(args["start"]), delta_of(args["interval"]))
        for _ in range(args["count"]):
            tell(context.fetch(names))
        return
    for fetch in args["fetches"]:
        if "interval" in fetch:
            context.set_mode(time_of(fetch["time"]), delta_of(fetch["interval"]))
        tell(context.fetch(tuple(fetch["metrics"]) if "metrics" in fetch else names))


def limit_child() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Both signals end the process, also within libpcp.
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, REAL_SECONDS)


def child(request: Json, to: int) -> None:
    """Writes a line for each fetch, and one of another kind if there is an end before."""
    with os.fdopen(to, "wb") as out:

        def tell(text: str) -> None:
            out.write(text.encode() + b"\n")
            out.flush()

        try:
            answer(request, tell)
        except Refusal as refusal:
            tell("refused: " + str(refusal))
        except Exception as error:  # pylint: disable=broad-exception-caught
            tell(f"failed: {type(error).__name__}: {error}")


def run(request: Json) -> str:
    source, to = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            limit_child()
            os.close(source)
            child(request, to)
        finally:
            os._exit(0)
    os.close(to)
    with os.fdopen(source, "rb") as pipe:
        lines = pipe.read().decode("utf-8", "replace").split("\n")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    head = f'{{"seq":{json.dumps(request["seq"])},'
    unfinished = lines.pop()  # what follows the last end of a line: nothing, unless the child died in the middle
    if status != 0 or unfinished:
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        outcome = "timeout" if -status in (signal.SIGPROF, signal.SIGALRM) else "crash"
        context = f'"context":"libpcp ended with {name}","outcome":"{outcome}"'
        return f'{head}"error":{{{context},"fetches":[{",".join(lines)}]}}}}'
    if lines and lines[-1].startswith("refused: "):
        message = lines[-1][9:]
        name = REFUSED.get(message.rpartition(": ")[2], "replay.refused")
        return f'{head}"reject":{{"class":"{name}","message":{json.dumps(message)}}}}}'
    if lines and lines[-1].startswith("failed: "):
        return f'{head}"error":{{"context":{json.dumps(lines[-1][8:])}}}}}'
    return f'{head}"result":{{"fetches":[{",".join(lines)}]}}}}'


def hello(version: str) -> str:
    return json.dumps({
        "ok": True,
        "protocol": 1,
        "implementation": {
            "name": "pcp",
            "version": version,
            "language": "C, through its Python binding",
            "homepage": "https://pcp.io",
            "os": platform.platform(),
        },
        "capabilities": ["replay.interp"],
        "rules": [],
    })


def reply(line: bytes, version: str) -> str | None:
    """None ends the session."""
    request = json.loads(line)
    command, operation = request.get("cmd"), request.get("op")
    if command == "hello":
        return hello(version)
    if command == "bye":
        return None
    if command != "run":
        return json.dumps({"seq": request.get("seq"), "error": {"context": f"unknown command {command!r}"}})
    if operation != "replay.interp":
        return json.dumps({"seq": request["seq"], "skip": {"reason": f"no operation {operation}", "issue": ""}})
    return run(request)


def main() -> None:
    # What libpcp prints does not get between the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    gc.disable()
    gc.freeze()  # pages that children share
    for line in sys.stdin.buffer:
        text = reply(line, sys.argv[1])
        if text is None:
            return
        out.write(text + "\n")
        out.flush()


if __name__ == "__main__":
    main()
