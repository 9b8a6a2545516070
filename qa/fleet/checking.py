# SPDX-License-Identifier: Apache-2.0
"""What a worker does: checks a chunk of archives by `pmproof check`, which may die or hang on any of them.

A worker gets this module by value, so that it needs nothing of this project but the program. So it uses the standard
library and xxhash alone, and takes and gives plain data.
"""

import errno
import importlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_FORMAT = ["check", "--format", "json", "--quiet", "--progress", "never", "--jobs", "1"]
_SELECTIONS = ("--only=", "--rule=")  # with one of them nothing is known of the condition of an archive
_BUFFER = 1 << 20
_compact = json.JSONEncoder(separators=(",", ":")).encode


def check_changed(checker: str, options: Sequence[str], limit: float, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """As check_chunk, of the archives whose content is not as it is known to have been.

    A task: {"path", "files": names in its folder, "known": digests or None}. Of an archive whose files are as known the
    result is {"same": True}; all others have "digests" as well, of what was there before the program read it. So what
    changes while it is read has other digests than these when it is looked at again.
    """
    worker = f"{socket.gethostname()}:{os.getpid()}"
    try:
        xxhash = importlib.import_module("xxhash")
    except ImportError:
        return {"worker": worker, "refused": f"{socket.gethostname()} has no xxhash: apt-get install python3-xxhash", "status": 2}
    found = [digests(task["path"], task["files"], xxhash.xxh3_128) for task in tasks]
    changed = [now != task["known"] for task, now in zip(tasks, found)]
    answer = check_chunk(checker, options, limit, [task["path"] for task, other in zip(tasks, changed) if other])
    if "refused" in answer:
        return answer
    results = iter(answer["results"])
    answer["results"] = [
        {**next(results), "digests": now} if other else {"same": True} for other, now in zip(changed, found)
    ]
    return answer


def digests(path: str, files: Sequence[str], make: Callable[[], Any]) -> dict[str, str]:
    """Of each file's bytes, as hashlib makes them by `make`; in its place the name of the error that keeps them from being read."""
    folder = os.path.join(os.path.dirname(path), "")
    return {name: _digest(folder + name, make()) for name in files}


def _digest(path: str, digest: Any) -> str:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                return "no file"
            left = status.st_size  # and no more: it may be growing
            while left > 0 and (some := os.read(file, min(left, _BUFFER))):
                digest.update(some)
                left -= len(some)
        finally:
            os.close(file)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "error")
    return str(digest.hexdigest())


def check_chunk(checker: str, options: Sequence[str], limit: float, paths: Sequence[str]) -> dict[str, Any]:
    """{"worker", "tool", "policy": entries of a policy, "results": one for each path}, or {"worker", "refused": text, "status"} if none can be checked.

    A result: {"outcome", "because", "counts": violations by severity, "report": the archive's part of pmproof-report/1 as
    JSON, which nobody between here and the journal reads}; both are None where there is no report. `limit` is in seconds,
    for one run of the program over as many of the archives as are checked together.
    """
    return _answer(_Chunk(checker, options, limit), list(paths))


