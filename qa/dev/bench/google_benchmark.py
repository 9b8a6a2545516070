# SPDX-License-Identifier: Apache-2.0
"""Runs programs of Google Benchmark."""

import json
import tempfile
from pathlib import Path

from qa.dev.bench.measure import ChildFailed, Command, run_well
from qa.dev.bench.results import Unmeasured


def rates(
    program: Path, repeat: int, seconds: float, counter: str = "bytes_per_second"
) -> dict[str, float] | Unmeasured:
    """For each benchmark of a program its bytes (or what `counter` says) a second of CPU time: the median of `repeat`
    runs, in turn with those of the others, of at least `seconds` altogether."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
        argv = [str(program), f"--benchmark_out={report.name}", "--benchmark_out_format=json"]
        argv += [f"--benchmark_repetitions={repeat}", f"--benchmark_min_time={seconds:g}"]
        argv += ["--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true"]
        try:
            run_well(Command(argv))
        except ChildFailed as failed:
            return failed.outcome
        entries = json.load(report)["benchmarks"]
    medians = {}
    for entry in entries:
        if entry.get("error_occurred"):
            return Unmeasured(f"{entry['run_name']}: {entry['error_message']}", failed=True)
        if entry.get("aggregate_name") == "median":
            medians[entry["run_name"]] = float(entry[counter])
    return medians if medians else Unmeasured(f"{program.name} gives no figures", failed=True)
