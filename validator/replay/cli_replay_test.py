# SPDX-License-Identifier: Apache-2.0
"""`pmproof replay` as a user meets it: values, formats, refusals, exit statuses. On the base archive of ARC-1000."""

import csv
import io
import json
from pathlib import Path

import pytest

from validator.testing.run import pmproof

BASE = Path("golden/archive/base-v3")


def rows(*arguments: str) -> list[dict[str, str]]:
    done = pmproof("replay", BASE, "--format", "csv", *arguments)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def values(*arguments: str) -> list[str]:
    return [row["value"] for row in rows(*arguments)]


def test_a_counter_between_two_records() -> None:  # INT-601
    assert values("--metric", "m.cnt", "--interval", "2500ms") == ["1000", "1025", "1050"]


def test_backward_from_the_end() -> None:
    done = rows("--metric", "m.cnt", "--backward", "--interval", "2s")
    assert [row["time"] for row in done] == [f"170000000{second}.000000000" for second in (5, 3, 1)]
    assert [row["value"] for row in done] == ["1050", "1030", "1010"]


def test_times_in_any_order() -> None:
    arguments = ("--metric", "m.cnt", "--at", "+4s,@1700000001.5", "--at", "2023-11-14T22:13:20Z")
    assert values(*arguments) == ["1040", "1015", "1000"]


def test_json_lines_as_documented() -> None:
    metrics = ("--metric", "m.inst", "--metric", "m.cnt", "--instance", "c")
    done = pmproof("replay", BASE, *metrics, "--at", "+4.5s", "--format", "jsonl")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {
            "time": "1700000004.500000000",
            "metric": "m.inst",
            "status": 0,
            "values": [{"instance": 2, "name": "c", "type": "u32", "value": "18"}],
        },
        {
            "time": "1700000004.500000000",
            "metric": "m.cnt",
            "status": 0,
            "values": [{"instance": None, "type": "u32", "value": "1045"}],
        },
    ]


def test_the_reason_names_the_clause_and_both_records() -> None:
    done = pmproof("replay", BASE, "--metric", "m.cnt", "--at", "+2.5s", "--reason", "--format", "jsonl")
    (value,) = json.loads(done.stdout)["values"]
    assert value["clause"] == "INT-601"
    assert (value["prior"], value["next"]) == (
        {"kind": "value", "time": "1700000002.000000000", "record": 2, "value": "1020"},
        {"kind": "value", "time": "1700000003.000000000", "record": 3, "value": "1030"},
    )


def test_strings_and_other_bytes() -> None:
    assert values("--metric", "m.str", "--metric", "m.agg", "--at", "+1.2s") == ["hello1", "base64:AQIDBAU="]


def test_what_is_unknown_is_said_and_the_others_are_answered() -> None:
    done = pmproof("replay", BASE, "--metric", "m.cnt", "--metric", "nope", "--at", "+1s", "--format", "jsonl")
    assert done.returncode == 1
    known, unknown = (json.loads(line) for line in done.stdout.splitlines())
    assert known["values"][0]["value"] == "1010"
    assert (unknown["status"], unknown["error"], unknown["values"]) == (-12357, "PM_ERR_NAME", [])


@pytest.mark.parametrize("version", ["6.0.3", "6.3.8", "7.2.2"])
def test_what_a_version_of_pcp_answers(version: str) -> None:
    assert values("--metric", "m.cnt", "--emulate", version, "--interval", "2s") == ["1000", "1020", "1040"]


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


@pytest.fixture(name="deviating")
def _deviating(tmp_path: Path) -> Path:
    (tmp_path / "description.json").write_text(json.dumps(DEVIATING))
    assert pmproof("generate", "--description", tmp_path / "description.json", tmp_path / "a").returncode == 0
    return tmp_path / "a"


