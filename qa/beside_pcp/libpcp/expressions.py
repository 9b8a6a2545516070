# SPDX-License-Identifier: Apache-2.0
"""What libpcp says of expressions, as JSON lines.

    expressions < REQUESTS

A request is a batch of expressions, which are called d.e0, d.e1, ...:

    {"archive": "PATH", "step": [SECONDS, NANOSECONDS], "seeks": ["SECONDS.NANOSECONDS" | null, ...],
     "fetch_added": false,   whether those that are fetched are added to the context, or registered for all
     "expressions": [{"text": "...", "describe": true, "add": true, "fetch": true}, ...]}   text null: not asked

There are as many fetches as seeks, of all metrics at once. The answer is a list, for each expression

    {"syntax": {"position": N, "message": "..."},      the text is refused (DER-621); -1: the end of an empty text
     "global": {"descriptor": {...}}                   what it binds to, or
               {"status": N, "where": "...", "message": "..."}     (DER-709, 710)
     "added": {"status": N, "message": "...", "descriptor": {...}}
     "values": "0:1f 3:0 |e-12379|E-12370|..."}        of each fetch: instances and bits, or errors

with only those members that apply; an object that is {"died": "signal 11"} stands for a death of libpcp. Everything is
done in children. Texts that are refused leave something behind in the parser (DER-214, 215), so the next one is another
child's. What is bound and fetched shares a child; if that dies, its halves are tried again, down to the one that dies
alone.
"""

import ctypes
import functools
import gc
import json
import math
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from pcp import pmapi

from qa.adapters.pcp_library import HIGHRES, NULL, PCP, Json, block
from qa.beside_pcp.libpcp import children

PCP.pmRegisterDerived.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
PCP.pmRegisterDerived.restype = ctypes.c_void_p
PCP.pmDerivedErrStr.restype = ctypes.c_char_p
PCP.pmAddDerivedMetric.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]
SET_MODE = PCP.pmSetModeHighRes if HIGHRES else PCP.pmSetMode
FETCH = PCP.pmFetchHighRes if HIGHRES else PCP.pmFetch
FREE = PCP.pmFreeHighResResult if HIGHRES else PCP.pmFreeResult
FREE.argtypes = [ctypes.c_void_p]

CONTEXT_ARCHIVE, MODE_INTERP = 2, 1
TYPES = {0: "32", 1: "u32", 2: "64", 3: "u64", 4: "float", 5: "double", 6: "string", 7: "aggregate"}
SEMANTICS = {1: "counter", 3: "instant", 4: "discrete"}
SECONDS = 30  # of one child

# struct pmResult with nanoseconds; pmValueSet; pmValue: an instance, and a pointer or 32 bits.
RESULT, VALUE_SET, VALUE = struct.Struct("=qqi"), struct.Struct("=Iii"), struct.Struct("=i4xQ")
VALUE_SETS_AT, VALUES_AT = 24, 16

# Refused texts without these leave nothing behind (DER-215).
LEAVING = ("matchinst", "mkconst", "novalue")

def name_of(number: int) -> bytes:
    return b"d.e%d" % number


def in_child(work: Callable[[], Iterator[tuple[int, Json]]]) -> tuple[dict[int, Json], str]:
    """What it yields, as far as it comes; and what it died of, if it did: "signal 11", or "status 1" of libpcp's own
    exit()."""

    def write(out: BinaryIO) -> None:
        signal.alarm(SECONDS)
        for number, told in work():
            out.write(json.dumps([number, told]).encode() + b"\n")
            out.flush()

    written, status = children.in_child(write)
    found: dict[int, Json] = {}
    for line in written.split(b"\n")[:-1]:
        number, told = json.loads(line)
        found[number] = told
    return found, f"signal {-status}" if status < 0 else f"status {status}" if status else ""


class Speech:
    """What the message facility says, which is told to write to standard error."""

    def __init__(self) -> None:
        self._file = os.memfd_create("messages")
        os.dup2(self._file, 2)
        self._read = 0

    def take(self) -> str:
        PCP.pmflush()
        size = os.fstat(self._file).st_size
        said = os.pread(self._file, size - self._read, self._read)
        self._read = size
        return said.decode("latin-1")


