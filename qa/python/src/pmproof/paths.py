# SPDX-License-Identifier: Apache-2.0
"""Names of files as arguments of the program, and as they stand in its reports."""

from __future__ import annotations

import os
import re

from pmproof.program import AnyPath

_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")


def operands(*paths: AnyPath) -> list[bytes]:
    """Returns the end of a command line, in which no path is taken for an option.

    Raises TypeError for what is no path, and ValueError for an empty one or one with a NUL.
    """
    found = [os.fsencode(path) for path in paths]
    if not found or any(not path or b"\0" in path for path in found):
        raise ValueError("an archive is named by a path that is neither empty nor has a NUL in it")
    return [b"--", *found]


def path_of(text: str) -> str:
    """Returns the path that a report shows as `text`, for open() and others.

    A report shows a byte that is not part of UTF-8 as \\xNN; Python has a surrogate for it (os.fsdecode).
    """
    return os.fsdecode(_ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), text.encode("utf-8")))
