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

_FORMAT = ["check", "--format", "batch", "--quiet", "--progress", "never", "--jobs", "1"]
_SELECTIONS = ("--only=", "--rule=")  # with one of them nothing is known of the condition of an archive
_SEVERITIES = ("fatal", "error", "warning", "info")
_BUFFER = 1 << 20
_quoted = json.JSONEncoder().encode


def check_changed(checker: str, options: Sequence[str], limit: float, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """As check_chunk, of the archives whose content is not as it is known to have been.

    A task: {"path", "files": names in its folder, "known": digests or None}. Of an archive whose files are as known the
    result is {"same": True}; all others have "digests" as well, of what was there before the program read it. So what
    changes while it is read has other digests than these when it is looked at again.
    """
    chunk = _Chunk(checker, options, limit)
    items: list[Any] = []
    results: list[dict[str, Any] | None] = []
    try:
        make = _xxhash().xxh3_128
        for task in tasks:
            if task["known"] is not None and task["known"] == digests(task["path"], task["files"], make):
                results.append({"same": True})
            else:
                items.append(_Item(task["path"], task["files"]))
                results.append(None)
    except _Refused as refused:
        return _refusal(refused)
    answer = _answer(chunk, items)
    if "refused" not in answer:
        checked = iter(answer["results"])
        answer["results"] = [result or next(checked) for result in results]
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
    JSON, which nobody between the program and the journal reads}; both are None where there is no report. `limit` is in
    seconds, for one run of the program over as many of the archives as are checked together.
    """
    return _answer(_Chunk(checker, options, limit), [_Item(path) for path in paths])


def check_sets(checker: str, options: Sequence[str], limit: float, head: str, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """As check_chunk, of sets of archives that were checked before.

    A task: {"directory": as reports have it, "archives": text of the JSON of each member's part of a report}. `head`:
    the members before "archives" in a report, each with a comma after it.
    """
    return _answer(_SetChunk(checker, options, limit, head), list(tasks))


def _answer(chunk: "_Chunk", items: list[Any]) -> dict[str, Any]:
    try:
        results = chunk.check(items) if items else []
    except _Refused as refused:
        return _refusal(refused)
    return {"worker": _worker(), "tool": chunk.tool, "policy": chunk.policy, "results": results}


def _worker() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


class _Refused(Exception):
    """Text, and exit status of the run that it ends."""


def _refusal(refused: _Refused) -> dict[str, Any]:
    text, status = refused.args
    return {"worker": _worker(), "refused": text, "status": status}


def _xxhash() -> Any:
    try:
        return importlib.import_module("xxhash")
    except ImportError:
        raise _Refused(f"{socket.gethostname()} has no xxhash: apt-get install python3-xxhash", 2) from None


class _Failed(Exception):
    """Outcome and why, of a run over several archives, one of which is the cause."""


class _Item:
    """An archive to be checked. `files`: whose digests are wanted; None: of none."""

    def __init__(self, path: str, files: Sequence[str] | None = None) -> None:
        self.path = path
        self.files = files


class _Part:
    """What a report says of one archive or set: its result, and the digests of the files that the program could read."""

    def __init__(self, entry: Mapping[str, Any], line: str) -> None:
        self.result = _judged(entry, line)
        self.contents: dict[str, str] = dict(entry["files"])

    def digests(self, files: Sequence[str]) -> dict[str, str] | None:
        """Of these; None where the program did not read one of them."""
        try:
            return {name: self.contents[name] for name in files}
        except KeyError:
            return None


class _Chunk:
    """Of archives: each item is an _Item."""

    def __init__(self, checker: str, options: Sequence[str], limit: float) -> None:
        triage = [] if any(word.startswith(_SELECTIONS) for word in options) else ["--triage"]
        self._command = [*die_with_parent(), checker, *_FORMAT, *triage, *options]
        self._checker = checker
        self._limit = limit
        self.tool: dict[str, str] | None = None
        self.policy: list[dict[str, Any]] = []

    def check(self, items: list[Any]) -> list[dict[str, Any]]:
        """Where the program fails over several archives, each half of them is tried, down to the one."""
        if len(items) == 1:
            return [self._alone(items[0])]
        try:
            parts, _ = self._report(items)
        except _Failed:
            return self.check(items[: len(items) // 2]) + self.check(items[len(items) // 2 :])
        return [self._result(item, parts.get(self._name(item))) or self._alone(item) for item in items]

    def _name(self, item: Any) -> str:
        """As reports have it; empty where that is not sure: what reports write for a byte is a name too."""
        path: str = item.path
        return path if "\\" not in path else ""

    def _result(self, item: Any, part: _Part | None) -> dict[str, Any] | None:
        """None: it is to be asked for alone. So is what was not found under its own name (odd names, archives that are gone)."""
        if part is None:
            return None
        if item.files is None:
            return part.result
        known = part.digests(item.files)
        return None if known is None else {**part.result, "digests": known}

    def _alone(self, item: Any) -> dict[str, Any]:
        if item.files is None:
            return self._only(item)
        known = digests(item.path, item.files, _xxhash().xxh3_128)  # before the program reads it
        return {**self._only(item), "digests": known}

    def _only(self, item: Any) -> dict[str, Any]:
        try:
            parts, errors = self._report([item])
        except _Failed as failed:
            return _result(*failed.args)
        for part in parts.values():
            return part.result
        return _result("no_verdict", errors[0]["message"] if errors else "pmproof says nothing of it")

    def _report(self, items: list[Any]) -> tuple[dict[str, _Part], list[Any]]:
        return self._run([item.path for item in items])

    def _run(self, words: list[str]) -> tuple[dict[str, _Part], list[Any]]:
        """By name; and errors about what is not there."""
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
            if error.errno == errno.E2BIG:  # a small stack has little room for arguments
                raise _Failed("checker_died", "its name is too long for a command") from None
            raise _Refused(f"{self._checker} cannot be run on {socket.gethostname()}: {error.strerror}", 5) from None
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode < 0:
            raise _Failed("checker_died", f"pmproof was ended by {signal_name(-done.returncode)}")
        if done.returncode == 2:
            raise _Refused(said or f"{self._checker} refused its arguments", 2)
        if done.returncode in (126, 127) and not done.stdout:  # setpriv could not start it
            raise _Refused(f"{self._checker} cannot be run on {socket.gethostname()}: {said}", 5)
        digest = _xxhash().xxh3_64_hexdigest
        try:
            document, parts = _read(done.stdout, digest)
            self.tool = document["tool"]
            self.policy = document["policy"]["entries"] if "policy" in document else []
            return parts, document["errors"]
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            raise _Failed("garbled", f"pmproof ended with status {done.returncode} and no report") from None


def _read(output: bytes, digest: Callable[[bytes], str]) -> tuple[dict[str, Any], dict[str, _Part]]:
    """The document without its archives, and what it says of each, by name.

    An archive's part is a line, which is handed on and not read: it is the longest of all that the program says. That the
    line is whole, and about that archive, is seen by the digest that the program gives of it, and by how it begins.
    Raises ValueError, KeyError, TypeError, AttributeError or IndexError where the output is not that of `check --format batch`.
    """
    head, *lines, end, nothing = output.split(b"\n")
    document: dict[str, Any] = json.loads(head + end)
    entries = document["batch"]
    if document["schema"] != "pmproof-report/1" or document["footer"]["complete"] is not True:
        raise ValueError
    if nothing or len(entries) != len(lines):
        raise ValueError
    parts = {}
    last = len(lines) - 1
    for place, (entry, line) in enumerate(zip(entries, lines)):
        if place != last:
            if not line.endswith(b","):
                raise ValueError
            line = line[:-1]
        name = entry["archive"]
        text = line.decode("ascii")
        if digest(line) != entry["line"] or not text.startswith(f'{{"archive":{_quoted(name)},'):
            raise ValueError
        parts[name] = _Part(entry, text)
    return document, parts


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

    def _result(self, item: Any, part: _Part | None) -> dict[str, Any] | None:
        return None if part is None else part.result

    def _alone(self, item: Any) -> dict[str, Any]:
        return self._only(item)

    def _report(self, items: list[Any]) -> tuple[dict[str, _Part], list[Any]]:
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


def _judged(entry: Mapping[str, Any], line: str) -> dict[str, Any]:
    """By what a report says of an archive besides its part."""
    counts = entry["counts"]
    for severity in _SEVERITIES:
        if type(counts[severity]) is not int:
            raise ValueError
    failure = entry["failure"]
    if entry["internal_errors"]:
        return _result("internal_error", "; ".join(entry["internal_errors"]), counts, line)
    if failure is not None:
        return _result("over_budget" if failure["kind"] == "budget" else "no_verdict", failure["message"], counts, line)
    return _result("conformant" if entry["conformant"] is True else "not_conformant", "", counts, line)


def _result(outcome: str, because: str, counts: dict[str, int] | None = None, report: str | None = None) -> dict[str, Any]:
    return {"outcome": outcome, "because": because, "counts": counts, "report": report}


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
