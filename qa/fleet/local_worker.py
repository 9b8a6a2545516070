# SPDX-License-Identifier: Apache-2.0
"""A worker process of a fleet on this machine; cluster.py starts it. It ends with the process that started it.

On standard input it gets a line of JSON, {"scheduler", "folder", "security"}, and then nothing until that process is
gone. It says "ready" on standard output.
"""

import asyncio
import importlib
import json
import logging
import os
import sys
import threading
from typing import Any

from qa.fleet.cluster import DASK


async def _work(scheduler: str, folder: str, security: dict[str, object]) -> None:
    distributed: Any = importlib.import_module("distributed")
    # Not by `dashboard=False` alone: Dask then listens for HTTP on all interfaces.
    async with distributed.Worker(
        scheduler,
        nthreads=1,
        host="127.0.0.1",
        dashboard=False,
        dashboard_address="127.0.0.1:0",
        local_directory=folder,
        memory_limit=0,
        security=distributed.Security(**security),
    ) as worker:
        print("ready", flush=True)
        await worker.finished()


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    settings = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    config: Any = importlib.import_module("dask.config")
    with config.set(DASK):
        asyncio.run(_work(**settings))


if __name__ == "__main__":
    main()
