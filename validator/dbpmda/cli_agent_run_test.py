# SPDX-License-Identifier: Apache-2.0
"""`pmproof agent run` from outside. What is expected is what dbpmda prints of the same script and agent."""

import os
import subprocess
from pathlib import Path

import pytest

from validator.testing.run import pmproof

_PMPROOF = os.environ["PMPROOF"]
_SIMPLE = ("--", _PMPROOF, "agent", "serve", "simple")
_SECONDS = ("--timeout", "300", "--creds-timeout", "300")


def run(script: str, *arguments: str, agent: tuple[str, ...] = _SIMPLE) -> subprocess.CompletedProcess[str]:
    command = [_PMPROOF, "agent", "run", *_SECONDS, *arguments, "-", *agent]
    return subprocess.run(command, input=script, capture_output=True, encoding="utf-8", check=False, timeout=300)


def out_of(script: str, *arguments: str) -> str:
    """Standard output after the start of the agent; the script is right and the agent well."""
    done = run(script, *arguments)
    assert done.returncode == 0, done
    first, _, rest = done.stdout.partition("\n")
    assert first == f"Start pmproof PMDA: {_PMPROOF} agent serve simple"
    return rest


def test_values_are_dumped() -> None:  # PMD-405
    assert out_of("fetch 253.0.0 253.0.1 253.9.9\n") == (
        "PMID(s): 253.0.0 253.0.1 253.9.9\n"
        "__pmResult dump from 0x0 timestamp: 0.000000000 00:00:00.000000000 numpmid: 3\n"
        "  253.0.0 (<noname>): numval: 1 valfmt: 0 vlist[]:\n"
        "   value 1 1.4012985e-45 0x1\n"
        "  253.0.1 (<noname>): numval: 3 valfmt: 0 vlist[]:\n"
        "    inst [0 or ???] value 1 1.4012985e-45 0x1\n"
        "    inst [1 or ???] value 101 1.4153114e-43 0x65\n"
        "    inst [2 or ???] value 201 2.8166099e-43 0xc9\n"
        "  253.9.9 (<noname>): Unknown or illegal metric identifier\n"
    )


def test_names_and_types_make_them_readable(tmp_path: Path) -> None:  # PMD-405, PMD-413
    names = tmp_path / "names"
    names.write_text("root { color 253:0:1 }\n")
    script = "getdesc on\ngetiname on\nprofile 253.0 add 2\nfetch color\n"
    assert out_of(script, "--namespace", str(names)) == (
        "PMID(s): 253.0.1\n"
        "__pmResult dump from 0x0 timestamp: 0.000000000 00:00:00.000000000 numpmid: 1\n"
        "  253.0.1 (color): numval: 1 valfmt: 0 vlist[]:\n"
        '    inst [2 or "blue"] value 201\n'
    )


def test_what_an_agent_knows_is_shown() -> None:  # PMD-404, 407, 411
    assert out_of("desc 253.1.2\ninstance 253.0\ninstance 253.0 1\ninstance 253.0 blue\nlabel indom 253.0\n") == (
        "PMID: 253.1.2\n    Data Type: double  InDom: PM_INDOM_NULL 0xffffffff\n"
        "    Semantics: counter  Units: sec\n"
        'pmInDom: 253.0\n[  0] inst: 0 name: "red"\n[  1] inst: 1 name: "green"\n[  2] inst: 2 name: "blue"\n'
        'pmInDom: 253.0\n[  0] name: "green"\n'
        "pmInDom: 253.0\n[  0] inst: 2\n"
        'pmInDom: 253.0\nLabels:\n    indom_name="color"\n    model="RGB"\n'
    )


def test_a_store_replaces_every_instance() -> None:  # PMD-409
    assert out_of('store 253.0.1 "7"\nstore 253.0.0 "x"\nstore 253.9.9 "1"\n') == (
        "PMID: 253.0.1\nGetting description...\nSending Profile...\nGetting Result Structure...\n"
        "253.0.1 [0]: 1 -> 7\n253.0.1 [1]: 101 -> 7\n253.0.1 [2]: 201 -> 7\nSending Result...\n"
        "PMID: 253.0.0\nGetting description...\nGetting Result Structure...\n"
        'Error: Value "x" is incompatible with metric type (PM_TYPE_U32)\n'
        "PMID: 253.9.9\nGetting description...\nError PDU: Unknown or illegal metric identifier\n"
    )


def test_errors_have_a_place_and_a_status(tmp_path: Path) -> None:  # PMD-414
    script = tmp_path / "script"
    script.write_text("# first\nbogus\nclose\ndesc 1.2.3\n")
    done = pmproof("agent", "run", *_SECONDS, script, *_SIMPLE)
    assert done.returncode == 2
    assert done.stderr == (
        f"{script}:2: Error: Unrecognized command\n"
        f"{script}:4: Warning: PMID (1.2.3) is not defined in the PMNS\n"
        f"{script}:4: Warning: No PMDA currently opened\n"
    )
    assert done.stdout.splitlines()[1:] == ["            ^ at or near here"]


@pytest.mark.parametrize("agent", [("--", "/bin/true"), ("--", "/nonexistent/agent"), ("--", "/bin/echo", "x" * 40)])
def test_an_agent_that_is_none_is_status_3(agent: tuple[str, ...]) -> None:
    done = run("desc 1.2.3\n", agent=agent)
    assert done.returncode == 3, done
    assert "standard input:0: " in done.stderr


def test_a_script_that_is_not_there_is_status_4(tmp_path: Path) -> None:
    assert pmproof("agent", "run", tmp_path / "none").returncode == 4
    assert pmproof("agent", "run", "--namespace", tmp_path / "none", "/dev/null").returncode == 4
    assert pmproof("agent", "run").returncode == 2


def test_a_script_without_agent_and_echo() -> None:
    done = run("status\nquit\nbogus\n", "--echo-input", agent=())
    assert done.returncode == 0
    assert done.stdout.startswith("status\n\nNamespace:              (default)\nPMDA:                   none\n")
    assert done.stdout.endswith("0 profiles\n\nquit\n")


def test_help_shows_how_commands_are_written() -> None:  # PMD-413
    done = run("help fetch\ndesc\n", agent=())
    assert done.stdout.startswith("\nfetch metric [ metric ... ]\n\n")
    assert done.stdout.endswith("desc metric\n")
