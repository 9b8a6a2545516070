# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md and of the pages in docs/ are run, and what they show is what comes out.

A block that begins with ```console is run in an empty folder, and the blocks of a page one after the other in the same
one: each line after "$ " is a command (`pmproof` is the program that was built), the lines after it are what it prints
on both streams. A command without such lines may print what it likes; a line "..." stands for any lines.
"""

import os
import pathlib
import re
import subprocess

import pytest

_PMPROOF = pathlib.Path(os.environ["PMPROOF"]).resolve()
_GOLDEN = pathlib.Path("golden").resolve()
_PAGES = [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").rglob("*.md"))]
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```(?:cpp\n//|python\n#) (\S+/\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Command = tuple[str, list[str]]  # with the lines that it shows


def _commands(page: pathlib.Path) -> list[Command]:
    found: list[Command] = []
    for block in _CONSOLE.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def _matches(shown: list[str], printed: list[str]) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + "[ ]*\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def test_there_are_examples() -> None:
    shown = {page.as_posix() for page in _PAGES if _commands(page)}
    commands = {page.as_posix() for page in _PAGES if page.parent.name == "commands"}
    # A collector of one's own is what README and that page have no example for.
    assert {"README.md", "docs/ci.md"} | commands - {"docs/commands/collector.md"} <= shown


@pytest.mark.parametrize("page", [page for page in _PAGES if _commands(page)], ids=str)
def test_the_examples_of_a_page(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "golden").symlink_to(_GOLDEN)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pmproof").symlink_to(_PMPROOF)  # an agent's command is found by PATH
    for command, shown in _commands(page):
        done = subprocess.run(
            ["/bin/bash", "-c", command],
            cwd=tmp_path,
            # A simple.conf of this machine is none of the examples'.
            env={**os.environ, "PCP_PMDAS_DIR": str(tmp_path), "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        # 3: salvage saved with losses.
        assert done.returncode in (0, 1, 3), (command, done.stdout)
        if shown:
            assert _matches(shown, done.stdout.splitlines()), (command, done.stdout)


@pytest.mark.parametrize("page", [page for page in _PAGES if _TOML.search(page.read_text(encoding="utf-8"))], ids=str)
def test_the_policies_shown_are_right(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for number, policy in enumerate(_TOML.findall(page.read_text(encoding="utf-8"))):
        path = tmp_path / f"{number}.toml"
        path.write_text(policy, encoding="utf-8")
        done = subprocess.run([_PMPROOF, "policy", "check", path], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr  # 1: the day has come


def test_the_code_shown_is_that_of_the_files_it_names() -> None:
    # What that page shows is run by //qa/python:page_test.
    texts = [page.read_text(encoding="utf-8") for page in _PAGES if page != pathlib.Path("docs/python.md")]
    blocks = [block for text in texts for block in _CODE.findall(text)]
    assert len(blocks) == sum(text.count("```cpp") + text.count("```python") for text in texts) >= 3
    for path, code in blocks:
        assert code in pathlib.Path(path).read_text(encoding="utf-8"), path
