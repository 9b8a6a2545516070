# SPDX-License-Identifier: Apache-2.0
"""Directories as people have them, full of files that are not archives, and files that the system does not let us read."""

import bz2
import gzip
import lzma
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof

WRITE_EXAMPLE = os.environ["WRITE_EXAMPLE"]
# Commands that take directories, with what else they need; OUT stands for a name to write to.
COMMANDS = [
    ("check",),
    ("check", "--set"),
    ("info",),
    ("dump",),
    ("replay", "--metric", "a.b"),
    ("rewrite",),
    ("mutate", "--rule", "ARC-1003"),
    ("shrink", "--rule", "ARC-1003"),
]
WRITING = ("rewrite", "mutate", "shrink")
PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": lambda content: subprocess.run(["zstd", "-qc"], input=content, stdout=subprocess.PIPE, check=True).stdout,
    "lzma": lambda content: lzma.compress(content, lzma.FORMAT_ALONE),
    "Z": gzip.compress,
}
# How much of a machine's own tree is walked: entries, and bytes of its files.
MOST_ENTRIES = 20_000
MOST_BYTES = 2 << 30


def write_archive(path: Path, version: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([WRITE_EXAMPLE, "base", str(version), path], check=True)
    Path(f"{path}.truth.json").unlink()
    return path


def as_a_user(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs pmproof without the right of root to read everything."""
    capabilities = "-dac_override,-dac_read_search"
    drop = ["setpriv", f"--bounding-set={capabilities}", f"--inh-caps={capabilities}"] if os.geteuid() == 0 else []
    command = [*drop, PMPROOF, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


# Trees


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_log_is_no_archive(command: tuple[str, ...], suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"syslog.1.{suffix}").write_bytes(PACK[suffix](b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"))
    out = [tmp_path / "out"] if command[0] in WRITING else []
    result = pmproof(*command, tmp_path, *out)
    assert result.returncode == 4
    assert f"{tmp_path}: no archive in this directory" in result.stderr


@pytest.mark.parametrize("suffix", PACK)
def test_packed_volumes_alone_are_an_archive(suffix: str, tmp_path: Path) -> None:
    base = write_archive(tmp_path / "d/base")
    volume = base.with_name("base.0").read_bytes()
    for file in list(base.parent.iterdir()):
        file.unlink()
    base.with_name(f"base.0.{suffix}").write_bytes(PACK[suffix](volume))
    result = pmproof("check", base.parent)
    assert result.returncode == 1
    assert "ARC-1001" in result.stdout and "ARC-1003" in result.stdout
    assert pmproof("info", base.parent).returncode == 0


def write_odd_files(top: Path) -> None:
    """Names and contents of /etc, /var/log and /usr/share/doc, cut and broken ones among them."""
    text = b"Nov 23 12:00:00 host daemon[1]: message\n" * 100
    contents = {"": text, **{f".{suffix}": pack(text) for suffix, pack in PACK.items()}}
    for folder in ("log", "man/man1", "doc/pcp", "empty"):
        (top / folder).mkdir(parents=True)
    for suffix, content in contents.items():
        for number in range(3):
            (top / f"log/syslog.{number}{suffix}").write_bytes(content)
        (top / f"log/cut.1{suffix}").write_bytes(content[: len(content) // 2])
        (top / f"log/short.1{suffix}").write_bytes(content[:7])
        (top / f"log/empty.1{suffix}").write_bytes(b"")
        (top / f"man/man1/pmcd.1{suffix}").write_bytes(content)
    (top / "log/app.index").write_bytes(b"<html>")
    (top / "log/zeros.0").write_bytes(bytes(200))
    (top / "log/link.1").symlink_to("nowhere")
    (top / "log/loop.2").symlink_to("loop.2")
    (top / "log/up").symlink_to("..")
    os.mkfifo(top / "log/pipe.3")
    (top / "doc/pcp/page.meta").write_bytes(text)
    (top / "doc/pcp/other.meta.gz").write_bytes(contents[".gz"][:40])
    (top / "doc/pcp/caf\udce9.1").write_bytes(text)


def ends_well(result: subprocess.CompletedProcess[bytes]) -> bool:
    """An exit status of pmproof's own, neither that of a signal nor of an internal error, and a word on what is the matter."""
    return result.returncode in (0, 1, 2, 4, 6) and (result.returncode == 0 or b"pmproof: " in result.stderr)


def walk(command: tuple[str, ...], top: Path, out: Path) -> subprocess.CompletedProcess[bytes]:
    arguments: list[str | Path] = [PMPROOF, *command, top, *([out] if command[0] in WRITING else [])]
    return subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=250)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_tree_of_other_files_is_walked_to_its_end(command: tuple[str, ...], tmp_path: Path) -> None:
    top = tmp_path / "tree"
    write_odd_files(top)
    write_archive(top / "zz/base")  # met last
    for folder in [top, *(path for path in sorted(top.rglob("*")) if path.is_dir())]:
        result = walk(command, folder, tmp_path / "out")
        assert ends_well(result), (folder, result.returncode, result.stderr[:2000])
    if command == ("check",):
        assert f"{top}/zz/base: conformant" in pmproof("check", top).stdout.replace("\n", " ")


def _small_enough(top: Path) -> bool:
    def entries() -> Iterator[int]:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                yield os.lstat(path).st_size if os.path.lexists(path) and not os.path.islink(path) else 0

    count = size = 0
    for one in entries():
        count, size = count + 1, size + one
        if count > MOST_ENTRIES or size > MOST_BYTES:
            return False
    return True


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("top", ["/etc", "/var/log", "/usr/share/doc", "/usr/share/man"])
def test_a_tree_of_this_machine_is_walked_to_its_end(top: str, command: tuple[str, ...], tmp_path: Path) -> None:
    if not Path(top).is_dir() or not _small_enough(Path(top)):
        pytest.skip(f"{top} is not here, or has more than {MOST_ENTRIES} files or 2 GiB")
    result = walk(command, Path(top), tmp_path / "out")
    assert ends_well(result), (result.returncode, result.stderr[:2000])


# What the system does not let us read


@pytest.mark.parametrize("part", ["meta", "index", "0"])
def test_no_verdict_without_permission(part: str, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_archive(tmp_path / name)
    (tmp_path / f"b.{part}").chmod(0)
    result = as_a_user("check", tmp_path)
    assert result.returncode == 4
    assert f"{tmp_path}/b: no verdict: {tmp_path}/b.{part}: Permission denied" in result.stderr
    assert "3 archives: 2 conformant" in result.stdout and "fatal" not in result.stdout
    for command in (("info",), ("dump",)):
        result = as_a_user(*command, tmp_path)
        assert result.returncode == 4, command
        assert f"b.{part}: Permission denied" in result.stdout + result.stderr
    result = as_a_user("rewrite", tmp_path / "b", tmp_path / "out")
    assert result.returncode == 4
    assert "Permission denied" in result.stderr
    assert as_a_user("replay", "--metric", "x", tmp_path / "b").returncode == 4


@pytest.mark.parametrize("part", ["meta", "index", "0"])
def test_no_verdict_behind_a_dangling_link(part: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_archive(tmp_path / name)
    (tmp_path / f"b.{part}").unlink()
    (tmp_path / f"b.{part}").symlink_to("nowhere")
    result = pmproof("check", tmp_path)
    assert result.returncode == 4
    assert f"b: no verdict: {tmp_path}/b.{part}: No such file or directory" in result.stderr
    assert "2 archives: 1 conformant" in result.stdout
    assert pmproof("info", tmp_path).returncode == 4
    assert pmproof("dump", tmp_path).returncode == 4


def test_a_directory_in_place_of_a_file_is_a_finding(tmp_path: Path) -> None:
    base = write_archive(tmp_path / "base")
    base.with_name("base.0").unlink()
    base.with_name("base.0").mkdir()
    result = pmproof("check", base)
    assert result.returncode == 1
    assert "ARC-1016" in result.stdout


# What users pack archives with


@pytest.mark.parametrize("preset", [9, 9 | lzma.PRESET_EXTREME], ids=["-9", "-9e"])
@pytest.mark.parametrize("options", [(), ("--memory", "64M")], ids=["default", "64M"])
def test_files_by_xz_of_the_highest_level_are_read(preset: int, options: tuple[str, ...], tmp_path: Path) -> None:
    base = write_archive(tmp_path / "base")
    for part in ("meta", "index", "0"):
        file = base.with_name(f"base.{part}")
        file.with_name(f"{file.name}.xz").write_bytes(lzma.compress(file.read_bytes(), preset=preset))
        file.unlink()
    result = pmproof("check", *options, base)
    if options:
        assert result.returncode == 6
        assert "--memory raises the limit" in result.stderr
        return
    assert (result.returncode, result.stderr) == (0, "")
    for command in ("info", "dump"):
        result = pmproof(command, base)
        assert (result.returncode, result.stderr) == (0, "")
    assert pmproof("rewrite", base, tmp_path / "out").returncode == 0


# Many of them


def files_of_many(folder: Path, count: int) -> Path:
    """Links to the files of one sound archive: under as many names."""
    base = write_archive(folder / "one")
    folder = folder / "many"
    folder.mkdir()
    for part in ("meta", "index", "0"):
        for number in range(count):
            (folder / f"a{number}.{part}").hardlink_to(f"{base}.{part}")
    return folder


@pytest.mark.skipif("PMPROOF_SANITIZED" in os.environ, reason="a sanitizer takes more memory than the limit leaves")
def test_what_is_kept_of_many_archives_is_no_part_of_the_memory_that_each_may_take(tmp_path: Path) -> None:
    folder = files_of_many(tmp_path, 15_000)
    for command in ("check", "triage", "info"):
        result = pmproof(command, "--jobs", "1", "--memory", "1M", folder)
        assert (result.returncode, result.stderr) == (0, "")


# The folder was listed anew for each of them: minutes, and more than the time that a command has here.
def test_archives_of_one_folder_are_opened_in_linear_time(tmp_path: Path) -> None:
    folder = files_of_many(tmp_path, 15_000)
    result = pmproof("metrics", folder)
    assert result.returncode == 4
    assert "and 14992 more: the archives cannot be opened as one: PM_ERR_LOGOVERLAP" in result.stderr
    result = pmproof("dump", folder)
    assert (result.returncode, result.stderr) == (0, "")
    result = pmproof("check", "--memory", "512M", "--against", folder, folder)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.fixture(name="names", scope="module")
def fixture_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    for number in range(200_000):
        (folder / f"a{number}.meta").touch()
    return folder


@pytest.mark.skipif("PMPROOF_SANITIZED" in os.environ, reason="a sanitizer takes more memory than the limit leaves")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_more_names_than_the_memory_holds_end_with_the_status_of_a_budget(jobs: str, names: Path) -> None:
    result = pmproof("check", "--jobs", jobs, "--memory", "1M", names)
    assert (result.returncode, result.stdout) == (6, "")
    assert "more memory is needed than is allowed" in result.stderr
