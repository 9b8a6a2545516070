# SPDX-License-Identifier: Apache-2.0
"""Copies the pages of the workspace, and what they link to, to a folder that mkdocs reads.

Python-Markdown, which mkdocs has, reads a few things otherwise than GitHub: a list or a table has to have an empty line in front,
and a list in a list four blanks. The copies are changed so that both show the same.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from qa.docs import index, markdown

_ITEM = re.compile(r"( *)([-*+]|\d+[.)]) ")
_INTERRUPTS = re.compile(r" *([-*+]|1[.)]) ")


def stage(root: Path, folder: Path) -> list[Path]:
    """Copies README.md and all that links lead to from there, in turn. Returns the pages, relative to both folders."""
    pages: list[Path] = []
    left = [Path("README.md"), index.INDEX]
    seen = set(left)
    while left:
        path = left.pop()
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(root / path, target)
            continue
        pages.append(path)
        text = (root / path).read_text(encoding="utf-8")
        target.write_text(for_mkdocs(text), encoding="utf-8")
        for link in markdown.links(text):
            if link.is_local and link.path:
                to = Path(os.path.normpath(path.parent / link.path))
                # A link that leads nowhere is left for mkdocs to complain of.
                if to not in seen and (root / to).is_file():
                    seen.add(to)
                    left.append(to)
    return sorted(pages)


def for_mkdocs(text: str) -> str:
    """The same page for Python-Markdown."""
    return "\n".join(_lines(text))


def _lines(text: str) -> Iterator[str]:
    before, margin, was_fence = "", -1, False  # margin: that of the list that a line is in, or -1
    for kind, line in markdown.classified(text):
        if kind != "text":
            if kind == "fence" and before.strip() and not was_fence and not line.startswith(" "):
                yield ""
            was_fence = kind == "fence" or was_fence and kind == "code"
            yield line
            before = line
            continue
        item = _ITEM.match(line)
        if item:
            indent = len(item[1])
            nested = 0 <= margin < indent
            if margin < 0 and before.strip() and not _INTERRUPTS.match(line):
                item = None  # a sentence that goes on with a number
            elif margin < 0:
                if before.strip():
                    yield ""
                margin = indent
            if item:
                line = " " * (4 if nested else 0) + line.lstrip()
        elif line.startswith("|") and before.strip() and not before.startswith("|"):
            yield ""
            margin = -1
        elif was_fence and line.strip() and before.strip():
            yield ""
            margin = -1
        elif line.strip() and not line.startswith(" ") and not before.strip() or line.startswith(("#", "<!--")):
            margin = -1
        was_fence = False
        yield line
        before = line
