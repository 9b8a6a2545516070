# SPDX-License-Identifier: Apache-2.0
"""The specification as HTML: a page for each chapter, an anchor for each clause, no script and no network."""

import html
import re
from pathlib import Path

import markdown

from qa.docs import clauses, staging

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: 4px; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8886; padding: .25rem .5rem; vertical-align: top; text-align: left; }
a.clause[id] { font-weight: 700; }
a.clause:target { outline: 2px solid; }
"""
# A link to another chapter.
_CHAPTER = re.compile(r'href="([\w-]+)\.md\b')
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<nav>{navigation}</nav>
{body}
</body>
</html>
"""


def pages(source: Path) -> dict[str, bytes]:
    """Returns the pages by their names, index.html among them."""
    chapters = {path.relative_to(source): path.read_text(encoding="utf-8") for path in sorted((source / clauses.CHAPTERS).glob("*.md"))}
    known = {clause.id: clause for path, text in chapters.items() for clause in clauses.defined_in(path, text)}
    navigation = " · ".join(f'<a href="{_name(path)}">{path.stem if path.stem != "README" else "contents"}</a>' for path in chapters)
    made = {}
    for path, text in chapters.items():
        body = markdown.markdown(staging.for_mkdocs(text), extensions=["tables", "fenced_code", "toc"])
        body = _CHAPTER.sub(r'href="\1.html', body)
        title = re.search(r"^# (.*)$", text, re.M)
        made[_name(path)] = _PAGE.format(
            title=html.escape(title[1] if title else path.stem),
            style=_STYLE,
            navigation=navigation,
            body=clauses.linked(body, path.as_posix(), known),
        ).encode()
    return made


def _name(page: Path) -> str:
    return Path(clauses.html_of(page.as_posix())).name

