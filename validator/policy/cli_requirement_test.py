# SPDX-License-Identifier: Apache-2.0
"""`pmproof check --policy` as a user meets it: what a policy requires of archives."""

from pathlib import Path

import pytest

from validator.policy.policy_testing import METRIC, REQUIRED, START, damage, entry, policy, report_of, write_archive
from validator.testing import small_archive
from validator.testing.run import pmproof


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "web" / "a")


def test_what_is_required_and_there_is_met(archive: Path, tmp_path: Path) -> None:
    report = report_of("--policy", policy(tmp_path, REQUIRED), archive, status=0)
    assert "unmet" not in report["archives"][0]
    assert report["policy"]["entries"][0]["unmet"] == 0


@pytest.mark.parametrize(
    ("fact", "check", "said"),
    [
        ('metrics = ["disk.all.read", "mem.*", "disk"]', "POL-101", 'there is no metric "mem.*" and no "disk"'),
        ('min_span = "10s"', "POL-102", "the span is 9.000 s, less than 10.000 s"),
        ('max_interval = "500ms"', "POL-103", "the typical interval of records is 1.000 s, more than 500.000 ms"),
        ('max_gap = "0.5s"', "POL-104", "there is no data record for 1.000 s after 2023-11-14T22:13:20"),
        ('hosts = ["db*", "mail"]', "POL-105", 'the host is "web1", not "db*" or "mail"'),
        ('label_keys = ["datacenter"]', "POL-106", 'the archive has no label "datacenter"'),
        ('time_zones = ["Europe/*"]', "POL-107", 'the time zone is "UTC", not "Europe/*"'),
        ('compression = ["zstd"]', "POL-108", 'the compression of a.0 is none, not "zstd"'),
        ("versions = [3]", "POL-109", "the version is 2, not 3"),
    ],
)
def test_what_is_required_and_not_there_is_a_finding(fact: str, check: str, said: str, archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, f"[[require]]\n{fact}\n")
    report = report_of("--policy", rules, archive, status=1)
    (judged,) = report["archives"]
    (finding,) = judged["unmet"]
    assert (finding["check"], finding["severity"], finding["line"]) == (check, "error", 2)
    assert finding["message"].startswith(said)
    # It is an archive of PCP all the same.
    assert judged["conformant"] is True and judged["counts"]["error"] == 0
    assert report["footer"]["policy"]["error"] == 1
    done = pmproof("check", "--policy", rules, archive)
    assert done.stdout.startswith(f"{archive}: conformant")
    assert "; policy: 1 error\n" in done.stdout and f"  error    {check}   " in done.stdout
    lenient = policy(tmp_path, f'[[require]]\nseverity = "info"\n{fact}\n')
    assert pmproof("check", "--policy", lenient, archive).returncode == 0


def test_a_label_of_the_archive_is_found(tmp_path: Path) -> None:
    descs = [small_archive.desc(METRIC, [b"a.b"]), small_archive.labels(1, 0xFFFFFFFF, b"datacenter", b"x")]
    archive = small_archive.write(tmp_path / "a", descs, [[small_archive.result(START, {METRIC: {-1: 1}})]])
    assert pmproof("check", "--policy", policy(tmp_path, '[[require]]\nlabel_keys = ["data*"]\n'), archive).returncode == 0


def test_a_cut_archive_has_what_can_be_read_of_it(archive: Path, tmp_path: Path) -> None:
    volume = archive.with_name("a.0")
    volume.write_bytes(volume.read_bytes()[:-100])
    (judged,) = report_of("--policy", policy(tmp_path, REQUIRED), archive, status=1)["archives"]
    assert judged["readable"] is False
    assert [finding["check"] for finding in judged["unmet"]] == ["POL-102"]


def test_what_has_no_verdict_is_held_against_nothing(archive: Path, tmp_path: Path) -> None:
    for suffix in ("0", "meta", "index"):
        damage(archive.with_name(f"a.{suffix}"), 0, b"\x7fELF" * 2)
    (judged,) = report_of("--policy", policy(tmp_path, REQUIRED), archive, status=4)["archives"]
    assert judged["failure"] is not None and "unmet" not in judged
    assert {"rule": "what the policy requires", "because": "there is no verdict"} in judged["not_checked"]


def test_the_order_of_threads_does_not_matter(tmp_path: Path) -> None:
    for number in range(12):
        write_archive(tmp_path / "all" / f"h{number}", host=b"web%d" % number, times=range(number + 1))
    rules = policy(tmp_path, REQUIRED + entry())
    one, many = (pmproof("check", "--format", "json", "--jobs", jobs, "--policy", rules, tmp_path / "all") for jobs in ("1", "8"))
    assert one.returncode == 1
    assert many.stdout == one.stdout
