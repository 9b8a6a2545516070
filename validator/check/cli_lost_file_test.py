# SPDX-License-Identifier: Apache-2.0
"""A volume that somebody else cuts short while a command reads it: the file is named, nothing else is lost."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from validator.testing.run import pmproof

CUT_AFTER_MAP = os.environ["CUT_AFTER_MAP"]
SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="ascii"))
CUT_TO = 40_000
METRIC = "plain.reads"
# A command opens a file several times: to see whether it can be opened, to know its size, to read it.
MOST_OPENED = 12


@pytest.fixture(name="directory")
def fixture_directory(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for base in ("one", "two", "three"):
        assert pmproof("generate", "--seed", "7", "--records", "1200", "--quiet", tmp_path / "in" / base).returncode == 0
        (tmp_path / "in" / f"{base}.truth.json").unlink()
    return tmp_path / "in"


def outcomes(directory: Path, *arguments: str | Path) -> list[tuple[int, str, str]]:
    """Exit status, output and errors of a command, with the volume of `two` cut when it is mapped for the 1st, 2nd, ... time."""
    volume = directory / "two.0"
    content = volume.read_bytes()
    assert len(content) > 2 * CUT_TO > 64 * 1024
    results: list[tuple[int, str, str]] = []
    for at in range(1, MOST_OPENED + 1):
        shim = {"LD_PRELOAD": CUT_AFTER_MAP, "CUT_FILE": "/two.0", "CUT_AT": str(at), "CUT_TO": str(CUT_TO)}
        done = pmproof(*arguments, env=shim)
        was_cut = volume.stat().st_size == CUT_TO
        volume.write_bytes(content)
        if not was_cut:
            return results
        results.append((done.returncode, done.stdout, done.stderr))
    return results


def is_told(errors: str) -> bool:
    return f"two.0: offset {CUT_TO}: the file was cut short here while it was read; it had " in errors


COMMANDS = {
    "check": ["check", "two"],
    "check of all": ["check", "--jobs", "4", "."],
    "check of the set": ["check", "--set", "."],
    "info": ["info", "two"],
    "dump": ["dump", "two"],
    "dump jsonl": ["dump", "--format", "jsonl", "two"],
    "rewrite": ["rewrite", "--force", "two", "../out/two"],
    "rewrite to version 2": ["rewrite", "--archive-version", "2", "--force", "two", "../out/two"],
    "replay": ["replay", "--metric", METRIC, "two"],
    "replay emulated": ["replay", "--metric", METRIC, "--emulate", "6.3.8", "--interval", "100s", "two"],
    "replay of records": ["replay", "--raw", "--metric", METRIC, "two"],
    "rules diff": ["rules", "diff", "--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2", "two"],
    "derive": ["derive", "--archive", "two", "a.b = plain.reads"],
    "mutate": ["mutate", "--rule", "ARC-1104", "--force", "two", "../out/two"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_file_is_named_and_the_status_is_4(directory: Path, command: str) -> None:
    (directory.parent / "out").mkdir()
    places = {"two", "../out/two", "."}
    arguments = [str(directory / argument) if argument in places else argument for argument in COMMANDS[command]]
    results = outcomes(directory, *arguments)
    assert results, "the volume was never mapped"
    told = [is_told(errors) for _, _, errors in results]
    # Cut before it is opened to be read, it is simply a shorter file.
    assert told[-1], results[-1]
    assert not any("internal error" in errors for _, _, errors in results)
    for (status, _, _), is_lost in zip(results, told, strict=True):
        assert status in ((4,) if is_lost else (0, 1, 4)), results


def test_the_report_is_whole_and_has_the_other_archives(directory: Path) -> None:
    expected = json.loads(pmproof("check", "--format", "json", directory / "one", directory / "three").stdout)["archives"]
    results = outcomes(directory, "check", "--format", "json", directory)
    assert is_told(results[-1][2])
    report = directory.parent / "report.json"
    shim = {"LD_PRELOAD": CUT_AFTER_MAP, "CUT_FILE": "/two.0", "CUT_AT": str(len(results)), "CUT_TO": str(CUT_TO)}
    done = pmproof("check", "--format", "json", "--output", report, directory, env=shim)
    assert done.returncode == 4
    whole = json.loads(report.read_text(encoding="utf-8"))
    jsonschema.validate(whole, SCHEMA, jsonschema.Draft202012Validator)
    by_name = {Path(archive["archive"]).name: archive for archive in whole["archives"]}
    assert [by_name["one"], by_name["three"]] == expected
    assert by_name["two"]["findings"] == []
    assert not by_name["two"]["readable"]
    assert str(CUT_TO) in json.dumps(by_name["two"]["failure"])


def test_the_testee_answers_the_next_request(directory: Path) -> None:
    def ask(base: str) -> str:
        arguments = {"metrics": [METRIC], "start": "1700000001.5", "interval": "1.5", "count": 1}
        request = {"cmd": "run", "seq": base, "op": "replay.interp", "input": {"path": str(directory / base)}, "args": arguments}
        return json.dumps(request) + "\n"

    volume = directory / "two.0"
    content = volume.read_bytes()
    told = 0
    for at in range(1, MOST_OPENED + 1):
        shim = {"LD_PRELOAD": CUT_AFTER_MAP, "CUT_FILE": "/two.0", "CUT_AT": str(at), "CUT_TO": str(CUT_TO)}
        done = pmproof("testee", env=shim, stdin=ask("two") + ask("one"))
        assert done.returncode == 0, done.stderr
        volume.write_bytes(content)
        first, second = map(json.loads, done.stdout.splitlines())
        assert "result" in second
        if "error" in first:
            assert is_told(first["error"]["context"])
            told += 1
    assert told > 0
