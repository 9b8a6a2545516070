# SPDX-License-Identifier: Apache-2.0
"""What is measured: each theme adds its figures, and what is asked of them, to the results."""

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from qa.dev.bench import results as asked
from qa.dev.bench.agent import measure_agent
from qa.dev.bench.archives import COMPRESSIONS, Archive, Store, Wanted
from qa.dev.bench.derived import measure_derived
from qa.dev.bench.fleets import measure_fleet
from qa.dev.bench.google_benchmark import rates
from qa.dev.bench.measure import Command, InstructionCounter, Memory, peak_memory, time_rounds
from qa.dev.bench.recorded import RECORDED
from qa.dev.bench.replay import measure_replay
from qa.dev.bench.results import MEGABYTE, Encoding, Instructions, Results, Row, Target, Timing, Unmeasured, combine
from qa.peers.peers import Peer

_GIGABYTE = 1000 * MEGABYTE
_HALF_A_GIGABYTE = 512 * MEGABYTE


@dataclass(frozen=True)
class Programs:
    """What is compared. `peer` is PCP 6.0.3, or why there is none."""

    pmproof: Path
    bare_walk: Path
    encode_bench: Path
    fetch_times: Path
    derive_bench: Path
    derived_times: Path
    agent_bench: Path
    peer: Peer | Unmeasured


