# SPDX-License-Identifier: Apache-2.0
"""pmproof agent check of the project's own agents, and what its command line takes and gives."""

import json
import os
import re
import shutil
import socket
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text())

# No test may fail because a machine is slow.
PATIENT = ("--timeout", "60", "--timeout", "creds=60", "--timeout", "end=60")
SIMPLE = ("--", PMPROOF, "agent", "serve", "simple")
TRIVIAL = ("--", PMPROOF, "agent", "serve", "trivial")
FEW = ("--check", "CKA-001", "--check", "CKA-030", "--check", "CKA-034")


def check(*arguments: str | Path, status: int = 0) -> str:
    result = pmproof("agent", "check", *PATIENT, *arguments)
    assert result.returncode == status, result.stdout + result.stderr
    return result.stdout


def report_of(*arguments: str | Path, status: int = 0) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(check("--format", "json", *arguments, status=status))
    jsonschema.Draft7Validator(SCHEMA).validate(report)
    return report


def failed(report: dict[str, Any]) -> list[str]:
    return [item["id"] for item in report["checks"] if item["outcome"] == "fail"]


@pytest.mark.parametrize("agent", [SIMPLE, TRIVIAL], ids=["simple", "trivial"])
def test_the_reference_agents_are_conformant(agent: tuple[str, ...]) -> None:
    report = report_of("--store", "all", *agent)
    assert failed(report) == []
    assert report["claim"]["claim"] == "conformant"
    assert report["claim"]["because"] is None
    assert "--slow" in [gap["needs"] for gap in report["claim"]["not_covered"]]
    assert report["conformant"] is True
    assert report["failure"] is None


def test_a_program_out_of_the_reach_of_others_is_run_as_the_same_user(tmp_path: Path) -> None:  # CKA-162
    tmp_path.chmod(0o700)
    program = tmp_path / "pmproof"
    shutil.copy(PMPROOF, program)
    report = report_of("--check", "CKA-162", "--", program, "agent", "serve", "simple")
    (made,) = [item for item in report["checks"] if item["outcome"] != "not_checked"]
    assert (made["outcome"], made["because"]) == ("pass", "ran as the same user, in /, without environment")


def test_every_check_of_the_catalogue_is_in_the_report() -> None:
    listed = json.loads(pmproof("list", "--only", "agent", "--format", "json").stdout)["checks"]
    report = report_of(*FEW, *SIMPLE)
    assert [item["id"] for item in report["checks"]] == [item["id"] for item in listed]
    made = [item["id"] for item in report["checks"] if item["outcome"] != "not_checked"]
    assert made == ["CKA-001", "CKA-030", "CKA-034"]
    left_out = [item["because"] for item in report["checks"] if item["id"] == "CKA-035"]
    assert left_out == ["not among those of --check"]


def test_metrics_are_found_without_a_name_space() -> None:
    agent = report_of(*FEW, *SIMPLE)["agent"]
    assert (agent["domain"], agent["metrics"], agent["indoms"]) == (253, 5, 2)
    assert agent["found_by"] == "a scan of PMIDs"


def test_metrics_are_found_by_a_name_space(tmp_path: Path) -> None:
    names = tmp_path / "pmns"
    names.write_text("root { simple }\nsimple { numfetch 253:0:0 color 253:0:1 gone 253:0:9 }\n")
    agent = report_of("--pmns", names, *FEW, *SIMPLE)["agent"]
    assert (agent["domain"], agent["metrics"], agent["found_by"]) == (253, 2, "--pmns")


@pytest.mark.parametrize("agent", ["simple", "trivial"])
def test_files_of_an_agents_folder_are_name_spaces(agent: str, tmp_path: Path) -> None:  # PMD-330, PMD-332
    for file in ("pmns", "root", "domain.h"):
        (tmp_path / file).write_text(pmproof("agent", "serve", agent, "--print", file).stdout)
    command = ("--", PMPROOF, "agent", "serve", agent)
    whole = report_of("--pmns", tmp_path / "pmns", *FEW, *command)["agent"]
    assert (whole["found_by"], whole["metrics"]) == ("--pmns", {"simple": 5, "trivial": 1}[agent])
    assert report_of("--pmns", tmp_path / "root", *FEW, *command)["agent"] == whole
    (tmp_path / "domain.h").unlink()
    assert report_of("--pmns", tmp_path / "pmns", *FEW, *command)["agent"] == whole
    assert report_of("--pmns", tmp_path / "pmns", "--domain", "77", *FEW, *command, "-d", "77")["agent"]["domain"] == 77


def test_stdpmid_is_looked_for_where_the_user_says(tmp_path: Path) -> None:  # PMD-306
    (tmp_path / "pmns").write_text(pmproof("agent", "serve", "simple", "--print", "pmns").stdout)
    (tmp_path / "root").write_text('#include <stdpmid>\nroot { simple }\n#include "pmns"\n')
    (tmp_path / "var").mkdir()
    (tmp_path / "var/stdpmid").write_text("#define SIMPLE 253\n")
    result = pmproof("agent", "check", *PATIENT, "--pmns", tmp_path / "root", "--include", tmp_path / "var", *FEW, *SIMPLE)
    assert (result.returncode, result.stderr) == (0, "")
    result = pmproof("agent", "check", *PATIENT, "--pmns", tmp_path / "root", *FEW, *SIMPLE)
    assert result.returncode == 0
    assert result.stderr == f"pmproof: {tmp_path}/root: warning: stdpmid is not found: no domain is known by it [PMD-306]\n"


