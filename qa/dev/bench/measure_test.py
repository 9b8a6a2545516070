# SPDX-License-Identifier: Apache-2.0
"""Measuring commands whose use of time and memory is known."""

import time
from pathlib import Path

import pytest

from qa.dev.bench import measure
from qa.dev.bench.measure import Command, Memory
from qa.dev.bench.results import MEGABYTE, Timing, Unmeasured

_PYTHON = "/usr/bin/python3"


@pytest.fixture(autouse=True)
def _reaper() -> None:
    measure.adopt_orphans()


def test_cpu_time_of_a_process_that_outlives_its_parent_is_counted() -> None:
    # As bubblewrap does: what was started ends without knowing what its child has used.
    orphan = "import os, time\nif os.fork() == 0:\n  while time.process_time() < 0.3: pass"
    assert measure.run([_PYTHON, "-c", orphan]).cpu >= 0.3


def test_waiting_costs_elapsed_time_but_no_cpu_time() -> None:
    done = measure.run(["sleep", "0.2"])
    assert done.wall >= 0.2 and done.cpu < 0.1


def test_the_commands_of_a_round_take_turns_and_the_best_run_counts() -> None:
    outcome = measure.time_rounds({"a": Command(["true"]), "b": Command(["sleep", "0.1"])}, 3)
    assert isinstance(outcome["a"], Timing) and isinstance(outcome["b"], Timing)
    assert outcome["a"].runs == 3 and outcome["b"].wall >= 0.1 > outcome["a"].wall


def test_what_a_program_says_is_kept() -> None:
    outcome = measure.time_rounds({"a": Command(["sh", "-c", "echo well well >&2"])}, 1)["a"]
    assert isinstance(outcome, Timing) and outcome.said == "well well"


def test_a_run_of_more_than_ten_seconds_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_LONG_SECONDS", 0.05)
    outcome = measure.time_rounds({"long": Command(["sleep", "0.1"])}, 3)["long"]
    assert isinstance(outcome, Timing) and outcome.runs == 1


def test_an_unexpected_status_is_a_failure_that_quotes_the_program() -> None:
    outcome = measure.time_rounds({"a": Command(["sh", "-c", "echo no such thing >&2; exit 3"])}, 2)["a"]
    assert outcome == Unmeasured("sh ended with status 3: no such thing", failed=True)


def test_another_status_can_be_the_right_one() -> None:
    assert isinstance(measure.time_rounds({"a": Command(["false"], (1,))}, 1)["a"], Timing)
    assert isinstance(measure.time_rounds({"a": Command(["true"], (1,))}, 1)["a"], Unmeasured)


def test_a_program_that_is_not_there_is_a_failure() -> None:
    outcome = measure.time_rounds({"a": Command(["/no/such/program"])}, 1)["a"]
    assert isinstance(outcome, Unmeasured) and outcome.failed


def test_a_program_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_TIME_LIMIT_SECONDS", 1)
    begin = time.monotonic()
    assert measure.run(["sleep", "60"]).status != 0
    assert time.monotonic() - begin < 30


def test_peak_memory_is_what_was_allocated_for_a_while_and_given_back() -> None:
    program = "import time; block = b'x' * 40_000_000; time.sleep(0.3); del block; time.sleep(0.1)"
    memory = measure.peak_memory(Command([_PYTHON, "-c", program]), 64 * MEGABYTE)
    assert isinstance(memory, Memory) and memory.sampled is not None and memory.enough is not None
    assert 40_000_000 <= memory.sampled <= memory.enough <= 64 * MEGABYTE


def test_files_that_are_mapped_are_no_memory(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(bytes(100_000_000))
    program = (
        "import mmap, sys, time\n"
        "with open(sys.argv[1], 'rb') as f: m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\n"
        "sum(m[i] for i in range(0, len(m), 4096)); time.sleep(0.3)"
    )
    memory = measure.peak_memory(Command([_PYTHON, "-c", program, str(file)]), 64 * MEGABYTE)
    assert isinstance(memory, Memory) and memory.sampled is not None and memory.sampled < 30_000_000


def test_a_program_that_needs_more_than_the_budget_has_no_limit_that_is_enough() -> None:
    memory = measure.peak_memory(Command([_PYTHON, "-c", "block = bytes(100_000_000)"]), 64 * MEGABYTE)
    assert isinstance(memory, Memory) and memory.enough is None
