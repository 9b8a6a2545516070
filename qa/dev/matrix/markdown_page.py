# SPDX-License-Identifier: Apache-2.0
"""golden/matrix/README.md."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from qa.dev.matrix import pages
from qa.dev.matrix.classes import Class
from qa.dev.matrix.pages import Cell
from qa.dev.matrix.results import Results

_HEAD = """\
# The matrix

Written by `{command}`, which see: [qa/dev/matrix/README.md](../../qa/dev/matrix/README.md). The same as a page with every disagreement: `matrix.html`;
as data: `results.jsonl` (`qa/dev/matrix/schema/results.schema.json`). A test holds the three together.
"""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, rows)
    yield ""


def _told(cell: Cell) -> str:
    return cell.text + (f" ({', '.join(cell.entries)})" if cell.entries else "")


def _link(entry: str, classes: Mapping[str, Class]) -> str:
    return f"[{entry}](../ledger/README.md#{classes[entry].anchor})"


def _golden(results: Results, classes: Mapping[str, Class]) -> Iterator[str]:
    yield "## Golden cases"
    yield ""
    yield "Requests of the golden cases, each under each rule or dialect that the implementation has, by chapter."
    yield ""
    names = [one["name"] for one in results.implementations]
    rows = []
    for chapter in results.chapters:
        cells = [pages.golden_cell(results, name, chapter, classes) for name in names]
        rows.append([chapter, *(_told(cell) for cell in cells)])
    yield from _table(["chapter", *(f"`{name}`" for name in names)], rows)


def _writers(results: Results, classes: Mapping[str, Class]) -> Iterator[str]:
    readers = list(results.header["readers"])
    yield "## Writers and readers"
    yield ""
    yield f"{len(results.header['originals'])} archives of `pmproof generate` are given to each writer that takes them, and what it writes to each reader."
    yield "A number counts archives; in the first column, those that were written."
    yield ""
    rows = []
    for writer in results.header["writers"]:
        archives = [one for one in results.archives if one.writer == writer["name"]]
        cells = [pages.written_cell(archives, classes), *(pages.archive_cell(archives, reader, classes) for reader in readers)]
        rows.append([f"`{writer['name']}`", *(_told(cell) for cell in cells)])
    yield from _table(["writer", "written", *(f"`{reader}`" for reader in readers)], rows)


def _legend() -> Iterator[str]:
    yield "## Legend"
    yield ""
    for name, told in pages.LEGEND.items():
        yield f"- *{'not asked' if name == 'none' else name}*: {told}."
    yield ""
    yield "What a writer is given, and what a reader's answer is compared with: [qa/dev/matrix/README.md](../../qa/dev/matrix/README.md#what-is-compared)."
    yield ""


def _entries(results: Results, classes: Mapping[str, Class]) -> Iterator[str]:
    yield "## What does not agree"
    yield ""
    used = results.entries()
    rows = []
    for entry in (name for name in classes if name in used):
        one = classes[entry]
        golden = sum(failure.entry == entry for failure in results.failures)
        written = [
            archive
            for archive in results.archives
            if archive.refused_entry == entry
            or any(each.entry == entry for reading in archive.readings.values() for each in reading.disagreements)
        ]
        rows.append([_link(entry, classes), one.name, _cell(one.title), str(golden or "-"), str(len(written) or "-")])
    yield from _table(["entry", "class", "what", "requests", "archives"], rows)
    if lost := results.unclassified():
        yield f"### Without class: {len(lost)}"
        yield ""
        yield from (f"- {_cell(line)}" for line in lost)
        yield ""


def _originals(results: Results) -> Iterator[str]:
    yield "## The originals"
    yield ""
    rows = [[one["id"], _cell(one["what"]), f"`pmproof {one['command']}`"] for one in results.header["originals"]]
    yield from _table(["", "what is in it", "made by"], rows)


def summary(results: Results, classes: Mapping[str, Class]) -> Iterator[str]:
    """The run in numbers."""
    header = results.header
    if not results.footer.get("complete"):
        yield "- **The run was not complete.**"
    yield f"- `{header['command']}`, {header['date']}, {header['minutes']} minutes, pmproof {header['pmproof']}."
    if results.golden:
        versions = ", ".join(f"{one['name']} ({one['version']})" for one in results.implementations)
        checks = sum(sum(counts.values()) for counts in results.golden.values())
        yield f"- Implementations: {versions}."
        yield f"- {checks:,} checks of golden cases, {len(results.failures)} of them otherwise than expected."
    if results.archives:
        readings = [reading for archive in results.archives for reading in archive.readings.values() if not reading.left_out]
        differing = sum(bool(reading.disagreements) for reading in readings)
        yield f"- {len(results.archives)} archives by {len(header['writers'])} writers from {len(header['originals'])} originals, read {len(readings):,} times by"
        yield f"  {len(header['readers'])} readers, {differing} times otherwise than expected; {sum(each.compared for each in readings):,} values and records compared."
    used = Counter(classes[entry].name for entry in results.entries())
    told = ", ".join(f"{used[name]} {name}" for name in pages.ORDER if used[name]) or "none"
    yield f"- Entries of the ledger that explain it: {told}. Without class: {len(results.unclassified())}."


def render(results: Results, classes: Mapping[str, Class]) -> str:
    lines = [_HEAD.format(command=results.header["command"]), *summary(results, classes), ""]
    if results.golden:
        lines += _golden(results, classes)
    if results.archives:
        lines += _writers(results, classes)
    lines += _legend()
    lines += _entries(results, classes)
    if results.archives:
        lines += _originals(results)
    return "\n".join(lines).rstrip("\n") + "\n"
