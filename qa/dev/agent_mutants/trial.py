# SPDX-License-Identifier: Apache-2.0
"""`pmproof agent check` on an agent behind the proxy, and what it says."""

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from qa.dev.agent_mutants import agents
from qa.dev.agent_mutants.judge import Change

GRAVE = ("fatal", "error")
_SECONDS = 420.0
_SECONDS_TO_END = 20.0


@dataclass(frozen=True)
class Report:
    """failed: severity by check. wrong: what pmproof did that it must not, such as not to end."""

    claim: str
    failed: dict[str, str] = field(default_factory=dict)
    because: dict[str, str] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    starts: int = 0
    seconds: float = 0
    wrong: str = ""

    def of(self, severities: Sequence[str]) -> list[str]:
        return sorted(check for check, severity in self.failed.items() if severity in severities)


class Bench:
    """A folder of a run with what the agents need; several may be tried in it at once."""

    def __init__(self, pmproof: Path, folder: Path, patience: int) -> None:
        self._pmproof, self._folder, self._patience = pmproof, folder, patience

    def tried(self, agent: str, changes: str, options: Sequence[str] = (), only: Sequence[str] = ()) -> Report:
        """`changes`: as proxy.py takes them. `options`: of the agent. `only`: the checks that are made; none: all are."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            own = Path(name)
            own.chmod(0o755)  # the agent is also started as another user
            for file in ("starts", "changes"):
                (own / file).touch()
                (own / file).chmod(0o666)
            proxy = [*agents.python(self._folder, "proxy_main.py"), name, changes]
            command = [*proxy, *agents.command(agent, self._pmproof, self._folder, options)]
            checked = [str(self._pmproof), "agent", "check", "--format", "json", *agents.checked_with(agent, self._folder)]
            if self._patience and "/delay-" not in changes:
                checked += [word for limit in ("", "creds=", "end=") for word in ("--timeout", f"{limit}{self._patience}")]
            checked += [word for check in only for word in ("--check", check)]
            begin = time.monotonic()
            told, wrong = _run([*checked, "--", *command])
            seconds = round(time.monotonic() - begin, 1)
            lines = (own / "changes").read_text(encoding="ascii").splitlines()
            starts = (own / "starts").stat().st_size
        return _report(told, wrong, tuple(Change.parsed(line) for line in lines), starts, seconds)


@contextmanager
def bench(pmproof: Path, patience: int = 0) -> Iterator[Bench]:
    """`patience`: seconds for an answer, for CREDS and for an end, on a machine that has other work; 0: as pmcd waits."""
    with tempfile.TemporaryDirectory(prefix="agent-mutants-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        agents.prepare(pmproof, folder)
        yield Bench(pmproof, folder, patience)


def _run(command: Sequence[str]) -> tuple[str, str]:
    """Standard output, and what is wrong with the run. Whatever ends this ends pmproof, which ends all that it started."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            told, errors = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return "", f"pmproof does not end within {_SECONDS:g} s"
        finally:
            _end(process)
    # 2: none of those that are selected could be made
    expected = (0, 1, 2, 3, 6) if "--check" in command else (0, 1, 3, 6)
    return told, "" if process.returncode in expected else f"exit status {process.returncode}: {' '.join(errors.split())[-300:]}"


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()


def _report(told: str, wrong: str, changes: tuple[Change, ...], starts: int, seconds: float) -> Report:
    try:
        report = json.loads(told)
    except ValueError:
        return Report("none", changes=changes, starts=starts, seconds=seconds, wrong=wrong or "no report")
    failed = {one["id"]: one for one in report["checks"] if one["outcome"] == "fail"}
    return Report(
        report["claim"]["claim"],
        {name: one["severity"] for name, one in failed.items()},
        {name: one["because"] for name, one in failed.items()},
        changes,
        starts,
        seconds,
        wrong,
    )
