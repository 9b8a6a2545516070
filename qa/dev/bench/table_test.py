# SPDX-License-Identifier: Apache-2.0
"""What a person, and a program, sees of the results."""

import json

from qa.dev.bench.results import Encoding, Instructions, Results, Row, Target, Timing, Unmeasured
from qa.dev.bench.table import render, to_json

_MACHINE = {"date": "today", "processor": "one"}


def _results() -> Results:
    results = Results()
    results.rows.append(Row("check --jobs 1", "host", 256_000_000, Timing(0.1284, 0.25, 3)))
    results.rows.append(Row("pmlogcheck", "host", 256_000_000, Unmeasured("PCP 6.0.3 is not there")))
    results.instructions.append(Instructions("check --jobs 1", "host", 4.256, "perf"))
    results.encodings.append(Encoding("host/v3", 2.5e9, 12.5e9))
    results.targets.append(Target("faster", "host", 14.5, 12, True, aim=20))
    results.targets.append(Target("memory", "host", 65.0, 64, False, "MB", note="sampled"))
    results.targets.append(Target("dump", "host", Unmeasured("PCP 6.0.3 is not there"), 20, True))
    return results


def _line(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(start))


def test_a_row_shows_the_best_times_and_the_rate() -> None:
    text = render(_results(), _MACHINE, markdown=False)
    assert _line(text, "check --jobs 1").split()[3:] == ["host", "256.0", "0.128", "0.250", "1994", "3"]


def test_a_row_that_was_not_measured_says_why() -> None:
    text = render(_results(), _MACHINE, markdown=False)
    assert _line(text, "pmlogcheck").endswith("not measured: PCP 6.0.3 is not there")


def test_encoding_shows_both_rates_and_their_ratio() -> None:
    text = render(_results(), _MACHINE, markdown=False)
    assert _line(text, "host/v3").split() == ["host/v3", "2.50", "12.50", "0.20"]


def test_targets_show_figure_limit_and_verdict() -> None:
    text = render(_results(), _MACHINE, markdown=False)
    assert " ".join(_line(text, "faster").split()) == "faster host 14.50 x >= 12 x met aim 20 not reached"
    assert " ".join(_line(text, "memory").split()) == "memory host 65.00 MB <= 64 MB not met sampled"
    assert " ".join(_line(text, "dump").split()) == "dump host - >= 20 x not measured PCP 6.0.3 is not there"


def test_columns_are_aligned_and_numbers_end_together() -> None:
    results = Results()
    results.rows.append(Row("a", "x", 1_000_000, Timing(1.0, 1.0)))
    results.rows.append(Row("a much longer name", "x", 1_000_000_000, Timing(1.0, 1.0)))
    short, long = render(results, {}, markdown=False).splitlines()[-2:]
    assert len(short) == len(long)
    assert short.index(" 1.0 ") + 2 == long.index(" 1000.0 ") + 5


def test_markdown_is_one_table_of_equally_many_cells_with_bars_escaped() -> None:
    results = _results()
    results.rows.append(Row("a|b", "host", 1, Unmeasured("c|d")))
    rows = [line for line in render(results, _MACHINE, markdown=True).splitlines() if line.startswith("|")]
    first_table = [row.replace("\\|", "") for row in rows[: rows.index(_rule_after(rows)) + 4]]
    assert len({row.count("|") for row in first_table}) == 1
    assert any("a\\|b" in row and "c\\|d" in row for row in rows)


def _rule_after(rows: list[str]) -> str:
    return next(row for row in rows if set(row) <= set("|-: "))


def test_problems_are_listed() -> None:
    results = _results()
    results.problems.append("check of host: crashed")
    assert render(results, _MACHINE, markdown=False).endswith("Problems\n- check of host: crashed\n")


def test_json_holds_every_figure_unrounded_and_null_with_a_reason_where_there_is_none() -> None:
    data = json.loads(json.dumps(to_json(_results(), _MACHINE)))
    assert data["schema"] == "pmproof-bench/1"
    assert data["timings"][0]["cpu_seconds"] == 0.1284
    assert data["timings"][1]["cpu_seconds"] is None
    assert data["timings"][1]["because"] == "PCP 6.0.3 is not there"
    assert data["encodings"][0]["encode_bytes_per_second"] == 2.5e9
    assert data["instructions"][0]["per_byte"] == 4.256
    assert [target["verdict"] for target in data["targets"]] == ["met", "not met", "not measured"]
    assert data["targets"][1]["at_most"] == 64 and data["targets"][0]["at_least"] == 12
