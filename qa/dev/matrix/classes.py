# SPDX-License-Identifier: Apache-2.0
"""The classes of the divergence ledger's entries: whose fault each is."""

import json
from dataclasses import dataclass
from pathlib import Path

from qa.golden import ledger

OURS, THEIRS, SPECIFICATION = "ours", "theirs", "specification"
UNCLASSIFIED = "unclassified"


@dataclass(frozen=True)
class Class:
    id: str
    title: str
    verdict: str
    versions: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """On the page of the ledger."""
        return ledger.anchor_of(self.id, self.title)

    @property
    def name(self) -> str:
        return ledger.CLASSES[self.verdict]


def load(path: Path) -> dict[str, Class]:
    """By ID: all entries of whatever list of the ledger."""
    told = json.loads(path.read_text(encoding="utf-8"))
    entries = [entry for value in told.values() if isinstance(value, list) for entry in value]
    return {one["id"]: Class(one["id"], one["title"], one["verdict"], tuple(one["versions"])) for one in entries}
