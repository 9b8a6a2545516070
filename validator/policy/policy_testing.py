# SPDX-License-Identifier: Apache-2.0
"""For tests of policies: archives, policies, and the reports of check."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema

from validator.testing import small_archive
from validator.testing.run import pmproof

REPORT = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text("ascii"))
SCHEMA = json.loads(Path(os.environ["POLICY_SCHEMA"]).read_text("ascii"))
METRIC = small_archive.pmid(29, 0, 1)
START = small_archive.START
HEAD = 'schema = "pmproof-policy/1"\n'
REQUIRED = """
[[require]]
reason = "what the planners read"
metrics = ["disk.all.read", "disk.*"]
min_span = "9s"
max_interval = "1s"
max_gap = "1s"
hosts = ["web*"]
time_zones = ["UTC"]
compression = ["none"]
versions = [2]
"""


def write_archive(base: Path, host: bytes = b"web1", times: range = range(10)) -> Path:
    base.parent.mkdir(exist_ok=True)
    volume = [small_archive.result(START + at, {METRIC: {-1: at}}) for at in times]
    return small_archive.write(base, [small_archive.desc(METRIC, [b"disk.all.read"])], [volume], host=host)


def damage(path: Path, offset: int, content: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[offset : offset + len(content)] = content
    path.write_bytes(whole)


def write_broken(base: Path) -> Path:
    """An entry of the index points into a volume that is not there: an error."""
    write_archive(base, host=b"db1")
    damage(base.with_name("a.index"), 132 + 8, b"\0\0\0\7")
    return base


def policy(tmp_path: Path, text: str, name: str = "policy.toml") -> Path:
    path = tmp_path / name
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def entry(severity: str = "info", more: str = "") -> str:
    return f'[[reclassify]]\nrule = "ARC-1903"\nseverity = "{severity}"\nreason = "known; volume 7 is on tape"\nuntil = 9999-12-31\n{more}\n'


def report_of(*words: str | Path, status: int) -> Any:
    done = pmproof("check", "--format", "json", *words)
    assert done.returncode == status, (done.stdout, done.stderr)
    report = json.loads(done.stdout)
    jsonschema.validate(report, REPORT, jsonschema.Draft202012Validator)
    return report
