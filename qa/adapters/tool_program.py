# SPDX-License-Identifier: Apache-2.0
"""An adapter (pmproof-testee/1) to PCP's command-line tools: one request at a time, answered out of what they print.

Which tool answers what stands in OPERATIONS; what cannot be told from a print is skipped with its reason, or is not_shown
in the answer.
"""

import json
import platform
import sys
from collections.abc import Callable
from typing import BinaryIO

from qa.adapters import pcp_versions, tool_command, tool_definitions, tool_dump, tool_metadata, tool_records, tool_replay
from qa.adapters.tool_archive import Archives, Question, paths_of
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Refusal, Skip, ToolError

PROTOCOL = 1
NAME = "pcp-tools"


def _replay_interp(archives: Archives, source: Json, args: Json) -> Json:
    return tool_replay.replay(archives, Question(paths_of(source), "", bool(args.get("counter_wrap"))), args, lenient=False)


def _derive_eval(archives: Archives, source: Json, args: Json) -> Json:
    question = tool_definitions.question_of(source, args, "derived")
    if args.get("raw"):
        return tool_records.raw(archives, question, args)
    return tool_replay.replay(archives, question, args, lenient=True)


def _tool_run(archives: Archives, source: Json, args: Json) -> Json:
    return tool_command.run(archives.tools, source, args)


OPERATIONS: dict[str, Callable[[Archives, Json, Json], Json]] = {
    "archive.describe": tool_metadata.describe,
    "archive.indom": tool_metadata.indom,
    "archive.labels": tool_metadata.labels,
    "archive.text": tool_metadata.text,
    "replay.interp": _replay_interp,
    "replay.raw": tool_dump.raw,
    "derive.parse": tool_definitions.parse,
    "derive.eval": _derive_eval,
    "tool.run": _tool_run,
}


def answer(archives: Archives, request: Json) -> Json:
    """Of a request to run something, without seq."""
    operation = request.get("op")
    if operation not in OPERATIONS:
        return {"skip": {"reason": f"no tool prints what {operation} asks for", "issue": ""}}
    try:
        return {"result": OPERATIONS[operation](archives, request["input"], request["args"])}
    except Skip as skip:
        return {"skip": {"reason": str(skip), "issue": ""}}
    except Refusal as refusal:
        return {"reject": {"class": refusal.name, "message": str(refusal)}}
    except ToolError as error:
        told = {"context": str(error)}
        return {"error": told | ({"outcome": error.outcome} if error.outcome else {})}
    except Exception as error:
        return {"error": {"context": f"{type(error).__name__}: {error}"}}


def hello(version: str) -> Json:
    dialect = pcp_versions.dialect_of(version)
    return {
        "ok": True,
        "protocol": PROTOCOL,
        "implementation": {
            "name": NAME,
            "version": version,
            "language": "C and Python, by its tools' output",
            "homepage": "https://pcp.io",
            "os": platform.platform(),
        },
        "capabilities": list(OPERATIONS),
        "rules": [pcp_versions.rule_of(version)],
        "dialects": [dialect] if dialect else [],
    }


def reply(line: bytes, archives: Archives) -> Json | None:
    """None ends the session."""
    try:
        request = json.loads(line)
        command = request["cmd"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {"seq": None, "error": {"context": "the line is not a request"}}
    if command == "hello":
        return hello(archives.tools.version) if request.get("protocol") == PROTOCOL else {"ok": False, "protocol": PROTOCOL}
    if command == "bye":
        return None
    if command != "run":
        return {"seq": request.get("seq"), "error": {"context": f"unknown command {command!r}"}}
    return {"seq": request.get("seq"), **answer(archives, request)}


def serve(archives: Archives, source: BinaryIO = sys.stdin.buffer) -> None:
    for line in source:
        told = reply(line, archives)
        if told is None:
            return
        sys.stdout.write(json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n")
        sys.stdout.flush()
