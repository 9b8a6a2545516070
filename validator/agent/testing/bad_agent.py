# SPDX-License-Identifier: Apache-2.0
"""An agent with one metric (9.0.0, 32 bit, its value 1) that behaves badly in one way: bad_agent.py MODE.

In modes that begin with "five" it has five metrics, and help. In the mode "waits" the first agent
answers nothing until another one was started.

Names neither pmproof nor its code: an agent as a stranger might have written it.
"""

import os
import signal
import struct
import sys
import time
from collections.abc import Callable

DESC_REQ, DESC, FETCH, RESULT, ERROR, CREDS = 0x7004, 0x7005, 0x7003, 0x7001, 0x7000, 0x700C
PROFILE, INSTANCE_REQ, TEXT_REQ, TEXT, LABEL_REQ, LABEL = 0x7002, 0x7006, 0x7008, 0x7009, 0x7012, 0x7013
PMNS_NAMES, PMNS_IDS, PMNS_CHILD, PMNS_TRAVERSE = 0x700E, 0x700D, 0x700F, 0x7010
METRIC = 9 << 22
PM_ERR_PMID, PM_ERR_INDOM, PM_ERR_NAME, PM_ERR_TEXT, PM_ERR_PERMISSION = -12358, -12359, -12357, -12349, -12387
MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
METRICS = range(METRIC, METRIC + (5 if MODE.startswith("five") else 1))
HELP = {"five": b"help", "five-two-lines": b"one\ntwo", "five-long-lines": b"x" * 90}.get(MODE)


def pdu(kind: int, body: bytes, source: int = 0) -> bytes:
    return struct.pack(">iii", 12 + len(body), kind, source) + body


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def read(size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(0, size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def stay() -> None:
    while True:
        time.sleep(3600)


def exists_before(path: str) -> bool:
    """It exists after it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return True
    return False


def ignore_all() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)


def error(code: int) -> bytes:
    return pdu(ERROR, struct.pack(">i", code))


def fetch(body: bytes) -> bytes:
    (count,) = struct.unpack_from(">i", body, 12)
    if count < 1 or len(body) != 16 + 4 * count:
        return error(-12366)
    sets = b""
    for pmid in struct.unpack_from(f">{count}I", body, 16):
        if pmid in METRICS:
            sets += struct.pack(">IiiiI", pmid, 1, 0, -1, 1)
        else:
            sets += struct.pack(">Ii", pmid, PM_ERR_PMID)
    return pdu(RESULT, struct.pack(">iii", 0, 0, count) + sets)


def describe(body: bytes) -> bytes:
    if len(body) != 4 or struct.unpack(">I", body)[0] not in METRICS:
        return error(PM_ERR_PMID)
    return pdu(DESC, body + struct.pack(">iIiI", 0, 0xFFFFFFFF, 3, 0))


def explain(body: bytes) -> bytes:
    if HELP is None or len(body) != 8 or struct.unpack(">I", body[:4])[0] not in METRICS:
        return error(PM_ERR_TEXT)
    return pdu(TEXT, body[:4] + struct.pack(">i", len(HELP)) + HELP + bytes(-len(HELP) % 4))


ANSWERS: dict[int, Callable[[bytes], bytes]] = {
    FETCH: fetch,
    DESC_REQ: describe,
    INSTANCE_REQ: lambda body: error(PM_ERR_INDOM),
    TEXT_REQ: explain,
    LABEL_REQ: lambda body: pdu(LABEL, body[:8] + bytes(8)),
    RESULT: lambda body: error(PM_ERR_PERMISSION),
    PMNS_NAMES: lambda body: error(PM_ERR_NAME),
    PMNS_CHILD: lambda body: error(PM_ERR_NAME),
    PMNS_TRAVERSE: lambda body: error(PM_ERR_NAME),
    PMNS_IDS: lambda body: error(PM_ERR_PMID),
}


def serve() -> None:
    write(pdu(CREDS, struct.pack(">iBBH", 1, 1, 2, 0), os.getpid()))
    if MODE == "early":
        write(error(0))
    if MODE == "flood":
        ignore_all()
        while True:
            write(b"\0" * 65536)
    if MODE == "flood-pdus":
        ignore_all()
        while True:
            write(error(0) * 4096)
    if MODE == "deaf":
        stay()
    if MODE == "ends":
        read(12 + 8)  # the collector's CREDS
        return
    waits = MODE == "waits" and not exists_before(os.path.join(sys.argv[2], "first"))
    if MODE == "waits" and not waits:
        exists_before(os.path.join(sys.argv[2], "second"))
    while True:
        length, kind, _ = struct.unpack(">iii", read(12))
        body = read(length - 12)
        answer = ANSWERS.get(kind)
        if answer is None:
            continue
        if MODE in ("crash", "logs", "complains") and kind == FETCH:
            os.kill(os.getpid(), signal.SIGSEGV)
        if MODE == "mute" and kind == FETCH:
            continue
        if MODE == "half" and kind == FETCH:
            write(answer(body)[:20])
            continue
        if MODE == "twice" and kind == FETCH:
            write(answer(body))
        while waits and not os.path.exists(os.path.join(sys.argv[2], "second")):
            time.sleep(0.01)
        write(answer(body))


def main() -> None:
    if MODE == "silent":
        ignore_all()
        stay()
    if MODE == "gone":
        sys.exit(7)
    if MODE == "once":  # sys.argv[2] is its lock, which nobody removes
        if exists_before(sys.argv[2]):
            sys.exit(3)
    if MODE in ("logs", "complains"):
        if MODE == "logs":  # into sys.argv[2]
            os.dup2(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        for number in range(1, 31):
            os.write(2, b"line %d \x1b[31m\xff\n" % number)
    if MODE == "talks":
        write(b"bad_agent is starting\n")
    if MODE in ("stubborn", "family"):
        ignore_all()
    if MODE == "family":
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                stay()
    try:
        serve()
    except EOFError:
        if MODE in ("stubborn", "family"):
            stay()


main()
