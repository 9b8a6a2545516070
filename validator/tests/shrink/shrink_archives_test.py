# SPDX-License-Identifier: Apache-2.0
"""Archives that PCP wrote and that were damaged, shrunk: a few bytes that keep the finding."""

import json
import os
from pathlib import Path

import pytest

from validator.testing.run import pmproof


def _archives() -> Path | None:
    beside = Path(__file__).resolve().parents[4] / "shared"
    folder = Path(os.environ.get("PMPROOF_SHARED") or beside) / "archives" / "archives"
    return folder if folder.is_dir() else None


ARCHIVES = _archives()
pytestmark = pytest.mark.skipif(
    ARCHIVES is None, reason="no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace"
)

# The archive, the rule, and the bytes that are enough for it beside the labels of three files.
CASES = [
    ("20101004-trunc", "ARC-1918", 250),
    ("20190628.04.03", "ARC-1523", 300),
    ("20201109-a", "ARC-1516", 300),
    ("541380", "ARC-1204", 100),
    ("archive-20150417.131733", "ARC-1107", 150),
    ("badlen-1", "ARC-1104", 300),
    ("badlen-3", "ARC-1102", 150),
    ("badmeta-3", "ARC-1405", 400),
    ("badmeta-6", "ARC-1302", 300),
    ("badti-3", "ARC-1903", 200),
    ("bozo.client_v2-badmeta-1", "ARC-1101", 150),
    ("corrupted_labelset", "ARC-1104", 450),
    ("eventrec", "ARC-1819", 1000),
    ("pcp-ss", "ARC-1825", 300),
]


def size_of(archive: Path) -> int:
    return sum(path.stat().st_size for path in archive.parent.glob(f"{archive.name}.*"))


@pytest.mark.parametrize(("name", "rule", "enough"), CASES)
def test_a_few_bytes_keep_the_finding(name: str, rule: str, enough: int, tmp_path: Path) -> None:
    assert ARCHIVES is not None
    out = tmp_path / "out"
    result = pmproof("shrink", "--rule", rule, ARCHIVES / name, out)
    assert result.returncode == 0, result.stderr
    assert "the budget ran out" not in result.stderr
    [report] = json.loads(pmproof("check", "--format", "json", out).stdout)["archives"]
    assert rule in {finding["rule"] for finding in report["findings"]}
    labels = 3 * (808 if report["archive_version"] == 3 else 132)
    assert size_of(out) <= labels + enough, result.stderr
