"""`pmproof testee` as a suite meets it: one process, many lines, whatever they are. Each reply is held against the
schema. On the base archive of ARC-1000."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

Json = dict[str, Any]

BASE = Path("golden/archive/base-v3")
START = 1700000000
SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))


def of(definition: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


REQUEST, REPLY, RESULT = of("request"), of("reply"), of("replay.interp.result")


class Session:
    """A testee that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None and process.stdout is not None
        self.process, self.to, self.source = process, process.stdin, process.stdout

    def raw(self, line: bytes) -> str:
        self.to.write(line + b"\n")
        self.to.flush()
        return self.source.readline().decode()

    def ask(self, line: bytes | Json) -> Json:
        text = self.raw(line if isinstance(line, bytes) else json.dumps(line).encode())
        reply: Json = json.loads(text)
        REPLY.validate(reply)
        if "result" in reply:
            RESULT.validate(reply["result"])
            # Compact, and a number is a number: equal answers are equal lines.
            assert text == json.dumps(reply, separators=(",", ":"), ensure_ascii=False) + "\n"
        return reply

    def fetches(self, archive: Path = BASE, **args: Any) -> list[Json]:
        request = run(archive, **args)
        REQUEST.validate(request)
        reply = self.ask(request)
        assert "result" in reply, reply
        found: list[Json] = reply["result"]["fetches"]
        return found


