# SPDX-License-Identifier: Apache-2.0
"""Agents: fetches through the codec in memory, and over a unix socket beside a bare echo of the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qa.dev.bench import results as asked
from qa.dev.bench.google_benchmark import rates
from qa.dev.bench.results import Target, Unmeasured

if TYPE_CHECKING:
    from qa.dev.bench.suite import Suite

_FETCHES = "fetches of 10 metrics"


def measure_agent(suite: Suite) -> None:
    """Adds both figures to the results."""
    suite.say("fetches to and fro")
    scale = suite.scale
    measured = rates(suite.programs.agent_bench, 2 * scale.repeat + 1, 0.25 / scale.shrink, "items_per_second")
    speed: float | Unmeasured
    slower: float | Unmeasured
    if isinstance(measured, Unmeasured):
        suite.note_failure("fetches to and fro", measured)
        speed = slower = measured
    else:
        speed = measured["CodecInMemory"] / 1000
        slower = measured["EchoOverUnixSocket"] / measured["AgentOverUnixSocket"]
    targets = suite.results.targets
    name = "fetch round trips through the codec in memory a CPU second"
    targets.append(Target(name, _FETCHES, speed, asked.AGENT_ROUND_TRIPS, True, "thousand"))
    name = "an agent over a unix socket to a bare echo of the same bytes"
    targets.append(Target(name, _FETCHES, slower, asked.AGENT_BESIDE_ECHO, False))
