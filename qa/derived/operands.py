"""An archive of metrics for expressions: all types, semantics, domains and many units, as a pmproof-archive/1 description.

    python3 qa/derived/operands.py > operands.json; pmproof generate --description operands.json ARCHIVE

A metric is called m.TYPE.SEMANTICS.DOMAIN.UNITS, such as m.u64.c.a.kbyte; domain s is singular.
"""

import json
import sys

TYPES = ("i32", "u32", "i64", "u64", "flt", "dbl", "str")
TYPE_NAMES = ("32", "u32", "64", "u64", "float", "double", "string")
SEMANTICS = {"c": "counter", "i": "instant", "d": "discrete"}
DOMAINS: dict[str, str | None] = {"s": None, "a": "60.1", "b": "60.2"}


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
    "mbyte": word(space=(1, 2)),
    "tbyte": word(space=(1, 4)),
    "byte2": word(space=(2, 0)),
    "kbyte2": word(space=(2, 1)),
    "nsec": word(time=(1, 0)),
    "msec": word(time=(1, 2)),
    "sec": word(time=(1, 3)),
    "hour": word(time=(1, 5)),
    "sec7": word(time=(7, 3)),
    "persec": word(time=(-1, 3)),
    "count": word(count=(1, 0)),
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


def description() -> dict[str, object]:
    metrics: dict[str, object] = {}
    for t, (kind, name) in enumerate(zip(TYPES, TYPE_NAMES, strict=True)):
        for s, (letter, semantics) in enumerate(SEMANTICS.items()):
            for d, (domain, indom) in enumerate(DOMAINS.items()):
                for u, (units, bits) in enumerate(UNITS.items()):
                    metric: dict[str, object] = {"pmid": f"60.{t * 9 + s * 3 + d}.{u + 1}", "type": name}
                    metric |= {"semantics": semantics, "units": bits}
                    if indom:
                        metric["indom"] = indom
                    metrics[f"m.{kind}.{letter}.{domain}.{units}"] = metric
    return {
        "schema": "pmproof-archive/1",
        "epoch": "1700000000",
        "metrics": metrics,
        "indoms": [
            {"indom": indom, "time": 0, "instances": {"0": "a0", "1": "a1 one", "2": "b"}}
            for indom in ("60.1", "60.2")
        ],
        "records": [{"time": 10 * k, "values": {"m.i32.i.s.none": k}} for k in range(3)],
    }


if __name__ == "__main__":
    json.dump(description(), sys.stdout)
