# SPDX-License-Identifier: Apache-2.0
"""What a driver must know of an archive to ask about it: its metrics, and when its records are."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

NANOSECONDS = 10**9
_ARITHMETIC = {"32", "u32", "64", "u64", "float", "double"}
_RECORD = re.compile(r'"type":"(result|mark)".*?"time":"([^"]+)"')


@dataclass
class Contents:
    """Of an archive, or of several that are opened together: then of their metrics those that the first one has, for
    6.0.3 knows no others by name. Times are in nanoseconds."""

    metrics: dict[str, str | None] = field(default_factory=dict)  # each with its instance domain
    instances: set[int] = field(default_factory=set)
    times: list[int] = field(default_factory=list)  # of all records, in their order
    marks: list[int] = field(default_factory=list)
    deltas: set[str] = field(default_factory=set)  # metrics whose instance domains have delta records (DEV-24)
    lasting: set[str] = field(default_factory=set)  # those that are DISCRETE or opaque (DEV-02 to DEV-04)
    members: list[tuple[int, ...]] = field(default_factory=list)  # the times of each archive of a set

    def add(self, lines: Iterable[str]) -> None:
        """Takes the lines of OUT.truth.json, or those of `pmproof dump --format jsonl`."""
        delta_domains = set()
        before = len(self.times)
        for line in lines:
            if (record := _RECORD.search(line[:200])) is not None:
                self.times.append(nanoseconds(record[2]))
                if record[1] == "mark" or '"metrics":[]' in line:
                    self.marks.append(self.times[-1])
            elif '"type":"desc"' in line or '"type":"indom' in line:
                entry = json.loads(line.rstrip().rstrip(","))
                if entry["type"] == "desc":
                    self._describe(entry)
                else:
                    self.instances |= {each["instance"] for each in entry["instances"]}
                    if entry["type"] == "indom-delta" or entry.get("stored") == "delta":
                        delta_domains.add(entry["indom"])
        self.members.append(tuple(self.times[before:]))
        self.deltas |= {name for name, domain in self.metrics.items() if domain in delta_domains}

    def _describe(self, entry: dict[str, Any]) -> None:
        name = entry["names"][0]
        if self.members:
            return
        self.metrics.setdefault(name, entry["indom"])
        if entry["semantics"] == "discrete" or entry["metric_type"] not in _ARITHMETIC:
            self.lasting.add(name)


def nanoseconds(text: str) -> int:
    """Of "1700000000.25", say."""
    whole, _, fraction = text.lstrip("-").partition(".")
    total = int(whole) * NANOSECONDS + int(fraction[:9].ljust(9, "0"))
    return -total if text.startswith("-") else total


def time_text(time: int) -> str:
    sign, time = ("-", -time) if time < 0 else ("", time)
    return f"{sign}{time // NANOSECONDS}.{time % NANOSECONDS:09d}"
