# SPDX-License-Identifier: Apache-2.0
"""An agent with the metrics 9.0.0 and 9.0.1 that is good for a while: late_agent.py MODE [FETCHES].

After so many fetches it ends, is mute, answers with an error, with too few value sets or twice. Or, from the beginning,
it is slow, grows, has its memory and its work in a child, or writes client and context of each PROFILE and FETCH to
standard error.

Names neither pmproof nor its code: an agent as a stranger might have written it.
"""

import os
import struct
import sys
import time

DESC_REQ, DESC, FETCH, RESULT, ERROR = 0x7004, 0x7005, 0x7003, 0x7001, 0x7000
CREDS, PROFILE = 0x700C, 0x7002
METRICS = (9 << 22, 9 << 22 | 1)
MODE = sys.argv[1]
GOOD = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def write(kind: int, body: bytes, source: int = 0) -> None:
    data = struct.pack(">iii", 12 + len(body), kind, source) + body
    while data:
        data = data[os.write(1, data) :]


def read(size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(0, size - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


def result(body: bytes, drop: int = 0) -> bytes:
    (count,) = struct.unpack_from(">i", body, 12)
    pmids = struct.unpack_from(f">{count}I", body, 16)[drop:]
    sets = b""
    for pmid in pmids:
        sets += struct.pack(">IiiiI", pmid, 1, 0, -1, 1) if pmid in METRICS else struct.pack(">Ii", pmid, -12358)
    return struct.pack(">iii", 0, 0, len(pmids)) + sets


def answer(fetches: int, body: bytes) -> None:
    is_late = fetches > GOOD
    if MODE == "end" and is_late:
        sys.stderr.write("the well is dry\n")
        sys.exit(7)
    if MODE == "mute" and is_late:
        return
    if MODE == "error" and is_late:
        return write(ERROR, struct.pack(">i", -12366))
    if MODE == "slow":
        time.sleep(0.02)
    if MODE == "twice" and is_late:
        write(RESULT, result(body))
    write(RESULT, result(body, drop=1 if MODE == "few" and is_late else 0))


def serve() -> None:
    write(CREDS, struct.pack(">iBBH", 1, 1, 2, 0), os.getpid())
    fetches = 0
    kept = []
    while True:
        length, kind, source = struct.unpack(">iii", read(12))
        body = read(length - 12)
        if kind == FETCH:
            fetches += 1
            if MODE == "contexts":
                sys.stderr.write(f"FETCH {source} {struct.unpack_from('>i', body)[0]}\n")
            if MODE == "grow":
                kept.append(bytes(range(256)) * 400)
            answer(fetches, body)
        elif kind == PROFILE and MODE == "contexts":
            sys.stderr.write(f"PROFILE {source} {struct.unpack_from('>i', body)[0]}\n")
        elif kind == DESC_REQ:
            (pmid,) = struct.unpack(">I", body)
            if pmid in METRICS:
                write(DESC, struct.pack(">IiIiI", pmid, 0, 0xFFFFFFFF, 3, 0))
            else:
                write(ERROR, struct.pack(">i", -12358))
        elif kind not in (CREDS, PROFILE, ERROR):
            write(ERROR, struct.pack(">i", -12357))


def main() -> None:
    if MODE == "child":
        child = os.fork()
        if child != 0:
            os.waitpid(child, 0)
            return
        ballast = bytearray(b"x" * 100_000_000)
        assert ballast
    serve()


main()
