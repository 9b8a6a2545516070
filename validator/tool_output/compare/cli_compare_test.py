# SPDX-License-Identifier: Apache-2.0
"""`pmproof compare` as a user meets it: what three versions of PCP printed of two archives, against the reference.

The archives are made of their descriptions; the tools' output was recorded by qa/beside_pcp/tool_output/record.
"""

import functools
import json
import math
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof

TESTDATA = Path("validator/tool_output/testdata")
RUNS: dict[str, Any] = json.loads((TESTDATA / "runs.json").read_text(encoding="utf-8"))
VERSIONS = ("6.0.3", "6.3.8", "7.2.2")
OUTPUT_SCHEMA = json.loads(Path(os.environ["OUTPUT_SCHEMA"]).read_text(encoding="utf-8"))
REPORT_SCHEMA = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text(encoding="utf-8"))

Json = Mapping[str, Any]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("archives")
    made_of = {name: ["--description", str(TESTDATA / f"archive-{name}.json")] for name in ("v2", "v3", "stat")}
    made_of["events"] = (TESTDATA / "archive-events.txt").read_text(encoding="utf-8").split()
    for name, words in made_of.items():
        made = pmproof("generate", *words, folder / f"tools-{name}")
        assert made.returncode == 0, made.stderr
    return folder


def recording(version: str, name: str) -> Path:
    return TESTDATA / version / f"{name}.txt"


def replayed(archives: Path, run: Json, version: str) -> Path:
    """What the reference answers, as that version of PCP interpolates; in a file."""
    words = list(run["replay"])
    if "--raw" not in words:
        words += ["--emulate", version]
    return _replayed(archives, run["archive"], tuple(words))


@functools.cache
def _replayed(archives: Path, archive: str, words: tuple[str, ...]) -> Path:
    done = pmproof("replay", "--format", "jsonl", *words, archives / f"tools-{archive}")
    assert done.stdout, done.stderr
    path = archives / f"expected-{abs(hash((archive, words)))}.jsonl"
    path.write_text(done.stdout, encoding="utf-8")
    return path


