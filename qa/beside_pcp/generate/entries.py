# SPDX-License-Identifier: Apache-2.0
"""What is in an archive, as typed values: the entries of pmproof-truth/1 (generators/schema/truth.schema.json).

Times are whole nanoseconds since 1970, strings are bytes. Floats are their bits, so that equal means the same value.
"""

import base64
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]

NANOSECONDS = 10**9
_FLOATS = {"float": ("=f", "=I"), "double": ("=d", "=Q")}
INTEGERS = ("32", "u32", "64", "u64")


@dataclass(frozen=True, slots=True)
class Desc:
    pmid: str
    names: tuple[bytes, ...]
    type: str
    semantics: str
    indom: str | None
    units: int  # the word


@dataclass(frozen=True, slots=True)
class IndomChange:
    """`instances` is what is in force from `time` on; `changes` is what a delta says (None: gone)."""

    time: int
    indom: str
    stored: str  # "full" or "delta"
    instances: Mapping[int, bytes]
    changes: tuple[tuple[int, bytes | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    name: bytes
    value: bytes
    flags: int


@dataclass(frozen=True, slots=True)
class LabelSet:
    instance: int | None
    json: bytes
    labels: tuple[Label, ...]
    status: int = 0


@dataclass(frozen=True, slots=True)
class Labels:
    time: int
    label_class: str
    identifier: int
    sets: tuple[LabelSet, ...]


@dataclass(frozen=True, slots=True)
class HelpText:
    text_type: int
    identifier: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Parameter:
    pmid: str
    type: str
    data: int | bytes


@dataclass(frozen=True, slots=True)
class EventRecord:
    time: int
    flags: int
    missed: int | None
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """`data` of an integer is the number, of a float its bits, of events their records, of all else the bytes."""

    instance: int | None
    type: str
    data: int | bytes | tuple[EventRecord, ...]


@dataclass(frozen=True, slots=True)
class ValueSet:
    pmid: str
    status: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One without sets is a mark."""

    time: int
    sets: tuple[ValueSet, ...]
    volume: int | None = None

    def value_count(self) -> int:
        return sum(len(value_set.values) for value_set in self.sets)


Entry = Desc | IndomChange | Labels | HelpText | Record


def to_time(text: str) -> int:
    """ "1.500000000" -> 1500000000; ValueError for a fraction that is out of range."""
    seconds, fraction = text.split(".")
    if len(fraction) != 9 or not fraction.isdecimal():
        raise ValueError(f"not a time in nanoseconds: {text!r}")
    nanoseconds = abs(int(seconds)) * NANOSECONDS + int(fraction)
    return -nanoseconds if seconds.startswith("-") else nanoseconds


def time_text(time: int) -> str:
    sign = "-" if time < 0 else ""
    return f"{sign}{abs(time) // NANOSECONDS}.{abs(time) % NANOSECONDS:09d}"


def to_bytes(text: str) -> bytes:
    prefix = "base64:"
    return base64.b64decode(text[len(prefix) :], validate=True) if text.startswith(prefix) else text.encode()


def float_bits(kind: str, number: float) -> int:
    as_float, as_word = _FLOATS[kind]
    (bits,) = struct.unpack(as_word, struct.pack(as_float, number))
    return int(bits)


def float_of(kind: str, bits: int) -> float:
    as_float, as_word = _FLOATS[kind]
    (number,) = struct.unpack(as_float, struct.pack(as_word, bits))
    return float(number)


def _to_data(told: Json) -> int | bytes:
    kind, text = told["type"], told["value"]
    if text.startswith("base64:"):  # no number either, if it is not as long as its type
        return to_bytes(text)
    if kind in _FLOATS:
        return int(told["bits"]) if "bits" in told else float_bits(kind, float(text))
    if kind in INTEGERS:
        return int(text)
    return to_bytes(text)


def _to_event(told: Json) -> EventRecord:
    parameters = tuple(Parameter(each["pmid"], each["type"], _to_data(each)) for each in told.get("parameters", ()))
    return EventRecord(to_time(told["time"]), told["flags"], told.get("missed"), parameters)


def _to_value(told: Json) -> Value:
    data: int | bytes | tuple[EventRecord, ...]
    data = tuple(map(_to_event, told["records"])) if "records" in told else _to_data(told)
    return Value(told["instance"], told["type"], data)


def to_record(told: Json) -> Record:
    sets = (
        ValueSet(each["pmid"], each["status"], tuple(map(_to_value, each["values"])))
        for each in told.get("metrics", ())
    )
    return Record(to_time(told["time"]), tuple(sets), told.get("volume"))


def to_desc(told: Json) -> Desc:
    names = tuple(map(to_bytes, told["names"]))
    kinds = told["metric_type"], told["semantics"]
    return Desc(told["pmid"], names, *kinds, told["indom"], told["units_word"])


def to_instances(told: Json) -> dict[int, bytes]:
    return {each["instance"]: to_bytes(each["name"]) for each in told["instances"]}


def to_indom_change(told: Json) -> IndomChange:
    changes = (
        (each["instance"], None if each["name"] is None else to_bytes(each["name"]))
        for each in told.get("changes", ())
    )
    return IndomChange(to_time(told["time"]), told["indom"], told["stored"], to_instances(told), tuple(changes))


def to_labels(told: Json) -> Labels:
    sets = []
    for each in told["sets"]:
        labels = (Label(to_bytes(one["name"]), to_bytes(one["value"]), one["flags"]) for one in each["labels"])
        sets.append(LabelSet(each["instance"], to_bytes(each["json"]), tuple(labels), each.get("status", 0)))
    return Labels(to_time(told["time"]), told["class"], told["identifier"], tuple(sets))


def to_help_text(told: Json) -> HelpText:
    return HelpText(told["text_type"], told["identifier"], to_bytes(told["text"]))


def to_entry(told: Json) -> Entry:
    """An entry of the log; KeyError for one of an unknown or undecoded kind."""
    decode: dict[str, Callable[[Json], Entry]] = {
        "desc": to_desc,
        "indom": to_indom_change,
        "labels": to_labels,
        "text": to_help_text,
        "mark": to_record,
        "result": to_record,
    }
    return decode[told["type"]](told)
