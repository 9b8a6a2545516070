# SPDX-License-Identifier: Apache-2.0
"""A `pmproof testee` that runs, with each reply held against the schema."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema

from validator.testing.run import PMPROOF

Json = dict[str, Any]

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))


def of(definition: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


REQUEST, REPLY = of("request"), of("reply")


class Session:
    """A testee that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None and process.stdout is not None
        self.process, self.to, self.source = process, process.stdin, process.stdout

    def raw(self, line: bytes) -> str:
        self.to.write(line + b"\n")
        self.to.flush()
        return self.source.readline().decode()

    def ask(self, line: bytes | Json) -> Json:
        text = self.raw(line if isinstance(line, bytes) else json.dumps(line).encode())
        reply: Json = json.loads(text)
        REPLY.validate(reply)
        if "result" in reply:
            operation = (json.loads(line) if isinstance(line, bytes) else line)["op"]
            of(f"{operation}.result").validate(reply["result"])
            # Compact, and a number is a number: equal answers are equal lines.
            ascii_alone = "fetches" not in reply["result"]
            assert text == json.dumps(reply, separators=(",", ":"), ensure_ascii=ascii_alone) + "\n"
        return reply

    def answer(self, operation: str, source: Json | None = None, /, **args: Any) -> Json:
        """The reply to a request of the protocol, without its seq."""
        request = {"cmd": "run", "seq": 1, "op": operation, "input": source or {}, "args": args}
        REQUEST.validate(request)
        return self._without_seq(request)

    def nonsense(self, operation: str, source: Any = None, /, **args: Any) -> Json:
        """The reply to a request that is none of the protocol."""
        request = {"cmd": "run", "seq": 1, "op": operation, "input": {} if source is None else source, "args": args}
        assert not REQUEST.is_valid(request), request
        return self._without_seq(request)

    def _without_seq(self, request: Json) -> Json:
        reply = self.ask(request)
        assert reply.pop("seq") == 1
        return reply

    def fetches(self, archive: Path, **args: Any) -> list[Json]:
        request = run(archive, **args)
        REQUEST.validate(request)
        reply = self.ask(request)
        assert "result" in reply, reply
        found: list[Json] = reply["result"]["fetches"]
        return found


@contextmanager
def open_session() -> Iterator[Session]:
    with subprocess.Popen([PMPROOF, "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        session = Session(process)
        yield session
        session.to.close()
        assert process.wait(60) == 0


def run(archive: Path, seq: str = "k1", **args: Any) -> Json:
    return {"cmd": "run", "seq": seq, "op": "replay.interp", "input": {"path": str(archive)}, "args": args}


def values(fetches: list[Json]) -> list[str]:
    """The only value of the only metric of each fetch."""
    return [fetch["metrics"][0]["values"][0]["value"] if fetch["status"] == 0 else fetch["error"] for fetch in fetches]
