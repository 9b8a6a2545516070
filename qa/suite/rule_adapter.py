# SPDX-License-Identifier: Apache-2.0
"""An interpolation rule in Python as an implementation: what stands between a function and the testee protocol.

    serve(rule)      answers what `pmproof rules diff --candidate exec:...` asks, by rule(series, time)

The observations come from the pmproof that started this (PMPROOF in the environment). A fetch outside of the archive
is answered with its end (INT-206) and never comes to the rule. qa/suite/starter/rule.py is an example.
"""

import bisect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Json = dict[str, Any]
Value = int | float | str

_BILLION = 10**9
_END_OF_LOG = {"status": -12370, "error": "PM_ERR_EOL"}
_RECORDS = 1000  # that are asked for first
_INTEGERS, _FLOATS = ("32", "u32", "64", "u64"), ("float", "double")


class Observation(NamedTuple):
    """A recorded value. Times are nanoseconds since 1970."""

    time: int
    value: Value


@dataclass
class Series:
    """All that is recorded of one metric and instance, by time. `value` of a type other than numbers and strings is its
    text in the protocol (base64:...)."""

    metric: str
    instance: int | None
    type: str  # 32 u32 64 u64 float double string ...
    semantics: str  # counter instant discrete
    marks: list[int]  # the times of the archive's marks, which no search for an observation crosses (INT-303)
    observations: list[Observation] = field(default_factory=list)

    def around(self, time: int) -> tuple[Observation | None, Observation | None]:
        """The last observation at `time` or before, and the first at `time` or after; None where a mark is between, or
        nothing at all."""
        after = bisect.bisect_left(self.observations, time, key=_time)
        before = bisect.bisect_right(self.observations, time, key=_time) - 1
        return self._seen(before, time), self._seen(after, time)

    def _seen(self, at: int, time: int) -> Observation | None:
        if not 0 <= at < len(self.observations):
            return None
        first, last = sorted((self.observations[at].time, time))
        mark = bisect.bisect_left(self.marks, first)
        return None if mark < len(self.marks) and self.marks[mark] <= last else self.observations[at]


Rule = Callable[[Series, int], Value | None]


def serve(rule: Rule, name: str = "mine", version: str = "0") -> None:
    """Answers requests until bye. `rule` gives the value of a series at a time between the start and the end of the
    archive, or None where there is none. A float for a metric of integers becomes one as in PCP: 0.5 is added, the fraction is cut (INT-609)."""
    about = {"name": name, "version": version, "language": "Python"}
    hello = {"ok": True, "protocol": 1, "implementation": about, "capabilities": ["replay.interp"], "rules": []}
    reader = _Reader()
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("cmd") == "bye":
            return
        if request.get("cmd") == "hello":
            answer = hello
        else:
            answer = {"seq": request.get("seq"), **_answered(rule, reader, request)}
        print(json.dumps(answer, separators=(",", ":")), flush=True)


class _Refused(Exception):
    """With what is to be answered."""

    def __init__(self, answer: Json) -> None:
        super().__init__(str(answer))
        self.answer = answer


def _answered(rule: Rule, reader: "_Reader", request: Json) -> Json:
    try:
        if request.get("op") != "replay.interp":
            raise _Refused({"skip": {"reason": f"no operation {request.get('op')}", "issue": ""}})
        if "path" not in request["input"]:
            raise _Refused({"skip": {"reason": "one archive at a time", "issue": ""}})
        args = request["args"]
        archive = reader.archive(request["input"]["path"])
        asked = [(name, archive.series(name)) for name in args["metrics"]]
        only = args.get("instances")
        chosen = [(name, [s for s in found if only is None or s.instance in (None, *only)]) for name, found in asked]
        return {"result": {"fetches": [_fetch(rule, archive, chosen, time) for time in _times(args)]}}
    except _Refused as refused:
        return refused.answer
    except Exception as error:
        return {"error": {"context": f"{type(error).__name__}: {error}"}}


def _fetch(rule: Rule, archive: "_Archive", asked: list[tuple[str, list[Series]]], time: int) -> Json:
    if not archive.start <= time <= archive.end:
        return {"time": _time_text(time), **_END_OF_LOG}
    metrics = []
    for name, found in asked:
        values = [
            {"instance": series.instance, "type": series.type, "value": _value_text(value, series.type)}
            for series in found
            if (value := rule(series, time)) is not None
        ]
        metrics.append({"metric": name, "status": 0, "values": values})
    return {"time": _time_text(time), "status": 0, "metrics": metrics}


