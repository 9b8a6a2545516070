# SPDX-License-Identifier: Apache-2.0
"""Derived metrics: how fast they are parsed and bound, and evaluation beside fetching the operands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qa.dev.bench import results as asked
from qa.dev.bench.archives import Archive
from qa.dev.bench.google_benchmark import rates
from qa.dev.bench.measure import Command
from qa.dev.bench.results import MEGABYTE, Target, Timing, Unmeasured, combine

if TYPE_CHECKING:
    from qa.dev.bench.suite import Suite

_EXPRESSIONS = "generated expressions"
_INTERVAL = "10"
# How often one context fetches the same times: the observations are in memory from the third time on.
_FEW, _MANY = 4, 12


def measure_derived(suite: Suite) -> None:
    """Adds all of it to the results."""
    _parse_and_bind(suite)
    _evaluation(suite, suite.host(3, 256 * MEGABYTE))
    _evaluation_in_memory(suite, suite.host(3, 32 * MEGABYTE))


def _parse_and_bind(suite: Suite) -> None:
    suite.say("parsing and binding expressions")
    scale = suite.scale
    measured = rates(suite.programs.derive_bench, 2 * scale.repeat + 1, 0.25 / scale.shrink, "items_per_second")
    speed: float | Unmeasured
    if isinstance(measured, Unmeasured):
        suite.note_failure("parsing and binding", measured)
        speed = measured
    else:
        speed = measured["parse_and_bind/generated"] / 1000
    name = "expressions of 40 characters parsed and bound a CPU second"
    suite.results.targets.append(Target(name, _EXPRESSIONS, speed, asked.DERIVED_BOUND, True, "thousand"))


def _fetch(suite: Suite, archive: Archive, what: str, rounds: int) -> Command:
    return Command([str(suite.programs.derived_times), str(archive.base), what, _INTERVAL, str(rounds)])


def _evaluation(suite: Suite, archive: Archive) -> None:
    """As replay does it, from records on: fetches only, nothing is written on either side."""
    operands, derived = suite.time(
        suite.timed("fetches of 33 operands at 10 s", archive, _fetch(suite, archive, "operands", 1)),
        suite.timed("24 derived metrics, the same", archive, _fetch(suite, archive, "derived", 1)),
    )
    ratio = combine(asked.faster, derived, operands)
    name = "derived metrics to their operands alone"
    suite.target(name, archive, ratio, asked.DERIVED_EVALUATED, at_least=False)


def _evaluation_in_memory(suite: Suite, archive: Archive) -> None:
    """With a context that has its observations: no record is read, so that evaluation weighs more."""

    timed = [
        suite.timed(f"{title}, {rounds} times over", archive, _fetch(suite, archive, what, rounds))
        for what, title in (("operands", "fetches of 33 operands at 10 s"), ("derived", "24 derived metrics at 10 s"))
        for rounds in (_FEW, _MANY)
    ]

    def maths(few: Timing, many: Timing, derived_few: Timing, derived_many: Timing) -> float:
        return asked.factor_of_difference((few, many), (derived_few, derived_many))

    ratio = combine(maths, *suite.time(*timed))
    name = "derived metrics to their operands alone, observations in memory"
    suite.target(name, archive, ratio, asked.DERIVED_EVALUATED, at_least=False)
