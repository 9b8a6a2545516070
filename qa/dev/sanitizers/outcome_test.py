# SPDX-License-Identifier: Apache-2.0
"""What is recorded of a run under a sanitizer, given what Bazel wrote."""

import json
from pathlib import Path
from typing import Any

from qa.dev.sanitizers import outcome, results

Event = dict[str, Any]


def configured(label: str, kind: str = "cc_test") -> Event:
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"targetKind": kind + " rule"}}


def summary(label: str, status: str) -> Event:
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


def result(label: str, xml: Path) -> Event:
    files = [{"name": "test.xml", "uri": xml.as_uri()}]
    return {"id": {"testResult": {"label": label}}, "testResult": {"status": "PASSED", "testActionOutput": files}}


def read(tmp_path: Path, *events: Event) -> outcome.Outcome:
    file = tmp_path / "events.json"
    file.write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
    return outcome.read(file)


def test_programs_are_told_apart_by_their_fate(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        *(configured(label) for label in ("//a", "//b", "//c", "//d", "//e")),
        configured("//library", "cc_library"),
        summary("//a", "PASSED"),
        summary("//b", "FAILED"),
        summary("//c", "TIMEOUT"),
        summary("//d", "NO_STATUS"),
    )
    assert found.passed == ["//a"]
    assert found.failed == {"//b": "FAILED", "//c": "TIMEOUT"}
    assert found.not_run == {"//d": "not reached", "//e": "does not build"}


def test_bazel_says_why_a_test_was_not_run(tmp_path: Path) -> None:
    aborted = {"id": {"targetCompleted": {"label": "//a"}}, "aborted": {"reason": "SKIPPED", "description": "no clang here"}}
    assert read(tmp_path, configured("//a"), aborted).not_run == {"//a": "no clang here"}


def test_tests_that_skip_themselves_are_counted_by_their_reason(tmp_path: Path) -> None:
    xml = tmp_path / "test.xml"
    xml.write_text('<a><testcase/><testcase><skipped message="x.cc:3&#10;no peer"/></testcase></a>', encoding="utf-8")
    found = read(tmp_path, configured("//a"), summary("//a", "PASSED"), result("//a", xml))
    assert (found.tests, found.skipped) == (2, {"no peer": 1})


def test_a_folder_is_sound_where_all_passed(tmp_path: Path) -> None:
    def sound(*events: Event) -> bool:
        return results.is_sound(results.row(read(tmp_path, *events), date="", commit="", minutes=0))

    assert sound(configured("//a"), summary("//a", "PASSED"))
    assert not sound(configured("//a"), configured("//b"), summary("//a", "PASSED"), summary("//b", "FAILED"))
    assert not sound(configured("//a"), configured("//b"), summary("//a", "PASSED"))
    assert not sound()


def test_the_table_names_what_failed_and_what_never_ran(tmp_path: Path) -> None:
    found = read(tmp_path, configured("//a"), summary("//a", "FAILED"))
    row = results.row(found, date="2026-01-02", commit="abc", minutes=3)
    results.save({"asan": {"a": row, "b": row}}, tmp_path / "results.json")
    text = results.markdown(results.load(tmp_path / "results.json"))
    assert "| a | 2026-01-02 | abc | 3 | 0 | 1 | 0 | 0 | 0 |" in text
    assert "| all | | | 6 | 0 | 2 | 0 | 0 | 0 |" in text
    assert f"### {results.SANITIZERS['tsan']}\n\nNot run yet." in text
    assert "- failed: `//a` (FAILED)" in text
