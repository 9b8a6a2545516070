# SPDX-License-Identifier: Apache-2.0
"""What a run found survives its file, and its table finds its place in a README."""

import json
from pathlib import Path

import pytest

from qa.beside_pcp.differential import report
from qa.beside_pcp.differential.compare import Comparison
from qa.beside_pcp.differential.report import Report


def some() -> Report:
    found = Report("qa/beside_pcp/differential/run --archives 2", 1, "2026-01-01", generated=2, seconds=61, complete=True)
    one = Comparison(contexts=8, fetches=100, answers=400, values=1234567, as_reference=398)
    one.deviations["DEV-03"] = 2
    one.crashes["DEV-05"] = 1
    found.add({"6.3.8": one, "6.0.3": Comparison(contexts=8)})
    return found


def test_the_table() -> None:
    table = some().markdown()
    assert "2 generated archives" in table
    assert "| values | 1,234,567 | 0 |" in table
    assert "| answers that differ by DEV-03 | 2 | 0 |" in table
    assert "| crashes, endless loops explained by DEV-05 | 1 | 0 |" in table
    assert "| **unexplained** | 0 | 0 |" in table


def test_what_is_unexplained_is_counted() -> None:
    found = some()
    found.add({"6.3.8": Comparison(unexplained=["one", "two"])})
    assert found.unexplained == 2
    assert "| **unexplained** | 2 | 0 |" in found.markdown()


def test_a_file_and_back(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    some().save(path)
    assert [each.name for each in tmp_path.iterdir()] == ["result.json"]
    back = report.load(path)
    assert sorted(back.versions) == ["6.0.3", "6.3.8"]
    assert back.versions == some().versions
    assert back.to_json() == some().to_json()


def test_a_run_that_was_stopped_says_so() -> None:
    found = some()
    found.complete = False
    assert "Not complete." in found.markdown()
    assert json.loads(json.dumps(found.to_json()))["footer"] == {"complete": False}


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="pmproof-differential/1"):
        report.load(path)