def check_sets(checker: str, options: Sequence[str], limit: float, head: str, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """As check_chunk, of sets of archives that were checked before.

    A task: {"directory": as reports have it, "archives": text of the JSON of each member's part of a report}. `head`:
    the members before "archives" in a report, each with a comma after it.
    """
    return _answer(_SetChunk(checker, options, limit, head), list(tasks))


def _answer(chunk: "_Chunk", items: list[Any]) -> dict[str, Any]:
    worker = f"{socket.gethostname()}:{os.getpid()}"
    try:
        results = chunk.check(items) if items else []
    except _Refused as refused:
        text, status = refused.args
        return {"worker": worker, "refused": text, "status": status}
    return {"worker": worker, "tool": chunk.tool, "policy": chunk.policy, "results": results}


class _Refused(Exception):
    """Text, and exit status of the run that it ends."""


class _Failed(Exception):
    """Outcome and why, of a run over several archives, one of which is the cause."""


class _Chunk:
    """Of archives: each item is a path."""

    def __init__(self, checker: str, options: Sequence[str], limit: float) -> None:
        triage = [] if any(word.startswith(_SELECTIONS) for word in options) else ["--triage"]
        self._command = [*die_with_parent(), checker, *_FORMAT, *triage, *options]
        self._checker = checker
        self._limit = limit
        self.tool: dict[str, str] | None = None
        self.policy: list[dict[str, Any]] = []

    def check(self, items: list[Any]) -> list[dict[str, Any]]:
        """Where the program fails over several archives, each half of them is tried, down to the one."""
        try:
            report = self._report(items)
        except _Failed as failed:
            if len(items) > 1:
                return self.check(items[: len(items) // 2]) + self.check(items[len(items) // 2 :])
            outcome, because = failed.args
            return [_result(outcome, because)]
        if len(items) == 1:
            return [_only(report)]
        archives = {archive["archive"]: archive for archive in report["archives"]}
        # What was not found under its own name (odd names, archives that are gone) is asked for alone.
        names = [self._name(item) for item in items]
        return [
            _of(archives[name]) if name in archives else self.check([item])[0] for name, item in zip(names, items)
        ]

    def _name(self, item: Any) -> str:
        return str(item)

    def _report(self, items: list[Any]) -> dict[str, Any]:
        return self._run(items)

    def _run(self, words: list[str]) -> dict[str, Any]:
        try:
            done = subprocess.run(
                [*self._command, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self._limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _Failed("timeout", f"took longer than {self._limit:g} s") from None
        except OSError as error:
            raise _Refused(f"{self._checker} cannot be run on {socket.gethostname()}: {error.strerror}", 5) from None
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode < 0:
            raise _Failed("checker_died", f"pmproof was ended by {signal_name(-done.returncode)}")
        if done.returncode == 2:
            raise _Refused(said or f"{self._checker} refused its arguments", 2)
        if done.returncode in (126, 127) and not done.stdout:  # setpriv could not start it
            raise _Refused(f"{self._checker} cannot be run on {socket.gethostname()}: {said}", 5)
        try:
            report: dict[str, Any] = json.loads(done.stdout)
            if report["schema"] != "pmproof-report/1" or report["footer"]["complete"] is not True:
                raise ValueError
            self.tool = report["tool"]
            self.policy = report["policy"]["entries"] if "policy" in report else []
            assert all({"archive", "failure", "internal_errors", "conformant", "counts"} <= each.keys() for each in report["archives"])
        except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
            raise _Failed("garbled", f"pmproof ended with status {done.returncode} and no report") from None
        return report


class _SetChunk(_Chunk):
    """Of sets: each item is a task of check_sets."""

    def __init__(self, checker: str, options: Sequence[str], limit: float, head: str) -> None:
        # Which archives are live was found out when they were checked.
        super().__init__(checker, [word for word in options if not word.startswith("--live-within=")], limit)
        if "--triage" not in self._command:
            self._command.append("--triage")
        self._head = head

    def _name(self, item: Any) -> str:
        return str(item["directory"])

    def _report(self, items: list[Any]) -> dict[str, Any]:
        with tempfile.NamedTemporaryFile("w", prefix="pmproof-fleet-", suffix=".json", encoding="ascii") as known:
            known.write(f'{{{self._head} "archives": [')
            separator = ""
            for item in items:
                for archive in item["archives"]:
                    known.write(separator + archive)
                    separator = ",\n"
            known.write('], "errors": [], "footer": {"complete": true}}\n')
            known.flush()
            return self._run(["--set", "--report", known.name])


def die_with_parent() -> list[str]:
    """What stands before a command so that it does not outlive a worker that is killed."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def _only(report: dict[str, Any]) -> dict[str, Any]:
    if report["archives"]:
        return _of(report["archives"][0])
    errors = report.get("errors") or [{"message": "pmproof says nothing of it"}]
    return _result("no_verdict", errors[0]["message"])


_JUDGEMENTS: list[tuple[str, Callable[[dict[str, Any]], str | None]]] = [
    ("internal_error", lambda archive: "; ".join(archive["internal_errors"]) or None),
    ("over_budget", lambda archive: _failure(archive, lambda kind: kind == "budget")),
    ("no_verdict", lambda archive: _failure(archive, lambda kind: kind != "budget")),
]


def _of(archive: dict[str, Any]) -> dict[str, Any]:
    for outcome, applies in _JUDGEMENTS:
        if because := applies(archive):
            return _result(outcome, because, archive)
    return _result("conformant" if archive["conformant"] else "not_conformant", "", archive)


def _failure(archive: dict[str, Any], which: Callable[[str], bool]) -> str | None:
    failure = archive["failure"]
    return failure["message"] if failure and which(failure["kind"]) else None


def _result(outcome: str, because: str, archive: dict[str, Any] | None = None) -> dict[str, Any]:
    result: dict[str, Any] = {"outcome": outcome, "because": because, "counts": None, "report": None}
    if archive is not None:
        result |= {"counts": archive["counts"], "report": _compact(archive)}
    return result


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
