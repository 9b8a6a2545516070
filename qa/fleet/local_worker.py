# SPDX-License-Identifier: Apache-2.0
"""A worker process of a fleet on this machine; local_workers.py starts it. It ends with the process that started it.

It says "ready" on standard output. Then each request on standard input, the name of a function of qa.fleet.checking and
its arguments, has an answer on standard output. Each is pickled, after its length.
"""

import gc
import os
import pickle
import queue
import sys
import threading
from typing import Any

from qa.fleet import checking

LENGTH = 8  # bytes of the number before what is sent
_SELDOM = 100_000  # new objects between looks for cycles: there are hardly any among hundreds of thousands of objects
_LARGE = 16 << 20  # bytes; answers are shorter


def prepare_memory() -> None:
    """For many objects, and answers of several MB one after the other."""
    gc.set_threshold(_SELDOM)
    # What glibc frees of so large a block teaches it to take the next ones from memory that it has, not from the system.
    bytes(_LARGE)


def _read(requests: "queue.SimpleQueue[bytes]") -> None:
    """In a thread of its own, so that it sees the end of standard input while an archive is checked."""
    source = sys.stdin.buffer
    while True:
        length = int.from_bytes(source.read(LENGTH), "big")
        request = source.read(length)
        if not length or len(request) < length:
            os._exit(0)
        requests.put(request)


def main() -> None:
    prepare_memory()
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    print("ready", flush=True)
    while True:
        function, arguments = pickle.loads(requests.get())
        answer: dict[str, Any] = getattr(checking, function)(*arguments)
        content = pickle.dumps(answer)
        sys.stdout.buffer.write(len(content).to_bytes(LENGTH, "big"))
        sys.stdout.buffer.write(content)  # several MB, which are not copied
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
