# SPDX-License-Identifier: Apache-2.0
"""Questions in a child process: what it wrote, what it died of, and whether it is asked again."""

import functools
import os
import signal
from pathlib import Path
from typing import BinaryIO

import pytest

from qa.beside_pcp.libpcp.children import TRIES, in_child, in_child_tried_again


def die_the_first(times: int, calls: Path, out: BinaryIO) -> None:
    """Writes an answer; dies before it in its first calls, of which `calls` gets a byte each."""
    with calls.open("ab") as file:
        file.write(b".")
    out.write(b"begun ")
    out.flush()
    if calls.stat().st_size <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    out.write(b"ended")


def test_what_a_dead_child_wrote_is_there_with_its_signal(tmp_path: Path) -> None:
    assert in_child(functools.partial(die_the_first, 1, tmp_path / "calls")) == (b"begun ", -signal.SIGKILL)


def test_a_child_that_dies_once_is_asked_again_and_its_death_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    work = functools.partial(die_the_first, 1, tmp_path / "calls")
    assert in_child_tried_again(work) == (b"begun ended", 0)
    assert capfd.readouterr().err == "a child ended with -9\n"


def test_a_child_that_always_dies_is_asked_a_bounded_number_of_times(tmp_path: Path) -> None:
    work = functools.partial(die_the_first, 100, tmp_path / "calls")
    assert in_child_tried_again(work) == (b"begun ", -signal.SIGKILL)
    assert (tmp_path / "calls").stat().st_size == TRIES


def raises(_: BinaryIO) -> None:
    raise ValueError


def test_a_question_that_raises_is_a_fault_of_ours() -> None:
    with pytest.raises(RuntimeError):
        in_child_tried_again(raises)
