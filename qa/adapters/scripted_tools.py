# SPDX-License-Identifier: Apache-2.0
"""For tests of the adapter to PCP's tools: scripts in place of the tools that print what real ones were seen to print."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema

from qa.adapters import tool_program, tool_run
from qa.adapters.tool_archive import Archives
from qa.adapters.tool_output import Parser
from qa.golden import as_shown

Json = dict[str, Any]

PMPROOF = os.path.abspath(os.environ["PMPROOF"])
SCHEMA = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
ARCHIVE = {"path": "/data/archive"}

LABEL = """\
Log Label (Log Format Version 3)
Performance metrics from host localhost
    commencing Tue Nov 14 22:13:20.000000000 2023
    ending     Tue Nov 14 22:14:59.000000000 2023
"""


def descriptor(metric: str, kind: str = "32-bit unsigned int", indom: str = "PM_INDOM_NULL 0xffffffff") -> str:
    return f"\n{metric}\n    Data Type: {kind}  InDom: {indom}\n    Semantics: counter  Units: none\n"


class Scripts:
    """A folder of programs. Each prints what belongs to the first of its patterns that its arguments match."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.says("pmval", {"*--version*": "pmval version 6.0.3\n"})
        self.says("pmdumplog", {"*": LABEL})
        self.says("pminfo", {"*": descriptor("m.counter")})
        self.says("pmprobe", {"*": "m.counter 1 PM_IN_NULL PM_IN_NULL\n"})

    def says(self, tool: str, answers: Mapping[str, str], stderr: str = "", status: int = 0) -> None:
        lines = []
        for number, (pattern, text) in enumerate(answers.items()):
            told = self.folder / f"{tool}.{number}"
            told.write_text(text, encoding="utf-8")
            (self.folder / f"{tool}.stderr").write_text(stderr, encoding="utf-8")
            lines.append(f"{pattern}) cat '{told}'; cat '{self.folder / tool}.stderr' >&2; exit {status} ;;")
        self.does(tool, 'case "$*" in\n' + "\n".join(lines) + "\nesac\nexit 99")

    def does(self, tool: str, script: str) -> None:
        path = self.folder / tool
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def answer(self, operation: str, source: Json = ARCHIVE, limits: tool_run.Limits = tool_run.Limits(), **args: Any) -> Json:
        tools = tool_run.Tools(tool_run.of_folder(self.folder), "6.0.3", limits)
        request = {"cmd": "run", "seq": "k", "op": operation, "input": source, "args": args}
        told = tool_program.answer(Archives(tools, Parser(PMPROOF)), request)
        if "result" in told:
            schema = {"$ref": f"#/$defs/{operation}.result", "$defs": SCHEMA["$defs"]}
            jsonschema.Draft202012Validator(schema).validate(as_shown.stripped(told["result"]))
            schema["$ref"] = "#/$defs/reply"
            jsonschema.Draft202012Validator(schema).validate({"seq": "k", **told})
        return told

    def replay(self, *metrics: str, limits: tool_run.Limits = tool_run.Limits(), **more: Any) -> Json:
        args: Json = {"metrics": list(metrics) or ["m.counter"], "start": "1700000000", "interval": "25", "count": 5} | more
        return self.answer("replay.interp", limits=limits, **args)
