# SPDX-License-Identifier: Apache-2.0
"""`pmproof rules list` and `pmproof rules diff` as a user meets them: reports in all formats, refusals, exit statuses."""

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

from validator.testing.run import pmproof

BASE = Path("golden/archive/base-v3")
SCHEMA = json.loads(Path(os.environ["RULES_DIFF_SCHEMA"]).read_text(encoding="utf-8"))

# Names with what must not get through to a page or a terminal.
HOSTILE = '<script>alert("\u202e&\x1b[31m")</script>'


def described(folder: Path, name: str, **members: Any) -> Path:
    plain = {"schema": "pmproof-archive/1", "epoch": "1700000000"}
    (folder / f"{name}.json").write_text(json.dumps(plain | members), encoding="utf-8")
    made = pmproof("generate", "--description", folder / f"{name}.json", folder / name)
    assert made.returncode == 0, made.stderr
    return folder / name


def gauge(folder: Path, name: str = "gauge", metric: str = "m.gauge") -> Path:
    """10 at 0 s, 20 at 10 s, 30 at 20 s."""
    return described(
        folder,
        name,
        metrics={metric: {"pmid": "60.0.1", "type": "u32", "semantics": "instant", "units": {"time": [1, 3]}}},
        records=[{"time": 10 * k, "values": {metric: 10 * k + 10}} for k in range(3)],
    )


def hostile(folder: Path) -> Path:
    return described(
        folder,
        "hostile",
        metrics={
            f"m.{HOSTILE}": {"pmid": "60.0.1", "type": "string", "semantics": "discrete", "indom": "60.1"},
            "m.number": {"pmid": "60.0.2", "type": "double", "semantics": "instant"},
        },
        indoms=[{"indom": "60.1", "time": 0, "instances": {"3": HOSTILE}}],
        records=[
            {"time": 0, "values": {f"m.{HOSTILE}": {"3": HOSTILE}, "m.number": 1}},
            {"time": 10, "values": {f"m.{HOSTILE}": {"3": "]]>--></svg>"}, "m.number": 2}},
            {"mark": "10.001"},
            {"time": 20, "values": {f"m.{HOSTILE}": {"3": HOSTILE}, "m.number": 3}},
        ],
    )


def diff(*arguments: str | Path, baseline: str = "pcp-legacy", candidate: str = "pcp-6.3.2") -> Any:
    return pmproof("rules", "diff", "--baseline", baseline, "--candidate", candidate, *arguments)


def report(*arguments: str | Path, **profiles: str) -> Any:
    done = diff(*arguments, "--format", "json", **profiles)
    read = json.loads(done.stdout)
    jsonschema.validate(read, SCHEMA, jsonschema.Draft202012Validator)
    return read


def test_the_profiles_are_listed_with_their_clauses() -> None:
    text = pmproof("rules", "list").stdout
    for name in ("pcp-legacy", "pcp-6.3.2", "documented"):
        assert re.search(rf"^{re.escape(name)}$", text, re.MULTILINE)
    listed = json.loads(pmproof("rules", "list", "--format", "json").stdout)
    assert listed["schema"] == "pmproof-rules/1"
    legacy, since, documented = listed["profiles"]
    answers = [[answer["answer"] for answer in profile["answers"][:3]] for profile in (legacy, since, documented)]
    assert answers == [
        ["10, 10, 10", "1", "a, a, a"],
        ["10, 10, 20", "2", "a, a, a"],
        ["10, 10, 20", "1", "a, a, b"],
    ]  # INT-503, INT-504
    assert "INT-611" in documented["clauses"] and "INT-611" not in since["clauses"]
    for clause in {clause for profile in listed["profiles"] for clause in profile["clauses"]}:
        assert pmproof("explain", clause).returncode == 0, clause


