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
    source: str
    volumes: int = 1


# docs/benchmark.md says what each is about.
RECORDED = (
    Recorded("processes", "20201109-a"),
    Recorded("small-records", "pcp-pidstat-process-args-a"),
    Recorded("small-sets", "20190628.04.03"),
    Recorded("strings", "pcp-ss"),
    Recorded("aggregates", "pyapi"),
    Recorded("volumes", "bozo-20170904-a", 4),
    Recorded("numa", "numa"),
    Recorded("deltas", "omnibus-nomark_v3"),
)


def source_of(recorded: Recorded) -> Path | Unmeasured:
    """The base name of the recorded archive."""
    shared = Path(os.environ.get("PMPROOF_SHARED") or _ROOT.parent / "shared")
    folder = shared / "archives/archives" / recorded.source
    if not folder.is_dir():
        return Unmeasured("the collection of recorded archives is not there (PMPROOF_SHARED)")
    return folder / recorded.source
