# SPDX-License-Identifier: Apache-2.0
"""What results.json says of a few agents of PCP 6.0.3 is what pmproof finds, and what the README says."""

import os
from pathlib import Path

import pytest

from qa.beside_pcp.agent_files import checking, results
from qa.beside_pcp.agent_files.checking import Outcome
from qa.dev.runs.last_run import BEGIN, END
from qa.peers.testing import library_peer

_STATIC = tuple(f"CKA-{number}" for number in range(200, 210))
_README = Path(__file__).with_name("README.md")


def recorded(name: str) -> Outcome:
    (one,) = (one for one in results.load() if (one.version, one.name) == ("6.0.3", name))
    return one


def found(name: str, only: tuple[str, ...], running: bool) -> Outcome:
    return checking.check(Path(os.environ["PMPROOF"]), library_peer("6.0.3"), name, only=only, running=running)


@pytest.mark.parametrize("name", ["docker", "mmv", "overhead", "sample", "xfs"])
def test_the_files_are_found_to_be_as_recorded(name: str) -> None:  # PMD-330
    told = found(name, _STATIC, running=False)
    assert told.failed == {check: why for check, why in recorded(name).failed.items() if check in _STATIC}
    assert told.passed >= 4


def test_an_agent_in_python_says_its_domain_and_names() -> None:  # PMD-333
    told = found("trivial", ("CKA-220", "CKA-223", "CKA-225"), running=True)
    assert (told.passed, told.failed, told.why_not_started) == (2, {}, "")
    assert told.not_checked == ["CKA-223"]  # the package has no compiled help


def test_the_readme_has_the_tables_of_the_results() -> None:
    table = _README.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    assert table.strip() == results.markdown(results.load()).strip()


def test_each_finding_is_judged() -> None:
    """The judgements are written by hand: nothing that was found is missing there."""
    judged = _README.read_text(encoding="utf-8").partition("## Judgements")[2]
    for outcome in results.load():
        for identifier in outcome.failed:
            assert f"| {identifier} | " in judged, f"{outcome.version} {outcome.name}: {identifier}"
