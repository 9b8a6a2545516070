# SPDX-License-Identifier: Apache-2.0
"""OUT.truth.json as a reader of archives would want to be asked: what is there, and what is in force when."""

import bisect
import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.beside_pcp.generate.entries import Desc, HelpText, IndomChange, Json, LabelSet, Labels, Record, to_entry, to_time


@dataclass
class Truth:
    """One archive. Lists are in the order of the file, unless said otherwise."""

    head: Json
    descs: dict[str, Desc] = field(default_factory=dict)  # by pmid, with the names of all its entries (ARC-307)
    indoms: dict[str, list[IndomChange]] = field(default_factory=dict)
    labels: dict[tuple[str, int], list[Labels]] = field(default_factory=dict)
    texts: dict[tuple[int, int], HelpText] = field(default_factory=dict)  # the last of each (ARC-433)
    records: list[Record] = field(default_factory=list)
    archives: int = 1  # more: of several that are opened together

    @property
    def version(self) -> int:
        return int(self.head["archive_version"])

    @property
    def start(self) -> int:
        return to_time(self.head["label"]["start"])

    @property
    def end(self) -> int:
        return max((record.time for record in self.records), default=self.start)

    def has_deltas(self) -> bool:
        return any(change.stored == "delta" for changes in self.indoms.values() for change in changes)

    def instances(self, indom: str, time: int) -> dict[int, bytes] | None:
        """What is in force (ARC-346); None: no such domain yet."""
        changes = self.indom_in_time(indom)
        place = bisect.bisect_right([change.time for change in changes], time)
        return dict(changes[place - 1].instances) if place else None

    def indom_in_time(self, indom: str) -> list[IndomChange]:
        """Its changes in the order of time; of those with one time the last in the file counts (ARC-346)."""
        latest = {change.time: change for change in self.indoms.get(indom, ())}
        return [latest[time] for time in sorted(latest)]

    def label_changes(self, label_class: str, identifier: int) -> list[Labels]:
        """Of one level, in the order of time, without what says nothing new (ARC-403).

        Of records with one time the first in the file counts (ARC-400).
        """
        first: dict[int, Labels] = {}
        for labels in self.labels.get((label_class, identifier), ()):
            first.setdefault(labels.time, labels)
        found: list[Labels] = []
        for time in sorted(first):
            if not found or found[-1].sets != first[time].sets:
                found.append(first[time])
        return found


def in_force(changes: list[Labels], time: int) -> tuple[LabelSet, ...]:
    """The labels of one level at a time (ARC-400)."""
    sets: tuple[LabelSet, ...] = ()
    for labels in changes:
        if labels.time <= time:
            sets = labels.sets
    return sets


_MARK_AFTER = 1_000_000  # nanoseconds


def merge(members: Sequence[Truth]) -> Truth:
    """What readers find in archives that are opened together, which are given by their start (ARC-551..557).

    Metadata is that of all; between two archives there is a mark. `violates` is what any of them does.
    """
    first = members[0]
    violated = sorted({rule for each in members for rule in each.head["violates"]})
    merged = Truth({**first.head, "violates": violated}, archives=len(members))
    for number, member in enumerate(members):
        for pmid, desc in member.descs.items():
            known = merged.descs.get(pmid, desc)
            merged.descs[pmid] = dataclasses.replace(known, names=tuple(dict.fromkeys(known.names + desc.names)))
        for indom, changes in member.indoms.items():
            merged.indoms.setdefault(indom, []).extend(changes)
        for level, labels in member.labels.items():
            merged.labels.setdefault(level, []).extend(labels)
        merged.texts |= member.texts
        if number > 0:
            merged.records.append(Record(members[number - 1].end + _MARK_AFTER, ()))
        merged.records += member.records
    return merged


def entries_of(path: Path) -> Iterator[Json]:
    """The log, line by line: a truth can be many times larger than what fits into memory."""
    with path.open(encoding="ascii") as file:
        for line in file:
            if line.startswith('"log":['):
                break
        for line in file:
            if line.startswith("]"):
                return
            yield json.loads(line.rstrip("\n").removesuffix(","))
    raise ValueError(f"{path}: the log has no end")


def load(path: Path) -> Truth:
    """All of it in memory. ValueError for what is incomplete, KeyError for an entry that no reader could decode."""
    truth = Truth(head=_head_of(path))
    for told in entries_of(path):
        entry = to_entry(told)
        if isinstance(entry, Desc):
            known = truth.descs.get(entry.pmid, entry)
            names = tuple(dict.fromkeys(known.names + entry.names))  # ARC-306
            truth.descs[entry.pmid] = dataclasses.replace(known, names=names)
        elif isinstance(entry, IndomChange):
            if told.get("out_of_order"):
                raise ValueError(f"{path}: records of {entry.indom} are not in the order of time")
            truth.indoms.setdefault(entry.indom, []).append(entry)
        elif isinstance(entry, Labels):
            truth.labels.setdefault((entry.label_class, entry.identifier), []).append(entry)
        elif isinstance(entry, HelpText):
            truth.texts[entry.text_type, entry.identifier] = entry
        else:
            truth.records.append(entry)
    return truth


def _head_of(path: Path) -> Json:
    lines = []
    with path.open(encoding="ascii") as file:
        for line in file:
            if line.startswith('"log":['):
                break
            lines.append(line)
    head: Json = json.loads("".join(lines).rstrip().removesuffix(",") + "}")
    if head.get("schema") != "pmproof-truth/1":
        raise ValueError(f"{path}: not a pmproof-truth/1")
    return head
