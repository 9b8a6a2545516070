# SPDX-License-Identifier: Apache-2.0
"""Hands chunks of archives to workers until each archive has a result, whatever dies meanwhile.

A lost worker takes its chunks with it, those it had only been promised too; which of their archives was the cause, if
any, is not known. So they are suspects, and wait until nothing else is being checked. Then one chunk of them at a time
is checked alone: if a worker dies then, each half is tried, down to the archive whose workers die.
"""

import asyncio
import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from qa.fleet.error import INTERNAL, FleetError
from qa.fleet.journal import Pending

_DEATHS = 2  # alone: one may be by chance
_LOOK = 1.0  # seconds between looks at who is there
_CHUNK_NAMES = 300_000  # bytes of names, which are arguments of a command, each with its end and where it stands
_ARGUMENT = 9
_CHUNK_FILES = 2_000_000  # bytes of the names of their files, which the worker is told too
# Starting the program costs as much as checking a few small archives. So chunks are large, but where the archives are, or
# there are too few for all workers.
_CHUNKS_FOR_EACH = 4
_CHUNK_LEAST, _CHUNK_MOST = 50, 4000  # archives
_CHUNK_SIZE = 256 << 20  # bytes of their files


class WorkerLost(Exception):
    """The worker that had the chunk died."""


class Cluster(Protocol):
    """Where chunks are checked."""

    async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
        """What qa.fleet.checking says of them: check_changed, or check_sets. Raises WorkerLost; FleetError where no one is left to ask."""

    async def workers(self) -> int:
        """How many chunks can be checked at once, now."""


class Record(Protocol):
    """Who takes the results: the journal."""

    def record(self, archives: Sequence[Pending], results: Sequence[Mapping[str, Any]], worker: str) -> None: ...

    def note_death(self, archives: Sequence[Pending]) -> None: ...


class Dispatch:
    """One run over the archives without a result.

    `chunk`: archives in a chunk; None: as many as is best for the workers that there are, or that are `expected`. `tell`
    is called with the number of workers and of lost ones.
    """

    def __init__(
        self,
        cluster: Cluster,
        record: Record,
        *,
        chunk: int | None,
        expected: int = 1,
        patience: float,
        check_answer: Callable[[Mapping[str, Any]], None],
        tell: Callable[[int, int], None],
    ) -> None:
        self._cluster = cluster
        self._record = record
        self._chunk = chunk
        self._expected = expected
        self._patience = patience
        self._check_answer = check_answer
        self._tell = tell
        self._queue: deque[list[Pending]] = deque()
        self._suspects: deque[tuple[list[Pending], int]] = deque()  # and deaths alone
        self._running: dict[asyncio.Task[Mapping[str, Any]], tuple[list[Pending], int | None]] = {}
        self._workers = 0
        self._lost = 0
        self._seen = self._looked = time.monotonic()

    async def run(self, pending: Sequence[Pending]) -> None:
        """Returns when each of them has a result."""
        try:
            await self._look()
            size = self._chunk or self._chunk_for(len(pending))
            self._queue.extend(_chunks([each for each in pending if not each.deaths], size))
            # Suspects of a run before this one.
            self._suspects.extend((chunk, 0) for chunk in _chunks([each for each in pending if each.deaths], size))
            while self._queue or self._running or self._suspects:
                self._start()
                done, _ = await asyncio.wait(self._running, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._finish(task)
                if not done or time.monotonic() - self._looked > _LOOK:
                    await self._look()
        finally:
            for task in self._running:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*self._running, return_exceptions=True)

    def _chunk_for(self, number: int) -> int:
        chunks = _CHUNKS_FOR_EACH * max(self._workers, self._expected)
        return min(_CHUNK_MOST, max(_CHUNK_LEAST, number // chunks))

    def _start(self) -> None:
        while self._queue and len(self._running) < max(2, 2 * self._workers):
            self._send(self._queue.popleft(), None)
        if not self._queue and not self._running and self._suspects:
            self._send(*self._suspects.popleft())

    def _send(self, chunk: list[Pending], deaths_alone: int | None) -> None:
        task = asyncio.ensure_future(self._cluster.check(chunk))
        self._running[task] = (chunk, deaths_alone)

    def _finish(self, task: "asyncio.Task[Mapping[str, Any]]") -> None:
        chunk, deaths_alone = self._running.pop(task)
        try:
            answer = task.result()
        except WorkerLost:
            self._lost += 1
            self._record.note_death(chunk)
            self._suspect(chunk, deaths_alone)
            self._tell(self._workers, self._lost)
            return
        if "refused" in answer:
            raise FleetError(answer["refused"], answer["status"])
        if answer["tool"]:
            self._check_answer(answer)
        self._record.record(chunk, answer["results"], answer["worker"])
        self._tell(self._workers, self._lost)

    def _suspect(self, chunk: list[Pending], deaths_alone: int | None) -> None:
        if deaths_alone is None:
            self._suspects.append((chunk, 0))
        elif len(chunk) > 1:
            middle = len(chunk) // 2
            self._suspects.extendleft([(chunk[middle:], 0), (chunk[:middle], 0)])
        elif deaths_alone + 1 < _DEATHS:
            self._suspects.appendleft((chunk, deaths_alone + 1))
        else:
            because = f"each of {_DEATHS} workers died that checked this archive alone"
            self._record.record(chunk, [{"outcome": "worker_died", "because": because, "counts": None, "report": None}], "")

    async def _look(self) -> None:
        self._workers = await self._cluster.workers()
        self._looked = time.monotonic()
        if self._workers:
            self._seen = self._looked
        elif self._looked - self._seen > self._patience:
            raise FleetError(f"no worker for {self._patience:g} s", INTERNAL)
        self._tell(self._workers, self._lost)


def _chunks(archives: Sequence[Pending], size: int) -> Iterator[list[Pending]]:
    """`size` counts archives: those of a set too."""
    chunk: list[Pending] = []
    names = files = count = octets = 0
    for archive in archives:
        chunk.append(archive)
        count += max(1, len(archive.members))
        names += len(os.fsencode(archive.path)) + _ARGUMENT
        files += sum(map(len, archive.files))
        octets += archive.size
        if count >= size or names > _CHUNK_NAMES or files > _CHUNK_FILES or octets > _CHUNK_SIZE:
            yield chunk
            chunk = []
            names = files = count = octets = 0
    if chunk:
        yield chunk
