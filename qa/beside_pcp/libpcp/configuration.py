# SPDX-License-Identifier: Apache-2.0
"""What an installed libpcp makes of configuration files of derived metrics: run by that PCP's own Python.

    python3 libpcp_program.py ARCHIVE < FILES

Writes the lines that says.cc writes. Names are looked for among the words of the file, for a listing leaves out what
does not bind. Each file is loaded by a child of its own. It stands alone: nothing of pmproof can be imported where it
runs.
"""

import ctypes
import os
import re
import signal
import sys

os.environ |= {"PCP_DERIVED_CONFIG": "", "PCP_STDERR": ""}  # nothing of the host; messages to standard error

import cpmapi
from pcp import pmapi

PCP = ctypes.CDLL(pmapi.LIBPCP._name)
ONE_LINE, FULL, DERIVED = 1, 2, 511
CPU_SECONDS = 5


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
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    with open(path, "rb") as file:
        words = set(re.findall(rb"[A-Za-z][A-Za-z0-9_.]*", file.read()))
    names = "".join(described(word) for word in sorted(words))
    del context
    return f"{loaded} {said.hex()}{names}"


def main() -> None:
    for line in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(CPU_SECONDS)
            os.write(writing, answer(line.rstrip("\n"), sys.argv[1]).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            told = pipe.read()
        status = os.waitpid(child, 0)[1]
        print(f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else told, flush=True)


if __name__ == "__main__":
    main()
