# SPDX-License-Identifier: Apache-2.0
"""Shared-object agents from outside: `pmproof agent host`, `agent check --dso`, and `open dso` in `agent run`."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from validator.testing.run import pmproof

_AGENTS = os.environ["AGENTS"]
_UNRESOLVED = os.environ["UNRESOLVED"]
_PATIENT = ("--timeout", "300", "--timeout", "creds=300", "--timeout", "end=300")


def check(init: str, *arguments: str, library: str = _AGENTS) -> tuple[dict[str, dict[str, Any]], int]:
    """The outcome of each check, and the exit status."""
    only = ("--check", "CKA-163", "--check", "CKA-164", "--check", "CKA-165")
    done = pmproof("agent", "check", "--format", "json", "--domain", "77", *_PATIENT, *only, *arguments,
                   "--dso", f"{library}:{init}")  # fmt: skip
    checks = {one["id"]: one for one in json.loads(done.stdout)["checks"]}
    return checks, done.returncode


@pytest.mark.parametrize("version", range(2, 8))
def test_a_good_agent_of_each_interface_passes(version: int) -> None:  # DSO-002, CKA-163..165
    checks, status = check(f"good_{version}", "--check", "CKA-030", "--check", "CKA-034", "--check", "CKA-036")
    for identifier in ("CKA-030", "CKA-034", "CKA-036", "CKA-163", "CKA-164", "CKA-165"):
        assert checks[identifier]["outcome"] == "pass", checks[identifier]
    assert f"interface {version}" in checks["CKA-164"]["because"]
    assert status == 0


def test_a_relative_path_is_one_of_the_folder_of_the_user() -> None:  # CKA-162 starts agents in /
    library = Path(_AGENTS).resolve()
    command = [os.path.abspath(os.environ["PMPROOF"]), "agent", "check", "--format", "json", "--domain", "77", *_PATIENT]
    command += ["--check", "CKA-162", "--dso", f"{library.name}:good_7"]
    done = subprocess.run(command, cwd=library.parent, capture_output=True, text=True, check=False)
    (made,) = [one for one in json.loads(done.stdout)["checks"] if one["id"] == "CKA-162"]
    assert (made["outcome"], done.returncode) == ("pass", 0), made["because"]


def test_what_a_function_gives_wrongly_is_a_finding() -> None:  # CKA-163
    checks, status = check("no_result", "--check", "CKA-034")
    assert checks["CKA-163"]["outcome"] == "fail"
    assert checks["CKA-163"]["because"] == "fetch() returned 0 and no result [DSO-025]"
    assert checks["CKA-164"]["outcome"] == "pass"
    assert status == 1


@pytest.mark.parametrize(
    ("init", "because"),
    [
        ("nothing_in_init", "init did not set the interface version"),
        ("version_8", "interface version 8 is not 2 to 7"),
        ("pmapi_untouched", "PMAPI version 253 is neither 2 nor 4"),
        ("status_in_init", "init set status -12345"),
        ("crash_in_init", "init did not return"),
        ("label_missing", "interface 7 has null functions: label"),
    ],
)
def test_what_init_leaves_is_a_finding(init: str, because: str) -> None:  # CKA-164
    checks, status = check(init)
    assert checks["CKA-164"]["outcome"] == "fail"
    assert checks["CKA-164"]["because"] == because
    assert status == (1 if init == "label_missing" else 3)


def test_a_missing_symbol_is_a_finding() -> None:  # CKA-165
    checks, _ = check("unresolved_init", library=_UNRESOLVED)
    assert checks["CKA-165"]["outcome"] == "fail"
    assert "pmproof_symbol_that_is_nowhere" in checks["CKA-165"]["because"]


def test_daemons_have_no_checks_of_shared_objects() -> None:
    only = ("--check", "CKA-163", "--check", "CKA-164", "--check", "CKA-165", "--check", "CKA-001")
    done = pmproof("agent", "check", "--format", "json", *_PATIENT, *only, "--", os.environ["PMPROOF"],
                   "agent", "serve", "trivial")  # fmt: skip
    checks = {one["id"]: one for one in json.loads(done.stdout)["checks"]}
    for identifier in ("CKA-163", "CKA-164", "CKA-165"):
        assert checks[identifier]["outcome"] == "not_checked"
        assert checks[identifier]["because"] == "the agent is not a shared object (--dso)"


def test_dso_and_a_command_do_not_go_together() -> None:
    done = pmproof("agent", "check", "--dso", _AGENTS, "--", "x")
    assert done.returncode == 2
    assert "--dso takes no COMMAND" in done.stderr


def test_the_host_says_why_it_does_not_start(tmp_path: Path) -> None:  # DSO-020..022
    done = pmproof("agent", "host", f"{tmp_path}/none.so")
    assert done.returncode == 3
    assert "cannot be loaded" in done.stderr and "[DSO-020]" in done.stderr
    done = pmproof("agent", "host", f"{_AGENTS}:nowhere")
    assert done.returncode == 3
    assert "has no such function" in done.stderr
    done = pmproof("agent", "host", f"{_AGENTS}:version_8")
    assert done.returncode == 3
    assert "interface version 8 is not 2 to 7 [DSO-021]" in done.stderr


def test_a_report_outlives_its_host(tmp_path: Path) -> None:
    report = tmp_path / "report"
    pmproof("agent", "host", "--report", report, f"{_AGENTS}:crash_in_init")
    assert [json.loads(line)["event"] for line in report.read_text().splitlines()] == ["load"]


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["PMPROOF"], "agent", "run", "-"], input=script, capture_output=True,
                          encoding="utf-8", check=False)  # fmt: skip


def test_a_script_opens_a_shared_object() -> None:  # PMD-401, PMD-416
    done = run(f"open dso {Path(_AGENTS).absolute()} good_7 77\nfetch 77.0.0\ninstance 77.0 5\nlabel domain\nstatus\n")
    assert done.returncode == 0, done
    assert "pmResult dump from 0x0 timestamp: 0.000000 00:00:00.000 numpmid: 1\n" in done.stdout
    assert "Error: DSO instance() failed: Unknown or illegal instance identifier\n" in done.stdout
    assert 'Labels:\n    role="test"\n' in done.stdout
    assert "DSO Interface Version:  7\nPMDA PMAPI Version:     2\n" in done.stdout


def test_a_script_goes_on_after_a_crash() -> None:  # DSO-033
    script = f"open dso {Path(_AGENTS).absolute()} crash_in_fetch 77\nfetch 77.0.0\nstatus\n"
    done = run(script)
    assert done.returncode == 3
    assert "Error: __pmGetPDU() failed: PDU empty, PMDA may have died\n" in done.stdout
    assert "Connection:             dso" in done.stdout
