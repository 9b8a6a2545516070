# SPDX-License-Identifier: Apache-2.0
"""Files that are there whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def written_whole(path: Path, replace: bool = True) -> Iterator[TextIO]:
    """Text that stands at `path` once all of it is written; whatever ends the writing before leaves nothing.

    It is written under a temporary name beside `path`. A device or a pipe is written to directly. Raises OSError, and
    FileExistsError where something is there and `replace` is false.
    """
    if not replace and os.path.lexists(path):
        raise FileExistsError(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "w", encoding="utf-8", newline="") as out:
            yield out
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".partial", dir=target.parent)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as out:
            yield out
            out.flush()
            os.fchmod(descriptor, _mode_of(target))
            os.fsync(descriptor)
        if replace:
            os.replace(name, target)
        else:
            os.link(name, target)  # which another one may have made meanwhile
            os.unlink(name)
    except BaseException:
        try:
            os.unlink(name)
        except FileNotFoundError:
            pass
        raise


def _mode_of(target: Path) -> int:
    """As if it had been opened for writing."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask
