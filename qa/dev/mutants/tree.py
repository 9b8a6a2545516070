# SPDX-License-Identifier: Apache-2.0
"""A copy of the working tree, in which a file at a time is changed: the tree itself is never touched."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol


class Change(Protocol):
    """Of the text of one file."""

    @property
    def file(self) -> str: ...

    def applied(self, text: str) -> str:
        """Raises ListError where it does not apply."""


class Tree:
    """`folder` is made, and brought up to date where it is there: what has not changed is not written again."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True
        )
        # Bazel's settings of this machine are ignored by git.
        names = {name for name in listed.stdout.decode().split("\0") if name} | {"user.bazelrc"}
        wanted = {name for name in names if (root / name).is_file()}
        for path in [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]:
            if str(path.relative_to(folder)) not in wanted:
                path.unlink()
        for name in wanted:
            _bring(root / name, folder / name)

    @contextmanager
    def mutated(self, mutant: Change) -> Iterator[None]:
        """The change is in the tree for as long as this lasts. Raises ListError where it does not apply."""
        path = self.folder / mutant.file
        text = path.read_text(encoding="utf-8")
        path.write_text(mutant.applied(text), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")


def _bring(source: Path, to: Path) -> None:
    if to.is_file() and to.stat().st_mode == source.stat().st_mode and to.read_bytes() == source.read_bytes():
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, to)
