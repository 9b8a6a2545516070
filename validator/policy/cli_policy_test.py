# SPDX-License-Identifier: Apache-2.0
"""`pmproof check --policy` as a user meets it: what is put up with, and what is graver than by the rule."""

from pathlib import Path

import pytest

from validator.policy.policy_testing import HEAD, damage, entry, policy, report_of, write_archive, write_broken
from validator.testing.run import pmproof


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "web" / "a")


@pytest.fixture(name="broken")
def fixture_broken(tmp_path: Path) -> Path:
    return write_broken(tmp_path / "db" / "a")


def test_the_archives_are_what_the_tests_take_them_for(archive: Path, broken: Path) -> None:
    assert pmproof("check", archive).returncode == 0
    findings = report_of(broken, status=1)["archives"][0]["findings"]
    assert {finding["rule"] for finding in findings if finding["severity"] == "error"} == {"ARC-1903"}


def test_a_finding_that_is_put_up_with_is_told_and_fails_nothing(broken: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in broken.parent.iterdir()}
    rules = policy(tmp_path, entry())
    report = report_of("--policy", rules, broken, status=0)
    (judged,) = report["archives"]
    assert judged["conformant"] is True
    (finding,) = [finding for finding in judged["findings"] if finding["rule"] == "ARC-1903"]
    assert finding["severity"] == "info"
    assert finding["reclassified"] == {"from": "error", "line": 2, "reason": "known; volume 7 is on tape"}
    assert judged["counts"]["error"] == 0
    (used,) = report["policy"]["entries"]
    assert (used["kind"], used["line"], used["findings"], used["archives"], used["until"], used["expired"]) == ("reclassify", 2, 1, 1, "9999-12-31", False)
    done = pmproof("check", "--policy", rules, "--show", "info", broken)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"error by the rule; {rules}, line 2: known; volume 7 is on tape" in " ".join(done.stdout.split())
    assert {path.name: path.read_bytes() for path in broken.parent.iterdir()} == before


def test_what_is_graver_by_the_policy_fails(archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, '[[reclassify]]\nrule = "ARC-2008"\nseverity = "error"\nreason = "our loggers write one"\n')
    report = report_of("--policy", rules, archive, status=1)
    assert report["archives"][0]["conformant"] is False
    assert report["footer"]["counts"]["error"] == 1


def test_fail_on_takes_the_severity_of_the_policy(broken: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, entry("warning"))
    assert pmproof("check", "--policy", rules, broken).returncode == 0
    assert pmproof("check", "--policy", rules, "--fail-on", "warning", broken).returncode == 1


@pytest.mark.parametrize(
    ("where", "status"),
    [
        ('where.archive = "db/*"', 0),
        ('where.archive = "a"', 0),
        ('where.archive = "web/*"', 1),
        ('where.host = "db?"', 0),
        ('where.host = "web*"', 1),
        ('where = { archive = "db/*", host = "web*" }', 1),
    ],
)
def test_places(where: str, status: int, archive: Path, broken: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, entry(more=where))
    assert pmproof("check", "--policy", rules, archive, broken).returncode == status


def test_a_rule_that_is_fatal_is_refused(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a" / "a")
    damage(archive.with_name("a.0"), 132, b"\0\0\0\x99")
    rules = policy(tmp_path, '[[reclassify]]\nrule = "ARC-1104"\nseverity = "info"\nreason = "r"\nuntil = 9999-12-31\n')
    done = pmproof("check", "--policy", rules, archive)
    assert (done.returncode, done.stdout) == (2, "")
    assert "line 3: ARC-1104 is fatal" in done.stderr


def test_an_entry_that_has_expired_is_a_warning_and_is_not_applied(broken: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, entry().replace("9999", "2020"))
    report = report_of("--policy", rules, broken, status=1)
    assert [(finding["check"], finding["severity"], finding["line"]) for finding in report["policy"]["findings"]] == [("POL-001", "warning", 2)]
    assert report["archives"][0]["counts"]["error"] == 1
    assert "expired on 2020-12-31 and is not applied" in " ".join(pmproof("check", "--policy", rules, broken).stdout.split())


def test_an_entry_that_fits_nothing_is_an_info(archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, entry())
    report = report_of("--policy", rules, archive, status=0)
    assert [(finding["check"], finding["severity"]) for finding in report["policy"]["findings"]] == [("POL-002", "info")]
    assert pmproof("check", "--policy", rules, "--fail-on", "info", "--rule", "+ARC-1903", archive).returncode == 1
    # What was not looked for is not missed.
    assert report_of("--policy", rules, "--rule", "-ARC-1903", archive, status=0)["policy"]["findings"] == []


def test_the_profile_is_that_of_the_policy_unless_one_is_given(archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, 'profile = "ingest"\n')
    assert report_of("--policy", rules, archive, status=0)["profile"] == "ingest"
    assert report_of("--policy", rules, "--profile", "live", archive, status=0)["profile"] == "live"
    assert report_of(archive, status=0)["profile"] == "archival"
    live = policy(tmp_path, 'profile = "live"\n')
    done = pmproof("check", "--policy", live, "--rule", "+ARC-1014", archive)
    assert (done.returncode, done.stderr) == (2, "pmproof: --rule, --only and --profile leave no rule to check\n")


def test_a_policy_is_not_overwritten(archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, "")
    done = pmproof("check", "--policy", rules, "--force", "--output", f"json:{rules}", archive)
    assert done.returncode == 2 and "is the policy, and is not overwritten" in done.stderr
    assert rules.read_text("utf-8") == HEAD


def test_an_original_is_judged_by_no_policy(archive: Path, tmp_path: Path) -> None:
    assert pmproof("check", "--policy", policy(tmp_path, ""), "--against", archive, archive).returncode == 2
