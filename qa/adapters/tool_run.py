# SPDX-License-Identifier: Apache-2.0
"""PCP's command-line tools, each run in a clean environment (OUT-101), bounded in time and output, with nothing left."""

import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from qa.peers.error import PeerError
from qa.peers.peers import AnyPath, Peer

# What a tool is to see besides its locale; anything else of PCP's variables is not set.
ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PCP_DERIVED_CONFIG": "", "PCP_STDERR": ""}


class Skip(Exception):
    """What was asked for cannot be told from what a tool prints; the text is the reason."""


class Refusal(Exception):
    """The input is refused: the class of the refusal, and what the tool said."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class ToolError(Exception):
    """A tool failed. `outcome`: "crash" or "timeout" where it did not end by itself."""

    def __init__(self, what: str, outcome: str = "") -> None:
        super().__init__(what)
        self.outcome = outcome


@dataclass(frozen=True)
class Limits:
    seconds: float = 20
    output: int = 32 << 20  # bytes, of each stream


@dataclass(frozen=True)
class Done:
    status: int
    stdout: bytes
    stderr: str


# The command that runs a tool of an installation: tool and options, more variables, files that it has to see.
Command = Callable[[Sequence[str], Mapping[str, str], Sequence[Path]], tuple[list[str], Mapping[str, str] | None]]


def of_peer(peer: Peer, folders: Sequence[AnyPath]) -> Command:
    """The tools of an unpacked or installed PCP; they see `folders`."""

    def command(argv: Sequence[str], more: Mapping[str, str], files: Sequence[Path]) -> tuple[list[str], None]:
        return peer.argv(argv, [*folders, *files], environment={**ENVIRONMENT, **more}), None

    return command


def of_folder(folder: Path) -> Command:
    """The programs in a folder, run as they are."""

    def command(argv: Sequence[str], more: Mapping[str, str], _: Sequence[Path]) -> tuple[list[str], Mapping[str, str]]:
        program = folder / argv[0]
        if not os.access(program, os.X_OK):
            raise PeerError(f"{folder} has no program {argv[0]!r}")
        return [str(program), *argv[1:]], {"PATH": os.defpath, "HOME": "/nonexistent", **ENVIRONMENT, **more}

    return command


@dataclass(frozen=True)
class Tools:
    command: Command
    version: str
    limits: Limits = field(default_factory=Limits)

    def run(self, argv: Sequence[str], more: Mapping[str, str] | None = None, files: Sequence[Path] = ()) -> Done:
        """Raises ToolError where it dies, is silent for too long or says too much, and where there is no such tool."""
        try:
            words, environment = self.command(argv, more or {}, files)
        except PeerError as error:
            raise ToolError(str(error)) from error
        return run(words, self.limits, environment=environment, name=argv[0])


def run(
    argv: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    name: str = "",
) -> Done:
    name = name or argv[0]

    def restrict() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.output, limits.output))

    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(stdin)
        source.seek(0)
        try:
            process = subprocess.Popen(
                list(argv), stdin=source, stdout=out, stderr=err, env=environment, start_new_session=True, preexec_fn=restrict
            )
        except OSError as error:
            raise ToolError(f"{name} cannot be started: {error}") from error
        try:
            status = process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            raise ToolError(f"{name} did not end within {limits.seconds:g} s", "timeout") from None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        told, complaints = _content(out), _content(err)
    if max(len(told), len(complaints)) >= limits.output:
        raise ToolError(f"{name} printed {limits.output} bytes and more")
    if status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        raise ToolError(f"{name} ended with signal {number}", "crash")
    return Done(status, told, complaints.decode("utf-8", "replace"))


def _content(file: BinaryIO | Any) -> bytes:
    file.seek(0)
    return bytes(file.read())


def version_of(folder: Path) -> str:
    """Of the tools in a folder, as their own pmval says. Raises ToolError where it says nothing."""
    done = Tools(of_folder(folder), "").run(["pmval", "--version"])
    words = (done.stdout.decode("utf-8", "replace") + done.stderr).split()
    if done.status != 0 or words[:2] != ["pmval", "version"] or len(words) != 3:
        raise ToolError(f"the pmval of {folder} does not say its version: {' '.join(words) or f'status {done.status}'}")
    return words[2]