def test_reasons_name_by_what_pcp_deviates(deviating: Path) -> None:  # DEV-03
    arguments = ("--metric", "m.d", "--start", "+5s", "--interval", "20s", "--reason")
    done = pmproof("replay", deviating, *arguments, "--emulate", "7.2.2")
    assert [line.partition("  m.d  ")[2] for line in done.stdout.splitlines()] == [
        "1    [INT-1406]",
        "2    [INT-1406]    [deviates by DEV-03]",
        "2    [INT-1406]    [deviates by DEV-03]",
    ]
    assert "deviates" not in pmproof("replay", deviating, *arguments, "--emulate", "6.0.3").stdout


def test_reasons_name_what_pcp_leaves_out(deviating: Path) -> None:  # DEV-27
    arguments = ["--metric", "m.i", "--start", "+10s", "--finish", "+20s", "--interval", "10s", "--backward", "--reason"]
    emulated: list[str | Path] = [deviating, *arguments, "--emulate", "6.3.8"]
    last = pmproof("replay", *emulated).stdout.splitlines()[-1]
    assert last.endswith('m.i  [0 "a"]  no value    [deviates by DEV-27]')
    last = pmproof("replay", *emulated, "--format", "jsonl").stdout.splitlines()[-1]
    assert json.loads(last)["missing"] == [{"instance": 0, "deviations": ["DEV-27"]}]
    row = list(csv.DictReader(io.StringIO(pmproof("replay", *emulated, "--format", "csv").stdout)))[-1]
    assert (row["name"], row["value"], row["deviations"]) == ("a", "", "DEV-27")
    assert rows("--metric", "m.cnt", "--interval", "2s", "--reason", "--emulate", "6.3.8")[0]["deviations"] == ""


def test_the_profiles_differ() -> None:  # INT-503
    arguments = ("--metric", "m.i64", "--at", "+1.6s")
    assert values(*arguments) == ["-3"]
    assert values(*arguments, "--rule", "pcp-legacy") == ["-4"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--metric", "nope", "--at", "+1s"], 2, "nope: no such metric"),
        (["--metric", "m.inst", "--instance", "zz", "--at", "+1s"], 2, "no such instance"),
        (["--metric", "m.cnt", "--at", "+100s"], 2, "all times are outside of the archive"),
        (["--metric", "m.cnt", "--at", "yesterday"], 2, "--at: no time: yesterday"),
        (["--metric", "m.cnt", "--interval", "0"], 2, "--interval: no duration above 0"),
        (["--metric", "m.cnt", "--start", "+10s"], 2, "--start is after"),
        (["--metric", "m.cnt", "--rule", "mine"], 2, "profiles: pcp-legacy, pcp-6.3.2, documented"),
        (["--metric", "m.cnt", "--rule", "documented", "--emulate", "6.0.3"], 2, "excludes"),
        (["--metric", "m.cnt", "--at", "+1s", "--start", "+1s"], 2, "excludes"),
        (["--metric", "m.cnt", "--raw", "--assume-sound"], 2, "excludes"),
        (["--metric", "m.cnt", "--emulate", "7.2.2", "--assume-sound"], 2, "excludes"),
        ([], 2, "--metric is required"),
    ],
)
def test_refusals(arguments: list[str], status: int, said: str) -> None:
    done = pmproof("replay", BASE, *arguments)
    assert done.returncode == status
    assert said in done.stderr


def write_overlapping(folder: Path) -> str:
    """The base archive twice, the second time with a label that starts 2 seconds after the first."""
    for path in BASE.iterdir():
        content = bytearray(path.read_bytes())
        (folder / path.name.replace("base", "a")).write_bytes(content)
        content[15] += 2  # the low byte of the seconds of the label's start
        (folder / path.name.replace("base", "b")).write_bytes(content)
    return f"{folder / 'a'},{folder / 'b'}"


