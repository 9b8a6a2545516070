# SPDX-License-Identifier: Apache-2.0
"""replay() gives answers as they come, and leaves no process behind."""

import csv
import datetime
import gc
import itertools
import math
from pathlib import Path

import pytest

import pmproof
from pmproof.answers import answer_of
from pmproof.decode import NotDecodable
from qa.python.testing import generate, program, run

START = 1_700_000_000


@pytest.fixture(name="archive", scope="module")
def fixture_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("replay") / "demo")


def values(archive: Path, **options: object) -> list[tuple[pmproof.Time, dict[object, object]]]:
    answers = pmproof.replay(archive, metrics=["plain.reads"], **options)  # type: ignore[arg-type]
    return [(answer.time, {value.name: value.value for value in answer.values}) for answer in answers]


def test_values_between_two_records(archive: Path) -> None:
    assert values(archive, at=["+1.5s", "+3s"]) == [
        (pmproof.Time(START + 1, 500_000_000), {"dev0": 1059, "dev1": 804}),
        (pmproof.Time(START + 3, 0), {"dev0": 1494, "dev1": 1742}),
    ]


def test_times_are_named_in_several_ways(archive: Path) -> None:
    when = pmproof.Time(START + 1, 500_000_000)
    expected = values(archive, at=["+1.5s"])
    assert values(archive, at=[when]) == values(archive, at=[when.datetime()]) == expected
    assert values(archive, start=when, finish=when.datetime()) == expected
    half = values(archive, interval=datetime.timedelta(milliseconds=500))
    assert half == values(archive, interval="500ms") and len(half) > 20
    assert values(archive, interval="500ms", backward=True) != half


def test_a_reason_names_clause_and_records(archive: Path) -> None:
    (answer,) = pmproof.replay(archive, metrics=["plain.reads"], at=["+1.5s"], instances=["dev0"], reason=True)
    (value,) = answer.values
    assert (value.instance, value.type, value.value, value.clause) == (0, "u32", 1059, "INT-601")
    assert value.prior == pmproof.Bound("value", pmproof.Time(START + 1, 0), 2, "781")
    assert value.next == pmproof.Bound("value", pmproof.Time(START + 2, 0), 3, "1337")


def test_derived_metrics(archive: Path) -> None:
    definition = "rate(plain.reads)"
    for derive in ({"d.rate": definition}, [f"d.rate = {definition}"]):
        answers = list(pmproof.replay(archive, derive=derive, at=["+1s", "+1.5s"], reason=True))
        assert [answer.metric for answer in answers] == ["d.rate", "d.rate"]
        first = answers[1].values[0]
        assert isinstance(first.value, float) and first.operands == ("plain.reads",)


def test_an_emulated_version_says_its_deviations() -> None:
    line = (
        b'{"time": "1.000000000", "metric": "a", "status": 0, "values": [{"instance": 0, "name": "x", "type": "32", '
        b'"value": "1", "deviations": ["DEV-07"]}], "missing": [{"instance": 2, "deviations": ["DEV-17"]}], "deviations": ["DEV-01"]}'
    )
    answer = answer_of(line)
    assert answer.deviations == ("DEV-01",) and answer.values[0].deviations == ("DEV-07",)
    assert answer.missing == (pmproof.Missing(2, ("DEV-17",)),)


def test_emulation_and_rule_are_handed_on(archive: Path) -> None:
    assert values(archive, emulate="6.0.3", at=["+3s"]) and values(archive, rule="pcp-legacy", at=["+3s"])
    with pytest.raises(pmproof.UsageError, match="--rule"):
        values(archive, rule="none.such")


def test_what_is_taken_to_be_sound_is_handed_on(archive: Path) -> None:  # INT-311
    assert values(archive, assume_sound=True, at=["+3s"]) == values(archive, at=["+3s"])
    with pytest.raises(pmproof.UsageError, match="excludes"):
        values(archive, assume_sound=True, raw=True)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("u64", "18446744073709551615", 2**64 - 1),
        ("32", "-2147483648", -(2**31)),
        ("double", "0.1", 0.1),
        ("float", "inf", math.inf),
        ("string", "a\\u0001b", "a\x01b"),
        ("string", "base64:/w==", b"\xff"),
        ("aggregate", "base64:", b""),
        ("event", "base64:AAAA", b"\0\0\0"),
    ],
)
def test_values_have_the_type_that_holds_them(kind: str, text: str, value: object) -> None:
    line = f'{{"time": "1.000000000", "metric": "a", "status": 0, "values": [{{"instance": null, "type": "{kind}", "value": "{text}"}}]}}'
    (found,) = answer_of(line.encode()).values
    assert found.value == value and type(found.value) is type(value)
    assert found.instance is None and found.name is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"7",
        b'{"time": "1.000000000"}',
        b'{"time": 1, "metric": "a", "status": 0, "values": []}',
        b'{"time": "1.000000000", "metric": "a", "status": 0, "values": 7}',
        b'{"time": "1.000000000", "metric": "a", "status": 0, "values": [{"instance": 0, "type": "32", "value": "x"}]}',
        b'{"time": "1.000000000", "metric": "a", "status": 0, "values": [{"instance": 0, "type": "string", "value": "base64:!"}]}',
    ],
)
def test_a_line_that_is_none(line: bytes) -> None:
    with pytest.raises(NotDecodable):
        answer_of(line)


