# SPDX-License-Identifier: Apache-2.0
"""All golden cases put to the reference implementation, under each rule and in each dialect that they apply to."""

from pathlib import Path

import pytest

from qa.golden import cases
from qa.suite import journal
from qa.suite.checks import checks_of
from qa.suite.cli import main


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_reference_answers_everything_as_expected(tmp_path: Path) -> None:
    events = tmp_path / "journal"
    assert main(["run", "reference", "--jobs", "2", "--journal", str(events)]) == 0
    (reference,) = journal.load(events).implementations
    assert [verdict["id"] for verdict in reference.verdicts] == [c.id for c in checks_of(cases.load_all(Path("golden")))]
    # It has no tools of its own, and does not say so.
    skipped = {verdict["operation"] for verdict in reference.verdicts if verdict["status"] == "skip"}
    assert skipped == {"tool.run"}
    assert skipped.isdisjoint(reference.hello["capabilities"])
    assert {verdict["status"] for verdict in reference.verdicts if verdict["operation"] not in skipped} == {"pass"}
    assert {claim["claim"] for claim in reference.claims} == {"conformant"}
