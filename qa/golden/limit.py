# SPDX-License-Identifier: Apache-2.0
"""What the tables of archive/limits* are made of: changes to the base archives, and the words of records (section 6 to 8)."""

from collections.abc import Sequence
from dataclasses import dataclass

Finding = tuple[str, str, str, int]  # rule, severity, part, offset
Change = tuple[str, int, str, str]  # part, offset, the bytes there (or REST), the bytes in their place
REST = "all that follows"


@dataclass(frozen=True)
class Limit:
    name: str
    title: str
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]  # warnings and more, or what `least` says; none: it is sound
    of: str = "base-v3"
    split: int = 0  # the first volume ends here, and the rest makes volume 1
    compressed: str = ""  # the first volume, after the changes: one of compressed_limits.WAYS
    least: str = ""
    profile: str = ""
    counts: tuple[int, ...] = ()  # in how many places each of the findings is; without them in one each


@dataclass(frozen=True)
class Table:
    """A case: archive/NAME."""

    name: str
    title: str
    why: str
    note: str
    clauses: tuple[str, ...]  # beside those of the findings
    limits: Sequence[Limit]


# Where the files of base-v3 and of base-v2 end.
META_END, VOLUME_END = 1610, 2992
V2_META_END, V2_VOLUME_END = 920, 2292

# Records in the year of the base archives; times in seconds from their start.


def time_of(second: int, nanosecond: int = 0) -> str:
    return f"{0x6553F100 + second:08x}{0:08x}{nanosecond:08x}"


def framed(body: str) -> str:
    length = f"{len(body) // 2 + 8:08x}"
    return length + body + length


def data(second: int, *sets: str, blocks: str = "", nanosecond: int = 0) -> str:
    return framed(f"{time_of(second, nanosecond)}{len(sets):08x}{''.join(sets)}{blocks}")


def insitu(pmid: str, word: str) -> str:
    return f"{pmid}0000000100000000ffffffff{word}"


def descriptor(pmid: str, name: str, metric_type: int = 1, indom: str = "ffffffff", semantics: int = 3, units: str = "00000000") -> str:
    return framed(f"00000001{pmid}{metric_type:08x}{indom}{semantics:08x}{units}00000001{len(name):08x}{name.encode().hex()}")


def labels(second: int, label_class: str, identifier: str, *sets: str) -> str:
    return framed(f"00000007{time_of(second)}{label_class}{identifier}{len(sets):08x}{''.join(sets)}")


def mark(second: int, nanosecond: int = 0) -> str:
    return framed(time_of(second, nanosecond) + f"{0:08x}")


def entry(second: int, volume: int, meta_offset: int, data_offset: int, nanosecond: int = 0) -> str:
    return f"{time_of(second, nanosecond)}{volume:08x}{meta_offset:016x}{data_offset:016x}"


# ARC-590: PMID, name, type, instance domain, semantics.
PMLOGGER = (
    ("00800c03", "pmcd.pmlogger.host", 6, "00800001", 4),
    ("00800c00", "pmcd.pmlogger.port", 1, "00800001", 4),
    ("00800c02", "pmcd.pmlogger.archive", 6, "00800001", 4),
    ("00800017", "pmcd.pid", 3, "ffffffff", 4),
    ("00800018", "pmcd.seqnum", 1, "ffffffff", 4),
)


# The host of the label, as labels of the context.
_CONTEXT = labels(0, f"{1:08x}", "ffffffff", "ffffffff00000017" + b'{"hostname":"testhost"}'.hex() + "0000000100020801000c000a")


class Whole:
    """An archive of version 3 of its own, with the labels of base-v3: metadata (after the labels of its context), a volume, and an index."""

    def __init__(self, meta: Sequence[str], records: Sequence[str], index: Sequence[str] | None = None) -> None:
        self.offsets = self._offsets(808, records)
        self.meta_offsets = self._offsets(808 + len(_CONTEXT) // 2, meta)
        if index is None:
            first, last = records[0][8:32], records[-1][8:32]
            whole = f"{0:08x}{self.meta_offsets[-1]:016x}"
            index = [f"{first}{0:08x}{808:016x}{808:016x}", f"{last}{whole}{self.offsets[-2]:016x}"][: 2 if len(records) > 1 else 1]
        self.changes: tuple[Change, ...] = (
            ("meta", 808, REST, _CONTEXT + "".join(meta)),
            ("0", 808, REST, "".join(records)),
            ("index", 808, REST, "".join(index)),
        )

    @staticmethod
    def _offsets(begin: int, records: Sequence[str]) -> list[int]:
        """Where each begins, and where the last one ends."""
        offsets = [begin]
        for record in records:
            offsets.append(offsets[-1] + len(record) // 2)
        return offsets
