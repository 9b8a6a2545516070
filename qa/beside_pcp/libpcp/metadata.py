# SPDX-License-Identifier: Apache-2.0
"""Answers the questions of answer.cc of qa/beside_pcp/metadata.

    metadata QUESTIONS

QUESTIONS is a file with one question a line, without the version. Each is answered by a line; one that ends the process
or does not come to an end by "undefined".
"""

import ctypes
import functools
import signal
import struct
import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO

from pcp import pmapi
from pcp import pmda as binding

from qa.adapters.pcp_library import PCP, block, made_block
from qa.beside_pcp.libpcp.children import discard_stderr, in_child

PMDA = ctypes.CDLL(binding.LIBPCP_PMDA._name)
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


def _host_order(payload: bytes, block_type: int) -> bytes:
    """The payload of a block as a fetch gives it: numbers turned round."""
    return payload[::-1] if sys.byteorder == "little" and block_type in (2, 3, 4, 5) and len(payload) in (4, 8) else payload


class Stored:
    """A pmValue; `block` is what it points to."""

    def __init__(self, form: str, word: str, block_type: str, payload: str) -> None:
        self.format = int(form)
        self.value = pmapi.pmValue()
        at = pmapi.pmValue.value.offset
        raw = (ctypes.c_char * ctypes.sizeof(pmapi.pmValue)).from_buffer(self.value)
        if self.format == 0:
            struct.pack_into("=I", raw, at, int(word, 16))
            return
        content = _host_order(bytes.fromhex(payload), int(block_type))
        self.block = ctypes.create_string_buffer(made_block(int(block_type), content))
        struct.pack_into("=Q", raw, at, ctypes.addressof(self.block))


def extract(form: str, source: str, to: str, word: str, block_type: str, payload: str) -> str:
    stored, atom = Stored(form, word, block_type, payload), ctypes.c_uint64(0)
    status = PCP.pmExtractValue(stored.format, ctypes.byref(stored.value), int(source), ctypes.byref(atom), int(to))
    if status < 0:
        return str(status)
    if to == "6":
        # Of a block as many bytes as it has, of a number those up to the NUL.
        got = ctypes.string_at(atom.value, len(payload) // 2) if source == "6" else ctypes.string_at(atom.value)
        return f"{status} {got.hex()}"
    if to == "7":
        return f"{status} {block(atom.value).hex()}"
    return f"{status} {atom.value:x}"


def atom(metric_type: str, bits: str, payload: str) -> str:
    value = ctypes.c_uint64(int(bits, 16))
    content = bytes.fromhex(payload)
    if metric_type == "6":
        held = ctypes.create_string_buffer(content)
        value.value = ctypes.addressof(held)
    elif metric_type in ("7", "8"):
        held = ctypes.create_string_buffer(made_block(int(metric_type), content))
        value.value = ctypes.addressof(held)
    buffer = ctypes.create_string_buffer(80)
    PCP.pmAtomStr_r(ctypes.byref(value), int(metric_type), buffer, 80)
    return buffer.value.hex()


LIBC.open_memstream.restype = ctypes.c_void_p
LIBC.fclose.argtypes = [ctypes.c_void_p]
PCP.pmPrintValue.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]


def print_value(form: str, metric_type: str, width: str, word: str, block_type: str, payload: str) -> str:
    stored = Stored(form, word, block_type, payload)
    address, size = ctypes.c_void_p(), ctypes.c_size_t()
    stream = LIBC.open_memstream(ctypes.byref(address), ctypes.byref(size))
    PCP.pmPrintValue(stream, stored.format, int(metric_type), ctypes.byref(stored.value), int(width))
    LIBC.fclose(stream)
    got = ctypes.string_at(address.value or 0, size.value)
    LIBC.free(address)
    return got.hex()


def compact(bits: str) -> str:
    buffer = ctypes.create_string_buffer(64)
    (number,) = struct.unpack("=d", struct.pack("=Q", int(bits, 16)))
    PCP.pmNumberStr_r(ctypes.c_double(number), buffer, 64)
    return buffer.value.decode("ascii")


def flags(word: str) -> str:
    buffer = ctypes.create_string_buffer(64)
    PCP.pmEventFlagsStr_r(ctypes.c_uint(int(word, 16)), buffer, 64)
    return buffer.value.decode("ascii")


def labels(text: str) -> str:
    found = ctypes.POINTER(pmapi.pmLabelSet)()
    status = PMDA.pmdaAddLabels(ctypes.byref(found), b"%s", ctypes.c_char_p(bytes.fromhex(text)))
    if status < 0:
        return str(status)
    if not found:
        return "0 "
    labelset = found.contents
    told = f"0 {ctypes.string_at(labelset.json, labelset.jsonlen & 0xFFFF).hex() if labelset.json else ''}"
    for i in range(labelset.nlabels):
        label = labelset.labels[i]
        told += f" {label.name & 0xFFFF} {label.namelen & 0xFF} {label.value & 0xFFFF} {label.valuelen & 0xFFFF}"
        told += f" {label.flags & 64}"
    return told


def merge(*texts: str) -> str:
    sets = (ctypes.c_char_p * len(texts))(*map(bytes.fromhex, texts))
    buffer = ctypes.create_string_buffer(65536)
    status = PCP.pmMergeLabels(sets, len(texts), buffer, 65536)
    return str(status) if status < 0 else f"0 {buffer.value.hex()}"


ANSWERS: dict[str, Callable[..., str]] = {
    "parse": parse,
    "text": text,
    "convert": convert,
    "extract": extract,
    "atom": atom,
    "print": print_value,
    "compact": compact,
    "flags": flags,
    "labels": labels,
    "merge": merge,
}


def answer(line: str) -> str:
    kind, *fields = line.rstrip("\n").split("\t")
    return ANSWERS[kind](*fields)


def answer_some(lines: Sequence[str], out: BinaryIO) -> None:
    discard_stderr()  # what an assertion says
    for line in lines:
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
        out.write(answer(line).encode() + b"\n")
        out.flush()


def main(arguments: Sequence[str]) -> None:
    with open(arguments[0], encoding="ascii") as file:
        lines = file.readlines()
    done = 0
    while done < len(lines):
        written, _ = in_child(functools.partial(answer_some, lines[done:]))
        # All answers, or those before the question that ended the child.
        answers = written.decode().splitlines()
        done += len(answers)
        if done < len(lines):
            answers.append("undefined")
            done += 1
        print(*answers, sep="\n")
