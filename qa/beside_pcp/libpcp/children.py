# SPDX-License-Identifier: Apache-2.0
"""Questions that libpcp may not survive, or that need a process of their own, are asked in a child."""

import os
import resource
import traceback
from collections.abc import Callable
from typing import BinaryIO

TRIES = 3
OUR_FAILURE = 99  # the status of a child in which this program is at fault


def in_child(work: Callable[[BinaryIO], None]) -> tuple[bytes, int]:
    """Returns what `work` writes, as far as it comes, and the child's status: below 0 the signal that it died of.

    Raises RuntimeError if `work` raises.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            errors = os.dup(2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            with os.fdopen(writing, "wb") as out:
                work(out)
            os._exit(0)
        except BaseException:
            os.write(errors, traceback.format_exc().encode())
        finally:
            os._exit(OUR_FAILURE)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        written = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == OUR_FAILURE:
        raise RuntimeError("a child failed")
    return written, status


def in_child_tried_again(work: Callable[[BinaryIO], None]) -> tuple[bytes, int]:
    """As in_child(). A child that dies is asked again, up to TRIES times in all: what libpcp dies of now and then
    (one load of a refused name space in CI, none in 12,500 loads of it elsewhere) says nothing about its rules.

    Each death is told on standard error.
    """
    for _ in range(TRIES):
        written, status = in_child(work)
        if status == 0:
            break
        os.write(2, f"a child ended with {status}\n".encode())
    return written, status


def discard_stderr() -> None:
    """Of this process, libpcp's own messages included."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
