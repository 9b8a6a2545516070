# SPDX-License-Identifier: Apache-2.0
"""The archives that expressions are evaluated over, as pmproof-archive/1 descriptions: small, and hard for replay.

Their metrics are called TYPE.SEMANTICS.DOMAIN.UNITS, such as u64.c.a.kbyte; domain s is singular. Each archive has some
of all combinations, each once in a while without a value or with an error.
"""

import random
from typing import Any

TYPES = {"i32": "32", "u32": "u32", "i64": "64", "u64": "u64", "flt": "float", "dbl": "double", "str": "string"}
SEMANTICS = {"c": "counter", "i": "instant", "d": "discrete"}
DOMAINS: dict[str, str | None] = {"s": None, "a": "60.1", "b": "60.2", "c": "60.3"}

Json = dict[str, Any]


def word(space: tuple[int, int] = (0, 0), time: tuple[int, int] = (0, 0), count: tuple[int, int] = (0, 0)) -> int:
    """Of a dimension and a scale each (MET-201)."""
    dimensions, scales = (space[0], time[0], count[0]), (space[1], time[1], count[1])
    value = 0
    for nibble in dimensions + scales:
        value = value << 4 | nibble & 0xF
    return value << 8


UNITS = {
    "none": 0,
    "byte": word(space=(1, 0)),
    "kbyte": word(space=(1, 1)),
    "sec": word(time=(1, 3)),
    "msec": word(time=(1, 2)),
    "count": word(count=(1, 0)),
    "mbyte": word(space=(1, 2)),
    "tbyte": word(space=(1, 4)),
    "byte2": word(space=(2, 0)),
    "kbyte2": word(space=(2, 1)),
    "nsec": word(time=(1, 0)),
    "hour": word(time=(1, 5)),
    "sec7": word(time=(7, 3)),
    "persec": word(time=(-1, 3)),
    "kcount": word(count=(1, 3)),
    "percount": word(count=(-1, 0)),
    "bytepersec": word(space=(1, 0), time=(-1, 3)),
    "mbyteperhour": word(space=(1, 2), time=(-1, 5)),
    # PCP 7.2; padding before.
    "celsius": 1 << 3 | 1,
    "fahrenheit": 1 << 3 | 2,
    "watt": 4 << 3 | 2,
    "wattpersec": word(time=(-1, 3)) | 4 << 3 | 2,
    "perwatt": (-4 & 0x1F) << 3 | 2,
}
_COMMON = ("none", "byte", "kbyte", "sec", "msec", "count")
_NAMES = ("a0", "a1 one", "b2 two", "a.b/c", "disk 3", "z\\x")
_ERRORS = (-12351, -12389)  # PM_ERR_VALUE, PM_ERR_AGAIN