def test_a_list_that_overlaps_is_told(tmp_path: Path) -> None:  # ARC-555
    both = write_overlapping(tmp_path)
    done = pmproof("replay", both, "--metric", "m.cnt", "--interval", "1s", "--finish", "+6s")
    assert done.stderr == f"pmproof: {tmp_path}/b: starts before {tmp_path}/a ends: as in PCP, no interpolation goes on from one to the other [ARC-555]\n"


def test_an_overlap_is_a_row_after_the_records_of_the_first_archive(tmp_path: Path) -> None:  # INT-907
    done = pmproof("replay", write_overlapping(tmp_path), "--metric", "m.cnt", "--raw")
    assert (done.returncode, done.stderr) == (1, "")
    *records, overlap = done.stdout.splitlines()
    assert [record.split()[-1] for record in records] == ["1000", "1010", "1020", "1030", "1040", "1050"]
    assert "PM_ERR_LOGOVERLAP" in overlap and "[ARC-555]" in overlap


def damaged(folder: Path, at: int, octet: int) -> Path:
    """The base archive with another octet in its volume."""
    for path in BASE.iterdir():
        content = bytearray(path.read_bytes())
        if path.suffix == ".0":
            content[at] = octet
        (folder / path.name).write_bytes(content)
    return folder / "base"


def test_a_damaged_record_is_a_row_among_the_others(tmp_path: Path) -> None:  # INT-1007
    volume = (BASE / "base.0").read_bytes()
    offset = 808
    for _ in range(2):
        offset += int.from_bytes(volume[offset : offset + 4], "big")
    base = damaged(tmp_path, offset + 16, 0xFF)
    done = pmproof("replay", base, "--metric", "m.cnt", "--raw", "--format", "jsonl")
    assert (done.returncode, done.stderr) == (1, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["values"][0]["value"] if line["status"] == 0 else line["error"] for line in lines] == [
        "1000", "1010", "PM_ERR_LOGREC", "1030", "1040", "1050",
    ]
    assert lines[2]["time"] == lines[1]["time"]
    assert f"base.0: offset {offset + 16}: " in lines[2]["message"]
    text = pmproof("replay", base, "--metric", "m.cnt", "--raw").stdout.splitlines()
    assert "PM_ERR_LOGREC: base.0: offset" in text[2]
    table = pmproof("replay", base, "--metric", "m.cnt", "--raw", "--format", "csv").stdout.splitlines()
    assert table[3].endswith(",PM_ERR_LOGREC")


def test_a_cut_archive_is_read_to_its_last_whole_record(tmp_path: Path) -> None:  # INT-1007
    for path in BASE.iterdir():
        content = path.read_bytes()
        (tmp_path / path.name).write_bytes(content[:-10] if path.suffix == ".0" else content)
    done = pmproof("replay", tmp_path / "base", "--metric", "m.cnt", "--raw", "--format", "csv")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 6
    assert "base.0: offset 2628: the last record is not complete" in done.stderr


def test_lists_are_not_emulated(tmp_path: Path) -> None:  # INT-1408
    done = pmproof("replay", write_overlapping(tmp_path), "--metric", "m.cnt", "--at", "+1s", "--emulate", "7.2.2")
    assert done.returncode == 2
    assert "emulate each archive by itself" in done.stderr and "INT-1408" in done.stderr


def test_no_archive() -> None:
    done = pmproof("replay", "nothing", "--metric", "m.cnt")
    assert done.returncode == 4
    assert "nothing" in done.stderr


def test_a_damaged_record_is_named_and_the_rest_answered(tmp_path: Path) -> None:  # INT-903
    for path in BASE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    volume = tmp_path / "base.0"
    content = bytearray(volume.read_bytes())
    record = 808 + 2 * ((len(content) - 808) // 6)  # the third of six of equal size
    content[record + 16] = 0xFF  # the number of value sets
    volume.write_bytes(content)
    done = pmproof("replay", tmp_path / "base", "--metric", "m.cnt", "--at", "+0.5s,+2.5s,+4.5s", "--format", "jsonl")
    assert done.returncode == 1
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["status"] for answer in answers] == [0, -12373, 0]
    assert f"base.0: offset {record + 16}" in answers[1]["message"]