def compare(tool: str, expected: Path, actual: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
    return pmproof("compare", "--tool", tool, "--expected", expected, *more, actual)


def report_of(tool: str, expected: Path, actual: Path, *more: str | Path) -> Any:
    done = compare(tool, expected, actual, "--format", "json", *more)
    report = json.loads(done.stdout)
    jsonschema.validate(report, REPORT_SCHEMA)
    assert done.returncode == (0 if report["same"] else 1)
    return report


def parsed(tool: str, actual: Path, *more: str) -> str:
    done = pmproof("compare", "--tool", tool, "--parse", *more, actual)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def options_of(name: str) -> Sequence[str]:
    """How the output is read, without what makes rates of the expected values."""
    words = RUNS[name]["compare"]
    read = [word for i, word in enumerate(words) if word != "--counter" and (i == 0 or words[i - 1] != "--counter")]
    return (*read, "--instances") if name.startswith("pmprobe-names") else read


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_tools_print_is_what_the_reference_answers(version: str, archives: Path) -> None:
    for name, run in RUNS.items():
        if run["replay"] is None:
            continue
        done = compare(run["tool"], replayed(archives, run, version), recording(version, name), *run["compare"])
        assert (name, done.returncode) == (name, 0), done.stdout + done.stderr
        assert ": no difference; compared: " in done.stdout


# OUT-1001..1008: what versions print differently is layout. Interpolated values of 6.0.3 are its own (INT-).
@pytest.mark.parametrize("version", ["6.0.3", "6.3.8"])
def test_versions_agree_where_their_layouts_differ(version: str, archives: Path) -> None:
    for name, run in RUNS.items():
        # OUT-1302: 6.0.3 has no column of guests.
        if version == "6.0.3" and (run["tool"] in ("pmval", "pmrep") or name in ("pmevent-u32-v3", "pmstat-extended-stat")):
            continue
        golden = archives / f"{name}.golden.jsonl"
        golden.write_text(parsed(run["tool"], recording("7.2.2", name), *options_of(name)), encoding="utf-8")
        # OUT-509: 6.x counts in microseconds.
        tolerance = ("--tolerance", "1e-9") if name == "pmlogsummary-v3" else ()
        done = compare(run["tool"], golden, recording(version, name), *options_of(name), *tolerance)
        assert (name, done.returncode) == (name, 0), done.stdout + done.stderr


def test_averages_of_microseconds_need_a_tolerance(archives: Path) -> None:  # OUT-509, OUT-1004
    golden = archives / "summary.jsonl"
    golden.write_text(parsed("pmlogsummary", recording("7.2.2", "pmlogsummary-v3")), encoding="utf-8")
    report = report_of("pmlogsummary", golden, recording("6.3.8", "pmlogsummary-v3"))
    assert {(each["what"], each["field"]) for each in report["differences"]} == {
        ("field", "minimum"),
        ("field", "maximum"),
    }


def test_every_line_that_is_parsed_follows_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(OUTPUT_SCHEMA)
    kinds = set()
    for name, run in RUNS.items():
        lines = [json.loads(line) for line in parsed(run["tool"], recording("7.2.2", name), *options_of(name)).splitlines()]
        for line in lines:
            validator.validate(line)
            kinds.add(line.get("kind"))
        assert lines[0] == {"schema": "pmproof-tool-output/1", "tool": run["tool"]}
        assert lines[-1]["footer"] == {"complete": True, "records": len(lines) - 2, "unparsed": 0}
    assert kinds >= {"archive", "count", "descriptor", "file", "finding", "header", "instances", "mark", "raw"}
    assert kinds >= {"sample", "size", "summary", "text"}


def test_schemas_are_printed() -> None:
    assert json.loads(pmproof("compare", "--schema", "output").stdout) == OUTPUT_SCHEMA
    assert json.loads(pmproof("compare", "--schema", "report").stdout) == REPORT_SCHEMA


def summaries(archives: Path) -> Iterator[Json]:
    """OUT-507, OUT-508 and OUT-510 worked out from the values of the archive, whose mark is at 45.5 s."""
    counters = {"t.counter": "byte", "t.ticks": "count"}
    units = counters | {"t.float": "millisec", "t.u32": "", "t.s64": "Kbyte", "t.broken": ""}
    names = [word for name in units for word in ("--metric", name)]
    series: dict[tuple[str, str | None], list[tuple[str, float]]] = {}
    done = pmproof("replay", "--raw", "--format", "jsonl", *names, archives / "tools-v3")
    for line in map(json.loads, done.stdout.splitlines()):
        for value in line["values"]:
            series.setdefault((line["metric"], value.get("name")), []).append((line["time"], float(value["value"])))
    mark = 1700000045.5
    for (metric, instance), values in series.items():
        points = values
        total = sum(value for _, value in values)
        if metric in counters:
            points, total = [], 0.0
            for (before, old), (after, new) in zip(values, values[1:], strict=False):
                if float(before) < mark < float(after) or new < old:
                    continue
                at = after if points else before  # the first rate stands at the first record
                points.append((at, (new - old) / (float(after) - float(before))))
                total += new - old
        least = min(points, key=lambda point: point[1])
        most = max(points, key=lambda point: point[1])
        yield {
            "kind": "summary",
            "metric": metric,
            "instance" if instance is None else "name": instance,
            "sum": f"{total:.6f}",
            "within": f"{max(5e-7, abs(total) * 1e-12):.12f}",
            "minimum": f"{least[1]:.6f}",
            "minimum_time": least[0][:-6],
            "maximum": f"{most[1]:.6f}",
            "maximum_time": most[0][:-6],
            "count": str(len(points)),
            "units": units[metric],
        }


@pytest.mark.parametrize("version", VERSIONS)
def test_summaries_are_those_of_the_values(version: str, archives: Path, tmp_path: Path) -> None:
    expected = tmp_path / "expected.jsonl"
    metrics = []
    with expected.open("w", encoding="utf-8") as file:
        for record in summaries(archives):
            file.write(json.dumps(record) + "\n")
            metrics += ["--metric", record["metric"]]
    actual = recording(version, "pmlogsummary-v3")
    done = compare("pmlogsummary", expected, actual, "--start", "@1700000000", "--tolerance", "1e-9", *metrics)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(metrics) // 2} other records" in done.stdout
    assert len(metrics) // 2 == 12


@pytest.fixture
def damaged(tmp_path: Path) -> Any:
    """A recording with a text in it replaced, once."""

    def make(name: str, old: str, new: str) -> Path:
        text = recording("7.2.2", name).read_text(encoding="utf-8")
        assert text.count(old) >= 1
        path = tmp_path / "damaged.txt"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return make


def expected_of(archives: Path, name: str) -> Path:
    return replayed(archives, RUNS[name], "7.2.2")


def test_a_changed_value_is_found_at_its_place(archives: Path, damaged: Any) -> None:
    name = "pmdumplog-all-v3"
    actual = damaged(name, 'inst [7 or "b[2], "x""] value 123456789012\n', 'inst [7 or "b[2], "x""] value 123456789013\n')
    report = report_of("pmdumplog", expected_of(archives, name), actual)
    (difference,) = report["differences"]
    line = difference.pop("line")  # where the metric stands
    assert "123456789013" in "".join(actual.read_text(encoding="utf-8").splitlines()[line : line + 4])
    assert difference == {
        "what": "value",
        "metric": "t.counter",
        "instance": 'b[2], "x"',
        "time": "1700000010.000000000",
        "actual": "123456789013",
        "expected": "123456789012",
    }
    done = compare("pmdumplog", expected_of(archives, name), actual)
    assert done.stdout.startswith(
        "t.counter: 1 difference\n"
        '  [b[2], "x"] at 2023-11-14T22:13:30.000000000Z: value 123456789013, expected 123456789012 (line '
    )


def test_a_missing_instance_is_found(archives: Path, damaged: Any) -> None:
    name = "pmdumplog-all-v3"
    actual = damaged(name, '        inst [12 or "late"] value 21\n', "")
    (difference,) = report_of("pmdumplog", expected_of(archives, name), actual)["differences"]
    assert (difference["what"], difference["metric"], difference["instance"], difference["expected"]) == (
        "missing value",
        "t.counter",
        "late",
        "21",
    )


def test_a_shifted_time_is_found(archives: Path, damaged: Any) -> None:
    name = "pmval-half-v3"
    report = report_of("pmval", expected_of(archives, name), damaged(name, "22:13:35.000", "22:13:36.000"))
    assert [(each["what"], each["time"]) for each in report["differences"]] == [
        ("extra time", "1700000016.000000000"),
        ("missing time", "1700000015.000000000"),
    ]


def test_a_value_in_a_table_is_found(archives: Path, damaged: Any) -> None:
    name = "pmrep-csv-raw-v3"
    report = report_of("pmrep", expected_of(archives, name), damaged(name, '"text 3"', '"text 4"'))
    (difference,) = report["differences"]
    assert (difference["metric"], difference["instance"], difference["actual"], difference["expected"]) == (
        "t.texts",
        "one",
        '"text 4"',
        '"text 3"',
    )


def test_lines_that_fit_no_rule_are_told(archives: Path, damaged: Any) -> None:  # OUT-409
    name = "pmdumplog-all-v3"
    actual = damaged(name, "22:13:30.000000000 2023 (10.000000000) 1700000010 ", "22:13:30 ")
    done = compare("pmdumplog", expected_of(archives, name), actual)
    assert done.returncode == 1
    assert "fits no rule [OUT-" in done.stdout
    done = pmproof("compare", "--tool", "pmdumplog", "--parse", actual)
    assert done.returncode == 1
    assert '"kind": "unparsed"' in done.stdout
    assert json.loads(done.stdout.splitlines()[-1])["footer"]["unparsed"] >= 1


def test_differences_of_a_metric_are_folded(archives: Path, tmp_path: Path) -> None:
    name = "pmdumplog-all-v3"
    text = re.sub(r"value \d+$", "value 9", recording("7.2.2", name).read_text(encoding="utf-8"), flags=re.M)
    actual = tmp_path / "changed.txt"
    actual.write_text(text, encoding="utf-8")
    done = compare("pmdumplog", expected_of(archives, name), actual, "--max-findings", "3")
    assert done.returncode == 1
    assert re.search(r"^t\.u32: 9 differences\n(  .*\n){3}  \.\.\. and 6 more\n", done.stdout, re.M)
    report = report_of("pmdumplog", expected_of(archives, name), actual, "--max-findings", "3")
    assert report["left_out"] == report["difference_count"] - len(report["differences"]) > 0
    assert compare("pmdumplog", expected_of(archives, name), actual, "--quiet").stdout.count("compared") == 0


def test_tolerance_is_relative(archives: Path, damaged: Any) -> None:
    name = "pmdumplog-all-v3"
    actual = damaged(name, "value 4294967290", "value 4294967294")
    assert compare("pmdumplog", expected_of(archives, name), actual).returncode == 1
    assert compare("pmdumplog", expected_of(archives, name), actual, "--tolerance", "1e-6").returncode == 0
    assert compare("pmdumplog", expected_of(archives, name), actual, "--tolerance", "1e-10").returncode == 1


def test_what_is_not_compared_is_told(archives: Path) -> None:
    report = report_of("pmdumplog", expected_of(archives, "pmdumplog-all-v3"), recording("7.2.2", "pmdumplog-all-v3"))
    told = {each["because"]: each["count"] for each in report["not_compared"]}
    assert told['"descriptor", of which nothing is expected'] == 13
    assert report["compared"]["values"] > 150


def test_a_shown_rate_needs_its_counters_named(archives: Path) -> None:  # OUT-716
    name = "pmrep-csv-rates-v3"
    assert compare("pmrep", expected_of(archives, name), recording("7.2.2", name)).returncode == 1


def test_wrong_usage(archives: Path, tmp_path: Path) -> None:
    actual = recording("7.2.2", "pmval-u32-v3")
    expected = expected_of(archives, "pmval-u32-v3")
    empty = tmp_path / "empty"
    empty.touch()
    cases: tuple[tuple[tuple[str | Path, ...], str], ...] = (
        (("--expected", expected, actual), "--tool is required"),
        (("--tool", "pmval", actual), "--expected is required"),
        (("--tool", "pmval", "--expected", expected), "no ACTUAL given"),
        (("--tool", "pmclient", "--expected", expected, actual), "--tool"),
        (("--tool", "pmval", "--parse", "--expected", expected, actual), "excludes"),
        (("--tool", "pmval", "--expected", expected, "--tolerance", "2", actual), "--tolerance"),
        (("--tool", "pmval", "--expected", expected, "--start", "noon", actual), "no time: noon"),
        (("--tool", "pmval", "--expected", empty, actual), "nothing is expected"),
        (("--tool", "pmval", "--parse", empty), "there is nothing in it"),
        (("--tool", "pmval", "--expected", expected, "--metric", "no.such", actual), "nothing that could be compared"),
    )
    for arguments, words in cases:
        done = pmproof("compare", *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert words in done.stderr


def test_nothing_is_what_pmlogcheck_says_of_a_sound_archive(tmp_path: Path) -> None:  # OUT-826
    silent, golden = tmp_path / "silent", tmp_path / "golden.jsonl"
    silent.touch()
    golden.write_text(parsed("pmlogcheck", silent), encoding="utf-8")
    assert compare("pmlogcheck", golden, silent).returncode == 0
    done = compare("pmlogcheck", golden, recording("7.2.2", "pmlogcheck-v3"))
    assert done.returncode == 1
    assert done.stdout.startswith("t.counter: 1 difference\n  [one]: extra finding: unsigned 64-bit wrap (line 12)\n")


def test_to_say_nothing_of_what_has_no_value_is_agreement(tmp_path: Path) -> None:  # OUT-425, OUT-511
    silent, expected = tmp_path / "silent", tmp_path / "expected.jsonl"
    silent.touch()
    expected.write_text('{"time": "1700000000.000000000", "metric": "a.b", "status": 0, "values": []}\n')
    for tool in ("pmdumplog", "pmlogsummary"):
        done = compare(tool, expected, silent)
        assert (done.returncode, "1 absence of values" in done.stdout) == (0, True), done.stdout + done.stderr
    # pmval says so in words: this is no output of it.
    assert compare("pmval", expected, silent).returncode == 2


def test_times_of_another_zone_are_refused(archives: Path, damaged: Any) -> None:  # OUT-102
    name = "pmval-u32-v3"
    done = compare("pmval", expected_of(archives, name), damaged(name, '"TZ=UTC"', '"TZ=EST-11"'))
    assert done.returncode == 2
    assert "line 1: times are read as UTC" in done.stderr
    assert done.stderr.rstrip().endswith("[OUT-102]")


# What pmrep prints with -l, without -p, with -H and -f, the columns of pmlogsummary -a, and zones that outputs name.
@pytest.mark.parametrize(
    ("name", "option", "clause"),
    [
        ("pmrep-bars-v3", "--delimiter", "OUT-720"),
        ("pmrep-untimed-v3", "--interval", "OUT-721"),
        ("pmrep-untimed-listed-v3", "--interval", "OUT-721"),
        ("pmrep-headless-v3", "--columns", "OUT-722"),
        ("pmrep-csv-headless-v3", "--time-format", "OUT-732"),
        ("pmrep-iso-v3", "--time-format", "OUT-721"),
        ("pmrep-epoch-v3", "--time-format", "OUT-721"),
        ("pmrep-berlin-v3", "--zone", "OUT-102"),
        ("pmlogsummary-a-v3", "--columns", "OUT-502"),
        ("pmval-est-v3", "--zone EST+5", "OUT-102"),
        ("pmdumplog-kolkata-v3", "--zone Asia/Kolkata", "OUT-102"),
    ],
)
def test_what_is_not_read_is_refused_with_the_option_that_helps(name: str, option: str, clause: str) -> None:
    actual = recording("7.2.2", name)
    done = pmproof("compare", "--tool", RUNS[name]["tool"], "--parse", actual)
    if clause == "OUT-732":  # a row of CSV without names and with times of its own may be anything
        assert done.returncode == 1
        return
    assert done.returncode == 2, done.stdout
    assert re.search(rf"{re.escape(str(actual))}: line \d+: .*{re.escape(option)}.* \[{clause}\]$", done.stderr, re.M), done.stderr


def test_a_wrong_zone_is_refused_or_a_difference(archives: Path) -> None:  # OUT-108
    for name, words in (
        ("pmval-est-v3", "the tool ran in zone EST+5, and --zone says Europe/Berlin"),
        ("pmdumplog-kolkata-v3", "the tool ran in zone Asia/Kolkata, and --zone says Europe/Berlin"),
    ):
        done = compare(RUNS[name]["tool"], expected_of(archives, name), recording("7.2.2", name), "--zone", "Europe/Berlin")
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
    name = "pmrep-berlin-v3"
    done = compare("pmrep", expected_of(archives, name), recording("7.2.2", name), "--zone", "EST+5")
    assert done.returncode == 2
    assert "the tool ran in UTC+1 (reporting, current is UTC+0), which is not that of --zone EST+5" in done.stderr
    for zone in ("Mars/Phobos", "EST", "AAA3BBB", "../UTC"):
        done = compare("pmrep", expected_of(archives, name), recording("7.2.2", name), "--zone", zone)
        if zone == "EST":  # a name of the database, five hours after
            assert "which is not that of --zone EST" in done.stderr
        else:
            assert f"--zone {zone}: neither a zone of this machine's tz database" in done.stderr
        assert done.returncode == 2


def test_no_value_on_both_sides_is_agreement(archives: Path, tmp_path: Path) -> None:
    expected, actual = tmp_path / "expected.jsonl", tmp_path / "actual.txt"
    replay = pmproof("replay", "--format", "jsonl", "--interval", "10s", "--metric", "t.described", archives / "tools-v3")
    expected.write_text(replay.stdout, encoding="utf-8")
    rows = "".join(f"22:{13 + s // 60}:{s % 60:02}          N/A\n" for s in range(20, 110, 10))
    actual.write_text("          t.described\n                     \n" + rows.replace("          N/A", "          N/A".rjust(13)), encoding="utf-8")
    done = compare("pmrep", expected, actual)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "compared: 0 values of 1 metric, 9 absences of values, 0 other records" in done.stdout
    report = report_of("pmrep", expected, actual)
    assert report["compared"] == {"values": 0, "metrics": 1, "absences": 9, "other_records": 0}


def test_files_that_can_not_be_read(archives: Path, tmp_path: Path) -> None:
    actual = recording("7.2.2", "pmval-u32-v3")
    expected = expected_of(archives, "pmval-u32-v3")
    for one, other in ((expected, tmp_path / "none"), (tmp_path / "none", actual), (expected, tmp_path)):
        assert compare("pmval", one, other).returncode == 4
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"kind": "mark", "line": 1}\nvalues\n', encoding="utf-8")
    done = compare("pmval", wrong, actual)
    assert done.returncode == 4
    assert f"{wrong}: line 2: this is not a JSON object" in done.stderr
    assert compare("pmval", expected, actual, "--memory", "100").returncode == 6


def test_large_output_takes_linear_time(tmp_path: Path) -> None:
    """Quotes, brackets and blanks that a careless reader would go back for again and again."""
    actual = tmp_path / "large"
    for tool, text in (
        ("pminfo", '\na.b\n    value "' + '"x\n' * 200000),
        ("pmprobe", "a.b 3 " + '"x"y ' * 200000 + "\n"),
        ("pmval", "            " + "a " * 100000 + "\n22:13:20.000" + "1 " * 99999 + "\n"),
        ("pmrep", "        " + "  a" * 100000 + "\n22:13:20" + "  1" * 99999 + "\n"),
        ("pmlogsummary", 'a.b ["' + '"] ' * 200000 + "\n"),
        ("pmlogcheck", ("a: " * 200000 + "\n") + ":[" * 200000 + "\n"),
        ("pmlogsize", "f:\n" + 'INDOM: 1.1 2 instances 0 "a\n' * 100000 + "    1.1.1: " * 100000 + "\n"),
        ("pmstat", "@ Tue Nov 14 22:13:20 2023\n loadavg \n 1 min " + " us" * 100000 + "\n" + " 1" * 100000 + "\n"),
        ("pmdumplog", "\n22:13:20.000 1 metric\n    1.0.1 (a.b): " + "inst [1 or " * 100000 + "\n" + '    1.0.1 (a.b): value "\n' * 100000),
    ):
        actual.write_text(text, encoding="utf-8")
        done = pmproof("compare", "--tool", tool, "--parse", actual)
        assert done.returncode in (0, 1), (tool, done.stderr)
        assert json.loads(done.stdout.splitlines()[-1])["footer"]["complete"]


def test_not_a_number_is_one(archives: Path) -> None:  # OUT-106
    line = next(
        line
        for line in map(json.loads, parsed("pmval", recording("7.2.2", "pmval-double-v3")).splitlines())
        if line.get("time") == "1700000070.000000000"
    )
    assert math.isnan(float(line["values"][0]["value"]))