class _Values:
    """Of one metric and instance, from record to record."""

    def __init__(self, chance: random.Random, kind: str, counter: bool) -> None:
        self._chance, self._kind, self._counter = chance, kind, counter
        bits = 32 if kind.endswith("32") else 64
        self._signed = kind.startswith("i")
        self._modulus = 1 << bits
        # Some are about to wrap, one in a few is always small.
        self._now = chance.choice((0, 5, 1000, self._modulus // 2 - 900, self._modulus - 2000))
        self._step = chance.choice((1, 40, 1000, 250_000))

    def next(self) -> int | str:
        if self._kind == "str":
            return self._chance.choice(("", "x", "some text", "0"))
        if self._counter and self._chance.random() < 0.93:
            self._now = (self._now + self._chance.randrange(self._step + 1)) % self._modulus
        else:
            large = self._chance.random() < 0.1
            self._now = self._chance.randrange(self._modulus) if large else self._chance.choice((0, 1, 7, 300, 1999))
        if self._kind in ("flt", "dbl"):
            fraction = self._now / self._chance.choice((1, 4, 7, -3))
            return repr(fraction)
        signed = self._now
        if self._signed and not self._counter and self._chance.random() < 0.3:
            signed = -signed % self._modulus
        if self._signed and signed >= self._modulus // 2:
            signed -= self._modulus
        return str(signed)


def description(seed: str, version: int, deltas: bool) -> Json:
    """Of an archive of that version; `deltas`: instance domains change by delta records (version 3)."""
    chance = random.Random(f"{seed}/{version}/{deltas}")
    metrics: dict[str, Json] = {}
    for t, (kind, name) in enumerate(TYPES.items()):
        for s, (letter, semantics) in enumerate(SEMANTICS.items()):
            for d, (domain, indom) in enumerate(DOMAINS.items()):
                for u, (units, bits) in enumerate(UNITS.items()):
                    part = 0.6 if units in _COMMON else 0.12
                    if chance.random() >= part / (6 if kind == "str" else 1):
                        continue
                    metric: Json = {"pmid": f"60.{t * 12 + s * 4 + d}.{u + 1}", "type": name}
                    metric |= {"semantics": semantics, "units": bits}
                    if indom:
                        metric["indom"] = indom
                    metrics[f"{kind}.{letter}.{domain}.{units}"] = metric
    times = [0.0]
    for _ in range(chance.randrange(14, 22)):
        times.append(times[-1] + chance.choice((10, 10, 10, 3, 25, round(chance.uniform(0.2, 12), 6))))
    marks = set(chance.sample(range(2, len(times) - 2), chance.randrange(1, 3)))
    described: Json = {"schema": "pmproof-archive/1", "version": version, "epoch": "1700000000", "metrics": metrics}
    described["indoms"] = _indoms(chance, times, deltas)
    described["records"] = _records(chance, metrics, times, marks, _candidates(described["indoms"]))
    described["index"] = chance.choice(("none", "all"))
    return described


def _indoms(chance: random.Random, times: list[float], deltas: bool) -> list[Json]:
    told: list[Json] = []
    changes: list[Json] = []
    middle = times[len(times) // 2]
    for indom in ("60.1", "60.2", "60.3"):
        ids = sorted(chance.sample(range(12), 4))
        names = dict(zip(map(str, ids), chance.sample(_NAMES, 4), strict=True))
        told.append({"indom": indom, "time": _time(0), "instances": names})
        gone, come = str(ids[1]), str(ids[3] + 1)
        # One goes, and one comes: under the name of the other in the third domain (DER-1113).
        fresh = names[gone] if indom == "60.3" else f"new {come}"
        if deltas:
            changes.append({"indom": indom, "time": _time(middle), "delta": {gone: None, come: fresh}})
        else:
            later = {number: name for number, name in names.items() if number != gone} | {come: fresh}
            changes.append({"indom": indom, "time": _time(middle), "instances": later})
    return told + changes


def _candidates(indoms: list[Json]) -> dict[str, list[int]]:
    """Of each domain the instances that any record of it lists."""
    found: dict[str, set[int]] = {}
    for told in indoms:
        found.setdefault(told["indom"], set()).update(map(int, told.get("instances") or told["delta"]))
    return {indom: sorted(instances) for indom, instances in found.items()}


def _records(
    chance: random.Random, metrics: dict[str, Json], times: list[float], marks: set[int], listed: dict[str, list[int]]
) -> list[Json]:
    values: dict[tuple[str, int], _Values] = {}
    told: list[Json] = []
    for number, time in enumerate(times):
        if number in marks:
            told.append({"mark": _time(time)})
            continue
        readings: Json = {}
        for name, metric in metrics.items():
            kind, letter = name.split(".")[:2]
            draw = chance.random()
            if draw < 0.10:
                continue
            if draw < 0.12:
                readings[name] = chance.choice((None, {"error": chance.choice(_ERRORS)}))
                continue

            def next_of(instance: int, name: str = name, kind: str = kind, letter: str = letter) -> int | str:
                key = (name, instance)
                if key not in values:
                    values[key] = _Values(chance, kind, letter == "c")
                return values[key].next()

            if "indom" not in metric:
                readings[name] = next_of(-1)
                continue
            instances = [i for i in listed[metric["indom"]] if chance.random() < 0.9]
            readings[name] = {str(i): next_of(i) for i in instances} or None
        if readings:
            told.append({"time": _time(time), "values": readings})
    return told


def _time(seconds: float) -> str:
    return f"{seconds:.6f}"