def describe(number: int, speech: Speech) -> tuple[Json, tuple[int, int] | None]:
    """Also the PMID and the type, if there is a descriptor."""
    name = name_of(number)
    pmid = ctypes.c_uint()
    status = PCP.pmLookupName(1, (ctypes.c_char_p * 1)(name), ctypes.byref(pmid))
    desc = pmapi.pmDesc()
    if status >= 0:
        status = PCP.pmLookupDesc(pmid, ctypes.byref(desc))
    said = speech.take().strip()
    if status < 0:
        # "Semantic error: derived metric NAME: WHERE: MESSAGE"
        line = said.splitlines()[-1] if said else ""
        where, _, message = line.removeprefix(f"Semantic error: derived metric {name.decode()}: ").rpartition(": ")
        return {"status": status, "where": where, "message": message}, None
    indom = desc.indom & NULL
    told = {
        "type": TYPES.get(desc.type, f"type-{desc.type}"),
        "semantics": SEMANTICS.get(desc.sem, f"semantics-{desc.sem}"),
        "indom": None if indom == NULL else f"{indom >> 22 & 0x1ff}.{indom & 0x3fffff}",
        "units": int.from_bytes(bytes(desc.units), sys.byteorder),
    }
    return {"descriptor": told}, (pmid.value, desc.type)


def value_text(instance: int, kind: int, raw: bytes) -> str:
    if kind in (4, 5):
        (number,) = struct.unpack("=f" if kind == 4 else "=d", raw[: 4 if kind == 4 else 8])
        if math.isnan(number):
            return f"{instance}:nan "
    elif kind > 5:
        return f"{instance}:s{raw.rstrip(bytes(1)).hex()} "
    return f"{instance}:{int.from_bytes(raw[: 4 if kind in (0, 1, 4) else 8], sys.byteorder):x} "


def value_set_text(address: int, kinds: dict[int, int]) -> str:
    pmid, count, form = VALUE_SET.unpack(ctypes.string_at(address, VALUE_SET.size))
    if count < 0:
        return f"e{count}"
    values = VALUE.iter_unpack(ctypes.string_at(address + VALUES_AT, VALUE.size * count))
    kind = kinds[pmid]
    # In place a value has 32 bits of the word; else the word is the address of a block.
    if form == 0:
        return "".join([value_text(inst, kind, word.to_bytes(8, sys.byteorder)[:4]) for inst, word in values])
    return "".join([value_text(inst, kind, block(word)) for inst, word in values])


def fetch_all(metrics: list[tuple[int, int]], request: Json) -> list[str]:
    """Of metrics, that is PMID and type, the values in all fetches."""
    pmids = (ctypes.c_uint * len(metrics))(*(pmid for pmid, _ in metrics))
    kinds = dict(metrics)
    texts: list[list[str]] = [[] for _ in metrics]
    step = (ctypes.c_int64 * 2)(*request["step"])
    for seek in request["seeks"]:
        if seek is not None:
            seconds, _, nanoseconds = seek.partition(".")
            status = SET_MODE(MODE_INTERP, (ctypes.c_int64 * 2)(int(seconds), int(nanoseconds)), step)
            if status < 0:
                raise RuntimeError(f"pmSetMode: {status}")
        result = ctypes.c_void_p()
        status = FETCH(len(metrics), pmids, ctypes.byref(result))
        if status < 0:
            for text in texts:
                text.append(f"E{status}|")
            continue
        address = result.value or 0
        _, _, count = RESULT.unpack(ctypes.string_at(address, RESULT.size))
        sets = struct.unpack(f"={count}Q", ctypes.string_at(address + VALUE_SETS_AT, 8 * count))
        for text, value_set in zip(texts, sets, strict=True):
            text.append(value_set_text(value_set, kinds) + "|")
        FREE(result)
    return ["".join(text) for text in texts]


