# SPDX-License-Identifier: Apache-2.0
"""An adapter (pmproof-testee/1) to the libpcp of the PCP that it runs in.

    python3 -m qa.adapters.pcp_program VERSION

Beside the modules that it imports from its folder it stands alone: nothing of pmproof can be imported where it runs.
Real libpcp crashes and loops on some inputs, what it writes where it should not may show much later, and what is
registered stays; so each request is answered by a child of its own, which is also a fresh process for what libpcp reads
once for each (INT-802, DER-303). Of a child that dies the fetches before are told:

    {"seq": "k1", "error": {"context": "...", "outcome": "crash" | "timeout", "fetches": [...]}}
"""

import gc
import json
import os
import platform
import resource
import signal
import sys
from collections.abc import Callable, Mapping

from qa.adapters import pcp_archive, pcp_replay, pcp_values, pcp_versions
from qa.adapters.pcp_library import Json, Refusal, Skip

PROTOCOL = 1
CPU_SECONDS, REAL_SECONDS = 5.0, 40.0  # of one request

# Those whose result is a list of fetches tell each of them, the others one result.
FETCHING = ("replay.interp", "replay.raw", "derive.eval")
Operations = Mapping[str, Callable[[Json, Callable[[str], None]], None]]
OPERATIONS: Operations = {
    "archive.describe": pcp_archive.archive_describe,
    "archive.indom": pcp_archive.archive_indom,
    "archive.labels": pcp_archive.archive_labels,
    "archive.text": pcp_archive.archive_text,
    "replay.interp": pcp_replay.replay_interp,
    "replay.raw": pcp_replay.replay_raw,
    "derive.parse": pcp_replay.derive_parse,
    "derive.eval": pcp_replay.derive_eval,
    "units.parse": pcp_values.units_parse,
    "units.convert": pcp_values.units_convert,
    "value.format": pcp_values.value_format,
    "value.extract": pcp_values.value_extract,
}
# Arguments that mean nothing to versions before these (DER-108).
SINCE = {"missing_is_novalue": (7, 1, 3)}
END = "end: "  # of a request without a result: what the reply has beside seq


def limit_child() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Both signals end the process, also within libpcp.
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, REAL_SECONDS)


def child(request: Json, to: int, operations: Operations) -> None:
    """Writes a line for each thing told, and one of another kind if there is an end before."""
    with os.fdopen(to, "wb") as out:

        def tell(text: str) -> None:
            out.write(text.encode("utf-8", "surrogateescape") + b"\n")
            out.flush()

        try:
            operations[request["op"]](request, tell)
        except Refusal as refusal:
            tell(END + json.dumps({"reject": {"class": refusal.name, "message": str(refusal)}}))
        except Skip as skip:
            tell(END + json.dumps({"skip": {"reason": str(skip), "issue": ""}}))
        except Exception as error:
            tell(END + json.dumps({"error": {"context": f"{type(error).__name__}: {error}"}}))


def run(request: Json, operations: Operations) -> str:
    source, to = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            limit_child()
            os.close(source)
            child(request, to, operations)
        finally:
            os._exit(0)
    os.close(to)
    with os.fdopen(source, "rb") as pipe:
        lines = pipe.read().decode("utf-8", "replace").split("\n")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    head = f'{{"seq":{json.dumps(request["seq"])},'
    unfinished = lines.pop()  # what follows the last end of a line: nothing, unless the child died in the middle
    if status != 0 or unfinished:
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        outcome = "timeout" if -status in (signal.SIGPROF, signal.SIGALRM) else "crash"
        context = f'"context":"libpcp ended with {name}","outcome":"{outcome}"'
        return f'{head}"error":{{{context},"fetches":[{",".join(lines)}]}}}}'
    if lines and lines[-1].startswith(END):
        return head + lines[-1].removeprefix(END + "{")
    if request["op"] in FETCHING:
        return f'{head}"result":{{"fetches":[{",".join(lines)}]}}}}'
    return f'{head}"result":{lines[0]}}}'


def hello(version: str) -> str:
    dialect = pcp_versions.dialect_of(version)
    return json.dumps({
        "ok": True,
        "protocol": PROTOCOL,
        "implementation": {
            "name": "pcp",
            "version": version,
            "language": "C, through its Python binding",
            "homepage": "https://pcp.io",
            "os": platform.platform(),
        },
        "capabilities": list(OPERATIONS),
        "rules": [pcp_versions.rule_of(version)],
        "dialects": [dialect] if dialect else [],
        "emulates": [dialect] if dialect else [],  # itself
    })


def reply(line: bytes, version: str, operations: Operations, greeting: Callable[[str], str]) -> str | None:
    """None ends the session."""
    request = json.loads(line)
    command, operation = request.get("cmd"), request.get("op")
    if command == "hello" and request.get("protocol") != PROTOCOL:
        return json.dumps({"ok": False, "protocol": PROTOCOL})
    if command == "hello":
        return greeting(version)
    if command == "bye":
        return None
    if command != "run":
        return json.dumps({"seq": request.get("seq"), "error": {"context": f"unknown command {command!r}"}})
    if operation not in operations:
        return json.dumps({"seq": request["seq"], "skip": {"reason": f"no operation {operation}", "issue": ""}})
    for name, since in SINCE.items():
        if request["args"].get(name) and tuple(map(int, version.split("."))) < since:
            return json.dumps({"seq": request["seq"], "skip": {"reason": f"{version} has no {name}", "issue": ""}})
    return run(request, operations)


def serve(operations: Operations, greeting: Callable[[str], str]) -> None:
    """`greeting`: the answer to hello, of a version."""
    # What libpcp prints does not get between the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    gc.disable()
    gc.freeze()  # pages that children share
    for line in sys.stdin.buffer:
        text = reply(line, sys.argv[1], operations, greeting)
        if text is None:
            return
        out.write(text + "\n")
        out.flush()


if __name__ == "__main__":
    serve(OPERATIONS, hello)
