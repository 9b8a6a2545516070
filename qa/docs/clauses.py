# SPDX-License-Identifier: Apache-2.0
"""Clauses of the specification as places of the site: an anchor for each, a link wherever one is named, an entry in the search."""

import html
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from qa.docs import markdown

# The folder of the chapters. README.md in it has no clauses.
CHAPTERS = Path("reference/spec")
_NAME = r"(?:ARC|INT|MET|DER|PDU|PMD|DSO|CKA|CKC|OUT)-[0-9]+[a-z]?"
_MENTION = re.compile(rf"(?<![\w-]){_NAME}(?![\w-])")
# As `pmproof explain` finds them: a paragraph, a list item or a row that begins with the identifier.
_DEFINITION = re.compile(rf"(?P<form>\| *|[-*] )?(?P<id>{_NAME})(?=$|[ \t,:.])")
_NO_LINKS = frozenset(("a", "code", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "script", "style", "svg"))
_VOID = frozenset(("br", "hr", "img", "input", "col", "wbr", "source", "link", "meta"))


@dataclass(frozen=True)
class Clause:
    """`page` is the Markdown file, `text` what it says, without markup."""

    id: str
    page: str
    text: str

    @property
    def anchor(self) -> str:
        return self.id.lower()


def defined_in(page: Path, text: str) -> list[Clause]:
    """The clauses of a page; none where it is no chapter. Of several places with one identifier the first counts."""
    if page.parent.parts[-2:] != CHAPTERS.parts or page.name == "README.md":
        return []
    found: dict[str, list[str]] = {}
    current: list[str] = []
    in_paragraph = False
    for kind, line in markdown.classified(text):
        if kind != "text" or not line.strip() or line.startswith("#") or set(line) == {"-"}:
            in_paragraph = False
            current = []
            continue
        told = _DEFINITION.match(line)
        if told and (told["form"] or not in_paragraph):
            current = found.setdefault(told["id"], [])
            if current:
                current = []  # a second place
            current.append(line)
        elif line.startswith(("|", "- ", "* ")):
            current = []
        else:
            current.append(line)
        in_paragraph = not line.startswith("|")
    return [Clause(name, page.as_posix(), _plain(" ".join(lines))) for name, lines in found.items()]


def _plain(text: str) -> str:
    text = re.sub(r"^[-*] ", "", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*|\\]+", " ", text)).strip()


def linked(page_html: str, page: str, known: Mapping[str, Clause]) -> str:
    """The HTML of a page (named by its Markdown file): clauses that it defines get anchors, those that it names links."""
    writer = _Linker(page, known)
    writer.feed(page_html)
    writer.close()
    return "".join(writer.out)


class _Linker(HTMLParser):
    def __init__(self, page: str, known: Mapping[str, Clause]) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self._page = page
        self._known = known
        self._open: list[str] = []
        self._at_start = False  # of what can be a clause
        self._left = {clause.id for clause in known.values() if clause.page == page}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.out.append(self.get_starttag_text() or "")
        if tag in _VOID:
            return
        first_cell = tag == "td" and self._open[-1:] == ["tr"] and not self._in_row
        self._at_start = tag in ("p", "li") or first_cell
        if tag == "tr":
            self._in_row = False
        elif tag in ("td", "th"):
            self._in_row = True
        self._open.append(tag)

    _in_row = False

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.out.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        self.out.append(f"</{tag}>")
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if _NO_LINKS.intersection(self._open):
            self.out.append(data)
            return
        if self._at_start and data.strip():
            self._at_start = False
            told = _DEFINITION.match(data.lstrip())
            if told and told["id"] in self._left:
                self._left.remove(told["id"])
                anchor = self._known[told["id"]].anchor
                self.out.append(f'<a class="clause" id="{anchor}" href="#{anchor}">{told["id"]}</a>')
                data = data.lstrip()[told.end() :]
        self.out.append(_MENTION.sub(self._link, data))

    def _link(self, mention: re.Match[str]) -> str:
        clause = self._known.get(mention[0]) or self._known.get(mention[0].rstrip("abcdefghijklmnopqrstuvwxyz"))
        if clause is None:
            return mention[0]
        to = "" if clause.page == self._page else html_of(clause.page, self._page)
        return f'<a class="clause" href="{html.escape(to)}#{clause.anchor}">{mention[0]}</a>'

    def handle_entityref(self, name: str) -> None:
        self.out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.out.append(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self.out.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.out.append(f"<!{decl}>")


def html_of(page: str, seen_from: str = "") -> str:
    """The address of a page, named by its Markdown file, relative to another one (or to the site)."""
    path = re.sub(r"(^|/)README\.md$", r"\1index.md", page).removesuffix(".md") + ".html"
    return posixpath.relpath(path, posixpath.dirname(seen_from) or ".") if seen_from else path


def search_entries(known: Mapping[str, Clause]) -> Iterator[dict[str, str]]:
    """In the form of search_index.json."""
    for clause in known.values():
        yield {"location": f"{html_of(clause.page)}#{clause.anchor}", "title": clause.id, "text": html.escape(clause.text, quote=False)}
