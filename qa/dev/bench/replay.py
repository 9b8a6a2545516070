# SPDX-License-Identifier: Apache-2.0
"""replay beside libpcp, its memory, and that its time grows as its input does."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from qa.dev.bench import results as asked
from qa.dev.bench.archives import Archive
from qa.dev.bench.measure import Command
from qa.dev.bench.recorded import RECORDED
from qa.dev.bench.results import MEGABYTE, Timing, Unmeasured, combine

if TYPE_CHECKING:
    from qa.dev.bench.suite import Suite

# The first of the made-up host, in the order of its records: singular ones, ones with 3, 16 and 8 instances, and two of
# processes, of which 150 are there at a time and some 1500 come and go.
_METRICS = """
kernel.all.cpu.user kernel.all.cpu.sys kernel.all.cpu.nice kernel.all.cpu.idle kernel.all.cpu.wait.total
kernel.all.cpu.steal kernel.all.intr kernel.all.pswitch mem.vmstat.pgfault mem.vmstat.pgmajfault
network.tcp.activeopens network.tcp.passiveopens network.tcp.insegs network.tcp.outsegs network.tcp.retranssegs
network.udp.indatagrams network.udp.outdatagrams swap.pagesin swap.pagesout mem.util.used mem.util.free
mem.util.cached mem.util.slab mem.freebalance kernel.all.nprocs kernel.all.nusers kernel.all.runnable
network.tcp.currestab kernel.all.pressure.cpu.avg kernel.all.pressure.io.avg kernel.all.uptime kernel.uname.release
kernel.uname.nodename kernel.all.load kernel.percpu.cpu.user kernel.percpu.cpu.sys kernel.percpu.cpu.nice
kernel.percpu.cpu.idle kernel.percpu.cpu.wait.total kernel.percpu.intr hinv.cpu.clock disk.dev.read disk.dev.write
disk.dev.read_bytes disk.dev.write_bytes disk.dev.avactive disk.dev.aveq disk.dev.inflight proc.psinfo.utime
proc.psinfo.stime
""".split()
_METRIC = "kernel.all.intr"
_TIMES = 10_000
_SOUND = "replay --assume-sound"
_RANDOM_TARGET = f"{_TIMES} random times faster than libpcp, cold"
_SOUND_TARGET = f"{_TIMES} random times of what is sound faster than libpcp, cold"
# Of recorded archives, a counter or an instantaneous value that most of their large records have.
_RECORDED_METRICS = {"numa": "mem.vmstat.numa_hint_faults_local", "volumes": "mem.util.used"}


def measure_replay(suite: Suite) -> None:
    """Adds all of it to the results."""
    archive = suite.host(3, 1000 * MEGABYTE)
    _every_ten_seconds(suite, archive)
    _random_times(suite, archive, _METRIC)
    _recorded_random_times(suite)
    _one_time(suite, archive)
    _warm_random_times(suite, archive)
    budget = int(asked.REPLAY_BUDGET * MEGABYTE)
    few = ["--memory", str(budget * 9 // 10)]  # the program itself and the metadata take some, too
    suite.memory_of("replay with a tenth of the archive's size", archive, _replay(suite, archive, few), budget)
    _marks(suite)


def _replay(suite: Suite, archive: Archive, options: list[str]) -> Command:
    metrics = [word for metric in _METRICS for word in ("--metric", metric)]
    return suite.pmproof(["replay", *metrics, "--interval", "10s", "--format", "jsonl", *options, str(archive.base)])


def _every_ten_seconds(suite: Suite, archive: Archive) -> None:
    ours, theirs = suite.time(
        suite.timed("replay of 50 metrics at 10 s", archive, _replay(suite, archive, [])),
        suite.timed("libpcp, the same", archive, suite.libpcp(archive, ["every", "10", *_METRICS])),
    )
    ratio = combine(asked.faster, theirs, ours)
    suite.target("replay of 50 metrics at 10 s faster than libpcp, cold", archive, ratio, asked.REPLAY_FASTER)


def span_of(archive: Archive) -> tuple[int, int]:
    """The seconds of the start of an archive and of the last entry of its temporal index, which is at its end."""
    content = Path(f"{archive.base}.index").read_bytes()
    size, magic = struct.unpack_from(">II", content)
    entry, seconds = (32, ">II") if magic & 0xFF == 3 else (20, ">I")  # version 3 has the low word first
    return struct.unpack_from(seconds, content, 12)[0], struct.unpack_from(seconds, content, len(content) - entry)[0]


def _random_times(suite: Suite, archive: Archive, metric: str) -> None:
    ours, sound, theirs = suite.time(
        suite.timed(f"replay at {_TIMES} random times", archive, suite.pmproof(_at_random(archive, metric, _TIMES))),
        suite.timed(f"{_SOUND} at {_TIMES} random times", archive, suite.pmproof(_of_sound(archive, metric, _TIMES))),
        suite.timed("libpcp, the same", archive, suite.libpcp(archive, ["random", str(_TIMES), metric])),
    )
    suite.target(_RANDOM_TARGET, archive, combine(asked.faster, theirs, ours), asked.RANDOM_FASTER)
    suite.target(_SOUND_TARGET, archive, combine(asked.faster, theirs, sound), asked.SOUND_RANDOM_FASTER)


def _at_random(archive: Archive, metric: str, count: int) -> list[str]:
    chance = random.Random(1)
    start, end = span_of(archive)
    times = [f"@{chance.randrange(start + 1, end)}.{chance.randrange(10**9):09d}" for _ in range(count)]
    # One argument of a program has at most 128 KiB.
    at = [word for i in range(0, count, 1000) for word in ("--at", ",".join(times[i : i + 1000]))]
    return ["replay", "--metric", metric, *at, "--format", "jsonl", str(archive.base)]


def _of_sound(archive: Archive, metric: str, count: int) -> list[str]:
    command, *arguments = _at_random(archive, metric, count)
    return [command, "--assume-sound", *arguments]


def _recorded_random_times(suite: Suite) -> None:
    for recorded in RECORDED:
        if recorded.name not in _RECORDED_METRICS:
            continue
        archive = suite.store.repeated(recorded, 256 * MEGABYTE // suite.scale.shrink)
        if isinstance(archive, Unmeasured):
            suite.not_measured(_RANDOM_TARGET, f"recorded-{recorded.name}", archive, asked.RANDOM_FASTER)
            suite.not_measured(_SOUND_TARGET, f"recorded-{recorded.name}", archive, asked.SOUND_RANDOM_FASTER)
        else:
            _random_times(suite, archive, _RECORDED_METRICS[recorded.name])


def _one_time(suite: Suite, archive: Archive) -> None:
    """One value in a context that is opened for it. What either program takes to start is left out: of pmproof, that
    is `--version`; of libpcp and the Python that calls it, the same with few contexts."""
    few, many = 10, 1000
    outcomes = suite.time(
        suite.timed("pmproof --version", archive, suite.pmproof(["--version"])),
        suite.timed("replay at one random time", archive, suite.pmproof(_at_random(archive, _METRIC, 1))),
        suite.timed(f"{_SOUND} at one random time", archive, suite.pmproof(_of_sound(archive, _METRIC, 1))),
        suite.timed(f"libpcp, {few} contexts", archive, suite.libpcp(archive, ["contexts", str(few), _METRIC])),
        suite.timed(f"libpcp, {few + many} contexts", archive, suite.libpcp(archive, ["contexts", str(few + many), _METRIC])),
    )

    def maths(start: Timing, ours: Timing, theirs_few: Timing, theirs_many: Timing) -> float:
        return asked.faster_by_difference((theirs_few, theirs_many), many, (start, ours), 1)

    start, ours, sound, *theirs = outcomes
    name = "one value at one time{} faster than libpcp, cold"
    suite.target(name.format(""), archive, combine(maths, start, ours, *theirs), asked.RANDOM_FASTER)
    ratio = combine(maths, start, sound, *theirs)
    suite.target(name.format(" of what is sound"), archive, ratio, asked.SOUND_RANDOM_FASTER)


def _warm_random_times(suite: Suite, archive: Archive) -> None:
    """Each time by a call of its own, in a context that has fetched before."""

    def ours(count: int) -> Command:
        return Command([str(suite.programs.fetch_times), str(archive.base), _METRIC, str(count)])

    few, many = 100, 50 * _TIMES
    outcomes = suite.time(
        suite.timed(f"fetches at {few} random times", archive, ours(few)),
        suite.timed(f"fetches at {many} random times", archive, ours(few + many)),
        suite.timed(f"libpcp at {few} random times", archive, suite.libpcp(archive, ["random", str(few), _METRIC])),
        suite.timed(
            f"libpcp at {_TIMES} random times", archive, suite.libpcp(archive, ["random", str(few + _TIMES), _METRIC])
        ),
    )

    def maths(ours_few: Timing, ours_many: Timing, theirs_few: Timing, theirs_many: Timing) -> float:
        return asked.faster_by_difference((theirs_few, theirs_many), _TIMES, (ours_few, ours_many), many)

    ratio = combine(maths, *outcomes)
    suite.target("a further random time faster than libpcp", archive, ratio, asked.RANDOM_FASTER)


def _marks(suite: Suite) -> None:
    archives = [suite.store.get(suite.scale.of("marks", 3, count)) for count in (100_000, 200_000)]
    arguments = ["replay", "--metric", "bench.ticks", "--interval", "300ms", "--format", "jsonl"]
    outcomes = suite.time(
        *(suite.timed("replay at 300 ms", a, suite.pmproof([*arguments, str(a.base)])) for a in archives)
    )
    factor = combine(lambda small, large: asked.growth(small, large, 2), *outcomes)
    name = "replay linear in marks: time grows to input grows"
    suite.target(name, archives[1], factor, asked.LINEAR, at_least=False)
