# SPDX-License-Identifier: Apache-2.0
"""pmproof agent bench from outside: what it measures, what it says of agents that fail, and that nothing is left."""

import json
import os
import re
import signal
import subprocess
import time
import uuid
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.processes import processes_with
from validator.testing.run import PMPROOF, pmproof

AGENT = os.environ["LATE_AGENT"]
SIMPLE = (PMPROOF, "agent", "serve", "simple")
# The machine may be busy: what waits for something that never comes gets a short limit from its test.
PATIENT = ("--timeout", "60", "--timeout", "creds=60")
QUICK = ("--count", "50", "--warm-up", "5", *PATIENT)


def late(*words: str) -> tuple[str, ...]:
    return ("/usr/bin/python3", "-B", AGENT, *words)


def bench(*arguments: str | Path, agent: tuple[str, ...], status: int = 0) -> dict[str, Any]:
    """The report as JSON; the agents are marked, and nothing of them may be left."""
    mark = str(uuid.uuid4())
    done = pmproof("agent", "bench", "--format", "json", *arguments, "--", *agent, env={"PMPROOF_TEST_MARK": mark})
    assert processes_with(mark) == []
    assert done.returncode == status, done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(report, json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8")))
    return report


def test_each_number_of_metrics_and_clients_is_measured() -> None:
    report = bench(*QUICK, "--metrics", "1,all,12", "--clients", "1,3", agent=SIMPLE)
    lines = report["measurements"]
    assert [(one["clients"], one["metrics"], one["all_metrics"]) for one in lines] == [
        *((1, 1, False), (1, 5, True), (1, 12, False)),
        *((3, 1, False), (3, 5, True), (3, 12, False)),
    ]
    assert {one["fetches"] for one in lines} == {50}
    for one in lines:
        latency = one["latency"]
        steps = [latency[step] for step in ("least", "p50", "p90", "p99", "p99_9", "most")]
        assert 0 < steps[0] and steps == sorted(steps)
        assert latency["least"] <= latency["mean"] <= latency["most"]
        assert sum(count for _, count in latency["buckets"]) == 50
        assert one["cpu_nanoseconds_a_fetch"] > 0
        # All that was measured lies within the time that was taken, and closes with it.
        assert 50 * latency["mean"] <= 1e9 * one["seconds"]
        assert one["fetches_a_second"] == pytest.approx(50 / one["seconds"])
    (agent,) = report["agents"]
    assert (agent["metrics"], agent["transport"], agent["failure"]) == (5, "pipe", None)
    assert agent["memory"] and all(sample["resident_bytes"] > 100_000 for sample in agent["memory"])


def test_several_clients_cost_a_profile_for_each_fetch() -> None:
    one, several = bench(*QUICK, "--metrics", "all", "--clients", "1,2", agent=SIMPLE)["measurements"]
    assert (one["request_bytes"], several["request_bytes"]) == (28 + 4 * 5, 28 + 4 * 5 + 28)


def test_clients_take_turns_with_contexts_of_their_own(tmp_path: Path) -> None:
    log = tmp_path / "log"
    shell = ("/bin/sh", "-c", f"exec /usr/bin/python3 -B {AGENT} contexts 2>>{log}")
    bench("--count", "4", "--warm-up", "0", "--metrics", "1", "--clients", "2", agent=shell)
    assert log.read_text().splitlines()[-8:] == 2 * [
        *("PROFILE 0 0", "FETCH 0 0"),
        *("PROFILE 1 1", "FETCH 1 1"),
    ]


def test_a_lone_client_sends_its_profile_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    shell = ("/bin/sh", "-c", f"exec /usr/bin/python3 -B {AGENT} contexts 2>>{log}")
    bench("--count", "4", "--warm-up", "0", "--metrics", "1", "--clients", "1", agent=shell)
    assert log.read_text().splitlines()[-6:] == ["PROFILE 0 0", *(5 * ["FETCH 0 0"])]


def test_without_a_choice_there_are_powers_of_ten_and_all() -> None:
    lines = bench("--count", "5", agent=late("good"))["measurements"]
    assert [(one["clients"], one["metrics"]) for one in lines] == [(1, 1), (1, 2), (8, 1), (8, 2)]


def test_a_duration_is_kept() -> None:
    (one,) = bench("--duration", "0.3", "--metrics", "1", "--clients", "1", agent=late("slow"))["measurements"]
    assert one["latency"]["least"] >= 20_000_000
    assert 0.3 <= one["seconds"] < 5
    assert one["fetches"] * 0.02 <= one["seconds"]


def test_two_agents_are_measured_side_by_side() -> None:
    report = bench(*QUICK, "--metrics", "1", "--clients", "1", "--beside", " ".join(late("slow")), agent=late("good"))
    assert [agent["letter"] for agent in report["agents"]] == ["A", "B"]
    ours, theirs = report["measurements"]
    assert (ours["agent"], theirs["agent"]) == ("A", "B")
    assert theirs["latency"]["p50"] > 20_000_000 > ours["latency"]["least"]


def test_text_says_how_each_agent_compares_with_the_first() -> None:
    arguments = ("--beside", " ".join(late("slow")), "--metrics", "1", "--clients", "1", "--count", "20")
    done = pmproof("agent", "bench", *arguments, "--", *late("good"))
    assert done.returncode == 0, done.stderr
    assert re.search("agent  fetches/s +of A", done.stdout)
    first, second = re.findall(r"^ +1 +1 +1 +([AB]) +(\S+) +(\S+)", done.stdout, re.MULTILINE)
    assert first[::2] == ("A", "1.00")
    assert second[0] == "B" and 0 < float(second[2]) < 1
    assert "memory of B: " in done.stdout
    assert "20 fetches for each line, the agents in turn" in done.stdout


def test_memory_that_grows_is_seen() -> None:
    (agent,) = bench("--count", "2000", "--metrics", "1", "--clients", "1", agent=late("grow"))["agents"]
    memory = [sample["resident_bytes"] for sample in agent["memory"]]
    assert memory[-1] > memory[0] + 150_000_000
    assert agent["most_resident_bytes"] == max(memory)


def test_what_an_agent_started_counts() -> None:
    report = bench(*QUICK, "--metrics", "1", "--clients", "1", agent=late("child"))
    assert report["agents"][0]["most_resident_bytes"] > 100_000_000
    assert report["measurements"][0]["cpu_nanoseconds_a_fetch"] > 1000


def test_options_of_the_agent_are_those_of_agent_check(tmp_path: Path) -> None:
    socket = tmp_path / "agent.socket"
    report = bench(*QUICK, "--metrics", "1", "--clients", "1", "--unix", socket, agent=(*SIMPLE, "--unix", str(socket)))
    assert report["agents"][0]["transport"] == "unix"
    names = tmp_path / "pmns"
    names.write_text("root {\n    only\n}\nonly {\n    one 9:0:1\n}\n", encoding="utf-8")
    report = bench(*QUICK, "--pmns", names, agent=late("good"))
    assert (report["agents"][0]["names_from"], report["agents"][0]["metrics"]) == ("--pmns", 1)


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("end", "end of file (its process has ended with exit status 7; its log ends: the well is dry)"),
        ("mute", "no answer within 2.000 s"),
        ("error", "ERROR -12366 (PM_ERR_IPC), where RESULT is due"),
        ("few", "0 value sets"),
        ("twice", "more than one answer"),
    ],
)
def test_an_agent_that_fails_later_is_measured_until_then(mode: str, said: str) -> None:
    limit = "2" if mode == "mute" else "60"
    report = bench(*QUICK, "--metrics", "1", "--clients", "1", "--timeout", limit, agent=late(mode, "30"), status=3)
    (agent,) = report["agents"]
    assert agent["failure"].startswith("FETCH of 9.0.0: ")
    assert said in agent["failure"]
    (one,) = report["measurements"]
    # Two answers may be seen at the end alone: each is as good as the one that is due.
    assert 0 < one["fetches"] < (51 if mode == "twice" else 30)


