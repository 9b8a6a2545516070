# SPDX-License-Identifier: Apache-2.0
"""What libpcp makes of configuration files of derived metrics.

    configuration ARCHIVE < FILES

Writes the lines that says.cc of qa/beside_pcp/configuration writes. Names are looked for among the words of the file,
for a listing leaves out what does not bind. Each file is loaded by a child of its own.
"""

import ctypes
import functools
import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import BinaryIO

import cpmapi
from pcp import pmapi

from qa.adapters.pcp_library import FULL, ONE_LINE, PCP
from qa.beside_pcp.libpcp.children import discard_stderr, in_child_tried_again

DERIVED = 511
SECONDS = 5  # of one file


def help_text(pmid: ctypes.c_uint, level: int) -> str:
    text = ctypes.c_char_p()
    if PCP.pmLookupText(pmid, level, ctypes.byref(text)) < 0:
        return "-"
    return (text.value or b"").hex()


def described(name: bytes) -> str:
    pmid = ctypes.c_uint()
    names = (ctypes.c_char_p * 1)(name)
    if PCP.pmLookupName(1, names, ctypes.byref(pmid)) < 0 or pmid.value >> 22 != DERIVED:
        return ""
    return f" {name.hex()}:{help_text(pmid, ONE_LINE)}:{help_text(pmid, FULL)}"


def answer(path: str, archive: str) -> str:
    reading, writing = os.pipe()
    os.dup2(writing, 2)
    loaded = PCP.pmLoadDerivedConfig(path.encode())
    context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, archive)
    PCP.pmflush()
    os.close(writing)
    discard_stderr()
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    with open(path, "rb") as file:
        words = set(re.findall(rb"[A-Za-z][A-Za-z0-9_.]*", file.read()))
    names = "".join(described(word) for word in sorted(words))
    del context
    return f"{loaded} {said.hex()}{names}"


def write_answer(path: str, archive: str, out: BinaryIO) -> None:
    signal.alarm(SECONDS)
    out.write(answer(path, archive).encode())


def main(arguments: Sequence[str]) -> None:
    for line in sys.stdin:
        written, status = in_child_tried_again(functools.partial(write_answer, line.rstrip("\n"), arguments[0]))
        print(f"signal {-status}" if status < 0 else written.decode(), flush=True)
