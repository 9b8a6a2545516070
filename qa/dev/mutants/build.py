# SPDX-License-Identifier: Apache-2.0
"""Makes of a tree what the parts of the suite need."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

# Of Bazel.
_TESTS_FAILED = 3

PROGRAM = "validator/pmproof"
_TARGET = "//validator:pmproof"


class BuildError(Exception):
    """The tree does not build."""


def bounded(program: Path, *arguments: str) -> list[str]:
    """The command of a program that a mutant may have made take all memory, or go on for ever."""
    return ["prlimit", f"--as={4 << 30}", "--cpu=600", str(program), *arguments]


class Build(Protocol):
    def program(self, changed: str | None = None) -> Path:
        """pmproof of the tree as it is now, in which this file was changed. Raises BuildError."""

    def passes(self, target: str, changed: str | None = None) -> bool:
        """Whether a test of that tree passes. Raises BuildError."""


class BazelBuild:
    """With an output base of its own. What is built is not put into a cache that others share."""

    def __init__(self, tree: Path, output_base: Path, jobs: int) -> None:
        self.tree = tree
        self._startup = [f"--output_base={output_base}", "--host_jvm_args=-Xmx1g"]
        self._options = [
            f"--jobs={jobs}",
            "--define=units=off",  # one file is compiled anew for each mutant
            "--noremote_upload_local_results",
            "--spawn_strategy=local",  # nobody else builds in the copy
            "--experimental_convenience_symlinks=ignore",
            "--ui_event_filters=-info",
            "--noshow_progress",
            "--show_result=0",
        ]

    def program(self, changed: str | None = None) -> Path:  # Bazel finds out itself
        self.build([_TARGET])
        return Path(self.info("bazel-bin")) / PROGRAM

    def build(self, targets: Sequence[str]) -> None:
        """Raises BuildError."""
        done = self._bazel("build", *targets)
        if done.returncode != 0:
            raise BuildError(done.stderr)

    def passes(self, target: str, changed: str | None = None) -> bool:
        done = self._bazel("test", target, "--test_output=summary", "--test_summary=none")
        if done.returncode not in (0, _TESTS_FAILED):
            raise BuildError(done.stderr)
        return done.returncode == 0

    def info(self, what: str) -> str:
        return self._bazel("info", what).stdout.strip()

    def commands(self, mnemonic: str) -> list[list[str]]:
        """Those of this kind that make the program, run in the execution root."""
        query = f'mnemonic("{mnemonic}", deps({_TARGET}))'
        told = self._bazel("aquery", query, "--output=jsonproto", "--include_commandline")
        if told.returncode != 0:
            raise BuildError(told.stderr)
        return [action["arguments"] for action in json.loads(told.stdout).get("actions", [])]

    def _bazel(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        # The same options each time: other ones would throw away what is known of the tree.
        options = self._options if command != "info" else []
        return subprocess.run(
            ["bazel", *self._startup, command, *options, *arguments], cwd=self.tree, text=True, capture_output=True, check=False
        )
