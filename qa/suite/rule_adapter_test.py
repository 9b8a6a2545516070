# SPDX-License-Identifier: Apache-2.0
"""What a rule in Python is given, and what becomes of its answers."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qa.suite.rule_adapter import Observation, Series

PMPROOF = str(Path(os.environ["PMPROOF"]).absolute())
STARTER = Path("qa/suite/starter/rule.py").absolute()
_PROGRAM = """
import sys
from qa.suite.rule_adapter import serve
serve(eval(sys.argv[1]))
"""


def series(marks: list[int]) -> Series:
    seen = [Observation(10, 1), Observation(20, 2), Observation(30, 3)]
    return Series("m.a", None, "u32", "instant", marks, seen)


@pytest.mark.parametrize(
    ("time", "marks", "before", "after"),
    [
        (15, [], 10, 20),
        (20, [], 20, 20),
        (5, [], None, 10),
        (35, [], 30, None),
        (15, [12], None, 20),
        (15, [17], 10, None),
        (15, [12, 17], None, None),
        (15, [9, 21], 10, 20),
        (25, [15], 20, 30),
    ],
)
def test_a_rule_sees_the_observations_on_both_sides_up_to_a_mark(
    time: int, marks: list[int], before: int | None, after: int | None
) -> None:
    assert [seen and seen.time for seen in series(marks).around(time)] == [before, after]


@pytest.fixture(name="archive", scope="module")
def fixture_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    described = {
        "schema": "pmproof-archive/1",
        "epoch": "1700000000",
        "metrics": {
            "m.n": {"pmid": "60.0.1", "type": "32", "semantics": "instant", "indom": "60.1"},
            "m.d": {"pmid": "60.0.2", "type": "double", "semantics": "counter"},
            "m.s": {"pmid": "60.0.3", "type": "string", "semantics": "discrete"},
        },
        "indoms": [{"indom": "60.1", "time": 0, "instances": {"7": "a", "3": "b"}}],
        "records": [
            {"time": 0, "values": {"m.n": {"3": -5, "7": 5}, "m.d": 0.1, "m.s": 'a "b"'}},
            {"time": 10, "values": {"m.n": {"7": 6}}},
            {"mark": "10.001"},
            {"time": 20, "values": {"m.n": {"3": -7, "7": 7}, "m.d": 0.2, "m.s": "c"}},
        ],
    }
    (folder / "a.json").write_text(json.dumps(described), encoding="utf-8")
    subprocess.run([PMPROOF, "generate", "--description", folder / "a.json", folder / "a"], check=True, capture_output=True)
    return folder / "a"


def answers(rule: str, source: Any, metrics: list[str], *times: int, **more: Any) -> Any:
    args = {"metrics": metrics, "fetches": [{"time": str(1700000000 + at), "interval": "1"} for at in times]} | more
    request = {"cmd": "run", "seq": "k", "op": "replay.interp", "input": source, "args": args}
    lines = [{"cmd": "hello", "protocol": 1}, request, {"cmd": "bye"}]
    done = subprocess.run(
        [sys.executable, "-B", "-c", _PROGRAM, rule],
        input="".join(json.dumps(line) + "\n" for line in lines),
        env={"PMPROOF": PMPROOF, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    hello, answer = map(json.loads, done.stdout.splitlines())
    assert hello["capabilities"] == ["replay.interp"]
    assert answer.pop("seq") == "k"
    return answer


def values(answer: Any) -> list[Any]:
    """Of the only metric of each fetch: the values by instance, or the error."""
    return [
        {value["instance"]: value["value"] for value in fetch["metrics"][0]["values"]} if fetch["status"] == 0 else fetch["error"]
        for fetch in answer["result"]["fetches"]
    ]


def test_a_rule_is_asked_for_each_instance(archive: Path) -> None:
    source = {"path": str(archive)}
    found = answers("lambda series, time: len(series.observations)", source, ["m.n"], -1, 0, 20, 21)
    assert values(found) == ["PM_ERR_EOL", {3: "2", 7: "3"}, {3: "2", 7: "3"}, "PM_ERR_EOL"]
    found = answers("lambda series, time: series.instance", source, ["m.n"], 5, instances=[7])
    assert values(found) == [{7: "7"}]


def test_marks_and_semantics_are_told(archive: Path) -> None:
    source = {"path": str(archive)}
    assert values(answers("lambda s, t: s.around(t)[1] and s.around(t)[1].value", source, ["m.n"], 5, 15)) == [
        {7: "6"},
        {3: "-7", 7: "7"},
    ]
    assert values(answers("lambda s, t: f'{s.semantics} {s.type} {len(s.marks)}'", source, ["m.s"], 5)) == [{None: "discrete string 1"}]


@pytest.mark.parametrize(
    ("metric", "rule", "text"),
    [
        ("m.n", "1.5", "2"),
        ("m.n", "1.4", "1"),
        ("m.n", "-7", "-7"),
        ("m.d", "1", "1.0"),
        ("m.d", "float('nan')", "nan"),
        ("m.d", "series.observations[0].value", "0.1"),
        ("m.s", "series.observations[0].value", 'a "b"'),
    ],
)
def test_a_value_is_written_as_its_type_is(archive: Path, metric: str, rule: str, text: str) -> None:
    (found,) = values(answers(f"lambda series, time: {rule}", {"path": str(archive)}, [metric], 5))
    assert set(found.values()) == {text}


def test_what_cannot_be_answered_is_said(archive: Path) -> None:
    rule = "lambda series, time: nothing"
    assert answers(rule, {"path": str(archive)}, ["m.n"], 5) == {"error": {"context": "NameError: name 'nothing' is not defined"}}
    assert answers(rule, {"path": str(archive)}, ["m.x"], 5)["reject"]["message"] == "there is no m.x"
    assert answers(rule, {"path": f"{archive}-not"}, ["m.n"], 5)["reject"]["class"] == "files.not_found"
    assert answers(rule, {"paths": [str(archive)] * 2}, ["m.n"], 5)["skip"]["reason"] == "one archive at a time"


def compared(rule: str, archive: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [PMPROOF, "rules", "diff", "--baseline", "pcp-6.3.2", "--candidate", f"exec:{rule}", *more, str(archive)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_starter_is_a_side_of_rules_diff(tmp_path: Path) -> None:
    """As docs/commands/rules.md has it."""
    assert len(STARTER.read_text(encoding="utf-8").splitlines()) <= 40
    records = [{"time": at, "values": {"m.n": value, "m.s": str(value)}} for at, value in ((0, 10), (10, 20), (100, 30))]
    types = {"m.n": "double", "m.s": "string"}
    metrics = {name: {"pmid": f"60.0.{k}", "type": of, "semantics": "instant"} for k, (name, of) in enumerate(types.items())}
    described = {"schema": "pmproof-archive/1", "epoch": "1700000000", "metrics": metrics, "records": records}
    (tmp_path / "a.json").write_text(json.dumps(described), encoding="utf-8")
    subprocess.run([PMPROOF, "generate", "--description", tmp_path / "a.json", tmp_path / "a"], check=True, capture_output=True)
    done = compared(str(STARTER), tmp_path / "a", "--interval", "5s", "--metric", "m.n", "--format", "json")
    assert done.returncode == 1, done.stderr
    (found,) = json.loads(done.stdout)["archives"]
    assert found["unanswered"] == []
    # At 5 s on the line; from 15 to 95 s there is no value.
    assert (found["values"]["number"], found["values"]["baseline_only"], found["values"]["compared"]) == (1, 17, 21)
    assert [e["candidate"]["value"] for e in found["examples"] if e["difference"] == "number"] == ["15"]


def test_a_rule_that_fails_says_why_in_the_report(archive: Path, tmp_path: Path) -> None:
    text = STARTER.read_text(encoding="utf-8")
    root = "str(Path(__file__).resolve().parents[3])"
    assert root in text
    mine = tmp_path / "mine.py"
    mine.write_text(text.replace(root, repr(os.getcwd())).replace("part = (time", "part = (now"), encoding="utf-8")
    done = compared(f"{sys.executable} -B {mine}", archive)
    assert "error: NameError: name 'now' is not defined" in done.stderr
