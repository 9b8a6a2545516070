# SPDX-License-Identifier: Apache-2.0
"""An archive by the import library of an installed PCP: run by that PCP's own Python, with its binding.

    python3 import_program.py REQUEST

REQUEST is a JSON file (importing.py). It stands alone: nothing of pmproof can be imported where it runs.
"""

import json
import sys
from typing import Any

from pcp import pmi

_NO_INDOM = 0xFFFFFFFF
# From 7.0 on pmiWrite has nanoseconds, and the library no other call, though its binding has.
HIGHRES = hasattr(pmi.LIBPCP_IMPORT, "pmiHighResWrite")


def do(log: Any, step: dict[str, Any], version: int) -> None:
    kind = step["do"]
    if kind == "metric":
        indom = _NO_INDOM if step["indom"] is None else step["indom"]
        log.pmiAddMetric(step["name"], step["pmid"], step["type"], indom, step["semantics"], log.pmiUnits(*step["units"]))
    elif kind == "instance":
        log.pmiAddInstance(step["indom"], step["name"], step["instance"])
    elif kind == "value":
        log.pmiPutValue(step["name"], step["instance"], step["value"])
    elif kind == "mark":
        log.pmiPutMark()
    elif HIGHRES and version == 3:
        log.pmiHighResWrite(step["seconds"], step["nanoseconds"])
    else:
        log.pmiWrite(step["seconds"], step["nanoseconds"] // (1000 if HIGHRES else 1))


def main() -> None:
    with open(sys.argv[1], encoding="ascii") as file:
        request = json.load(file)
    log = pmi.pmiLogImport(request["archive"])
    log.pmiSetVersion(request["version"])
    log.pmiSetHostname(request["host"])
    log.pmiSetTimezone(request["timezone"])
    for step in request["steps"]:
        try:
            do(log, step, request["version"])
        except Exception as error:
            sys.exit(f"{json.dumps(step)[:200]}: {error}")
    log.pmiEnd()


if __name__ == "__main__":
    main()
