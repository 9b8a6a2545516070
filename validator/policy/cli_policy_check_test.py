# SPDX-License-Identifier: Apache-2.0
"""`pmproof policy check` as a user meets it: what a policy does, explained."""

from pathlib import Path

import pytest

from validator.policy.policy_testing import entry, policy, write_archive, write_broken
from validator.testing.run import pmproof


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "web" / "a")


@pytest.fixture(name="broken")
def fixture_broken(tmp_path: Path) -> Path:
    return write_broken(tmp_path / "db" / "a")


def test_policy_check_tells_of_each_entry(archive: Path, broken: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, entry() + entry(more='where.host = "mail*"') + entry().replace("9999", "2020") + '[[require]]\nhosts = ["web*"]\n')
    done = pmproof("policy", "check", rules, archive, broken)
    assert (done.returncode, done.stderr) == (1, "")
    # The path of a folder of tests may be too long for a line.
    assert done.stdout.replace("\n" + 28 * " ", " ") == f"""{rules}: 3 reclassifications, 1 requirement; profile archival

line 2    ARC-1903 is info
          until 9999-12-31: known; volume 7 is on tape
          fits 1 finding in 1 archive

line 8    ARC-1903 is info where host is mail*
          until 9999-12-31: known; volume 7 is on tape
          info     POL-002  fits no finding

line 14   ARC-1903 is info
          until 2020-12-31: known; volume 7 is on tape
          warning  POL-001  expired on 2020-12-31 and is not applied

line 20   host one of web*
          is not so of 1 of 2 archives
          error    POL-105  {broken}: the host is "db1", not "web*"

without the policy: 2 archives: 1 conformant, 1 not conformant (1 error, 5 info)
with it:            2 archives: 2 conformant (6 info); policy: 1 error, 1 warning, 1 info
  becomes conformant:     {broken}
"""


def test_a_policy_in_which_all_is_well_is_0(broken: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, entry() + '[[require]]\nhosts = ["db*"]\n')
    done = pmproof("policy", "check", rules, broken)
    assert done.returncode == 0 and "          is so of 1 archive\n" in done.stdout


def test_without_archives_a_policy_is_told_and_what_has_expired(tmp_path: Path) -> None:
    rules = policy(tmp_path, 'profile = "ingest"\n' + entry())
    done = pmproof("policy", "check", rules)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{rules}: 1 reclassification, 0 requirements; profile ingest\n\nline 3    ARC-1903 is info\n          until 9999-12-31: known; volume 7 is on tape\n"
    assert pmproof("policy", "check", policy(tmp_path, entry().replace("9999", "2020"))).returncode == 1


def test_policy_check_of_what_cannot_be_read_is_4(archive: Path, tmp_path: Path) -> None:
    done = pmproof("policy", "check", policy(tmp_path, ""), archive, tmp_path / "none")
    assert done.returncode == 4 and "none" in done.stderr


def test_a_report_tells_what_a_policy_would_do(archive: Path, broken: Path, tmp_path: Path) -> None:
    entries = entry(more='where.archive = "db/*"') + entry(more='where.host = "db*"')
    rules = policy(tmp_path, 'profile = "ingest"\n' + entries + '[[require]]\nversions = [3]\n')
    told = tmp_path / "report.json"
    assert pmproof("check", "--output", f"json:{told}", archive, broken).returncode == 1
    done = pmproof("policy", "check", "--report", told, rules)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"""{rules}: 1 reclassification, 0 requirements; profile archival

line 3    ARC-1903 is info where archive is db/*
          until 9999-12-31: known; volume 7 is on tape
          fits 1 finding in 1 archive

without the policy: 2 archives: 1 conformant, 1 not conformant (1 error, 5 info)
with it:            2 archives: 2 conformant (6 info)
  becomes conformant:     {broken}
not told: 2 entries about hosts or what archives have; a report does not say that
the report is of profile archival, the policy is for ingest
"""


def test_a_report_is_refused_that_is_none_or_was_judged(broken: Path, tmp_path: Path) -> None:
    rules, told = policy(tmp_path, entry()), tmp_path / "report.json"
    assert pmproof("check", "--policy", rules, "--output", f"json:{told}", broken).returncode == 0
    sound = told.read_text("ascii")
    finding = '{"schema": "pmproof-report/1", "archives": [{"archive": "a", "findings": [%s]}]'
    for content, said in [
        (sound, "policy: the report was judged by a policy already"),
        (sound[: sound.index('"policy"')], "is not JSON"),
        ("{}", "is no report that is complete"),
        ('{"schema": "pmproof-report/2"}', "schema: is not pmproof-report/1"),
        ('{"archives": [{}]}', "has no schema in front"),
        ('{"schema": "pmproof-report/1", "archives": [{}]}', "archives[0]: has no name"),
        (finding % "1", "archives[0].findings[0]: is not a finding"),
        (finding % '{"rule": "ARC-1903", "severity": "error", "count": -1}', "archives[0].findings[0]: has no count"),
        (finding % ("[" * 100_000), "is deeper than"),
    ]:
        told.write_text(content, encoding="ascii")
        done = pmproof("policy", "check", "--report", told, rules)
        assert (done.returncode, done.stdout) == (4, ""), content[:100]
        assert done.stderr.startswith(f"pmproof: {told}: ") and said in done.stderr, done.stderr
    assert pmproof("policy", "check", "--report", told, rules, broken).returncode == 2


def test_policy_check_needs_a_policy() -> None:
    done = pmproof("policy", "check")
    assert done.returncode == 2 and "no POLICY given" in done.stderr
