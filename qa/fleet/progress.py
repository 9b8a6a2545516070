# SPDX-License-Identifier: Apache-2.0
"""Tells a person how far a run is."""

import sys
import time

_WIDTH = 30
_PAUSE = 0.1  # seconds


class Progress:
    """A bar on standard error; nothing where it is not wanted."""

    def __init__(self, wanted: bool, done: int, expected: int, bad: str = "not conformant", remote: bool = True) -> None:
        """`bad`: what those are that are counted apart. `remote`: there are workers, which come and go."""
        self._wanted = wanted
        self._before = done
        self._done = done
        self._expected = expected
        self._bad = 0
        self._called = bad
        self._remote = remote
        self._workers = 0
        self._lost = 0
        self._what = "archives"
        self._begin = time.monotonic()
        self._drawn = 0.0

    def expect(self, number: int, what: str) -> None:
        """From now on other things are counted."""
        self._before = self._done = self._bad = 0
        self._expected, self._what = number, what
        self._begin = time.monotonic()

    def checked(self, number: int, bad: int) -> None:
        """So many more have a result, of which so many are bad."""
        self._done += number
        self._bad += bad
        self._draw()

    def workers(self, number: int, lost: int) -> None:
        self._workers, self._lost = number, lost
        self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if not self._wanted or now - self._drawn < _PAUSE:
            return
        self._drawn = now
        full = _WIDTH * self._done // max(self._expected, 1)
        text = f"[{'#' * full}{'.' * (_WIDTH - full)}] {self._done}/{self._expected} {self._what}"
        if self._bad:
            text += f", {self._bad} {self._called}"
        if self._remote:
            text += f", {self._workers} worker{'' if self._workers == 1 else 's'}" if self._workers else ", no worker yet"
        if self._lost:
            text += f", {self._lost} chunk{'' if self._lost == 1 else 's'} lost"
        if (rate := (self._done - self._before) / (now - self._begin)) > 0:
            text += f", {_duration((self._expected - self._done) / rate)} left"
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._wanted:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
