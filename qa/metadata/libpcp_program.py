"""Answers the questions of answer.cc by an installed libpcp: run by that PCP's own Python, with its binding.

    python3 libpcp_program.py QUESTIONS

QUESTIONS is a file with one question a line, without the version. Each is answered by a line; one that ends the process
or does not come to an end by "undefined". It stands alone: nothing of pmproof can be imported where it runs.
"""

import ctypes
import os
import signal
import struct
import sys

from pcp import pmapi

PCP = ctypes.CDLL(pmapi.LIBPCP._name)
LIBC = ctypes.CDLL(None)
LIBC.free.argtypes = [ctypes.c_void_p]
LIMIT = 0.02  # seconds of processor time; a question takes some microseconds


def parse(text: str) -> str:
    word, multiplier, message = ctypes.c_uint(), ctypes.c_double(), ctypes.c_void_p()
    status = PCP.pmParseUnitsStr(
        bytes.fromhex(text), ctypes.byref(word), ctypes.byref(multiplier), ctypes.byref(message)
    )
    if status >= 0:
        shown = "nan"
        if multiplier.value == multiplier.value:
            shown = f"{struct.unpack('=Q', struct.pack('=d', multiplier.value))[0]:x}"
        return f"{status} {word.value:x} {shown}"
    told = ctypes.string_at(message.value or 0).decode("ascii").strip()
    LIBC.free(message)
    return f"{status} {told}"


def text(word: str) -> str:
    buffer = ctypes.create_string_buffer(64)
    PCP.pmUnitsStr_r(ctypes.byref(ctypes.c_uint(int(word, 16))), buffer, 64)
    return buffer.value.decode("ascii")


def convert(metric_type: str, bits: str, units: str, to: str) -> str:
    value, result = ctypes.c_uint64(int(bits, 16)), ctypes.c_uint64(0)
    status = PCP.pmConvScale(
        int(metric_type),
        ctypes.byref(value),
        ctypes.byref(ctypes.c_uint(int(units, 16))),
        ctypes.byref(result),
        ctypes.byref(ctypes.c_uint(int(to, 16))),
    )
    return str(status) if status < 0 else f"{status} {result.value:x}"


ANSWERS = {"parse": parse, "text": text, "convert": convert}


def answer(line: str) -> str:
    kind, *fields = line.rstrip("\n").split("\t")
    return ANSWERS[kind](*fields)


def answer_some(lines: list[str]) -> list[str]:
    """The answers of a child, as far as it got: all, or those before the question that ended it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what an assertion says
        with os.fdopen(writer, "w", buffering=1) as out:
            for line in lines:
                signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
                out.write(answer(line) + "\n")
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        answers = told.read().splitlines()
    os.waitpid(child, 0)
    return answers


def main() -> None:
    with open(sys.argv[1], encoding="ascii") as file:
        lines = file.readlines()
    done = 0
    while done < len(lines):
        answers = answer_some(lines[done:])
        done += len(answers)
        if done < len(lines):
            answers.append("undefined")
            done += 1
        print(*answers, sep="\n")


if __name__ == "__main__":
    main()
