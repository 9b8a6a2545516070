# SPDX-License-Identifier: Apache-2.0
"""Links and #anchors of all Markdown files lead somewhere, and docs/README.md lists the pages."""

import json
from pathlib import Path

import pytest

from qa.docs import clauses, index, links

# Pages are everywhere in the workspace, most of them not among the data of this test.
ROOT = Path("README.md").resolve().parent
PAGES = links.pages_of(ROOT)


def test_the_pages_are_found() -> None:
    names = {page.as_posix() for page in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "docs/README.md", "golden/README.md", "qa/suite/README.md", "reference/spec/pmda.md"} <= names
    assert len(names) > 50


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(links.broken(ROOT, page)) == []


def test_each_rule_has_the_place_to_which_sarif_links() -> None:
    chapter = Path("reference/spec/archive.md")
    places = {clause.anchor for clause in clauses.defined_in(chapter, (ROOT / chapter).read_text(encoding="utf-8"))}
    rules = [rule["id"] for file in (ROOT / "validator/catalogue").glob("*.json") for rule in json.loads(file.read_bytes()).get("rules", [])]
    assert len(rules) > 200
    assert [rule for rule in rules if rule.lower() not in places] == []


def test_every_page_of_docs_is_in_the_list_of_all_pages() -> None:
    sections = index.sections_of((ROOT / index.INDEX).read_text(encoding="utf-8"))
    listed = {path for section in sections for path in section.pages}
    pages = {page.as_posix() for page in PAGES if page.parts[0] == "docs" or page.parent.as_posix() == "reference/spec"}
    assert pages - listed == {index.INDEX.as_posix()}


def test_readme_is_short() -> None:
    """What does not fit belongs into docs/."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.fixture(name="root")
def fixture_root(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/README.md").write_text("# There\n\n## Two words, `code`\n", encoding="utf-8")
    (tmp_path / ".hidden.md").write_text("# Hidden\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("folder/README.md", None),
        ("folder/README.md#two-words-code", None),
        ("#here", None),
        ("https://example.com/anything", None),
        ("folder/readme.md", "no such file"),
        ("folder/README.md#three", "no such anchor"),
        ("#there", "no such anchor"),
        ("folder", "a folder"),
        ("../outside.md", "leads out"),
        ("/folder/README.md", "not relative"),
        (".hidden.md", "a hidden file"),
    ],
)
def test_what_is_wrong_with_a_link(root: Path, link: str, reason: str | None) -> None:
    (root / "page.md").write_text(f"# Here\n\nText with\na [link]({link}).\n", encoding="utf-8")
    found = list(links.broken(root, Path("page.md")))
    if reason is None:
        assert found == []
    else:
        assert len(found) == 1 and found[0].startswith(f"page.md:4: {link}: ") and reason in found[0]


def test_code_has_no_links(root: Path) -> None:
    text = "`[a](b.md)`\n\n```text\n[a](b.md)\n```\n\n    [a](b.md)\n\n- item\n\n    [a](c.md)\n"
    (root / "page.md").write_text(text, encoding="utf-8")
    assert [one.split(": ")[1] for one in links.broken(root, Path("page.md"))] == ["c.md"]
