# SPDX-License-Identifier: Apache-2.0
"""What results.json says of the sample agent of PCP 6.0.3 is what pmproof finds, and what the README says."""

import os
from pathlib import Path

from qa.beside_pcp.agents import checking, results
from qa.beside_pcp.agents.packaged import Agent
from qa.peers.testing import library_peer
from qa.dev.runs.last_run import BEGIN, END

# Some that it passes, and some that it does not, none of which waits or depends on the machine's memory. CKA-105 is one that
# the preset of its library declares.
_QUICK = tuple(f"CKA-{number}" for number in "001 030 032 040 041 043 050 084 105 137 160".split())


def test_sample_is_found_to_be_as_recorded() -> None:
    peer = library_peer("6.0.3")
    pmproof = Path(os.environ["PMPROOF"])
    found = checking.check(pmproof, peer, Agent("sample", "pmdasample"), only=_QUICK, seconds=300)
    (recorded,) = (one for one in results.load() if (one.version, one.file) == ("6.0.3", "pmdasample"))
    assert (found.why, found.metrics) == ("", recorded.metrics)
    assert found.preset == recorded.preset == "libpcp_pmda:6.0.3"
    assert found.failed == {name: why for name, why in recorded.failed.items() if name in _QUICK}
    assert found.declared == {name: why for name, why in recorded.declared.items() if name in _QUICK}
    assert set(found.declared) == {"CKA-105"}
    assert {"CKA-040", "CKA-041", "CKA-043", "CKA-050", "CKA-084"} == set(found.failed)
    assert set(found.not_checked) & set(_QUICK) == {"CKA-160"}
    assert found.passed == len(_QUICK) - len(found.failed) - len(found.declared) - 1


def test_the_readme_has_the_tables_of_the_results() -> None:
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    table = text.partition(BEGIN)[2].partition(END)[0]
    assert table.strip() == results.markdown(results.load()).strip()


def test_each_failure_is_among_the_findings() -> None:
    """The table of findings is written by hand: nothing that was found is missing there."""
    findings = Path(__file__).with_name("README.md").read_text(encoding="utf-8").partition("## Findings")[2]
    for outcome in results.load():
        for identifier in (*outcome.failed, *outcome.declared):
            assert identifier in findings, f"{outcome.version} {outcome.file}: {identifier}"
