# SPDX-License-Identifier: Apache-2.0
"""Worker processes of our own on this machine. They are asked over pipes, so that nothing listens."""

import asyncio
import contextlib
import os
import pickle
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from qa.fleet import scratch
from qa.fleet.cluster import Check
from qa.fleet.dispatch import WorkerLost
from qa.fleet.error import INTERNAL, FleetError
from qa.fleet.journal import Pending
from qa.fleet.local_worker import LENGTH

_STARTS = 5  # that fail one after the other
_ROOT = Path(__file__).resolve().parents[2]


@contextlib.asynccontextmanager
async def local(number: int, check: Check) -> AsyncIterator["LocalWorkers"]:
    """So many worker processes. One that dies is replaced."""
    with scratch.directory() as folder:
        workers = LocalWorkers(check, folder)
        workers.start(number)
        try:
            yield workers
        finally:
            await workers.close()


class LocalWorkers:
    """A cluster for dispatch.py and sets.py. A worker that dies takes with it the one chunk that it had."""

    def __init__(self, check: Check, folder: str) -> None:
        self._check = check
        self._folder = folder
        self._keepers: list[asyncio.Task[None]] = []
        self._free: asyncio.Queue[asyncio.subprocess.Process] = asyncio.Queue()
        self._alive = 0

    async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
        return await self._ask("check_changed", [{"path": each.path, "files": list(each.files), "known": each.known} for each in archives])

    async def check_sets(self, head: str, tasks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return await self._ask("check_sets", head, list(tasks))

    async def workers(self) -> int:
        """Raises what made a worker impossible to start."""
        for keeper in self._keepers:
            if keeper.done():
                keeper.result()
        return self._alive

    def start(self, number: int) -> None:
        self._keepers = [asyncio.ensure_future(self._keep()) for _ in range(number)]

    async def close(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    async def _ask(self, function: str, *arguments: Any) -> Mapping[str, Any]:
        what = self._check
        request = pickle.dumps((function, [what.checker, list(what.options), what.limit, *arguments]))
        worker = await self._free.get()
        while worker.returncode is not None:
            worker = await self._free.get()
        assert worker.stdin is not None and worker.stdout is not None
        try:
            worker.stdin.write(len(request).to_bytes(LENGTH, "big") + request)
            await worker.stdin.drain()
            length = int.from_bytes(await worker.stdout.readexactly(LENGTH), "big")
            answer: Mapping[str, Any] = pickle.loads(await worker.stdout.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            raise WorkerLost from None
        self._free.put_nowait(worker)
        return answer

    async def _keep(self) -> None:
        failures = 0
        while failures < _STARTS:
            ready, said = await self._run_one()
            failures = 0 if ready else failures + 1
        raise FleetError(f"no worker could be started: {said.strip().splitlines()[-1] if said.strip() else 'it said nothing'}", INTERNAL)

    async def _run_one(self) -> tuple[bool, str]:
        """Whether it was ready before it ended, and what it said on standard error."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-B",
            "-P",  # the folder in which somebody calls this may have a qa of its own
            "-m",
            "qa.fleet.local_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(_ROOT), "TMPDIR": self._folder},
            start_new_session=True,  # a person's ^C is for us
        )
        assert process.stdout is not None and process.stderr is not None
        reading = asyncio.ensure_future(process.stderr.read())
        try:
            ready = await process.stdout.readline() == b"ready\n"
            if ready:
                self._alive += 1
                self._free.put_nowait(process)
            try:
                await process.wait()
            finally:
                self._alive -= ready
            return ready, (await reading).decode(errors="replace")
        finally:
            reading.cancel()
            if process.returncode is None:
                process.kill()
                # asyncio does not see that it has ended while there is something of it to be read.
                await process.stdout.read()
                await process.wait()
