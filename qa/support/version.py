# SPDX-License-Identifier: Apache-2.0
"""The version of pmproof, of which all programs of qa are a part."""

import re
from functools import cache
from pathlib import Path

_FILE = Path(__file__).resolve().parents[2] / "validator/text/version.h"


@cache
def version() -> str:
    """Returns what `pmproof version` says of the program that belongs to these files."""
    told = re.search(r'kVersion\[\] = "([0-9.]+)"', _FILE.read_text(encoding="utf-8"))
    if told is None:
        raise ValueError(f"{_FILE}: no version")
    return told[1]
