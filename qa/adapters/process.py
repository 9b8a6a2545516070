"""The process of an adapter: started in a clean environment, spoken to in lines, ended with all that it started."""

import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from qa.adapters.protocol import LONGEST_LINE, Broken

_LAST_SECONDS = 5.0  # that a process has to end in which closed its output


class Silent(Exception):
    """No line came within the limit."""


class Dead(Exception):
    """No line will come: the output is closed."""


class AdapterProcess:
    """One process. A resource: end() or finish() is to be called. Raises OSError where it can not be started."""

    def __init__(self, argv: Sequence[str], log: Path | None = None, longest_line: int = LONGEST_LINE) -> None:
        self._longest_line = longest_line
        self._home = tempfile.TemporaryDirectory(prefix="pmproof-home-")
        # Nothing of the caller's environment gets in.
        environment = {"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C", "HOME": self._home.name}
        try:
            with open(log or os.devnull, "ab") as stderr:
                self._process = subprocess.Popen(
                    list(argv),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    env=environment,
                    start_new_session=True,
                )
        except OSError:
            self._home.cleanup()
            raise
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        self._unsent = b""
        self._pending = b""  # without a newline, unless more than one line came at once

    @property
    def pid(self) -> int:
        return self._process.pid

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
        """The next line, without its end. Raises Silent after `limit` seconds, Dead, or Broken where it is too long."""
        end = time.monotonic() + limit
        parts, size = [self._pending], len(self._pending)
        with selectors.DefaultSelector() as selector:
            selector.register(self._from, selectors.EVENT_READ)
            while True:
                line, found, rest = parts[-1].partition(b"\n")
                if found:
                    self._pending = rest
                    return b"".join([*parts[:-1], line])
                if size > self._longest_line:
                    raise Broken("TST-106", f"a line is longer than {self._longest_line} bytes")
                if self._unsent and self._to not in selector.get_map():
                    selector.register(self._to, selectors.EVENT_WRITE)
                if not self._unsent and self._to in selector.get_map():
                    selector.unregister(self._to)
                ready = {key.fd for key, _ in selector.select(max(0.0, end - time.monotonic()))}
                if self._to in ready:
                    self._send()
                if self._from in ready:
                    more = os.read(self._from, 1 << 20)
                    if not more:
                        self._pending = b"".join(parts)
                        raise Dead
                    parts.append(more)
                    size += len(more)
                if not ready or time.monotonic() >= end and self._from not in ready:
                    self._pending = b"".join(parts)
                    raise Silent

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
        except (Silent, Dead, Broken):
            pass
        self._process.stdin.close()
        try:
            self._process.wait(timeout=limit)
            return self._process.returncode
        except subprocess.TimeoutExpired:
            return None
        finally:
            self._ended(0)

    def _ended(self, wait: float) -> str:
        try:
            self._process.wait(timeout=wait or 0.001)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._home.cleanup()
        status = self._process.returncode
        return f"status {status}" if status >= 0 else f"signal {-status}"