def _times(args: Json) -> Iterator[int]:
    if "fetches" in args:
        yield from (_nanoseconds(fetch["time"]) for fetch in args["fetches"])
    else:
        start, interval = _nanoseconds(args["start"]), _nanoseconds(args["interval"])
        yield from (start + k * interval for k in range(args["count"]))


class _Archive:
    """What is recorded in an archive, read when it is first asked for."""

    def __init__(self, reader: "_Reader", path: str) -> None:
        self._reader, self._path = reader, path
        self._series: dict[str, list[Series]] = {}
        told = reader.ask("archive.describe", path, {})
        self._descriptors: dict[str, Json] = {n: metric["descriptor"] for metric in told["metrics"] for n in metric["names"]}
        self.start = _nanoseconds(told["start"])
        self.end = _nanoseconds(told["end"]) if told["end"] is not None else self.start - 1
        self._marks = sorted(reader.marks(path))

    def series(self, metric: str) -> list[Series]:
        if metric not in self._series:
            self._series[metric] = self._read(metric)
        return self._series[metric]

    def _read(self, metric: str) -> list[Series]:
        if metric not in self._descriptors:
            raise _Refused({"reject": {"class": "replay.refused", "message": f"there is no {metric}"}})
        count, fetches = _RECORDS, self._records(metric, _RECORDS)
        while fetches and fetches[-1]["status"] == 0:
            count *= 8
            fetches = self._records(metric, count)
        found: dict[int | None, Series] = {}
        for fetch in fetches:
            for value in fetch["metrics"][0]["values"] if fetch["status"] == 0 else ():
                series = found.get(value["instance"])
                if series is None:
                    about = (value["type"], self._descriptors[metric]["semantics"], self._marks)
                    series = found[value["instance"]] = Series(metric, value["instance"], *about)
                series.observations.append(Observation(_nanoseconds(fetch["time"]), _value(value["value"], series.type)))
        for series in found.values():
            series.observations.sort(key=_time)
        return [found[key] for key in sorted(found, key=lambda key: -1 if key is None else key)]

    def _records(self, metric: str, count: int) -> list[Json]:
        args = {"metrics": [metric], "start": _time_text(self.start), "count": count}
        fetches: list[Json] = self._reader.ask("replay.raw", self._path, args)["fetches"]
        return fetches


class _Reader:
    """The pmproof that reads archives. Keeps what it read of the last one."""

    def __init__(self) -> None:
        if "PMPROOF" not in os.environ:
            sys.exit("PMPROOF does not name the pmproof that reads archives; pmproof rules diff sets it")
        self._pmproof = os.environ["PMPROOF"]
        self._process = subprocess.Popen([self._pmproof, "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._last: tuple[str, _Archive] | None = None

    def archive(self, path: str) -> _Archive:
        if self._last is None or self._last[0] != path:
            self._last = (path, _Archive(self, path))
        return self._last[1]

    def ask(self, operation: str, path: str, args: Json) -> Json:
        """The result. Raises _Refused with another answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        request = {"cmd": "run", "seq": "k", "op": operation, "input": {"path": path}, "args": args}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        answer: Json = json.loads(self._process.stdout.readline())
        del answer["seq"]
        if "result" not in answer:
            raise _Refused(answer)
        result: Json = answer["result"]
        return result

    def marks(self, path: str) -> list[int]:
        command = [self._pmproof, "dump", "--format", "jsonl", path]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            return [_nanoseconds(json.loads(line)["time"]) for line in process.stdout if b'"type":"mark"' in line]


def _time(observation: Observation) -> int:
    return observation.time


def _nanoseconds(text: str) -> int:
    whole, _, fraction = text.lstrip("-").partition(".")
    total = int(whole) * _BILLION + int(fraction[:9].ljust(9, "0"))
    return -total if text.startswith("-") else total


def _time_text(time: int) -> str:
    sign = "-" if time < 0 else ""
    return f"{sign}{abs(time) // _BILLION}.{abs(time) % _BILLION:09d}"


def _value(text: str, kind: str) -> Value:
    return int(text) if kind in _INTEGERS else float(text) if kind in _FLOATS else text


def _value_text(value: Value, kind: str) -> str:
    if kind in _INTEGERS:
        return str(int(value + 0.5) if isinstance(value, float) else int(value))
    return repr(float(value)) if kind in _FLOATS else str(value)
