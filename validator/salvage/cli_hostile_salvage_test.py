# SPDX-License-Identifier: Apache-2.0
"""Archives made to hurt: each ends in bounded time and memory, with an answer, and what is written is conformant."""

import json
import os
import random
import resource
import struct
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from validator.testing import small_archive
from validator.testing.run import PMPROOF, pmproof

METRIC = small_archive.pmid(29, 0, 1)
START = small_archive.START
DESC = small_archive.desc(METRIC, [b"a.b"])


def result(at: int) -> bytes:
    return small_archive.result(START + at, {METRIC: {-1: at}})


def salvage(base: Path, out: Path, memory: int = 64 << 20, seconds: float = 60) -> Any:
    """The report, or the status of what was refused."""

    def limit() -> None:
        if "PMPROOF_SANITIZED" not in os.environ:
            resource.setrlimit(resource.RLIMIT_DATA, ((40 << 20) + memory, (40 << 20) + memory))

    begin = time.monotonic()
    command = [PMPROOF, "salvage", "--format", "json", "--memory", str(memory), str(base), str(out)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=seconds, preexec_fn=limit)
    assert time.monotonic() - begin < seconds
    assert done.returncode in (0, 1, 3, 4, 6), done.stderr
    assert not list(out.parent.glob(".pmproof*"))
    if done.returncode in (4, 6):
        assert done.stderr.startswith(b"pmproof: ") and not list(out.parent.glob(f"{out.name}.*"))
        return done.returncode
    if done.returncode in (0, 3):
        assert pmproof("check", out).returncode == 0
    return json.loads(done.stdout)


def test_bytes_of_any_kind_in_place_of_each_file(tmp_path: Path) -> None:
    chance = random.Random(5)
    for number in range(120):
        base = small_archive.write(tmp_path / f"in{number}", [DESC], [[result(at) for at in range(20)]])
        path = base.with_name(f"{base.name}.{chance.choice(['0', 'meta', 'index'])}")
        content = bytearray(path.read_bytes())
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(content))
            piece = chance.choice([b"\0" * 40, b"\xff" * 40, chance.randbytes(40), struct.pack(">I", chance.randrange(1 << 31)), b""])
            content[at : at + len(piece) * chance.randrange(2)] = piece
        path.write_bytes(content)
        salvage(base, tmp_path / f"out{number}")


@pytest.mark.parametrize("length", [0, 4, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
@pytest.mark.parametrize("suffix", ["0", "meta"])
def test_a_length_word_of_any_size(length: int, suffix: str, tmp_path: Path) -> None:
    base = small_archive.write(tmp_path / "in", [small_archive.desc(METRIC + 1, [b"a.c"]), DESC], [[result(at) for at in range(9)]])
    path = base.with_name(f"in.{suffix}")
    content = bytearray(path.read_bytes())
    content[132:136] = struct.pack(">I", length)
    path.write_bytes(content)
    report = salvage(base, tmp_path / "out")
    assert report["lost"]["bytes"] > 0
    assert report["outcome"] == "saved"


@pytest.mark.parametrize("suffix", ["0", "meta"])
@pytest.mark.parametrize("kind", ["nested", "equal", "zeros", "tiny"])
def test_megabytes_that_imitate_records(kind: str, suffix: str, tmp_path: Path) -> None:
    size = 8 << 20
    words = size // 4
    if kind == "nested":  # each word begins a frame that ends at its mirror
        half = [4 * (words - 2 * at) for at in range(words // 2)]
        junk = struct.pack(f">{words}I", *half, *reversed(half))
    elif kind == "equal":
        junk = struct.pack(">I", size // 2) * words
    elif kind == "zeros":
        junk = bytes(size)
    else:
        junk = struct.pack(">II", 20, 0) * (words // 2)
    base = small_archive.write(tmp_path / "in", [DESC], [[result(at) for at in range(9)]])
    path = base.with_name(f"in.{suffix}")
    content = path.read_bytes()
    path.write_bytes(content[: 132 + 5] + junk + content[132:])
    report = salvage(base, tmp_path / "out")
    if isinstance(report, int):
        assert report == 6
    elif suffix == "0" and report["outcome"] == "saved":
        assert report["kept"]["records"] <= 9


def test_a_sparse_tail_of_gigabytes(tmp_path: Path) -> None:
    base = small_archive.write(tmp_path / "in", [DESC], [[result(at) for at in range(9)]])
    with open(base.with_name("in.0"), "r+b") as volume:
        volume.truncate(2 << 30)
    report = salvage(base, tmp_path / "out", seconds=120)
    assert [loss["rule"] for loss in report["losses"]] == ["ARC-1107"]
    assert report["kept"]["records"] == 9


def test_many_losses_are_folded_or_refused(tmp_path: Path) -> None:
    bad = struct.pack(">IIIIiI", 28, START + 3, 0, 1, 5, 0)[:24] + struct.pack(">I", 28)
    records = [result(0)]
    for _ in range(20000):
        records += [bad, result(1)]
    base = small_archive.write(tmp_path / "in", [DESC], [records])
    report = salvage(base, tmp_path / "out", memory=8 << 20)
    assert report == 6
    report = salvage(base, tmp_path / "out", memory=1 << 30, seconds=120)
    assert report["lost"]["records"] == 20000

    together = small_archive.write(tmp_path / "two", [DESC], [[result(0), *[bad] * 100000, result(9)]])
    report = salvage(together, tmp_path / "two-out", memory=8 << 20)
    assert [loss["count"] for loss in report["losses"]] == [100000]


def test_times_from_end_to_end(tmp_path: Path) -> None:
    chance = random.Random(9)
    records = [small_archive.result(chance.randrange(1 << 32), {METRIC: {-1: at}}) for at in range(3000)]
    base = small_archive.write(tmp_path / "in", [DESC], [records])
    report = salvage(base, tmp_path / "out")
    assert report["kept"]["records"] + report["lost"]["records"] == 3000


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    base = small_archive.write(tmp_path / "in", [DESC], [[result(at) for at in range(9)]])
    with open(base.with_name("in.meta"), "r+b") as meta:
        meta.truncate(128 << 20)
    subprocess.run(["xz", "-1", base.with_name("in.meta")], check=True)
    assert salvage(base, tmp_path / "out", memory=16 << 20) == 6


def test_names_that_act_on_a_terminal_are_escaped(tmp_path: Path) -> None:
    evil = b"a.\x1b[31m\xe2\x80\xaeb"
    base = small_archive.write(tmp_path / "in", [small_archive.desc(METRIC, [evil], kind=77), DESC], [[result(0), result(1)]])
    done = pmproof("salvage", base, tmp_path / "out")
    assert "\x1b" not in done.stdout + done.stderr and "\u202e" not in done.stdout + done.stderr
