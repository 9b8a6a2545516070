"""Every golden case, put to the reference implementation under each rule, in each dialect, that it applies to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qa.adapters.testee import Testee
from qa.golden import cases, run
from qa.golden.cases import Case
from validator.testing.run import PMPROOF

CASES = cases.load_all(Path("golden"))


@pytest.fixture(name="reference", scope="module")
def fixture_reference() -> Iterator[Testee]:
    with Testee("reference", lambda: [PMPROOF, "testee"]) as testee:
        yield testee


def name_of(case: Case) -> str:
    return case.id


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case(case: Case, reference: Testee) -> None:
    verdicts = list(run.under_all([case], reference))
    assert len(verdicts) == sum(len(request.variants) for request in case.requests)
    failed = [str(verdict) for verdict in verdicts if not verdict.passed]
    assert not failed, "\n\n".join(["", *failed])
