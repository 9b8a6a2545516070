# SPDX-License-Identifier: Apache-2.0
"""The archives that are found are those that pmproof check finds, by the same names and in the same order."""

import bz2
import gzip
import json
import lzma
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from qa.fleet.archives import Archive, absolute, base_and_part, find
from qa.fleet.testing import NET, PMPROOF, small_archives


@pytest.fixture(scope="module", name="sample")
def fixture_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_archives(tmp_path_factory.mktemp("sample"), records=1)[0]


def copy(sample: Path, to: Path, parts: tuple[str, ...] = ("meta", "index", "0")) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    for part in parts:
        shutil.copy(f"{sample}.{part}", f"{to}.{part}")


def names(arguments: list[Path | str]) -> list[str]:
    return [archive.path for archive in find(list(map(str, arguments))).archives]


def names_by_pmproof(arguments: list[Path | str]) -> list[str]:
    done = subprocess.run(
        [PMPROOF, "check", "--format", "json", *arguments], capture_output=True, timeout=NET, check=False
    )
    return [archive["archive"] for archive in json.loads(done.stdout)["archives"]]


def test_of_a_tree_with_all_that_may_lie_about(sample: Path, tmp_path: Path) -> None:
    copy(sample, tmp_path / "b/plain")
    copy(sample, tmp_path / "B/20150105.17.57")
    copy(sample, tmp_path / "b/deep/er/with, comma")
    copy(sample, tmp_path / "b/no-meta", ("index", "0"))
    copy(sample, tmp_path / "b/volume-alone", ("0",))
    copy(sample, tmp_path / "b/meta-alone", ("meta",))
    copy(sample, tmp_path / "b/line\nbreak")
    (tmp_path / "b/volume-alone.xz.0.xz").write_bytes(lzma.compress(Path(f"{sample}.0").read_bytes()))
    (tmp_path / "b/in-bz2.0.bz2").write_bytes(bz2.compress(Path(f"{sample}.0").read_bytes()))
    (tmp_path / "b/in-gz.0.gz").write_bytes(gzip.compress(Path(f"{sample}.0").read_bytes()))
    (tmp_path / "b/cut.0.gz").write_bytes(gzip.compress(Path(f"{sample}.0").read_bytes())[:15])
    (tmp_path / "b/no-gz.0.gz").write_bytes(b"no gzip at all")
    copy(sample, tmp_path / "b/in-zst", ("0",))
    subprocess.run(["zstd", "-q", "--rm", tmp_path / "b/in-zst.0"], check=True, timeout=NET)
    (tmp_path / "b/pmcd.1").write_text(".TH PMCD 1")
    (tmp_path / "b/page.1.zst").write_bytes(b"no zstd at all")
    (tmp_path / "b/empty.0").touch()
    (tmp_path / "b/readme.txt").touch()
    (tmp_path / "b/.meta").touch()
    (tmp_path / "b/folder.meta").mkdir()
    (tmp_path / "b/x.00").write_bytes(Path(f"{sample}.0").read_bytes())
    os.mkfifo(tmp_path / "b/pipe.0")
    (tmp_path / "link").symlink_to(tmp_path / "b")
    (tmp_path / "b/linked.meta").symlink_to(f"{sample}.meta")
    (tmp_path / "b/loop").symlink_to(tmp_path / "b")
    (tmp_path / "b/plain.0.meta").write_bytes(Path(f"{sample}.meta").read_bytes())
    found = names([tmp_path])
    # Its base name stands for volume 0 of another archive: pmproof has to be given a file of it.
    odd = f"{tmp_path}/b/plain.0"
    assert [odd if name == f"{odd}.meta" else name for name in found] == names_by_pmproof([tmp_path])
    assert f"{odd}.meta" in found
    assert len(found) > 10


def test_directories_are_those_that_check_takes_for_sets(sample: Path, tmp_path: Path) -> None:
    """ARC-550: archives without .meta are none of them."""
    for name in ("two/a", "two/b", "two/deep/a", "two/deep/b", "two/deep/c", "single/a", "lame/a"):
        copy(sample, tmp_path / name)
    copy(sample, tmp_path / "lame/no-meta", ("index", "0"))
    found = find([str(tmp_path / "two/b"), str(tmp_path), str(tmp_path / "two")]).directories
    done = subprocess.run([PMPROOF, "check", "--set", "--format", "json", tmp_path], capture_output=True, timeout=NET, check=False)
    sets = [(each["archive"], each["members"]) for each in json.loads(done.stdout)["archives"] if "members" in each]
    assert [(each.path, list(each.members)) for each in found] == sets
    assert len(found) == 2
    assert find([str(tmp_path / "two/a"), str(tmp_path / "two/b")]).directories == []


@pytest.mark.parametrize("argument", ["plain", "plain.meta", "plain.0", "sub", "", "sub/../plain.index", "./sub//deep.0"])
def test_of_a_name(argument: str, sample: Path, tmp_path: Path) -> None:
    copy(sample, tmp_path / "plain")
    copy(sample, tmp_path / "sub/deep")
    found = names([f"{tmp_path}/{argument}"])
    assert found == names_by_pmproof([absolute(f"{tmp_path}/{argument}")])
    assert found


def test_each_archive_is_found_once_and_where_it_was_named_first(sample: Path, tmp_path: Path) -> None:
    copy(sample, tmp_path / "a")
    copy(sample, tmp_path / "b")
    assert names([tmp_path / "b.meta", tmp_path, tmp_path / "a"]) == [f"{tmp_path}/b", f"{tmp_path}/a"]


def test_what_stands_before_two_dots_may_be_a_link(sample: Path, tmp_path: Path) -> None:
    copy(sample, tmp_path / "other/archive")
    (tmp_path / "other/folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "other/folder")
    assert names([f"{tmp_path}/link/../archive"]) == [f"{tmp_path}/other/archive"]


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").touch()
    found = find([str(tmp_path / name) for name in ("gone", "empty", "text")])
    assert found.archives == []
    assert [error.partition(": ")[2] for error in found.errors] == [
        "no such archive, file or directory",
        "no archive in this directory",
        "has no name of an archive's file (.meta, .index, .0, .1, ...)",
    ]


def test_the_stamp_is_another_one_when_a_file_is(sample: Path, tmp_path: Path) -> None:
    copy(sample, tmp_path / "a")

    def stamp() -> str:
        (archive,) = find([str(tmp_path)]).archives
        return archive.stamp

    before = stamp()
    assert stamp() == before
    os.utime(f"{tmp_path}/a.0", ns=(1, 1))
    touched = stamp()
    assert touched != before
    shutil.copy(f"{sample}.0", tmp_path / "a.1")
    assert stamp() not in (before, touched)


def test_a_name_that_is_no_text_is_found(sample: Path, tmp_path: Path) -> None:
    copy(sample, Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")))
    (archive,) = find([str(tmp_path)]).archives
    assert archive == Archive(f"{tmp_path}/\udcff", archive.stamp)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a.meta", ("a", "meta")),
        ("a.b.index.xz", ("a.b", "index")),
        ("a.12.zst", ("a", "volume")),
        ("a.-1", ("a", "volume")),
        ("a. 1", ("a", "volume")),
        ("a.1x", None),
        ("a.١", None),
        ("meta", None),
        (".0", None),
        ("a.meta.xz.gz", None),
    ],
)
def test_arc_037_a_name_taken_apart(name: str, parts: tuple[str, str] | None) -> None:
    assert base_and_part(name) == parts
