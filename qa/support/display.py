# SPDX-License-Identifier: Apache-2.0
"""Names of files, which may be any bytes, for people and for JSON."""

import os
import re
import urllib.parse

_BYTES = "bytes:"
_LIKE_A_BYTE = re.compile(r"\\(?=x[0-9a-f]{2})")
_OTHER_BYTE = re.compile("[\udc80-\udcff]")


def shown(path: str) -> str:
    """A path as text: bytes that are not UTF-8 cannot stand in JSON, nor in SQLite."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError:
        return _BYTES + urllib.parse.quote_from_bytes(os.fsencode(path))


def unshown(name: str) -> str:
    """The absolute path that shown() made a text of."""
    if not name.startswith(_BYTES):
        return name
    return os.fsdecode(urllib.parse.unquote_to_bytes(name.removeprefix(_BYTES)))


def in_reports(path: str) -> str:
    """A path as a string of pmproof's JSON has it: other bytes than UTF-8 as four characters, \\xNN."""
    text = _LIKE_A_BYTE.sub(r"\\x5c", path)
    return _OTHER_BYTE.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)


def displayable(text: str) -> str:
    """What can be shown on any terminal: names are whatever somebody gave to a file."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
