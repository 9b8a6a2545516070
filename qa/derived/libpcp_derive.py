"""What an installed libpcp says of expressions, as JSON lines: run by that PCP's own Python, with its binding.

    python3 libpcp_derive.py ARCHIVE < EXPRESSIONS

Each line of EXPRESSIONS is a JSON string, or an object {"expression", "name", "per_context"}. The answer to each is

    {"position": N, "message": "..."}            the text is refused (DER-621); -1 is the end of an empty text
    {"status": N, "where": "...", "message": "..."}    it does not bind (DER-709, 710); both empty where libpcp is silent
    {"descriptor": {"type", "semantics", "indom", "units"}}     units as the word of MET-201
    {"signal": N}                                libpcp died

Each expression is answered by a child of its own: libpcp keeps state from one to the next (DER-214, 215), and crashes on
some. It stands alone: nothing of pmproof can be imported where it runs.
"""

import ctypes
import json
import os
import signal
import sys
from typing import Any

import cpmapi
from pcp import pmapi

PCP = ctypes.CDLL(pmapi.LIBPCP._name)
PCP.pmRegisterDerived.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
PCP.pmRegisterDerived.restype = ctypes.c_void_p
PCP.pmDerivedErrStr.restype = ctypes.c_char_p
PCP.pmAddDerivedMetric.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]

TYPES = {0: "32", 1: "u32", 2: "64", 3: "u64", 4: "float", 5: "double", 6: "string", 7: "aggregate"}
SEMANTICS = {1: "counter", 3: "instant", 4: "discrete"}
NULL = 0xFFFFFFFF
CPU_SECONDS = 5

Json = dict[str, Any]


def describe(name: bytes) -> Json:
    pmid = ctypes.c_uint()
    names = (ctypes.c_char_p * 1)(name)
    status = PCP.pmLookupName(1, names, ctypes.byref(pmid))
    if status < 0:
        return {"status": status}
    desc = pmapi.pmDesc()
    status = PCP.pmLookupDesc(pmid, ctypes.byref(desc))
    if status < 0:
        return {"status": status}
    return {
        "descriptor": {
            "type": TYPES.get(desc.type, f"type-{desc.type}"),
            "semantics": SEMANTICS.get(desc.sem, f"semantics-{desc.sem}"),
            "indom": None if desc.indom == NULL else f"{desc.indom >> 22 & 0x1ff}.{desc.indom & 0x3fffff}",
            "units": int.from_bytes(bytes(desc.units), sys.byteorder),
        }
    }


def describe_aloud(name: bytes) -> Json:
    """With what the message facility says meanwhile; there the tree that was registered is meant, not an added one."""
    reading, writing = os.pipe()
    os.dup2(writing, 2)
    told = describe(name)
    PCP.pmflush()
    os.close(writing)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode("utf-8", "replace")
    if "status" in told:
        # "Semantic error: derived metric NAME: WHERE: MESSAGE"; a line may be that of an alias' metric.
        line = said.strip().splitlines()[-1] if said.strip() else ""
        where, _, message = line.removeprefix(f"Semantic error: derived metric {name.decode()}: ").rpartition(": ")
        told |= {"where": where, "message": message}
    return told


def add(name: bytes, expression: bytes) -> tuple[int, str]:
    message = ctypes.c_char_p()
    status = PCP.pmAddDerivedMetric(name, expression, ctypes.byref(message))
    return status, (message.value or b"").decode("utf-8", "replace")


def answer(request: Json) -> Json:
    name, expression = request.get("name", "derived.it").encode(), request["expression"].encode()
    if request.get("per_context"):
        status, message = add(name, expression)
        return describe(name) if status >= 0 else {"status": status, "message": message}
    text = ctypes.create_string_buffer(expression)
    refused = PCP.pmRegisterDerived(name, text)
    if refused:
        message = (PCP.pmDerivedErrStr() or b"").decode("utf-8", "replace")
        return {"position": refused - ctypes.addressof(text), "message": message}
    return describe_aloud(name)


def in_child(request: Json) -> Json:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(CPU_SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writing, json.dumps(answer(request)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return {"signal": os.WTERMSIG(status)}
    answered: Json = json.loads(told)
    return answered


def main() -> None:
    os.environ["PCP_STDERR"] = ""  # of the message facility: standard error
    context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, str):
            request = {"expression": request}
        print(json.dumps(in_child(request)))
    del context


if __name__ == "__main__":
    main()
