# SPDX-License-Identifier: Apache-2.0
"""replay(): the values of metrics at chosen times."""

from __future__ import annotations

import datetime
import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import IO, TYPE_CHECKING, Literal, Optional, Union

from pmproof import errors
from pmproof.answers import Answer, answer_of
from pmproof.checking import words
from pmproof.decode import NotDecodable
from pmproof.paths import operands
from pmproof.program import AnyPath, Program
from pmproof.times import Time

if TYPE_CHECKING:
    import pandas

When = Union[str, Time, datetime.datetime]
Duration = Union[str, datetime.timedelta]


def replay(
    *archives: AnyPath,
    metrics: Iterable[str] = (),
    derive: Union[Mapping[str, str], Iterable[str]] = (),
    instances: Iterable[str] = (),
    start: Optional[When] = None,
    finish: Optional[When] = None,
    interval: Optional[Duration] = None,
    at: Iterable[When] = (),
    raw: bool = False,
    backward: bool = False,
    rule: Optional[str] = None,
    emulate: Optional[str] = None,
    reason: bool = False,
    assume_sound: bool = False,
    unanswered: Literal["raise", "keep"] = "raise",
    memory: Optional[str] = None,
    limit: Optional[int] = None,
    timeout: Optional[float] = None,
    program: Optional[AnyPath] = None,
) -> Replay:
    """Replays archives as `pmproof replay` does, and returns an iterator over the answers as they come.

    Args:
      archives: at least one: a base name, any file of an archive, or a list "A,B,..."; several are opened as one.
      metrics: names of metrics, also derived ones.
      derive: definitions of derived metrics, {"disk.size": "delta(bytes) / delta(ops)"} or ["disk.size = ..."].
      instances: only instances of these names.
      start, finish, interval: the times, from the first record to the last, a second apart if nothing is said. Times are
        Time, datetime (with a time zone), or text as the program takes it: "@1700000000.5", ISO 8601, "+10s" from the
        start of the archive; intervals are timedelta or text ("500ms").
      at: these times instead, in any order.
      raw: no interpolation: each record that has one of the metrics.
      backward: from the last time to the first.
      rule: the interpolation profile, such as "pcp-legacy".
      emulate: answer what that version of PCP would, deviations included.
      reason: whether values come with their clause and the records that they follow from.
      assume_sound: take the archive to be sound, as a check without errors has shown it to be, and read only what is
        needed. Much faster for few times; of an archive that is not sound, answers may be wrong.
      unanswered: "raise" raises MetricError for the first metric without an answer, "keep" returns it as an Answer, with
        its status.
      memory, limit: as the program's options of these names.
      timeout: seconds for all of it, counted from now.
      program: the executable, if not that of $PMPROOF, of this package or of the PATH.

    The program runs while its answers are read, and waits for its reader. It is ended if the iterator is closed, left
    (`with`) or forgotten.

    Raises ProgramError. All else is raised while iterating: UsageError, InputError, LimitExceeded, MetricError, TimedOut,
    ProgramError.
    """
    if unanswered not in ("raise", "keep"):
        raise ValueError(f"unanswered is 'raise' or 'keep', not {unanswered!r}")
    definitions = [f"{name} = {what}" for name, what in derive.items()] if isinstance(derive, Mapping) else words("derive", derive)
    options = ["--format", "jsonl", "--color", "never", "--progress", "never"]
    options += [f"--metric={name}" for name in words("metrics", metrics)]
    options += [f"--derive={definition}" for definition in definitions]
    options += [f"--instance={name}" for name in words("instances", instances)]
    options += [f"--at={_when(time)}" for time in words("at", at)]
    for name, value in (
        ("start", None if start is None else _when(start)),
        ("finish", None if finish is None else _when(finish)),
        ("interval", None if interval is None else _duration(interval)),
        ("rule", rule),
        ("emulate", emulate),
        ("memory", memory),
        ("limit", limit),
    ):
        options += [f"--{name}={value}"] if value is not None else []
    flags = (("raw", raw), ("backward", backward), ("reason", reason), ("assume-sound", assume_sound))
    options += [f"--{name}" for name, on in flags if on]
    return Replay(Program.find(program), ["replay", *options, *operands(*archives)], unanswered == "raise", timeout)


