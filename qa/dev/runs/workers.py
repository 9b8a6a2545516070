# SPDX-License-Identifier: Apache-2.0
"""Tasks given to several processes, each of which has a worker of its own for as long as it lives."""

import functools
import multiprocessing
import multiprocessing.util
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar, cast

Setting = TypeVar("Setting")
Task = TypeVar("Task", contravariant=True)
Done = TypeVar("Done", covariant=True)


class Worker(Protocol[Task, Done]):
    """A resource: closed when its process ends."""

    def run(self, task: Task, /) -> Done: ...

    def close(self) -> None: ...


_make: Callable[[], Worker[Any, Any]] | None = None
_worker: Worker[Any, Any] | None = None


def _begin(make: Callable[[Any], Worker[Any, Any]], setting: object) -> None:
    global _make
    _make = functools.partial(make, setting)


def _run(task: Any) -> Any:
    global _worker
    if _worker is None:  # here, for a process whose beginning fails would be begun again for ever
        assert _make is not None
        _worker = _make()
        multiprocessing.util.Finalize(_worker, _worker.close, exitpriority=10)
    return _worker.run(task)


def spread(
    make: Callable[[Setting], Worker[Task, Done]], setting: Setting, tasks: Iterable[Task], jobs: int, at_once: int = 1
) -> Iterator[Done]:
    """In any order. `at_once`: how many tasks a process takes at a time. What a worker raises is raised here."""
    with multiprocessing.get_context("spawn").Pool(jobs, _begin, (make, setting)) as pool:
        yield from cast(Iterator[Done], pool.imap_unordered(_run, tasks, chunksize=at_once))
        pool.close()
        pool.join()
