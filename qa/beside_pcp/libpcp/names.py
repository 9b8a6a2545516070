# SPDX-License-Identifier: Apache-2.0
"""Name spaces as libpcp loads them.

    names many|one FILE...

For each file a block: "=== FILE", "load 0" or "load CODE", its names with their PMIDs, the children of each inner node.
A name space is loaded once in a process, so each file is loaded by a child of its own.
"""

import ctypes
import functools
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from qa.adapters.pcp_library import PCP
from qa.beside_pcp.libpcp.children import in_child_tried_again

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


def answer(file: str, many: bool) -> Iterator[str]:
    yield f"=== {file}"
    status = PCP.pmLoadASCIINameSpace(file.encode(), int(many))
    yield f"load {status}"
    if status < 0:
        return
    found: list[bytes] = []
    visit = Visit(found.append)
    PCP.pmTraversePMNS(b"", visit)
    for name in found:
        pmid = (ctypes.c_uint * 1)()
        PCP.pmLookupName(1, (ctypes.c_char_p * 1)(name), pmid)
        if not name.startswith(OF_LIBPCP.encode() + b"."):
            yield f"{name.decode()} {pmid[0]:08x}"
    inner = [""]
    while inner:
        node = inner.pop()
        below = children(node)
        yield f"children {node}:" + "".join(f" {name}/{state}" for name, state in below)
        inner += [f"{node}.{name}".lstrip(".") for name, state in below if state == 1]


def write_answer(file: str, many: bool, out: BinaryIO) -> None:
    for line in answer(file, many):
        out.write(line.encode() + b"\n")
        out.flush()


def main(arguments: Sequence[str]) -> None:
    many, *files = arguments
    for file in files:
        written, status = in_child_tried_again(functools.partial(write_answer, file, many == "many"))
        print(written.decode(), end="")
        if status != 0:
            print(f"ended with {status}")
