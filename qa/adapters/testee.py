"""The suite's side of the testee protocol: an adapter is started, asked, and started again when it dies."""

import json
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PROTOCOL = 1
_DEATHS_AT_START = 3
_START_SECONDS = 60.0
# What an adapter's environment has; nothing of the caller's gets in.
_ENVIRONMENT = {"PATH": os.defpath, "TZ": "UTC", "LC_ALL": "C", "HOME": "/nonexistent"}


class TesteeError(Exception):
    """The adapter can not be started, or does not speak the protocol from the beginning."""

    __test__ = False  # not a test, whatever pytest thinks of its name


class _Silent(Exception):
    pass


class _Dead(Exception):
    pass


@dataclass(frozen=True)
class Outcome:
    """What came of a request: "result", "reject", "skip" or "error" as the adapter said; or "crash", "timeout",
    "protocol" where it did not. Of a crash or timeout `body` may have what was answered before."""

    kind: str
    body: Json = field(default_factory=dict)
    message: str = ""

    @property
    def fetches(self) -> list[Json]:
        found = self.body.get("fetches", [])
        return found if isinstance(found, list) else []

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


def outcome_of(answer: Json) -> Outcome:
    """Of the line that answers a request."""
    for kind in ("result", "reject", "skip"):
        if isinstance(body := answer.get(kind), dict):
            return Outcome(kind, body, str(body.get("message", body.get("reason", body.get("class", "")))))
    if isinstance(body := answer.get("error"), dict):
        # An adapter that lets children do the work says what became of them.
        kind = body["outcome"] if body.get("outcome") in ("crash", "timeout") else "error"
        return Outcome(kind, body, str(body.get("context", "")))
    return Outcome("protocol", {}, "neither result nor reject, skip or error")


class Testee:
    """One adapter, asked one thing at a time. A resource: to be closed.

    `argv` is called for each start. Silence for more than `limit` seconds ends the adapter.
    """

    __test__ = False

    def __init__(
        self,
        name: str,
        argv: Callable[[], Sequence[str]],
        limit: float = 60,
        log: Path | None = None,
    ) -> None:
        self.name = name
        self.limit = limit
        self.implementation: Json = {}
        self.starts = 0
        self._argv = argv
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""
        self._seq = 0

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.communicate(b'{"cmd":"bye"}\n', timeout=5)
        except (subprocess.TimeoutExpired, OSError):
            process.kill()
            process.communicate()

    def __enter__(self) -> "Testee":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, operation: str, source: Json, args: Json) -> Outcome:
        self.send(operation, source, args)
        return self.receive()

    def send(self, operation: str, source: Json, args: Json) -> None:
        """Raises TesteeError where the adapter can not be started."""
        if self._process is None:
            self._start()
        self._seq += 1
        request = {"cmd": "run", "seq": f"k{self._seq}", "op": operation, "input": source, "args": args}
        self._write(request)

    def receive(self) -> Outcome:
        """The outcome of what was sent."""
        try:
            answer = json.loads(self._line(self.limit))
        except _Silent:
            self._end()
            return Outcome("timeout", {}, f"silent for {self.limit:g} s")
        except _Dead:
            return Outcome("crash", {}, self._end())
        except ValueError:
            self._end()
            return Outcome("protocol", {}, "not a line of JSON")
        if not isinstance(answer, dict) or answer.get("seq") != f"k{self._seq}":
            self._end()
            return Outcome("protocol", {}, "an answer to something else")
        return outcome_of(answer)

    def _start(self) -> None:
        message = ""
        for _ in range(_DEATHS_AT_START):
            self.starts += 1
            with open(self._log or os.devnull, "ab") as log:
                try:
                    self._process = subprocess.Popen(
                        list(self._argv()),
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=log,
                        env=_ENVIRONMENT,
                    )
                except OSError as error:
                    raise TesteeError(f"{self.name} can not be started: {error}") from error
            self._pending = b""
            self._write({"cmd": "hello", "protocol": PROTOCOL})
            try:
                answer = json.loads(self._line(_START_SECONDS))
            except (_Silent, _Dead, ValueError):
                message = self._end()
                continue
            if not isinstance(answer, dict) or answer.get("ok") is not True or answer.get("protocol") != PROTOCOL:
                self._end()
                raise TesteeError(f"{self.name} does not speak protocol {PROTOCOL}")
            self.implementation = answer.get("implementation", {})
            return
        raise TesteeError(f"{self.name} does not start: {message}")

    def _write(self, message: Json) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it is dead: reading tells

    def _line(self, limit: float) -> bytes:
        assert self._process is not None and self._process.stdout is not None
        end = time.monotonic() + limit
        source = self._process.stdout.fileno()
        parts = [self._pending]
        with selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_READ)
            while True:
                line, found, rest = parts[-1].partition(b"\n")
                if found:
                    self._pending = rest
                    return b"".join([*parts[:-1], line])
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise _Silent
                more = os.read(source, 1 << 20)
                if not more:
                    raise _Dead
                parts.append(more)

    def _end(self) -> str:
        """Ends the process, if it did not do so itself; says how it ended."""
        process, self._process = self._process, None
        if process is None:
            return ""
        process.kill()
        process.communicate()
        return f"status {process.returncode}" if process.returncode >= 0 else f"signal {-process.returncode}"
