# SPDX-License-Identifier: Apache-2.0
"""Policies about findings of some metrics."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from validator.policy.policy_testing import HEAD, METRIC, REPORT, SCHEMA, START, policy, report_of, write_archive
from validator.testing import small_archive
from validator.testing.run import pmproof


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
