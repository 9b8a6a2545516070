# SPDX-License-Identifier: Apache-2.0
"""`pmproof rules bisect`: which profile, version and deviations an implementation answers by. The implementations here
are `pmproof testee` with deviations on and off, and an adapter that is wrong in one clause."""

import json
import os
import shlex
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF
from validator.testing.run import pmproof as run

SCHEMA = json.loads(Path(os.environ["RULES_BISECT_SCHEMA"]).read_text(encoding="utf-8"))
WRONG = os.environ["WRONG_ADAPTER"]

# PCP 6.3.8 without DEV-06, but that each value of 32 bits half a second after a full one is 1 more.
ODD = """\
import json, subprocess, sys
real = subprocess.Popen([{pmproof!r}, "testee", "--emulate", "6.3.8", "--without", "DEV-06"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    real.stdin.write(line); real.stdin.flush()
    if json.loads(line)["cmd"] == "bye": break
    answer = json.loads(real.stdout.readline())
    for fetch in answer.get("result", {{}}).get("fetches", []):
        if fetch["time"].endswith(".500000000"):
            for metric in fetch.get("metrics", []):
                for value in metric["values"]:
                    if value["type"] == "u32": value["value"] = str((int(value["value"]) + 1) % 2**32)
    print(json.dumps(answer), flush=True)
"""


def emulating(*words: str) -> str:
    return "exec:" + shlex.join([str(Path(PMPROOF).absolute()), "testee", *words])


def bisect(implementation: str, *words: str, status: int = 0) -> dict[str, Any]:
    done = run("rules", "bisect", implementation, "--format", "json", *words)
    assert done.returncode == status, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def version(found: dict[str, Any], name: str) -> dict[str, Any]:
    (entry,) = [entry for entry in found["versions"] if entry["version"] == name]
    return {key: entry[key] for key in ("on", "off", "undecided")}


@pytest.mark.parametrize("name", ["6.0.3", "6.3.8", "7.2.2"])
def test_a_version_is_named(name: str) -> None:
    found = bisect(emulating("--emulate", name))
    assert found["behaves_like"] == f"PCP {name}"
    assert [entry["version"] for entry in found["versions"]] == [name]
    assert version(found, name)["off"] == version(found, name)["undecided"] == []
    assert found["values"]["differing"] == 0 and found["witnesses"] == []


@pytest.mark.parametrize(
    ("name", "off"), [("6.0.3", ["DEV-02"]), ("6.3.8", ["DEV-06"]), ("7.2.2", ["DEV-03", "DEV-23", "DEV-28"])]
)
def test_deviations_that_are_left_out_are_named(name: str, off: list[str]) -> None:
    found = bisect(emulating("--emulate", name, "--without", ",".join(off)))
    assert version(found, name)["off"] == off and version(found, name)["undecided"] == []
    assert found["behaves_like"] == f"PCP {name} without {' and '.join([', '.join(off[:-1]), off[-1]] if off[1:] else off)}"


def test_versions_that_answer_alike_are_all_named() -> None:
    # They differ in DEV-07, and where the index begins after records (INT-1403).
    found = bisect(emulating("--emulate", "6.3.8", "--without", "DEV-07,DEV-28"))
    assert [entry["version"] for entry in found["versions"]] == ["6.3.8", "7.2.2"]
    assert all(version(found, name)["off"] == ["DEV-07", "DEV-28"] for name in ("6.3.8", "7.2.2"))


def test_deviations_that_are_the_only_ones_are_named() -> None:
    found = bisect(emulating("--emulate", "7.2.2", "--only", "DEV-01", "--only", "DEV-04,DEV-27"))
    assert version(found, "7.2.2")["on"] == ["DEV-01", "DEV-04", "DEV-27"]
    assert found["behaves_like"] == "the rule of PCP 7.2.2 with DEV-01, DEV-04 and DEV-27 alone"


def test_a_profile_is_named() -> None:
    found = bisect(emulating())
    assert found["profiles"] == ["pcp-6.3.2"] and found["behaves_like"] == "profile pcp-6.3.2"


def test_it_is_asked_by_what_separates() -> None:
    found = bisect(emulating("--emulate", "6.3.8"))
    assert 5 <= found["questions"]["separating"] <= 40 < found["questions"]["asked"]
    few = bisect(emulating("--emulate", "6.3.8"), "--questions", "4")
    assert few["questions"]["asked"] == 4