def test_the_text_says_how_much_differs_and_why(tmp_path: Path) -> None:
    done = diff(gauge(tmp_path), "--interval", "1s")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[2:] == [
        f"{tmp_path}/gauge: 8 of 21 values differ (38.1 %)",
        "  1 metric at 21 times from 2023-11-14T22:13:20.000000000Z to 2023-11-14T22:13:40.000000000Z,",
        "  interval 1s",
        "",
        "  semantics  type  metrics  values  differ          largest difference  mean difference",
        "  instant    u32         1      21       8  38.1 %           10 (50 %)      10 (41.7 %)",
        "",
        "  pcp-legacy  pcp-6.3.2  differences",
        "  INT-503     INT-503              8",
        "",
        "  first differences of each kind",
        "  2023-11-14T22:13:26.000000000Z  m.gauge  instant u32",
        "    pcp-legacy  10  [INT-503]",
        "    pcp-6.3.2   20  [INT-503]",
        "    between 10 at 1700000000.000000000 (record 0) and 20 at 1700000010.000000000 (record 1)",
        "  2023-11-14T22:13:27.000000000Z  m.gauge  instant u32",
        "    pcp-legacy  10  [INT-503]",
        "    pcp-6.3.2   20  [INT-503]",
        "    between 10 at 1700000000.000000000 (record 0) and 20 at 1700000010.000000000 (record 1)",
        "",
        "  differ most  differences    largest                              at",
        "  m.gauge                8  10 (50 %)  2023-11-14T22:13:26.000000000Z",
    ]


def test_no_line_of_text_is_wider_than_a_page(tmp_path: Path) -> None:
    pmproof("generate", "--seed", "5", "--scenario", "types,marks", "--records", "30", tmp_path / "types")
    done = diff(tmp_path / "types", candidate="documented")
    assert done.returncode == 1
    lines = [line for line in done.stdout.splitlines() if str(tmp_path) not in line]
    assert max(map(len, lines)) <= 100, max(lines, key=len)


def test_nothing_differs_between_profiles_that_agree() -> None:
    done = diff(BASE, "--metric", "m.cnt")
    assert done.returncode == 0
    assert "none of" in done.stdout


def test_the_interval_is_derived_and_said(tmp_path: Path) -> None:
    (archive,) = report(gauge(tmp_path))["archives"]
    assert (archive["interval"], archive["interval_derived"]) == ("0.023000000", True)
    assert archive["times"] == 870
    assert "interval 23ms (about a thousandth of the span" in diff(tmp_path / "gauge").stdout


def test_json_has_the_documented_values(tmp_path: Path) -> None:
    (archive,) = report(gauge(tmp_path), "--interval", "4s", "--examples", "1")["archives"]
    assert archive["values"] == {
        "compared": 6,
        "differing": 2,
        "number": 2,
        "content": 0,
        "baseline_only": 0,
        "candidate_only": 0,
        "error": 0,
        "largest": {"absolute": 10.0, "relative": 0.5},
        "mean": {"absolute": 10.0, "relative": pytest.approx((1 / 2 + 1 / 3) / 2)},
    }
    assert archive["clauses"] == [{"baseline": "INT-503", "candidate": "INT-503", "differences": 2}]
    (example,) = archive["examples"]
    assert archive["more_examples"] == 1
    assert example["time"] == "1700000008.000000000"
    assert example["series"] == {
        "metric": "m.gauge",
        "semantics": "instant",
        "type": "u32",
        "units": "sec",
        "instance": None,
        "name": None,
    }
    assert example["candidate"] == {
        "value": "20",
        "error": None,
        "clause": "INT-503",
        "prior": {"kind": "value", "time": "1700000000.000000000", "record": 0, "value": "10"},
        "next": {"kind": "value", "time": "1700000010.000000000", "record": 1, "value": "20"},
    }


def test_the_schema_is_printed_and_strict(tmp_path: Path) -> None:
    assert json.loads(pmproof("rules", "diff", "--schema").stdout) == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    good = report(gauge(tmp_path))
    for key, value in (("footer", None), ("archives", 1), ("baseline", {"name": 1})):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(good | {key: value}, SCHEMA, jsonschema.Draft202012Validator)


def test_archives_that_can_not_be_read_are_said_and_the_others_compared(tmp_path: Path) -> None:
    good = gauge(tmp_path)
    (tmp_path / "bad.meta").write_bytes(b"no archive")
    done = diff(tmp_path / "bad", good, tmp_path / "none", "--format", "json")
    assert done.returncode == 4
    read = json.loads(done.stdout)
    assert [archive["failure"] is None for archive in read["archives"]] == [False, True]
    assert read["archives"][1]["values"]["differing"] > 0
    assert "none" in read["errors"][0]["file"] + read["errors"][0]["message"]
    assert "bad" in done.stderr and "none" in done.stderr


