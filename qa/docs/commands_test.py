# SPDX-License-Identifier: Apache-2.0
"""Every command of the program is in the documentation."""

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

INDEX = Path("docs/README.md")
ROWS = dict(re.findall(r"^\| \[`([^`]+)`\]\((commands/[^)#]+)", INDEX.read_text(encoding="utf-8"), re.M))


def _printed(*arguments: str) -> str:
    return subprocess.run([os.environ["PMPROOF"], *arguments], capture_output=True, text=True, check=True).stdout


@cache
def _commands(group: str = "") -> list[str]:
    """As the program lists them, those of groups too."""
    listing = re.search(r"^Commands:\n((?:  .*\n)+)", _printed(*group.split(), "--help"), re.M)
    if listing is None:
        return [group]
    names = re.findall(r"^  ([a-z]+(?: [a-z]+)?)", listing[1], re.M)
    return [one for name in names if name not in ("help", "version") for one in _commands(name)]


def test_the_list_of_commands_is_that_of_the_program() -> None:
    assert len(_commands()) > 25
    assert sorted(ROWS) == sorted(_commands())


@pytest.mark.parametrize(("command", "page"), ROWS.items())
def test_the_page_of_a_command_names_it_in_a_heading(command: str, page: str) -> None:
    headings = re.findall(r"^#+ (.*)$", (INDEX.parent / page).read_text(encoding="utf-8"), re.M)
    assert any(command in heading.split(", ") for heading in headings)


def test_the_numbers_of_rules_and_checks_are_those_of_the_program() -> None:
    told = json.loads(_printed("list", "--format", "json"))
    parts = [check["part"] for check in told["checks"]]

    def numbers(pattern: str, *pages: Path) -> set[int]:
        return {int(number) for page in pages for number in re.findall(pattern, page.read_text(encoding="utf-8"))}

    assert numbers(r"\b(\d+) (?:validity )?rules\b", Path("README.md"), *Path("docs").rglob("*.md")) == {len(told["rules"])}
    assert numbers(r"\b(\d+) checks\b", Path("docs/commands/agent.md"), Path("docs/write-an-agent.md")) == {parts.count("agent")}
    assert numbers(r"\b(\d+) checks\b", Path("docs/commands/collector.md")) == {parts.count("collector")}
