# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md are run, and what they show is what comes out.

A block that begins with ```console is run in an empty folder, one block after the other in the same one: each line
after "$ " is a command (`pmproof` is the program that was built, which may be given a text by "echo 'TEXT' | "), the
lines after it are what it prints on both streams. A command without such lines may print what it likes; a line "..."
stands for any lines.
"""

import os
import pathlib
import re
import subprocess

import pytest

_README = pathlib.Path("README.md").read_text(encoding="utf-8")
_PMPROOF = pathlib.Path(os.environ["PMPROOF"]).resolve()
_GOLDEN = pathlib.Path("golden").resolve()


def _blocks() -> list[list[tuple[str, list[str]]]]:
    blocks = []
    for text in re.findall(r"^```console\n(.*?)^```$", _README, re.MULTILINE | re.DOTALL):
        commands: list[tuple[str, list[str]]] = []
        for line in text.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
        blocks.append(commands)
    return blocks


def _matches(shown: list[str], printed: list[str]) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + "[ ]*\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("readme")
    (folder / "golden").symlink_to(_GOLDEN)
    (folder / "bin").mkdir()
    (folder / "bin" / "pmproof").symlink_to(_PMPROOF)  # an agent's command is found by PATH
    return folder


def test_there_are_examples() -> None:
    assert len(_blocks()) >= 2


@pytest.mark.parametrize("commands", _blocks(), ids=lambda commands: str(commands[0][0]))
def test_an_example(commands: list[tuple[str, list[str]]], folder: pathlib.Path) -> None:
    for command, shown in commands:
        done = subprocess.run(
            ["/bin/bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode in (0, 1, 3), (command, done.stdout)
        if shown:
            assert _matches(shown, done.stdout.splitlines()), (command, done.stdout)


def test_the_code_shown_is_that_of_the_files_it_names() -> None:
    blocks = re.findall(r"^```cpp\n// (\S+)\n(.*?)^```$", _README, re.MULTILINE | re.DOTALL)
    assert len(blocks) == _README.count("```cpp") >= 2
    for path, code in blocks:
        assert code in pathlib.Path(path).read_text(encoding="utf-8"), path
