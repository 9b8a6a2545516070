# SPDX-License-Identifier: Apache-2.0
"""Operation replay.interp of `pmproof testee`, from outside. On the base archive of ARC-1000, and on small ones that are
described here."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from validator.testee.testing.session import REQUEST, Json, Session, open_session, run, values
from validator.testing.run import pmproof

BASE = Path("golden/archive/base-v3")
START = 1700000000


@pytest.fixture(name="session")
def _session() -> Iterator[Session]:
    with open_session() as session:
        yield session


def at(offset: float) -> str:
    return f"{START + int(offset // 1)}.{round(offset % 1 * 10**9):09d}"


def steps(first: float, interval: str, count: int, *metrics: str, **args: Any) -> Json:
    return {"metrics": list(metrics), "start": at(first), "interval": interval, "count": count} | args


def copied(to: Path) -> Path:
    for path in BASE.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to / "base"


def test_plain_steps(session: Session) -> None:
    assert session.fetches(BASE, **steps(0, "2.5", 4, "m.cnt", "m.inst", "nope")) == [
        {
            "time": at(0),
            "status": 0,
            "metrics": [
                {"metric": "m.cnt", "status": 0, "values": [{"instance": None, "type": "u32", "value": "1000"}]},
                {
                    "metric": "m.inst",
                    "status": 0,
                    "values": [
                        {"instance": 0, "type": "u32", "value": "0"},
                        {"instance": 1, "type": "u32", "value": "7"},
                    ],
                },
                {"metric": "nope", "status": -12357, "error": "PM_ERR_NAME", "values": []},
            ],
        },
        {
            "time": at(2.5),
            "status": 0,
            "metrics": [
                {"metric": "m.cnt", "status": 0, "values": [{"instance": None, "type": "u32", "value": "1025"}]},
                {"metric": "m.inst", "status": 0, "values": [{"instance": 0, "type": "u32", "value": "2"}]},
                {"metric": "nope", "status": -12357, "error": "PM_ERR_NAME", "values": []},
            ],
        },
        {
            "time": at(5),
            "status": 0,
            "metrics": [
                {"metric": "m.cnt", "status": 0, "values": [{"instance": None, "type": "u32", "value": "1050"}]},
                {
                    "metric": "m.inst",
                    "status": 0,
                    "values": [
                        {"instance": 0, "type": "u32", "value": "5"},
                        {"instance": 2, "type": "u32", "value": "19"},
                    ],
                },
                {"metric": "nope", "status": -12357, "error": "PM_ERR_NAME", "values": []},
            ],
        },
        {"time": at(7.5), "status": -12370, "error": "PM_ERR_EOL"},
    ]


def test_backward(session: Session) -> None:
    assert values(session.fetches(BASE, **steps(5, "-2", 3, "m.cnt"))) == ["1050", "1030", "1010"]


def test_a_script_with_seeks_and_lists(session: Session) -> None:
    fetches = session.fetches(
        BASE,
        metrics=["m.cnt"],
        fetches=[
            {"time": at(1), "interval": "0.5"},
            {"metrics": ["m.str", "m.cnt"]},
            {"time": at(4.5), "interval": "-0.3"},
            {"time": at(0)},  # goes on all the same
        ],
    )
    assert [fetch["time"] for fetch in fetches] == [at(1), at(1.5), at(4.5), at(4.2)]
    assert [[metric["metric"] for metric in fetch["metrics"]] for fetch in fetches] == [
        ["m.cnt"],
        ["m.str", "m.cnt"],
        ["m.cnt"],
        ["m.cnt"],
    ]
    assert [fetch["metrics"][-1]["values"][0]["value"] for fetch in fetches] == ["1010", "1015", "1045", "1042"]


def test_one_instance(session: Session) -> None:
    (fetch,) = session.fetches(BASE, **steps(4.5, "1", 1, "m.inst", instances=[2]))
    assert fetch["metrics"][0]["values"] == [{"instance": 2, "type": "u32", "value": "18"}]


def test_the_same_metric_twice(session: Session) -> None:  # INT-407, DEV-12
    (fetch,) = session.fetches(BASE, **steps(1, "1", 1, "m.cnt", "m.cnt"))
    assert fetch["metrics"][0] == fetch["metrics"][1]
    reply = session.ask(run(BASE, **steps(1, "1", 1, "m.cnt", "m.cnt", emulate="6.0.3")))
    assert "DEV-12" in reply["skip"]["reason"]


def test_rules_and_what_a_version_answers(session: Session) -> None:  # INT-503
    by = {}
    for rule in ("pcp-legacy", "pcp-6.3.2", "documented"):
        by[rule] = values(session.fetches(BASE, **steps(1.6, "1", 1, "m.i64", rule=rule)))
    assert by == {"pcp-legacy": ["-4"], "pcp-6.3.2": ["-3"], "documented": ["-3"]}
    for version, rule in (("6.0.3", "pcp-legacy"), ("6.3.8", "pcp-6.3.2"), ("7.2.2", "pcp-6.3.2")):
        emulated = session.fetches(BASE, **steps(0, "0.7", 9, "m.i64", "m.cnt", "m.str", emulate=version))
        assert emulated == session.fetches(BASE, **steps(0, "0.7", 9, "m.i64", "m.cnt", "m.str", rule=rule))


def test_only_unknown_metrics(session: Session) -> None:
    emulated: Json = {"emulate": "7.2.2"}
    plain: Json = {}
    for args in (emulated, plain):
        inside, outside = session.fetches(BASE, **steps(5, "1", 2, "nope", **args))
        assert inside["metrics"] == [{"metric": "nope", "status": -12357, "error": "PM_ERR_NAME", "values": []}]
        assert outside["error"] == "PM_ERR_EOL"


def test_no_fetch_at_all(session: Session) -> None:
    assert session.fetches(BASE, **steps(0, "1", 0, "m.cnt")) == []


def test_paths_are_one_context(session: Session) -> None:
    request = run(BASE, **steps(1, "1", 1, "m.cnt"))
    request["input"] = {"paths": [str(BASE), str(BASE)]}
    REQUEST.validate(request)
    assert values(session.ask(request)["result"]["fetches"]) == ["1010"]


def test_an_input_that_can_not_be_opened_is_rejected_by_class(session: Session, tmp_path: Path) -> None:
    assert session.ask(run(tmp_path / "none", **steps(0, "1", 1, "m.cnt")))["reject"] == {"class": "files.not_found"}
    base = copied(tmp_path)
    volume = tmp_path / "base.0"
    whole = volume.read_bytes()
    for offset, byte, reject in (
        (4, 0xFF, {"class": "label.magic", "offset": 4}),
        (7, 9, {"class": "label.version", "offset": 4}),
        (0, 1, {"class": "label.length", "offset": 0}),
        (807, 0, {"class": "label.trailer", "offset": 804}),
    ):
        damaged = bytearray(whole)
        damaged[offset] = byte
        volume.write_bytes(damaged)
        assert session.ask(run(base, **steps(0, "1", 1, "m.cnt")))["reject"] == reject
    volume.write_bytes(whole)
    (tmp_path / "base.meta").unlink()
    assert session.ask(run(base, **steps(0, "1", 1, "m.cnt")))["reject"]["class"] == "files.no_metadata"


def test_each_archive_that_can_not_be_opened_says_why(session: Session, tmp_path: Path) -> None:
    """Whatever rule of files, labels, framing and metadata an archive breaks, it is answered or rejected by a class that
    has a name. Those of data records do not keep it from being opened."""
    assert pmproof("generate", "--seed", "7", "--records", "12", tmp_path / "good").returncode == 0
    rules = sorted(set(re.findall(r"ARC-\d+", pmproof("mutate", "--list").stdout)))
    classes = {}
    for rule in [rule for rule in rules if rule < "ARC-1700"]:
        if pmproof("mutate", "--rule", rule, tmp_path / "good", tmp_path / rule).returncode != 0:
            continue
        reply = session.ask(run(tmp_path / rule, **steps(1, "1", 2, "plain.reads")))
        assert "result" in reply or reply["reject"]["class"] != "damaged", (rule, reply)
        if "reject" in reply:
            classes[rule] = reply["reject"]["class"]
    assert len(classes) > 30
    assert classes["ARC-1203"] == "label.magic"
    assert classes["ARC-1104"] == "record.trailer"
    assert len(set(classes.values())) > 20


def test_an_archive_that_changes_is_read_anew(session: Session, tmp_path: Path) -> None:
    base = copied(tmp_path)
    asked = steps(0, "1", 1, "m.cnt")
    assert values(session.fetches(base, **asked)) == ["1000"]
    volume = tmp_path / "base.0"
    content = volume.read_bytes()
    changed = content.replace((1000).to_bytes(4, "big"), (1001).to_bytes(4, "big"), 1)
    assert changed != content
    volume.write_bytes(changed)
    assert values(session.fetches(base, **asked)) == ["1001"]


def test_a_damaged_record_is_the_error_of_its_metrics(session: Session, tmp_path: Path) -> None:  # INT-903
    base = copied(tmp_path)
    volume = tmp_path / "base.0"
    content = bytearray(volume.read_bytes())
    content[808 + 2 * ((len(content) - 808) // 6) + 16] = 0xFF  # the number of value sets of the third of six records
    volume.write_bytes(content)
    found = [fetch["metrics"][0] for fetch in session.fetches(base, **steps(0.5, "2", 3, "m.cnt"))]
    assert [metric["status"] for metric in found] == [0, -12373, 0]
    assert found[1] == {"metric": "m.cnt", "status": -12373, "error": "PM_ERR_LOGREC", "values": []}
    reply = session.ask(run(base, **steps(0.5, "2", 3, "m.cnt", emulate="6.0.3")))
    assert "does not model damaged records" in reply["skip"]["reason"]


GOOD = steps(0, "1", 1, "m.cnt")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"metrics": None}, "args.metrics"),
        ({"metrics": []}, "args.metrics"),
        ({"metrics": ["m.cnt", 1]}, "args.metrics"),
        ({"start": None}, "args: needs start"),
        ({"start": 0}, "args.start"),
        ({"start": "yesterday"}, "args.start"),
        ({"start": "9223372036854775807"}, "args.start"),
        ({"interval": "1s"}, "args.interval"),
        ({"interval": ""}, "args.interval"),
        ({"interval": "1."}, "args.interval"),
        ({"interval": ".5"}, "args.interval"),
        ({"interval": "--1"}, "args.interval"),
        ({"interval": "0.0000000001"}, "args.interval"),
        ({"interval": "99999999999"}, "args.interval"),
        ({"count": None}, "args.count"),
        ({"count": -1}, "args.count"),
        ({"count": 1.5}, "args.count"),
        ({"count": 2**40}, "args.count"),
        ({"fetches": [{"time": at(0), "interval": "1"}]}, "fetches excludes"),
        ({"rule": 1}, "args.rule"),
        ({"rule": "documented", "emulate": "6.0.3"}, "rule excludes emulate"),
        ({"counter_wrap": "yes"}, "args.counter_wrap"),
        ({"instances": []}, "args.instances"),
        ({"instances": ["sda"]}, "args.instances"),
        ({"instances": [2**31]}, "args.instances"),
    ],
)
def test_arguments_that_make_no_sense(session: Session, change: Json, said: str) -> None:
    request = run(BASE, **{key: value for key, value in (GOOD | change).items() if value is not None})
    assert said in session.ask(request)["error"]["context"]
    if change != {"start": "9223372036854775807"} and change != {"interval": "99999999999"}:
        assert not REQUEST.is_valid(request) or change == {"start": "yesterday"}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ([], "args.fetches"),
        ([7], "args.fetches[0]"),
        ([{}], "args.fetches[0]: needs time"),
        ([{"time": at(0)}], "args.fetches[0]: needs time"),
        ([{"interval": "1"}], "args.fetches[0]: needs time"),
        ([{"time": at(0), "interval": "1"}, {"metrics": []}], "args.fetches[1].metrics"),
        ([{"time": at(0), "interval": "1"}, {"interval": "1"}], "args.fetches[1]: needs time"),
    ],
)
def test_scripts_that_make_no_sense(session: Session, script: list[Any], said: str) -> None:
    assert said in session.ask(run(BASE, metrics=["m.cnt"], fetches=script))["error"]["context"]


@pytest.mark.parametrize(
    "change", [{"rule": "mine"}, {"emulate": "5.0.0"}, {"mode": "forward"}], ids=lambda change: str(change)
)
def test_what_is_not_known_here_is_skipped(session: Session, change: Json) -> None:
    assert session.ask(run(BASE, **(GOOD | change)))["skip"]["reason"]


def test_no_input(session: Session) -> None:
    inputs: list[Json | None] = [None, {}, {"path": 7}, {"path": "a", "paths": ["b"]}, {"paths": []}, {"paths": "a"}]
    for given in inputs:
        request = run(BASE, **GOOD) | {"input": given}
        assert "input" in session.ask(request)["error"]["context"]
        assert not REQUEST.is_valid(request)


def test_a_long_run(session: Session) -> None:
    count = 100_000
    reply = session.raw(json.dumps(run(BASE, **steps(0, "0.00004", count, "m.cnt"))).encode())
    fetches = json.loads(reply)["result"]["fetches"]
    assert len(fetches) == count
    assert values(fetches[:1] + fetches[-1:]) == ["1000", "1040"]


@pytest.mark.parametrize("count", [2**28, 2_500_000], ids=["plainly", "once it is written"])
def test_a_result_that_nobody_could_hold_is_an_error(session: Session, count: int) -> None:
    reply = session.ask(run(BASE, **steps(0, "0", count, "m.cnt")))
    assert "the result is longer than" in reply["error"]["context"]
    assert session.ask({"cmd": "hello", "protocol": 1})["ok"]


def described(folder: Path, metrics: Json, records: list[Json]) -> Path:
    """An archive that starts at 0."""
    text = {"schema": "pmproof-archive/1", "metrics": metrics, "records": records}
    (folder / "a.json").write_text(json.dumps(text), encoding="utf-8")
    assert pmproof("generate", "--description", folder / "a.json", folder / "a").returncode == 0
    return folder / "a"


def shown(fetches: list[Json]) -> list[str]:
    """What is said of the only metric of each fetch: its value, the deviations, and what is undefined."""
    words = []
    for fetch in fetches:
        (metric,) = fetch["metrics"]
        word = metric["values"][0]["value"] if metric["values"] else "-"
        words.append(" ".join([word, *metric.get("deviations", []), *fetch.get("undefined", "").split()]))
    return words


def test_a_deviation_is_named(session: Session, tmp_path: Path) -> None:  # DEV-03
    metrics = {
        "d": {"pmid": "29.0.1", "type": "u32", "semantics": "discrete"},
        "end": {"pmid": "29.0.2", "type": "u32", "semantics": "instant"},
    }
    records = [{"time": 10 * i, "values": {"d": i + 1}} for i in range(3)] + [{"time": 60, "values": {"end": 0}}]
    archive = described(tmp_path, metrics, records)
    asked: Json = {"metrics": ["d"], "start": "5", "interval": "20", "count": 3}
    assert shown(session.fetches(archive, **asked)) == ["1", "3", "3"]
    assert shown(session.fetches(archive, emulate="6.0.3", **asked)) == ["1", "3", "3"]
    for version in ("6.3.8", "7.2.2"):
        assert shown(session.fetches(archive, emulate=version, **asked)) == ["1", "2 DEV-03", "2 DEV-03"]
        fresh = [{"time": time, "interval": "20"} for time in ("25", "45")]
        assert shown(session.fetches(archive, emulate=version, metrics=["d"], fetches=fresh)) == ["3", "3"]


def test_once_memory_is_destroyed_all_behind_is_undefined(session: Session, tmp_path: Path) -> None:  # DEV-05
    metrics = {"i": {"pmid": "29.0.1", "type": "double", "semantics": "instant"}}
    archive = described(tmp_path, metrics, [{"time": 1, "values": {"i": 1}}, {"mark": 3}])
    asked: Json = {"metrics": ["i"], "start": "1.5", "interval": "-0.5", "count": 3}
    assert shown(session.fetches(archive, **asked)) == ["-", "1", "-"]
    *_, behind = emulated = session.fetches(archive, emulate="6.3.8", **asked)
    assert [fetch.get("undefined") for fetch in emulated] == [None, "DEV-05", "DEV-05"]
    assert "deviations" not in behind["metrics"][0]


def test_lists_that_take_turns(session: Session, tmp_path: Path) -> None:  # DEV-06
    counter = {"type": "u32", "semantics": "counter"}
    metrics = {"a": {"pmid": "29.0.1"} | counter, "b": {"pmid": "29.0.2"} | counter}
    both = [{"time": time, "values": {"a": value, "b": value}} for time, value in ((0, 10), (10, 20), (20, 100), (30, 110))]
    archive = described(tmp_path, metrics, [*both[:2], {"mark": "10.001"}, *both[2:]])
    script: Json = {
        "metrics": ["a"],
        "fetches": [{"time": "5", "interval": "7"}, {"metrics": ["b"]}, {"metrics": ["a"]}],
    }
    assert shown(session.fetches(archive, **script)) == ["15", "-", "-"]
    assert shown(session.fetches(archive, emulate="6.3.8", **script)) == ["15", "-", "92 DEV-06"]


def test_a_counter_is_left_out_once_behind_a_mark(session: Session, tmp_path: Path) -> None:  # INT-706
    metrics = {"c": {"pmid": "29.0.1", "type": "u32", "semantics": "counter"}}
    records = [{"time": time, "values": {"c": value}} for time, value in ((0, 10), (10, 20), (20, 100), (30, 110))]
    archive = described(tmp_path, metrics, [*records[:2], {"mark": "10.001"}, *records[2:]])
    assert shown(session.fetches(archive, metrics=["c"], start="0", interval="10", count=4)) == ["10", "20", "-", "110"]
    script: Json = {"metrics": ["c"], "fetches": [{"time": "5", "interval": "20"}, {"time": "25", "interval": "1"}, {}]}
    assert shown(session.fetches(archive, **script)) == ["15", "105", "106"]


def test_a_script_over_a_set_keeps_its_direction(session: Session, tmp_path: Path) -> None:  # INT-905
    for name, start in (("a", 0), ("b", 20)):
        (tmp_path / name).mkdir()
        text = {
            "schema": "pmproof-archive/1",
            "start": start,
            "metrics": {"d": {"pmid": "29.0.1", "type": "u32", "semantics": "discrete"}},
            "records": [{"time": start + i, "values": {"d": start + i}} for i in (0, 10)],
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(text), encoding="utf-8")
        assert pmproof("generate", "--description", tmp_path / f"{name}.json", tmp_path / name / name).returncode == 0
    request = run(BASE, metrics=["d"], fetches=[{"time": "15", "interval": "1"}])
    request["input"] = {"paths": [str(tmp_path / "b"), str(tmp_path / "a")]}
    assert shown(session.ask(request)["result"]["fetches"]) == ["-"]
    request["args"]["fetches"] = [{"time": "15", "interval": "-1"}]
    assert shown(session.ask(request)["result"]["fetches"]) == ["10"]
    request["args"]["fetches"] = [{"time": "15", "interval": "-1"}, {"time": "15", "interval": "1"}]
    assert "INT-905" in session.ask(request)["skip"]["reason"]
    request["args"]["rule"] = "documented"  # whose mark has one time
    assert shown(session.ask(request)["result"]["fetches"]) == ["-", "-"]
    request["args"] = {"metrics": ["d"], "start": "15", "interval": "1", "count": 1, "emulate": "6.3.8"}
    assert "INT-1408" in session.ask(request)["skip"]["reason"]
