# SPDX-License-Identifier: Apache-2.0
"""help --format json: the table of commands, as the pages of --help have it."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))


def printed(*arguments: str) -> str:
    done = subprocess.run([os.environ["PMPROOF"], *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


TABLE: dict[str, Any] = json.loads(printed("help", "--format", "json"))


def test_it_is_as_its_schema_says() -> None:
    jsonschema.validate(TABLE, SCHEMA)
    assert len(TABLE["commands"]) > 25
    assert TABLE["tool"]["version"] in printed("version").split()


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("command", TABLE["commands"], ids=[command["name"] for command in TABLE["commands"]])
def test_it_has_what_the_page_of_a_command_has(command: dict[str, Any]) -> None:
    page = printed("help", *command["name"].split())
    shown = re.findall(r"^  (-[^ ]*)", page, re.M)
    assert shown == ["-h,--help"] + [",".join(option["names"]) for option in command["options"]]
    words = flat(page)
    for each in command["options"] + command["operands"]:
        assert flat(each["help"]) in words
    for option in command["options"]:
        assert ", ".join(option["choices"]) in words
        assert option["default"] is None or f"(default: {option['default']})" in words
        assert option["value"] is None or f"{','.join(option['names'])} {option['value']}" in words
    for text in (command["summary"], command["notes"], command["exit_statuses"], *command["examples"]):
        assert flat(text) in words


def test_common_options_and_groups_are_those_of_the_programs_page() -> None:
    page = flat(printed("--help"))
    assert all(flat(option["help"]) in page for option in TABLE["options"])
    commands = {command["name"] for command in TABLE["commands"]}
    # "derive diff" stands beside "derive", which is a command itself.
    assert {group["name"] for group in TABLE["groups"]} == {name.split()[0] for name in commands if " " in name} - commands
    assert all(group["summary"] in page for group in TABLE["groups"])


@pytest.mark.parametrize("words", [("--format",), ("--format", "xml"), ("--format=xml",), ("--format", "json", "check")])
def test_no_other_format_is_known(words: "tuple[str, ...]") -> None:
    done = subprocess.run([os.environ["PMPROOF"], "help", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
