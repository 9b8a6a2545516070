# SPDX-License-Identifier: Apache-2.0
"""Operation replay.raw as pmdumplog answers it: the records of an archive that have one of the metrics.

    pmdumplog -xxx -m -S START [-T END] ARCHIVE METRIC...
"""

import re
from decimal import Decimal

from qa.adapters.tool_answer import (
    DIGITS,
    END,
    EVENTS,
    FEWER_DIGITS,
    TWICE,
    NotShown,
    clock_text,
    known_in,
    number_text,
    start_of,
    time_text,
)
from qa.adapters.tool_archive import Archives, Metric, Question, fetch_failure, paths_of
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Skip

# Significant digits that are printed of a number (MET-504).
SIGNIFICANT = {"float": 8, "double": 16}

_UNKNOWN_ERROR = re.compile(r"Unknown error (1?[0-9]{1,2}|200)")  # of a system, as errno (PDU-120)

DEFAULT_END = 2**31 - 1  # of pmdumplog, in seconds (ARC-504)
NO_STATUS = "pmdumplog prints nothing of a metric that a record has not"
AFTER_THE_END = "pmdumplog does not ask again after the end of the archive"
AFTER_AN_ERROR = "pmdumplog does not ask again after an error"


def raw(archives: Archives, source: Json, args: Json) -> Json:
    question = Question(paths_of(source))
    names = args["metrics"]
    known = known_in(archives, question, names)
    if any(metric.status["status"] != 0 for metric in known.values()):
        raise Skip("pmdumplog prints nothing of a metric that it does not know")
    if len(set(names)) < len(names):
        raise Skip(TWICE)
    if any(metric.type in EVENTS for metric in known.values()):
        raise Skip("pmdumplog prints the parameters of events, not their bytes (OUT-423)")
    if args["count"] < 1:
        raise Skip("pmdumplog reads to the end")
    instances = frozenset(args["instances"]) if "instances" in args else None
    argv = ["pmdumplog", "-xxx", "-m"]
    start = start_of(args)
    first, finish = archives.window(question)
    if start > first:
        argv += ["-S", clock_text(start)]
    if finish is not None and finish >= DEFAULT_END:
        argv += ["-T", clock_text(finish + 1)]
    done = archives.run(question, [*argv, question.paths, *names])
    unshown = NotShown()
    fetches: list[Json] = []
    for record in archives.parser.of("pmdumplog", done):
        if len(fetches) == args["count"] and record.get("kind") == "record":
            break
        if record.get("kind") == "record":
            fetches.append({"time": record["time"], "status": 0, "metrics": {}})
        elif "kind" not in record:
            for j, name in enumerate(names):
                if name in record.get("names", [record["metric"]]):
                    at = f"/fetches/{len(fetches) - 1}/metrics/{j}"
                    fetches[-1]["metrics"][name] = _entry(name, record, known[name], instances, at, unshown)
    for i, fetch in enumerate(fetches):
        told = fetch["metrics"]
        for j, name in enumerate(names):
            if name not in told:
                unshown.add(NO_STATUS, f"/fetches/{i}/metrics/{j}/status", f"/fetches/{i}/metrics/{j}/error")
                told[name] = {"metric": name, "status": 0, "values": []}
        fetch["metrics"] = [told[name] for name in names]
    last = fetches[-1]["time"] if fetches else time_text(start)
    failure = fetch_failure(done)
    end = END if failure is None else archives.status_of(failure)
    for i in range(len(fetches), args["count"]):
        if fetches[-1:] and fetches[-1]["status"] != 0:
            unshown.add(AFTER_THE_END if failure is None else AFTER_AN_ERROR, f"/fetches/{i}")
        fetches.append({"time": last, **end})
    return unshown.beside({"fetches": fetches})


def _entry(
    name: str, record: Json, metric: Metric, instances: frozenset[int] | None, at: str, unshown: NotShown
) -> Json:
    if record["status"] is None:  # the parser knows no text of a system error that has no name
        if not (told := _UNKNOWN_ERROR.fullmatch(record["message"])):
            raise Skip(f"pmdumplog prints an error that has no name: {record['message']}")
        return {"metric": name, "status": -int(told[1]), "error": f"errno {told[1]}", "values": []}
    if record["status"] != 0:
        return {"metric": name, "status": record["status"], "error": record["error"], "values": []}
    values: list[Json] = []
    for value in sorted(record["values"], key=lambda value: (value["instance"] is not None, value["instance"] or 0)):
        if instances is not None and value["instance"] is not None and value["instance"] not in instances:
            continue
        text = value["value"]
        # Noughts at the end are not printed: with fewer digits, too, a number may have been rounded.
        if metric.type in DIGITS and Decimal(text).is_finite() and Decimal(text) != 0:
            unshown.add(FEWER_DIGITS, f"{at}/values/{len(values)}/value", within=_last_digit(text, SIGNIFICANT[metric.type]))
        values.append({"instance": value["instance"], "type": metric.type, "value": number_text(metric.type, text)})
    return {"metric": name, "status": 0, "values": values}


def _last_digit(text: str, digits: int) -> str:
    """What a number may be off that was rounded to so many digits."""
    exponent = Decimal(text).adjusted()  # a float would be infinite where the largest DOUBLE is rounded up
    return f"5e{exponent - digits}"
