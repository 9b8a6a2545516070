# SPDX-License-Identifier: Apache-2.0
"""A temporary directory that is removed with its run, or by the next run where that one was killed."""

import contextlib
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator

PREFIX = "pmproof-fleet-run-"
_NAME = re.compile(re.escape(PREFIX) + r"[a-z0-9_]{8}")  # as mkdtemp makes them: never one that a person named


@contextlib.contextmanager
def directory() -> Iterator[str]:
    """It is locked as long as its run lives. Those of this user that nobody has locked are removed first."""
    top = tempfile.gettempdir()
    _sweep(top)
    path, lock = _make(top)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _make(top: str) -> tuple[str, int]:
    while True:
        path = tempfile.mkdtemp(prefix=PREFIX, dir=top)
        try:
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # another run swept it before it was locked
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.isdir(path):
                return path, lock
        except BlockingIOError:
            pass  # another run is about to sweep it
        os.close(lock)


def _sweep(top: str) -> None:
    try:
        names = [name for name in os.listdir(top) if _NAME.fullmatch(name)]
    except OSError:
        return
    for name in names:
        path = os.path.join(top, name)
        # Others may write to the same directory: neither follow their links nor touch what is theirs.
        with contextlib.suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if os.fstat(lock).st_uid == os.getuid() and stat.S_ISDIR(os.fstat(lock).st_mode):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
