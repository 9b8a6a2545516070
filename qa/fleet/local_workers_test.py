# SPDX-License-Identifier: Apache-2.0
"""Workers on this machine end when their run does, whatever they are about."""

import asyncio
import pickle

from qa.fleet.cluster import Check
from qa.fleet.local_worker import LENGTH
from qa.fleet.local_workers import local
from qa.fleet.testing import NET, PMPROOF


def test_a_worker_whose_answer_nobody_reads_any_more_is_stopped() -> None:
    async def leave() -> None:
        async with local(1, Check(str(PMPROOF), (), NET)) as workers:
            worker = await workers._free.get()
            assert worker.stdin is not None and worker.stdout is not None
            request = pickle.dumps(("_result", ["x" * (1 << 20), ""]))
            worker.stdin.write(len(request).to_bytes(LENGTH, "big") + request)
            while not worker.stdout._paused:  # type: ignore[attr-defined]
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(leave(), 30))
