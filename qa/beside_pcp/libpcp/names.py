# SPDX-License-Identifier: Apache-2.0
"""Name spaces as an installed libpcp loads them: run by that PCP's own Python, with its binding.

    python3 libpcp_program.py many|one FILE...

For each file a block: "=== FILE", "load 0" or "load CODE", its names with their PMIDs, the children of each inner node.
It stands alone: nothing of pmproof can be imported where it runs.
"""

import ctypes
import os
import sys

from pcp import pmapi

PCP = ctypes.CDLL(pmapi.LIBPCP._name)
Strings = ctypes.POINTER(ctypes.c_char_p)
Numbers = ctypes.POINTER(ctypes.c_int)
PCP.pmGetChildrenStatus.argtypes = [ctypes.c_char_p, ctypes.POINTER(Strings), ctypes.POINTER(Numbers)]
Visit = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
OF_LIBPCP = "event"  # it has metrics of its own below that name


def children(node: str) -> list[tuple[str, int]]:
    names, states = Strings(), Numbers()
    count = PCP.pmGetChildrenStatus(node.encode(), ctypes.byref(names), ctypes.byref(states))
    found = [((names[i] or b"").decode(), states[i]) for i in range(max(count, 0))]
    return [child for child in found if node or child[0] != OF_LIBPCP]


def answer(file: str, many: bool) -> None:
    print(f"=== {file}")
    status = PCP.pmLoadASCIINameSpace(file.encode(), int(many))
    print(f"load {status}")
    if status < 0:
        return
    found: list[bytes] = []
    visit = Visit(found.append)
    PCP.pmTraversePMNS(b"", visit)
    for name in found:
        pmid = (ctypes.c_uint * 1)()
        PCP.pmLookupName(1, (ctypes.c_char_p * 1)(name), pmid)
        if not name.startswith(OF_LIBPCP.encode() + b"."):
            print(f"{name.decode()} {pmid[0]:08x}")
    inner = [""]
    while inner:
        node = inner.pop()
        below = children(node)
        print(f"children {node}:" + "".join(f" {name}/{state}" for name, state in below))
        inner += [f"{node}.{name}".lstrip(".") for name, state in below if state == 1]


def main() -> None:
    for file in sys.argv[2:]:
        # A name space is loaded once in a process.
        child = os.fork()
        if child == 0:
            answer(file, sys.argv[1] == "many")
            sys.stdout.flush()
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            print(f"died of {file}")
        sys.stdout.flush()


main()
