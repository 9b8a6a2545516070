"""Makes of a tree what the parts of the suite need."""

import subprocess
from pathlib import Path
from typing import Protocol

# Of Bazel.
_TESTS_FAILED = 3
_TARGET = "//validator:pmproof"


class BuildError(Exception):
    """The tree does not build."""


class Build(Protocol):
    def program(self) -> Path:
        """pmproof of the tree as it is now. Raises BuildError."""

    def passes(self, target: str) -> bool:
        """Whether a test of the tree as it is now passes. Raises BuildError."""


class BazelBuild:
    """With an output base of its own. What is built is not put into a cache that others share."""

    def __init__(self, tree: Path, output_base: Path, jobs: int) -> None:
        self._tree = tree
        self._startup = [f"--output_base={output_base}", "--host_jvm_args=-Xmx1g"]
        self._options = [
            f"--jobs={jobs}",
            "--noremote_upload_local_results",
            "--experimental_convenience_symlinks=ignore",
            "--ui_event_filters=-info,-stdout,-stderr",
            "--noshow_progress",
            "--show_result=0",
        ]

    def program(self) -> Path:
        done = self._bazel("build", _TARGET)
        if done.returncode != 0:
            raise BuildError(done.stderr)
        found = self._bazel("info", "bazel-bin")
        return Path(found.stdout.strip()) / _TARGET.removeprefix("//").replace(":", "/")

    def passes(self, target: str) -> bool:
        done = self._bazel("test", target, "--test_output=summary", "--test_summary=none")
        if done.returncode not in (0, _TESTS_FAILED):
            raise BuildError(done.stderr)
        return done.returncode == 0

    def _bazel(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        options = self._options if command != "info" else []
        return subprocess.run(
            ["bazel", *self._startup, command, *options, *arguments], cwd=self._tree, text=True, capture_output=True, check=False
        )