def test_the_others_go_on_where_one_fails() -> None:
    beside = ("--beside", " ".join(late("end", "30")))
    report = bench(*QUICK, "--metrics", "1,2", "--clients", "1", *beside, agent=late("good"), status=3)
    assert [agent["failure"] is None for agent in report["agents"]] == [True, False]
    assert [(one["agent"], one["metrics"]) for one in report["measurements"]] == [("A", 1), ("B", 1), ("A", 2)]


def test_an_agent_that_does_not_start_is_status_3() -> None:
    report = bench(*QUICK, agent=("/bin/false",), status=3)
    assert "CREDS" in report["agents"][0]["failure"]
    assert report["measurements"] == []
    done = pmproof("agent", "bench", "--", "/nowhere/agent")
    assert (done.returncode, "not measured: the agent cannot be started" in done.stdout) == (3, True)


def test_an_agent_without_metrics_is_status_6() -> None:
    names = ("--domain", "77")
    report = bench(*QUICK, *names, agent=late("good"), status=6)
    assert report["agents"][0]["failure"].startswith("no metric of the agent is known")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no COMMAND given"),
        (("--metrics", "0", "--", "x"), "--metrics 0"),
        (("--metrics", "1,some", "--", "x"), "--metrics some"),
        (("--clients", "1001", "--", "x"), "--clients 1001"),
        (("--beside", "'x", "--", "x"), "a quote in it that does not end"),
        (("--beside", "", "--", "x"), "no command"),
        (("--count", "5", "--duration", "1", "--", "x"), "--duration"),
        ((*(6 * ("--beside", "x")), "--", "x"), "no more than 6 agents"),
    ],
)
def test_wrong_usage_is_status_2(words: tuple[str, ...], said: str) -> None:
    done = pmproof("agent", "bench", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_an_interrupted_run_leaves_nothing_and_writes_nothing(tmp_path: Path) -> None:
    mark = str(uuid.uuid4())
    page = tmp_path / "page.html"
    command = [PMPROOF, "agent", "bench", "--duration", "600", "--output", f"html:{page}", "--", *late("good")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={"PMPROOF_TEST_MARK": mark}) as process:
        until = time.monotonic() + 30
        while len(processes_with(mark)) < 3 and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert "agent bench was interrupted" in told
    assert processes_with(mark) == []
    assert not page.exists()


def test_a_page_has_the_figures_and_the_plots(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    beside = ("--beside", " ".join(late("good", "0", "<i>")))
    output = ("--output", f"html:{page}")
    done = pmproof("agent", "bench", *QUICK, "--clients", "1,2", *beside, *output, "--", *late("good"))
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "&lt;i&gt;" in text and "<i>" not in text
    # A plot of the rate for each number of clients, of the latencies for each line, and of the memory.
    assert text.count('role="img"') == 2 + 4 + 1
    assert text.count('class="curve agent-1"') == 3 * 1 + 2 + 4 + 1
    assert "Memory over time" in text


def test_the_schema_is_printed() -> None:
    done = pmproof("agent", "bench", "--schema")
    assert (done.returncode, done.stdout) == (0, Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))
