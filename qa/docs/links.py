# SPDX-License-Identifier: Apache-2.0
"""Whether links of pages lead anywhere. Addresses with a scheme are left alone: tests have no network."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from qa.docs import clauses, markdown


def pages_of(root: Path) -> list[Path]:
    """All Markdown files of the workspace, relative to it."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "bazel-"))]
        found += [Path(folder, name).relative_to(root) for name in files if name.endswith(".md")]
    return sorted(found)


@cache
def _anchors(page: Path) -> frozenset[str]:
    text = page.read_text(encoding="utf-8")
    return frozenset(markdown.anchors(text)) | {one.anchor for one in clauses.defined_in(page, text)}


def broken(root: Path, page: Path) -> Iterator[str]:
    """What is wrong with the links of a page, as FILE:LINE: TARGET: reason."""
    for link in markdown.links((root / page).read_text(encoding="utf-8")):
        if link.is_local and (reason := _fault(root, page, link)):
            yield f"{page}:{link.line}: {link.target}: {reason}"


def _fault(root: Path, page: Path, link: markdown.Link) -> str:
    if link.path.startswith("/"):
        return "not relative"
    target = Path(os.path.normpath((root / page).parent / link.path)) if link.path else root / page
    if not target.is_relative_to(root):
        return "leads out of the workspace"
    if target.is_dir():
        return "a folder; name its README.md"
    if not target.is_file() or target.name not in os.listdir(target.parent):
        return "no such file"
    if any(part.startswith(".") for part in target.relative_to(root).parts):
        return "a hidden file: the site has none"
    if not link.anchor:
        return ""
    if target.suffix != ".md":
        return "only Markdown has anchors"
    return "" if link.anchor in _anchors(target) else "no such anchor"
