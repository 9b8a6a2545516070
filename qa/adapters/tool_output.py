# SPDX-License-Identifier: Apache-2.0
"""What a tool printed, as records: `pmproof compare --tool T --parse FILE` reads it, here it is only asked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qa.adapters.tool_run import Done, Limits, ToolError, run

Json = dict[str, Any]

SCHEMA = "pmproof-tool-output/1"


@dataclass(frozen=True)
class Parser:
    """`pmproof`: the program that has the parser."""

    pmproof: str

    def records(self, tool: str, output: bytes, options: Sequence[str] = ()) -> list[Json]:
        """Raises ToolError where there is nothing to read, or a line that has no meaning by any rule (OUT-)."""
        if not output:
            return []  # which pmproof takes for a mistake
        argv = [self.pmproof, "compare", "--tool", tool, "--parse", "/dev/stdin", *options]
        done = run(argv, Limits(), stdin=output, name="pmproof compare")
        lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
        if len(lines) < 2 or lines[0].get("schema") != SCHEMA or not lines[-1].get("footer", {}).get("complete"):
            raise ToolError(f"the parser of tools' output says: {done.stderr.strip() or f'status {done.status}'}")
        for record in lines[1:-1]:
            if record.get("kind") == "unparsed":
                raise ToolError(f"{tool} printed what no rule knows ({record.get('clause', 'OUT-')}): {record['text']!r}")
        return lines[1:-1]

    def of(self, tool: str, done: Done, options: Sequence[str] = ()) -> list[Json]:
        return self.records(tool, done.stdout, options)
