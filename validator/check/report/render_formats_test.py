# SPDX-License-Identifier: Apache-2.0
"""Reports made by hand, with names full of what must not get through, are well-formed in every format."""

import html.parser
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xxhash

SAMPLE = os.environ["RENDER_SAMPLE"]
SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="ascii"))


def render(form: str, *judged: str) -> str:
    return subprocess.run([SAMPLE, form, *judged], check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", errors="strict")


@pytest.fixture(name="report")
def fixture_report() -> dict[str, Any]:
    report: dict[str, Any] = json.loads(render("json"))
    return report


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_is_as_its_schema_says(report: dict[str, Any]) -> None:
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    assert [archive["archive"] for archive in report["archives"]][:2] == ["dir/good", "dir/bad"]


@pytest.mark.parametrize("judged", [[], ["policy"]])
def test_a_batch_is_the_json_with_each_archive_on_a_line(judged: list[str]) -> None:
    text = render("batch", *judged)
    assert text.isascii()
    report = json.loads(text)
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    batch = report.pop("batch")
    assert report == json.loads(render("json", *judged))
    head, *lines, end = text.splitlines()
    lines = [line.removesuffix(",") for line in lines]
    assert lines == [json.dumps(archive, separators=(",", ":")) for archive in report["archives"]]
    assert json.loads(head + end)["archives"] == []
    assert [entry["line"] for entry in batch] == [xxhash.xxh3_64_hexdigest(line.encode("ascii")) for line in lines]
    assert [entry["archive"] for entry in batch] == [archive["archive"] for archive in report["archives"]]


@pytest.mark.parametrize(
    "path, value",
    [
        (["footer"], None),
        (["footer", "complete"], False),
        (["archives", 0, "archive_version"], 4),
        (["archives", 0, "counts", "error"], 1),
        (["archives", 3, "conformant"], True),
        (["archives", 1, "findings", 0, "severity"], "bad"),
        (["archives", 1, "findings", 0, "offset"], -1),
        (["archives", 1, "findings", 0, "rule"], "1102"),
        (["errors", 0, "kind"], "other"),
    ],
)
def test_the_schema_refuses_a_wrong_report(report: dict[str, Any], path: list[Any], value: Any) -> None:
    place: Any = report
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)


def test_json_has_the_documented_values(report: dict[str, Any]) -> None:
    assert report["schema"] == "pmproof-report/1"
    assert report["tool"]["name"] == "pmproof"
    bad = report["archives"][1]
    assert (bad["readable"], bad["conformant"], bad["archive_version"]) == (False, False, 2)
    assert bad["summary"]["start"] == "1700000000.000000005"
    assert bad["not_checked"][1] == {"rule": "bad.0 from offset 500", "because": "the record before is cut"}
    assert bad["findings"][1]["count"] == 39
    assert bad["survival"] == {
        "opens": True,
        "readable_records": 10,
        "total_records": None,
        "until": "1700000020.000000000",
        "records_behind": 0,
        "behind_from": None,
        "recorded_until": None,
        "lost": [{"file": "bad.0", "offset": 500, "length": 12, "records": 0}],
        "more_lost": 0,
        "next": ["another copy of the damaged file may be whole"],
    }
    assert bad["findings"][2] == {
        "rule": "ARC-1303",
        "severity": "error",
        "file": "bad.meta.xz",
        "part": "meta",
        "offset": 132,
        "length": 4,
        "record": 1,
        "field": "numnames",
        "actual": "0",
        "expected": "1 or more",
        "message": "metric 29.0.1 has no name",
        "count": 1,
        "follows": 3,
    }
    assert report["archives"][0]["survival"] is None
    assert report["footer"]["rules"][0] == {"rule": "ARC-1102", "severity": "fatal", "findings": 3, "archives": 3}
    assert report["archives"][3]["failure"]["kind"] == "not_an_archive"
    assert report["footer"]["complete"] is True


