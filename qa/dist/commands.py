# SPDX-License-Identifier: Apache-2.0
"""The table of commands, as `pmproof help --format json` prints it (validator/schema/commands.schema.json)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.dist.executable import run

# Values of options that are paths; other values that are no choice can be anything. Operands are paths but for a few.
_PATH_VALUES = frozenset("ARCHIVE BASE CERT DIR EXPECTED FILE FILE[:INIT] FOLDER ORIGINAL PATH [FORMAT:]FILE".split())
_OTHER_OPERANDS = frozenset("AGENT DEFINITION ID UNITS".split())


@dataclass(frozen=True)
class Option:
    """`value`: what stands for its value; empty: it takes none. `choices`: all that it takes; empty: not a closed list."""

    names: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    default: str
    help: str
    repeats: bool

    @property
    def takes_path(self) -> bool:
        return self.value in _PATH_VALUES

    @property
    def description(self) -> str:
        """As --help has it, without the choices if there is text beside them."""
        text = self.help or ", ".join(self.choices)
        return f"{text} (default: {self.default})" if self.default else text


@dataclass(frozen=True)
class Operand:
    name: str
    help: str
    required: bool
    repeats: bool

    @property
    def is_path(self) -> bool:
        return self.name not in _OTHER_OPERANDS


@dataclass(frozen=True)
class Command:
    name: str
    summary: str
    operands: tuple[Operand, ...]
    options: tuple[Option, ...]
    notes: str
    examples: tuple[str, ...]
    exit_statuses: str

    @property
    def dashed(self) -> str:
        return self.name.replace(" ", "-")


@dataclass(frozen=True)
class Table:
    """`common`: options of every command. `groups`: first words of several commands, each with a summary."""

    version: str
    commands: tuple[Command, ...]
    groups: Mapping[str, str]
    common: tuple[Option, ...]

    def first_words(self) -> dict[str, str]:
        """What can follow `pmproof`, with what it does, in the order of --help."""
        found: dict[str, str] = {}
        for command in self.commands:
            first = command.name.split()[0]
            found.setdefault(first, self.groups.get(first, command.summary))
        return found | {"help": "Print the page of the program, or of a command", "version": "Print the version"}

    def of_group(self, group: str) -> dict[str, str]:
        """What can follow the word of a group."""
        return {one.name.split()[1]: one.summary for one in self.commands if one.name.startswith(f"{group} ")}


def of_program(program: Path) -> Table:
    """Returns its commands.

    Raises DistError.
    """
    told = json.loads(run(str(program), "help", "--format", "json"))
    return Table(
        told["tool"]["version"],
        tuple(_command(each) for each in told["commands"]),
        {each["name"]: each["summary"] for each in told["groups"]},
        tuple(_option(each) for each in told["options"]),
    )


def _command(told: dict[str, Any]) -> Command:
    operands = tuple(Operand(each["name"], each["help"], each["required"], each["repeats"]) for each in told["operands"])
    options = tuple(_option(each) for each in told["options"])
    return Command(
        told["name"], told["summary"], operands, options, told["notes"], tuple(told["examples"]), told["exit_statuses"]
    )


def _option(told: dict[str, Any]) -> Option:
    value, default = told["value"] or "", told["default"] or ""
    return Option(tuple(told["names"]), value, tuple(told["choices"]), default, told["help"], told["repeats"])
