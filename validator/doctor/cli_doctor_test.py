# SPDX-License-Identifier: Apache-2.0
"""`pmproof doctor`: what is installed beside pmproof, on machines that are made up here."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

PMPROOF = str(Path(os.environ["PMPROOF"]).absolute())
SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))


class Machine:
    """Its programs are scripts, its PATH has one folder, its home is empty."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.home = folder / "home"
        self.programs.mkdir()
        self.home.mkdir()
        self.variables = {"PATH": str(self.programs), "HOME": str(self.home)}

    def install(self, name: str, script: str) -> None:
        program = self.programs / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    def doctor(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [PMPROOF, "doctor", *words]
        return subprocess.run(command, cwd=self.home, env=self.variables, capture_output=True, text=True, timeout=60, check=False)

    def companions(self) -> dict[str, dict[str, Any]]:
        done = self.doctor("--format", "json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(report)
        assert report["program"] == str(Path(PMPROOF).resolve())
        return {companion["id"]: companion for companion in report["companions"]}


@pytest.fixture(name="machine")
def fixture_machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_bare_machine_has_nothing_and_says_how_to_get_it(machine: Machine) -> None:
    found = machine.companions()
    of_machine = {"time-zones", "pcp-python", "suite-python", "fleet-python", "pmcd"}  # by places, not by PATH
    assert {name for name, companion in found.items() if companion["there"]} <= of_machine
    assert found["pytest"]["detail"] == "there is no python3"
    assert all(companion["get"] and companion["serves"] for companion in found.values())


def test_the_version_of_pcp_is_what_pmval_says_on_either_stream(machine: Machine) -> None:
    machine.install("pmval", "echo 'pmval version 6.0.3' >&2")
    assert machine.companions()["pcp-tools"]["detail"] == f"6.0.3, {machine.programs}/pmval"
    machine.install("pmval", "echo 'pmval version 9.1'")
    assert machine.companions()["pcp-tools"]["detail"].startswith("9.1, ")


@pytest.mark.parametrize("script", ["exit 1", "echo hello", "kill -9 $$", "exec /bin/sleep 1000", "exec /usr/bin/yes"])
def test_a_program_that_does_not_answer_does_not_count(machine: Machine, script: str) -> None:
    machine.install("pmval", script)
    begin = time.monotonic()
    tools = machine.companions()["pcp-tools"]
    assert not tools["there"] and tools["detail"] == f"{machine.programs}/pmval does not say its version"
    assert time.monotonic() - begin < 30


def test_what_python_has_is_asked_of_python(machine: Machine) -> None:
    (machine.programs / "python3").symlink_to(sys.executable)
    found = machine.companions()
    python = f"{machine.programs}/python3 ({sys.version_info[0]}.{sys.version_info[1]})"
    assert found["pytest"]["there"] and found["pytest"]["detail"] == f"pytest of {python}"


def test_modules_that_are_missing_are_named(machine: Machine) -> None:
    machine.install("python3", "echo 3.11; echo pytest")
    found = machine.companions()
    assert found["pytest"]["there"] and not found["pandas"]["there"]
    assert found["pandas"]["detail"] == f"no pandas of {machine.programs}/python3 (3.11)"


def test_the_suite_and_the_fleet_have_the_python_of_the_system(machine: Machine) -> None:
    script = "import importlib.util as u, sys; print(all(u.find_spec(m) for m in sys.argv[1:]))"
    for name, modules in {"suite-python": ("jinja2", "jsonschema"), "fleet-python": ("distributed", "xxhash", "cryptography")}.items():
        done = subprocess.run(["/usr/bin/python3", "-I", "-c", script, *modules], capture_output=True, text=True, check=True)
        assert machine.companions()[name]["there"] == (done.stdout == "True\n")


def test_versions_of_pcp_are_read_from_their_folders(machine: Machine, tmp_path: Path) -> None:
    folder = machine.home / ".cache/pmproof/peers"
    for name, record in {"sid": '{"version": "7.2.2"}', "bookworm": '{"version": "6.0.3"}', "half": "{", "odd": "[]"}.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "peer.json").write_text(record, encoding="utf-8")
    assert machine.companions()["peers"]["detail"] == f"6.0.3, 7.2.2 in {folder}"
    machine.variables["PMPROOF_PEERS"] = str(tmp_path / "none")
    assert machine.companions()["peers"] | {"there": False} == machine.companions()["peers"]


def test_the_suite_is_found_beside_it_or_in_path(machine: Machine) -> None:
    assert not machine.companions()["suite"]["there"]
    machine.install("pmproof-suite", "exit 0")
    assert machine.companions()["suite"]["detail"] == f"{machine.programs}/pmproof-suite"


def test_the_text_says_both_and_shows_foreign_text_as_characters(machine: Machine) -> None:
    machine.install("pmval", "printf 'pmval version 7\\033[31m\\n'")
    (machine.home / "pmproof.toml").write_text("memory = '256M'\n", encoding="utf-8")
    done = machine.doctor()
    assert done.returncode == 0
    installed, missing = done.stdout.split("\nnot installed;")
    assert "settings of " in installed and "pmproof.toml" in installed
    assert "PCP's tools" in installed and "7\\x1b[31m," in installed
    assert "apt-get install python3-pcp" in missing


def test_a_wrong_settings_file_is_told(machine: Machine) -> None:
    (machine.home / "pmproof.toml").write_text("memory = \n", encoding="utf-8")
    done = machine.doctor()
    assert done.returncode == 2 and "pmproof.toml: line 1" in done.stderr
    assert machine.doctor("--no-config").returncode == 0
