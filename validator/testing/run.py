# SPDX-License-Identifier: Apache-2.0
"""Runs the pmproof that Bazel built, as a user would."""

import os
import subprocess
from pathlib import Path

import pytest

PMPROOF = os.environ["PMPROOF"]
# Seconds after which a run hangs: a program with a sanitizer in it may take longer (qa/dev/sanitizers).
_PATIENCE = float(os.environ.get("PMPROOF_PATIENCE", "60"))

_OF_SANITIZERS = {name: os.environ[name] for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}


def pmproof(*arguments: str | Path, env: dict[str, str] | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [PMPROOF, *map(str, arguments)]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"} | _OF_SANITIZERS | (env or {})
    result = subprocess.run(
        command, input=stdin.encode(), capture_output=True, env=environment, check=False, timeout=_PATIENCE
    )
    # Not by text=True, which makes newlines of carriage returns.
    return subprocess.CompletedProcess(command, result.returncode, result.stdout.decode(), result.stderr.decode())


def shared_archives() -> Path:
    """The archives that other people recorded. Skips the test, and says so, where they are not."""
    shared = os.environ.get("PMPROOF_SHARED")
    folder = Path(shared) / "archives" if shared else None
    if folder is None or not folder.is_dir():
        pytest.skip("the archives shared by others are not here (PMPROOF_SHARED names their folder)")
    return folder
