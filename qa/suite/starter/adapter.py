#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A starter: an adapter to the suite in Python, with one operation, value.format, and of that one style, pmid.

Copy it, put your implementation behind run(), and grow from there: qa/suite/README.md.
"""

import json
import sys
from typing import Any

Json = dict[str, Any]


class Skip(Exception):
    """What this implementation does not do."""


class Reject(Exception):
    """An input that is refused: its class, such as "label.magic"."""


def value_format(_: Json, args: Json) -> Json:
    if args["style"] != "pmid":
        raise Skip(f"no style {args['style']}")
    number = int(args["value"])
    domain, cluster, item = number >> 22 & 0x1FF, number >> 10 & 0xFFF, number & 0x3FF
    if number == 0xFFFFFFFF:  # MET-132
        return {"text": "PM_ID_NULL"}
    if domain == 511 and item == 0:
        return {"text": f"{cluster}.*.*"}
    return {"text": f"{domain}.{cluster}.{item}"}


OPERATIONS = {"value.format": value_format}

HELLO: Json = {
    "ok": True,
    "protocol": 1,
    "implementation": {"name": "starter", "version": "0.1", "language": "Python"},
    "capabilities": list(OPERATIONS),
    "rules": [],  # of interpolation: there is no replay.interp yet
    "dialects": ["7.2.2"],  # the PCP version whose answers these are; leave it out if you can be told which
}


def run(request: Json) -> Json:
    """One of result, reject, skip and error."""
    operation = OPERATIONS.get(request["op"])
    if operation is None:
        return {"skip": {"reason": f"no operation {request['op']}"}}
    try:
        return {"result": operation(request["input"], request["args"])}
    except Skip as skip:
        return {"skip": {"reason": str(skip)}}
    except Reject as reject:
        return {"reject": {"class": str(reject)}}
    except Exception as error:
        return {"error": {"context": f"{type(error).__name__}: {error}"}}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        command = request.get("cmd")
        if command == "bye":
            return
        if command == "hello":
            answer = HELLO if request.get("protocol") == 1 else {"ok": False, "protocol": 1}
        elif command == "run":
            answer = {"seq": request.get("seq"), **run(request)}
        else:
            answer = {"seq": request.get("seq"), "error": {"context": f"no command {command}"}}
        print(json.dumps(answer), flush=True)  # one line, at once; all else goes to stderr


if __name__ == "__main__":
    main()
