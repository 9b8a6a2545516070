# SPDX-License-Identifier: Apache-2.0
"""Operation derive.eval with `raw`: the records of an archive one after the other, as pmrep prints them.

    pmrep -c EMPTY -u -r -P 1074 -o csv -s COUNT [-S START] -a ARCHIVE METRIC...

It is the one tool that reads records with derived metrics among others, several at a time.
"""

import tempfile
from pathlib import Path

from qa.adapters.tool_answer import DIGITS, END, TWICE, NotShown, clock_text, entry, known_in, start_of, time_text
from qa.adapters.tool_archive import Archives, Metric, Question
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Skip

PRINTED = ("32", "u32", "64", "u64", "float", "double", "string")  # types

NO_STATUS = "pmrep prints nothing whether there is an error or no value (OUT-732)"
SECONDS = "pmrep prints whole seconds (OUT-732)"
AFTER_THE_END = "pmrep does not ask again after the end of the archive (OUT-733)"


def raw(archives: Archives, question: Question, args: Json) -> Json:
    known = known_in(archives, question, args["metrics"])
    asked = [name for name in args["metrics"] if known[name].status["status"] == 0]
    for name in asked:
        _check(name, known[name])
    if not asked:
        raise Skip("pmrep prints nothing, not even times, without a metric that it can describe")
    if "instances" in args:
        raise Skip("pmrep takes names of instances for all metrics at once, which have not the same")
    if args["count"] < 1:
        raise Skip("pmrep reads one record at least")
    if len(set(args["metrics"])) < len(args["metrics"]):
        raise Skip(TWICE)
    rows = _rows(archives, question, args, asked)
    unshown = NotShown()
    fetches: list[Json] = []
    for i, row in enumerate(rows):
        unshown.add(SECONDS, f"/fetches/{i}/time", within="0.999999999")
        told = [
            entry(name, known[name], row.get(name, []), f"/fetches/{i}/metrics/{j}", unshown, NO_STATUS)
            for j, name in enumerate(args["metrics"])
        ]
        fetches.append({"time": row["time"], "status": 0, "metrics": told})
    last = fetches[-1]["time"] if fetches else time_text(start_of(args))
    for i in range(len(rows), args["count"]):
        if i > len(rows):
            unshown.add(AFTER_THE_END, f"/fetches/{i}")
        elif fetches:
            unshown.add(SECONDS, f"/fetches/{i}/time", within="0.999999999")
        fetches.append({"time": last, **END})
    return unshown.beside({"fetches": fetches})


def _check(name: str, metric: Metric) -> None:
    """Raises Skip for what pmrep does not print as it is."""
    if metric.type not in PRINTED:
        raise Skip(f"pmrep prints no values of type {metric.type}")
    if metric.descriptor["semantics"] == "counter" and not metric.descriptor["units"]:
        raise Skip("pmrep prints rates of counters without units, with -r too")


def _rows(archives: Archives, question: Question, args: Json, asked: list[str]) -> list[Json]:
    """Time, and values by metric."""
    with tempfile.TemporaryDirectory(prefix="pmproof-pmrep-") as folder:
        empty = Path(folder) / "empty"  # else the settings of the user or of the system (OUT-701)
        empty.touch()
        argv = ["pmrep", "-c", str(empty), "-u", "-r", "-P", str(DIGITS["double"]), "-o", "csv", "-s", str(args["count"])]
        start = start_of(args)
        if start > archives.window(question)[0]:
            argv += ["-S", clock_text(start)]
        done = archives.run(question, [*argv, "-a", question.paths, *asked], files=[empty])
    if done.status != 0:
        raise Skip(f"pmrep gives up: {' '.join(done.stderr.split())[:300]}")
    rows: list[Json] = []
    line = None
    for record in archives.parser.of("pmrep", done):
        if "kind" in record:
            continue
        if record["line"] != line:
            line = record["line"]
            rows.append({"time": record["time"]})
        rows[-1][record["metric"]] = record["values"]
    return rows
