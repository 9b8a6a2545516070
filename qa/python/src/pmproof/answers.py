# SPDX-License-Identifier: Apache-2.0
"""What `pmproof replay --format jsonl` prints: an object for each metric and time, a line each."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union

from pmproof.decode import NotDecodable
from pmproof.times import Time

Data = Union[int, float, str, bytes]

INTEGERS = frozenset({"32", "u32", "64", "u64"})
FLOATS = frozenset({"float", "double"})


@dataclass(frozen=True)
class Bound:
    """One of the two neighbours that a value follows from; `kind` is "value", "mark", "damage" or "none".

    `value` is that of a number, as printed.
    """

    kind: str
    time: Optional[Time] = None
    record: Optional[int] = None
    value: Optional[str] = None


@dataclass(frozen=True)
class Value:
    """The value of an instance. `instance` and `name` are None of a metric without instances.

    `value` is an int where `type` is 32, u32, 64 or u64; a float where it is float or double; else a str, or bytes where
    it is no text. `clause` is there if reasons were asked for; beside it `prior` and `next`, or of a derived metric
    `operands`. `deviations` are those of the emulated version of PCP.
    """

    instance: Optional[int]
    name: Optional[str]
    type: str
    value: Data
    clause: Optional[str] = None
    prior: Optional[Bound] = None
    next: Optional[Bound] = None
    operands: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Missing:
    """A value that the emulated version of PCP does not give."""

    instance: Optional[int]
    deviations: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """The values of a metric at a time. `status` is 0, or PCP's error code, with `error`, its name, and `message`.

    A status of 0 without values says that there are none at that time.
    """

    time: Time
    metric: str
    status: int
    values: tuple[Value, ...]
    error: Optional[str] = None
    message: Optional[str] = None
    deviations: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()


def answer_of(line: bytes) -> Answer:
    """Returns what a line says.

    Raises NotDecodable.
    """
    try:
        told = json.loads(line)
        return Answer(
            time=Time.parse(told["time"]),
            metric=str(told["metric"]),
            status=int(told["status"]),
            values=tuple(_value(each) for each in told["values"]),
            error=told.get("error"),
            message=told.get("message"),
            deviations=tuple(told.get("deviations", ())),
            missing=tuple(Missing(each["instance"], tuple(each["deviations"])) for each in told.get("missing", ())),
        )
    except KeyError as error:
        raise NotDecodable(f"{error.args[0]} is missing in {line[:200]!r}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise NotDecodable(f"{error} in {line[:200]!r}") from error


def _value(told: Mapping[str, Any]) -> Value:
    kind = told["type"]
    clause = told.get("clause")
    if clause is None and "deviations" not in told:
        return Value(told["instance"], told.get("name"), kind, _data(kind, told["value"]))
    return Value(
        told["instance"],
        told.get("name"),
        kind,
        _data(kind, told["value"]),
        clause,
        _bound(told.get("prior")),
        _bound(told.get("next")),
        tuple(told.get("operands", ())),
        tuple(told.get("deviations", ())),
    )


def _data(kind: str, text: str) -> Data:
    if kind in INTEGERS:
        return int(text)
    if kind in FLOATS:
        return float(text)
    if text.startswith("base64:"):
        return base64.b64decode(text[len("base64:") :], validate=True)
    return text


def _bound(told: Optional[Mapping[str, Any]]) -> Optional[Bound]:
    if told is None:
        return None
    time = told.get("time")
    return Bound(told["kind"], None if time is None else Time.parse(time), told.get("record"), told.get("value"))
