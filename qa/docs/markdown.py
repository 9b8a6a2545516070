# SPDX-License-Identifier: Apache-2.0
"""Markdown as GitHub shows it, as far as links need it: what is code, where links lead, which anchors headings have."""

import re
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"\s*(```+|~~~+)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)]) ")
_INLINE = re.compile(r"\]\(\s*<?([^()<>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+)", re.M)
_HTML = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=\"([^\"]+)\"", re.I)
_ID = re.compile(r"<[a-z]+\b[^>]*?\b(?:id|name)=\"([^\"]+)\"", re.I)
_HEADING = re.compile(r"^ {0,3}(#{1,6}) +(.*?)(?: +#+)?$")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


@dataclass(frozen=True)
class Link:
    """`target` as it is written, in line `line` (from 1)."""

    line: int
    target: str

    @property
    def is_local(self) -> bool:
        return not _SCHEME.match(self.target)

    @property
    def path(self) -> str:
        """Empty: the page itself."""
        return urllib.parse.unquote(self.target.partition("#")[0])

    @property
    def anchor(self) -> str:
        return urllib.parse.unquote(self.target.partition("#")[2])


def without_code(text: str) -> str:
    """The same lines, those of code blocks empty, and code within a line left out."""
    lines = [line if kind == "text" else "" for kind, line in classified(text)]
    return re.sub(r"(`+)(?!`)((?:(?!\n\n).)+?)(?<!`)\1(?!`)", lambda code: re.sub(r"[^\n]", " ", code[0]), "\n".join(lines), flags=re.S)


def classified(text: str) -> Iterator[tuple[str, str]]:
    """Each line, and whether it is "text", "code", or a "fence" around code."""
    fence, indented, in_list, before = "", False, False, ""
    for line in text.split("\n"):
        kind = "text"
        if fence:
            kind = "code"
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                kind, fence = "fence", ""
        elif opening := _FENCE.match(line):
            kind, fence = "fence", opening[1]
        elif line.startswith("    ") and (indented or not before.strip()) and not in_list:
            kind = "code"
        indented = kind == "code" and not fence or indented and not line.strip()
        if kind == "text" and line.strip():
            in_list = bool(_ITEM.match(line)) or in_list and (line.startswith(" ") or bool(before.strip()))
        before = line
        yield kind, line


def links(text: str) -> list[Link]:
    """All of a page, in its order; also those of images."""
    plain = without_code(text)
    found = [
        (match.start(1), match[1]) for pattern in (_INLINE, _REFERENCE, _HTML) for match in pattern.finditer(plain)
    ]
    return [Link(plain.count("\n", 0, at) + 1, target) for at, target in sorted(found)]


def headings(text: str) -> list[tuple[int, str]]:
    """Level and text, as written."""
    found = (_HEADING.match(line) for kind, line in classified(text) if kind == "text")
    return [(len(heading[1]), heading[2]) for heading in found if heading]


def anchors(text: str) -> set[str]:
    """All that a link to the page may name after #."""
    found: set[str] = set(_ID.findall(without_code(text)))
    counts: dict[str, int] = {}
    for _, heading in headings(text):
        slug = slug_of(heading)
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def slug_of(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text)
    text = text.replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
