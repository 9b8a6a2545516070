# SPDX-License-Identifier: Apache-2.0
"""Trees of any size: ten times as many archives take the same memory; what is interrupted leaves nothing."""

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof

IN_A_DIRECTORY = 50
# Of what the allocator happens to hold.
NOISE = 3 << 20
_ANONYMOUS = re.compile(r"^RssAnon:\s+(\d+) kB", re.MULTILINE)


@pytest.fixture(name="archive", scope="module")
def fixture_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tmp_path_factory.mktemp("one") / "a"
    assert pmproof("generate", "--no-truth", "--records", "3", "--metrics", "1", archive).returncode == 0
    return archive


def grow(archive: Path, tree: Path, count: int) -> Path:
    """A tree of that many archives, all the same."""
    for number in range(count):
        folder = tree / f"host{number // IN_A_DIRECTORY}"
        folder.mkdir(parents=True, exist_ok=True)
        for suffix in ("meta", "index", "0"):
            os.link(archive.with_name(f"a.{suffix}"), folder / f"{number}.{suffix}")
    return tree


def peak(*words: str | Path) -> int:
    """Of the memory that is written to, in bytes."""
    most = 0
    command = [PMPROOF, *map(str, words), "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            try:
                found = _ANONYMOUS.search(Path(f"/proc/{process.pid}/status").read_text("ascii", "replace"))
            except (FileNotFoundError, ProcessLookupError):
                break
            most = max(most, int(found[1]) * 1024 if found else 0)
            time.sleep(0.001)
        assert process.stderr is not None
        told = process.stderr.read()
    assert process.returncode == 0, told
    return most


def test_ten_times_as_many_archives_take_the_same_memory(archive: Path, tmp_path: Path) -> None:
    few, many = grow(archive, tmp_path / "few", 400), grow(archive, tmp_path / "many", 4000)
    certificate = tmp_path / "few.json", tmp_path / "many.json"
    certifying = [peak("certify", "--root", tree, "--output", to, tree) for tree, to in zip((few, many), certificate)]
    rechecking = [peak("recheck", to, tree) for tree, to in zip((few, many), certificate)]
    size = certificate[1].stat().st_size
    # Whoever held the certificate, or a line for each archive, would be found out.
    assert size > 1.5 * NOISE, size
    print(f"peak of certify {certifying}, of recheck {rechecking}, certificate {size}")
    assert 0 < certifying[1] < certifying[0] + NOISE
    assert 0 < rechecking[1] < rechecking[0] + NOISE
    done = pmproof("recheck", "--quiet", certificate[1], many)
    assert done.stdout == "4000 archives: 4000 unchanged\n"


def test_an_interrupted_certificate_leaves_the_old_one(archive: Path, tmp_path: Path) -> None:
    tree = grow(archive, tmp_path / "tree", 300)
    certificate = tree / "c.json"
    command = [PMPROOF, "certify", "--force", "--output", str(certificate), str(tree)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1800000000"}
    begin = time.monotonic()
    assert subprocess.run(command, capture_output=True, env=environment, check=False).returncode == 0
    took = time.monotonic() - begin
    new = certificate.read_bytes()
    chance = random.Random(3)
    stopped = 0
    for trial in range(20):
        certificate.write_text("the old one")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment) as process:
            time.sleep(chance.uniform(0, took * 1.1))
            process.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[trial % 3])
            process.wait(timeout=60)
        left = certificate.read_bytes()
        stopped += left == b"the old one"
        assert left in (b"the old one", new)
        others = [file.name for file in tree.iterdir() if not file.name.startswith("host")]
        # A report that was killed outright while it was written has a name that says so.
        assert others == ["c.json"] or (trial % 3 == 2 and len(others) == 2), others
        for name in set(others) - {"c.json"}:
            (tree / name).unlink()
    assert stopped > 0
