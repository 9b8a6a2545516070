# SPDX-License-Identifier: Apache-2.0
"""certify and recheck by a policy."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.custody.custody_testing import CERTIFICATE, EPOCH, RECHECK, sha256, write_archive
from validator.testing.run import pmproof


class TestPolicy:
    """The verdicts of a certificate can be those of a policy."""

    @pytest.fixture(name="kept")
    def fixture_kept(self, tmp_path: Path) -> Path:
        write_archive(tmp_path / "kept" / "a", scenario="counter-reset")
        return tmp_path / "kept"

    @staticmethod
    def policy(path: Path, *entries: str) -> Path:
        path.write_text('schema = "pmproof-policy/1"\n' + "".join(entries), encoding="ascii")
        return path

    RESETS = '[[reclassify]]\nrule = "ARC-1825"\nseverity = "error"\nreason = "billing"\nwhere = { archive = "a", metric = "counter_reset.total" }\n'
    NEEDS = '[[require]]\nmetrics = ["no.such"]\n'

    def certify(self, kept: Path, policy: Path, status: int = 1) -> Any:
        done = pmproof("certify", "--force", "--policy", policy, "--output", kept / "cert.json", kept, env=EPOCH)
        assert done.returncode == status, done.stderr
        certificate = json.loads((kept / "cert.json").read_text(encoding="utf-8"))
        jsonschema.validate(certificate, CERTIFICATE, jsonschema.Draft202012Validator)
        return certificate

    def test_the_certificate_names_the_policy_and_what_it_says(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", self.RESETS, self.NEEDS)
        predicate = self.certify(kept, policy)["predicate"]
        assert predicate["policy"]["file"] == "policy.toml"
        assert predicate["policy"]["sha256"] == sha256(policy.read_bytes())
        assert [entry["archives"] for entry in predicate["policy"]["entries"]] == [1, 1]
        (archive,) = predicate["archives"]
        assert archive["verdict"] == "not conformant"
        assert archive["counts"]["error"] == 2
        assert [each["check"] for each in archive["unmet"]] == ["POL-101"]
        totals = [each["reclassified"]["from"] for each in archive["findings"] if each["severity"] == "error"]
        assert totals == ["warning"] * 2

    def test_what_is_certified_and_what_is_missing_is_said(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", self.NEEDS, self.RESETS.replace("total", "none"))
        done = pmproof("certify", "--policy", policy, "--output", kept / "cert.json", kept)
        assert done.returncode == 1
        assert "a: certified as conformant; policy: 1 requirement not met" in done.stderr
        assert "policy.toml, line 4: info POL-002: fits no finding" in done.stderr
        done = pmproof("certify", "--force", "--policy", policy, "--output", policy, kept)
        assert done.returncode == 2

    def test_recheck_judges_by_the_same_policy(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", self.RESETS, self.NEEDS)
        self.certify(kept, policy)
        done = pmproof("recheck", kept / "cert.json")
        assert done.returncode == 2
        assert "archives were judged by the policy policy.toml (SHA-256 " in done.stderr
        assert pmproof("recheck", "--digests-only", kept / "cert.json").returncode == 0
        done = pmproof("recheck", "--policy", policy, kept / "cert.json")
        assert (done.returncode, done.stderr) == (0, "")
        assert ", the same as then\n" in done.stdout
        assert "a: unchanged, not conformant" in done.stdout

    def test_recheck_says_that_the_policy_differs(self, tmp_path: Path, kept: Path) -> None:
        first = self.policy(tmp_path / "policy.toml", self.RESETS, self.NEEDS)
        self.certify(kept, first)
        second = self.policy(tmp_path / "other.toml", self.NEEDS.replace("no.such", "still.none"))
        done = pmproof("recheck", "--policy", second, kept / "cert.json")
        assert done.returncode == 1
        assert "the policy differs: it was policy.toml (SHA-256 " in done.stdout
        assert "not conformant when it was certified, conformant now" in done.stdout
        assert '  - POL-101 error  there is no metric "no.such"  [only in the certificate]' in done.stdout
        assert '  + POL-101 error  there is no metric "still.none"  [only now]' in done.stdout
        done = pmproof("recheck", "--format", "json", "--policy", second, kept / "cert.json")
        report = json.loads(done.stdout)
        jsonschema.validate(report, RECHECK, jsonschema.Draft202012Validator)
        assert report["same_policy"] is False
        assert report["certificate"]["policy"] == {"file": "policy.toml", "sha256": sha256(first.read_bytes())}
        assert [each["change"] for each in report["archives"][0]["unmet"]] == ["gone", "new"]

    def test_the_profile_of_the_policy_is_that_of_the_certificate(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", 'profile = "ingest"\n')
        assert self.certify(kept, policy, status=0)["predicate"]["terms"]["profile"] == "ingest"
        assert pmproof("recheck", "--policy", policy, kept / "cert.json").returncode == 0
