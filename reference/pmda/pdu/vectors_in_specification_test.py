# SPDX-License-Identifier: Apache-2.0
"""The vectors as data are those of the chapter: none is missing, none has other bytes."""

import re
from pathlib import Path

# Not resolved: under Bazel these are links in a folder that holds just what the test declares.
HERE = Path(__file__).absolute().parent
CHAPTER = (HERE.parents[2] / "reference" / "spec" / "pmda.md").read_text()
SECTION = CHAPTER.split("\n## 18. ")[1].split("\n## 19. ")[0]


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def vectors_of_chapter() -> dict[str, list[str]]:
    """The bytes of each subsection, as text: of the code blocks, in section 18.7 after the rows of its table."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"^### ", SECTION, flags=re.MULTILINE)[1:]:
        rows = re.findall(r"^\| \d+ \| .*?: `(.*?)` \|", part, re.MULTILINE)
        groups: list[tuple[str, list[str]]] = []
        for block in re.findall(r"^```\n(.*?)^```", part, re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if line.startswith("  "):
                    groups[-1][1].append(line)
                else:
                    groups.append((line, []))
        blocks = [joined(lines).replace(" |", "") for title, lines in groups if "value set only" not in title]
        found[part.split()[0]] = rows + blocks
    return found


def vectors_as_data() -> dict[str, list[str]]:
    found = {}
    for path in sorted((HERE / "vectors").glob("*.txt")):
        groups = re.split(rf"^{re.escape(path.stem)}/\d+ .*$", path.read_text(), flags=re.MULTILINE)[1:]
        found[path.stem] = [joined([line for line in group.splitlines() if line.startswith("  ")]) for group in groups]
    return found


def test_all_vectors_of_the_chapter_are_there_as_data() -> None:
    assert vectors_as_data() == vectors_of_chapter()


def test_there_are_233_vectors() -> None:
    assert sum(len(group) for group in vectors_of_chapter().values()) == 233
