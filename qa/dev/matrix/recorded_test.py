# SPDX-License-Identifier: Apache-2.0
"""golden/matrix: the recorded results, the pages made of them, and the divergence ledger hold together."""

import json
from pathlib import Path

import jsonschema

from qa.dev.matrix import classes, html_page, markdown_page, results
from qa.dev.matrix.originals import ORIGINALS
from qa.dev.matrix.results import Archive
from qa.dev.runs import last_run

FOLDER = Path("golden/matrix")
RESULTS = results.load(FOLDER / "results.jsonl")
CLASSES = classes.load(Path("golden/ledger/ledger.json"))


def test_each_line_is_by_its_schema() -> None:
    schema = json.loads((Path(results.__file__).parent / "schema/results.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    text = (FOLDER / "results.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        validator.validate(json.loads(line))
    assert results.text_of(RESULTS) == text


def test_the_pages_are_made_from_them() -> None:
    """After a change of the ledger or of the pages: qa/dev/matrix/matrix render."""
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == markdown_page.render(RESULTS, CLASSES)
    numbers = "".join(f"{line}\n" for line in markdown_page.summary(RESULTS, CLASSES))
    readme = Path("qa/dev/matrix/README.md").read_text(encoding="utf-8")
    assert last_run.into(readme, numbers) == readme
    assert (FOLDER / "matrix.html").read_text(encoding="utf-8") == html_page.render(RESULTS, CLASSES)


def test_all_was_asked_and_each_failure_has_a_class() -> None:
    assert RESULTS.footer == {"complete": True, "unclassified": 0}
    assert RESULTS.unclassified() == []
    assert RESULTS.entries() <= set(CLASSES)
    assert [one["id"] for one in RESULTS.header["originals"]] == [one.id for one in ORIGINALS]


def test_the_reference_fails_nothing_and_this_projects_writers_keep_everything() -> None:
    assert [one.id for one in RESULTS.failures if one.implementation == "reference"] == []
    for archive in RESULTS.archives:
        if archive.writer.startswith("pmproof "):
            assert archive.refused == ""
            for reader in ("pmproof check", "pmproof dump, replay"):
                assert archive.readings[reader].disagreements == (), (archive.original, archive.writer)


def test_an_entry_is_of_the_versions_that_it_explains() -> None:
    for one in RESULTS.failures:
        assert one.entry is not None
        assert one.implementation.partition(":")[2] in CLASSES[one.entry].versions, one
    for archive in RESULTS.archives:
        for reader, reading in archive.readings.items():
            for disagreement in reading.disagreements:
                assert disagreement.entry is not None
                concerned = {archive.writer.split()[-1], reader.split()[-1]}
                assert concerned & set(CLASSES[disagreement.entry].versions), (archive.writer, reader, disagreement)


def test_every_writer_and_every_reader_took_part() -> None:
    def of(writer: str) -> list[Archive]:
        return [archive for archive in RESULTS.archives if archive.writer == writer and not archive.refused]

    for writer in RESULTS.header["writers"]:
        assert of(writer["name"]), writer
    for reader in RESULTS.header["readers"]:
        compared = [archive.readings[reader].compared for archive in RESULTS.archives if reader in archive.readings]
        assert sum(compared) > 400, reader
