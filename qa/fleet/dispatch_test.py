# SPDX-License-Identifier: Apache-2.0
"""Chunks are handed out until each archive has a result; who died of what is found out, whoever else is lost meanwhile."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from qa.fleet.dispatch import Dispatch, WorkerLost
from qa.fleet.error import FleetError
from qa.fleet.journal import Pending


class Cluster:
    """Workers that do at once what `what` says; `together` are the chunks being checked at once."""

    def __init__(self, what: Callable[["Cluster", Sequence[str]], None], workers: int = 2) -> None:
        self.what = what
        self.number = workers
        self.asked: list[list[str]] = []
        self.together = self.most_together = 0

    async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
        paths = [archive.path for archive in archives]
        self.asked.append(paths)
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        await asyncio.sleep(0)
        try:
            self.what(self, paths)
        finally:
            self.together -= 1
        results = [{"outcome": "conformant", "because": "", "report": {"archive": path}} for path in paths]
        return {"worker": "w", "tool": {"version": "1"}, "results": results}

    async def workers(self) -> int:
        return self.number


class Journal:
    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.deaths: Counter[str] = Counter()

    def record(self, archives: Sequence[Pending], results: Sequence[Mapping[str, Any]], worker: str) -> None:
        for archive, result in zip(archives, results, strict=True):
            assert archive.path not in self.outcomes
            self.outcomes[archive.path] = result["outcome"]

    def note_death(self, archives: Sequence[Pending]) -> None:
        self.deaths.update(archive.path for archive in archives)


def archives(number: int, deaths: int = 0) -> list[Pending]:
    return [Pending(i, f"/{i}", deaths) for i in range(number)]


def run(cluster: Cluster, pending: list[Pending], chunk: int | None = 8, patience: float = 600) -> Journal:
    journal = Journal()
    told: list[tuple[int, int]] = []
    dispatch = Dispatch(
        cluster,
        journal,
        chunk=chunk,
        patience=patience,
        check_answer=lambda answer: None,
        tell=lambda workers, lost: told.append((workers, lost)),
    )
    asyncio.run(dispatch.run(pending))
    assert told
    return journal


def nothing(cluster: Cluster, paths: Sequence[str]) -> None:
    pass


def test_all_archives_in_chunks_a_few_at_a_time() -> None:
    cluster = Cluster(nothing)
    journal = run(cluster, archives(100))
    assert journal.outcomes == {f"/{i}": "conformant" for i in range(100)}
    assert [len(chunk) for chunk in cluster.asked] == [8] * 12 + [4]
    assert cluster.most_together == 4


@pytest.mark.parametrize(
    ("number", "size", "workers", "expected"),
    [(40, 0, 2, 50), (1000, 0, 2, 125), (100_000, 0, 2, 4000), (100_000, 0, 1000, 50), (100, 128 << 20, 2, 3)],
)
def test_chunks_are_as_large_as_their_archives_and_workers_allow(number: int, size: int, workers: int, expected: int) -> None:
    cluster = Cluster(nothing, workers)
    run(cluster, [Pending(each, f"/{each}", 0, size=size) for each in range(number)], chunk=None)
    assert len(cluster.asked[0]) == min(number, expected)


def test_a_set_counts_as_its_archives() -> None:
    cluster = Cluster(nothing)
    run(cluster, [Pending(each, f"/{each}", 0, members=("a", "b", "c")) for each in range(9)])
    assert [len(chunk) for chunk in cluster.asked] == [3, 3, 3]


@pytest.mark.parametrize("poison", [{"/0"}, {"/37"}, {"/99"}, {"/40", "/41", "/99"}, {f"/{i}" for i in range(8)}])
def test_archives_that_kill_their_workers_are_found(poison: set[str]) -> None:
    def what(_: Cluster, paths: Sequence[str]) -> None:
        if poison & set(paths):
            raise WorkerLost

    journal = run(Cluster(what), archives(100))
    assert {path for path, outcome in journal.outcomes.items() if outcome == "worker_died"} == poison
    assert len(journal.outcomes) == 100


def test_who_only_waited_at_a_worker_that_dies_is_not_blamed_however_often() -> None:
    # A death takes all with it that is being checked then, as Dask has it.
    poison = {"/3", "/50"}

    def what(cluster: Cluster, paths: Sequence[str]) -> None:
        cluster.dying = cluster.together if poison & set(paths) else getattr(cluster, "dying", 0)  # type: ignore[attr-defined]
        if cluster.dying:  # type: ignore[attr-defined]
            cluster.dying -= 1  # type: ignore[attr-defined]
            raise WorkerLost

    journal = run(Cluster(what, workers=8), archives(100), chunk=4)
    assert {path for path, outcome in journal.outcomes.items() if outcome == "worker_died"} == poison
    assert max(journal.deaths.values()) == journal.deaths["/3"]


def test_a_worker_that_dies_once_by_chance_costs_nobody_a_verdict() -> None:
    deaths = iter([True])

    def what(_: Cluster, paths: Sequence[str]) -> None:
        if "/20" in paths and next(deaths, False):
            raise WorkerLost

    journal = run(Cluster(what), archives(30))
    assert set(journal.outcomes.values()) == {"conformant"}
    assert journal.deaths["/20"] == 1


def test_suspects_are_checked_alone_one_chunk_after_the_other() -> None:
    cluster = Cluster(nothing)
    run(cluster, archives(100, deaths=1))
    assert cluster.most_together == 1


def test_what_a_worker_refuses_ends_the_run() -> None:
    class Refusing(Cluster):
        async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
            return {"worker": "w", "refused": "no", "status": 2}

    with pytest.raises(FleetError) as raised:
        run(Refusing(nothing), archives(3))
    assert raised.value.status == 2


def test_no_worker_for_too_long_ends_the_run() -> None:
    class Empty(Cluster):
        async def check(self, archives: Sequence[Pending]) -> Mapping[str, Any]:
            await asyncio.Event().wait()
            raise AssertionError

    with pytest.raises(FleetError) as raised:
        run(Empty(nothing, workers=0), archives(3), patience=0.01)
    assert raised.value.status == 5


def test_names_of_usual_length_make_no_chunk_smaller() -> None:
    cluster = Cluster(nothing)
    pending = [Pending(i, f"/var/log/pcp/pmlogger/host{i:05}.example.com/20261129.{i:05}", 0, [f"20261129.{i:05}.meta"] * 3) for i in range(8000)]
    run(cluster, pending, chunk=4000)
    assert [len(chunk) for chunk in cluster.asked] == [4000, 4000]


def test_an_archive_of_very_many_files_is_not_asked_for_with_many_others() -> None:
    cluster = Cluster(nothing)
    run(cluster, [Pending(i, f"/{i}", 0, ["x" * 20] * 60_000) for i in range(4)], chunk=100)
    assert [len(chunk) for chunk in cluster.asked] == [2, 2]


def test_chunks_stay_short_enough_for_a_command_line() -> None:
    cluster = Cluster(nothing)
    run(cluster, [Pending(i, f"/{i}" + "\udcff" * 4000, 0) for i in range(400)], chunk=400)
    assert sum(map(len, cluster.asked)) == 400
    # A quarter of what Linux takes where a stack may have 8 MiB.
    assert max(sum(len(os.fsencode(path)) + 9 for path in chunk) for chunk in cluster.asked) < 1 << 19