def test_the_report_does_not_depend_on_threads_or_memory(tmp_path: Path) -> None:
    for k in range(5):
        pmproof("generate", "--seed", str(k), "--scenario", "types,replay", "--records", "20", tmp_path / f"a{k}")
    one = diff(tmp_path, "--format", "json", "--jobs", "1", candidate="documented")
    assert one.returncode == 1
    assert len(json.loads(one.stdout)["archives"]) == 5
    for arguments in (["--jobs", "4"], ["--jobs", "2", "--memory", "400k"]):
        again = diff(tmp_path, "--format", "json", *arguments, candidate="documented")
        assert again.stdout == one.stdout


def test_a_list_is_compared_as_one(tmp_path: Path) -> None:
    pmproof("generate", "--seed", "1", "--scenario", "set-gaps", "--records", "9", tmp_path / "s")
    members = [str(tmp_path / f"s-{k}") for k in (1, 2, 3)]
    (archive,) = report(",".join(members))["archives"]
    assert archive["archive"] == ",".join(members)
    assert len(report(*members)["archives"]) == 3


def test_damage_answers_the_same_error_under_both(tmp_path: Path) -> None:
    for path in BASE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    volume = tmp_path / "base.0"
    content = bytearray(volume.read_bytes())
    record = 808 + 2 * ((len(content) - 808) // 6)  # the third of six of equal size
    content[record + 16] = 0xFF  # the number of value sets
    volume.write_bytes(content)
    times = ("--metric", "m.cnt", "--interval", "500ms")
    (archive,) = report(tmp_path / "base", *times)["archives"]
    assert archive["values"]["compared"] == report(BASE, *times)["archives"][0]["values"]["compared"]
    assert archive["values"]["differing"] == 0


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--metric", "nope"], 2, "there was nothing to compare"),
        (["--start", "+100s"], 2, "there was nothing to compare"),
        (["--interval", "0"], 2, "--interval: no duration above 0"),
        (["--start", "yesterday"], 2, "--start: no time: yesterday"),
        (["--candidate", "mine"], 2, "profiles: pcp-legacy, pcp-6.3.2, documented"),
        (["--format", "pdf"], 2, "--format"),
        (["--memory", "1"], 6, "more than the memory budget allows"),
        (["--interval", "1ns"], 2, "5000000001 times from 2023-11-14T22:13:20"),
        (["--interval", "1s", "--limit", "5"], 2, "more than 5: give --finish, a longer --interval, or a larger --limit"),
    ],
)
def test_refusals(arguments: list[str], status: int, said: str) -> None:
    given = ["--candidate", "documented"] if "--candidate" not in arguments else []
    done = pmproof("rules", "diff", "--baseline", "pcp-6.3.2", *given, BASE, *arguments)
    assert done.returncode == status
    assert said in done.stderr


def test_what_is_missing_is_said() -> None:
    assert "--baseline is required" in pmproof("rules", "diff", BASE).stderr
    assert "no ARCHIVE given" in diff().stderr
    assert pmproof("rules").returncode == 2
    assert "list" in pmproof("rules", "--help").stdout
    assert "--baseline" in pmproof("rules", "diff", "--help").stdout


def test_an_output_is_not_overwritten(tmp_path: Path) -> None:
    archive = gauge(tmp_path)
    out = tmp_path / "report.json"
    assert diff(archive, "--format", "json", "--output", out).returncode == 1
    before = out.read_bytes()
    assert json.loads(before)["footer"]["complete"]
    assert diff(archive, "--output", out).returncode == 2
    assert out.read_bytes() == before
    assert diff(archive, "--output", f"text:{out}", "--force").returncode == 1
    assert out.read_bytes() != before
    volume = (tmp_path / "gauge.0").read_bytes()
    assert diff(archive, "--output", tmp_path / "gauge.0", "--force").returncode == 2
    assert (tmp_path / "gauge.0").read_bytes() == volume


def test_the_nearest_metric_and_profile_are_named(tmp_path: Path) -> None:
    archive = gauge(tmp_path)
    assert "there is no m.guage; nearest: m.gauge" in diff(archive, "--metric", "m.guage").stderr
    done = pmproof("rules", "diff", "--baseline", "pcp-6.3.3", "--candidate", "documented", archive)
    assert done.returncode == 2 and "nearest: pcp-6.3.2" in done.stderr


