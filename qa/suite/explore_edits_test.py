# SPDX-License-Identifier: Apache-2.0
"""Changes of single fields, and what `suite explore` asks about archives that have some."""

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from qa.adapters.process import Stop
from qa.adapters.testee import Limits, Testee
from qa.golden.layout import fields_of
from qa.suite.explore import archive_scenes, configurations, edited_scenes, field_edits, pdus
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.scene import Ask, Variants

PMPROOF = os.path.abspath(os.environ["PMPROOF"])
BASE = Path("golden/archive/base-v3")


@pytest.fixture(name="files")
def fixture_files() -> dict[str, bytes]:
    return {part: (BASE / f"base.{part}").read_bytes() for part in ("meta", "index", "0")}


def test_the_same_chance_makes_the_same_change_in_one_file(files: dict[str, bytes]) -> None:
    for seed in range(300):
        one, other = (field_edits.edited(random.Random(seed), files) for _ in range(2))
        assert one == other
        changed, told = one
        assert sum(changed[part] != files[part] for part in files) <= (3 if told.startswith("labels:") else 1)
        assert set(changed) == set(files)
        assert told.split()[0] in (*files, "labels:")


def test_every_kind_of_field_is_changed_however_few_there_are(files: dict[str, bytes]) -> None:
    met: Counter[str] = Counter()
    for seed in range(3000):
        changed, _ = field_edits.edited(random.Random(seed), files)
        for part, content in changed.items():
            if len(content) != len(files[part]):
                met["length"] += 1
                continue
            differ = {at for at, (new, old) in enumerate(zip(content, files[part], strict=True)) if new != old}
            met.update(one.name for one in fields_of(part, files[part]) if len(differ) and min(differ) >= one.offset and max(differ) < one.offset + one.size)
    assert met["length"] > 100  # a record twice, left out, cut
    # One of each label, and hundreds of values.
    for name in ("magic", "pid", "features", "zoneinfo", "units", "name offset", "jsonlen", "label entry", "numpmid", "valfmt", "value", "padding", "event flags", "offset in .meta"):
        assert met[name] > 10, name


def test_a_start_is_another_one_in_each_file_that_says_it(files: dict[str, bytes]) -> None:
    told = [field_edits.edited(random.Random(seed), files) for seed in range(300)]
    moved = [changed for changed, what in told if what.startswith("labels:")]
    assert len(moved) > 5
    for changed in moved:
        starts = {int.from_bytes(content[12:16], "big") - 1_700_000_000 for content in changed.values()}
        assert len(starts) == 1 and starts != {0}
        assert all(content[:12] + content[16:] == files[part][:12] + files[part][16:] for part, content in changed.items())


def test_other_labels_stand_in_a_record_of_their_length(files: dict[str, bytes]) -> None:
    met = 0
    for seed in range(6000):
        changed, told = field_edits.edited(random.Random(seed), files)
        if told.startswith("meta JSON") and len(changed["meta"]) != len(files["meta"]):
            met += 1
            records = [one for one in fields_of("meta", changed["meta"]) if one.name == "record"]
            assert records[-1].offset + records[-1].size == len(changed["meta"])
            for one in records:
                assert changed["meta"][one.offset : one.offset + 4] == changed["meta"][one.offset + one.size - 4 : one.offset + one.size]
            assert field_edits.shown_by(told) == ["archive.labels"]
    assert met > 10


def test_what_an_edit_is_shown_by() -> None:
    assert field_edits.shown_by("meta instance name 1103: 61 to 62") == ["archive.indom"]
    assert field_edits.shown_by("meta units 820: 00 to 01") == ["archive.describe"]
    for told in ("0 value 952: 00 to 01", "meta type 824: 01 to 02", "labels: the start is 5 s later", "0 808: without the record"):
        assert field_edits.shown_by(told) == ("replay.interp", "replay.raw")


