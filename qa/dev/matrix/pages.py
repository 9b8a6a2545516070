# SPDX-License-Identifier: Apache-2.0
"""What the Markdown and the HTML page have in common: the cells of both tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qa.dev.matrix.classes import OURS, SPECIFICATION, THEIRS, UNCLASSIFIED, Class
from qa.dev.matrix.results import Archive, Disagreement, Failure, Results

ORDER = (UNCLASSIFIED, OURS, THEIRS, SPECIFICATION)
LEGEND = {
    "agree": "as expected",
    THEIRS: "otherwise, and the fault is PCP's: the entry of the ledger says why",
    SPECIFICATION: "otherwise, as the specification says that PCP does, or because it leaves that open",
    OURS: "otherwise, and the fault is this project's: to be mended",
    UNCLASSIFIED: "otherwise, and nobody has said why: the run fails",
    "none": "the operation is not there, or the original is not for this writer or reader",
}


@dataclass(frozen=True)
class Cell:
    """`agree` checks or archives came out as expected; of the others, how many by the gravest class of each."""

    agree: int
    others: Mapping[str, int]
    entries: tuple[str, ...]
    word: str = "agree"

    @property
    def gravest(self) -> str:
        """A class, "agree", or "none"."""
        return next((name for name in ORDER if self.others.get(name)), "agree" if self.agree else "none")

    @property
    def text(self) -> str:
        told = [f"{self.agree} {self.word}"] if self.agree else []
        told += [f"{self.others[name]} {name}" for name in ORDER if self.others.get(name)]
        return ", ".join(told) or "not asked"


def class_of(entry: str | None, classes: Mapping[str, Class]) -> str:
    return UNCLASSIFIED if entry is None or entry not in classes else classes[entry].name


def gravest(entries: Sequence[str | None], classes: Mapping[str, Class]) -> str:
    found = {class_of(entry, classes) for entry in entries}
    return next(name for name in ORDER if name in found)


def golden_cell(results: Results, implementation: str, chapter: str, classes: Mapping[str, Class]) -> Cell:
    counts = results.golden.get((implementation, chapter), Counter())
    failures = golden_failures(results, implementation, chapter)
    others = Counter(class_of(one.entry, classes) for one in failures)
    return Cell(counts["pass"], others, tuple(sorted({one.entry for one in failures if one.entry})))


def golden_failures(results: Results, implementation: str, chapter: str) -> list[Failure]:
    return [one for one in results.failures if one.implementation == implementation and one.chapter == chapter]


def archive_cell(archives: Sequence[Archive], reader: str, classes: Mapping[str, Class]) -> Cell:
    """Of one writer's archives."""
    agree = 0
    others: Counter[str] = Counter()
    entries: set[str] = set()
    for archive in archives:
        reading = archive.readings.get(reader)
        if reading is None or reading.left_out:
            continue
        found = [one.entry for one in reading.disagreements]
        if not found:
            agree += 1
            continue
        others[gravest(found, classes)] += 1
        entries.update(entry for entry in found if entry)
    return Cell(agree, others, tuple(sorted(entries)))


def written_cell(archives: Sequence[Archive], classes: Mapping[str, Class]) -> Cell:
    """How many originals one writer took: what it refused needs an entry, too."""
    refused = [archive.refused_entry for archive in archives if archive.refused]
    others = Counter(class_of(entry, classes) for entry in refused)
    return Cell(len(archives) - len(refused), others, tuple(sorted({entry for entry in refused if entry})), "written")


def by_entry(archives: Sequence[Archive]) -> dict[str | None, list[tuple[str, str, Disagreement]]]:
    """Of one writer's archives: original, reader and disagreement."""
    found: dict[str | None, list[tuple[str, str, Disagreement]]] = {}
    for archive in archives:
        if archive.refused:
            told = Disagreement("refused", archive.refused_entry, 1, archive.refused)
            found.setdefault(archive.refused_entry, []).append((archive.original, "", told))
        for reader, reading in archive.readings.items():
            for one in reading.disagreements:
                found.setdefault(one.entry, []).append((archive.original, reader, one))
    return dict(sorted(found.items(), key=lambda item: item[0] or ""))


def in_order(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))
