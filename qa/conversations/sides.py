# SPDX-License-Identifier: Apache-2.0
"""What is under test: an agent that is started, or a collector that is started or comes by itself. Each conversation
has a connection, and mostly a process, of its own."""

import os
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from qa.adapters.guarded import GuardedProcess
from qa.conversations.channel import Channel
from qa.conversations.conversation import Conversation

Listener = socket.socket

_PAUSE = 0.02  # seconds between attempts to connect
_SAID = 2000  # octets of what a process said


class NotThere(Exception):
    """It could not be started, or there is no connection."""


@dataclass(frozen=True)
class Place:
    """Where one side listens: a unix socket, a port of the loopback interface, or nowhere (pipes)."""

    path: Path | None = None
    port: int | None = None

    @property
    def is_socket(self) -> bool:
        return self.path is not None or self.port is not None

    def made(self) -> socket.socket:
        return socket.socket(socket.AF_UNIX if self.path is not None else socket.AF_INET, socket.SOCK_STREAM)

    @property
    def address(self) -> str | tuple[str, int]:
        return str(self.path) if self.path is not None else ("127.0.0.1", self.port or 0)

    def clean(self) -> None:
        """Removes a socket that was left (PMD-003); nothing else than a socket."""
        if self.path is not None and os.path.lexists(self.path) and stat.S_ISSOCK(self.path.lstat().st_mode):
            self.path.unlink(missing_ok=True)


@dataclass
class Side:
    """`log` is what the process wrote on standard error and, unless that is the stream, on standard output."""

    channel: Channel
    process: GuardedProcess | None
    log: IO[bytes]

    def said(self) -> str:
        return _end_of(self.log)


def _end_of(log: IO[bytes]) -> str:
    """However much was written."""
    log.seek(max(0, log.seek(0, os.SEEK_END) - _SAID))
    return log.read(_SAID).decode("utf-8", "replace").strip()


@contextmanager
def _started(command: Sequence[str], stdin: int | IO[bytes], stdout: int | IO[bytes], log: IO[bytes]) -> Iterator[GuardedProcess]:
    try:
        process = GuardedProcess(command, os.environ, stdin=stdin, stdout=stdout, stderr=log)
    except OSError as error:
        raise NotThere(str(error)) from error
    try:
        yield process
    finally:
        process.end(0)


@contextmanager
def agent(command: Sequence[str], place: Place, limit: float) -> Iterator[Side]:
    """An agent under test, over pipes, or connected to where it listens. Raises NotThere."""
    with ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        if not place.is_socket:
            process = stack.enter_context(_started(command, subprocess.PIPE, subprocess.PIPE, log))
            started = process.process
            assert started.stdin is not None and started.stdout is not None
            channel = Channel(os.dup(started.stdout.fileno()), os.dup(started.stdin.fileno()))
            for pipe in (started.stdin, started.stdout):
                pipe.close()
        else:
            place.clean()
            stack.callback(place.clean)
            process = stack.enter_context(_started(command, subprocess.DEVNULL, log, log))
            channel = Channel.of(_connected(place, process, limit))
        stack.callback(channel.close)
        yield Side(channel, process, log)


def _connected(place: Place, process: GuardedProcess, limit: float) -> socket.socket:
    end = time.monotonic() + limit
    while True:
        sock = place.made()
        try:
            sock.settimeout(limit)
            sock.connect(place.address)
            return sock
        except OSError as error:
            sock.close()
            status = process.status(0.0)
            if status is not None or time.monotonic() > end:
                why = "it does not listen" if status is None else f"its process has ended with status {status}"
                raise NotThere(f"{place.path or place.port}: {why} ({error.strerror or error})") from error
            time.sleep(_PAUSE)


@contextmanager
def listening(place: Place) -> Iterator[Listener]:
    """For a collector to connect to. Raises OSError."""
    place.clean()
    with place.made() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(place.address)
        try:
            sock.listen(1)
            yield sock
        finally:
            place.clean()


@contextmanager
def collector(listener: Listener, place: Place, command: Sequence[str], conversation: Conversation, domain: int, limit: float) -> Iterator[Side]:
    """A collector under test that connects within the limit. With a command it is started, and reads commands of dbpmda:
    the one that opens the connection, and those of the conversation. Raises NotThere.
    """
    with ExitStack() as stack:
        log = stack.enter_context(tempfile.TemporaryFile())
        process = None
        if command:
            script = stack.enter_context(tempfile.TemporaryFile())
            script.write(script_of(conversation, place, domain).encode())
            script.seek(0)
            process = stack.enter_context(_started(command, script, log, log))
        channel = Channel.of(_accepted(listener, process, log, limit))
        stack.callback(channel.close)
        yield Side(channel, process, log)


def script_of(conversation: Conversation, place: Place, domain: int) -> str:
    """PMD-402. `domain` stands for {domain} in the commands."""
    where = f"unix {place.path}" if place.path is not None else f"inet {place.port}"
    return "\n".join([f"open socket {where}", *(one.replace("{domain}", str(domain)) for one in conversation.commands), ""])


def _accepted(listener: Listener, process: GuardedProcess | None, log: IO[bytes], limit: float) -> socket.socket:
    end = time.monotonic() + limit
    while time.monotonic() < end:
        listener.settimeout(min(0.2, limit))
        try:
            return listener.accept()[0]
        except TimeoutError:
            if process is not None and (status := process.status(0.0)) is not None:
                raise NotThere(f"it does not connect, and has ended with status {status}: {_end_of(log)}") from None
    raise NotThere(f"no collector connects within {limit:g} s")
