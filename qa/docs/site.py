# SPDX-License-Identifier: Apache-2.0
"""Makes the site: mkdocs, then clauses and what can be searched."""

import json
import re
import subprocess
import sys
from pathlib import Path

from qa.docs import clauses, index, staging

HERE = Path(__file__).resolve().parent
_ARTICLE = re.compile(r"(<article\b[^>]*>)(.*)(</article>)", re.S)
# An option, say, which is not to be broken after its first hyphen.
_SHORT_CODE = re.compile(r"<code>([^<\n]{1,28})</code>")
# Pages that are long tables, of which a search finds the headings alone.
_TABLES = ("golden/coverage", "golden/seeds", "golden/real-defects", "golden/matrix/")


class BrokenSite(Exception):
    """mkdocs does not make it, or complains."""


def is_there() -> bool:
    """Whether mkdocs is, with the theme."""
    program = "import pymdownx; from mkdocs.utils import get_theme_names; assert 'material' in get_theme_names()"
    return subprocess.run([sys.executable, "-c", program], stderr=subprocess.DEVNULL, check=False).returncode == 0


def make(root: Path, work: Path, out: Path) -> int:
    """Makes the site in `out` with copies of the pages in `work`, both empty. Returns the number of pages."""
    source = work / "pages"
    pages = staging.stage(root, source)
    (source / "qa/docs").mkdir(parents=True, exist_ok=True)
    (source / "qa/docs/site.css").write_bytes((HERE / "site.css").read_bytes())
    configuration = work / "mkdocs.yml"
    configuration.write_text(
        "\n".join(
            (
                f"INHERIT: {json.dumps(str(HERE / 'mkdocs.yml'))}",
                f"theme: {{custom_dir: {json.dumps(str(HERE / 'theme'))}}}",
                f"docs_dir: {json.dumps(str(source))}",
                f"site_dir: {json.dumps(str(out))}",
                f"nav: {json.dumps(_navigation(root))}",
                "",
            )
        ),
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(configuration)]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr).splitlines()
        raise BrokenSite("\n".join(line for line in told if not line.startswith("INFO")).strip())
    known = {
        clause.id: clause
        for page in pages
        for clause in clauses.defined_in(page, (root / page).read_text(encoding="utf-8"))
    }
    for page in pages:
        _link_clauses(out / clauses.html_of(page.as_posix()), page.as_posix(), known)
    _index_clauses(out / "search/search_index.json", known)
    return len(pages)


def _navigation(root: Path) -> list[object]:
    sections = index.sections_of((root / index.INDEX).read_text(encoding="utf-8"))
    told: list[object] = [{"Home": "README.md"}, {"All pages": index.INDEX.as_posix()}]
    return told + [{one.title: [{title: path} for path, title in one.pages.items()]} for one in sections]


def _link_clauses(path: Path, page: str, known: dict[str, clauses.Clause]) -> None:
    text = path.read_text(encoding="utf-8")
    article = _ARTICLE.search(text)
    if article is None:
        raise BrokenSite(f"{path}: no article")
    body = _SHORT_CODE.sub(r'<code class="short">\1</code>', clauses.linked(article[2], page, known))
    path.write_text(text[: article.start(2)] + body + text[article.end(2) :], encoding="utf-8")


def _index_clauses(path: Path, known: dict[str, clauses.Clause]) -> None:
    told = json.loads(path.read_text(encoding="utf-8"))
    for entry in told["docs"]:
        if entry["location"].startswith(_TABLES):
            entry["text"] = ""
    told["docs"] += clauses.search_entries(known)
    path.write_text(json.dumps(told), encoding="utf-8")
