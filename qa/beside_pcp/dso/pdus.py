# SPDX-License-Identifier: Apache-2.0
"""The few PDUs of pmda.md section 4 that a comparison of two agents needs, and a channel to an agent."""

import struct
import subprocess
from collections.abc import Sequence


def pdu(kind: int, body: bytes, client: int = 0) -> bytes:
    return struct.pack(">iii", 12 + len(body), kind, client) + body


def creds() -> bytes:
    return pdu(0x700C, struct.pack(">iBBH", 1, 1, 2, 0))


def profile() -> bytes:
    return pdu(0x7002, struct.pack(">iiii", 0, 0, 0, 0))


def fetch(*pmids: int) -> bytes:
    return pdu(0x7003, struct.pack(f">iqi{len(pmids)}I", 0, 0, len(pmids), *pmids))


def desc(pmid: int) -> bytes:
    return pdu(0x7004, struct.pack(">I", pmid))


def instances(indom: int, number: int = -1, name: bytes = b"") -> bytes:
    return pdu(0x7006, struct.pack(">Iqii", indom, 0, number, len(name)) + _padded(name))


def text(identifier: int, kind: int) -> bytes:
    return pdu(0x7008, struct.pack(">Ii", identifier, kind))


def labels(identifier: int, kind: int) -> bytes:
    return pdu(0x7012, struct.pack(">Ii", identifier, kind))


def names_of(pmid: int) -> bytes:
    return pdu(0x700D, struct.pack(">iiI", 0, 1, pmid))


def pmid_of(name: bytes) -> bytes:
    return pdu(0x700E, struct.pack(">iiii", len(name) + 1, 0, 1, len(name)) + _padded(name))


def children(name: bytes, subtype: int) -> bytes:
    return pdu(0x700F, struct.pack(">ii", subtype, len(name)) + _padded(name))


def traverse(name: bytes) -> bytes:
    return pdu(0x7010, struct.pack(">ii", 0, len(name)) + _padded(name))


def store(pmid: int, word: int) -> bytes:
    return pdu(0x7001, struct.pack(">iiiIiiiI", 0, 0, 1, pmid, 1, 0, -1, word))


def names_in(answer: bytes) -> list[bytes]:
    """Of a PMNS_NAMES without status."""
    (count,) = struct.unpack_from(">i", answer, 20)
    found, at = [], 24
    for _ in range(count):
        (size,) = struct.unpack_from(">i", answer, at)
        found.append(answer[at + 4 : at + 4 + size])
        at += 4 + (size + 3) // 4 * 4
    return found


def _padded(data: bytes) -> bytes:
    return data + b"~" * (-len(data) % 4)


class Agent:
    """A started agent that has greeted and was greeted."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.greeting = self.receive()
        self.send(creds())

    def send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def receive(self) -> bytes:
        assert self._process.stdout is not None
        header = self._process.stdout.read(12)
        assert len(header) == 12, "the agent has gone"
        (length,) = struct.unpack_from(">i", header)
        return header + self._process.stdout.read(length - 12)

    def ask(self, request: bytes) -> bytes:
        self.send(request)
        return self.receive()

    def end(self) -> int:
        """Ends it by closing its channel; its exit status."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        status = self._process.wait(timeout=300)
        self._process.stdout.close()
        return status
