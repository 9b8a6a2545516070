# SPDX-License-Identifier: Apache-2.0
"""`pmproof check --policy` and `pmproof policy check` as a user meets them."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing import small_archive
from validator.testing.run import pmproof

REPORT = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text("ascii"))
SCHEMA = json.loads(Path(os.environ["POLICY_SCHEMA"]).read_text("ascii"))
METRIC = small_archive.pmid(29, 0, 1)
START = small_archive.START
HEAD = 'schema = "pmproof-policy/1"\n'


def write_archive(base: Path, host: bytes = b"web1", times: range = range(10)) -> Path:
    base.parent.mkdir(exist_ok=True)
    volume = [small_archive.result(START + at, {METRIC: {-1: at}}) for at in times]
    return small_archive.write(base, [small_archive.desc(METRIC, [b"disk.all.read"])], [volume], host=host)


def damage(path: Path, offset: int, content: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[offset : offset + len(content)] = content
    path.write_bytes(whole)


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "web" / "a")


@pytest.fixture(name="broken")
def fixture_broken(tmp_path: Path) -> Path:
    """An entry of the index points into a volume that is not there: an error."""
    base = write_archive(tmp_path / "db" / "a", host=b"db1")
    damage(base.with_name("a.index"), 132 + 8, b"\0\0\0\7")
    return base


def policy(tmp_path: Path, text: str, name: str = "policy.toml") -> Path:
    path = tmp_path / name
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def entry(severity: str = "info", more: str = "") -> str:
    return f'[[reclassify]]\nrule = "ARC-1903"\nseverity = "{severity}"\nreason = "known; volume 7 is on tape"\nuntil = 9999-12-31\n{more}\n'


def report_of(*words: str | Path, status: int) -> Any:
    done = pmproof("check", "--format", "json", *words)
    assert done.returncode == status, (done.stdout, done.stderr)
    report = json.loads(done.stdout)
    jsonschema.validate(report, REPORT, jsonschema.Draft202012Validator)
    return report


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


REQUIRED = """
[[require]]
reason = "what the planners read"
metrics = ["disk.all.read", "disk.*"]
min_span = "9s"
max_interval = "1s"
max_gap = "1s"
hosts = ["web*"]
time_zones = ["UTC"]
compression = ["none"]
versions = [2]
"""


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


def test_the_profile_is_that_of_the_policy_unless_one_is_given(archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, 'profile = "ingest"\n')
    assert report_of("--policy", rules, archive, status=0)["profile"] == "ingest"
    assert report_of("--policy", rules, "--profile", "live", archive, status=0)["profile"] == "live"
    assert report_of(archive, status=0)["profile"] == "archival"
    live = policy(tmp_path, 'profile = "live"\n')
    done = pmproof("check", "--policy", live, "--rule", "+ARC-1014", archive)
    assert (done.returncode, done.stderr) == (2, "pmproof: --rule, --only and --profile leave no rule to check\n")


def test_the_order_of_threads_does_not_matter(tmp_path: Path) -> None:
    for number in range(12):
        write_archive(tmp_path / "all" / f"h{number}", host=b"web%d" % number, times=range(number + 1))
    rules = policy(tmp_path, REQUIRED + entry())
    one, many = (pmproof("check", "--format", "json", "--jobs", jobs, "--policy", rules, tmp_path / "all") for jobs in ("1", "8"))
    assert one.returncode == 1
    assert many.stdout == one.stdout


def test_a_policy_is_not_overwritten(archive: Path, tmp_path: Path) -> None:
    rules = policy(tmp_path, "")
    done = pmproof("check", "--policy", rules, "--force", "--output", f"json:{rules}", archive)
    assert done.returncode == 2 and "is the policy, and is not overwritten" in done.stderr
    assert rules.read_text("utf-8") == HEAD


def test_an_original_is_judged_by_no_policy(archive: Path, tmp_path: Path) -> None:
    assert pmproof("check", "--policy", policy(tmp_path, ""), "--against", archive, archive).returncode == 2


# What is wrong with a policy.


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1: a policy has schema ="),
        (b"\n\nx = [\n", "is not TOML: "),
        (b'schema = "pmproof-policy/1"\n\nfail = 1\n', 'line 3: the policy has no member "fail"'),
        (b'{"schema": "pmproof-policy/1",\n"require": [\n{"metrics": 1}]}', "line 3: metrics is an integer, not a list"),
        (b'{"schema": "pmproof-policy/1",\n"schema": "pmproof-policy/1"}', "line 2: the document: has the member schema twice"),
        (bytes(range(256)) * 16, "line 2: is not TOML: a byte is not UTF-8"),
        (b"\xff\xfe\x00", "line 1: is not TOML: "),
        (b"a" * 300_000, "has 300000 bytes; at most 262144 are read"),
        (b"x = " + b"[" * 200_000, "line 1: is deeper than any part of a policy"),
        (b'{"x": ' + b"[" * 200_000, "line 1: x[0]"),
        (b".".join([b"a"] * 50_000) + b" = 1\n", "line 1: is deeper than any part of a policy"),
        (b'x = "\\u0000"\n\x1b]0;owned\x07', "line 2: is not TOML: "),
    ],
)
def test_a_wrong_policy_is_refused_before_any_archive_is_read(content: bytes, said: str, archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong"
    path.write_bytes(content)
    lines: list[tuple[str | Path, ...]] = [("check", "--policy", path, archive), ("policy", "check", path, archive), ("policy", "check", path)]
    for words in lines:
        done = pmproof(*words)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.startswith(f"pmproof: {path}: ") and said in done.stderr
        assert done.stderr.isprintable() or "\n" not in done.stderr[:-1]


def test_a_policy_that_is_not_there_is_unreadable(archive: Path, tmp_path: Path) -> None:
    assert pmproof("check", "--policy", tmp_path / "none", archive).returncode == 4
    assert pmproof("policy", "check", tmp_path).returncode == 4


# A policy of each kind of error fits the schema just when pmproof takes it.

GOOD: dict[str, Any] = {
    "schema": "pmproof-policy/1",
    "profile": "ingest",
    "reclassify": [{"rule": "ARC-1903", "severity": "info", "reason": "r", "until": "2026-12-31", "where": {"archive": "a", "host": "b"}}],
    "require": [
        {
            "severity": "warning",
            "reason": "r",
            "where": {"host": "*"},
            "metrics": ["a.*"],
            "min_span": "1.5h",
            "max_interval": "60",
            "max_gap": "5min",
            "hosts": ["h"],
            "label_keys": ["k"],
            "time_zones": ["UTC"],
            "compression": ["zstd"],
            "versions": [2, 3],
        }
    ],
}


def test_the_schema_takes_what_pmproof_takes(tmp_path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(GOOD, SCHEMA, jsonschema.Draft202012Validator)
    (tmp_path / "p.json").write_text(json.dumps(GOOD), encoding="ascii")
    assert pmproof("policy", "check", tmp_path / "p.json").returncode == 0
    assert json.loads(pmproof("policy", "check", "--schema").stdout) == SCHEMA
    read = tomllib.loads(HEAD + REQUIRED)
    jsonschema.validate(read, SCHEMA, jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["schema"], "pmproof-policy/2"),
        (["profile"], "dead"),
        (["other"], 1),
        (["reclassify"], {}),
        (["reclassify", 0, "severity"], "fatal"),
        (["reclassify", 0, "reason"], ""),
        (["reclassify", 0, "rule"], "1903"),
        (["reclassify", 0, "until"], "soon"),
        (["reclassify", 0, "where"], {}),
        (["reclassify", 0, "where", "user"], "x"),
        (["require", 0], {"reason": "r"}),
        (["require", 0, "metrics"], []),
        (["require", 0, "metrics"], [""]),
        (["require", 0, "max_gap"], "long"),
        (["require", 0, "compression"], ["zip"]),
        (["require", 0, "versions"], [1]),
        (["require", 0, "versions"], ["2"]),
    ],
)
def test_the_schema_refuses_what_pmproof_refuses(path: list[str | int], value: Any, tmp_path: Path) -> None:
    wrong = json.loads(json.dumps(GOOD))
    place: Any = wrong
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(wrong)
    (tmp_path / "p.json").write_text(json.dumps(wrong), encoding="ascii")
    assert pmproof("policy", "check", tmp_path / "p.json").returncode == 2


# What a policy does, explained.


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


class TestMetrics:
    """Findings about some metrics have another severity: 10 of counter_reset.total, 20 of counter_reset.each."""

    @pytest.fixture(name="resets")
    def fixture_resets(self, tmp_path: Path) -> Path:
        base = tmp_path / "resets"
        words = ("--seed", "7", "--scenario", "counter-reset", "--records", "60", "--no-truth")
        assert pmproof("generate", *words, base).returncode == 0
        return base

    @staticmethod
    def of(metric: str, severity: str = "error") -> str:
        until = 'until = 9999-12-31\n' if severity == "info" else ""
        return f'[[reclassify]]\nrule = "ARC-1825"\nseverity = "{severity}"\nreason = "billing"\n{until}where.metric = "{metric}"\n'

    @pytest.mark.parametrize("shown", ["0", "1", "3", "20", "1000"])
    def test_each_finding_counts_by_its_metric_however_many_are_shown(self, tmp_path: Path, resets: Path, shown: str) -> None:
        rules = policy(tmp_path, self.of("counter_reset.t*") + self.of("*.each", "info"))
        report = report_of("--max-findings", shown, "--policy", rules, resets, status=1)
        jsonschema.validate(report, REPORT, jsonschema.Draft202012Validator)
        (archive,) = report["archives"]
        assert archive["counts"] == {"fatal": 0, "error": 10, "warning": 0, "info": 20}
        found = [each for each in archive["findings"] if each["rule"] == "ARC-1825"]
        assert sum(each["count"] for each in found) == 30
        for each in found:
            assert each["severity"] == ("error" if each["metric"] == ["counter_reset.total"] else "info")
            assert each["reclassified"]["from"] == "warning"
        assert [each["findings"] for each in report["policy"]["entries"]] == [10, 20]
        assert report["policy"]["findings"] == []

    def test_what_fits_no_metric_is_told(self, tmp_path: Path, resets: Path) -> None:
        rules = policy(tmp_path, self.of("disk.*"))
        report = report_of("--max-findings", "1", "--policy", rules, resets, status=0)
        (finding,) = report["policy"]["findings"]
        assert finding["check"] == "POL-002"
        assert finding["message"].startswith("fits no finding: those of the rule are not about such a metric: ARC-1825 is error")
        assert report["archives"][0]["counts"]["warning"] == 30

    def test_a_person_sees_which_findings_became_others(self, tmp_path: Path, resets: Path) -> None:
        rules = policy(tmp_path, self.of("counter_reset.total"))
        done = pmproof("check", "--max-findings", "1", "--policy", rules, resets)
        assert done.returncode == 1
        assert "resets: readable, not conformant (10 errors, 20 warnings)" in done.stdout
        assert "warning by the rule; policy.toml, line 2: billing" in " ".join(done.stdout.replace(f"{tmp_path}/", "").split())
        done = pmproof("policy", "check", rules, resets)
        assert "ARC-1825 is error where metric is counter_reset.total" in done.stdout
        assert "fits 10 findings in 1 archive" in done.stdout

    def test_a_report_tells_the_same_but_of_what_it_only_counts(self, tmp_path: Path, resets: Path) -> None:
        rules = policy(tmp_path, self.of("counter_reset.total"))
        for shown, fitting, untold in (("1000", 10, 0), ("3", 1, 27)):
            report = tmp_path / f"{shown}.json"
            assert pmproof("check", "--max-findings", shown, "--output", f"json:{report}", resets).returncode == 0
            done = pmproof("policy", "check", "--report", report, rules)
            assert f"fits {fitting} finding" in done.stdout
            assert (f"not told: {untold} findings that the report only counts" in done.stdout) == (untold > 0)

    def test_archives_that_are_opened_as_one_differ_by_metric(self, tmp_path: Path) -> None:
        """ARC-2105: one metric has other names in another archive."""
        base = tmp_path / "set"
        first = write_archive(base / "a")
        volume = [small_archive.result(START + 100 + at, {METRIC: {-1: at}}) for at in range(3)]
        desc = small_archive.desc(METRIC, [b"disk.all.other"])
        small_archive.write(base / "b", [desc], [volume], host=b"web1")
        rules = policy(tmp_path, self.of("disk.*", "info").replace("ARC-1825", "ARC-2105"))
        done = pmproof("check", "--format", "json", "--policy", rules, f"{first},{base / 'b'}")
        found = [each for archive in json.loads(done.stdout)["archives"] for each in archive["findings"] if each["rule"] == "ARC-2105"]
        assert [(each["metric"], each["severity"]) for each in found] == [(["disk.all.other"], "info")]

    def test_what_is_required_has_no_metric_as_a_place(self, tmp_path: Path) -> None:
        rules = policy(tmp_path, '[[require]]\nversions = [3]\nwhere.metric = "disk.*"\n')
        done = pmproof("policy", "check", rules)
        assert done.returncode == 2
        assert 'where has no member "metric"; it has archive, host' in done.stderr
        jsonschema.validate(tomllib.loads(HEAD + self.of("a.*")), SCHEMA)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tomllib.loads(rules.read_text("utf-8")), SCHEMA)
