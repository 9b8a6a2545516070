# SPDX-License-Identifier: Apache-2.0
"""`suite rules diff` with real PCP as its sides: what differs between versions, and from the rules and the emulations."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from qa.peers.testing import library_peer
from validator.testing.run import pmproof

# What 6.3.2 changed (INT-503): 10 at 0 s, 20 at 10 s, ...
RECORDS = [(10 * k, 10 * k + 10) for k in range(6)]


@pytest.fixture(name="gauge")
def fixture_gauge(tmp_path: Path) -> Path:
    described = {
        "schema": "pmproof-archive/1",
        "epoch": "1700000000",
        "metrics": {
            "m.gauge": {"pmid": "60.0.1", "type": "u32", "semantics": "instant"},
            "m.counter": {"pmid": "60.0.2", "type": "u64", "semantics": "counter"},
            "m.word": {"pmid": "60.0.3", "type": "string", "semantics": "discrete"},
        },
        "records": [{"time": at, "values": {"m.gauge": n, "m.counter": n, "m.word": str(n)}} for at, n in RECORDS],
    }
    (tmp_path / "gauge.json").write_text(json.dumps(described), encoding="utf-8")
    made = pmproof("generate", "--description", tmp_path / "gauge.json", tmp_path / "gauge")
    assert made.returncode == 0, made.stderr
    return tmp_path / "gauge"


def generated(folder: Path, seed: int = 11) -> Path:
    made = pmproof("generate", "--seed", str(seed), "--scenario", "replay,marks", "--records", "60", folder / "generated")
    assert made.returncode == 0, made.stderr
    return folder / "generated"


def compared(baseline: str, candidate: str, archive: Path, *more: str) -> Any:
    command = ["qa/suite/suite", "rules", "diff", "--baseline", baseline, "--candidate", candidate, "--format", "json", *more]
    done = subprocess.run([*command, str(archive)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode in (0, 1), done.stderr
    (found,) = json.loads(done.stdout)["archives"]
    return found


def test_two_versions_of_libpcp_differ_as_their_rules_do(gauge: Path) -> None:
    library_peer("6.0.3")
    library_peer("7.2")
    found = compared("pcp:6.0.3", "pcp:7.2", gauge, "--interval", "1s")
    assert found["unanswered"] == []
    # At 6 to 9 s between any two records; counters and words are the same in both.
    values = found["values"]
    assert (values["compared"], values["differing"], values["number"]) == (3 * 51, 20, 20)
    assert [group["type"] for group in found["groups"] if group["values"]["differing"]] == ["u32"]
    first = found["examples"][0]
    assert (first["time"], first["baseline"]["value"], first["candidate"]["value"]) == ("1700000006.000000000", "10", "20")
    assert first["candidate"]["next"]["value"] == "20"  # as the reference finds the records


def test_a_version_does_not_differ_from_itself(tmp_path: Path) -> None:
    library_peer("7.2")
    found = compared("pcp:7.2", "pcp:7.2", generated(tmp_path))
    assert found["unanswered"] == []
    assert found["values"]["compared"] > 1000
    assert found["values"]["differing"] == 0


@pytest.mark.parametrize(("version", "profile"), [("6.0.3", "pcp-legacy"), ("7.2", "pcp-6.3.2")])
def test_a_version_answers_as_its_profile_where_nothing_deviates(gauge: Path, version: str, profile: str) -> None:
    library_peer(version)
    found = compared(f"pcp:{version}", profile, gauge)
    assert found["values"]["compared"] > 1000
    assert (found["values"]["differing"], found["unanswered"]) == (0, [])


@pytest.mark.parametrize(
    ("version", "emulated", "profile"), [("6.0.3", "6.0.3", "pcp-legacy"), ("6.3.8", "6.3.8", "pcp-6.3.2"), ("7.2", "7.2.2", "pcp-6.3.2")]
)
def test_deviations_explain_all_that_differs_from_the_rule(tmp_path: Path, version: str, emulated: str, profile: str) -> None:
    library_peer(version)
    explained = 0
    for seed in range(5, 11):
        archive = tmp_path / f"deviating-{seed}"
        made = pmproof("generate", "--seed", str(seed), "--scenario", "replay", "--scenario", "marks", archive)
        assert made.returncode == 0, made.stderr
        found = compared(profile, f"pcp:{version}", archive, "--explain", emulated)
        assert found["values"]["differing"] == 0 and found["deviations"]["not_looked_at"] == [], (seed, found["examples"])
        explained += sum(entry["differences"] for entry in found["deviations"]["explained"])
    assert explained > 0


@pytest.mark.parametrize(("version", "emulated"), [("6.0.3", "6.0.3"), ("6.3.8", "6.3.8"), ("7.2", "7.2.2")])
def test_a_version_answers_as_its_emulation(tmp_path: Path, version: str, emulated: str) -> None:
    library_peer(version)
    found = compared(f"pcp:{version}", f"emulate:{emulated}", generated(tmp_path))
    assert found["values"]["compared"] > 1000
    assert found["values"]["differing"] == 0


def test_what_a_tool_prints_is_a_side(gauge: Path) -> None:
    library_peer("7.2")
    found = compared("tool:7.2", "pcp-6.3.2", gauge, "--interval", "1s", "--metric", "m.gauge")
    assert found["values"]["compared"] == 51
    assert found["values"]["differing"] == 0


def test_a_page_has_the_curves_of_both_versions(gauge: Path, tmp_path: Path) -> None:
    library_peer("6.0.3")
    library_peer("7.2")
    page = tmp_path / "page.html"
    command = ["qa/suite/suite", "rules", "diff", "--baseline", "pcp:6.0.3", "--candidate", "pcp:7.2", "--output", f"html:{page}"]
    done = subprocess.run([*command, str(gauge)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 1, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "pcp:6.0.3" in text and "pcp:7.2" in text
    for role in ("baseline", "candidate"):
        assert f'class="curve {role}" d="M' in text
