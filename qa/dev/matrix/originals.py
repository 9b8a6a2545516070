# SPDX-License-Identifier: Apache-2.0
"""The archives that writers are given: what each is there for, and the call of `pmproof generate` that makes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.generate import truth
from qa.beside_pcp.generate.archives import Plan
from qa.beside_pcp.generate.truth import Truth


@dataclass(frozen=True)
class Original:
    id: str
    what: str
    plan: Plan


def _plan(*scenarios: str, version: int, volumes: int | None = None, compression: str = "none") -> Plan:
    seed = sum(map(len, scenarios)) + version
    return Plan(scenarios, version, seed, records=14, metrics=4, instances=3, volumes=volumes, compression=compression)


ORIGINALS: Sequence[Original] = (
    Original("plain-v2", "metrics of the usual kinds", _plan(version=2)),
    Original("plain-v3", "metrics of the usual kinds", _plan(version=3)),
    Original("marks-v2", "marks, some of them next to each other", _plan("marks", "marks-adjacent", version=2)),
    Original("marks-v3", "marks, some of them next to each other", _plan("marks", "marks-adjacent", version=3)),
    Original("mark-at-sample-v2", "marks with the time of the sample after them", _plan("mark-at-sample", version=2)),
    Original("mark-end-v3", "a mark as the last record", _plan("mark-end", version=3)),
    Original("indoms-v2", "instances come, go and return", _plan("indom-appear", "indom-vanish", "indom-return", version=2)),
    Original("indoms-v3", "instances come, go and return; deltas", _plan("indom-appear", "indom-return", "deltas", version=3)),
    Original("rename-v3", "a name goes over to another instance", _plan("indom-rename", version=3)),
    Original("volumes-v2", "four volumes", _plan("multi-volume", version=2)),
    Original("volumes-v3", "three volumes, marks", _plan("marks", version=3, volumes=3)),
    Original("xz-v2", "two volumes, compressed by xz", _plan(version=2, volumes=2, compression="xz")),
    Original("gz-v3", "compressed by gzip", _plan("labels", version=3, compression="gz")),
    Original("zstd-v3", "compressed by zstd", _plan(version=3, compression="zstd")),
    Original("labels-v2", "labels of every level that change, help texts", _plan("labels", "texts", version=2)),
    Original("labels-v3", "labels of every level that change, help texts", _plan("labels", "texts", version=3)),
    Original("types-v2", "values of all types at their edges, errors", _plan("types", "errors", version=2)),
    Original("types-v3", "values of all types at their edges, errors", _plan("types", "errors", version=3)),
    Original("events-v3", "event records of both resolutions", _plan("events", version=3)),
    Original("nanoseconds-v3", "times that no microseconds express", _plan("nanoseconds", version=3)),
    Original("irregular-v2", "irregular times; neither prologue nor epilogue", _plan("irregular", "no-logger", version=2)),
    Original("counters-v2", "counters that wrap and are reset", _plan("counter-wrap-32", "counter-reset", version=2)),
    Original("sparse-v3", "metrics that come late, once, for few instances", _plan("late-metrics", "once-logged", "sparse-instances", version=3)),
    Original("long-names-v3", "names and texts as long as they may be", _plan("long-names", version=3)),
    Original("time-back-v2", "a sample that is earlier than the one before", _plan("time-back", version=2)),
    Original("beyond-2038-v3", "times beyond 2038-01-19 03:14:07 UTC", _plan("beyond-2038", version=3)),
    Original("set-v2", "three archives, ten minutes between them", _plan("set-gaps", version=2)),
    Original("set-v3", "three archives, each from where the one before ends", _plan("set", version=3)),
)


@dataclass(frozen=True)
class Made:
    """An original that is there. `truths`: of each of its archives."""

    original: Original
    bases: Sequence[Path]
    truths: Sequence[Truth]

    @property
    def is_set(self) -> bool:
        return len(self.bases) > 1

    @property
    def truth(self) -> Truth:
        """Of all of them, as readers see them together."""
        return truth.merge(self.truths) if self.is_set else self.truths[0]


def make(original: Original, pmproof: Path, folder: Path) -> Made:
    """In the empty folder. Raises GenerateError."""
    bases = original.plan.make(pmproof, folder)
    return Made(original, bases, [truth.load(Path(f"{base}.truth.json")) for base in bases])
