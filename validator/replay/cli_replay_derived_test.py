# SPDX-License-Identifier: Apache-2.0
"""Derived metrics in `pmproof replay`, as a user meets them. On the base archive of ARC-1000."""

import csv
import io
import json
from pathlib import Path

import pytest

from validator.testing.run import pmproof

BASE = Path("golden/archive/base-v3")


def answers(*arguments: str | Path) -> list[dict[str, object]]:
    done = pmproof("replay", BASE, "--format", "jsonl", *arguments)
    return [json.loads(line) for line in done.stdout.splitlines()]


def values(*arguments: str | Path) -> list[str]:
    done = pmproof("replay", BASE, "--format", "csv", *arguments)
    assert done.stderr == ""
    return [row["value"] for row in csv.DictReader(io.StringIO(done.stdout))]


def test_a_derived_metric_is_shown_where_no_metric_is_named() -> None:  # DER-1101
    assert values("--derive", "d.x = m.cnt * 2", "--at", "+2.5s") == ["2050"]


def test_the_language_may_be_the_seeds() -> None:  # DER-1501, 1503, 1506
    definition = ("--derive", "d.x = delta (m.cnt)", "--interval", "2s")
    assert values("--dialect", "seed", *definition) == ["", "20", "20"]
    done = pmproof("replay", BASE, "--dialect", "7.2.2", *definition)
    assert done.returncode == 2
    assert "Unexpected '('" in done.stderr


def test_a_dialect_goes_with_an_emulation() -> None:
    arguments = ("--emulate", "7.2.2", "--derive", "d.x = delta(m.cnt * 2)", "--interval", "2s")
    assert values(*arguments) == ["", "40", "40"]
    done = pmproof("replay", BASE, "--dialect", "6.0.3", *arguments)
    assert done.returncode == 2
    assert "Metric name expected to follow delta(" in done.stderr


def test_operands_are_interpolated_and_not_the_result() -> None:  # DER-1101
    arguments = ("--derive", "d.x = instant(m.cnt) * instant(m.cnt)", "--at", "+0.5s")
    assert values(*arguments) == [str(1005 * 1005)]


def test_names_may_be_mixed_and_repeated() -> None:
    arguments = ("--derive", "d.x = m.cnt * 2", "--derive", "d.y = m.cnt * 3", "--at", "+1s")
    metrics = ("--metric", "d.y", "--metric", "m.cnt", "--metric", "d.x", "--metric", "d.y")
    assert values(*metrics, *arguments) == ["3030", "1010", "2020", "3030"]


def test_json_lines_have_the_type_and_the_instances() -> None:  # DER-803, 1133
    arguments = ("--derive", "d.x = matchinst(/c/, m.inst) / 2", "--at", "+4s")
    (answer,) = answers(*arguments)
    assert answer == {
        "time": "1700000004.000000000",
        "metric": "d.x",
        "status": 0,
        "values": [{"instance": 2, "name": "c", "type": "double", "value": "9"}],
    }


def test_delta_goes_on_from_fetch_to_fetch() -> None:  # DER-1131, 1132
    assert values("--derive", "d.x = delta(m.cnt)", "--interval", "2s") == ["", "20", "20"]
    assert values("--derive", "d.x = rate(m.cnt)", "--interval", "2s") == ["", "10", "10"]


def test_backward_a_rate_of_a_counter_has_no_value() -> None:  # DER-1138, 1136
    arguments = ("--interval", "2s", "--backward")
    assert values("--derive", "d.x = delta(m.cnt)", *arguments) == ["", "-20", "-20"]
    assert values("--derive", "d.x = rate(m.cnt)", *arguments) == ["", "", ""]


def test_times_in_any_order() -> None:
    assert values("--derive", "d.x = delta(m.cnt)", "--at", "+1s,+4s,+2s") == ["", "30", "-20"]


def test_instances_apply_to_operands() -> None:  # DER-1108
    assert values("--derive", "d.x = m.inst * 2", "--at", "+4s") == ["8", "36"]
    assert values("--derive", "d.x = m.inst * 2", "--at", "+4s", "--instance", "c") == ["36"]


