# SPDX-License-Identifier: Apache-2.0
"""Which checks of which implementation failed when they were asked last: for --last-failed."""

import json
import os
from collections.abc import Iterable
from pathlib import Path


def _file() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pmproof/suite/last-failed.json"


def _load() -> dict[str, list[str]]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def of(implementation: str) -> frozenset[str]:
    """The IDs of checks."""
    return frozenset(map(str, _load().get(implementation, [])))


def note(implementation: str, asked: Iterable[str], failed: Iterable[str]) -> None:
    """What was not asked stays as it was. Raises OSError where it cannot be kept."""
    known = _load()
    left = (of(implementation) - set(asked)) | set(failed)
    known[implementation] = sorted(left)
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(f".{os.getpid()}")
    written.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    written.replace(path)
