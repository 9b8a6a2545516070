# SPDX-License-Identifier: Apache-2.0
"""Operations replay.interp and derive.eval as pmval answers them: one run for each metric, joined by time.

    pmval -XX -r -f 1074 -w 1400 -S START -T LATER -t INTERVAL -s COUNT -a ARCHIVE METRIC

pmval stops at the end of the archive without a word (OUT-220), tells neither errors nor numbers of instances, and goes
forward only.
"""

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction

from qa.adapters.tool_answer import (
    DIGITS,
    END,
    EVENTS,
    TWICE,
    NotShown,
    clock_text,
    entry,
    has_decimals,
    known_in,
    start_of,
    time_text,
)
from qa.adapters.tool_archive import Archives, Metric, Question
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Skip, ToolError

# Columns that hold the digits of a fraction beside the largest value. Others than FLOAT and DOUBLE are printed whole; the
# column is for names of instances.
WIDTHS = {"float": 200, "double": 1400}
WIDTH = 200

_FETCH_ERROR = re.compile(r"^pmval: pmFetch: (.*)$", re.MULTILINE)

# Decimals of a second that pmval keeps of -t, by the first version that does.
INTERVAL_DECIMALS = {(7, 0): 6, (0, 0): 3}

NO_STATUS = "pmval says 'No values available' whether there is an error or no value (OUT-216)"
AFTER_THE_END = "pmval fetches nothing after the end of the archive, and says nothing (OUT-220)"
AFTER_AN_ERROR = "pmval gives up at an error, or says the same again without a time (OUT-219)"
ERRORS_AMONG_VALUES = "pmval prints errors of fetches on stderr, without a time: where they stand among values is not told (OUT-219)"
ONE_OR_ALL = "pmval fetches one metric at a time: whether an error is that metric's or of the whole fetch is not told"


@dataclass(frozen=True)
class Steps:
    """Fetches at equal distances, as pmval makes them."""

    start: Fraction
    interval: Fraction
    count: int
    metrics: tuple[str, ...]
    instances: frozenset[int] | None = None


def steps_of(args: Json, version: str) -> Steps:
    """Raises Skip for what pmval cannot be asked for."""
    if "fetches" in args:
        first, *others = args["fetches"]
        if any(set(fetch) & {"interval", "metrics"} for fetch in others):
            raise Skip("pmval has one time and one list of metrics for all its fetches")
        metrics = first.get("metrics", args["metrics"])
        if others and "metrics" in first:
            raise Skip("pmval has one time and one list of metrics for all its fetches")
        args = {**args, "metrics": metrics, "start": first["time"], "interval": first["interval"], "count": 1 + len(others)}
    start, interval = start_of(args), Fraction(args["interval"])
    if interval <= 0:
        raise Skip("pmval goes forward only")
    decimals = next(n for since, n in INTERVAL_DECIMALS.items() if tuple(map(int, version.split(".")[:2])) >= since)
    if not has_decimals(interval, decimals):
        raise Skip(f"pmval {version} takes {decimals} decimals of a second as its interval")
    if args["count"] < 1:
        raise Skip("pmval fetches once at least")
    instances = frozenset(args["instances"]) if "instances" in args else None
    return Steps(start, interval, args["count"], tuple(args["metrics"]), instances)


@dataclass
class Printed:
    """What pmval printed of one metric: values by time, in order; errors of whole fetches, which stand on stderr without
    a time. `gave_up`: at the last of them."""

    times: list[str] = field(default_factory=list)
    values: list[list[Json]] = field(default_factory=list)
    errors: list[Json] = field(default_factory=list)
    gave_up: bool = False


def ask(archives: Archives, question: Question, steps: Steps, name: str, metric: Metric) -> Printed:
    kind = metric.type
    argv = ["pmval", "-XX", "-r", "-w", str(WIDTHS.get(kind, WIDTH)), "-s", str(steps.count)]
    if kind in DIGITS:
        argv += ["-f", str(DIGITS[kind])]
    if steps.instances is not None and not metric.is_singular:
        argv += ["-i", ",".join(_names(metric, steps.instances))]
    later = steps.start + steps.interval * (steps.count + 1) + 86400
    # Seconds are read as a double and cut to microseconds: half of one more keeps the last.
    start = steps.start + Fraction(1, 2 * 10**6)
    argv += ["-S", clock_text(start), "-T", clock_text(later), "-t", interval_text(steps.interval)]
    done = archives.run(question, [*argv, "-a", question.paths, name])
    errors = [archives.status_of(text) for text in _FETCH_ERROR.findall(done.stderr)]
    if done.status != 0 and not errors:
        raise Skip(f"pmval gives up on {name}: {' '.join(done.stderr.split())}")
    printed = Printed(errors=errors, gave_up=done.status != 0)
    for record in archives.parser.of("pmval", done, ["--width", str(WIDTHS.get(kind, WIDTH))]):
        if "kind" not in record:
            printed.times.append(record["time"])
            printed.values.append(record["values"])
    return printed


