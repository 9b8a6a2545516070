# SPDX-License-Identifier: Apache-2.0
"""What the shells themselves complete."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from qa.dist import commands, completions

TABLE = commands.of_program(Path(os.environ["PMPROOF"]).resolve())
NET = 120.0

Complete = Callable[[str], "set[str]"]

_BASH = r"""
. ./completion
line=$1
words=()
[[ $line =~ ^(.*[[:space:]=])?([^[:space:]=]*)$ ]]
read -ra words <<<"${BASH_REMATCH[1]//=/ = }"
last=${BASH_REMATCH[2]}
[ "$last" = '' ] && [ "${words[-1]}" = '=' ] || words+=("$last")
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1)) COMPREPLY=()
_pmproof
printf '%s\n' "${COMPREPLY[@]}"
"""

# A terminal of its own, in which a key lists what could follow.
_ZSH = r"""
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1= PS2= RPS1= ; stty -echo; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell "zstyle ':completion:*' list-colors ''; LISTMAX=10000; LINES=500 COLUMNS=200; compadd() { builtin compadd -O found \"\$@\"; print -l -- '<'\${^found}'>'; builtin compadd \"\$@\" }; print -r READY-\$((1+1))"
repeat 2000; do zpty -r shell line '*READY-2*' && break; sleep 0.05; done
zpty -w -n shell "$1"$'\t'
zpty -w -n shell $'\C-u'"print -r DONE-\$((1+1))"$'\n'
repeat 2000; do zpty -r -m shell line '*DONE-2*' && break; sleep 0.05; done
print -r -- "$line"
zpty -d shell
"""


@pytest.fixture(name="complete", params=["bash", "zsh", "fish"])
def fixture_complete(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """The words that could follow a line, in a folder with one file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo.meta").write_bytes(b"")
    shell: str = request.param
    (tmp_path / "functions").mkdir()
    (tmp_path / "completion").write_text(completions.bash(TABLE), encoding="utf-8")
    (tmp_path / "functions/_pmproof").write_text(completions.zsh(TABLE), encoding="utf-8")
    (tmp_path / "pmproof.fish").write_text(completions.fish(TABLE), encoding="utf-8")

    def ask(line: str) -> "set[str]":
        command = {
            "bash": ["bash", "--norc", "-c", _BASH, "bash", line],
            "zsh": ["zsh", "-f", "-c", _ZSH, "zsh", line],
            "fish": ["fish", "--no-config", "-c", "source pmproof.fish; complete -C $argv[1]", line],
        }[shell]
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), "TERM": "dumb", "XDG_DATA_HOME": str(tmp_path)}
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=NET, check=False, start_new_session=True
        )
        assert shell == "zsh" or done.stderr == ""
        if shell == "zsh":
            return set(re.findall(r"<([^<>\n]*)>", done.stdout))
        # fish shows a description behind a tab, and the option before its value.
        return {row.split("\t")[0].rpartition("=")[2] for row in done.stdout.splitlines() if row}

    return ask


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("pmproof ", {"check", "rules", "help", "version"}, {"diff", "demo.meta"}),
        ("pmproof rules ", {"diff", "list"}, {"check", "demo.meta"}),
        ("pmproof check --f", {"--format", "--force", "--fail-on"}, {"--metric"}),
        ("pmproof check --format ", {"text", "json", "html"}, {"demo.meta"}),
        ("pmproof check --fail-on=", {"error", "warning", "info"}, {"demo.meta"}),
        ("pmproof rules diff --", {"--baseline", "--candidate", "--jobs"}, {"--metric-name"}),
        ("pmproof --color never check --pro", {"--profile", "--progress"}, {"--metric"}),
        ("pmproof --color ", {"auto", "always", "never"}, {"check"}),
        ("pmproof check d", {"demo.meta"}, {"dump", "derive"}),
        ("pmproof check --output d", {"demo.meta"}, {"dump"}),
        ("pmproof check demo --fail-on ", {"error", "warning", "info"}, {"demo.meta"}),
        ("pmproof help c", {"check", "certify", "compare"}, {"demo.meta"}),
        ("pmproof explain ", set(), {"demo.meta"}),
    ],
)
def test_what_can_follow(line: str, some: "set[str]", none: "set[str]", complete: Complete) -> None:
    found = {word.removesuffix(" ").removesuffix("=") for word in complete(line)}
    assert some <= found, found
    assert not none & found, found


def test_each_option_of_each_command_is_there() -> None:
    for script in (completions.bash(TABLE), completions.zsh(TABLE), completions.fish(TABLE)):
        for command in TABLE.commands:
            for option in command.options:
                assert any(option.names[-1] in script or f"-l {option.names[-1][2:]} " in script for _ in (0,)), (command.name, option.names)


@pytest.mark.parametrize(("shell", "make"), [("bash", completions.bash), ("zsh", completions.zsh), ("fish", completions.fish)])
def test_the_scripts_are_sound(shell: str, make: Callable[[commands.Table], str], tmp_path: Path) -> None:
    (tmp_path / "script").write_text(make(TABLE), encoding="utf-8")
    done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True, timeout=NET, check=False)
    assert (done.returncode, done.stderr) == (0, "")
