# SPDX-License-Identifier: Apache-2.0
"""A few golden cases in a folder of their own, so that adapters that read all of them start quickly."""

import shutil
from pathlib import Path

from qa.golden import cases
from qa.suite import journal

GOLDEN = Path("golden")
CHOSEN = ("replay/worked-counter-25", "replay/set-refused", "derived/where", "metadata/semantics", "metadata/units-scales")


def small_golden(to: Path) -> Path:
    """Some of each kind of operation and answer."""
    for case in cases.load_all(GOLDEN, CHOSEN):
        for folder in {case.folder} | {path.parent for path in case.archives}:
            placed = to / folder.absolute().relative_to(GOLDEN.absolute())
            if not placed.exists():
                shutil.copytree(folder, placed)
    return to


def verdicts_in(path: Path) -> list[cases.Json]:
    """Of the one implementation of a journal."""
    (one,) = journal.load(path).implementations
    return one.verdicts
