# SPDX-License-Identifier: Apache-2.0
"""Sets of archives: those of one directory, which readers open as one (rules ARC-2101 to ARC-2109).

They are checked when their members have results, by these, so that no archive is checked twice.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from qa.fleet import reports
from qa.fleet.journal import Journal, Pending
from qa.support.display import in_reports


class Workers(Protocol):
    """Who checks them (qa.fleet.cluster)."""

    async def check_sets(self, head: str, tasks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]: ...

    async def workers(self) -> int: ...


class SetCluster:
    """A cluster for dispatch.py whose items are sets."""

    def __init__(self, workers: Workers, journal: Journal) -> None:
        self._workers = workers
        self._journal = journal

    async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
        tasks = [{"directory": in_reports(each.path), "archives": self._members(each)} for each in archives]
        return await self._workers.check_sets(reports.head(self._journal), tasks)

    def _members(self, pending: Pending) -> list[str]:
        return [json.dumps(reports.of_member(row)) for row in self._journal.members_of(pending)]

    async def workers(self) -> int:
        return await self._workers.workers()
