# SPDX-License-Identifier: Apache-2.0
"""Operation tool.run: one run of a tool with the command line that was asked for, and what it printed, line by line."""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from qa.adapters.tool_archive import paths_of
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import ToolError, Tools

# Nothing else is run, whatever else lies where the tools are.
TOOLS = ("pmdumplog", "pmval", "pminfo", "pmrep", "pmlogsummary", "pmprobe", "pmlogcheck", "pmevent", "pmlogsize", "pmstat")
VARIABLES = ("TZ", "PCP_COUNTER_WRAP", "PCP_SQUASH_NEWLINES")
_NO_BYTES_OF_UTF8 = re.compile(r"[\udc80-\udcff]")
_LIKE_SUCH_A_BYTE = re.compile(r"\\(?=x[0-9a-f]{2})")


def run(tools: Tools, source: Json, args: Json) -> Json:
    """Raises ToolError where the tool does not end by itself, and for a request that makes no sense."""
    tool, environment = args["tool"], args.get("environment", {})
    if tool not in TOOLS:
        raise ToolError(f"{tool!r} is none of the tools")
    if strange := set(environment) - set(VARIABLES):
        raise ToolError(f"{min(strange)!r} is none of the variables")
    with tempfile.TemporaryDirectory(prefix="pmproof-empty-") as folder:
        empty = Path(folder) / "empty"
        empty.touch()
        words = _words(source) | {"{empty}": str(empty)}
        arguments = [_replaced(argument, words) for argument in args["arguments"]]
        done = tools.run([tool, *arguments], environment, [empty])
    back = {word: name for name, word in reversed(words.items())}
    stderr = done.stderr.encode("utf-8", "replace")
    return {"status": done.status, "stdout": _lines(done.stdout, back), "stderr": _lines(stderr, back)}


def _words(source: Json) -> dict[str, str]:
    """What placeholders stand for."""
    paths = source.get("paths", [])
    return {"{archive}": paths_of(source)} | {f"{{archive.{number}}}": path for number, path in enumerate(paths, 1)}


def _replaced(text: str, words: Mapping[str, str]) -> str:
    return re.sub("|".join(map(re.escape, sorted(words, key=len, reverse=True))), lambda found: words[found[0]], text)


def _lines(output: bytes, words: Mapping[str, str]) -> list[str]:
    r"""A byte that is not part of UTF-8 stands in them as \xNN, as in all texts of the protocol."""
    text = _LIKE_SUCH_A_BYTE.sub(r"\\x5c", output.decode("utf-8", "surrogateescape"))
    text = _NO_BYTES_OF_UTF8.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)
    return _replaced(text, words).removesuffix("\n").split("\n") if text else []
