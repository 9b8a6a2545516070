"""Runs commands and measures them: CPU and elapsed time, memory, instructions."""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from qa.bench.results import MEGABYTE, Timing, Unmeasured

_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.002
# A run that takes longer is not repeated.
_LONG_SECONDS = 10.0
_TIME_LIMIT_SECONDS = 900


@dataclass(frozen=True)
class Command:
    """What to run. Other exit statuses than those in `good` are failures. Standard output goes to /dev/null."""

    argv: Sequence[str]
    good: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Run:
    """One finished run. `max_rss` in bytes is that of the largest process, mapped files included."""

    status: int
    cpu: float
    wall: float
    max_rss: int
    stderr: str


@dataclass(frozen=True)
class Memory:
    """Peak memory in bytes beside mapped files, sampled; and whether the program managed within `budget` bytes of
    private writable memory, which the system enforced: samples can miss a peak, this can not."""

    peak: int
    budget: int
    within_budget: bool


def adopt_orphans() -> None:
    """Makes this process the parent of orphans, so that it learns the CPU time of what a sandbox started."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(argv: Sequence[str]) -> Run:
    """Runs a program to the end of all that it started. Needs adopt_orphans(), and no other children."""
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        with _started(argv, errors) as child:
            status, cpu, max_rss = 0, 0.0, 0
            while True:
                try:
                    pid, wait_status, usage = os.wait4(-1, 0)
                except ChildProcessError:
                    break
                cpu += usage.ru_utime + usage.ru_stime
                max_rss = max(max_rss, usage.ru_maxrss * 1024)
                if pid == child.pid:
                    status = child.returncode = os.waitstatus_to_exitcode(wait_status)
        wall = time.monotonic() - begin
        return Run(status, cpu, wall, max_rss, _text(errors))


def time_rounds(commands: Mapping[str, Command], repeat: int) -> dict[str, Timing | Unmeasured]:
    """Runs the commands in turn, `repeat` times over, so that all of them see the same moods of the machine."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    outcomes: dict[str, Timing | Unmeasured] = {}
    for _ in range(repeat):
        for name, command in commands.items():
            if name in outcomes or (runs[name] and runs[name][0].wall > _LONG_SECONDS):
                continue
            failure = _try(command, runs[name])
            if failure is not None:
                outcomes[name] = failure
    for name, done in runs.items():
        if name not in outcomes:
            outcomes[name] = Timing(min(r.cpu for r in done), min(r.wall for r in done), len(done))
    return outcomes


def peak_memory(command: Command, budget: int) -> Memory | Unmeasured:
    """The most memory beside mapped files that the program had at a time; its own children are not looked at."""
    try:
        with tempfile.TemporaryFile() as errors, _started(command.argv, errors) as child:
            peak = 0
            while child.poll() is None:
                peak = max(peak, _unmapped(child.pid))
                time.sleep(_POLL_SECONDS)
            if child.returncode not in command.good:
                return _failure(command, child.returncode, _text(errors))
    except OSError as error:
        return Unmeasured(str(error), failed=True)
    if (prlimit := shutil.which("prlimit")) is None:
        return Unmeasured("prlimit is not installed")
    # Threads get stacks as large as the main one may be: 8 MB of address space each would count.
    limited = run([prlimit, f"--data={budget}", f"--stack={1 << 20}", *command.argv])
    return Memory(peak, budget, limited.status in command.good)


class InstructionCounter:
    """Counts user-mode instructions by perf, or where that can not be, by valgrind."""

    def __init__(self) -> None:
        self.tool: str | None = None
        if shutil.which("perf") and self._perf(Command(["true"])) is not None:
            self.tool = "perf"
        elif shutil.which("valgrind"):
            self.tool = "callgrind"

    def count(self, command: Command) -> int | Unmeasured:
        """Instructions of one run."""
        if self.tool is None:
            return Unmeasured("perf counts no instructions here and valgrind is not installed")
        count = self._perf(command) if self.tool == "perf" else self._callgrind(command)
        return count if count is not None else Unmeasured(f"{self.tool} fails on it", failed=True)

    def _perf(self, command: Command) -> int | None:
        with tempfile.NamedTemporaryFile("r") as counts:
            options = ["-x", ",", "-e", "instructions:u", "-o", counts.name]
            done = run(["perf", "stat", *options, "--", *command.argv])
            found = re.search(r"^(\d+),[^,]*,instructions:u", counts.read(), re.MULTILINE)
        return int(found[1]) if found and done.status in command.good else None

    def _callgrind(self, command: Command) -> int | None:
        done = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command.argv])
        found = re.search(r"Collected : (\d+)", done.stderr)
        return int(found[1]) if found and done.status in command.good else None


@contextmanager
def _started(argv: Sequence[str], errors: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    """A child that is gone afterwards, whatever happens in between."""
    child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
    previous = signal.signal(signal.SIGALRM, lambda number, frame: child.kill())
    signal.alarm(_TIME_LIMIT_SECONDS)
    try:
        yield child
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
        if child.returncode is None:
            child.kill()
            child.wait()


def _text(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read(MEGABYTE).decode(errors="replace")


def _try(command: Command, runs: list[Run]) -> Unmeasured | None:
    try:
        done = run(command.argv)
    except OSError as error:
        return Unmeasured(str(error), failed=True)
    if done.status not in command.good:
        return _failure(command, done.status, done.stderr)
    runs.append(done)
    return None


def _failure(command: Command, status: int, stderr: str) -> Unmeasured:
    said = next((line.strip() for line in stderr.splitlines() if line.strip()), "no message")
    name = os.path.basename(command.argv[0])
    return Unmeasured(f"{name} ended with status {status}: {said[:200]}", failed=True)


def _unmapped(pid: int) -> int:
    """Bytes of anonymous and shared memory of a process that is still there; else 0."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            words = (line.split() for line in file)
            return sum(int(line[1]) * 1024 for line in words if line and line[0] in ("RssAnon:", "RssShmem:"))
    except OSError:
        return 0
