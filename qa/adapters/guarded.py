# SPDX-License-Identifier: Apache-2.0
"""A process below a guardian (guardian.py), which ends it with all that it started, whatever becomes of this one."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

_GONE_SECONDS = 30.0  # that its guardian has to end everything in
_GUARDIAN = Path(__file__).with_name("guardian.py")

Stream = int | IO[bytes]


def told(status: int) -> str:
    """A status as end() and status() give it, for people."""
    return f"status {status}" if status >= 0 else f"signal {-status}"


class GuardedProcess:
    """One process, and its guardian as `process`, which has the pipes that were asked for.

    A resource: end() is to be called, also when the process has ended. Raises OSError where it cannot be started. HOME is
    the guardian's, which removes it.
    """

    def __init__(
        self, argv: Sequence[str], environment: Mapping[str, str], *, stdin: Stream, stdout: Stream, stderr: Stream
    ) -> None:
        self._control, its_end = socket.socketpair()
        try:
            with its_end:
                self.process = subprocess.Popen(
                    [sys.executable, "-BSI", str(_GUARDIAN), str(its_end.fileno()), tempfile.gettempdir(), *argv],
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    env=environment,
                    pass_fds=[its_end.fileno()],
                    start_new_session=True,
                )
        except BaseException:
            self._control.close()
            raise
        self._told = b""
        self._status: int | None = None
        try:
            self.pid = self._started(argv[0])
        except BaseException:
            self.end(0)
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                if pipe is not None:
                    pipe.close()
            raise

    def _started(self, command: str) -> int:
        report = self._report(time.monotonic() + _GONE_SECONDS)
        if report is None:
            raise OSError(f"the guardian of {command} does not start")
        if "errno" in report:
            raise OSError(report["errno"], os.strerror(report["errno"]), command)
        return report["started"]

    def _report(self, end: float) -> dict[str, int] | None:
        """The guardian's next one; None at the time `end`, or if none will come."""
        while b"\n" not in self._told:
            self._control.settimeout(max(0.001, end - time.monotonic()))
            try:
                more = self._control.recv(4096)
            except OSError:  # TimeoutError among them
                return None
            if not more:
                return None
            self._told += more
        line, _, self._told = self._told.partition(b"\n")
        report: dict[str, int] = json.loads(line)
        return report

    def status(self, limit: float) -> int | None:
        """The exit status, negative for a signal; None if it has not ended after `limit` seconds."""
        end = time.monotonic() + limit
        while self._status is None and (report := self._report(end)) is not None:
            self._status = report.get("status")
        return self._status

    def end(self, limit: float) -> int | None:
        """Ends it and all that it started, after waiting `limit` seconds for it to do so itself. Its status, or None
        where the guardian was killed.
        """
        self.status(limit)
        self._control.shutdown(socket.SHUT_WR)
        self.status(_GONE_SECONDS)
        try:
            self.process.wait(timeout=_GONE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._control.close()
        return self._status