def test_json_lines_carry_the_same_findings(report: dict[str, Any]) -> None:
    lines = [json.loads(line) for line in render("jsonl").splitlines()]
    assert lines[0]["type"] == "header" and lines[0]["schema"] == report["schema"]
    assert lines[-1] == {"type": "footer"} | report["footer"]
    expected = [
        {"type": "finding", "archive": archive["archive"]} | finding
        for archive in report["archives"]
        for finding in archive["findings"]
    ]
    assert [line for line in lines if line["type"] == "finding"] == expected
    assert [line["archive"] for line in lines if line["type"] == "archive"] == [
        archive["archive"] for archive in report["archives"]
    ]


def test_sarif_names_rules_and_byte_regions(report: dict[str, Any]) -> None:
    sarif = json.loads(render("sarif"))
    assert sarif["version"] == "2.1.0"
    (run,) = sarif["runs"]
    rules = run["tool"]["driver"]["rules"]
    findings = [finding for archive in report["archives"] for finding in archive["findings"]]
    assert len(run["results"]) == len(findings)
    for result, finding in zip(run["results"], findings):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"]
        assert result["level"] == {"fatal": "error", "info": "note"}.get(finding["severity"], finding["severity"])
        assert result["message"]["text"]
        location = result["locations"][0]["physicalLocation"]
        assert re.fullmatch(r"[-A-Za-z0-9._~/%]+", location["artifactLocation"]["uri"])
        if finding["part"] == "archive":
            assert "region" not in location
        else:
            assert location["region"] == {"startLine": 1, "byteOffset": finding["offset"], "byteLength": finding["length"]}
            assert f"[byte offset {finding['offset']}, record {finding['record']}]" in result["message"]["text"]
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["help"]["text"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 3


def test_sarif_uri_is_relative_to_where_it_ran() -> None:
    results = json.loads(render("sarif"))["runs"][0]["results"]
    assert results[2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "dir/bad.meta.xz"


def test_sarif_says_what_code_scanning_knows_findings_and_runs_by() -> None:
    (run,) = json.loads(render("sarif"))["runs"]
    assert run["automationDetails"] == {"id": "pmproof check/archival/"}
    prints = [result["partialFingerprints"]["pmproofPlace/v1"] for result in run["results"]]
    assert all(re.fullmatch(r"[0-9a-f]{32}:[1-9]", one) for one in prints)
    # Two of one rule at one place stay two; the same report has the same ones again.
    assert len(set(prints)) == len(prints) and any(one.endswith(":2") for one in prints)
    again = json.loads(render("sarif"))["runs"][0]["results"]
    assert prints == [result["partialFingerprints"]["pmproofPlace/v1"] for result in again]
    assert "informationUri" not in run["tool"]["driver"] and "helpUri" not in run["tool"]["driver"]["rules"][0]


def test_github_has_a_command_for_each_root_cause_and_a_last_line() -> None:
    *commands, last = render("github").splitlines()
    parsed = [re.fullmatch(r"::(error|warning) file=([^,:]+),title=([^,:]+)::(.+)", line) for line in commands]
    assert all(parsed)
    bad = [one.groups() for one in parsed if one and one[2].startswith("dir/bad")]
    assert bad[0] == (
        "error",
        "dir/bad.0",
        "ARC-1102 (fatal)",
        "byte offset 500, record 7: a record of 80 bytes begins 12 bytes before the end of the file; 1 finding more from this one",
    )
    assert [one[2] for one in bad] == ["ARC-1102 (fatal)", "ARC-1003 (warning)", "ARC-1003 (warning)"]
    assert [one[3] for one in parsed if one].count("no verdict") == 1
    assert [one[3] for one in parsed if one].count("cannot be checked") == 1
    assert last.startswith("5 archives: 2 conformant, ")


def test_openmetrics_counts_archives_by_verdict_and_findings_by_rule() -> None:
    lines = render("openmetrics").splitlines()
    assert lines[-1] == "# EOF"
    samples = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert {name: samples[name] for name in samples if "verdict" in name} == {
        'pmproof_archives{verdict="conformant"}': "1",
        'pmproof_archives{verdict="not conformant"}': "0",
        'pmproof_archives{verdict="not readable"}': "2",
        'pmproof_archives{verdict="none"}': "2",
    }
    assert samples['pmproof_findings{rule="ARC-1003",severity="warning"}'] == "80"
    assert samples['pmproof_archives_with_findings{rule="ARC-1003",severity="warning"}'] == "2"
    assert (samples["pmproof_unreadable_inputs"], samples["pmproof_internal_errors"]) == ("1", "1")
    assert samples["pmproof_last_check_timestamp_seconds"] == "1700000000"
    # Each sample is of a gauge that was described, all samples of one together.
    types = [line.split()[2:] for line in lines if line.startswith("# TYPE")]
    assert all(kind == "gauge" for _, kind in types)
    named = [re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")]
    assert list(dict.fromkeys(named)) == [name for name, _ in types if name in named] and set(named) <= {name for name, _ in types}


def test_junit_has_one_case_for_each_archive() -> None:
    (suite,) = ElementTree.fromstring(render("junit"))
    cases = suite.findall("testcase")
    assert int(suite.get("tests", "")) == len(cases) == 6
    for kind, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.get(kind, "")) == len([case for case in cases if case.find(element) is not None])
    good, bad, _, failed, internal, missing = cases
    assert (good.get("name"), bad.get("name"), list(good)) == ("dir/good", "dir/bad", [])
    failure, others = bad
    assert (failure.tag, failure.get("message")) == ("failure", "1 fatal, 1 error, 40 warnings")
    lines = (failure.text or "").splitlines()
    assert lines[0].startswith("fatal ARC-1102: bad.0 offset 500, record 7: ")
    assert lines[1].startswith("  from this follows error ARC-1303: bad.meta.xz offset 132, record 1: ")
    assert lines[2] == "survives: 10 records can be read, up to 2023-11-14T22:13:40.000000000Z"
    assert lines[3] == "lost: bad.0 from offset 500 (12 bytes)"
    assert (others.text or "").count("warning ARC-1003") == 2
    assert [case.find("error") is not None for case in (failed, internal, missing)] == [True] * 3


class Page(html.parser.HTMLParser):
    """Notes the elements, whether they are closed in order, and all that would be requested."""

    VOID = {"meta", "br", "input", "link", "img", "hr"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in {"src", "href", "action", "srcset", "data"}:
                self.links.append(value or "")
            if name == "id":
                self.ids.add(value or "")
            assert not name.startswith("on"), "no script in attributes"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_page_without_requests() -> None:
    text = render("html")
    page = Page(text)
    assert page.open == []
    assert page.tags.count("script") == 2  # data, and what shows it
    assert page.links == ["data:,"]  # no request for an icon
    assert "url(" not in text and "@import" not in text and "http:" not in text and "https:" not in text
    assert "<time>2023-11-14T22:13:20Z</time>" in text


def data_of(page: str) -> dict[str, Any]:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(data)
    return found


def test_html_has_all_archives_findings_and_rules(report: dict[str, Any]) -> None:
    data = data_of(render("html"))
    assert len(data["archives"]) == len(report["archives"])
    for shown, archive in zip(data["archives"], report["archives"], strict=True):
        assert [(one["rule"], one["severity"], one["offset"]) for one in shown["findings"]] == [
            (one["rule"], one["severity"], one["offset"]) for one in archive["findings"]
        ]
        assert shown["counts"] == archive["counts"] and shown["conformant"] == archive["conformant"]
    assert {one["rule"] for archive in report["archives"] for one in archive["findings"]} >= set(data["rules"])


@pytest.mark.parametrize("judged", [(), ("policy",)], ids=["rules", "policy"])
@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "junit", "html", "github", "openmetrics"])
def test_no_control_characters_in_any_format(form: str, judged: tuple[str, ...]) -> None:
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\x9b]", render(form, *judged))


