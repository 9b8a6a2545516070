# SPDX-License-Identifier: Apache-2.0
"""golden/matrix/matrix.html: one page (qa/suite/reports/shell.py)."""

import html
from collections.abc import Iterator, Mapping, Sequence

from qa.dev.matrix import pages
from qa.dev.matrix.classes import OURS, SPECIFICATION, THEIRS, UNCLASSIFIED, Class
from qa.dev.matrix.pages import Cell
from qa.dev.matrix.results import Archive, Disagreement, Json, Results
from qa.suite.reports import shell

_COLORS = {"agree": "good", THEIRS: "warning", SPECIFICATION: "info", OURS: "error", UNCLASSIFIED: "error", "none": "faint"}
_MARKS = {"agree": "✓", THEIRS: "≈", SPECIFICATION: "§", OURS: "✗", UNCLASSIFIED: "✗✗", "none": "–"}


def _e(text: object) -> str:
    return html.escape(str(text))


def _anchor(*names: str) -> str:
    return "-".join("".join(c if c.isalnum() or c in "._" else "-" for c in name) for name in names)


def _mark(name: str, text: str = "") -> str:
    return f'<span class="mark {_COLORS[name]}">{_MARKS[name]}{_e(f" {text}" if text else "")}</span>'


def _td(cell: Cell, target: str) -> str:
    if cell.gravest == "none":
        return '<td class="faint">–</td>'
    told = [f"{_MARKS['agree']}&#8239;{cell.agree}"] if cell.agree else []
    told += [f"{_MARKS[name]}&#8239;{cell.others[name]}" for name in pages.ORDER if cell.others.get(name)]
    title = _e(cell.text + (f" ({', '.join(cell.entries)})" if cell.entries else ""))
    return f'<td class="{_COLORS[cell.gravest]}" title="{title}"><a href="#{_e(target)}">{" ".join(told)}</a></td>'


