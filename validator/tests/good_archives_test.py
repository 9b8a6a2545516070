# SPDX-License-Identifier: Apache-2.0
"""Sound archives that PCP wrote: no command that reads them complains."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

PMPROOF = os.environ["PMPROOF"]


def _shared() -> Path | None:
    beside = Path(__file__).resolve().parents[3] / "shared"
    folder = Path(os.environ.get("PMPROOF_SHARED") or beside) / "archives"
    return folder if (folder / "MANIFEST.json").is_file() else None


SHARED = _shared()
WHY_NOT = "no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace"
pytestmark = pytest.mark.skipif(SHARED is None, reason=WHY_NOT)
MANIFEST = json.loads((SHARED / "MANIFEST.json").read_text(encoding="utf-8"))["archives"] if SHARED else []
VERDICTS = {entry["id"]: entry["expected_verdict"] for entry in MANIFEST}
AS_THE_TWIN = "as the uncompressed archive of the same name"


def is_good(entry: dict[str, Any]) -> bool:
    verdict = entry["expected_verdict"]
    if verdict == AS_THE_TWIN:
        twins = [one["expected_verdict"] for one in MANIFEST if one is not entry and one["qa_name"] == entry["qa_name"]]
        return bool(twins) and all(one in ("clean", "quirks") for one in twins)
    return verdict in ("clean", "quirks")


GOOD = [entry for entry in MANIFEST if is_good(entry)]


def run(*arguments: str | Path, says: str = "") -> str:
    """What it printed; on standard error it says no more than the pattern."""
    command = [PMPROOF, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)
    said = done.stderr.decode()[:1000]
    assert done.returncode == 0, said
    assert re.fullmatch(says, said), f"{arguments[0]}: {said}"
    return done.stdout.decode()


@pytest.mark.parametrize("entry", GOOD or [{}], ids=[entry["id"] for entry in GOOD] or ["none"])
def test_no_command_complains_about_a_sound_archive(entry: dict[str, Any], tmp_path: Path) -> None:
    assert SHARED is not None
    archive = SHARED / entry["path"]
    run("info", archive)
    lines = [json.loads(line) for line in run("dump", "--format", "jsonl", archive).splitlines()]
    run("rewrite", archive, tmp_path / "out", says=r".*/out: \d+ files written\n")
    recorded = [one["metric"] for line in lines if line["type"] == "result" for one in line["metrics"] if one["status"] == 0]
    run("replay", "--raw", "--metric", recorded[0], archive)
    run("replay", "--metric", recorded[-1], archive)
