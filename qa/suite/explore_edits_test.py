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
from qa.suite.explore import edited_scenes, field_edits
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.scene import Variants

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
        assert sum(changed[part] != files[part] for part in files) <= 1
        assert set(changed) == set(files)
        assert told.split()[0] in files


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
