# SPDX-License-Identifier: Apache-2.0
"""A collector for tests: it sends requests to an agent and gives back the octets that come."""

import struct
import subprocess
from collections.abc import Sequence

_SECONDS = 30
_NULL = 0xFFFFFFFF


def request(kind: int, layout: str, *values: int | bytes) -> bytes:
    body = struct.pack(">" + layout, *values)
    return struct.pack(">iii", 12 + len(body), kind, 0) + body


def every_request(domain: int) -> list[bytes]:
    """One at least of each kind that the agents simple and every answer, and some that fail."""
    asked = [request(0x700C, "iBBH", 1, 1, 2, 0)]
    pmids = [domain << 22 | item for item in (*range(16), 0x402, 0x403, 0x804)]
    asked += [request(0x7004, "I", pmid) for pmid in pmids]
    for _ in range(3):
        asked.append(request(0x7003, f"IIIi{len(pmids)}I", 0, 0, 0, len(pmids), *pmids))
    for serial in range(3):
        indom = domain << 22 | serial
        asked.append(request(0x7006, "IIIii", indom, 0, 0, -1, 0))
        asked.append(request(0x7006, "IIIii", indom, 0, 0, 1, 0))
        asked += [request(0x7006, f"IIIii{len(name) + -len(name) % 4}s", indom, 0, 0, -1, len(name), name) for name in (b"red", b"cpu")]
        asked += [request(0x7008, "II", indom, kind) for kind in (9, 10)]
        asked += [request(0x7012, "II", indom, kind) for kind in (4, 32)]
    asked += [request(0x7008, "II", pmid, kind) for pmid in pmids for kind in (5, 6)]
    asked += [request(0x7012, "II", ident, kind) for ident, kind in ((domain, 2), (pmids[0], 8), (pmids[1], 16), (_NULL, 1))]
    for name in (b"every.count", b"every", b"none"):
        padded = len(name) + -len(name) % 4
        asked.append(request(0x700E, f"iiii{padded}s", len(name) + 1, 0, 1, len(name), name))
        asked += [request(kind, f"ii{padded}s", subtype, len(name), name) for kind, subtype in ((0x700F, 0), (0x700F, 1), (0x7010, 0))]
    asked.append(request(0x700D, "iiI", 0, 1, pmids[0]))
    asked.append(request(0x7001, "iiiIiiiI", 0, 0, 1, pmids[1], 1, 0, 0, 5))
    return asked


def answers(command: Sequence[str], asked: Sequence[bytes]) -> bytes:
    """All that the agent says until it ends, which is when it has been asked everything."""
    done = subprocess.run(command, input=b"".join(asked), stdout=subprocess.PIPE, timeout=_SECONDS, check=True)
    return done.stdout


def frames(octets: bytes) -> list[bytes]:
    """PDU by PDU."""
    found = []
    while octets:
        size = int.from_bytes(octets[:4], "big")
        assert 12 <= size <= len(octets)
        found.append(octets[:size])
        octets = octets[size:]
    return found
