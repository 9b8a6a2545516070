# SPDX-License-Identifier: Apache-2.0
"""Large archives made of recorded ones: each is repeated, later each time, with its records as they are."""

import os
from dataclasses import dataclass
from pathlib import Path

from qa.dev.bench.results import Unmeasured

_ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Recorded:
    """An archive of the shared collection, and into how many volumes its repetitions go."""

    name: str
    what: str
    source: str
    volumes: int = 1


RECORDED = (
    Recorded("processes", "processes coming and going, version 2", "20201109-a"),
    Recorded("small-records", "many small records, version 2", "pcp-pidstat-process-args-a"),
    Recorded("small-sets", "many metrics with one value each, version 2", "20190628.04.03"),
    Recorded("strings", "strings of sockets, version 2", "pcp-ss"),
    Recorded("aggregates", "aggregates and events, version 2", "pyapi"),
    Recorded("volumes", "disks in four volumes, version 2", "bozo-20170904-a", 4),
    Recorded("numa", "a whole host, version 3", "numa"),
    Recorded("deltas", "events and changes of instance domains, version 3", "omnibus-nomark_v3"),
)


def source_of(recorded: Recorded) -> Path | Unmeasured:
    """The base name of the recorded archive."""
    shared = Path(os.environ.get("PMPROOF_SHARED") or _ROOT.parent / "shared")
    folder = shared / "archives/archives" / recorded.source
    if not folder.is_dir():
        return Unmeasured("the collection of recorded archives is not there (PMPROOF_SHARED)")
    return folder / recorded.source
