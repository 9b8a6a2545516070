# SPDX-License-Identifier: Apache-2.0
"""The program: where it is, how it is run, what its exit statuses mean."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Optional, Union

from pmproof import errors

AnyPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

OLDEST = (0, 2, 0)
"""The oldest version of the program whose reports this package reads."""

_INSIDE = Path(__file__).parent / "bin" / "pmproof"
_MOST_OF_A_MESSAGE = 8192


@dataclass(frozen=True)
class Program:
    """The executable `pmproof`. `where` says how it was found."""

    path: str
    where: str

    @classmethod
    def find(cls, given: Optional[AnyPath] = None) -> Program:
        """Returns the one that is given; else that of $PMPROOF, that which the wheel brought, or `pmproof` of the PATH.

        Raises ProgramNotFound. A program that is named and is not there is not replaced by another one.
        """
        if given is not None:
            return cls._named(os.fsdecode(given), "given")
        if named := os.environ.get("PMPROOF"):
            return cls._named(named, "$PMPROOF")
        if _INSIDE.is_file():
            return cls(str(_INSIDE), "in this package")
        if found := _on_path():
            return cls(found, "on the PATH")
        raise errors.ProgramNotFound(
            "there is no program pmproof: this installation of the package has none inside, and the PATH has none; $PMPROOF may name it"
        )

    @classmethod
    def _named(cls, name: str, where: str) -> Program:
        found = shutil.which(name)
        if not found:
            raise errors.ProgramNotFound(f"{name!r}, the program that is {where}, is not there or not executable")
        return cls(found, where)

    def run(self, arguments: Sequence[Union[str, bytes]], timeout: Optional[float]) -> subprocess.CompletedProcess[bytes]:
        """Runs it to its end.

        Raises TimedOut after so many seconds, when it has been ended, and ProgramError if it cannot be started.
        """
        try:
            return subprocess.run(
                [self.path, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise self.timed_out(arguments, timeout) from error
        except OSError as error:
            raise self._cannot_start(error) from error

    def start(self, arguments: Sequence[Union[str, bytes]], stderr: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts it, with a pipe for its standard output.

        Raises ProgramError.
        """
        try:
            return subprocess.Popen(
                [self.path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr
            )
        except OSError as error:
            raise self._cannot_start(error) from error

    def failure(self, arguments: Sequence[Union[str, bytes]], status: int, stderr: bytes) -> errors.Error:
        """Returns what an exit status says that is neither 0 nor 1. A negative one is a signal's."""
        command = os.fsdecode(arguments[0])
        said = stderr[-_MOST_OF_A_MESSAGE:].decode("utf-8", "backslashreplace").strip()
        told = re.sub(r"^pmproof: ", "", said, flags=re.MULTILINE) or f"pmproof {command} says no more"
        if status == 2:
            return self._another() or errors.UsageError(told)
        if status == 4:
            return errors.InputError(told)
        if status == 6:
            return errors.LimitExceeded(told)
        if status < 0:
            return errors.ProgramError(f"pmproof {command} was ended by signal {_signal_name(-status)}")
        return errors.ProgramError(f"pmproof {command} ended with status {status}: {told}")

    def not_understood(self, arguments: Sequence[Union[str, bytes]], why: Exception) -> errors.ProgramError:
        """Returns the error for output that is not what it should be."""
        told = f"what pmproof {os.fsdecode(arguments[0])} says is not understood ({self.path}, {self.where}): {why}"
        return self._another() or errors.ProgramError(told)

    def timed_out(self, arguments: Sequence[Union[str, bytes]], timeout: Optional[float]) -> errors.TimedOut:
        return errors.TimedOut(f"pmproof {os.fsdecode(arguments[0])} took longer than {timeout} s")

    def version(self, timeout: Optional[float] = 60) -> str:
        """Returns what `pmproof version` says, such as "0.2.0".

        Raises ProgramError if it does not.
        """
        done = self.run(["version"], timeout)
        if found := re.match(rb"pmproof ([0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9})\b", done.stdout):
            return found[1].decode()
        raise errors.ProgramError(f"{self.path} ({self.where}) is no pmproof: it does not say its version")

    def _another(self) -> Optional[errors.ProgramError]:
        """Whether this is another program than the one that this package needs."""
        try:
            version = self.version()
        except errors.ProgramError as error:
            return error
        except errors.TimedOut:
            return None
        if tuple(map(int, version.split("."))) >= OLDEST:
            return None
        needed = ".".join(map(str, OLDEST))
        return errors.ProgramTooOld(f"{self.path} ({self.where}) is pmproof {version}, and this package needs {needed}")

    def _cannot_start(self, error: OSError) -> errors.ProgramError:
        if isinstance(error, FileNotFoundError):
            return errors.ProgramNotFound(f"{self.path} ({self.where}): {error.strerror}")
        return errors.ProgramError(f"{self.path} ({self.where}) cannot be started: {error.strerror}")


def _on_path() -> Optional[str]:
    """The first one that is not the command of this package itself, which would look for the program again, for ever."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("pmproof", path=folder) if folder else None
        if found is not None:
            try:
                with open(found, "rb") as file:
                    if b"pmproof.__main__" not in file.read(4096):
                        return found
            except OSError:  # it may be executable, and not readable
                return found
    return None


def _signal_name(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)
