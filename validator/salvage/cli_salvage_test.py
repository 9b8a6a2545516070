# SPDX-License-Identifier: Apache-2.0
"""`pmproof salvage` as a user meets it: what is written and said, and with which exit status."""

import json
import lzma
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing import small_archive
from validator.testing.run import PMPROOF, pmproof

SCHEMA = json.loads(Path(os.environ["SALVAGE_SCHEMA"]).read_text("ascii"))
METRIC = small_archive.pmid(29, 0, 1)
OTHER = small_archive.pmid(29, 0, 2)
START = small_archive.START


def results(count: int) -> list[bytes]:
    return [small_archive.result(START + at, {METRIC: {-1: at}, OTHER: {-1: 7 * at}}) for at in range(count)]


@pytest.fixture(name="base")
def fixture_base(tmp_path: Path) -> Path:
    """Ten records of two metrics in two volumes."""
    (tmp_path / "in").mkdir()
    descs = [small_archive.desc(METRIC, [b"a.b"]), small_archive.desc(OTHER, [b"a.c"])]
    return small_archive.write(tmp_path / "in/base", descs, [results(10)[:6], results(10)[6:]])


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def damage(path: Path, offset: int, content: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[offset : offset + len(content)] = content
    path.write_bytes(whole)


def report_of(*words: str | Path, status: int) -> Any:
    done = pmproof("salvage", "--format", "json", *words)
    assert done.returncode == status, (done.stdout, done.stderr)
    report = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    return report


def test_of_a_sound_archive_nothing_is_lost(base: Path, tmp_path: Path) -> None:
    before = files_of(base.parent)
    done = pmproof("salvage", base, tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{base}: nothing lost, saved as {tmp_path / 'out'}\n  kept: 10 data records with 20 values")
    assert files_of(base.parent) == before
    assert (tmp_path / "out.1").read_bytes() == before["base.1"]
    assert pmproof("check", tmp_path / "out").returncode == 0


def test_what_is_lost_is_told_by_clause_file_offset_and_span(base: Path, tmp_path: Path) -> None:
    size = len(results(1)[0])
    damage(base.with_name("base.0"), 132 + 3 * size - 4, b"\0\0\0\7")
    done = pmproof("salvage", base, tmp_path / "out")
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout == (
        f"{base}: saved with losses as {tmp_path / 'out'}\n"
        "  kept: 9 data records with 18 values, 2 metadata records, 2 volumes, 1.2 kB; "
        "from 2023-11-14T22:13:20.000000000Z to 2023-11-14T22:13:29.000000000Z\n"
        "  version 2, label of base.0, index made anew\n"
        "  1 mark written where records were lost: readers do not interpolate there\n"
        f"  lost: {size} bytes that are in no record\n"
        f"    base.0 offset {132 + 2 * size}: {size} bytes that are in no record: the length words of the record differ: "
        f"{size} and 7 [ARC-1104]; between 2023-11-14T22:13:21.000000000Z and 2023-11-14T22:13:23.000000000Z\n"
        "  answers of replay that may be other than they were, where no value was recorded at the very time:\n"
        "    all metrics: between 2023-11-14T22:13:21.000000000Z and 2023-11-14T22:13:23.000000000Z\n"
    )
    assert pmproof("check", tmp_path / "out").returncode == 0


def answer(archive: Path, name: str, offset: str) -> str:
    done = pmproof("replay", archive, "--metric", name, "--at", offset)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_answers_are_other_only_where_the_report_says_so(tmp_path: Path) -> None:
    """A metric that is recorded seldom loses more than the others by one record (INT-302, INT-303)."""
    seldom = small_archive.pmid(29, 0, 3)
    records = [small_archive.result(START + at, {METRIC: {-1: at}, **({seldom: {-1: at}} if at in (1, 8) else {})}) for at in range(10)]
    descs = [small_archive.desc(METRIC, [b"a.b"]), small_archive.desc(seldom, [b"a.seldom"])]
    (tmp_path / "in").mkdir()
    base = small_archive.write(tmp_path / "in/base", descs, [records])
    whole = {(name, at): answer(base, name, at) for name in ("a.b", "a.seldom") for at in ("+0.4s", "+4.6s", "+7.4s", "+8s", "+8.4s")}
    damage(base.with_name("base.0"), 132 + sum(map(len, records[:6])) - 4, b"\0\0\0\7")
    report = report_of(base, tmp_path / "out", status=3)
    second = "2023-11-14T22:13:{}.000000000Z"
    assert report["answers"] == [
        {"from": second.format(24), "until": second.format(26), "metrics": None},
        {"from": second.format(21), "until": second.format(28), "metrics": ["a.seldom (29.0.3)"]},
    ]
    other = {question for question, was in whole.items() if answer(tmp_path / "out", *question) != was}
    assert other == {("a.b", "+4.6s"), ("a.seldom", "+4.6s"), ("a.seldom", "+7.4s")}


def test_of_many_metrics_three_are_shown(tmp_path: Path) -> None:
    metrics = [small_archive.pmid(29, 0, item) for item in range(1, 6)]
    descs = [small_archive.desc(metric, [b"a.m%d" % number]) for number, metric in enumerate(metrics)]
    records = [small_archive.result(START + at, {metric: {-1: at} for metric in ([METRIC] if at % 4 else metrics)}) for at in range(9)]
    (tmp_path / "in").mkdir()
    base = small_archive.write(tmp_path / "in/base", descs, [records])
    damage(base.with_name("base.0"), 132 + sum(map(len, records[:7])) - 4, b"\0\0\0\7")
    done = pmproof("salvage", base, tmp_path / "out")
    assert done.stdout.endswith(
        "    all metrics: between 2023-11-14T22:13:25.000000000Z and 2023-11-14T22:13:27.000000000Z\n"
        "    a.m1 (29.0.2), a.m2 (29.0.3), a.m3 (29.0.4) and 1 more: between 2023-11-14T22:13:24.000000000Z and 2023-11-14T22:13:28.000000000Z\n"
    )


def test_the_report_goes_where_other_commands_put_theirs(base: Path, tmp_path: Path) -> None:
    base.with_name("base.index").unlink()
    losses = tmp_path / "losses.json"
    done = pmproof("salvage", "--output", losses, "--output", "text:-", base, tmp_path / "out")
    assert done.returncode == 0 and "the missing index made anew" in done.stdout
    assert done.stderr == f"{losses}: json report written\n"
    report = json.loads(losses.read_text("ascii"))
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    assert report["index_was_missing"] is True
    again = pmproof("salvage", "--output", losses, base, tmp_path / "other")
    assert again.returncode == 2 and "exists" in again.stderr
    assert not list(tmp_path.glob("other*"))


def test_a_metric_without_descriptor_is_named(base: Path, tmp_path: Path) -> None:
    damage(base.with_name("base.meta"), 132 + 4, b"\0\0\0\x63")
    report = report_of(base, tmp_path / "out", status=3)
    kinds = [(loss["kind"], loss["rule"], loss["file"], loss["subject"], loss["count"]) for loss in report["losses"]]
    assert kinds == [
        ("metadata", "ARC-1301", "base.meta", "record of an unknown type", 1),
        ("values", "ARC-1801", "base.0", "29.0.1", 6),
        ("values", "ARC-1801", "base.1", "29.0.1", 4),
    ]
    assert report["kept"]["records"] == 10 and report["kept"]["values"] == 10 and report["marks_written"] == 0


def test_without_meta_nothing_is_written_and_the_report_says_what_there_was(base: Path, tmp_path: Path) -> None:
    base.with_name("base.meta").unlink()
    report = report_of(base, tmp_path / "out", status=1)
    assert report["outcome"] == "nothing" and report["out"] is None
    assert [loss["subject"] for loss in report["losses"]] == [None, "29.0.1", "29.0.2", "29.0.1", "29.0.2"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
    done = pmproof("salvage", base, tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr == f"pmproof: {base}: nothing to save: without .meta nobody can say what the values are\n"


def test_compressed_files_are_read_and_what_is_saved_is_plain(base: Path, tmp_path: Path) -> None:
    whole = files_of(base.parent)
    for name in ("base.0", "base.meta"):
        packed = lzma.compress(whole[name])
        base.with_name(name).unlink()
        base.with_name(name + ".xz").write_bytes(packed)
    report = report_of(base, tmp_path / "out", status=0)
    assert report["label_from"] == "base.0.xz"
    assert (tmp_path / "out.0").read_bytes() == whole["base.0"]
    base.with_name("base.0.xz").write_bytes(lzma.compress(whole["base.0"])[:-20])
    report = report_of(base, tmp_path / "again", status=3)
    assert report["losses"][-1]["rule"] == "ARC-1009"


@pytest.mark.parametrize("name", ["base", "base.meta", "base.1", ""])
def test_in_may_be_any_file_of_the_archive_or_its_directory(name: str, base: Path, tmp_path: Path) -> None:
    assert pmproof("salvage", base.parent / name, tmp_path / "out").returncode == 0


def test_an_archive_that_exists_is_not_replaced_without_force(base: Path, tmp_path: Path) -> None:
    assert pmproof("salvage", base, tmp_path / "out").returncode == 0
    before = files_of(base.parent)
    (tmp_path / "out.7").write_bytes(b"old")
    done = pmproof("salvage", base, tmp_path / "out")
    assert done.returncode == 2 and "exists; give another OUT, or --force" in done.stderr
    assert pmproof("salvage", "--force", base, tmp_path / "out").returncode == 0
    assert not (tmp_path / "out.7").exists()
    for out in (base, base.parent / "../in/base"):
        done = pmproof("salvage", "--force", base, out)
        assert done.returncode == 2 and "IN and OUT must differ" in done.stderr
    assert files_of(base.parent) == before


def test_what_is_missing_or_no_archive_gives_4_and_wrong_usage_2(base: Path, tmp_path: Path) -> None:
    assert pmproof("salvage", tmp_path / "gone", tmp_path / "out").returncode == 4
    (tmp_path / "text").write_text("no archive")
    assert pmproof("salvage", tmp_path / "text", tmp_path / "out").returncode == 4
    assert pmproof("salvage", base).returncode == 2
    assert pmproof("salvage").returncode == 2
    assert pmproof("salvage", base, tmp_path / "out.meta").returncode == 2
    assert pmproof("salvage", base, tmp_path / "no/such/out").returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "text"]


def test_a_file_that_may_not_be_read_is_no_loss_but_gives_4(base: Path, tmp_path: Path) -> None:
    volume = base.with_name("base.1")
    volume.unlink()
    volume.symlink_to(tmp_path / "gone")
    done = pmproof("salvage", base, tmp_path / "out")
    assert done.returncode == 4 and "base.1" in done.stderr
    assert not list(tmp_path.glob("out*"))


def test_beyond_the_memory_budget_nothing_is_written(tmp_path: Path) -> None:
    names = [small_archive.desc(small_archive.pmid(29, n >> 10, n & 1023), [b"a.m%d" % n]) for n in range(60000)]
    base = small_archive.write(tmp_path / "base", names, [[small_archive.result(START, {small_archive.pmid(29, 0, 1): {-1: 1}})]])
    done = pmproof("salvage", "--memory", "4M", base, tmp_path / "out")
    assert done.returncode == 6, done.stderr
    assert not list(tmp_path.glob("out*")) and not list(tmp_path.glob(".pmproof*"))
    assert pmproof("salvage", base, tmp_path / "out").returncode == 0


def test_a_signal_leaves_nothing(tmp_path: Path) -> None:
    assert pmproof("generate", "--size", "40M", "--no-truth", tmp_path / "big").returncode == 0
    with subprocess.Popen([PMPROOF, "salvage", tmp_path / "big", tmp_path / "out"], stderr=subprocess.PIPE) as process:
        for _ in range(1000):
            if list(tmp_path.glob(".pmproof*")):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate()
    if process.returncode != 0:  # it was not done before
        assert process.returncode == -signal.SIGTERM, told
        assert not list(tmp_path.glob("out*"))
    assert not list(tmp_path.glob(".pmproof*"))


def test_help_has_examples_and_all_statuses() -> None:
    page = pmproof("help", "salvage").stdout
    assert "pmproof salvage broken saved" in page
    for status in ("0 saved", "1 nothing to save", "2 wrong usage", "3 saved with losses", "4 IN is missing", "6 a memory budget"):
        assert status in " ".join(page.split()), status


def test_the_schema_is_printed() -> None:
    done = pmproof("salvage", "--schema")
    assert done.returncode == 0 and json.loads(done.stdout) == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