@pytest.fixture(name="session")
def _session() -> Iterator[Session]:
    with subprocess.Popen([PMPROOF, "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        session = Session(process)
        yield session
        session.to.close()
        assert process.wait(60) == 0


def run(archive: Path = BASE, seq: str = "k1", **args: Any) -> Json:
    return {"cmd": "run", "seq": seq, "op": "replay.interp", "input": {"path": str(archive)}, "args": args}


def at(offset: float) -> str:
    return f"{START + int(offset // 1)}.{round(offset % 1 * 10**9):09d}"


def steps(first: float, interval: str, count: int, *metrics: str, **args: Any) -> Json:
    return {"metrics": list(metrics), "start": at(first), "interval": interval, "count": count} | args


def values(fetches: list[Json]) -> list[str]:
    """The only value of the only metric of each fetch."""
    return [fetch["metrics"][0]["values"][0]["value"] if fetch["status"] == 0 else fetch["error"] for fetch in fetches]


def copied(to: Path) -> Path:
    for path in BASE.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to / "base"


def test_the_schema_is_one_and_is_printed() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(pmproof("testee", "--schema").stdout) == SCHEMA


def test_hello_says_who_it_is(session: Session) -> None:
    reply = session.ask({"cmd": "hello", "protocol": 1})
    assert (reply["ok"], reply["protocol"], reply["implementation"]["name"]) == (True, 1, "pmproof")
    assert f"pmproof {reply['implementation']['version']} " in pmproof("--version").stdout
    assert reply["capabilities"] == ["replay.interp"]
    assert reply["rules"] == ["pcp-legacy", "pcp-6.3.2", "documented"]


def test_another_protocol_is_refused(session: Session) -> None:
    assert session.ask({"cmd": "hello", "protocol": 2}) == {"ok": False, "protocol": 1}


def test_bye_ends_it() -> None:
    done = subprocess.run(
        [PMPROOF, "testee"], input=b'{"cmd":"bye"}\n{"cmd":"hello","protocol":1}\n', capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("last", [b"", b'{"cmd":"hello","protocol":1}'])
def test_the_end_of_the_input_ends_it(last: bytes) -> None:
    done = subprocess.run([PMPROOF, "testee"], input=last, capture_output=True, check=False)
    assert (done.returncode, done.stdout.count(b"\n")) == (0, 1 if last else 0)


def test_plain_steps(session: Session) -> None:
    assert session.fetches(**steps(0, "2.5", 4, "m.cnt", "m.inst", "nope")) == [
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
    assert values(session.fetches(**steps(5, "-2", 3, "m.cnt"))) == ["1050", "1030", "1010"]


def test_a_script_with_seeks_and_lists(session: Session) -> None:
    fetches = session.fetches(
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
    (fetch,) = session.fetches(**steps(4.5, "1", 1, "m.inst", instances=[2]))
    assert fetch["metrics"][0]["values"] == [{"instance": 2, "type": "u32", "value": "18"}]


def test_the_same_metric_twice(session: Session) -> None:  # INT-407, DEV-12
    (fetch,) = session.fetches(**steps(1, "1", 1, "m.cnt", "m.cnt"))
    assert fetch["metrics"][0] == fetch["metrics"][1]
    reply = session.ask(run(**steps(1, "1", 1, "m.cnt", "m.cnt", emulate="6.0.3")))
    assert "DEV-12" in reply["skip"]["reason"]


def test_rules_and_what_a_version_answers(session: Session) -> None:  # INT-503
    by = {}
    for rule in ("pcp-legacy", "pcp-6.3.2", "documented"):
        by[rule] = values(session.fetches(**steps(1.6, "1", 1, "m.i64", rule=rule)))
    assert by == {"pcp-legacy": ["-4"], "pcp-6.3.2": ["-3"], "documented": ["-3"]}
    for version, rule in (("6.0.3", "pcp-legacy"), ("6.3.8", "pcp-6.3.2"), ("7.2.2", "pcp-6.3.2")):
        emulated = session.fetches(**steps(0, "0.7", 9, "m.i64", "m.cnt", "m.str", emulate=version))
        assert emulated == session.fetches(**steps(0, "0.7", 9, "m.i64", "m.cnt", "m.str", rule=rule))


def test_only_unknown_metrics(session: Session) -> None:
    for args in ({}, {"emulate": "7.2.2"}):
        inside, outside = session.fetches(**steps(5, "1", 2, "nope", **args))
        assert inside["metrics"] == [{"metric": "nope", "status": -12357, "error": "PM_ERR_NAME", "values": []}]
        assert outside["error"] == "PM_ERR_EOL"


def test_no_fetch_at_all(session: Session) -> None:
    assert session.fetches(**steps(0, "1", 0, "m.cnt")) == []


def test_paths_are_one_context(session: Session) -> None:
    request = run(**steps(1, "1", 1, "m.cnt"))
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


HOSTILE = {
    "empty": b"",
    "no JSON": b"nonsense",
    "half": b'{"cmd":"run"',
    "two": b'{"cmd":"hello","protocol":1} {}',
    "a list": b"[]",
    "a number": b"1e999",
    "no UTF-8": b'{"cmd":"\xff"}',
    "NUL": b'{"cmd":\x00}',
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "closed": b"]" * 100_000,
    "no command": b"{}",
    "another command": b'{"cmd":"dance"}',
    "a command that is none": b'{"cmd":["run"]}',
    "no operation": b'{"cmd":"run","seq":"x"}',
    "an operation that is none": b'{"cmd":"run","seq":"x","op":{}}',
    "too long": b'{"cmd":"' + b"x" * (16 << 20) + b'"}',
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_line_that_makes_no_sense_is_an_error_and_no_end(session: Session, line: bytes) -> None:
    assert session.ask(line)["error"]["context"]
    assert session.ask({"cmd": "hello", "protocol": 1})["ok"]


def test_seq_comes_back_as_it_was(session: Session) -> None:
    for seq in ("", "é\"\\\n", 7, -1, 2**63):
        assert session.ask({"cmd": "run", "seq": seq, "op": "units.parse", "input": {}, "args": {}})["seq"] == seq
        assert session.ask({"cmd": "dance", "seq": seq})["seq"] == seq


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
    request = run(**{key: value for key, value in (GOOD | change).items() if value is not None})
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
    assert said in session.ask(run(metrics=["m.cnt"], fetches=script))["error"]["context"]


@pytest.mark.parametrize(
    "change", [{"rule": "mine"}, {"emulate": "5.0.0"}, {"mode": "forward"}], ids=lambda change: str(change)
)
def test_what_is_not_known_here_is_skipped(session: Session, change: Json) -> None:
    assert session.ask(run(**(GOOD | change)))["skip"]["reason"]


def test_no_input(session: Session) -> None:
    for given in (None, {}, {"path": 7}, {"path": "a", "paths": ["b"]}, {"paths": []}, {"paths": "a"}):
        request = run(**GOOD) | {"input": given}
        assert "input" in session.ask(request)["error"]["context"]
        assert not REQUEST.is_valid(request)


def test_many_requests_keep_their_order_and_take_little() -> None:
    """All are written before any reply is read; an archive of 20,000 is as quick as the first."""
    count = 5000
    lines = b"".join(json.dumps(run(seq=str(i), **steps(i % 5, "1", 1, "m.cnt"))).encode() + b"\n" for i in range(count))
    begun = time.process_time() + sum(os.times()[2:4])
    done = subprocess.run([PMPROOF, "testee"], input=lines, capture_output=True, check=True)
    used = time.process_time() + sum(os.times()[2:4]) - begun
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["seq"] for reply in replies] == [str(i) for i in range(count)]
    assert [values(reply["result"]["fetches"])[0] for reply in replies] == [str(1000 + 10 * (i % 5)) for i in range(count)]
    assert used < 30


def test_a_long_run(session: Session) -> None:
    count = 100_000
    reply = session.raw(json.dumps(run(**steps(0, "0.00004", count, "m.cnt"))).encode())
    fetches = json.loads(reply)["result"]["fetches"]
    assert len(fetches) == count
    assert values(fetches[:1] + fetches[-1:]) == ["1000", "1040"]


def test_a_result_that_nobody_could_hold_is_an_error(session: Session) -> None:
    reply = session.ask(run(**steps(0, "0", 2**28, "m.cnt")))
    assert "the result is longer than" in reply["error"]["context"]
