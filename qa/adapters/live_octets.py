# SPDX-License-Identifier: Apache-2.0
"""PDUs as octets, as far as who records an exchange has to know them (pmda.md sections 1 to 4)."""

import base64
import re
import struct
from dataclasses import dataclass
from typing import Any

from qa.adapters.value_text import json_text, opaque_text

Json = dict[str, Any]

HEADER = 12
TYPES = {
    name: 0x7000 + number
    for number, name in enumerate(
        "ERROR RESULT PROFILE FETCH DESC_REQ DESC INSTANCE_REQ INSTANCE TEXT_REQ TEXT CONTROL_REQ - CREDS PMNS_IDS PMNS_NAMES PMNS_CHILD "
        "PMNS_TRAVERSE ATTR LABEL_REQ LABEL HIGHRES_FETCH HIGHRES_RESULT DESC_IDS DESCS".split()
    )
    if name not in ("CONTROL_REQ", "-")
}
NAMES = {number: name for name, number in TYPES.items()}

_BYTE = re.compile(r"\\x([0-9a-f]{2})")


@dataclass(frozen=True)
class Frame:
    """One PDU of a stream. `name` is empty where no PDU has such a type; `octets`: as many as there are."""

    length: int
    type: int
    octets: bytes

    @property
    def name(self) -> str:
        return NAMES.get(self.type, "")

    @property
    def is_header_sound(self) -> bool:  # PDU-003, PDU-007
        return self.length >= HEADER and self.type > 0

    @property
    def is_whole(self) -> bool:
        return len(self.octets) == self.length

    def word(self, at: int) -> int:
        """0 beyond the end."""
        return int.from_bytes(self.octets[at : at + 4].ljust(4, b"\0"), "big")

    def signed(self, at: int) -> int:
        word = self.word(at)
        return word - (1 << 32) if word >> 31 else word


def frames_of(stream: bytes) -> list[Frame]:
    """By the lengths that headers say, up to one that is none; the last may be shorter than it says."""
    found = []
    place = 0
    while place < len(stream):
        header = stream[place : place + HEADER]
        if len(header) < HEADER:
            found.append(Frame(HEADER, TYPES["ERROR"], header))
            break
        length, kind = struct.unpack(">ii", header[:8])
        size = length if length >= HEADER else len(stream) - place
        found.append(Frame(length, kind, stream[place : place + size]))
        place += size
    return found


def blocks_of(result: Frame) -> list[tuple[int, bytes]]:
    """Types and bodies of the value blocks of a RESULT or HIGHRES_RESULT, as far as they lie inside (section 4.5)."""
    number, place = (result.word(12), 32) if result.name == "HIGHRES_RESULT" else (result.word(20), 24)
    found = []
    for _ in range(min(number, len(result.octets) // 8)):
        count, form = result.signed(place + 4), result.word(place + 8)
        place += 8
        if count <= 0:
            continue
        place += 4
        for _ in range(min(count, len(result.octets) // 8)):
            at = 4 * result.word(place + 4)
            place += 8
            head = result.word(at)
            if form in (1, 2) and at + 4 <= len(result.octets):
                found.append((head >> 24, result.octets[at + 4 : at + (head & 0xFFFFFF)]))
    return found


def texts_of(frame: Frame) -> list[bytes]:
    """The names of INSTANCE and PMNS_NAMES, the text of TEXT, each as far as it lies inside (section 4)."""
    match frame.name:
        case "TEXT":
            head, place, number = 4, 16, 1
        case "INSTANCE":
            head, place, number = 8, 20, frame.word(16)
        case "PMNS_NAMES":
            head, place, number = 8 if frame.word(16) else 4, 24, frame.word(20)
        case _:
            return []
    found = []
    for _ in range(min(number, len(frame.octets) // 4)):
        place += head
        size = frame.word(place - 4)
        found.append(frame.octets[place : place + size])
        place += (size + 3) // 4 * 4
    return found


def pdu(name: str, body: bytes = b"", source: int = 0) -> bytes:
    return struct.pack(">iii", HEADER + len(body), TYPES[name], source) + body


def error(code: int) -> bytes:
    return pdu("ERROR", struct.pack(">i", code))


def raw(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal)


def text_of(octets: bytes) -> str:
    """As a value of type string is written."""
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError:
        return opaque_text(octets)
    text = json_text(octets)
    return opaque_text(octets) if text.startswith("base64:") else text


def octets_of(text: str) -> bytes:
    """The inverse."""
    if text.startswith("base64:"):
        return base64.b64decode(text[7:], validate=True)
    parts = _BYTE.split(text)
    return b"".join(bytes([int(part, 16)]) if place % 2 else part.encode() for place, part in enumerate(parts))