def test_a_sound_archive_answers_the_same_where_it_is_known_to_be_sound() -> None:  # INT-311
    for times in (["--at", "+0.5s,+4.5s,+9s,@1"], ["--at", "+4.5s", "--reason"], ["--interval", "700ms"], ["--interval", "1s", "--backward"]):
        asked = ["--metric", "m.cnt", "--metric", "m.inst", "--metric", "m.str", *times]
        plain, believed = pmproof("replay", BASE, *asked), pmproof("replay", BASE, *asked, "--assume-sound")
        assert plain.returncode == 0
        assert (believed.returncode, believed.stdout, believed.stderr) == (plain.returncode, plain.stdout, plain.stderr)


def test_damage_ends_a_replay_of_what_was_taken_to_be_sound(tmp_path: Path) -> None:  # INT-311
    volume = (BASE / "base.0").read_bytes()
    record = 808 + 2 * ((len(volume) - 808) // 6)  # the third of six of equal size
    base = damaged(tmp_path, record + 16, 0xFF)  # the number of value sets
    done = pmproof("replay", base, "--metric", "m.cnt", "--at", "+2.5s", "--assume-sound")
    assert (done.returncode, done.stdout) == (4, "")
    assert f"base.0: offset {record + 16}: the archive was taken to be sound, but " in done.stderr


def test_the_nearest_metric_is_named() -> None:
    done = pmproof("replay", BASE, "--metric", "m.ctn")
    assert done.returncode == 2
    assert "--metric: there is no m.ctn; nearest: m.cnt" in done.stderr
    refused = pmproof("replay", BASE, "--metric", "m.cnt", "--rule", "pcp-6.3.3")
    assert refused.returncode == 2 and "nearest: pcp-6.3.2" in refused.stderr


@pytest.fixture(name="far")
def fixture_far(tmp_path: Path) -> Path:
    """The time of the last record is 2^62 seconds."""
    for path in BASE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    volume = tmp_path / "base.0"
    content = bytearray(volume.read_bytes())
    last = len(content) - (len(content) - 808) // 6
    content[last + 4 : last + 12] = bytes(4) + (1 << 30).to_bytes(4, "big")
    volume.write_bytes(content)
    return tmp_path / "base"


def test_one_damaged_time_does_not_make_a_run_without_end(far: Path) -> None:
    done = pmproof("replay", far, "--metric", "m.cnt")
    assert (done.returncode, done.stdout) == (2, "")
    count = (1 << 62) - 1_700_000_000 + 1
    assert f"{count} times from 2023-11-14T22:13:20.000000000Z to " in done.stderr
    assert "more than 10000000: give --finish, a longer --interval, or a larger --limit" in done.stderr
    done = pmproof("replay", far, "--metric", "m.cnt", "--finish", "+2s", "--format", "csv")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 4


def test_the_limit_is_a_number_of_times() -> None:
    assert values("--metric", "m.cnt", "--interval", "1s", "--limit", "6") == [str(1000 + 10 * i) for i in range(6)]
    done = pmproof("replay", BASE, "--metric", "m.cnt", "--interval", "1s", "--limit", "5")
    assert (done.returncode, done.stdout) == (2, "")
    assert "6 times from 2023-11-14T22:13:20.000000000Z to 2023-11-14T22:13:25.000000000Z, more than 5" in done.stderr


def test_records_as_they_are_have_no_limit() -> None:
    assert pmproof("replay", BASE, "--metric", "m.cnt", "--raw", "--limit", "1").returncode == 0


def test_progress_says_how_far_it_is() -> None:
    done = pmproof("replay", BASE, "--metric", "m.cnt", "--interval", "1ms", "--progress", "always")
    assert "0/1 archive, " in done.stderr
    assert len(done.stdout.splitlines()) == 5001
