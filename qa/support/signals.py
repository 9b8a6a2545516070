# SPDX-License-Identifier: Apache-2.0
"""SIGINT, SIGTERM and SIGHUP as an exception, so that whoever is ended so leaves nothing behind and says where it stands."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(BaseException):
    """Raised in the main thread, once."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.status = 128 + number


@contextmanager
def raising() -> Iterator[None]:
    """Within it the first of these signals raises Ended; later ones are ignored while that is cleaned up.

    A signal that was ignored before, as by nohup, stays ignored. Does nothing outside the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    ours = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def end(number: int, _: FrameType | None) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise Ended(number)

    try:
        for number in ours:
            signal.signal(number, end)
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])
