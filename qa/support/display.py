# SPDX-License-Identifier: Apache-2.0
"""Names of files, which may be any bytes, for people and for JSON."""

import os
import urllib.parse


def shown(path: str) -> str:
    """A path as text: bytes that are not UTF-8 cannot stand in JSON, nor in SQLite."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError:
        return "bytes:" + urllib.parse.quote_from_bytes(os.fsencode(path))


def displayable(text: str) -> str:
    """What can be shown on any terminal: names are whatever somebody gave to a file."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