def test_the_reason_names_the_clause_and_the_operands() -> None:  # DER-1147
    arguments = ("--derive", "d.x = m.cnt / m.i64", "--at", "+2s", "--reason")
    done = pmproof("replay", BASE, *arguments, "--format", "jsonl")
    (value,) = json.loads(done.stdout)["values"]
    assert (value["clause"], value["operands"]) == ("DER-1147", ["m.cnt", "m.i64"])
    text = pmproof("replay", BASE, *arguments).stdout
    assert text.endswith("    [DER-1147: from m.cnt, m.i64]\n")
    done = pmproof("replay", BASE, *arguments, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert (row["clause"], row["operands"], row["prior_time"]) == ("DER-1147", "m.cnt m.i64", "")


@pytest.mark.parametrize("version", ["6.0.3", "6.3.8", "7.2.2"])
def test_what_a_version_of_pcp_answers(version: str) -> None:
    arguments = ("--emulate", version, "--interval", "2s")
    assert values("--derive", "d.x = delta(m.cnt)", *arguments) == ["", "20", "20"]
    assert values("--derive", "d.x = 6 * 7", "--emulate", version, "--at", "+1s") == ["42"]


def test_the_language_is_that_of_the_version() -> None:  # DER-104
    arguments = ("--derive", "d.x = delta(m.cnt * 2)", "--at", "+1s")
    assert pmproof("replay", BASE, *arguments, "--emulate", "6.3.8").returncode == 0
    done = pmproof("replay", BASE, *arguments, "--emulate", "6.0.3")
    assert done.returncode == 2
    assert "d.x: syntax error" in done.stderr


DEVIATING = {
    "schema": "pmproof-archive/1",
    "metrics": {
        "m.i": {"pmid": "60.0.1", "type": "u32", "semantics": "instant", "indom": "60.1"},
        "m.d": {"pmid": "60.0.2", "type": "u32", "semantics": "discrete"},
    },
    "indoms": [{"indom": "60.1", "time": 0, "instances": {"0": "a", "1": "b"}}],
    "records": [
        {"time": 0, "values": {"m.d": 1}},
        {"time": 10, "values": {"m.d": 2, "m.i": {"0": 5}}},
        {"time": 10, "values": {"m.i": {"1": 6}}},
        {"time": 20, "values": {"m.d": 3, "m.i": {"1": 7}}},
        {"time": 60, "values": {"m.i": None}},
    ],
}


def test_values_deviate_by_what_their_operands_deviate_by(tmp_path: Path) -> None:  # DEV-03
    (tmp_path / "description.json").write_text(json.dumps(DEVIATING))
    assert pmproof("generate", "--description", tmp_path / "description.json", tmp_path / "a").returncode == 0
    arguments = ("--start", "+5s", "--interval", "20s", "--reason", "--emulate", "7.2.2")
    done = pmproof("replay", tmp_path / "a", "--derive", "d.x = m.d * 10", *arguments)
    assert [line.partition("  d.x  ")[2] for line in done.stdout.splitlines()] == [
        "10    [DER-1146: from m.d]",
        "20    [DER-1146: from m.d]    [deviates by DEV-03]",
        "20    [DER-1146: from m.d]    [deviates by DEV-03]",
    ]


EQUIVALENT = {
    "schema": "pmproof-archive/1",
    "metrics": {
        "a.x": {"pmid": "60.0.1", "type": "u32", "semantics": "instant", "indom": "3.9"},
        "a.y": {"pmid": "60.0.2", "type": "u32", "semantics": "instant", "indom": "3.39"},
    },
    "indoms": [
        {"indom": "3.9", "time": 0, "instances": {"0": "a", "1": "b", "2": "c"}},
        {"indom": "3.39", "time": 0, "instances": {"1": "b1", "2": "c1", "3": "d"}},
    ],
    "records": [
        {"time": 0, "values": {"a.x": {"0": 1, "1": 2, "2": 3}, "a.y": {"1": 10, "2": 20, "3": 30}}},
        {"time": 10, "values": {"a.x": {"0": 1}}},
    ],
}


def test_equivalent_domains_meet_in_their_common_instances(tmp_path: Path) -> None:  # DER-832, 1143
    (tmp_path / "description.json").write_text(json.dumps(EQUIVALENT))
    assert pmproof("generate", "--description", tmp_path / "description.json", tmp_path / "a").returncode == 0
    arguments = ("--derive", "d.x = a.x + a.y", "--at", "+0s")
    done = pmproof("replay", tmp_path / "a", *arguments, "--format", "jsonl")
    common = [(value["name"], value["value"]) for value in json.loads(done.stdout)["values"]]
    assert common == [("b", "12"), ("c", "23")]
    refused = pmproof("replay", tmp_path / "a", *arguments, "--emulate", "6.0.3")
    assert (refused.returncode, "same instance domain" in refused.stderr) == (2, True)


def test_without_interpolation_records_are_answered() -> None:  # DER-1106
    done = pmproof("replay", BASE, "--derive", "d.x = delta(m.cnt)", "--raw", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["time"], row["value"]) for row in rows] == [
        (f"170000000{second}.000000000", "10" if second else "") for second in range(6)
    ]
    part = ("--raw", "--metric", "m.cnt", "--start", "+1.5s", "--finish", "+3s")
    assert values(*part) == ["1020", "1030"]