class Examination:
    """One request."""

    def __init__(self, request: Json) -> None:
        self._request = request
        self._expressions: list[Json] = request["expressions"]
        self._answers: list[Json] = [{} for _ in self._expressions]

    def run(self) -> list[Json]:
        asked = [i for i, expression in enumerate(self._expressions) if expression["text"] is not None]
        self._parse(asked)
        taken = [i for i in asked if not self._answers[i]]
        self._together("global", [i for i in taken if self._expressions[i]["describe"]], self._describe)
        self._together("added", [i for i in taken if self._expressions[i]["add"]], self._add)
        refused = [i for i, told in enumerate(self._answers) if "position" in told.get("syntax", ())]
        for number in refused:
            self._take("added", *in_child(functools.partial(self._refuse, number)), [number])
        return self._answers

    def _take(self, member: str, found: dict[int, Json], died: str, numbers: list[int]) -> None:
        for number in numbers:
            told = found.get(number, {"died": died})
            if "values" in told:
                self._answers[number]["values"] = told.pop("values")
            self._answers[number][member] = told

    def _parse(self, numbers: list[int]) -> None:
        while numbers:
            found, died = in_child(functools.partial(self._register, numbers))
            for number, told in found.items():
                if told:
                    self._answers[number]["syntax"] = told
            numbers = [number for number in numbers if number not in found]
            if died and not found:
                self._answers[numbers.pop(0)]["syntax"] = {"died": died}

    def _register(self, numbers: list[int]) -> Iterator[tuple[int, Json]]:
        children.discard_stderr()
        for number in numbers:
            expression = self._expressions[number]["text"].encode("latin-1")
            text = ctypes.create_string_buffer(expression)
            refused = PCP.pmRegisterDerived(name_of(number), text)
            if not refused:
                yield number, {}
                continue
            message = (PCP.pmDerivedErrStr() or b"").decode("latin-1")
            yield number, {"position": refused - ctypes.addressof(text), "message": message}
            if any(word.encode() in expression for word in LEAVING):
                return

    def _together(
        self, member: str, numbers: list[int], work: Callable[[list[int]], Iterator[tuple[int, Json]]]
    ) -> None:
        """Of a batch that dies, halves."""
        if not numbers:
            return
        found, died = in_child(functools.partial(work, numbers))
        if not died or len(numbers) == 1:
            self._take(member, found, died, numbers)
            return
        half = len(numbers) // 2
        self._together(member, numbers[:half], work)
        self._together(member, numbers[half:], work)

    def _open(self) -> None:
        status = PCP.pmNewContext(CONTEXT_ARCHIVE, self._request["archive"].encode())
        if status < 0:
            raise RuntimeError(f"{self._request['archive']}: {status}")

    def _describe(self, numbers: list[int]) -> Iterator[tuple[int, Json]]:
        speech = Speech()
        for number in numbers:
            if PCP.pmRegisterDerived(name_of(number), self._expressions[number]["text"].encode("latin-1")):
                raise RuntimeError("a text is refused that was taken before")
        self._open()
        yield from self._with_values({number: describe(number, speech) for number in numbers}, added=False)

    def _add(self, numbers: list[int]) -> Iterator[tuple[int, Json]]:
        speech = Speech()
        self._open()
        found = {}
        for number in numbers:
            told = self._add_one(number)
            described, metric = describe(number, speech) if told["status"] >= 0 else ({}, None)
            found[number] = (told | described, metric)
        yield from self._with_values(found, added=True)

    def _refuse(self, number: int) -> Iterator[tuple[int, Json]]:
        children.discard_stderr()
        self._open()
        yield number, self._add_one(number)

    def _add_one(self, number: int) -> Json:
        message = ctypes.c_char_p()
        text = self._expressions[number]["text"].encode("latin-1")
        status = PCP.pmAddDerivedMetric(name_of(number), text, ctypes.byref(message))
        return {"status": status, "message": (message.value or b"").decode("latin-1") if status < 0 else ""}

    def _with_values(
        self, found: dict[int, tuple[Json, tuple[int, int] | None]], added: bool
    ) -> Iterator[tuple[int, Json]]:
        metrics = {
            number: metric
            for number, (_, metric) in found.items()
            if metric and self._expressions[number]["fetch"] and self._request["fetch_added"] == added
        }
        if metrics and self._request["seeks"]:
            for number, text in zip(metrics, fetch_all(list(metrics.values()), self._request), strict=True):
                found[number][0]["values"] = text
        for number, (told, _) in found.items():
            yield number, told


def main(_: Sequence[str]) -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    gc.disable()
    gc.freeze()  # pages that children share
    for line in sys.stdin.buffer:
        out.write(json.dumps(Examination(json.loads(line)).run()) + "\n")
        out.flush()
