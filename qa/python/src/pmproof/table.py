# SPDX-License-Identifier: Apache-2.0
"""Answers as a table of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy
import pandas

from pmproof.answers import FLOATS, INTEGERS, Answer

_MOST = 2**63 - 1


def table_of(answers: Iterable[Answer]) -> pandas.DataFrame:
    """See Replay.to_pandas()."""
    times: list[int] = []
    columns: dict[str, list[Any]] = {"metric": [], "instance": [], "name": [], "value": [], "clause": []}
    types: set[str] = set()
    for answer in answers:
        for value in answer.values:
            if not -_MOST <= answer.time.ns <= _MOST:  # the one below is pandas' word for none
                raise OverflowError(f"{answer.metric} at {answer.time}: 64 bits of nanoseconds do not hold that time")
            times.append(answer.time.ns)
            columns["metric"].append(answer.metric)
            for name in ("instance", "name", "value", "clause"):
                columns[name].append(getattr(value, name))
            types.add(value.type)
    table = pandas.DataFrame({"time": pandas.to_datetime(pandas.Series(times, dtype="int64"), unit="ns", utc=True)})
    table["metric"] = pandas.Series(columns["metric"], dtype="object")
    table["instance"] = pandas.array(columns["instance"], dtype="Int64")
    table["name"] = pandas.Series(columns["name"], dtype="object")
    table["value"] = _values(columns["value"], types)
    if any(clause is not None for clause in columns["clause"]):
        table["clause"] = pandas.Series(columns["clause"], dtype="object")
    return table


def _values(values: list[Any], types: set[str]) -> pandas.Series:
    """Never in a type that changes one of them."""
    if types and types <= INTEGERS:
        least, most = min(values), max(values)
        for kind in (numpy.int64, numpy.uint64):
            if numpy.iinfo(kind).min <= least and most <= numpy.iinfo(kind).max:
                return pandas.Series(values, dtype=kind)
    if types and types <= FLOATS:
        return pandas.Series(values, dtype="float64")
    return pandas.Series(values, dtype="object")
