# SPDX-License-Identifier: Apache-2.0
"""Results are kept and read again, and become a table."""

from pathlib import Path

import pytest

from qa.beside_pcp.derived import report
from qa.beside_pcp.derived.compare import Comparison
from qa.beside_pcp.derived.report import Report


def a_report() -> Report:
    found = Report("qa/beside_pcp/derived/run --seed 3", 3, "2026-01-02", complete=True)
    one = Comparison(expressions=1000, bound=400)
    one.refused.update({"DER-621": 2, "DER-505": 1})
    one.undefined["DER-818 (values)"] = 7
    found.add("7.2.2", 1, one)
    found.add("7.2.2", 2, one)
    other = Comparison(expressions=1000)
    other.unexplained.append({"kind": "values", "text": "x", "what": "y"})
    found.add("6.0.3", 1, other)
    return found


def test_it_is_read_as_it_was_saved(tmp_path: Path) -> None:
    a_report().save(tmp_path / "r.json")
    assert report.load(tmp_path / "r.json") == a_report()
    (tmp_path / "r.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError):
        report.load(tmp_path / "r.json")


def test_chunks_with_a_fault_are_done_again() -> None:
    found = a_report()
    assert (found.unexplained, {version: list(chunks) for version, chunks in found.chunks.items()}) == (
        1,
        {"7.2.2": [1, 2], "6.0.3": [1]},
    )
    found.drop_unexplained()
    assert (found.unexplained, list(found.chunks["6.0.3"]), list(found.chunks["7.2.2"])) == (0, [], [1, 2])


def test_the_table_has_a_column_for_each_version() -> None:
    table = a_report().markdown()
    assert "| PCP | 6.0.3 | 7.2.2 |" in table
    assert "| expressions | 1,000 | 2,000 |" in table
    assert "| refused, position and message equal | 0 | 6 |" in table
    assert "| - DER-621 | 0 | 4 |" in table
    assert "| - DER-818 (values) | 0 | 14 |" in table
    assert "| **unexplained** | 1 | 0 |" in table