def test_json_tells_what_a_policy_did() -> None:
    report = json.loads(render("json", "policy"))
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    assert [entry["kind"] for entry in report["policy"]["entries"]] == ["reclassify", "require"]
    assert [finding["check"] for finding in report["policy"]["findings"]] == ["POL-001"]
    assert [[finding["check"] for finding in archive.get("unmet", [])] for archive in report["archives"]] == [["POL-101", "POL-105"], []] * 2 + [["POL-101", "POL-105"]]
    bad = report["archives"][1]
    assert bad["findings"][2]["severity"] == "info"
    assert bad["findings"][2]["reclassified"]["from"] == "error"
    assert "reclassified" not in bad["findings"][0]
    assert report["footer"]["policy"] == {"fatal": 0, "error": 3, "warning": 1, "info": 3}
    assert "policy" not in json.loads(render("json"))
    lines = [json.loads(line) for line in render("jsonl", "policy").splitlines()]
    assert lines[0]["policy"] == report["policy"]
    assert lines[-1]["policy"] == report["footer"]["policy"]


def test_sarif_has_the_findings_of_a_policy() -> None:
    (run,) = json.loads(render("sarif", "policy"))["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules[-3:] == ["POL-001", "POL-101", "POL-105"]
    expired, *unmet = [result for result in run["results"] if result["ruleId"].startswith("POL-")]
    assert expired["level"] == "warning"
    assert expired["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}
    assert [result["ruleId"] for result in unmet] == ["POL-101", "POL-105"] * 3
    assert unmet[0]["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "dir/good"}}
    assert {result["properties"]["reclassified"]["from"] for result in run["results"] if "reclassified" in result["properties"]} == {"error"}


def test_github_has_the_findings_of_a_policy() -> None:
    commands = [line for line in render("github", "policy").splitlines() if "title=POL-" in line]
    assert [re.findall(r"title=(POL-\d+)", line)[0] for line in commands] == ["POL-101"] * 3 + ["POL-001"]
    assert all("::line " in line for line in commands)


def test_openmetrics_counts_the_findings_of_a_policy() -> None:
    lines = render("openmetrics", "policy").splitlines()
    assert 'pmproof_policy_findings{severity="error"} 3' in lines and 'pmproof_policy_findings{severity="warning"} 1' in lines
    assert "policy" not in render("openmetrics")


def test_junit_has_a_case_for_the_policy() -> None:
    (suite,) = ElementTree.fromstring(render("junit", "policy"))
    cases = suite.findall("testcase")
    assert int(suite.get("tests", "")) == len(cases) == 7
    for kind, element in (("failures", "failure"), ("errors", "error")):
        assert int(suite.get(kind, "")) == len([case for case in cases if case.find(element) is not None])
    good, bad = cases[:2]
    assert [(failure.get("message"), (failure.text or "")[:16]) for failure in good.findall("failure")] == [("1 error, 1 info", "error POL-101: <")]
    assert "from this follows info ARC-1303" in (bad.findtext("failure") or "")
    assert "; error by the rule, line 4 of the policy: " in (bad.findtext("failure") or "")
    (policy,) = [case for case in cases if (case.get("name") or "").startswith("policies/")]
    assert policy.find("failure") is None
    assert (policy.findtext("system-out") or "").startswith("warning POL-001: ")


def test_html_has_the_findings_of_a_policy() -> None:
    text = render("html", "policy")
    assert Page(text).open == []
    assert text.count("POL-001") == 1
    archives = data_of(text)["archives"]
    assert [[finding["check"] for finding in archive.get("unmet", [])] for archive in archives] == [["POL-101", "POL-105"], []] * 2 + [["POL-101", "POL-105"]]
    assert archives[1]["findings"][2]["reclassified"]["from"] == "error" and archives[1]["findings"][2]["reclassified"]["line"] == 4
