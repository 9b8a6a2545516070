# SPDX-License-Identifier: Apache-2.0
"""Workers over Dask distributed: processes of our own on this machine, or those of a cluster.

On this machine all listen on loopback only, and what they say to each other is encrypted and authenticated by a
certificate that lives as long as the run: a scheduler runs whatever a client sends, so no other user may be one.
"""

import asyncio
import contextlib
import importlib
import json
import logging
import os
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.fleet import checking, scratch
from qa.fleet.dispatch import WorkerLost
from qa.fleet.error import INTERNAL, USAGE, FleetError
from qa.fleet.journal import Pending

# A machine may be slow or busy; these are nets, and nothing waits for them to pass.
DASK = {
    "distributed.comm.timeouts.connect": "300s",
    "distributed.comm.timeouts.tcp": "300s",
    "distributed.scheduler.worker-ttl": "30 minutes",
    "distributed.admin.tick.limit": "10 minutes",  # it would complain
    "distributed.worker.profile.enabled": False,
}
_STARTS = 5  # that fail one after the other
_CLOSING = 10.0  # seconds for good manners; what is left then is killed
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Check:
    """What is done with each chunk."""

    checker: str
    options: Sequence[str]
    limit: float


@dataclass(frozen=True)
class Tls:
    """Files in PEM format, of a cluster that asks for them."""

    ca: str
    certificate: str
    key: str


def _dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise FleetError("needs Dask distributed: apt-get install python3-distributed python3-cryptography python3-xxhash", USAGE) from None


class DaskCluster:
    """Chunks become tasks of a Dask scheduler."""

    def __init__(self, client: Any, check: Check) -> None:
        self._client = client
        self._check = check
        self._number = 0
        # Workers of a cluster have none of our modules.
        importlib.import_module("cloudpickle").register_pickle_by_value(checking)
        self._killed = importlib.import_module("distributed.scheduler").KilledWorker
        self._cancelled = importlib.import_module("distributed").CancelledError

    async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
        tasks = [{"path": each.path, "files": list(each.files), "known": each.known} for each in archives]
        return await self._submit(checking.check_changed, tasks)

    async def check_sets(self, head: str, tasks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return await self._submit(checking.check_sets, head, tasks)

    async def _submit(self, function: Callable[..., dict[str, Any]], *tasks: Any) -> Mapping[str, Any]:
        self._number += 1
        what = self._check
        try:
            answer: Mapping[str, Any] = await self._client.submit(
                function,
                what.checker,
                list(what.options),
                what.limit,
                *tasks,
                key=f"check-{self._client.id}-{self._number}",
                pure=False,
            )
        except self._killed:
            raise WorkerLost from None
        except (self._cancelled, OSError):
            raise _scheduler_lost() from None
        return answer

    async def workers(self) -> int:
        if self._client.status != "running":
            raise _scheduler_lost()
        try:
            identity = await self._client.scheduler.identity()
        except OSError:
            raise _scheduler_lost() from None
        return sum(worker["nthreads"] for worker in identity["workers"].values())


def _scheduler_lost() -> FleetError:
    return FleetError("lost the scheduler", INTERNAL)


@contextlib.asynccontextmanager
async def remote(address: str, tls: Tls | None, check: Check, patience: float) -> AsyncIterator[DaskCluster]:
    """Workers of the scheduler at `address`."""
    distributed = _dask()
    security = None
    if tls is not None:
        security = distributed.Security(
            require_encryption=True, tls_ca_file=tls.ca, tls_client_cert=tls.certificate, tls_client_key=tls.key
        )
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = await distributed.Client(address, asynchronous=True, security=security, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TypeError, ssl.SSLError) as error:
        raise FleetError(f"no scheduler at {address}: {error}", INTERNAL) from None
    try:
        yield DaskCluster(client, check)
    finally:
        await _politely(client.close())


@contextlib.asynccontextmanager
async def local(number: int, check: Check) -> AsyncIterator[DaskCluster]:
    """So many worker processes on this machine. One that dies is replaced."""
    distributed = _dask()
    config = importlib.import_module("dask.config")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        security = distributed.Security.temporary()
    except ImportError:
        raise FleetError("needs the package python3-cryptography", USAGE) from None
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(config.set(DASK))
        folder = stack.enter_context(scratch.directory())
        # A chunk whose worker dies is ours to try again: see dispatch.py.
        scheduler = await distributed.Scheduler(
            host="127.0.0.1",
            port=0,
            protocol="tls://",
            dashboard=False,
            dashboard_address="127.0.0.1:0",
            security=security,
            allowed_failures=0,
        )
        stack.push_async_callback(lambda: _politely(scheduler.close()))
        workers = _LocalWorkers(scheduler.address, folder, security)
        stack.push_async_callback(workers.close)
        workers.start(number)
        client = await distributed.Client(scheduler.address, asynchronous=True, security=security, set_as_default=False)
        stack.push_async_callback(lambda: _politely(client.close()))
        yield _LocalCluster(client, check, workers)


class _LocalCluster(DaskCluster):
    def __init__(self, client: Any, check: Check, workers: "_LocalWorkers") -> None:
        super().__init__(client, check)
        self._workers = workers

    async def workers(self) -> int:
        self._workers.look()
        return await super().workers()


class _LocalWorkers:
    """Keeps a number of worker processes alive."""

    def __init__(self, scheduler: str, folder: str, security: Any) -> None:
        roles = {"tls_ca_file": security.tls_ca_file, "require_encryption": True}
        roles |= {"tls_worker_cert": security.tls_worker_cert, "tls_worker_key": security.tls_worker_key}
        settings = {"scheduler": scheduler, "folder": folder, "security": roles}
        self._folder = folder
        self._settings = json.dumps(settings).encode() + b"\n"
        self._keepers: list[asyncio.Task[None]] = []

    def start(self, number: int) -> None:
        self._keepers = [asyncio.ensure_future(self._keep()) for _ in range(number)]

    def look(self) -> None:
        """Raises what made a worker impossible to start."""
        for keeper in self._keepers:
            if keeper.done():
                keeper.result()

    async def close(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

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
            "-m",
            "qa.fleet.local_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(_ROOT), "TMPDIR": self._folder},
            start_new_session=True,  # a person's ^C is for us
        )
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        try:
            process.stdin.write(self._settings)
            reading = asyncio.ensure_future(process.stderr.read())
            ready = await process.stdout.readline() == b"ready\n"
            await process.wait()
            return ready, (await reading).decode(errors="replace")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _politely(closing: Any) -> None:
    with contextlib.suppress(Exception):
        await asyncio.wait_for(closing, _CLOSING)
