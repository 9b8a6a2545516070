# SPDX-License-Identifier: Apache-2.0
"""The workspace, and the programs that Bazel makes in it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def built(target: str) -> Path:
    """The program that Bazel makes of a target such as "//validator:pmproof"."""
    subprocess.run(["bazel", "build", target], cwd=ROOT, check=True)
    return ROOT / "bazel-bin" / target.removeprefix("//").replace(":", "/")
