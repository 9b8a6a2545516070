# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: archives, and programs that pose as pmproof."""

import os
import subprocess
from pathlib import Path

PMPROOF = Path(os.environ["PMPROOF"]).resolve()
# Tests change their folder.
os.environ["PMPROOF"] = str(PMPROOF)

# A net for tests that would never end otherwise: no test needs the time to pass.
NET = 300.0


def generate(base: Path, *options: str) -> Path:
    """A conformant archive with marks; its metrics plain.reads and plain.bytes have the instances dev0 and dev1."""
    shape = ["--seed", "7", "--scenario", "marks", "--records", "12", "--metrics", "2", "--instances", "2"]
    run("generate", *shape, "--no-truth", *options, "--", base)
    return base


def mutate(rule: str, archive: Path, base: Path) -> Path:
    """A copy that breaks that rule and no other."""
    run("mutate", "--rule", rule, "--", archive, base)
    return base


def run(*arguments: "str | Path") -> str:
    done = subprocess.run([PMPROOF, *arguments], capture_output=True, text=True, timeout=NET, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def program(folder: Path, body: str) -> Path:
    """A shell script in place of the program."""
    path = folder / "posing"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path