def test_a_name_that_leads_nowhere_is_a_warning(tmp_path: Path) -> None:
    names = tmp_path / "pmns"
    names.write_text("root { simple }\nsimple { numfetch 253:0:0 color 253:0:1 gone 253:0:9 }\n")
    report = report_of("--pmns", names, "--check", "CKA-102", *SIMPLE)
    (item,) = [item for item in report["checks"] if item["outcome"] == "fail"]
    assert (item["id"], item["severity"]) == ("CKA-102", "warning")
    assert item["because"] == "the agent has no descriptor for simple.gone (253.0.9)"
    report_of("--fail-on", "warning", "--pmns", names, "--check", "CKA-102", *SIMPLE, status=1)
    last = check("--pmns", names, "--check", "CKA-102", *SIMPLE).splitlines()[-1]
    assert last.endswith("; the agent lacks metrics of its name space (CKA-102)")


def test_a_glob_of_a_baseline_excuses_no_offence_that_nobody_expected(tmp_path: Path) -> None:
    names, baseline = tmp_path / "pmns", tmp_path / "expected.txt"
    gone = " ".join(f"gone{number} 253:0:{90 + number}" for number in range(5))
    names.write_text(f"root {{ simple }}\nsimple {{ numfetch 253:0:0 {gone} lost 253:0:99 }}\n")
    words = ("--fail-on", "warning", "--pmns", names, "--baseline", baseline, "--check", "CKA-102")
    baseline.write_text("CKA-102 | *simple.gone* | planned\n")
    report = report_of(*words, *SIMPLE, status=1)
    (item,) = [item for item in report["checks"] if item["outcome"] == "fail"]
    assert item["because"] == "the agent has no descriptor for simple.lost (253.0.99)"
    assert (item["offences"]["count"], len(item["offences"]["first"])) == (6, 3)
    assert item["offences"]["expected"] == {"count": 5, "because": "planned"}
    assert (report["list_faults"], report["counts"]["declared"]) == ([], 0)
    text = check(*words, *SIMPLE, status=1)
    assert "and 3 more offences\n  5 of the 6 offences were expected: planned\n" in text
    baseline.write_text("CKA-102 | *simple.gone* | planned\nCKA-102 | *.lost * | not our metric\n")
    report = report_of(*words, *SIMPLE)
    (item,) = [item for item in report["checks"] if item["outcome"] == "fail"]
    assert (item["declared"], "expected" in item["offences"]) == ("planned; not our metric", False)
    baseline.write_text("CKA-102 | *simple.gone* | planned\n")
    check(*words, "--fix", *SIMPLE)
    assert baseline.read_text().endswith("CKA-102 | *simple.gone* | planned\nCKA-102 |  | not explained yet\n")
    check(*words, *SIMPLE)


def test_a_name_space_that_can_not_be_read_gives_4(tmp_path: Path) -> None:
    names = tmp_path / "pmns"
    result = pmproof("agent", "check", "--pmns", names, *SIMPLE)
    assert result.returncode == 4
    assert str(names) in result.stderr


def test_an_agent_on_a_unix_socket_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    report = report_of("--unix", path, *SIMPLE, "--unix", path)
    assert report["agent"]["transport"] == "unix"
    # Another user may not make a socket in the test's folder.
    assert set(failed(report)) <= {"CKA-162"}
    passed = {item["id"] for item in report["checks"] if item["outcome"] == "pass"}
    assert {"CKA-015", "CKA-017"} <= passed
    assert not path.exists()


def test_an_agent_on_an_inet_socket_is_checked() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    report = report_of("--inet", port, *SIMPLE, "--inet", port)
    assert failed(report) == []
    passed = {item["id"] for item in report["checks"] if item["outcome"] == "pass"}
    assert {"CKA-015", "CKA-016"} <= passed


def test_a_check_can_be_left_out() -> None:
    report = report_of("--check", "-CKA-014", *TRIVIAL)
    (item,) = [item for item in report["checks"] if item["id"] == "CKA-014"]
    assert item["because"] == "left out by --check -CKA-014"


def test_slow_checks_are_not_made_unless_asked_for() -> None:
    report = report_of(*TRIVIAL)
    (item,) = [item for item in report["checks"] if item["id"] == "CKA-008"]
    assert item["outcome"] == "not_checked" and "--slow" in item["because"]
    report = report_of("--slow", "--check", "CKA-008", "--timeout", "late=0.05", *TRIVIAL)
    (item,) = [item for item in report["checks"] if item["id"] == "CKA-008"]
    assert item["outcome"] == "pass"


