# SPDX-License-Identifier: Apache-2.0
"""The suite's part of the matrix, with implementations that are wrong on purpose in place of PCP."""

from pathlib import Path

import pytest

from qa.dev.matrix import golden
from qa.dev.matrix.golden import SuiteError
from qa.dev.matrix.results import Results
from qa.suite.testing import small_golden

NAMES = ["fake:right", "fake:off-by-one"]
LINE = "replay/* | wrong | | theirs: it counts one too far (DEV-03), see INT-502\n"


@pytest.fixture(name="cases")
def fixture_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(golden, "EXPECTED", tmp_path / "expected")
    return small_golden(tmp_path / "golden")


def found(cases: Path, folder: Path, globs: list[str]) -> Results:
    results = Results()
    golden.add(results, golden.run(NAMES, cases, globs, 1, folder), {"DEV-03": None})
    return results


def test_what_fails_without_a_declaration_has_no_entry(cases: Path, tmp_path: Path) -> None:
    results = found(cases, tmp_path / "kept", [])
    assert results.golden["fake:right", "replay"]["pass"] > 0
    assert {one.implementation for one in results.failures} == {"fake:off-by-one"}
    assert {one.entry for one in results.failures} == {None}
    assert len(results.unclassified()) == len(results.failures) > 0
    assert "<h1>Conformance of PCP implementations</h1>" in (tmp_path / "kept/suite.html").read_text(encoding="utf-8")


def test_a_list_of_expected_failures_names_the_entry_in_its_reason(cases: Path, tmp_path: Path) -> None:
    (tmp_path / "expected").mkdir()
    (tmp_path / "expected/fake-off-by-one.txt").write_text(LINE, encoding="utf-8")
    results = found(cases, tmp_path, ["replay/worked-counter-25"])
    assert {one.entry for one in results.failures} == {"DEV-03"}
    assert results.unclassified() == []
    assert all("870" in one.message or "871" in one.message for one in results.failures)


def test_an_implementation_that_can_not_be_started_is_told(cases: Path, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="exec:/no/such"):
        golden.run(["exec:/no/such/adapter"], cases, [], 1, tmp_path)


def test_only_what_the_suite_has_an_adapter_for_takes_part(cases: Path) -> None:
    assert golden.names_of([], cases) == ["reference"]
