# SPDX-License-Identifier: Apache-2.0
"""The suite's side of the testee protocol: an adapter is started, asked, and started again when it dies."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.adapters import protocol
from qa.adapters.process import AdapterProcess, Dead, Silent, Stop, Stopped
from qa.adapters.protocol import PROTOCOL, Broken, Messages

Json = dict[str, Any]

_DEATHS_AT_START = 3

class TesteeError(Exception):
    """The adapter cannot be started, or does not speak the protocol from the beginning."""

    __test__ = False  # not a test, whatever pytest thinks of its name


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
    return Outcome("protocol", {}, "TST-302: neither result nor reject, skip or error")


@dataclass(frozen=True)
class Limits:
    """In seconds."""

    request: float = 60
    start: float = 60
    bye: float = 10


class Testee:
    """One adapter, asked one thing at a time. A resource: to be closed.

    `argv` is called for each start. An adapter that gives no whole line within the limit is ended. With `messages` what
    it says is held against the schema as well. Once `stop` is set, whatever waits for the adapter raises Stopped.
    """

    __test__ = False

    def __init__(
        self,
        name: str,
        argv: Callable[[], Sequence[str]],
        limits: Limits = Limits(),
        log: Path | None = None,
        messages: Messages | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.name = name
        self.limits = limits
        self.hello: Json = {}  # what it said at its last start
        self.starts = 0
        self._argv = argv
        self._log = log
        self._messages = messages
        self._stop = stop
        self._process: AdapterProcess | None = None
        self._seq = 0
        self._operation = ""

    @property
    def implementation(self) -> Json:
        found = self.hello.get("implementation", {})
        return found if isinstance(found, dict) else {}

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.say(b'{"cmd":"bye"}\n')
            process.finish(self.limits.bye)

    def end(self) -> None:
        """Ends the adapter now, without a word."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def __enter__(self) -> "Testee":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, operation: str, source: Json, args: Json) -> Outcome:
        self.send(operation, source, args)
        return self.receive()

    def send(self, operation: str, source: Json, args: Json) -> None:
        """Raises TesteeError where the adapter cannot be started."""
        process = self.start()
        self._seq += 1
        self._operation = operation
        request = {"cmd": "run", "seq": f"k{self._seq}", "op": operation, "input": source, "args": args}
        process.say(_line(request))

    def receive(self) -> Outcome:
        """The outcome of what was sent. Raises Stopped."""
        assert self._process is not None
        try:
            answer = protocol.object_of(self._process.line(self.limits.request))
            protocol.check_seq(answer, f"k{self._seq}", f"k{self._seq - 1}")
            if self._process.has_more():
                raise Broken("TST-105", "more than one line for one request")
        except Silent:
            told = _unanswered(self._process, self.limits.request)
            self.end()
            return Outcome("timeout", {}, told)
        except Dead:
            half = " after half a line" if self._process.half_a_line else ""
            process, self._process = self._process, None
            return Outcome("crash", {}, f"{process.after_its_end()}{half}")
        except Broken as broken:
            self.end()
            return Outcome("protocol", {}, str(broken))
        except Stopped:
            self.end()
            raise
        # From here on both sides are in step, whatever is wrong.
        try:
            if self._messages is not None:
                self._messages.check_answer(answer, self._operation)
        except Broken as broken:
            return Outcome("protocol", {}, str(broken))
        return outcome_of(answer)

    def start(self) -> AdapterProcess:
        """Unless it runs. Raises TesteeError where it does not come to a right answer to hello; Stopped."""
        if self._process is not None:
            return self._process
        message = ""
        for _ in range(_DEATHS_AT_START):
            self.starts += 1
            try:
                process = AdapterProcess(self._argv(), self._log, stop=self._stop)
            except OSError as error:
                raise TesteeError(f"{self.name} cannot be started (TST-101): {error}") from error
            process.say(_line({"cmd": "hello", "protocol": PROTOCOL}))
            try:
                self._greeted(protocol.object_of(process.line(self.limits.start)))
            except Silent:
                # Once is enough: it had all the time that it was given.
                told = _unanswered(process, self.limits.start)
                process.end()
                raise TesteeError(f"{self.name} does not start: {told} (TST-103)") from None
            except Dead:
                message = f"{process.after_its_end()} before it answered (TST-102)"
            except Broken as broken:
                process.end()
                raise TesteeError(f"{self.name}: the answer to hello breaks {broken}") from broken
            except BaseException:  # Stopped, or this process is to end
                process.end()
                raise
            else:
                self._process = process
                return process
        raise TesteeError(f"{self.name} does not start, {_DEATHS_AT_START} times: {message}")

    def _greeted(self, answer: Json) -> None:
        if self._messages is not None:
            self._messages.check_hello(answer)
        else:
            protocol.check_protocol(answer)
        self.hello = answer


def _unanswered(process: AdapterProcess, limit: float) -> str:
    if half := len(process.half_a_line):
        return f"no whole line within {limit:g} s, only {half} byte{'' if half == 1 else 's'} of one"
    return f"silent for {limit:g} s"


def _line(message: Json) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"