def test_the_text_tells_the_sections_what_was_not_checked_and_the_verdict() -> None:
    text = check(*FEW, *SIMPLE)
    assert re.search(r"16\.1 Start and end +1 +0 +17\n", text)
    assert "not among those of --check:\n" in text
    assert re.search(r"^undetermined: 3 passed, 0 failed, \d+ not checked; only a selection .*\n\Z", text, re.M)


def test_the_claim_is_the_same_in_every_format(tmp_path: Path) -> None:
    outputs = [word for name in ("json", "junit", "html") for word in ("--format", name, "--output", str(tmp_path / name))]
    text = check(*outputs, "--format", "text", *FEW, *SIMPLE)
    assert text.splitlines()[-1].startswith("undetermined: ")
    report = json.loads((tmp_path / "json").read_text())
    assert (report["claim"]["claim"], report["conformant"]) == ("undetermined", False)
    for suite in ElementTree.parse(tmp_path / "junit").getroot():
        properties = {item.get("name"): item.get("value") for item in suite.iter("property")}
        assert properties["claim"] == "undetermined"
        assert "selection" in str(properties["undetermined because"])
    assert '<p class="verdict warning">undetermined</p>' in (tmp_path / "html").read_text()


def test_an_agent_of_which_no_metric_is_found_is_undetermined(tmp_path: Path) -> None:
    names = tmp_path / "pmns"
    names.write_text("root { simple }\nsimple { gone 253:0:9 }\n")
    report = report_of("--pmns", names, *FEW, *SIMPLE, status=6)
    assert report["agent"]["metrics"] == 0
    assert report["claim"]["claim"] == "undetermined"
    assert "no metric of the agent was found" in report["claim"]["because"]


def test_a_run_in_which_a_required_check_is_not_made_is_undetermined() -> None:
    report = report_of("--check", "-CKA-014", *TRIVIAL)
    assert report["claim"]["claim"] == "undetermined"
    assert report["claim"]["because"] == "only a selection of the checks was made"


def test_several_formats_go_to_files(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("json", "junit", "html")}
    outputs: list[str | Path] = []
    for name, path in files.items():
        outputs += ["--format", name, "--output", path]
    text = check(*outputs, "--format", "text", *FEW, *SIMPLE)
    assert "undetermined: 3 passed" in text
    suites = ElementTree.parse(files["junit"]).getroot()
    cases = list(suites.iter("testcase"))
    skipped = list(suites.iter("skipped"))
    assert len(cases) - len(skipped) == 3
    assert len(cases) == len(json.loads(files["json"].read_text())["checks"])
    page = files["html"].read_text()
    assert page.startswith("<!DOCTYPE html>") and "CKA-034" in page
    refused = pmproof("agent", "check", *outputs, "--format", "text", *FEW, *SIMPLE)
    assert refused.returncode == 2
    assert "exists already" in refused.stderr


def test_a_report_keeps_a_link_and_one_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    check("--format", "json", "--output", link, "--force", *FEW, *SIMPLE)
    assert link.is_symlink() and json.loads(target.read_text())["footer"]["complete"] is True
    refused = pmproof("agent", "check", "--output", tmp_path / "no" / "such", *SIMPLE)
    assert (refused.returncode, "No such file or directory" in refused.stderr) == (2, True)
    full = pmproof("agent", "check", "--output", "/dev/full", "--force", *FEW, *TRIVIAL)
    assert (full.returncode, "could not be written" in full.stderr) == (5, True)
    assert sorted(os.listdir(tmp_path)) == ["link", "target"]


def test_schema_prints_the_schema() -> None:
    assert json.loads(pmproof("agent", "check", "--schema").stdout) == SCHEMA


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((), "no COMMAND given"),
        (("--unix", "/x", "--inet", "4000", "--", "agent"), "can be given"),
        (("--check", "CKA-999", "--", "agent"), "there is no check CKA-999; nearest:"),
        (("--timeout", "soon", "--", "agent"), "--timeout soon"),
        (("--timeout", "creds=-1", "--", "agent"), "--timeout creds=-1"),
        (("--timeout", "tea=3", "--", "agent"), "there is no tea"),
        (("--domain", "511", "--", "agent"), "--domain"),
        (("--format", "json", "--format", "html", "--", "agent"), "only one --format"),
    ],
)
def test_wrong_usage_gives_2(arguments: tuple[str, ...], words: str) -> None:
    result = pmproof("agent", "check", *arguments)
    assert result.returncode == 2
    assert words in result.stderr


def test_a_selection_of_which_nothing_can_be_checked_gives_2() -> None:
    check("--check", "CKA-015", *TRIVIAL, status=2)


def test_a_finding_of_a_warning_fails_only_if_asked_to(tmp_path: Path) -> None:
    # The scan that is left out here is what would find a metric.
    names = tmp_path / "pmns"
    names.write_text("root { trivial }\ntrivial { time 250:0:0 }\n")
    report = report_of("--fail-on", "warning", "--pmns", names, *FEW, *TRIVIAL)
    assert failed(report) == []