class Replay(Iterator[Answer]):
    """The answers of a replay that is running. It is also a context manager, and can be read once."""

    def __init__(self, program: Program, command: list[Union[str, bytes]], raises: bool, timeout: Optional[float]) -> None:
        self._program, self._command, self._raises, self._timeout = program, command, raises, timeout
        self._run = _Run(program, command, timeout)
        # Ends the program also where nobody closes this.
        self._finalizer = weakref.finalize(self, self._run.end)

    def __next__(self) -> Answer:
        if not self._finalizer.alive:
            raise StopIteration
        line = self._run.stdout.readline()
        if not line or self._run.late:
            self._finish()
            raise StopIteration
        try:
            answer = answer_of(line)
        except NotDecodable as error:
            # Half a line is what a program leaves that was ended.
            if not line.endswith(b"\n"):
                self._finish()
            self.close()
            raise self._program.not_understood(self._command, error) from error
        if self._raises and answer.status != 0:
            self.close()
            told = f"{answer.metric} at {answer.time}: {answer.message or 'no answer'} ({answer.error or answer.status})"
            raise errors.MetricError(told, answer)
        return answer

    def close(self) -> None:
        """Ends the program if it still runs."""
        self._finalizer()

    def __enter__(self) -> Replay:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a table of the answers that are left, all of them in memory: a row for each value.

        Its columns are time (nanoseconds, UTC), metric, instance, name, value, and clause if reasons were asked for.
        The values keep their type if they have one in common: int64 or uint64, float64; else they are objects.

        Raises ImportError without pandas, else as iterating does, and OverflowError for a time that 64 bits of nanoseconds do not hold.
        """
        try:
            from pmproof.table import table_of
        except ModuleNotFoundError as error:
            self.close()
            raise ImportError("to_pandas() needs pandas: pip install 'pmproof[pandas]'") from error
        return table_of(self)

    def _finish(self) -> None:
        """Raises what the exit status says."""
        status, stderr, late = self._run.wait()
        self.close()
        if late:
            raise self._program.timed_out(self._command, self._timeout)
        if status not in (0, 1):
            raise self._program.failure(self._command, status, stderr)


class _Run:
    """The process. Knows nothing of its Replay, which can so be forgotten."""

    def __init__(self, program: Program, command: list[Union[str, bytes]], timeout: Optional[float]) -> None:
        # A file takes what the program complains of, so that nobody has to read two pipes at once.
        self._stderr: IO[bytes] = tempfile.TemporaryFile()
        try:
            self._process: subprocess.Popen[bytes] = program.start(command, self._stderr)
        except BaseException:
            self._stderr.close()
            raise
        assert self._process.stdout is not None
        self.stdout: IO[bytes] = self._process.stdout
        self.late = False
        self._timer: Optional[threading.Timer] = None
        if timeout is not None:
            self._timer = threading.Timer(timeout, self._too_late)
            self._timer.daemon = True
            self._timer.start()

    def wait(self) -> tuple[int, bytes, bool]:
        """Returns the exit status, the end of what was said on standard error, and whether it took too long."""
        status = self._process.wait()
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - 65536))
        return status, self._stderr.read(), self.late

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._process.kill()
        self.stdout.close()
        self._process.wait()
        self._stderr.close()

    def _too_late(self) -> None:
        self.late = True
        self._process.kill()


def _when(time: When) -> str:
    if isinstance(time, datetime.datetime):
        time = Time.of(time)
    return f"@{time}" if isinstance(time, Time) else time


def _duration(length: Duration) -> str:
    if isinstance(length, datetime.timedelta):
        # Seconds with all of its microseconds, which a float has not.
        micros = length // datetime.timedelta(microseconds=1)
        return f"{'-' if micros < 0 else ''}{abs(micros) // 1_000_000}.{abs(micros) % 1_000_000:06}s"
    return length
