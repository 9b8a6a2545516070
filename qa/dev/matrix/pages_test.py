# SPDX-License-Identifier: Apache-2.0
"""Results as lines of JSON, and the pages that are made of them."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from qa.beside_pcp.generate.difference import Difference
from qa.dev.matrix import html_page, known, markdown_page, pages, results
from qa.dev.matrix.classes import OURS, SPECIFICATION, THEIRS, UNCLASSIFIED, Class
from qa.dev.matrix.known import Classifier, Known
from qa.dev.matrix.results import Archive, Disagreement, Failure, Reading, Results

SCHEMA = json.loads((Path(results.__file__).parent / "schema/results.schema.json").read_text(encoding="utf-8"))
CLASSES = {
    "DEV-03": Class("DEV-03", "A bound that lies after", "defect", ("6.3.8",)),
    "ARC-500": Class("ARC-500", "What goes back", "quirk", ("6.0.3",)),
}


def small() -> Results:
    found = Results(
        {
            "command": "qa/dev/matrix/matrix run",
            "date": "2026-11-22",
            "minutes": 3,
            "pmproof": "0.1.0",
            "implementations": [{"name": "reference", "version": "pmproof 0.1.0"}, {"name": "pcp:6.3.8", "version": "pcp 6.3.8"}],
            "writers": [{"name": "pmlogextract 6.3.8", "version": "6.3.8", "does": "without options"}],
            "readers": ["pmproof check", "libpcp 6.3.8"],
            "originals": [{"id": "plain-v2", "what": "the usual | kinds", "command": "generate OUT"}],
        },
        footer={"complete": True, "unclassified": 0},
    )
    found.golden[("reference", "replay")] = Counter({"pass": 7})
    found.golden[("pcp:6.3.8", "replay")] = Counter({"pass": 5, "deviation": 1, "skip": 2})
    found.failures.append(Failure("pcp:6.3.8", "replay/steps#1@pcp-6.3.2", "Steps", ("INT-502",), "wrong", "2 <b> for 3", "DEV-03"))
    told = Disagreement("record", "ARC-500", 4, "record 4 at 2.000000000: expected read, got not read <script>")
    readings = {"pmproof check": Reading(20), "libpcp 6.3.8": Reading(19, (told,))}
    found.archives.append(Archive("plain-v2", "pmlogextract 6.3.8", readings=readings))
    found.archives.append(Archive("set-v2", "pmlogextract 6.3.8", readings={"pmproof check": Reading(3), "libpcp 6.3.8": Reading(0, left_out="a set")}))
    return found


def test_they_come_back_from_their_lines_and_are_by_their_schema() -> None:
    found = small()
    text = results.text_of(found)
    assert results.parse(text.splitlines()) == found
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for line in text.splitlines():
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(line))


def test_a_cell_counts_by_the_gravest_class() -> None:
    found = small()
    assert pages.golden_cell(found, "pcp:6.3.8", "replay", CLASSES) == pages.Cell(5, {THEIRS: 1}, ("DEV-03",))
    assert pages.golden_cell(found, "pcp:6.3.8", "derived", CLASSES).gravest == "none"
    cell = pages.archive_cell(found.archives, "libpcp 6.3.8", CLASSES)
    assert (cell.agree, cell.others, cell.gravest) == (0, {SPECIFICATION: 1}, SPECIFICATION)
    assert pages.archive_cell(found.archives, "pmproof check", CLASSES).text == "2 agree"
    assert pages.gravest(["DEV-03", "ARC-500"], CLASSES) == THEIRS
    assert pages.gravest(["DEV-03", None], CLASSES) == pages.gravest(["no-such"], CLASSES) == UNCLASSIFIED


def test_what_has_no_entry_is_told_with_all_it_takes_to_find_it() -> None:
    found = small()
    assert found.unclassified() == []
    found.failures.append(Failure("reference", "replay/x#1", "X", (), "crash", "status 139", None))
    found.archives.append(Archive("plain-v2", "import 7.2.2", "status 1: no", None))
    found.archives.append(Archive("plain-v2", "w", readings={"r": Reading(1, (Disagreement("a", None, 2, "a b: c"),))}))
    assert found.unclassified() == [
        "reference: replay/x#1: crash: status 139",
        "import 7.2.2 of plain-v2: status 1: no",
        "w of plain-v2, r: 2 x a b: c",
    ]
    assert found.entries() == {"DEV-03", "ARC-500"}
    assert "### Without class: 3" in markdown_page.render(found, CLASSES)
    assert "3 disagreements have no class" in html_page.render(found, CLASSES)


def test_the_pages_have_both_tables_a_legend_and_the_classes() -> None:
    found = small()
    markdown = markdown_page.render(found, CLASSES)
    assert "| replay | 7 agree | 5 agree, 1 theirs (DEV-03) |" in markdown
    assert "| `pmlogextract 6.3.8` | 2 written | 2 agree | 1 specification (ARC-500) |" in markdown
    assert "| [ARC-500](../ledger/README.md#arc-500-what-goes-back) | specification | What goes back | - | 1 |" in markdown
    assert "the usual \\| kinds" in markdown
    page = html_page.render(found, CLASSES)
    for told in ('id="golden"', 'id="written"', 'id="legend"', "2 &lt;b&gt; for 3", "&lt;script&gt;", "Content-Security-Policy"):
        assert told in page
    for text in (markdown, page):
        assert all(name in text for name in (OURS, THEIRS, SPECIFICATION, UNCLASSIFIED))


def test_half_a_run_makes_pages_too() -> None:
    found = small()
    found.golden.clear()
    found.failures.clear()
    found.footer["complete"] = False
    assert "## Golden cases" not in markdown_page.render(found, CLASSES)
    assert "not complete" in html_page.render(found, CLASSES)
    found = small()
    found.archives.clear()
    assert "## Writers and readers" not in markdown_page.render(found, CLASSES)
    assert 'id="written"' not in html_page.render(found, CLASSES)


def test_a_disagreement_has_the_entry_of_its_clause_or_of_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Known("DEV-03", "pmlogextract", "libpcp", "record", "at 7"), Known("no-such", "import", "", "values")
    monkeypatch.setattr(known, "KNOWN", (first, second))
    classifier = Classifier(CLASSES)
    assert classifier.entry_of("any", "any", Difference("record", "at 7", "a", "b", "ARC-001, ARC-500")) == "ARC-500"
    assert classifier.entry_of("any", "any", Difference("record", "at 7", "a", "b", "ARC-001")) is None
    assert classifier.entry_of("pmlogextract 6.3.8", "libpcp 6.3.8", Difference("record", "at 7", "a", "b")) == "DEV-03"
    assert classifier.unused() == [second]
    assert classifier.entry_of("import 6.3.8", "libpcp", Difference("values", "at 7", "a", "b")) is None
    assert classifier.entry_of("pmlogextract 6.3.8", "libpcp 6.3.8", Difference("record", "at 8", "a", "b")) is None
    assert classifier.entry_of("import 6.3.8", "libpcp 6.3.8", Difference("record", "at 7", "a", "b")) is None
    assert [classifier.entry_named(name) for name in ("DEV-03", "DEV-04", "ARC-500", "a damaged record")] == ["DEV-03", None, None, None]
