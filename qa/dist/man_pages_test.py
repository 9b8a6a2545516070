# SPDX-License-Identifier: Apache-2.0
"""A manual page for each command, in which mandoc finds nothing wrong."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from qa.dist import commands, man_pages

TABLE = commands.of_program(Path(os.environ["PMPROOF"]).resolve())
PAGES = man_pages.pages(TABLE, 1_790_000_000)


def mandoc(page: str, *options: str) -> str:
    done = subprocess.run(["mandoc", *options], input=page, capture_output=True, text=True, check=False, timeout=60)
    return re.sub(r".\x08", "", done.stdout)


def test_each_command_has_a_page() -> None:
    assert len(TABLE.commands) > 25
    assert PAGES.keys() == {"pmproof.1"} | {f"pmproof-{command.dashed}.1" for command in TABLE.commands}


@pytest.mark.parametrize("name", PAGES)
def test_mandoc_has_no_complaint(name: str) -> None:
    assert mandoc(PAGES[name], "-T", "lint", "-W", "warning") == ""


def test_the_page_of_the_suite_is_what_it_says_of_itself() -> None:
    page = man_pages.suite(TABLE, "usage: suite\n\n.first -- of\n'all'\n", 1_790_000_000)
    assert mandoc(page, "-T", "lint", "-W", "warning") == ""
    shown = mandoc(page, "-T", "utf8")
    assert re.search(r"usage: suite\n\n +\.first -- of\n +'all'\n", shown), shown


def test_a_page_says_what_help_says() -> None:
    for command in TABLE.commands:
        shown = " ".join(mandoc(PAGES[f"pmproof-{command.dashed}.1"], "-T", "utf8", "-O", "width=1000").split())
        for text in (command.notes, command.exit_statuses, *command.examples, *(option.description for option in command.options)):
            assert " ".join(text.split()) in shown, (command.name, text)
        for option in command.options:
            assert ", ".join(option.names) in shown
            assert all(choice in shown for choice in option.choices)
    first = " ".join(mandoc(PAGES["pmproof.1"], "-T", "utf8", "-O", "width=1000").split())
    assert all(command.summary in first and f"pmproof-{command.dashed}(1)" in first for command in TABLE.commands)


def test_text_is_never_a_request_of_troff() -> None:
    option = commands.Option(("--x",), "", (), "", "", repeats=False)
    odd = commands.Command("odd", "Odd", (), (option,), ".so /etc/passwd", ("'x \\fB-y",), "0 \\*(done")
    page = man_pages.pages(commands.Table("1", (odd,), {}, ()), 0)["pmproof-odd.1"]
    shown = mandoc(page, "-T", "utf8")
    assert ".so /etc/passwd" in shown and "'x \\fB-y" in shown and "0 \\*(done" in shown
