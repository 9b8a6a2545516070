# SPDX-License-Identifier: Apache-2.0
"""`pmproof rewrite` as a user meets it: what is written, what is refused, and with which exit status."""

import gzip
import os
import resource
import subprocess
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof

WRITE_EXAMPLE = os.environ["WRITE_EXAMPLE"]


def write_archive(path: Path, version: int = 3, example: str = "base") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([WRITE_EXAMPLE, example, str(version), path], check=True)
    return path


def files_of(archive: Path) -> dict[str, bytes]:
    """The files of an archive by what follows its base name."""
    prefix = archive.name + "."
    truth = prefix + "truth.json"  # no file of the archive
    found = [path for path in archive.parent.iterdir() if path.name.startswith(prefix) and path.name != truth]
    return {path.name.removeprefix(prefix): path.read_bytes() for path in found}


def is_conformant(archive: Path) -> bool:
    return pmproof("check", archive).returncode == 0


@pytest.fixture(name="base", params=[2, 3])
def fixture_base(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_archive(tmp_path / "in/base", request.param)


def test_without_options_each_file_is_the_same(base: Path, tmp_path: Path) -> None:
    before = files_of(base)
    result = pmproof("rewrite", base, tmp_path / "out")
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == f"{tmp_path / 'out'}: {len(before)} files written\n"
    assert files_of(tmp_path / "out") == before == files_of(base)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out.0", "out.index", "out.meta"]


@pytest.mark.parametrize("version", [2, 3])
def test_the_other_version_is_conformant_and_comes_back_byte_for_byte(version: int, tmp_path: Path) -> None:
    example = write_archive(tmp_path / "example", version)
    other = str(5 - version)
    assert pmproof("rewrite", "--archive-version", other, example, tmp_path / "there").returncode == 0
    assert is_conformant(tmp_path / "there")
    assert pmproof("rewrite", "--archive-version", str(version), tmp_path / "there", tmp_path / "back").returncode == 0
    assert is_conformant(tmp_path / "back")
    back = files_of(tmp_path / "back")
    if version == 2:
        assert back == files_of(example)
    else:
        # Zoneinfo and deltas do not come back: version 2 has none.
        assert back["0"][808:] == files_of(example)["0"][808:]


@pytest.mark.parametrize(("method", "suffix"), [("xz", "xz"), ("gz", "gz"), ("bz2", "bz2"), ("zstd", "zst")])
def test_the_usual_tools_read_what_is_compressed(base: Path, tmp_path: Path, method: str, suffix: str) -> None:
    assert pmproof("rewrite", "--compress", method, base, tmp_path / "out").returncode == 0
    tool = {"xz": "xz", "gz": "gzip", "bz2": "bzip2", "zst": "zstd"}[suffix]
    for name, content in files_of(base).items():
        packed = tmp_path / f"out.{name}.{suffix}"
        done = subprocess.run([tool, "-dc", packed], capture_output=True, check=True)
        assert done.stdout == content
    assert pmproof("rewrite", "--compress", "none", tmp_path / "out", tmp_path / "plain").returncode == 0
    assert files_of(tmp_path / "plain") == files_of(base)


def test_a_compressed_file_is_kept_as_it_is(base: Path, tmp_path: Path) -> None:
    volume = base.with_name("base.0")
    # Not as pmproof would compress it.
    base.with_name("base.0.gz").write_bytes(gzip.compress(volume.read_bytes(), 1))
    volume.unlink()
    assert pmproof("rewrite", base, tmp_path / "out").returncode == 0
    assert files_of(tmp_path / "out") == files_of(base)


def test_in_may_be_any_file_of_the_archive_or_its_directory(base: Path, tmp_path: Path) -> None:
    for number, name in enumerate([f"{base}.meta", f"{base}.0", str(base.parent)]):
        assert pmproof("rewrite", name, tmp_path / f"out-{number}").returncode == 0


def test_what_exists_is_replaced_only_by_force(base: Path, tmp_path: Path) -> None:
    old = tmp_path / "out.3.xz"
    old.write_bytes(b"old")
    result = pmproof("rewrite", base, tmp_path / "out")
    assert result.returncode == 2
    assert result.stderr == f"pmproof: {old}: exists; give another OUT, or --force to replace that archive\n"
    assert list(files_of(tmp_path / "out")) == ["3.xz"]
    assert pmproof("rewrite", "--force", base, tmp_path / "out").returncode == 0
    assert files_of(tmp_path / "out") == files_of(base)


def test_in_is_never_written_to(base: Path, tmp_path: Path) -> None:
    before = files_of(base)
    for out in (base, base.parent / "../in/base"):
        result = pmproof("rewrite", "--force", "--compress", "xz", base, out)
        assert result.returncode == 2
        assert "IN and OUT must differ" in result.stderr
    (tmp_path / "link.0").symlink_to(base.with_name("base.0"))
    assert pmproof("rewrite", "--force", base, tmp_path / "link").returncode == 2
    assert files_of(base) == before


def test_damage_is_refused_with_its_place_and_rule(base: Path, tmp_path: Path) -> None:
    volume = base.with_name("base.0")
    volume.write_bytes(volume.read_bytes()[:-5])
    result = pmproof("rewrite", base, tmp_path / "out")
    assert result.returncode == 1
    assert result.stderr.startswith("pmproof: base.0: offset ")
    assert result.stderr.endswith("[ARC-1102]\n")
    assert files_of(tmp_path / "out") == {}


def test_two_files_for_one_part_are_refused(base: Path, tmp_path: Path) -> None:
    base.with_name("base.meta.gz").write_bytes(gzip.compress(base.with_name("base.meta").read_bytes()))
    result = pmproof("rewrite", base, tmp_path / "out")
    assert result.returncode == 1
    assert "[ARC-1008]" in result.stderr


def test_what_is_no_archive_is_unreadable(tmp_path: Path) -> None:
    assert pmproof("rewrite", tmp_path / "nothing", tmp_path / "out").returncode == 4
    for suffix in ("0", "meta", "index"):
        (tmp_path / f"text.{suffix}").write_text("no archive at all")
    result = pmproof("rewrite", tmp_path / "text", tmp_path / "out")
    assert result.returncode == 4
    assert files_of(tmp_path / "out") == {}


def test_what_version_2_can_not_express_is_named(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "archive", 3)
    volume = bytearray((tmp_path / "archive.0").read_bytes())
    volume[808 + 15] = 1  # a nanosecond later
    (tmp_path / "archive.0").write_bytes(volume)
    result = pmproof("rewrite", "--archive-version", "2", archive, tmp_path / "out")
    assert result.returncode == 1
    assert result.stderr == (
        f"pmproof: {archive}.0: offset 808: version 2 cannot express the time 1700000000.000000001: "
        "it has whole microseconds only [ARC-003]\n"
    )
    assert files_of(tmp_path / "out") == {}


@pytest.mark.parametrize("name", ["", "x.meta", "x.index", "x.xz", "a,b", "missing/x"])
def test_an_out_that_can_not_be_is_refused(base: Path, tmp_path: Path, name: str) -> None:
    result = pmproof("rewrite", base, f"{tmp_path}/{name}")
    assert result.returncode == 2
    assert result.stderr.startswith(f"pmproof: {tmp_path}/{name}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_directory_with_two_archives_is_refused(base: Path, tmp_path: Path) -> None:
    write_archive(base.with_name("second"))
    result = pmproof("rewrite", base.parent, tmp_path / "out")
    assert result.returncode == 2
    assert "2 archives: rewrite takes one at a time" in result.stderr


def test_unknown_versions_and_methods_are_wrong_usage(base: Path, tmp_path: Path) -> None:
    assert pmproof("rewrite", "--archive-version", "1", base, tmp_path / "out").returncode == 2
    assert pmproof("rewrite", "--compress", "rar", base, tmp_path / "out").returncode == 2
    assert pmproof("rewrite", base).returncode == 2


@pytest.mark.skipif(os.environ.get("PMPROOF_SANITIZED") == "tsan", reason="ThreadSanitizer writes a larger file when it starts")
def test_a_full_disk_leaves_nothing(base: Path, tmp_path: Path) -> None:
    out = tmp_path / "disk"
    out.mkdir()
    # A limit on the size of files stands for the disk; Python ignores the signal, and so does what it starts here.
    result = subprocess.run(
        [PMPROOF, "rewrite", base, out / "new"],
        capture_output=True,
        text=True,
        check=False,
        restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)),
    )
    assert result.returncode == 5
    assert result.stderr.endswith(": File too large\n")
    assert list(out.iterdir()) == []
