# SPDX-License-Identifier: Apache-2.0
"""What a command takes: the memory that it writes to, beside mapped files, at its peak."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from qa.dev.budgets.inputs import MB, NAME

_ANONYMOUS = re.compile(r"^RssAnon:\s+(\d+) kB", re.MULTILINE)
_BETWEEN = 0.002
# What the program may take for itself and for the stack of a thread.
PROGRAM = 54 * MB
_POLICY = Path(__file__).absolute().with_name("policy.toml")


@dataclass(frozen=True)
class Measured:
    status: int  # negative: the signal that ended it; None is never given
    peak: int  # bytes
    seconds: float
    told: str  # the end of standard error
    timed_out: bool = False

    def within(self, memory: int) -> bool:
        return not self.timed_out and self.status in (0, 1, 2, 3, 4, 6) and self.peak <= memory + PROGRAM


def command_lines(base: Path, out: Path) -> dict[str, tuple[list[str], str]]:
    """Words and standard input of each command that reads archives or large inputs."""
    path = str(base)
    replay = ["--metric", NAME, "--interval", "1s", "--limit", "100000"]
    profiles = ["--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2", "--interval", "1s", "--limit", "100000"]
    request = json.dumps({"cmd": "run", "seq": 1, "op": "archive.validate", "input": {"path": path}}) + "\n"
    return {
        "check": (["check", "--format", "json", path], ""),
        "check --against": (["check", "--against", path, "--format", "json", path], ""),
        "policy check": (["policy", "check", str(_POLICY), path], ""),
        "info": (["info", path], ""),
        "metrics": (["metrics", "--format", "json", path], ""),
        "triage": (["triage", "--format", "json", path], ""),
        "certify": (["certify", "--root", str(base.parent), "--output", str(out / "new.json"), path], ""),
        "dump": (["dump", path], ""),
        "replay": (["replay", *replay, path], ""),
        "rules diff": (["rules", "diff", *profiles, path], ""),
        "rules bisect": (["rules", "bisect", "exec:sh -c 'exec \"$PMPROOF\" testee'", "--questions", "5", path], ""),
        "derive": (["derive", "--archive", path, f"x.y = {NAME}"], ""),
        "rewrite": (["rewrite", path, str(out / "new")], ""),
        "rewrite to 3": (["rewrite", "--archive-version", "3", path, str(out / "new")], ""),
        "salvage": (["salvage", path, str(out / "new")], ""),
        "mutate": (["mutate", "--damage", "1", path, str(out / "new")], ""),
        "shrink": (["shrink", "--rule", "ARC-1003", "--budget", "5", path, str(out / "new")], ""),
        "testee": (["testee"], request),
        "compare": (["compare", "--tool", "pmval", "--expected", f"{path}.jsonl", f"{path}.printed"], ""),
        "compare --parse": (["compare", "--tool", "pmval", "--parse", f"{path}.printed"], ""),
    }


def measure(program: Path, words: list[str], stdin: str, memory: int, limit: float, out: Path) -> Measured:
    """Runs the command with that budget for at most `limit` seconds. What it writes to `out` is removed."""
    out.mkdir()
    command = [str(program), *words, "--memory", str(memory), "--jobs", "1"]
    peak = 0
    begin = time.monotonic()
    with (
        open(out / "told", "wb") as told,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=told) as process,
    ):
        assert process.stdin is not None
        try:
            process.stdin.write(stdin.encode())
            process.stdin.close()
        except BrokenPipeError:
            pass
        timed_out = False
        while process.poll() is None:
            peak = max(peak, _anonymous(process.pid))
            if time.monotonic() - begin > limit:
                timed_out = True
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                break
            time.sleep(_BETWEEN)
    seconds = time.monotonic() - begin
    said = (out / "told").read_text(encoding="utf-8", errors="replace").strip()
    shutil.rmtree(out)
    return Measured(process.returncode, peak, seconds, said[-300:], timed_out)


def _anonymous(process: int) -> int:
    try:
        found = _ANONYMOUS.search(Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace"))
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(found[1]) * 1024 if found else 0
