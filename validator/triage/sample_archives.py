# SPDX-License-Identifier: Apache-2.0
"""Archives for the tests of triage."""

import json
import lzma
import os
import re
from pathlib import Path

from validator.testing.run import pmproof


def described(archive: Path, start: int, seconds: int, metrics: tuple[str, ...] = ("a.x", "a.y")) -> Path:
    """An archive with a record each second."""
    archive.parent.mkdir(exist_ok=True)
    description = {
        "schema": "pmproof-archive/1",
        "start": start,
        "metrics": {name: {"pmid": f"60.0.{number}", "type": "u32", "semantics": "instant"} for number, name in enumerate(metrics, 1)},
        "records": [{"time": start + at, "values": dict.fromkeys(metrics, at)} for at in range(seconds + 1)],
    }
    file = archive.with_name(archive.name + ".description")
    file.write_text(json.dumps(description))
    done = pmproof("generate", "--description", file, archive)
    assert done.returncode == 0, done.stderr
    file.unlink()
    return archive


def without_time(page: str) -> str:
    """A report without the time that a page says it was made at, so that those of two runs can be compared."""
    return re.sub("<time>.*?</time>", "", page)


def part(archive: Path, suffix: str) -> Path:
    return archive.with_name(f"{archive.name}.{suffix}")


def cut(file: Path, octets: int) -> None:
    os.truncate(file, file.stat().st_size - octets)


def make_week(week: Path) -> Path:
    """A sound archive, and one of each kind that needs a person."""
    for day, name in enumerate(("sound", "cut", "no_meta", "no_volume", "twice", "lost")):
        described(week / name, day * 1000, 20)
    cut(part(week / "cut", "0"), 10)
    part(week / "no_meta", "meta").unlink()
    part(week / "no_volume", "0").unlink()
    part(week / "twice", "0.xz").write_bytes(lzma.compress(part(week / "twice", "0").read_bytes()))
    os.truncate(part(week / "lost", "meta"), 30)
    return week
