# SPDX-License-Identifier: Apache-2.0
"""The process of an adapter: started in a clean environment, spoken to in lines, ended with all that it started."""

import os
import selectors
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE

from qa.adapters.guarded import GuardedProcess, told
from qa.adapters.protocol import LONGEST_LINE, Broken

_LAST_SECONDS = 5.0  # that a process has to end in which closed its output


class Silent(Exception):
    """No whole line came within the limit."""


class Dead(Exception):
    """No line will come: the output is closed."""


class Stopped(Exception):
    """Somebody stopped the run."""


class Stop:
    """Ends all waiting for adapters at once, in whatever thread. A resource: to be closed when nobody waits any more."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def fileno(self) -> int:
        """Readable once it is set."""
        return self._read

    def set(self) -> None:
        os.write(self._write, b".")

    def is_set(self) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._read, selectors.EVENT_READ)
            return bool(selector.select(0))

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)


class AdapterProcess:
    """One process, below a guardian (guardian.py) that ends it with all that it started, also when this process dies.

    A resource: end() or finish() is to be called. Raises OSError where it cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        log: Path | None = None,
        longest_line: int = LONGEST_LINE,
        stop: Stop | None = None,
    ) -> None:
        self._longest_line = longest_line
        self._stop = stop
        # Nothing of the caller's environment gets in. HOME is the guardian's, which removes it.
        environment = {"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C"}
        with open(log or os.devnull, "ab") as stderr:
            self._guarded = GuardedProcess(argv, environment, stdin=PIPE, stdout=PIPE, stderr=stderr)
        self._process = self._guarded.process
        self.pid = self._guarded.pid
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        self._unsent = b""
        self._pending = b""  # without a newline, unless more than one line came at once

    @property
    def half_a_line(self) -> bytes:
        """What came without its end."""
        return self._pending

    def say(self, data: bytes) -> None:
        """What the process does not take now is sent while line() waits."""
        self._unsent += data
        self._send()

    def _send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # it is dead: reading tells

    def line(self, limit: float) -> bytes:
        """The next line, without its end.

        Raises Silent after `limit` seconds, however much of a line came meanwhile; Dead; Stopped; or Broken where the
        line is too long.
        """
        end = time.monotonic() + limit
        come = bytearray(self._pending)
        searched = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._from, selectors.EVENT_READ)
            if self._stop is not None:
                selector.register(self._stop, selectors.EVENT_READ)
            while (found := come.find(b"\n", searched)) < 0:
                searched = len(come)
                if len(come) > self._longest_line:
                    raise Broken("TST-106", f"a line is longer than {self._longest_line} bytes")
                if self._unsent and self._to not in selector.get_map():
                    selector.register(self._to, selectors.EVENT_WRITE)
                if not self._unsent and self._to in selector.get_map():
                    selector.unregister(self._to)
                left = end - time.monotonic()
                ready = {key.fd for key, _ in selector.select(left)} if left > 0 else set()
                if self._stop is not None and self._stop.fileno() in ready:
                    raise Stopped
                if not ready:
                    self._pending = bytes(come)
                    raise Silent
                if self._to in ready:
                    self._send()
                if self._from in ready:
                    more = os.read(self._from, 1 << 20)
                    if not more:
                        self._pending = bytes(come)
                        raise Dead
                    come += more
        self._pending = bytes(come[found + 1 :])
        return bytes(come[:found])

    def has_more(self) -> bool:
        """Whether something came that nobody asked for."""
        if not self._pending:
            with selectors.DefaultSelector() as selector:
                selector.register(self._from, selectors.EVENT_READ)
                if selector.select(0):
                    self._pending = os.read(self._from, 1 << 20)
        return bool(self._pending)

    def end(self) -> str:
        """Ends the process now; says how it ended, if it did so itself."""
        return self._ended(0)

    def after_its_end(self) -> str:
        """How the process ended that closed its output."""
        return self._ended(_LAST_SECONDS)

    def finish(self, limit: float) -> int | None:
        """Tells it that nothing more comes. Its status; None where it had to be ended after `limit` seconds."""
        assert self._process.stdin is not None
        end = time.monotonic() + limit
        try:
            while self._unsent and time.monotonic() < end:
                self.line(0.01)
        except (Silent, Dead, Broken, Stopped):
            pass
        self._process.stdin.close()
        status = self._guarded.status(max(0.0, end - time.monotonic()))
        self._ended(0)
        return status

    def _ended(self, wait: float) -> str:
        status = self._guarded.end(wait)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        return "its guardian was killed" if status is None else told(status)
