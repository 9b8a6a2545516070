# SPDX-License-Identifier: Apache-2.0
"""`pmproof rules diff` between profiles, emulations and implementations (exec:), right and wrong ones."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

SCHEMA = json.loads(Path(os.environ["RULES_DIFF_SCHEMA"]).read_text(encoding="utf-8"))
WRONG = Path(os.environ["WRONG_ADAPTER"]).absolute()
REFERENCE = "exec:" + shlex.join([str(Path(PMPROOF).absolute()), "testee"])

# An adapter that hands everything to the reference, with more arguments.
_WITH = """
import json, os, subprocess, sys
reference = subprocess.Popen([os.environ["PMPROOF"], "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    request = json.loads(line)
    request.get("args", {}).update(json.loads(sys.argv[1]))
    reference.stdin.write(json.dumps(request).encode() + b"\\n")
    reference.stdin.flush()
    if request["cmd"] == "bye":
        break
    sys.stdout.buffer.write(reference.stdout.readline())
    sys.stdout.buffer.flush()
"""


def reference_with(**args: str) -> str:
    return "exec:" + shlex.join([sys.executable, "-c", _WITH, json.dumps(args)])


def wrong(*how: str) -> str:
    return "exec:" + shlex.join([str(WRONG), *how])


def diff(baseline: str, candidate: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    done: subprocess.CompletedProcess[str]
    done = pmproof("rules", "diff", "--baseline", baseline, "--candidate", candidate, *arguments)
    return done


def report(baseline: str, candidate: str, *arguments: str | Path, status: int | None = None) -> Any:
    done = diff(baseline, candidate, *arguments, "--format", "json")
    assert status is None or done.returncode == status, done.stderr
    read = json.loads(done.stdout)
    jsonschema.validate(read, SCHEMA, jsonschema.Draft202012Validator)
    return read


def numbered(folder: Path) -> Path:
    """m.1, m.2 and m.3, each with its number at 0, 10 and 20 s: what the wrong adapter says at even seconds."""
    metrics = {f"m.{k}": {"pmid": f"60.0.{k}", "type": "u32", "semantics": "instant"} for k in (1, 2, 3)}
    records = [{"time": 10 * k, "values": {f"m.{n}": n for n in (1, 2, 3)}} for k in range(3)]
    described = {"schema": "pmproof-archive/1", "epoch": "1700000000", "metrics": metrics, "records": records}
    (folder / "numbered.json").write_text(json.dumps(described), encoding="utf-8")
    made = pmproof("generate", "--description", folder / "numbered.json", folder / "numbered")
    assert made.returncode == 0, made.stderr
    return folder / "numbered"


def generated(folder: Path, scenarios: str = "types,marks,replay", seed: int = 5) -> Path:
    archive = folder / f"{scenarios.replace(',', '_')}-{seed}"
    made = pmproof("generate", "--seed", str(seed), "--scenario", scenarios, "--records", "30", archive)
    assert made.returncode == 0, made.stderr
    return archive


def deviating(folder: Path, seed: int = 6) -> Path:
    """Over it PCP does not answer as the specification says."""
    made = pmproof("generate", "--seed", str(seed), "--scenario", "replay", "--scenario", "marks", folder / f"deviating-{seed}")
    assert made.returncode == 0, made.stderr
    return folder / f"deviating-{seed}"


@pytest.mark.parametrize("scenarios", ["types,marks,replay", "counter-wrap-32,counter-reset", "indom-return,sparse-instances", "events,errors"])
def test_the_reference_as_an_implementation_answers_as_its_profile(tmp_path: Path, scenarios: str) -> None:
    read = report("pcp-6.3.2", REFERENCE, generated(tmp_path, scenarios), status=0)
    (archive,) = read["archives"]
    assert archive["values"]["compared"] > 1000
    assert (archive["values"]["differing"], archive["unanswered"]) == (0, [])
    assert read["baseline"]["kind"] == "profile" and read["candidate"]["kind"] == "implementation"
    assert read["candidate"]["implementation"]["name"] == "pmproof"


@pytest.mark.parametrize(
    ("profile", "side"),
    [("pcp-legacy", "profile"), ("documented", "profile"), ("pcp-legacy", "both"), ("documented", "both")],
)
def test_an_implementation_with_another_rule_differs_as_its_profile_does(tmp_path: Path, profile: str, side: str) -> None:
    archive = generated(tmp_path)
    of_profile = report("pcp-6.3.2", profile, archive, status=1)["archives"][0]
    baseline = "pcp-6.3.2" if side == "profile" else REFERENCE
    found = report(baseline, reference_with(rule=profile), archive, status=1)["archives"][0]
    assert found["values"] == of_profile["values"]
    assert found["groups"] == of_profile["groups"]
    assert found["most"] == of_profile["most"]
    assert found["unanswered"] == []


def test_an_emulation_is_a_side(tmp_path: Path) -> None:
    archive = generated(tmp_path)
    same = report("emulate:6.0.3", reference_with(emulate="6.0.3"), archive, status=0)
    assert same["baseline"]["kind"] == "emulation"
    assert same["total"]["values"]["compared"] > 1000
    assert report("emulate:6.0.3", "emulate:7.2.2", archive, status=1)["total"]["values"]["differing"] > 0


@pytest.mark.parametrize(("version", "profile"), [("6.0.3", "pcp-legacy"), ("6.3.8", "pcp-6.3.2"), ("7.2.2", "pcp-6.3.2")])
@pytest.mark.parametrize("is_emulation", [True, False])
def test_deviations_of_a_version_are_counted_apart(tmp_path: Path, version: str, profile: str, is_emulation: bool) -> None:
    archives = [deviating(tmp_path, seed) for seed in (5, 6)]
    pcp = f"emulate:{version}" if is_emulation else reference_with(emulate=version)
    total = report(profile, pcp, *archives, status=1)["total"]
    assert total["values"]["differing"] > 20 and total["deviations"] == {"explained": [], "not_looked_at": []}
    for sides in ((profile, pcp), (pcp, profile)):
        read = report(*sides, "--explain", version, *archives, status=0)
        explained = read["total"]
        assert read["explained_by"] == version
        assert explained["values"]["compared"] == total["values"]["compared"]
        assert explained["values"]["differing"] == 0 and explained["deviations"]["not_looked_at"] == []
        counts = {" ".join(entry["by"]): entry["differences"] for entry in explained["deviations"]["explained"]}
        assert sum(counts.values()) == total["values"]["differing"]
        assert all(re.fullmatch(r"(DEV-|INT-)\d+( (DEV-|INT-)\d+)*", names) for names in counts)
        assert [archive["examples"] for archive in read["archives"]] == [[], []]


def test_what_no_deviation_explains_remains(tmp_path: Path) -> None:
    archive = deviating(tmp_path)
    plain = report("pcp-6.3.2", reference_with(rule="documented"), archive, status=1)["archives"][0]
    left = report("pcp-6.3.2", reference_with(rule="documented"), "--explain", "7.2.2", archive, status=1)["archives"][0]
    assert left["values"] == plain["values"] and left["deviations"]["explained"] == []
    # Of a side with both, only what is not PCP's own.
    both = report("documented", "emulate:7.2.2", archive, status=1)["archives"][0]
    rest = report("documented", "emulate:7.2.2", "--explain", "7.2.2", archive, status=1)["archives"][0]
    explained = sum(entry["differences"] for entry in rest["deviations"]["explained"])
    assert explained > 0 and rest["values"]["differing"] == both["values"]["differing"] - explained


def test_where_it_is_not_known_what_pcp_answers_is_said(tmp_path: Path) -> None:
    archive = deviating(tmp_path)
    made = pmproof("mutate", "--rule", "ARC-1917", archive, tmp_path / "bad")
    assert made.returncode == 0, made.stderr
    read = report("pcp-6.3.2", "documented", "--explain", "7.2.2", tmp_path / "bad", status=1)["archives"][0]
    (entry,) = read["deviations"]["not_looked_at"]
    assert "does not model" in entry["reason"] and entry["differences"] == read["values"]["differing"] > 0


def test_the_text_and_the_page_name_the_deviations(tmp_path: Path) -> None:
    archive = deviating(tmp_path)
    page = tmp_path / "page.html"
    done = diff("pcp-6.3.2", "emulate:7.2.2", "--explain", "7.2.2", "--output", f"html:{page}", "--output", "text:-", archive)
    assert done.returncode == 0, done.stderr
    for text in (done.stdout, page.read_text(encoding="utf-8")):
        assert re.search(r"not counted: \d+ deviations of PCP 7\.2\.2: DEV-\d+ \d+", text)
    done = diff("pcp-6.3.2", "pcp-6.3.2", "--explain", "7.2.2", archive)
    assert "no difference is a deviation of PCP 7.2.2" in done.stdout


def test_many_batches_give_the_same_as_one(tmp_path: Path) -> None:
    archive = generated(tmp_path)
    whole = report("pcp-6.3.2", reference_with(rule="documented"), archive, status=1)["archives"][0]
    # A batch is never more than the memory allows.
    parts = report("pcp-6.3.2", reference_with(rule="documented"), archive, "--memory", "2M", status=1)["archives"][0]
    assert parts["values"]["compared"] == whole["values"]["compared"]


def test_the_text_names_the_implementation_and_cites_no_clause_for_it(tmp_path: Path) -> None:
    done = diff("pcp-6.3.2", wrong(), numbered(tmp_path), "--interval", "1s", "--examples", "1", "--candidate-name", "mine")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "baseline pcp-6.3.2, candidate mine",
        "mine: wrong 0.1 (C++)",
        "",
        f"{tmp_path}/numbered: 30 of 63 values differ (47.6 %)",
        "  3 metrics at 21 times from 2023-11-14T22:13:20.000000000Z to 2023-11-14T22:13:40.000000000Z,",
        "  interval 1s",
        "",
        "  semantics  type  metrics  values  differ          largest difference  mean difference",
        "  instant    u32         3      63      30  47.6 %                   -                -",
        "",
        "  semantics  type  value under pcp-6.3.2 alone  under mine alone  another error",
        "  instant    u32                            30                 -              -",
        "",
        "  pcp-6.3.2  mine        differences",
        "  INT-503    none cited           30",
        "",
        "  first differences of each kind",
        "  2023-11-14T22:13:21.000000000Z  m.1  instant u32",
        "    pcp-6.3.2  1  [INT-503]",
        "    mine       no value",
        "    between 1 at 1700000000.000000000 (record 0) and 1 at 1700000010.000000000 (record 1)",
        "  and 1 more (--examples shows more)",
        "",
        "  differ most  differences  largest                              at",
        "  m.1                   10        -  2023-11-14T22:13:21.000000000Z",
        "  m.2                   10        -  2023-11-14T22:13:21.000000000Z",
        "  m.3                   10        -  2023-11-14T22:13:21.000000000Z",
    ]


def test_what_is_not_answered_is_counted_by_reason(tmp_path: Path) -> None:
    archive = numbered(tmp_path)
    done = diff(wrong(), wrong("skips_m.2"), archive, "--interval", "1s", "--candidate-name", "mine")
    line = "no answer of mine to 21 of 63 questions (a metric at a time): skip: no m.2 here"
    assert done.returncode == 0
    assert f"  {line}\n" in done.stdout
    assert done.stderr == f"pmproof: {archive}: {line}\n"
    read = report(wrong(), wrong("skips_m.2"), archive, "--interval", "1s", status=0)
    expected = [{"side": "candidate", "outcome": "skip", "reason": "no m.2 here", "questions": 21}]
    assert read["archives"][0]["unanswered"] == read["total"]["unanswered"] == expected


@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        ("dies", 3, "crash: ended with exit status 3: NameError: no such thing"),
        ("crashes", 3, "crash: ended with signal 9 (KILL)"),
        ("silent", 3, "timeout: silent for 2 s"),
        ("half", 3, "timeout: no whole line within 2 s, only 7 bytes of one"),
        ("no_json", 3, "protocol: no JSON"),
        ("few", 3, "protocol: 20 of 21 fetches"),
        ("child", 3, "crash: signal 11"),
        ("error", 2, "error: it failed"),
        ("reject", 2, "reject: replay.refused"),
        ("incapable", 2, "skip: its capabilities lack replay.interp"),
        ("dies_at_start", 3, "does not start: ended with exit status 1: no library"),
        ("refusing", 3, "does not start: the answer to hello does not say that it speaks protocol 1"),
    ],
)
def test_what_is_wrong_with_an_implementation_is_said(tmp_path: Path, how: str, status: int, said: str) -> None:
    done = diff("pcp-6.3.2", wrong(how), numbered(tmp_path), "--interval", "1s", "--timeout", "2" if "timeout" in said else "60")
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert not running(how)


def test_an_implementation_that_floods_ends_by_time_or_by_size(tmp_path: Path) -> None:
    """Whichever is reached first on this machine."""
    done = diff("pcp-6.3.2", wrong("floods"), numbered(tmp_path), "--interval", "1s", "--timeout", "2")
    assert done.returncode == 3, done.stderr
    assert "timeout: no whole line within 2 s" in done.stderr or "protocol: a line is longer than" in done.stderr
    assert not running("floods")


def test_an_implementation_that_floods_takes_no_more_than_the_memory_allows(tmp_path: Path) -> None:
    done = diff("pcp-6.3.2", wrong("floods", "1", "memory"), numbered(tmp_path), "--interval", "1s", "--memory", "64M")
    assert done.returncode == 3, done.stderr
    assert "protocol: a line is longer than 8.4 MB" in done.stderr
    assert not running("floods 1 memory")


def running(how: str) -> list[str]:
    found = subprocess.run(["ps", "-eo", "pid,stat,args"], capture_output=True, text=True, check=True).stdout
    return [line for line in found.splitlines() if f"{WRONG} {how}" in line and " Z" not in line and "rules diff" not in line]


def test_what_an_implementation_started_ends_with_it(tmp_path: Path) -> None:
    assert diff("pcp-6.3.2", wrong("leaves_a_child", "7"), numbered(tmp_path), "--interval", "1s").returncode == 1
    assert not running("leaves_a_child 7")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_implementation_ends_with_pmproof(tmp_path: Path, end: signal.Signals) -> None:
    command = [PMPROOF, "rules", "diff", "--baseline", wrong("silent", "1", str(end.value)), "--candidate", "pcp-6.3.2"]
    with subprocess.Popen([*command, numbered(tmp_path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        how = f"silent 1 {end.value}"
        wait_for(lambda: bool(running(how)))
        process.send_signal(end)
        assert process.wait(30) != 0
    wait_for(lambda: not running(how))


def wait_for(holds: Any) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("side", "status", "said"),
    [
        ("exec:", 2, "exec:: no command"),
        ("exec:a 'b", 2, "a quote in it that does not end"),
        ("exec:/no/such/adapter", 3, "does not start: starting /no/such/adapter: No such file"),
        ("emulate:5.0", 2, "that version cannot be emulated; versions: 6.0.3, 6.3.8, 7.2.2"),
        ("pcp:7.2", 2, "qa/suite/suite rules diff knows that name"),
        ("tool:/", 2, "qa/suite/suite rules diff knows that name"),
        ("mine", 2, "implementations: exec:COMMAND, emulate:VERSION"),
    ],
)
def test_refusals(tmp_path: Path, side: str, status: int, said: str) -> None:
    archive = numbered(tmp_path)
    for sides in (("pcp-6.3.2", side), (side, "pcp-6.3.2")):
        done = diff(*sides, archive)
        assert (done.returncode, done.stdout) == (status, "")
        assert said in done.stderr


@pytest.mark.parametrize("baseline", ["pcp-6.3.2", REFERENCE])
def test_html_draws_both_curves(tmp_path: Path, baseline: str) -> None:
    done = diff(baseline, wrong("", "1"), numbered(tmp_path), "--interval", "1s", "--format", "html", "--most", "1")
    assert done.returncode == 1, done.stderr
    (chart,) = re.findall(r"<svg viewBox=\"0 0 760.*?</svg>", done.stdout, re.DOTALL)
    svg = ElementTree.fromstring(chart)
    curves = {element.get("class"): element.get("d") for element in svg.iter("path")}
    assert curves["curve baseline"]
    assert [element.get("class") for element in svg.iter("circle")].count("observation") == 3
    # The wrong one has no fetches of their own, so there is no curve; a right one has both.
    assert curves["curve candidate"] == ""
    done = diff(baseline, reference_with(rule="pcp-legacy"), generated(tmp_path), "--format", "html", "--most", "1")
    (chart,) = re.findall(r"<svg viewBox=\"0 0 760.*?</svg>", done.stdout, re.DOTALL)
    curves = {element.get("class"): element.get("d") for element in ElementTree.fromstring(chart).iter("path")}
    assert curves["curve baseline"] and curves["curve candidate"]
    assert curves["curve baseline"] != curves["curve candidate"]


def test_a_set_is_asked_for_as_one(tmp_path: Path) -> None:
    pmproof("generate", "--seed", "1", "--scenario", "set-gaps", "--records", "9", tmp_path / "s")
    members = ",".join(str(tmp_path / f"s-{k}") for k in (1, 2, 3))
    read = report("pcp-6.3.2", REFERENCE, members, status=0)
    assert read["archives"][0]["archive"] == members and read["total"]["values"]["compared"] > 100


def test_several_archives_are_compared_by_the_same_adapters(tmp_path: Path) -> None:
    archives: Sequence[Path] = [generated(tmp_path, "types", seed) for seed in range(3)]
    for jobs in ("1", "6"):
        read = report(REFERENCE, reference_with(rule="pcp-legacy"), *archives, "--jobs", jobs, status=1)
        expected = report("pcp-6.3.2", "pcp-legacy", *archives, status=1)
        assert [a["values"] for a in read["archives"]] == [a["values"] for a in expected["archives"]]
