# SPDX-License-Identifier: Apache-2.0
"""What qa/test prints and returns, given what Bazel wrote."""

import json
import subprocess
from pathlib import Path
from typing import Any

Event = dict[str, Any]


def configured(label: str, kind: str = "cc_test") -> Event:
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"targetKind": kind + " rule"}}


def summary(label: str, status: str) -> Event:
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


def result(label: str, status: str, files: dict[str, Path]) -> Event:
    outputs = [{"name": name, "uri": path.as_uri()} for name, path in files.items()]
    return {"id": {"testResult": {"label": label}}, "testResult": {"status": status, "testActionOutput": outputs}}


def summarise(folder: Path, *events: Event) -> tuple[int, list[str]]:
    file = folder / "events.json"
    file.write_text("".join(json.dumps(event) + "\n" for event in events))
    command = ["/usr/bin/python3", "-B", "qa/dev/bazel/test_summary.py", str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return run.returncode, run.stdout.splitlines()


def test_all_passed(tmp_path: Path) -> None:
    status, lines = summarise(tmp_path, configured("//a:a_test"), summary("//a:a_test", "PASSED"))
    assert (status, lines[-1]) == (0, "1 passed, 0 failed")


def test_a_library_is_no_test(tmp_path: Path) -> None:
    status, lines = summarise(
        tmp_path, configured("//a:a", "cc_library"), configured("//a:a_test"), summary("//a:a_test", "PASSED")
    )
    assert (status, lines[-1]) == (0, "1 passed, 0 failed")


def test_a_failure_is_named_with_its_log(tmp_path: Path) -> None:
    log = tmp_path / "test.log"
    log.write_text("Expected 1, got 2\n")
    status, lines = summarise(
        tmp_path,
        configured("//a:a_test"),
        result("//a:a_test", "FAILED", {"test.log": log}),
        summary("//a:a_test", "FAILED"),
    )
    assert status == 1
    assert "Expected 1, got 2" in lines
    assert lines[-2:] == ["  FAILED: //a:a_test", "0 passed, 1 failed"]


def test_what_was_not_built_has_failed(tmp_path: Path) -> None:
    status, lines = summarise(
        tmp_path, configured("//a:a_test"), configured("//b:b_test"), summary("//a:a_test", "PASSED")
    )
    assert status == 1
    assert lines[-2:] == ["  NOT BUILT: //b:b_test", "1 passed, 1 failed"]


def test_no_test_has_failed(tmp_path: Path) -> None:
    status, lines = summarise(tmp_path)
    assert (status, lines[-1]) == (1, "0 passed, 0 failed")


def test_skipped_tests_are_listed_by_reason(tmp_path: Path) -> None:
    gtest, pytest = tmp_path / "gtest.xml", tmp_path / "pytest.xml"
    gtest.write_text(
        '<testsuites><testsuite><testcase name="A"/><testcase name="B">'
        '<skipped message="a/a_test.cc:12&#x0A;no archives here"/></testcase></testsuite></testsuites>'
    )
    pytest.write_text(
        '<testsuites><testsuite><testcase name="C"><skipped type="pytest.skip" message="no archives here">'
        "b_test.py:3: no archives here</skipped></testcase></testsuite></testsuites>"
    )
    status, lines = summarise(
        tmp_path,
        configured("//a:a_test"),
        configured("//b:b_test", "py_test"),
        result("//a:a_test", "PASSED", {"test.xml": gtest}),
        summary("//a:a_test", "PASSED"),
        result("//b:b_test", "PASSED", {"test.xml": pytest}),
        summary("//b:b_test", "PASSED"),
    )
    assert status == 0
    assert lines[-3:] == [
        "Test programs: 2, with 3 tests, of which 2 were skipped",
        "  skipped 2: no archives here",
        "2 passed, 0 failed",
    ]
