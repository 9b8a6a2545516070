# SPDX-License-Identifier: Apache-2.0
"""libpcp as it is called from here: what is common to the operations of the adapter.

With pcp_program it is run by some PCP's own Python; nothing of pmproof beside this folder can be imported there.
"""

import ctypes
import sys
from typing import Any

from pcp import pmapi

# The binding finds the library, and says which of its interfaces there are; the calls are our own, by raw memory: its
# objects would take several times as long as libpcp.
PCP = ctypes.CDLL(pmapi.LIBPCP._name)
# Before 7.0, what has nanoseconds has other names.
HIGHRES = hasattr(pmapi, "pmHighResResult")

NULL = 0xFFFFFFFF  # of identifiers of metrics and of instance domains
ONE_LINE, FULL = 1, 2  # of help texts

Json = dict[str, Any]


class Refusal(Exception):
    """libpcp refuses the input: the class of the refusal, and what libpcp says."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class Skip(Exception):
    """libpcp cannot be asked this."""


ERRORS = {
    name: getattr(pmapi.c_api, name)
    for name in dir(pmapi.c_api)
    if name.startswith("PM_ERR_") and isinstance(getattr(pmapi.c_api, name), int)
}


_LARGEST_ERRNO = 200  # as the reference has it; what is further below is PCP's own


def error_name(code: int) -> str:
    for name, number in ERRORS.items():
        if number == code:
            return name
    return f"errno {-code}" if -_LARGEST_ERRNO <= code < 0 else f"code {code}"


def block(address: int) -> bytes:
    """The bytes of a pmValueBlock, whose head has its length."""
    word = int.from_bytes(ctypes.string_at(address, 4), sys.byteorder)
    length = word & 0xFFFFFF if sys.byteorder == "little" else word >> 8
    return ctypes.string_at(address + 4, max(length - 4, 0))


def made_block(kind: int, content: bytes) -> bytes:
    """A pmValueBlock."""
    kind, length = kind & 255, 4 + len(content)
    word = kind << 24 | length if sys.byteorder == "little" else length << 8 | kind
    return word.to_bytes(4, sys.byteorder) + content


def _text(function: str, *arguments: Any) -> str:
    buffer = ctypes.create_string_buffer(256)
    getattr(PCP, function)(*arguments, buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")


def pmid_text(pmid: int) -> str:
    return _text("pmIDStr_r", ctypes.c_uint(pmid))


def indom_text(indom: int) -> str:
    return _text("pmInDomStr_r", ctypes.c_uint(indom))


def units_text(word: int) -> str:
    return _text("pmUnitsStr_r", ctypes.byref(ctypes.c_uint(word)))


def type_text(kind: int) -> str:
    return _text("pmTypeStr_r", kind)


def semantics_text(code: int) -> str:
    return _text("pmSemStr_r", code)


def flags_text(flags: int) -> str:
    return _text("pmEventFlagsStr_r", ctypes.c_uint(flags))


def lookup(name: str) -> int:
    """The PMID, or an error code."""
    pmid = ctypes.c_uint()
    status: int = PCP.pmLookupName(1, (ctypes.c_char_p * 1)(name.encode()), ctypes.byref(pmid))
    return status if status < 0 else pmid.value


def describe(pmid: int) -> "tuple[int, pmapi.pmDesc]":
    """A status, and the descriptor if it is not below 0."""
    desc = pmapi.pmDesc()
    status: int = PCP.pmLookupDesc(ctypes.c_uint(pmid), ctypes.byref(desc))
    return status, desc
