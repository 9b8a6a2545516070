# SPDX-License-Identifier: Apache-2.0
"""The list of all pages: docs/README.md. Its sections and links are the navigation of the site."""

import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path

from qa.docs import markdown

INDEX = Path("docs/README.md")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^()\s]+)\)")


@dataclass
class Section:
    """`pages`: by their path in the workspace, the title of each."""

    title: str
    pages: dict[str, str] = field(default_factory=dict)


def sections_of(text: str, page: Path = INDEX) -> list[Section]:
    """Those of the list. A page that several links of a section lead to has the words of all of them for a title."""
    found: list[Section] = []
    for kind, line in markdown.classified(text):
        if kind != "text":
            continue
        if line.startswith("## "):
            found.append(Section(line[3:].strip()))
        elif found and line.startswith(("- ", "| [")):
            link = _LINK.search(line)
            if link and (target := link[2].partition("#")[0]).endswith(".md"):
                path = posixpath.normpath(posixpath.join(page.parent.as_posix(), target))
                words = link[1].strip("`")
                pages = found[-1].pages
                pages[path] = f"{pages[path]}, {words}" if path in pages else words
    return [section for section in found if section.pages]