def test_a_copy_that_is_still_sound_is_asked_about_everything_and_what_can_be_read_is_written(tmp_path: Path) -> None:
    stop = Stop()
    with Testee("reference", lambda: [PMPROOF, "testee"], Limits(), stop=stop) as reference:
        reference.start()
        wants = Variants(frozenset(reference.hello["capabilities"]), ["documented"], ["7.2.2"])
        met: Counter[str] = Counter()
        for number in range(1, 5):  # the last of them is of sets
            folder = tmp_path / str(number)
            folder.mkdir()
            scene = edited_scenes.edited(Programs(PMPROOF, ""), "1", number, wants, folder, reference.run)
            met.update(ask.operation for ask in scene.asks)
            met.update("a set" for ask in scene.asks if "paths" in ask.source)
            for ask in scene.asks:
                source = ask.source_in(folder)
                for path in source.get("paths", [source.get("path")]):
                    assert Path(f"{path}.meta").exists()
            for ask in scene.asks:
                if ask.operation == "archive.write":
                    decoded = reference.run("archive.decode", ask.source_in(folder), {})
                    written = reference.run("archive.write", ask.source_in(folder), ask.args)
                    met["refused"] += decoded.kind == "reject"
                    assert decoded.kind == "result" or decoded.body["class"] == written.body["class"]
    stop.close()
    assert met["archive.validate"] >= 4 * 24
    for what in ("archive.decode", "archive.write", "archive.describe", "replay.interp", "a set", "refused"):
        assert met[what] > 0, what


def test_pcp_alone_is_asked_nothing_about_copies_that_are_not_sound(tmp_path: Path) -> None:
    stop = Stop()
    asked: dict[bool, Counter[str]] = {}
    with Testee("reference", lambda: [PMPROOF, "testee"], Limits(), stop=stop) as reference:
        reference.start()
        for unsound in (False, True):
            wants = Variants(frozenset(reference.hello["capabilities"]), ["documented"], ["7.2.2"], unsound)
            folder = tmp_path / str(unsound)
            folder.mkdir()
            asked[unsound] = Counter()
            for number in (1, 2):
                for name in ("edited", "broken"):
                    scene_folder = folder / f"{name}-{number}"
                    scene_folder.mkdir()
                    programs = Programs(PMPROOF, "")
                    if name == "edited":
                        scene = edited_scenes.edited(programs, "1", number, wants, scene_folder, reference.run)
                    else:
                        scene = archive_scenes.broken(programs, "1", number, wants, scene_folder)
                    for ask in scene.asks:
                        if ask.operation not in ("archive.validate", "archive.decode", "archive.write") and _is_unsound(reference, ask, scene_folder):
                            asked[unsound][ask.operation] += 1
    stop.close()
    assert not asked[False]
    assert asked[True]["replay.interp"] > 5 and asked[True]["archive.labels"] > 0


def _is_unsound(reference: Testee, ask: Ask, folder: Path) -> bool:
    source = ask.source_in(folder)
    for path in source.get("paths", [source.get("path")]):
        checked = reference.run("archive.validate", {"path": path}, {"least": "warning"})
        if "/e" in path.removeprefix(str(folder)) or "/b" in path.removeprefix(str(folder)):
            if checked.kind != "result" or checked.body["findings"]:
                return True
    return False


def test_configurations_of_derived_metrics_are_loaded_in_each_dialect() -> None:
    stop = Stop()
    met: Counter[str] = Counter()
    with Testee("reference", lambda: [PMPROOF, "testee"], Limits(), stop=stop) as reference:
        reference.start()
        for dialect in ("6.0.3", "7.2.2"):
            for seed in range(100):
                answer = reference.run("derive.parse", {"path": str(BASE.absolute() / "base")}, configurations.arguments(random.Random(seed), dialect))
                assert answer.kind == "result", answer
                met.update("registered" for _ in range(answer.body["config"]["registered"]))
                met["refused"] += len(answer.body["config"]["diagnostics"])
                met["text"] += any(one.get("oneline") or one.get("helptext") for one in answer.body["metrics"])
    stop.close()
    assert min(met["registered"], met["refused"], met["text"]) > 10, met


def test_pdus_are_made_of_any_chance() -> None:
    """Also a set of labels whose text is empty."""
    labels = [one for seed in range(30_000) for one in pdus.any_pdu(random.Random(seed)).get("sets", ()) if "labels" in one and not one["json"] and one["labels"]]
    assert labels
