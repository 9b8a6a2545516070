# SPDX-License-Identifier: Apache-2.0
"""CHANGELOG.md names the version of all that programs rely on."""

import json
import os
import re
import subprocess
from pathlib import Path

CHANGELOG = Path("CHANGELOG.md").read_text(encoding="utf-8")
TABLE = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", CHANGELOG, re.M))


def identifiers(text: str) -> set[str]:
    return set(re.findall(r"\bpmproof-[a-z-]+/\d+", text))


def test_each_schema_is_in_the_table_with_its_version() -> None:
    schemas = sorted(Path().rglob("*.schema.json"))
    assert len(schemas) >= 15
    declared = set().union(*(identifiers(path.read_text(encoding="utf-8")) for path in schemas))
    assert declared == identifiers(" ".join(TABLE.values()))


def test_the_program_says_the_version_of_the_command_line() -> None:
    done = subprocess.run([os.environ["PMPROOF"], "--version"], capture_output=True, text=True, check=True)
    assert TABLE["command line"] in done.stdout.split()


def test_the_catalogue_says_its_version() -> None:
    done = subprocess.run([os.environ["PMPROOF"], "list", "--format", "json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["catalogue_version"] == TABLE["rule catalogue"]


def test_each_version_of_the_table_has_its_entry() -> None:
    for subject, heading in (("command line", "Command line"), ("rule catalogue", "Rule catalogue"), ("testee protocol", "Testee protocol")):
        section = CHANGELOG.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
        newest = re.findall(r"^### (\S+)", section, re.M)[0]
        assert newest == TABLE[subject]
