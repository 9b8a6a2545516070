# SPDX-License-Identifier: Apache-2.0
from dataclasses import dataclass
from pathlib import Path

import pytest

from qa.dev.runs.workers import spread


@dataclass
class Counting:
    """Leaves a file when it is closed."""

    folder: Path
    done: int = 0

    def run(self, task: int) -> tuple[int, int]:
        if task < 0:
            raise ValueError(f"task {task}")
        self.done += 1
        return task, self.done

    def close(self) -> None:
        (self.folder / f"closed-{id(self)}-{self.done}").touch()


class Unwilling(Counting):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        raise OSError("nothing to work with")


def test_each_task_is_done_once_by_a_worker_that_stays(tmp_path: Path) -> None:
    results = list(spread(Counting, tmp_path, range(6), jobs=1))
    assert results == [(number, number + 1) for number in range(6)]
    (closed,) = tmp_path.iterdir()
    assert closed.name.endswith("-6")


def test_several_processes_share_the_tasks(tmp_path: Path) -> None:
    assert sorted(task for task, _ in spread(Counting, tmp_path, range(20), jobs=2, at_once=4)) == list(range(20))


def test_what_a_worker_raises_is_raised(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="task -1"):
        list(spread(Counting, tmp_path, [1, -1], jobs=1))


def test_a_worker_that_can_not_be_made_ends_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing to work with"):
        list(spread(Unwilling, tmp_path, [1], jobs=1))
