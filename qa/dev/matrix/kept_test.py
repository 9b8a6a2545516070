# SPDX-License-Identifier: Apache-2.0
"""What was given beside what was written: nothing is lost unseen. Without any PCP."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from qa.beside_pcp.generate.truth import Truth
from qa.dev.matrix import decoded, importing, kept, originals, readers, writers
from qa.dev.matrix.classes import load as load_classes
from qa.dev.matrix.known import KNOWN
from qa.dev.matrix.originals import ORIGINALS, Made
from qa.dev.matrix.readers import Readers, Said, Task

PMPROOF = Path(os.environ["PMPROOF"]).resolve()


def original(name: str, folder: Path) -> Made:
    return originals.make(next(one for one in ORIGINALS if one.id == name), PMPROOF, folder)


def decode(base: Path) -> Truth:
    return decoded.decode(PMPROOF, base).truth


def aspects(expected: Truth, actual: Truth) -> set[str]:
    return {each.aspect for each in kept.compare(expected, actual).differences}


def overwrite(base: Path, suffix: str, old: bytes, new: bytes) -> None:
    """The last of them."""
    path = Path(f"{base}.{suffix}")
    before, found, after = path.read_bytes().rpartition(old)
    assert found
    path.write_bytes(before + new + after)


@pytest.mark.parametrize("name", [one.id for one in ORIGINALS])
def test_an_original_has_what_its_truth_says(name: str, tmp_path: Path) -> None:
    made = original(name, tmp_path)
    for base, truth in zip(made.bases, made.truths):
        found = kept.compare(truth, decode(base))
        assert found.differences == []
        assert found.records == len(truth.records)
        assert found.values == sum(record.value_count() for record in truth.records) > 0


class TestWhatIsLostIsSeen:
    def test_a_value(self, tmp_path: Path) -> None:
        made = original("types-v3", tmp_path)
        overwrite(made.bases[0], "0", b"two\nlines\0", b"two\nliars\0")
        assert aspects(made.truth, decode(made.bases[0])) == {"values"}

    def test_the_number_of_missed_events(self, tmp_path: Path) -> None:
        """ARC-275"""
        made = original("events-v3", tmp_path)
        missed = bytes.fromhex("80000000")
        data = Path(f"{made.bases[0]}.0").read_bytes()
        place = data.index(missed)
        number = data[place + 4 : place + 8]
        assert number != bytes(4)
        Path(f"{made.bases[0]}.0").write_bytes(data[: place + 4] + bytes(4) + data[place + 8 :])
        assert aspects(made.truth, decode(made.bases[0])) == {"missed"}

    def test_a_record_and_a_mark(self, tmp_path: Path) -> None:
        made = original("marks-v2", tmp_path)
        less = decode(made.bases[0])
        del less.records[next(i for i, one in enumerate(less.records) if not one.sets)]
        assert aspects(made.truth, less) == {"mark"}
        del less.records[next(i for i, one in enumerate(less.records) if one.sets)]
        assert aspects(made.truth, less) == {"mark", "record"}
        assert aspects(less, made.truth) == {"mark", "record"}

    def test_the_name_of_an_instance(self, tmp_path: Path) -> None:
        made = original("plain-v2", tmp_path)
        overwrite(made.bases[0], "meta", b"dev1\0", b"dev7\0")
        assert aspects(made.truth, decode(made.bases[0])) == {"instances"}

    def test_labels_texts_and_descriptors(self, tmp_path: Path) -> None:
        made = original("labels-v3", tmp_path)
        overwrite(made.bases[0], "meta", b'"changed":', b'"chanted":')
        overwrite(made.bases[0], "meta", b"Width of a bus", b"Width of a box")
        overwrite(made.bases[0], "meta", b"plain.load", b"plain.loud")
        assert aspects(made.truth, decode(made.bases[0])) == {"labels", "text", "names"}
        less = decode(made.bases[0])
        less.labels.popitem()
        less.descs.popitem()
        assert aspects(made.truth, less) >= {"labels", "descs"}

    def test_the_order_of_records(self, tmp_path: Path) -> None:
        made = original("plain-v3", tmp_path)
        other = decode(made.bases[0])
        other.records.reverse()
        assert aspects(made.truth, other) == {"order"}

    def test_only_what_is_asked_for(self, tmp_path: Path) -> None:
        made = original("labels-v3", tmp_path)
        other = decode(made.bases[0])
        other.records.clear()
        other.labels.clear()
        found = kept.compare(made.truth, other, frozenset({"labels"}))
        assert {each.aspect for each in found.differences} == {"labels"}


def read(made: Made, written: writers.Written) -> dict[str, Said]:
    several = Readers(PMPROOF, [], written.base.parent)
    try:
        questions = several.questions(made.bases[0], "test")
        assert len(questions) == 2
        return several.read(Task(written, decoded.decode(PMPROOF, written.base), made.bases, frozenset(), questions))
    finally:
        several.close()


def test_this_projects_writers_keep_everything(tmp_path: Path) -> None:
    made = original("labels-v2", tmp_path)
    for writer in writers.ours(PMPROOF):
        for old in tmp_path.glob("out*"):
            old.unlink()
        assert writer.takes(made) == ""
        written = writer.write(made, tmp_path)
        assert written.refused == ""
        said = read(made, written)
        assert [each.differences for each in said.values()] == [[], []], writer.name
        assert said[readers.DECODER].compared > 100


def test_an_archive_that_is_not_conformant_and_replayed_otherwise_is_seen(tmp_path: Path) -> None:
    made = original("plain-v2", tmp_path)
    written = writers.ours(PMPROOF)[1].write(made, tmp_path)
    data = bytearray(Path(f"{written.base}.0").read_bytes())
    # Every record but the label a second earlier than it was: the index is wrong, and so is each answer.
    place = 132
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        seconds = int.from_bytes(data[place + 4 : place + 8], "big")
        data[place + 4 : place + 8] = (seconds - 1).to_bytes(4, "big")
        place += length
    Path(f"{written.base}.0").write_bytes(data)
    said = read(made, written)
    assert {each.aspect for each in said[readers.CHECK].differences} == {"check"}
    assert "record" in {each.aspect for each in said[readers.DECODER].differences}

    # As if that had been asked for: then the octets agree, and replay says that they are not the original's.
    said = read(made, replace(written, expected=decode(written.base)))
    assert {each.aspect for each in said[readers.DECODER].differences} == {"replay"}


def test_what_is_put_into_the_import_library_is_what_is_expected_of_it(tmp_path: Path) -> None:
    made = original("indoms-v3", tmp_path)
    request, expected = importing.request_of(made.truth)
    steps = [step["do"] for step in request["steps"]]
    assert steps.count("metric") == len(expected.descs)
    assert steps.count("write") == len([one for one in expected.records if one.sets])
    assert steps.count("value") == sum(record.value_count() for record in expected.records) > 100
    put = [step["indom"] for step in request["steps"] if step["do"] == "instance"]
    assert len(put) == sum(len(changes[-1].instances) for changes in expected.indoms.values())
    for changes in expected.indoms.values():
        assert all(set(one.instances) < set(other.instances) for one, other in zip(changes, changes[1:]))


def test_what_is_known_is_in_the_ledger() -> None:
    entries = load_classes(Path("golden/ledger/ledger.json"))
    assert {known.entry for known in KNOWN} <= set(entries)