def test_a_definition_that_is_typed_wrongly_ends_the_command() -> None:  # DER-631, 824
    done = pmproof("replay", BASE, "--derive", "d.x = m.cnt m.cnt", "--at", "+1s")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "pmproof: --derive: d.x: syntax error\n"
        "m.cnt m.cnt\n"
        "      ^\n"
        "Arithmetic or relational or boolean operator expected to follow NAME [DER-631]\n"
    )
    done = pmproof("replay", BASE, "--derive", "d.x = m.cnt > m.str", "--metric", "m.cnt", "--at", "+1s")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Non-arithmetic type for right operand [DER-824]" in done.stderr


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ("d.x", "missing '=' after derived metric name [DER-321]"),
        ("1x = 2", "illegal derived metric name [DER-323]"),
        ("d.x = no.such", "Unknown operand metric [DER-701]"),
        ("m.cnt = 1", "hides it [DER-204]"),
    ],
)
def test_what_is_no_definition(definition: str, said: str) -> None:
    done = pmproof("replay", BASE, "--derive", definition, "--at", "+1s")
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize("option", ["--at=+1s", "--backward", "--interval=1s", "--emulate=6.0.3", "--rule=pcp-legacy"])
def test_raw_reading_takes_no_times_and_no_rule(option: str) -> None:
    done = pmproof("replay", BASE, "--metric", "m.cnt", "--raw", option)
    assert done.returncode == 2
    assert "excludes" in done.stderr


def test_a_configuration_file(tmp_path: Path) -> None:  # DER-301, 305, 310
    file = tmp_path / "derived.conf"
    file.write_text("# mine\nd.x = m.cnt \\\n * 2\nno definition\nd.bad = m.cnt > m.str\nd.y = m.cnt * 3\n")
    arguments = ("--derived-config", file, "--at", "+1s")
    done = pmproof("replay", BASE, *arguments, "--metric", "d.x", "--metric", "d.y", "--format", "csv")
    assert [row["value"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["2020", "3030"]
    assert done.returncode == 0
    assert done.stderr == (
        f"pmproof: {file}:4: syntax error\nmissing ``='' after derived metric name [DER-321]\n"
    )
    (bad, _) = answers(*arguments, "--metric", "d.bad", "--metric", "d.x")
    assert (bad["status"], bad["error"], bad["values"]) == (-12358, "PM_ERR_PMID", [])
    assert "Non-arithmetic type for right operand [DER-824]" in str(bad["message"])
    alone = pmproof("replay", BASE, *arguments, "--metric", "d.bad")
    assert (alone.returncode, "d.bad: its definition does not bind" in alone.stderr) == (2, True)


def test_controls_of_a_configuration_file(tmp_path: Path) -> None:  # DER-403, 406
    (tmp_path / "a.conf").write_text("#control option_novalue=1\nd.x = count(no.such)\n")
    (tmp_path / "b.conf").write_text("#control novalue=1\n")
    done = pmproof("replay", BASE, "--derived-config", tmp_path, "--metric", "d.x", "--at", "+1s", "--format", "csv")
    assert [row["value"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["0"]
    assert done.stderr == (
        f"pmproof: {tmp_path}/b.conf:1: warning: unknown derived metric control (novalue) [DER-403]\n"
    )


def test_a_missing_configuration_file() -> None:  # DER-302
    done = pmproof("replay", BASE, "--derived-config", "/no/such", "--metric", "m.cnt")
    assert done.returncode == 4
    assert "/no/such" in done.stderr


def test_a_base_metric_hides_a_definition_of_a_file(tmp_path: Path) -> None:  # DER-204, 1203
    (tmp_path / "a.conf").write_text("m.cnt = 1\n")
    assert values("--derived-config", tmp_path / "a.conf", "--metric", "m.cnt", "--at", "+1s") == ["1010"]