def test_archives_are_taken_in_place_of_generated_ones(tmp_path: Path) -> None:
    base = tmp_path / "own"
    assert run("generate", "--seed", "6", "--scenario", "replay", "--scenario", "marks", str(base)).returncode == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    found = bisect(emulating("--emulate", "6.0.3"), str(base))
    assert found["archives"] == [str(base)]
    assert "6.0.3" in [entry["version"] for entry in found["versions"]]
    assert "6.3.8" not in [entry["version"] for entry in found["versions"]]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.fixture(name="odd")
def fixture_odd(tmp_path: Path) -> str:
    program = tmp_path / "odd"
    program.write_text(f"#!{sys.executable}\n" + ODD.format(pmproof=str(Path(PMPROOF).absolute())), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return f"exec:{program}"


def test_what_differs_from_all_has_a_witness(odd: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    found = bisect(odd, "--witnesses", str(kept), "--budget", "30", status=1)
    assert version(found, "6.3.8")["off"] == ["DEV-06"]
    assert found["values"]["differing"] > 0
    assert any(witness["shrunk"] for witness in found["witnesses"])
    for number, witness in enumerate(found["witnesses"], start=1):
        assert witness["time"].endswith(".500000000")
        if not witness["shrunk"]:  # the machine was too slow
            continue
        assert witness["records"] <= 4
        folder = kept / str(number)
        request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
        assert run("info", request["input"]["path"]).returncode == 0
        assert len(request["args"]["fetches"]) <= 3


def test_text_says_it(odd: str) -> None:
    done = run("rules", "bisect", odd, "--name", "mine", "--budget", "30")
    assert done.returncode == 1
    assert done.stdout.startswith("mine behaves most like PCP 6.3.8 without DEV-06\n")
    assert "\ndiffers from all in INT-" in done.stdout
    assert "; smallest witness:\n" in done.stdout or "; a witness, not shrunk to the end:\n" in done.stdout


def test_nothing_stays_in_the_folder_of_generated_archives(tmp_path: Path) -> None:
    bisect(emulating(), "--scratch", str(tmp_path), "--questions", "5")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "no IMPLEMENTATION given"),
        (["pcp-6.3.2"], 2, "no implementation"),
        (["pcp:7.2"], 2, "qa/suite/suite"),
        (["exec:/no/such/adapter"], 3, "exec:/no/such/adapter"),
        ([f"exec:{PMPROOF} testee", "/no/such/archive"], 4, "/no/such/archive"),
        ([f"exec:{PMPROOF} testee", "--witnesses", "/"], 2, "no empty folder"),
    ],
)
def test_refusals(words: list[str], status: int, said: str) -> None:
    done = run("rules", "bisect", *words)
    assert done.returncode == status
    assert said in done.stderr


def test_an_implementation_that_breaks_is_status_3() -> None:
    done = run("rules", "bisect", f"exec:{Path(WRONG).absolute()} dies_at_start 1", "--format", "json")
    assert done.returncode == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--without", "DEV-07"], "--without and --only need --emulate"),
        (["--emulate", "6.3.8", "--without", "DEV-05"], "DEV-05 is no deviation that can be left out"),
        (["--emulate", "6.3.8", "--only", "no"], "no is no deviation"),
    ],
)
def test_testee_refuses_deviations_that_are_none(words: list[str], said: str) -> None:
    done = run("testee", *words)
    assert done.returncode == 2 and said in done.stderr


# Says hello, and nothing more.
SILENT = """\
import json, sys, time
sys.stdin.readline()
print(json.dumps({"ok": True, "protocol": 1, "implementation": {"name": "silent", "version": "1"}, "capabilities": ["replay.interp"]}), flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("silent", [True, False])
def test_a_signal_leaves_nothing(tmp_path: Path, silent: bool, kind: signal.Signals) -> None:
    adapter = tmp_path / "silent.py"
    adapter.write_text(SILENT, encoding="utf-8")
    implementation = "exec:" + shlex.join([sys.executable, str(adapter)]) if silent else emulating("--emulate", "6.0.3")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [PMPROOF, "rules", "bisect", implementation, "--scratch", str(scratch), "--progress=always"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and process.stdout is not None
        before = process.stderr.read(len("\r\x1b[K0 questions"))  # it asks the first one
        assert any(scratch.iterdir())
        process.send_signal(kind)
        told, report = process.stderr.read(), process.stdout.read()
        assert process.wait(timeout=30) == -kind, told
    assert "0 questions" in before and "no report is written" in told and report == ""
    assert not any(scratch.iterdir())
