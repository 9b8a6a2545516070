# SPDX-License-Identifier: Apache-2.0
"""An agent, or a collector, every name, text and label of which is hostile: hostile_peer.py agent | collector SOCKET.

It knows nothing of pmproof. HOSTILE in its environment is what stands in all its texts, in hexadecimal digits.
"""

import os
import socket
import struct
import sys
from collections.abc import Callable

TEXT = bytes.fromhex(os.environ["HOSTILE"])
DESC_REQ, DESC, FETCH, RESULT, ERROR, CREDS = 0x7004, 0x7005, 0x7003, 0x7001, 0x7000, 0x700C
INSTANCE_REQ, INSTANCE, TEXT_REQ, HELP = 0x7006, 0x7007, 0x7008, 0x7009
PMNS_IDS, PMNS_NAMES, PMNS_CHILD, PMNS_TRAVERSE = 0x700D, 0x700E, 0x700F, 0x7010
LABEL_REQ, LABEL = 0x7012, 0x7013
METRIC = INDOM = 9 << 22
CHALLENGE = 0x02010E44


def pdu(kind: int, body: bytes, source: int = 0) -> bytes:
    return struct.pack(">iii", 12 + len(body), kind, source) + body


def padded(text: bytes) -> bytes:
    return text + b"~" * (-len(text) % 4)


def names(*each: bytes, status: bool = False) -> bytes:
    """PMNS_NAMES"""
    entries = b"".join((struct.pack(">i", 0) if status else b"") + struct.pack(">i", len(name)) + padded(name) for name in each)
    total = sum(len(name) + 1 for name in each)
    return pdu(PMNS_NAMES, struct.pack(">3i", total, len(each) if status else 0, len(each)) + entries)


def label(body: bytes) -> bytes:
    json = b'{"a":"' + TEXT + b'"}'
    kind = struct.unpack_from(">I", body, 4)[0]
    one = struct.pack(">iiii", 0 if kind == 32 else -1, 1, 28 + 16 + 8, len(json))
    return pdu(LABEL, body[:8] + struct.pack(">ii", 0, 1) + one + struct.pack(">HBBHH", 2, 1, kind & 0xFF, 5, len(TEXT) + 2) + json)


def fetch(body: bytes) -> bytes:
    (count,) = struct.unpack_from(">i", body, 12)
    pmids = struct.unpack_from(f">{count}I", body, 16)
    # A string for each, which its descriptor does not say.
    sets = blocks = b""
    begin = 24 + 20 * count
    for metric in pmids:
        sets += struct.pack(">IiiiI", metric, 1, 1, 0, (begin + len(blocks)) // 4)
        blocks += padded(struct.pack(">I", 6 << 24 | len(TEXT) + 5) + TEXT + b"\0")
    return pdu(RESULT, struct.pack(">iii", 0, 0, count) + sets + blocks)


ANSWERS: dict[int, Callable[[bytes], bytes]] = {
    FETCH: fetch,
    DESC_REQ: lambda body: pdu(DESC, body[:4] + struct.pack(">iIiI", 6, INDOM, 3, 0)),
    INSTANCE_REQ: lambda body: pdu(INSTANCE, body[:4] + struct.pack(">iii", 1, 0, len(TEXT)) + padded(TEXT)),
    TEXT_REQ: lambda body: pdu(HELP, body[:4] + struct.pack(">i", len(TEXT)) + padded(TEXT)),
    LABEL_REQ: label,
    RESULT: lambda body: pdu(ERROR, struct.pack(">i", 0)),
    PMNS_NAMES: lambda body: pdu(PMNS_IDS, struct.pack(">iiI", 0, 1, METRIC)),
    PMNS_IDS: lambda body: names(TEXT),
    PMNS_CHILD: lambda body: names(TEXT, status=True),
    PMNS_TRAVERSE: lambda body: names(TEXT, b"b." + TEXT),
}


def serve(read: Callable[[int], bytes], write: Callable[[bytes], None]) -> None:
    while True:
        length, kind, _ = struct.unpack(">iii", read(12))
        body = read(length - 12) if length > 12 else b""
        answer = ANSWERS.get(kind)
        if answer is not None:
            try:
                write(answer(body))
            except struct.error:  # a request that is malformed on purpose
                write(pdu(ERROR, struct.pack(">i", -12366)))


def reader(take: Callable[[int], bytes]) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = take(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    return read


def be_agent() -> None:
    def write(data: bytes) -> None:
        while data:
            data = data[os.write(1, data) :]

    sys.stderr.buffer.write(TEXT + b"\n")
    sys.stderr.flush()
    write(pdu(CREDS, struct.pack(">iBBH", 1, 1, 2, 0x0244), os.getpid()))
    serve(reader(lambda size: os.read(0, size)), write)


def be_collector(path: str) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    while True:
        client, _ = listener.accept()
        with client:
            client.sendall(struct.pack(">5i", 20, ERROR, 0, 0, CHALLENGE))
            try:
                serve(reader(client.recv), client.sendall)
            except (EOFError, OSError):
                continue


if __name__ == "__main__":
    try:
        be_agent() if sys.argv[1] == "agent" else be_collector(sys.argv[2])
    except EOFError:
        pass
