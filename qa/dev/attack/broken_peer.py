# SPDX-License-Identifier: Apache-2.0
"""An agent that breaks the protocol by chance, on standard input and output: broken_peer.py SEED.

Its answers are those of hostile_peer.py, one in three of them damaged.
"""

import os
import random
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from validator.testing import hostile_peer  # pylint: disable=wrong-import-position

_CHANCE = random.Random(int(sys.argv[1]))
_WORDS = (0, 1, 11, 12, 16, 20, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 26)


def damaged(answer: bytes) -> bytes:
    what = _CHANCE.randrange(12)
    if what == 0:
        return answer[: _CHANCE.randrange(len(answer))]
    if what == 1:
        return answer * 3
    if what == 2:
        return struct.pack(">I", _CHANCE.choice(_WORDS)) + answer[4:]
    if what == 3:
        return _CHANCE.randbytes(_CHANCE.choice((1, 11, 12, 1000)))
    if what == 4:
        return b""
    if what == 5:
        os._exit(_CHANCE.choice((0, 1, 42)))
    if what == 6:
        os.kill(os.getpid(), _CHANCE.choice((6, 9, 11)))
    if what == 7:
        time.sleep(_CHANCE.uniform(0, 0.5))
        return answer
    at = 4 * _CHANCE.randrange(max(len(answer) // 4, 1))
    return answer[:at] + struct.pack(">I", _CHANCE.choice(_WORDS)) + answer[at + 4 :]


def write(data: bytes) -> None:
    if _CHANCE.random() < 0.33:
        data = damaged(data)
    while data:
        data = data[os.write(1, data) :]


def main() -> None:
    if _CHANCE.random() < 0.1 and os.fork() == 0:
        os.setsid()
        time.sleep(600)
    write(hostile_peer.pdu(hostile_peer.CREDS, struct.pack(">iBBH", 1, 1, 2, 0x0244), os.getpid()))
    hostile_peer.serve(hostile_peer.reader(lambda size: os.read(0, size)), write)


if __name__ == "__main__":
    try:
        main()
    except (EOFError, BrokenPipeError):
        pass
