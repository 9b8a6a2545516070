# SPDX-License-Identifier: Apache-2.0
"""What a run of the benchmark measured, and what is asked of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

MEGABYTE = 1_000_000

# The targets. Ratios are of CPU times in one run, unless a name says otherwise.
FASTER_THAN_PMLOGCHECK = 12.0
FASTER_THAN_PMLOGCHECK_AIM = 20.0
# On repetitions of recorded archives.
FASTER_ON_RECORDED = 20.0
SLOWER_THAN_BARE_WALK = 3.0
TWO_THREADS = 1.7
TWO_THREADS_ON_RECORDED = 1.8
FASTER_THAN_PMDUMPLOG = 20.0
COMPRESSED = 1.3
PEAK_MEMORY = 64.0
# GB of archive a second of CPU time, encoded into memory.
ENCODED = 1.0
# Replay beside libpcp 6.0.3.
REPLAY_FASTER = 20.0
RANDOM_FASTER = 100.0
# Of archives that are taken to be sound, as libpcp takes all.
SOUND_RANDOM_FASTER = 50.0
# MB beside the mapping, with a budget that the answers do not fit.
REPLAY_BUDGET = 100.0
# Thousands of expressions of 40 characters, parsed and bound in a second of CPU time.
DERIVED_BOUND = 200.0
# Derived metrics beside fetching their operands alone.
DERIVED_EVALUATED = 1.5
# Thousands of fetch round trips of ten metrics through the codec in a second of CPU time; and an agent over a unix
# socket beside a bare echo of the same bytes.
AGENT_ROUND_TRIPS = 300.0
AGENT_BESIDE_ECHO = 2.0
# CPU time of fleet check beside check with as many threads, of small archives.
FLEET_BESIDE_CHECK = 1.3
# Time may grow this much faster than the input before it is called not linear: caches end somewhere, clocks jitter.
LINEAR = 1.2


@dataclass(frozen=True)
class Timing:
    """Seconds of the best of some runs: least CPU time (user and system, all processes), least elapsed time.

    `said` is what the last run wrote to standard error.
    """

    cpu: float
    wall: float
    runs: int = 1
    said: str = ""

    def rate(self, size: int) -> float:
        """MB (10^6 bytes) a second of CPU time."""
        return size / MEGABYTE / self.cpu if self.cpu > 0 else float("inf")


@dataclass(frozen=True)
class Unmeasured:
    """Why there is no figure. `failed`: a program did not do what it should, so the run as a whole has failed."""

    because: str
    failed: bool = False


@dataclass(frozen=True)
class Row:
    """A timed command. `size` is in bytes of the archive, uncompressed."""

    what: str
    archive: str
    size: int
    outcome: Timing | Unmeasured
    note: str = ""


@dataclass(frozen=True)
class Instructions:
    """User-mode instructions for each further byte of archive; start-up is subtracted."""

    what: str
    archive: str
    per_byte: float | Unmeasured
    counted_by: str = ""


@dataclass(frozen=True)
class Encoding:
    """How fast records of one content and version are encoded: the median, in bytes a second of CPU time, and that of
    memcpy of the same bytes."""

    content: str
    encode: float
    memcpy: float


@dataclass(frozen=True)
class Target:
    """A figure that is asked for: at least, or at most, `limit`. `aim` is what would be better still."""

    name: str
    archive: str
    measured: float | Unmeasured
    limit: float
    at_least: bool
    unit: str = "x"
    aim: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """met, not met, or not measured."""
        if isinstance(self.measured, Unmeasured):
            return "not measured"
        met = self.measured >= self.limit if self.at_least else self.measured <= self.limit
        return "met" if met else "not met"


@dataclass
class Results:
    """All of a run, in the order it was measured."""

    rows: list[Row] = field(default_factory=list)
    instructions: list[Instructions] = field(default_factory=list)
    encodings: list[Encoding] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def combine(maths: Callable[..., float], *outcomes: Timing | Unmeasured) -> float | Unmeasured:
    """maths(CPU seconds or Timing ...) where all were measured; else the first reason why not."""
    for outcome in outcomes:
        if isinstance(outcome, Unmeasured):
            # The failure was counted where it happened.
            return Unmeasured(outcome.because)
    try:
        return maths(*outcomes)
    except ZeroDivisionError:
        return Unmeasured("too short to time")


def faster(slow: Timing, fast: Timing) -> float:
    """How many times less CPU time `fast` took."""
    return slow.cpu / fast.cpu


def speed_up(one: Timing, two: Timing) -> float:
    """How many times less elapsed time `two` took."""
    return one.wall / two.wall


def compressed_factor(check: Timing, decompressor: Timing, plain: Timing) -> float:
    """CPU time of checking a compressed archive to that of the decompressor alone and the plain check."""
    return check.cpu / (decompressor.cpu + plain.cpu)


def growth(small: Timing, large: Timing, times_larger: float) -> float:
    """1 where time grows as the input does; more where it grows faster."""
    return large.cpu / small.cpu / times_larger


def faster_by_difference(slow: tuple[Timing, Timing], slow_more: int, fast: tuple[Timing, Timing], fast_more: int) -> float:
    """How many times less CPU time each of further `fast_more` things took, than each of further `slow_more`: pairs of
    runs without them and with them, which leaves out the start-up."""
    return ((slow[1].cpu - slow[0].cpu) / slow_more) / ((fast[1].cpu - fast[0].cpu) / fast_more)


def factor_of_difference(base: tuple[Timing, Timing], other: tuple[Timing, Timing]) -> float:
    """CPU time of what the second run of `other` does more than the first, to that of `base`: leaves out the start-up."""
    return (other[1].cpu - other[0].cpu) / (base[1].cpu - base[0].cpu)


def per_further_byte(small: tuple[int, int], large: tuple[int, int]) -> float:
    """Instructions for each further byte, from two pairs (instructions, bytes)."""
    return (large[0] - small[0]) / (large[1] - small[1])