class _Page:
    def __init__(self, results: Results, classes: Mapping[str, Class]) -> None:
        self._results = results
        self._classes = classes

    def parts(self) -> Iterator[str]:
        yield from self._top()
        yield from self._legend()
        kinds = {name: name for name in ("agree", *reversed(pages.ORDER))}
        yield shell.controls("Search implementation, writer, case, archive", kinds, "implementations and writers")
        if self._results.golden:
            yield from self._golden()
        if self._results.archives:
            yield from self._written()
        yield "<h2>What does not agree</h2>\n"
        for one in self._results.implementations if self._results.golden else ():
            yield from self._implementation(one)
        for writer in self._results.header["writers"] if self._results.archives else ():
            yield from self._writer(writer)
        if self._results.archives:
            yield from self._originals()

    def _top(self) -> Iterator[str]:
        header = self._results.header
        yield f'<p class="faint"><code>{_e(header["command"])}</code></p>\n'
        if not self._results.footer.get("complete"):
            yield '<p class="note error">The run was not complete: what is missing here was not asked.</p>\n'

    def _golden(self) -> Iterator[str]:
        yield "<h2>Golden cases</h2>\n"
        yield '<p class="faint">Requests of the golden cases, each under each rule or dialect that the implementation has.</p>\n'
        yield '<div class="scroll"><table class="figures cells" id="golden">\n<tr><th>chapter</th>'
        yield "".join(f"<th>{_e(one['name'])}</th>" for one in self._results.implementations) + "</tr>\n"
        for chapter in self._results.chapters:
            yield f"<tr><th>{_e(chapter)}</th>"
            for one in self._results.implementations:
                cell = pages.golden_cell(self._results, one["name"], chapter, self._classes)
                yield _td(cell, _anchor("golden", one["name"]))
            yield "</tr>\n"
        yield "</table></div>\n"

    def _written(self) -> Iterator[str]:
        readers = self._results.header["readers"]
        yield "<h2>Writers and readers</h2>\n"
        number = len(self._results.header["originals"])
        yield f'<p class="faint">Archives: {number} originals are given to each writer that takes them, and what it writes to each reader.</p>\n'
        yield '<div class="scroll group"><table class="figures cells" id="written">\n<tr><th>writer</th><th>written</th>'
        yield "".join(f"<th>{_e(reader)}</th>" for reader in readers) + "</tr>\n"
        for writer in self._results.header["writers"]:
            archives = self._archives_of(writer)
            target = _anchor("writer", writer["name"])
            kinds = self._kinds(list(pages.by_entry(archives)))
            yield f'<tr data-kind="{kinds}" data-again><th><a href="#{_e(target)}">{_e(writer["name"])}</a></th>' + _td(pages.written_cell(archives, self._classes), target)
            yield "".join(_td(pages.archive_cell(archives, reader, self._classes), target) for reader in readers) + "</tr>\n"
        yield "</table></div>\n"

    def _legend(self) -> Iterator[str]:
        yield '<ul id="legend">\n'
        for name, told in pages.LEGEND.items():
            yield f"<li>{_mark(name, 'not asked' if name == 'none' else name)} {_e(told)}</li>\n"
        yield "</ul>\n"

    def _archives_of(self, writer: Json) -> list[Archive]:
        return [one for one in self._results.archives if one.writer == writer["name"]]

    def _entry(self, entry: str | None) -> str:
        if entry is None or entry not in self._classes:
            return _mark(UNCLASSIFIED, UNCLASSIFIED)
        one = self._classes[entry]
        return f"{_mark(one.name, one.name)} <b>{_e(entry)}</b> {_e(one.title)}"

    def _kinds(self, entries: Sequence[str | None]) -> str:
        """The classes of disagreements, or that there are none, as rows.js wants them."""
        return " ".join(sorted({pages.class_of(entry, self._classes) for entry in entries})) or "agree"

    def _implementation(self, one: Json) -> Iterator[str]:
        failures = [failure for failure in self._results.failures if failure.implementation == one["name"]]
        number = sum(sum(counts.values()) for (name, _), counts in self._results.golden.items() if name == one["name"])
        kinds = self._kinds([failure.entry for failure in failures])
        yield f'<details class="fold" data-kind="{kinds}" id="{_e(_anchor("golden", one["name"]))}"><summary><code>{_e(one["name"])}</code> '
        yield f"{_e(one['version'])}: {len(failures)} of {number} checks otherwise</summary>\n<div class=\"inside\">\n"
        entries = sorted({failure.entry for failure in failures}, key=lambda entry: entry or "")
        for entry in entries:
            yield f'<div class="request" data-kind="{self._kinds([entry])}"><p>{self._entry(entry)}</p>\n<ul>\n'
            for failure in (failure for failure in failures if failure.entry == entry):
                told = f"<code>{_e(failure.outcome)}: {_e(failure.message)}</code>"
                yield f"<li><code>{_e(failure.id)}</code> [{_e(', '.join(failure.clauses))}] {_e(failure.title)}: {told}</li>\n"
            yield "</ul></div>\n"
        yield "</div></details>\n"

    def _writer(self, writer: Json) -> Iterator[str]:
        archives = self._archives_of(writer)
        found = pages.by_entry(archives)
        differing = {original for told in found.values() for original, _, _ in told}
        yield f'<details class="fold" data-kind="{self._kinds(list(found))}" id="{_e(_anchor("writer", writer["name"]))}"><summary><code>{_e(writer["name"])}</code> '
        yield f"{_e(writer['does'])}: {len(differing)} of {len(archives)} archives otherwise</summary>\n<div class=\"inside\">\n"
        for entry, told in found.items():
            yield f'<div class="request" data-kind="{self._kinds([entry])}"><p>{self._entry(entry)}</p>\n<ul>\n'
            for (reader, aspect), places in _by_reader(told).items():
                originals = pages.in_order([original for original, _ in places])
                yield f"<li>{_e(reader or 'the writer')}, {_e(aspect)}: {_e(originals)}<br><code>{_e(places[0][1])}</code></li>\n"
            yield "</ul></div>\n"
        yield "</div></details>\n"

    def _originals(self) -> Iterator[str]:
        yield '<h2>The originals</h2>\n<div class="scroll"><table class="figures sorts">\n<thead><tr><th>original</th><th>what is in it</th><th>made by</th></tr></thead>\n<tbody>\n'
        for one in self._results.header["originals"]:
            yield f"<tr data-kind=\"\"><td>{_e(one['id'])}</td><td>{_e(one['what'])}</td><td><code>pmproof {_e(one['command'])}</code></td></tr>\n"
        yield "</tbody>\n</table></div>\n"


def _by_reader(told: Sequence[tuple[str, str, Disagreement]]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Original and example, by reader and aspect."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for original, reader, one in told:
        found.setdefault((reader, one.aspect), []).append((original, one.example))
    return found


def render(results: Results, classes: Mapping[str, Class]) -> str:
    header = results.header
    if lost := results.unclassified():
        verdict, style = f"{len(lost)} disagreements have no class", "error"
    else:
        verdict, style = "All that does not agree has a class", "good"
    if not results.footer.get("complete"):
        verdict, style = f"{verdict}; the run is not complete", "fatal"
    head = shell.Head("matrix", "Implementations, writers and readers", verdict, style, header["pmproof"], header["date"])
    return shell.framed(head, "".join(_Page(results, classes).parts()))
