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


class Delay:
    """Lets a few statements of the main thread finish before Ended is raised."""

    def __init__(self) -> None:
        self._holds = False
        self._came: int | None = None

    @contextmanager
    def until_done(self) -> Iterator[None]:
        """Within it no signal raises Ended; one that came does so at the end. Not to be nested."""
        self._holds = True
        try:
            yield
        finally:
            self._holds = False
        if self._came is not None:
            raise Ended(self._came)

    def end(self, number: int) -> None:
        self._came = number
        if not self._holds:
            raise Ended(number)


@contextmanager
def raising() -> Iterator[Delay]:
    """Within it the first of these signals raises Ended; later ones are ignored while that is cleaned up.

    A signal that was ignored before, as by nohup, stays ignored. Does nothing outside the main thread.
    """
    delay = Delay()
    if threading.current_thread() is not threading.main_thread():
        yield delay
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    ours = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def end(number: int, _: FrameType | None) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        delay.end(number)

    try:
        for number in ours:
            signal.signal(number, end)
        yield delay
    finally:
        for number in ours:
            signal.signal(number, before[number])
