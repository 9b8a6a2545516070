# SPDX-License-Identifier: Apache-2.0
"""What is made of a page on its way into the site."""

from pathlib import Path

import pytest

from qa.docs import clauses, cli, index, markdown, staging


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Two words", "two-words"),
        ("list, explain", "list-explain"),
        ("`pmproof check`: *all* of it", "pmproof-check-all-of-it"),
        ("4.1 ERROR 0x7000", "41-error-0x7000"),
        ("A - B", "a---b"),
        ("[A link](there.md) and_more", "a-link-and_more"),
    ],
)
def test_anchors_are_those_of_github(heading: str, slug: str) -> None:
    assert markdown.slug_of(heading) == slug


def test_headings_of_one_text_are_numbered() -> None:
    assert markdown.anchors("# A\n\n## B\n\n## B\n\n```\n# C\n```\n") == {"a", "b", "b-1"}


@pytest.mark.parametrize(
    ("github", "mkdocs"),
    [
        ("Text:\n- a\n- b", "Text:\n\n- a\n- b"),
        ("Text:\n  1. a\n  2. b\n  more", "Text:\n\n1. a\n2. b\n  more"),
        ("- a\n  - b\n- c", "- a\n    - b\n- c"),
        ("- a\n  more\n- b", "- a\n  more\n- b"),
        ("Text\n| a |\n|---|", "Text\n\n| a |\n|---|"),
        ("```\na\n```\n| a |", "```\na\n```\n\n| a |"),
        ("Text\n```\n- a\n```", "Text\n\n```\n- a\n```"),
        ("In the year\n2023. That", "In the year\n2023. That"),
    ],
)
def test_mkdocs_is_given_what_github_shows(github: str, mkdocs: str) -> None:
    assert staging.for_mkdocs(github) == mkdocs


def test_what_links_lead_to_is_copied(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name, text in {
        "README.md": "[a](docs/README.md) [b](code.cc)",
        "docs/README.md": "[c](c.md#here) https://example.com",
        "docs/c.md": "![d](d.svg)",
        "docs/d.svg": "<svg/>",
        "docs/left.md": "",
        "code.cc": "int i;",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    pages = staging.stage(root, tmp_path / "copy")
    assert [page.as_posix() for page in pages] == ["README.md", "docs/README.md", "docs/c.md"]
    copied = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*") if path.is_file()}
    assert copied == {"README.md", "docs/README.md", "docs/c.md", "docs/d.svg", "code.cc"}


def test_a_folder_that_is_no_site_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept.txt").write_text("kept", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        cli.main(["--output", str(tmp_path)])
    assert ended.value.code == 2 and "is no site" in capsys.readouterr().err
    assert (tmp_path / "kept.txt").read_text(encoding="utf-8") == "kept"


def test_the_list_of_pages_is_the_navigation() -> None:
    text = "# All\n\n- [no](section.md)\n\n## A\n\n- [one](one.md) and [more](more.md)\n\n## B\n\n| c |\n|---|\n| [`x`](c.md#x) |\n| [`y`](../c.md) |\n| [`z`](c.md#z) |\n"
    assert [(section.title, section.pages) for section in index.sections_of(text)] == [
        ("A", {"docs/one.md": "one"}),
        ("B", {"docs/c.md": "x, z", "c.md": "y"}),
    ]


_CHAPTER = """\
# Chapter

ARC-001 First. Says
ARC-002 nothing of its own.

- MET-601 an item
- another, see ARC-001

| ID | Rule |
|---|---|
| INT-502b | `V` | a row |

ARC-001 again.
"""


def test_clauses_are_found_where_explain_finds_them() -> None:
    found = clauses.defined_in(Path("reference/spec/chapter.md"), _CHAPTER)
    assert [(one.id, one.anchor, one.text) for one in found] == [
        ("ARC-001", "arc-001", "ARC-001 First. Says ARC-002 nothing of its own."),
        ("MET-601", "met-601", "MET-601 an item"),
        ("INT-502b", "int-502b", "INT-502b V a row"),
    ]
    assert clauses.defined_in(Path("docs/chapter.md"), _CHAPTER) == []


def test_clauses_become_places_and_links() -> None:
    chapter = "reference/spec/chapter.md"
    known = {one.id: one for one in clauses.defined_in(Path(chapter), _CHAPTER)}
    page = "<h2>ARC-001</h2><p>ARC-001 <b>x</b>, see MET-601 &amp; ARC-999, <code>ARC-001</code><br>INT-502b..e</p><p>ARC-001 again</p>"
    assert clauses.linked(page, chapter, known) == (
        '<h2>ARC-001</h2><p><a class="clause" id="arc-001" href="#arc-001">ARC-001</a> <b>x</b>, see '
        '<a class="clause" href="#met-601">MET-601</a> &amp; ARC-999, <code>ARC-001</code><br>'
        '<a class="clause" href="#int-502b">INT-502b</a>..e</p>'
        '<p><a class="clause" href="#arc-001">ARC-001</a> again</p>'
    )
    row = "<table><tr><td>INT-502b</td><td>ARC-001</td></tr></table>"
    assert 'id="int-502b"' in clauses.linked(row, chapter, known)
    assert clauses.linked("<p>ARC-001</p>", "docs/commands/check.md", known) == (
        '<p><a class="clause" href="../../reference/spec/chapter.html#arc-001">ARC-001</a></p>'
    )
