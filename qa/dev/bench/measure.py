# SPDX-License-Identifier: Apache-2.0
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

from qa.dev.bench.results import MEGABYTE, Timing, Unmeasured

_PR_SET_CHILD_SUBREAPER = 36
_POLL_SECONDS = 0.002
_ENOUGH_SAMPLES = 20
# The least limit on data that peak_memory tries; not every C library starts with less.
_LEAST_LIMIT = 1 * MEGABYTE
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
    """One finished run; seconds of CPU time are those of all processes, user and system."""

    status: int
    cpu: float
    wall: float
    stderr: str


@dataclass(frozen=True)
class Memory:
    """Memory in bytes beside mapped files. `sampled` is the most that was seen, nothing where the run was too short to
    look often enough. Samples can miss a peak; so `enough` is a limit on the address space for data with which the
    program still ran to its end, nothing if it did not with the budget either."""

    sampled: int | None
    enough: int | None


class ChildFailed(Exception):
    """A command that did not do what it should."""

    def __init__(self, outcome: Unmeasured) -> None:
        super().__init__(outcome.because)
        self.outcome = outcome


def adopt_orphans() -> None:
    """Makes this process the parent of orphans, so that it learns the CPU time of what a sandbox started."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(argv: Sequence[str]) -> Run:
    """Runs a program to the end of all that it started. Needs adopt_orphans(), and no other children."""
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        with _started(argv, errors) as child:
            status, cpu = 0, 0.0
            while True:
                try:
                    pid, wait_status, usage = os.wait4(-1, 0)
                except ChildProcessError:
                    break
                cpu += usage.ru_utime + usage.ru_stime
                if pid == child.pid:
                    status = child.returncode = os.waitstatus_to_exitcode(wait_status)
        wall = time.monotonic() - begin
        return Run(status, cpu, wall, _text(errors))


def time_rounds(commands: Mapping[str, Command], repeat: int) -> dict[str, Timing | Unmeasured]:
    """Runs the commands in turn, `repeat` times over, so that all of them see the same moods of the machine."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    outcomes: dict[str, Timing | Unmeasured] = {}
    for _ in range(repeat):
        for name, command in commands.items():
            if name in outcomes or (runs[name] and runs[name][0].wall > _LONG_SECONDS):
                continue
            try:
                runs[name].append(run_well(command))
            except ChildFailed as failed:
                outcomes[name] = failed.outcome
    for name, done in runs.items():
        if name not in outcomes:
            cpu, wall = min(r.cpu for r in done), min(r.wall for r in done)
            outcomes[name] = Timing(cpu, wall, len(done), done[-1].stderr.strip())
    return outcomes


def peak_memory(command: Command, budget: int) -> Memory | Unmeasured:
    """The most memory that the program had at a time, in bytes; its own children are not looked at."""
    if (prlimit := shutil.which("prlimit")) is None:
        return Unmeasured("prlimit is not installed")
    try:
        samples = _sample(command)
    except ChildFailed as failed:
        return failed.outcome
    limit = budget
    while limit // 2 >= max(*samples, _LEAST_LIMIT):
        limit //= 2
    while limit <= budget:
        # Threads get stacks as large as the main one may be: 8 MB of address space each would count.
        if run([prlimit, f"--data={limit}", f"--stack={1 << 20}", *command.argv]).status in command.good:
            break
        limit *= 2
    return Memory(max(samples) if len(samples) >= _ENOUGH_SAMPLES else None, limit if limit <= budget else None)


def sampled_memory(command: Command) -> int:
    """The most that was seen of one run, in bytes beside mapped files. Raises ChildFailed."""
    return max(_sample(command))


def _sample(command: Command) -> list[int]:
    samples = [0]
    with tempfile.TemporaryFile() as errors, _started(command.argv, errors) as child:
        while child.poll() is None:
            samples.append(_unmapped(child.pid))
            time.sleep(_POLL_SECONDS)
        if child.returncode not in command.good:
            raise ChildFailed(_failure(command, child.returncode, _text(errors)))
    return samples


class Bystanders:
    """What else this machine does, from the making of this object on."""

    def __init__(self) -> None:
        self._begin = self._now()

    def processors(self) -> float:
        """How many processors were busy, on average, with what neither this process nor its children did."""
        elapsed, busy, own = (end - begin for begin, end in zip(self._begin, self._now()))
        return max(0.0, busy - own) / elapsed if elapsed > 0 else 0.0

    @staticmethod
    def _now() -> tuple[float, float, float]:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _idle, _iowait, irq, softirq = map(int, file.readline().split()[1:8])
        busy = (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
        return time.monotonic(), busy, sum(os.times()[:4])


class InstructionCounter:
    """Counts user-mode instructions by perf, or where that cannot be, by valgrind."""

    def __init__(self) -> None:
        self.tool: str | None = None
        if shutil.which("perf") and self._perf_counts():
            self.tool = "perf"
        elif shutil.which("valgrind"):
            self.tool = "callgrind"

    def count(self, command: Command) -> int | Unmeasured:
        """Instructions of one run."""
        if self.tool is None:
            return Unmeasured("perf counts no instructions here and valgrind is not installed")
        try:
            count = self._perf(command) if self.tool == "perf" else self._callgrind(command)
        except ChildFailed as failed:
            return failed.outcome
        return count if count is not None else Unmeasured(f"{self.tool} gives no figure", failed=True)

    def _perf_counts(self) -> bool:
        # Virtual machines often do not let it.
        try:
            return self._perf(Command(["true"])) is not None
        except ChildFailed:
            return False

    def _perf(self, command: Command) -> int | None:
        with tempfile.NamedTemporaryFile("r") as counts:
            options = ["-x", ",", "-e", "instructions:u", "-o", counts.name]
            run_well(Command(["perf", "stat", *options, "--", *command.argv], command.good))
            found = re.search(r"^(\d+),[^,]*,instructions:u", counts.read(), re.MULTILINE)
        return int(found[1]) if found else None

    def _callgrind(self, command: Command) -> int | None:
        options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = run_well(Command(["valgrind", *options, *command.argv], command.good))
        found = re.search(r"Collected : (\d+)", done.stderr)
        return int(found[1]) if found else None


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


def run_well(command: Command) -> Run:
    """Raises ChildFailed if the command cannot be started or ends otherwise than it should."""
    try:
        done = run(command.argv)
    except OSError as error:
        raise ChildFailed(Unmeasured(str(error), failed=True)) from error
    if done.status not in command.good:
        raise ChildFailed(_failure(command, done.status, done.stderr))
    return done


def _failure(command: Command, status: int, stderr: str) -> Unmeasured:
    lines = [line.strip() for line in stderr.splitlines()]
    said = next((line for line in lines if line and not line.startswith("==")), "no message")
    name = os.path.basename(command.argv[0])
    return Unmeasured(f"{name} ended with status {status}: {said[:200]}", failed=True)


def _unmapped(pid: int) -> int:
    """Bytes of anonymous and shared memory of a process; 0 if it has none any more."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            words = (line.split() for line in file)
            return sum(int(line[1]) * 1024 for line in words if line and line[0] in ("RssAnon:", "RssShmem:"))
    except OSError:
        return 0