@dataclass(frozen=True)
class Scale:
    """How large the inputs are: all sizes and counts are divided by `shrink`."""

    shrink: int = 1
    repeat: int = 3
    thorough: bool = False

    def of(self, kind: str, version: int, amount: int, by_bytes: bool = False) -> Wanted:
        return Wanted(kind, version, amount // self.shrink, by_bytes)


@dataclass(frozen=True)
class Timed:
    """A row of the table of times: what runs on which archive, or why nothing does."""

    what: str
    archive: Archive
    command: Command | Unmeasured


class Suite:
    """Measures theme by theme; the themes are the methods that THEMES names."""

    def __init__(self, programs: Programs, store: Store, scale: Scale, say: Callable[[str], None]) -> None:
        self.programs = programs
        self.store = store
        self.scale = scale
        self.say = say
        self.results = Results()

    def speed(self) -> None:
        """check beside the bare walk, pmlogcheck and itself with two threads."""
        for size in (256 * MEGABYTE, 1000 * MEGABYTE):
            for version in (2, 3):
                self._speed(self.host(version, size), size == 256 * MEGABYTE)

    def recorded(self) -> None:
        """The same of archives that are repetitions of recorded ones, and check of one that is compressed."""
        sizes = [256 * MEGABYTE, *([_GIGABYTE] if self.scale.thorough else [])]
        for size in sizes:
            for recorded in RECORDED:
                archive = self.store.repeated(recorded, size // self.scale.shrink)
                if isinstance(archive, Unmeasured):
                    self._unmeasured(f"recorded-{recorded.name}", archive)
                else:
                    self._speed(archive, True, asked.FASTER_ON_RECORDED, asked.TWO_THREADS_ON_RECORDED)
        plain = self.store.repeated(RECORDED[-1], sizes[0] // self.scale.shrink)
        if not isinstance(plain, Unmeasured):
            for method in ("xz", "zst"):
                self._compressed(plain, method)

    def _unmeasured(self, name: str, because: Unmeasured) -> None:
        for what, limit, at_least in (
            ("check faster than pmlogcheck", asked.FASTER_ON_RECORDED, True),
            ("check slower than the bare walk", asked.SLOWER_THAN_BARE_WALK, False),
            ("two threads faster than one, elapsed time", asked.TWO_THREADS_ON_RECORDED, True),
        ):
            self.not_measured(what, name, because, limit, at_least=at_least)

    def not_measured(self, what: str, name: str, because: Unmeasured, limit: float, *, at_least: bool = True) -> None:
        """Adds a figure that is asked for of an archive that is not there."""
        self.results.targets.append(Target(what, name, because, limit, at_least))

    def _speed(
        self,
        archive: Archive,
        with_pmlogcheck: bool,
        faster: float = asked.FASTER_THAN_PMLOGCHECK,
        two_threads: float = asked.TWO_THREADS,
    ) -> None:
        pmlogcheck: Command | Unmeasured = Unmeasured("takes seconds: only with --thorough")
        if with_pmlogcheck or self.scale.thorough:
            pmlogcheck = self._tool(["pmlogcheck"], archive)
        one_job = self._check(archive, 1)
        two_jobs: Command | Unmeasured = self._check(archive, 2)
        two_programs: Command | Unmeasured = _twice_at_once(one_job)
        if len(os.sched_getaffinity(0)) < 2:
            two_jobs = two_programs = Unmeasured("there is only one processor")
        # Two programs share nothing but the machine: what two threads could gain on it at best.
        walk, one, two, _, peer = self.time(
            Timed("bare walk", archive, self._walk(archive)),
            Timed("check --jobs 1", archive, one_job),
            Timed("check --jobs 2", archive, two_jobs),
            Timed("check --jobs 1, two at once", dataclasses.replace(archive, size=2 * archive.size), two_programs),
            Timed("pmlogcheck", archive, pmlogcheck),
        )
        # What was made up is conformant, and PCP has to say so too.
        if isinstance(peer, Timing) and peer.said and not archive.name.startswith("recorded-"):
            self.results.problems.append(f"pmlogcheck says of {archive.name}: {peer.said.splitlines()[0]}")
        self.target(
            "check faster than pmlogcheck",
            archive,
            combine(asked.faster, peer, one),
            faster,
            aim=asked.FASTER_THAN_PMLOGCHECK_AIM,
        )
        slower = combine(asked.faster, one, walk)
        self.target("check slower than the bare walk", archive, slower, asked.SLOWER_THAN_BARE_WALK, at_least=False)
        both = combine(asked.speed_up, one, two)
        self.target("two threads faster than one, elapsed time", archive, both, two_threads)

    def dump(self) -> None:
        """dump --format text beside pmdumplog -a."""
        for version in (2, 3):
            archive = self.host(version, 256 * MEGABYTE)
            dump, peer = self.time(
                Timed("dump --format text", archive, self._dump(archive)),
                Timed("pmdumplog -a", archive, self._tool(["pmdumplog", "-a"], archive)),
            )
            ratio = combine(asked.faster, peer, dump)
            self.target("dump faster than pmdumplog -a", archive, ratio, asked.FASTER_THAN_PMDUMPLOG)

    def compressed(self) -> None:
        """check of compressed archives beside the decompressor alone and the plain check."""
        plain = self.host(3, 256 * MEGABYTE)
        for method in COMPRESSIONS:
            self._compressed(plain, method)

    def _compressed(self, plain: Archive, method: str) -> None:
        compression = COMPRESSIONS[method]
        archive = self.store.compressed(plain, method)
        name = "compressed check to decompressor + plain check"
        if isinstance(archive, Unmeasured):
            self.results.rows.append(Row(f"check --jobs 1, {method}", plain.name, plain.size, archive))
            self.not_measured(name, f"{plain.name}-{method}", archive, asked.COMPRESSED, at_least=False)
            return
        decompressor = Command([*compression.decompress, str(archive.volume), str(archive.meta)])
        outcomes = self.time(
            Timed("check --jobs 1", archive, self._check(archive, 1)),
            Timed(" ".join(compression.decompress), archive, decompressor),
            Timed("check --jobs 1", plain, self._check(plain, 1)),
        )
        factor = combine(asked.compressed_factor, *outcomes)
        self.target(name, archive, factor, asked.COMPRESSED, at_least=False)

    def memory(self) -> None:
        """Peak memory beside the mapping, with all threads."""
        archives: list[tuple[Archive | Unmeasured, str]] = []
        for version in (2, 3):
            archives.append((self.host(version, 1000 * MEGABYTE), ""))
        plain = self.host(3, 256 * MEGABYTE)
        for method in COMPRESSIONS:
            archives.append((self.store.compressed(plain, method), f"{plain.name}-{method}"))
        for wanted in self._long_kinds():
            archives += [(self.store.get(wanted), ""), (self.store.get(_double(wanted)), "")]
        budget = int(asked.PEAK_MEMORY * MEGABYTE)
        for archive, name in archives:
            if isinstance(archive, Unmeasured):
                target = Target("peak memory", name, archive, asked.PEAK_MEMORY, False, "MB")
                self.results.targets.append(target)
                continue
            self.memory_of("check", archive, self.pmproof(["check", str(archive.base)], _status(archive)), budget)

    @staticmethod
    def timed(what: str, archive: Archive, command: Command | Unmeasured) -> Timed:
        """A row of the table of times."""
        return Timed(what, archive, command)

    def memory_of(self, what: str, archive: Archive, command: Command, budget: int) -> None:
        """Adds the peak memory of a command, beside mapped files, and that it is to be within a budget in bytes."""
        self.say(f"memory of {what}, {archive.name}")
        archive.warm()
        memory = peak_memory(command, budget)
        peak: float | Unmeasured
        if isinstance(memory, Unmeasured):
            self.note_failure(f"memory of {what} of {archive.name}", memory)
            peak, note = memory, ""
        else:
            peak, note = _peak(memory, budget)
        name = "peak memory" if what == "check" else f"peak memory of {what}"
        self.target(name, archive, peak, budget / MEGABYTE, at_least=False, unit="MB", note=note)

    def instructions(self) -> None:
        """Instructions per byte: the difference of two small archives, which leaves out the start-up."""
        counter = InstructionCounter()
        tool = counter.tool or ""
        for version in (2, 3):
            small, large = (self.host(version, size * MEGABYTE, fixed=True) for size in (4, 8))
            makers: Mapping[str, Callable[[Archive], Command]] = {
                "bare walk": self._walk,
                "check --jobs 1": lambda a: self._check(a, 1),
                "dump --format text": self._dump,
            }
            for what, command in makers.items():
                self.say(f"instructions of {what}, {small.name} and {large.name}")
                counts = [(counter.count(command(archive)), archive.size) for archive in (small, large)]
                pairs = [(count, size) for count, size in counts if isinstance(count, int)]
                failures = [count for count, _ in counts if isinstance(count, Unmeasured)]
                row = Instructions(what, large.name, failures[0] if failures else asked.per_further_byte(*pairs), tool)
                if failures:
                    self.note_failure(f"instructions of {what} of {large.name}", failures[0])
                self.results.instructions.append(row)

    def encode(self) -> None:
        """Encoding of models into memory beside memcpy of the same bytes."""
        self.say("encoding into memory")
        measured = rates(self.programs.encode_bench, 2 * self.scale.repeat + 1, 0.25 / self.scale.shrink)
        if isinstance(measured, Unmeasured):
            self.note_failure("encoding", measured)
        else:
            for name in sorted(measured):
                what, _, content = name.partition("/")
                if what == "encode":
                    encoding = Encoding(content, measured[name], measured[f"memcpy/{content}"])
                    self.results.encodings.append(encoding)
        for version in (2, 3):
            speed: float | Unmeasured = (
                measured if isinstance(measured, Unmeasured) else measured[f"encode/host/v{version}"] / _GIGABYTE
            )
            target = Target("encoding a CPU second", f"records of host-v{version}", speed, asked.ENCODED, True, "GB")
            self.results.targets.append(target)

    def replay(self) -> None:
        """replay beside libpcp, its memory, and that marks cost no more than they are long."""
        measure_replay(self)

    def derived(self) -> None:
        """Expressions parsed and bound; derived metrics beside their operands."""
        measure_derived(self)

    def agent(self) -> None:
        """Fetches through the codec, and to an agent over a unix socket."""
        measure_agent(self)

    def fleet(self) -> None:
        """fleet check of many small archives beside check."""
        measure_fleet(self)

    def linear(self) -> None:
        """check of an input and of one twice as long."""
        self._linear("bytes", self.scale.of("host", 3, _HALF_A_GIGABYTE // 2, True),
                     self.scale.of("host", 3, _HALF_A_GIGABYTE, True))
        self._linear("bytes of small records", self.scale.of("small", 3, 32 * MEGABYTE, True),
                     self.scale.of("small", 3, 64 * MEGABYTE, True))
        for wanted in self._long_kinds():
            self._linear(_LONG[wanted.kind][1], wanted, _double(wanted))

    def _linear(self, what: str, small: Wanted, large: Wanted) -> None:
        archives = [self.store.get(small), self.store.get(large)]
        outcomes = self.time(*(Timed("check --jobs 1", a, self._check(a, 1)) for a in archives))
        factor = combine(lambda a, b: asked.growth(a, b, large.amount / small.amount), *outcomes)
        name = f"linear in {what}: time grows to input grows"
        self.target(name, archives[1], factor, asked.LINEAR, at_least=False)

    def _long_kinds(self) -> list[Wanted]:
        return [self.scale.of(kind, version, count) for kind, (count, _) in _LONG.items() for version in (2, 3)]

    def host(self, version: int, size: int, fixed: bool = False) -> Archive:
        """The archive of a made-up host. `fixed`: whatever the scale."""
        wanted = Wanted("host", version, size, True) if fixed else self.scale.of("host", version, size, True)
        return self.store.get(wanted)

    def pmproof(self, arguments: list[str], good: tuple[int, ...] = (0,)) -> Command:
        """A call of pmproof, and how it may end."""
        return Command([str(self.programs.pmproof), *arguments], good)

    def _check(self, archive: Archive, jobs: int) -> Command:
        return self.pmproof(["check", "--jobs", str(jobs), str(archive.base)], _status(archive))

    def _walk(self, archive: Archive) -> Command:
        return Command([str(self.programs.bare_walk), *map(str, archive.all_volumes)])

    def _dump(self, archive: Archive) -> Command:
        return self.pmproof(["dump", "--format", "text", str(archive.base)])

    def libpcp(self, archive: Archive, arguments: list[str]) -> Command | Unmeasured:
        """A run of fetch_with_libpcp.py over an archive."""
        if isinstance(self.programs.peer, Unmeasured):
            return self.programs.peer
        program = Path(__file__).resolve().with_name("fetch_with_libpcp.py")
        folder = self.store.folder.resolve()
        argv: list[str | Path] = ["python3", program, folder / archive.name, *arguments]
        return Command(self.programs.peer.argv(argv, binds=[folder, program], timed=True))

    def _tool(self, tool: list[str], archive: Archive) -> Command | Unmeasured:
        if isinstance(self.programs.peer, Unmeasured):
            return self.programs.peer
        folder = self.store.folder.resolve()
        return Command(self.programs.peer.argv([*tool, folder / archive.name], binds=[folder]))

    def time(self, *timed: Timed) -> list[Timing | Unmeasured]:
        """Times what is there to be timed, adds a row for each, and gives the outcomes in the same order."""
        for archive in {t.archive.name: t.archive for t in timed}.values():
            archive.warm()
        keys = [f"{t.what} of {t.archive.name}" for t in timed]
        commands = {key: t.command for key, t in zip(keys, timed) if isinstance(t.command, Command)}
        self.say(f"timing {', '.join(commands)}")
        measured = time_rounds(commands, self.scale.repeat)
        outcomes = []
        for key, t in zip(keys, timed):
            outcome = t.command if isinstance(t.command, Unmeasured) else measured[key]
            self.results.rows.append(Row(t.what, t.archive.name, t.archive.size, outcome))
            if isinstance(outcome, Unmeasured):
                self.note_failure(key, outcome)
            outcomes.append(outcome)
        return outcomes

    def note_failure(self, what: str, outcome: Unmeasured) -> None:
        """Counts a failure among the problems; what could not be measured is none."""
        if outcome.failed:
            self.results.problems.append(f"{what}: {outcome.because}")

    def target(
        self,
        name: str,
        archive: Archive,
        measured: float | Unmeasured,
        limit: float,
        *,
        at_least: bool = True,
        unit: str = "x",
        aim: float | None = None,
        note: str = "",
    ) -> None:
        """Adds a figure that is asked for."""
        self.results.targets.append(Target(name, archive.name, measured, limit, at_least, unit, aim, note))


def _double(wanted: Wanted) -> Wanted:
    return dataclasses.replace(wanted, amount=2 * wanted.amount)


def _status(archive: Archive) -> tuple[int, ...]:
    """What check has to end with: all archives but one kind are conformant."""
    return (1,) if archive.name.startswith("findings") else (0,)


def _twice_at_once(command: Command) -> Command:
    """Ends with the status of one of the two."""
    return Command(["/bin/sh", "-c", '"$@" & "$@"; ended=$?; wait; exit $ended', "sh", *command.argv], command.good)


def _peak(memory: Memory, budget: int) -> tuple[float | Unmeasured, str]:
    """MB for the table, and how they were got."""
    limited = f"runs with {memory.enough / MEGABYTE:g} MB of data" if memory.enough is not None else ""
    if memory.sampled is not None:
        return memory.sampled / MEGABYTE, f"sampled; {limited or f'does not run with {budget / MEGABYTE:g} MB of data'}"
    if memory.enough is not None:
        return memory.enough / MEGABYTE, f"at most: {limited}; too short to sample"
    return Unmeasured(f"too short to sample, and does not run with {budget / MEGABYTE:g} MB of data"), ""


# Kinds that are long in one thing: how many, and what of.
_LONG = {
    "marks": (100_000, "marks"),
    "indoms": (100_000, "instance domain changes"),
    "index": (1_000_000, "index entries"),
    "findings": (200_000, "findings"),
}

THEMES: dict[str, Callable[[Suite], None]] = {
    "speed": Suite.speed,
    "recorded": Suite.recorded,
    "dump": Suite.dump,
    "compressed": Suite.compressed,
    "memory": Suite.memory,
    "instructions": Suite.instructions,
    "encode": Suite.encode,
    "linear": Suite.linear,
    "replay": Suite.replay,
    "derived": Suite.derived,
    "agent": Suite.agent,
    "fleet": Suite.fleet,
}
