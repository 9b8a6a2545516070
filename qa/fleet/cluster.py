# SPDX-License-Identifier: Apache-2.0
"""Workers of a cluster, over Dask distributed."""

import asyncio
import contextlib
import importlib
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qa.fleet import checking
from qa.fleet.dispatch import WorkerLost
from qa.fleet.error import INTERNAL, USAGE, FleetError
from qa.fleet.journal import Pending

_CLOSING = 10.0  # seconds for good manners; what is left then is killed


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
        raise FleetError("needs Dask distributed: apt-get install python3-distributed python3-xxhash", USAGE) from None


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


async def _politely(closing: Any) -> None:
    with contextlib.suppress(Exception):
        await asyncio.wait_for(closing, _CLOSING)
