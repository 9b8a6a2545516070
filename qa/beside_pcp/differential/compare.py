# SPDX-License-Identifier: Apache-2.0
"""libpcp's answers beside those of the reference and of the emulation, bit for bit.

An answer is what one fetch says of one metric. Plain steps must be answered as the reference does, or else exactly as
the emulation of that version does, which then names its deviation. Seeks must be answered as the emulation does, order
of instances included. Once the emulation says that PCP's memory is destroyed, nothing of that context is compared, and
a crash from there on is explained.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from qa.adapters.testee import Outcome
from qa.beside_pcp.differential.contents import nanoseconds

Json = dict[str, Any]

READING_FAULT = "DEV-24"
# What the emulation says where it knows no name.
NO_NAME = "unexplained"


@dataclass
class Comparison:
    """Of one context, or of many. What is unexplained is a fault of somebody."""

    contexts: int = 0
    fetches: int = 0
    answers: int = 0
    values: int = 0
    as_reference: int = 0  # answers
    as_emulated: int = 0  # answers that were compared with the emulation and are as it says
    deviations: Counter[str] = field(default_factory=Counter)  # answers that differ from the reference
    undefined: Counter[str] = field(default_factory=Counter)  # contexts of which the rest was not compared
    crashes: Counter[str] = field(default_factory=Counter)  # contexts that ended in one, and why
    aside: Counter[str] = field(default_factory=Counter)  # contexts that the emulation does not model, and why
    unexplained: list[str] = field(default_factory=list)

    def add(self, other: "Comparison") -> None:
        self.contexts += other.contexts
        self.fetches += other.fetches
        self.answers += other.answers
        self.values += other.values
        self.as_reference += other.as_reference
        self.as_emulated += other.as_emulated
        self.deviations += other.deviations
        self.undefined += other.undefined
        self.crashes += other.crashes
        self.aside += other.aside
        self.unexplained += other.unexplained

    def fault(self, text: str) -> None:
        self.unexplained.append(text)


@dataclass(frozen=True)
class Circumstances:
    """`faulty_reading` are metrics that this version reads wrongly from this archive, or crashes over (DEV-24)."""

    faulty_reading: frozenset[str] = frozenset()


def compare_plain(
    actual: Outcome,
    reference: Outcome,
    emulate: Callable[[], Outcome],
    circumstances: Circumstances = Circumstances(),
) -> Comparison:
    """`emulate` is asked only where the reference does not say it all."""
    found = Comparison(contexts=1)
    if reference.kind != "result" or (actual.kind not in ("result", "crash", "timeout")):
        if (actual.kind, reference.kind) != ("reject", "reject"):
            found.fault(f"libpcp: {actual}; the reference: {reference}")
        return found
    expected = reference.fetches
    if actual.kind == "result" and len(actual.fetches) == len(expected):
        differing = [i for i, (one, other) in enumerate(zip(actual.fetches, expected)) if not _same(one, other)]
        if not differing:
            for fetch in expected:
                _count(found, fetch)
                found.as_reference += len(fetch.get("metrics", ()))
            return found
    emulated = emulate()
    if emulated.kind == "skip" and actual.kind == "result":
        found.aside[emulated.message] += 1
        return found
    if emulated.kind != "result":
        found.fault(f"libpcp differs from the reference, and the emulation: {emulated}")
        return found
    _compare(found, actual, emulated.fetches, circumstances, expected)
    return found


def compare_seeks(actual: Outcome, emulated: Outcome, circumstances: Circumstances = Circumstances()) -> Comparison:
    found = Comparison(contexts=1)
    if emulated.kind == "skip" and actual.kind == "result":
        found.aside[emulated.message] += 1
        return found
    if emulated.kind != "result" or actual.kind not in ("result", "crash", "timeout"):
        if (actual.kind, emulated.kind) != ("reject", "reject"):
            found.fault(f"libpcp: {actual}; the emulation: {emulated}")
        return found
    _compare(found, actual, emulated.fetches, circumstances, None)
    return found


def compare_set(actual: Outcome, reference: Outcome, excuse: Callable[[str], str], end: int) -> Comparison:
    """Archive sets are not emulated (INT-1408): what differs is counted under `excuse`, which says of a metric what
    that may come from, if anything. A crash comes from what one of the metrics may have brought on.

    `end`: the time of the last record. What libpcp says after it depends on the member that it is in (INT-206).
    """
    found = Comparison(contexts=1)
    if reference.kind != "result" or actual.kind not in ("result", "crash", "timeout"):
        if (actual.kind, reference.kind) != ("reject", "reject"):
            found.fault(f"libpcp: {actual}; the reference: {reference}")
        return found
    for place, (told, expected) in enumerate(zip(actual.fetches, reference.fetches)):
        _count(found, expected)
        if (told["time"], told["status"]) != (expected["time"], expected["status"]):
            if told["time"] == expected["time"] and nanoseconds(told["time"]) > end:
                found.deviations["INT-206"] += 1
            else:
                found.fault(f"fetch {place}: libpcp {_brief(told)}, the reference {_brief(expected)}")
            continue
        for one, other in zip(told.get("metrics", ()), expected.get("metrics", ())):
            if _sorted(one) == _sorted(other):
                found.as_reference += 1
            elif name := excuse(one["metric"]):
                found.deviations[name] += 1
            else:
                found.fault(f"fetch {place} at {told['time']}: libpcp {_brief(one)}, the reference {_brief(other)}")
    if actual.kind != "result":
        metrics = [metric["metric"] for fetch in reference.fetches for metric in fetch.get("metrics", ())]
        if name := next(filter(None, map(excuse, metrics)), ""):
            found.crashes[name] += 1
        else:
            found.fault(f"{actual} in fetch {len(actual.fetches)}")
    elif len(actual.fetches) != len(reference.fetches):
        found.fault(f"libpcp has {len(actual.fetches)} fetches, the reference {len(reference.fetches)}")
    return found


def _compare(
    found: Comparison,
    actual: Outcome,
    emulated: Sequence[Json],
    circumstances: Circumstances,
    reference: Sequence[Json] | None,
) -> None:
    undefined = next((i for i, fetch in enumerate(emulated) if "undefined" in fetch), None)
    end = len(emulated) if undefined is None else undefined
    compared = actual.fetches[:end]
    for place, told in enumerate(compared):
        _count(found, told)
        _compare_fetch(found, place, told, emulated[place], circumstances, reference[place] if reference else None)
    if undefined is not None and len(actual.fetches) >= undefined:
        found.undefined[emulated[undefined]["undefined"]] += 1
        if actual.kind != "result":
            found.crashes[emulated[undefined]["undefined"]] += 1
    elif actual.kind != "result":
        if circumstances.faulty_reading:
            found.crashes[READING_FAULT] += 1
        else:
            found.fault(f"{actual} in fetch {len(actual.fetches)}, where the emulation sees no harm")
    elif len(actual.fetches) != len(emulated):
        found.fault(f"libpcp has {len(actual.fetches)} fetches, the emulation {len(emulated)}")


def _compare_fetch(
    found: Comparison,
    place: int,
    told: Json,
    emulated: Json,
    circumstances: Circumstances,
    reference: Json | None,
) -> None:
    where = f"fetch {place} at {told['time']}"
    metrics = told.get("metrics", [])
    wanted = emulated.get("metrics", [])
    if (told["time"], told["status"], len(metrics)) != (emulated["time"], emulated["status"], len(wanted)):
        found.fault(f"{where}: libpcp {_brief(told)}, the emulation {_brief(emulated)}")
        return
    expected = reference.get("metrics", []) if reference else []
    if reference is not None and (told["status"] != reference["status"] or len(expected) != len(metrics)):
        found.fault(f"{where}: libpcp and the emulation {_brief(told)}, the reference {_brief(reference)}")
        return
    for number, (one, other) in enumerate(zip(metrics, wanted)):
        named = other.get("deviations", [])
        if any(one[key] != other[key] for key in ("metric", "status", "values")):
            if one["metric"] in circumstances.faulty_reading and _lacks_instances(one, other):
                found.deviations[READING_FAULT] += 1
            else:
                found.fault(f"{where}: libpcp {_brief(one)}, the emulation {_brief(other)}")
            continue
        found.as_emulated += 1
        if reference is None:
            found.as_reference += not named
        elif _sorted(one) == _sorted(expected[number]):
            found.as_reference += 1
            continue
        elif not named or NO_NAME in named:
            found.fault(
                f"{where}: libpcp and the emulation {_brief(one)}, which names no deviation from the reference"
                f" {_brief(expected[number])}"
            )
        if reference is None and NO_NAME in named:
            found.fault(f"{where}: libpcp and the emulation {_brief(one)}, which differs from the reference, unnamed")
        found.deviations.update(set(named) - {NO_NAME})


def _count(found: Comparison, fetch: Json) -> None:
    found.fetches += 1
    metrics = fetch.get("metrics", ())
    found.answers += len(metrics)
    found.values += sum([len(metric["values"]) for metric in metrics])


def _same(told: Json, expected: Json) -> bool:
    """Whatever the order of the instances, which is of no significance (INT-409)."""
    if told == expected:
        return True
    metrics, others = told.get("metrics", []), expected.get("metrics", [])
    if (told["time"], told["status"], len(metrics)) != (expected["time"], expected["status"], len(others)):
        return False
    return all(_sorted(one) == _sorted(other) for one, other in zip(metrics, others))


def _sorted(metric: Json) -> tuple[Any, ...]:
    values = sorted((value["instance"] or 0, value["type"], value["value"]) for value in metric["values"])
    return metric["metric"], metric["status"], values


def _lacks_instances(one: Json, other: Json) -> bool:
    there, wanted = _sorted(one)[2], _sorted(other)[2]
    return one["metric"] == other["metric"] and one["status"] == other["status"] and set(there) <= set(wanted)


def _brief(told: Json) -> str:
    if "metric" not in told:
        return f"{told['time']} status {told['status']} with {len(told.get('metrics', ()))} metrics"
    values = " ".join(f"{value['instance']}:{value['value']}" for value in told["values"][:30]) or "none"
    status = f" status {told['status']}" if told["status"] else ""
    return f"{told['metric']}{status} = {values}"
