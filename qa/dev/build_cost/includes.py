# SPDX-License-Identifier: Apache-2.0
"""Which source file includes which header, by the text of the files alone."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)

# A library's header that is dear: what its users include.
LIBRARIES = ("CLI/CLI.hpp", "gmock/gmock.h", "gtest/gtest.h", "nlohmann/json.hpp", "rapidcheck.h", "tl/expected.hpp")


def direct(folder: Path, files: Iterable[str]) -> dict[str, set[str]]:
    """Of each of these files of a folder what it includes: own headers by their path, and LIBRARIES."""
    found = {}
    for name in files:
        path = folder / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        found[name] = {own or library for own, library in _INCLUDE.findall(text) if own or library in LIBRARIES}
    return found


def users(included: Mapping[str, set[str]], sources: Iterable[str]) -> dict[str, int]:
    """Of each header how many of the sources include it, directly or by other headers."""
    count: dict[str, int] = {}
    for source in sources:
        seen: set[str] = set()
        waiting = list(included.get(source, ()))
        while waiting:
            header = waiting.pop()
            if header not in seen:
                seen.add(header)
                waiting += included.get(header, ())
        for header in seen:
            count[header] = count.get(header, 0) + 1
    return count