def test_a_metric_without_an_answer_is_an_error(archive: Path) -> None:
    with pytest.raises(pmproof.MetricError, match="no.such at 1700000000.000000000: the archive has no metric of this name") as raised:
        list(pmproof.replay(archive, metrics=["plain.reads", "no.such"]))
    assert raised.value.answer.error == "PM_ERR_NAME" and raised.value.answer.status < 0


def test_or_an_answer_if_that_is_wanted(archive: Path) -> None:
    answers = list(pmproof.replay(archive, metrics=["plain.reads", "no.such"], at=["+1s", "+99999s"], unanswered="keep"))
    assert [(answer.metric, answer.error) for answer in answers] == [
        ("plain.reads", None),
        ("no.such", "PM_ERR_NAME"),
        ("plain.reads", "PM_ERR_EOL"),
        ("no.such", "PM_ERR_EOL"),
    ]


def test_no_metric_is_known(archive: Path) -> None:
    with pytest.raises(pmproof.UsageError, match="no.such: no such metric"):
        list(pmproof.replay(archive, metrics=["no.such"]))
    with pytest.raises(pmproof.UsageError, match="--metric is required"):
        list(pmproof.replay(archive))
    with pytest.raises(TypeError, match="metrics is a list"):
        pmproof.replay(archive, metrics="plain.reads")


def test_errors_come_while_it_is_read(archive: Path, tmp_path: Path) -> None:
    answers = pmproof.replay(tmp_path / "nowhere", metrics=["a.b"])
    with pytest.raises(pmproof.InputError, match="nowhere: no such archive"):
        next(answers)
    assert list(answers) == []
    with pytest.raises(pmproof.LimitExceeded):
        list(pmproof.replay(archive, metrics=["plain.reads"], memory="1k"))


def test_a_path_is_no_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    generate(Path("-x"))
    assert len(values(Path("-x"), at=["+1.5s"])) == 1


def endless(folder: Path) -> Path:
    """Writes its process down, and answers for ever."""
    line = '{"time": "1.000000000", "metric": "a.b", "status": 0, "values": []}'
    return program(folder, f"echo $$ > '{folder}/pid'\nwhile :; do echo '{line}'; done")


def is_running(folder: Path) -> bool:
    return Path("/proc", (folder / "pid").read_text(encoding="utf-8").strip()).exists()


def test_answers_come_while_the_program_runs_and_it_is_ended_when_left(tmp_path: Path) -> None:
    with pmproof.replay(tmp_path, metrics=["a.b"], program=endless(tmp_path)) as answers:
        assert len(list(itertools.islice(answers, 1000))) == 1000
        assert is_running(tmp_path)
    assert not is_running(tmp_path)
    assert list(answers) == []
    answers.close()


def test_a_replay_that_is_forgotten_is_ended(tmp_path: Path) -> None:
    for answer in pmproof.replay(tmp_path, metrics=["a.b"], program=endless(tmp_path)):
        assert answer.metric == "a.b" and is_running(tmp_path)
        break
    gc.collect()
    assert not is_running(tmp_path)


def test_an_error_in_the_loop_ends_it(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        with pmproof.replay(tmp_path, metrics=["a.b"], program=endless(tmp_path)) as answers:
            for _ in answers:
                raise ZeroDivisionError
    assert not is_running(tmp_path)


def test_a_time_limit_ends_it_although_answers_come(tmp_path: Path) -> None:
    with pytest.raises(pmproof.TimedOut):
        for _ in pmproof.replay(tmp_path, metrics=["a.b"], program=endless(tmp_path), timeout=1):
            pass
    assert not is_running(tmp_path)


def test_answers_before_a_crash_are_kept(tmp_path: Path) -> None:
    line = '{"time": "1.000000000", "metric": "a.b", "status": 0, "values": []}'
    posing = program(tmp_path, f"echo '{line}'; printf '%s' '{line[:20]}'; kill -SEGV $$")
    answers = pmproof.replay(tmp_path, metrics=["a.b"], program=posing)
    assert next(answers).metric == "a.b"
    with pytest.raises(pmproof.ProgramError, match="SIGSEGV"):
        next(answers)


def test_the_program_prints_the_same(archive: Path) -> None:
    table = run("replay", archive, "--metric", "plain.reads", "--format", "csv", "--interval", "250ms")
    printed = [row["value"] for row in csv.DictReader(table.splitlines()) if row["value"]]
    answers = pmproof.replay(archive, metrics=["plain.reads"], interval="250ms")
    assert [str(value.value) for answer in answers for value in answer.values] == printed != []