class Page(html.parser.HTMLParser):
    """Notes the elements, whether they are closed in order, and all that would be requested."""

    VOID = {"meta", "br", "link", "input"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert name not in {"src", "xlink:href", "action", "srcset", "data"}
            assert name != "href" or (value or "").startswith(("#", "data:,")), "within the page"
            assert not name.startswith("on"), "no script in attributes"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(*arguments: str | Path, **profiles: str) -> str:
    done = diff(*arguments, "--format", "html", **profiles)
    assert done.returncode == 1
    return str(done.stdout)


def test_html_is_one_page_without_requests(tmp_path: Path) -> None:
    text = page_of(hostile(tmp_path), candidate="documented")
    page = Page(text)
    assert page.open == []
    assert not {"img", "iframe", "object"} & set(page.tags) and page.tags.count("script") == 1
    assert "url(" not in text and "@import" not in text and "http:" not in text and "https:" not in text
    assert page.tags.count("figure") == 2
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\x9b\u202e]", text)
    assert "&lt;script&gt;" in text


def test_html_draws_both_curves_and_what_the_archive_has(tmp_path: Path) -> None:
    text = page_of(hostile(tmp_path), "--interval", "1s", candidate="documented")
    charts = re.findall(r"<svg viewBox=\"0 0 760.*?</svg>", text, re.DOTALL)
    assert len(charts) == 2
    for chart in charts:
        svg = ElementTree.fromstring(chart)
        paths = {element.get("class"): element.get("d", "") for element in svg.iter("path")}
        assert paths.keys() == {"curve baseline", "curve candidate"}
        assert paths["curve baseline"] != paths["curve candidate"]
        kinds = [element.get("class") for element in svg.iter("circle")]
        assert kinds.count("observation") == 3
        assert kinds.count("ring baseline") == kinds.count("ring candidate") > 0
        assert [line.get("class") for line in svg.iter("line")].count("mark") == 1
        for element in svg.iter():
            for name in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy"):
                assert 0 <= float(element.get(name, "0")) <= 760
    labels = [element.text for element in ElementTree.fromstring(charts[1]).iter("text")]
    assert "value" in labels and any(label and label.startswith("seconds from 2023-11-14T22:13:2") for label in labels)


def test_html_has_the_units_on_the_axis(tmp_path: Path) -> None:
    assert re.search(r"<text[^>]*rotate[^>]*>sec</text>", page_of(gauge(tmp_path)))


def test_html_says_what_it_leaves_out(tmp_path: Path) -> None:
    pmproof("generate", "--seed", "5", "--scenario", "types", "--records", "30", tmp_path / "types")
    text = page_of(tmp_path / "types", "--most", "3", "--examples", "2")
    assert text.count("<figure>") == 3
    assert re.search(r"and \d+ metric-instances more that differ: --most shows more", text)
    assert re.search(r"and \d+ more: --examples shows more", text)


def test_values_at_the_edges_of_their_types_are_drawn(tmp_path: Path) -> None:
    edges = [1.7976931348623157e308, -1.7976931348623157e308, 5e-324]
    archive = described(
        tmp_path,
        "edges",
        metrics={"m.d": {"pmid": "60.0.1", "type": "double", "semantics": "instant"}},
        records=[{"time": 10 * k, "values": {"m.d": value}} for k, value in enumerate(edges)],
    )
    (chart,) = re.findall(r"<svg viewBox=\"0 0 760.*?</svg>", page_of(archive), re.DOTALL)
    svg = ElementTree.fromstring(chart)
    numbers = [number for path in svg.iter("path") for number in re.split("[ML ]", path.get("d", "")) if number]
    assert len(numbers) > 10 and all(0 <= float(number) <= 760 for number in numbers)
    assert "1e+308" in [text.text for text in svg.iter("text")]


def test_a_program_with_a_rule_of_its_own_has_it_everywhere(tmp_path: Path) -> None:
    archive = gauge(tmp_path)

    def own(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [os.environ["OWN_RULE"], *arguments, str(archive)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    done = own("rules", "diff", "--baseline", "pcp-6.3.2", "--candidate", "nearest-within", "--interval", "1s", "--format", "json")
    assert done.returncode == 1, done.stderr
    values = json.loads(done.stdout)["total"]["values"]
    assert (values["baseline_only"], values["differing"]) == (10, 10)  # 3 to 7 s, 13 to 17 s
    done = own("replay", "--metric", "m.gauge", "--rule", "nearest-within", "--at", "+2s,+5s", "--format", "csv")
    assert [line.split(",")[5] for line in done.stdout.splitlines()[1:]] == ["10", ""]
