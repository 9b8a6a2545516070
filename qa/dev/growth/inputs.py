# SPDX-License-Identifier: Apache-2.0
"""Archives with many of one thing, and of nothing else."""

import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from validator.testing import small_archive as archive

METRIC = archive.pmid(60, 0, 1)
DOMAIN = archive.indom(60, 1)
NAME = "a.b"
_EVENT = 9
_ALL = ("check", "info", "dump", "replay", "rewrite")


@dataclass(frozen=True)
class Kind:
    """`make`: pmproof, a base name, how many. `least`: how many of it are the smallest size that is measured."""

    name: str
    least: int
    make: Callable[[Path, Path, int], None]
    commands: Sequence[str] = _ALL
    metric: str = NAME  # for replay
    nothing: int = 1  # the fewest that there can be


def _pmid(at: int) -> int:
    return archive.pmid(60 + at // 1_000_000, at // 1000 % 1000, at % 1000)


def _of_meta(records: Callable[[int], list[bytes]]) -> Callable[[Path, Path, int], None]:
    """Metadata, and two samples of one metric."""

    def make(_: Path, base: Path, count: int) -> None:
        data = [archive.result(archive.START + at, {METRIC: {-1: at}}) for at in range(2)]
        archive.write(base, [archive.desc(METRIC, [NAME.encode()]), *records(count)], [data])

    return make


def _metrics(count: int) -> list[bytes]:
    return [archive.desc(_pmid(at), [b"m.x%d" % at]) for at in range(2, count + 2)]


def _names(count: int) -> list[bytes]:
    return [archive.desc(_pmid(2), [b"m.x%d" % at for at in range(count)])]


def _labels(count: int) -> list[bytes]:
    return [archive.labels(16, _pmid(at), b"k%d" % at, b"v") for at in range(2, count + 2)] + _metrics(count)


def _help_texts(count: int) -> list[bytes]:
    return [archive.text(5, _pmid(at), b"What it counts, and since when.") for at in range(2, count + 2)] + _metrics(count)


def _findings(count: int) -> list[bytes]:
    """Texts of metrics that have no descriptor (ARC-1608)."""
    return [archive.text(5, archive.pmid(400, at // 1000 % 1000, at % 1000), b"x") for at in range(count)]


def _domain_changes(count: int) -> list[bytes]:
    return [archive.instances(DOMAIN, {at: b"i%d" % at, at + 1: b"i%d" % (at + 1)}, archive.START + at) for at in range(count)]


def _instances(_: Path, base: Path, count: int) -> None:
    ids = range(count)
    meta = [archive.desc(METRIC, [NAME.encode()], archive.U32, DOMAIN), archive.instances(DOMAIN, {at: b"i%d" % at for at in ids})]
    values = {METRIC: {at: at for at in ids}}
    archive.write(base, meta, [[archive.result(archive.START + at, values) for at in range(2)]])


def _records(_: Path, base: Path, count: int) -> None:
    """With an index entry for each, as many as there can be."""
    records = [archive.result(archive.START + at, {METRIC: {-1: at}}) for at in range(count)]
    meta = [archive.desc(METRIC, [NAME.encode()])]
    archive.write(base, meta, [records])
    in_meta = base.with_name(base.name + ".meta").stat().st_size
    size = len(records[0])
    with open(base.with_name(base.name + ".index"), "ab") as index:
        for at in range(1, count):
            index.write(archive.entry(archive.START + at, 0, in_meta, archive.LABEL_SIZE + at * size))


def _volumes(_: Path, base: Path, count: int) -> None:
    records = [[archive.result(archive.START + at, {METRIC: {-1: at}})] for at in range(count)]
    archive.write(base, [archive.desc(METRIC, [NAME.encode()])], records)


def _events(_: Path, base: Path, count: int) -> None:
    """ARC-260, ARC-261: one value with many event records, each with one parameter."""
    parameter = struct.pack(">III", METRIC, archive.U32 << 24 | 8, 7)
    records = b"".join(struct.pack(">IIII", archive.START, at % 1_000_000, 1, 1) + parameter for at in range(count))
    content = struct.pack(">I", count) + records
    traced = _pmid(2)
    sets = struct.pack(">IiI", traced, 1, 1) + struct.pack(">iI", -1, (16 + 20) // 4 + 2)
    block = struct.pack(">I", _EVENT << 24 | (len(content) + 4 & 0xFFFFFF)) + content
    data = [archive.record(struct.pack(">III", archive.START + at, 0, 1) + sets + block) for at in range(2)]
    meta = [archive.desc(METRIC, [NAME.encode()]), archive.desc(traced, [b"a.trace"], _EVENT)]
    archive.write(base, meta, [data])


def _deltas(pmproof: Path, base: Path, count: int) -> None:
    """As the generator makes them: ARC-370 is of version 3."""
    words = ["generate", "--quiet", "--no-truth", "--scenario", "deltas", "--metrics", "1", "--instances", "1", "--records", str(count)]
    subprocess.run([pmproof, *words, base], check=True)


def _nothing(_: Path, base: Path, count: int) -> None:
    """No archive: what is measured is an expression of that depth."""
    archive.write(base, [archive.desc(METRIC, [NAME.encode()])], [[archive.result(archive.START, {METRIC: {-1: count}})]])


KINDS = [
    Kind("records, and index entries", 200_000, _records),
    Kind("metrics", 50_000, _of_meta(_metrics)),
    Kind("names of a metric", 50_000, _of_meta(_names)),
    Kind("labels", 50_000, _of_meta(_labels)),
    Kind("help texts", 50_000, _of_meta(_help_texts)),
    Kind("changes of a domain", 50_000, _of_meta(_domain_changes)),
    Kind("deltas of a domain", 20_000, _deltas, metric="deltas.events", nothing=12),
    Kind("instances", 200_000, _instances),
    Kind("event records in a value", 50_000, _events, metric="a.trace"),
    Kind("volumes", 25_000, _volumes, ("check", "info", "dump", "replay")),  # rewrite waits for the disk with each file
    Kind("findings", 50_000, _of_meta(_findings), ("check",)),
    Kind("depth of an expression", 500, _nothing, ("derive",)),
]


def command_line(kind: Kind, command: str, base: Path, out: Path, count: int) -> list[str]:
    """What is run; each ends with status 0."""
    path = str(base)
    return {
        "check": ["check", "--format", "json", path],
        "info": ["info", path],
        "dump": ["dump", path],
        "replay": ["replay", "--raw", "--metric", kind.metric, path],
        "rewrite": ["rewrite", "--force", path, str(out / "new")],
        "derive": ["derive", "--archive", path, "x.y = " + "(" * count + NAME + " + 1)" * count],
    }[command]
