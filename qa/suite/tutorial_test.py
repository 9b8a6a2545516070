# SPDX-License-Identifier: Apache-2.0
"""README.md: its commands are run, and what it shows is what they print; its table is that of the rules."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from qa.adapters.protocol import RULES
from qa.suite.fakes import FAKES

README = Path("qa/suite/README.md").read_text(encoding="utf-8")
STARTER = Path("qa/suite/starter")


def commands() -> list[tuple[str, list[str]]]:
    """Each with the lines that it shows; "..." stands for any lines. Without lines it may print what it likes."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def test_the_tutorial(tmp_path: Path) -> None:
    programs, here = tmp_path / "bin", tmp_path / "here"
    programs.mkdir()
    here.mkdir()
    (programs / "suite").write_text(f'#!/bin/sh\nexec {Path("qa/suite/suite").absolute()} "$@"\n', encoding="utf-8")
    (programs / "suite").chmod(0o755)
    environment = {
        "PATH": f"{programs}:{os.defpath}",
        "STARTER": str(STARTER.absolute()),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "LC_ALL": "C.UTF-8",
    }
    assert len(commands()) >= 8
    for command, shown in commands():
        done = subprocess.run(
            ["/bin/bash", "-c", command],
            cwd=here,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        assert done.returncode in (0, 1, 2), (command, done.stdout)
        pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
        assert not shown or re.fullmatch(pattern, done.stdout), f"{command}\n{done.stdout}"


@pytest.mark.parametrize("name", ["adapter.py", "adapter.cc"])
def test_a_starter_is_short(name: str) -> None:
    assert len((STARTER / name).read_text(encoding="utf-8").splitlines()) < 100


def test_the_table_has_each_rule_and_the_fakes_that_break_it() -> None:
    rows = ["| rule | says | broken by |", "|---|---|---|"]
    for rule in RULES.values():
        broken = [f"`fake:{name}`" for name, fake in FAKES.items() if fake.rule == rule.id]
        rows.append(f"| {rule.id} | {rule.says} | {', '.join(broken) or 'a program that is not there'} |")
    table = README.partition("<!-- the rules -->\n")[2].partition("<!-- end of them -->")[0]
    assert table == "\n".join(rows) + "\n"