def interval_text(seconds: Fraction) -> str:
    whole, micros = divmod(math.floor(seconds * 10**6), 10**6)
    return f"{whole}.{micros:06d}"


def _names(metric: Metric, instances: frozenset[int]) -> list[str]:
    names = [metric.instances[number] for number in sorted(instances) if number in metric.instances]
    if not names:
        raise Skip("none of the instances has a name that pmval could be asked for")
    if any(set(name) & set(', "\'') for name in names):
        raise Skip("pmval takes no names of instances with blanks, commas or quotes")
    return names


def joined(steps: Steps, metrics: dict[str, Metric], printed: dict[str, Printed], finish: Fraction | None) -> Json:
    """One result of the prints of all metrics; `finish`: of the archive, where that is known."""
    with_values = [one for one in printed.values() if one.times]
    times = with_values[0].times if with_values else []
    for one in printed.values():
        if one.errors and one.times and not one.gave_up:
            raise Skip(ERRORS_AMONG_VALUES)
        if one.errors and len(printed) > 1:
            raise Skip(ONE_OR_ALL)
        if one.times != times:
            raise ToolError("pmval prints other times for one metric than for another")
    if len(times) > steps.count:
        raise ToolError(f"pmval prints {len(times)} samples where it was asked for {steps.count}")
    unshown = NotShown()
    fetches: list[Json] = []
    for i, when in enumerate(times):
        told = [
            entry(name, metrics[name], _printed_at(printed.get(name), i), f"/fetches/{i}/metrics/{j}", unshown, NO_STATUS)
            for j, name in enumerate(steps.metrics)
        ]
        fetches.append({"time": when, "status": 0, "metrics": told})
    fetches += _without_values(steps, list(printed.values()), len(times), finish, unshown)
    return unshown.beside({"fetches": fetches})


def _printed_at(printed: Printed | None, number: int) -> list[Json]:
    return printed.values[number] if printed is not None else []


def _without_values(
    steps: Steps, printed: list[Printed], done: int, finish: Fraction | None, unshown: NotShown
) -> list[Json]:
    """The fetches after those that printed something: errors, and the end of the archive."""
    errors = printed[0].errors  # with them, of the only one
    when = steps.start + done * steps.interval
    # After an error the context stands where it was.
    told = [{"time": time_text(when), **error} for error in errors[: steps.count - done]]
    for i in range(done + len(told), steps.count):
        when = steps.start + i * steps.interval
        if errors:
            unshown.add(AFTER_AN_ERROR, f"/fetches/{i}")
        elif i > done or finish is None or when > finish:
            unshown.add(AFTER_THE_END, f"/fetches/{i}")
        told.append(END | {"time": time_text(when)})
    return told


def replay(archives: Archives, question: Question, args: Json, lenient: bool) -> Json:
    """`lenient`: a metric that is not known has a status."""
    steps = steps_of(args, archives.tools.version)
    known = known_in(archives, question, steps.metrics)
    for name, metric in known.items():
        if metric.status["status"] != 0 and not lenient:
            raise Skip(f"pmval prints nothing of {name}: {metric.status.get('error')}")
        if metric.status["status"] == 0 and metric.type in EVENTS:
            raise Skip("pmval reads events uninterpolated (OUT-221)")
    shown = [name for name in steps.metrics if known[name].status["status"] == 0]
    if not shown:
        raise Skip("pmval prints nothing, not even times, without a metric that it can describe")
    if len(set(steps.metrics)) < len(steps.metrics):
        raise Skip(TWICE)
    begin, finish = archives.window(question)
    if steps.start < begin:
        raise Skip("pmval begins where the archive begins, not before")
    printed = {name: ask(archives, question, steps, name, known[name]) for name in shown}
    return joined(steps, known, printed, finish)


