# SPDX-License-Identifier: Apache-2.0
"""One archive: `pmproof rules diff` of it, and what a survey keeps of its report, which is much less."""

import functools
import hashlib
import json
import os
import subprocess
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.fleet.archives import Archive
from qa.fleet.checking import die_with_parent, digests, signal_name
from qa.suite.implementations import NotThereError, UsageError
from qa.suite.survey.kinds import NO_CLAUSE, Json, Moved, TooManyKinds, moved

# All kinds of differences, and as many metric-instances as it names.
_FORMAT = ["--format", "json", "--examples", "10000", "--most", "1000", "--no-config", "--quiet", "--progress", "never", "--jobs", "1"]
_DIGEST = functools.partial(hashlib.blake2b, digest_size=16)

COMPARED, NOT_COMPARED, DIED = "compared", "not_compared", "died"


@dataclass(frozen=True)
class Sum:
    """What was compared of one semantics and type."""

    semantics: str
    type: str
    compared: int
    differing: int


@dataclass(frozen=True)
class Answer:
    """What came of an archive. `outcome`: COMPARED; NOT_COMPARED, or not to its end, `because` of what pmproof says;
    DIED, which is about pmproof itself. `broke`: an implementation died, kept silent or broke the protocol.
    """

    size: int  # bytes of its files
    digests: Mapping[str, str]  # of each file, before it was read
    outcome: str
    because: str = ""
    broke: bool = False
    sides: Mapping[str, Json] = field(default_factory=dict)  # what the report says of them, and "tool"
    sums: Sequence[Sum] = ()
    clauses: Mapping[tuple[str, str], int] = field(default_factory=dict)
    moved: Sequence[Moved] = ()
    metrics: Mapping[tuple[str, str, str], int] = field(default_factory=dict)  # differing, by name, semantics and type
    unanswered: Mapping[tuple[str, str, str], int] = field(default_factory=dict)  # questions, by side, outcome and reason
    deviations: Mapping[str, int] = field(default_factory=dict)  # explained by --explain

    @property
    def is_whole(self) -> bool:
        return self.outcome == COMPARED and not self.broke


class Stopped(Exception):
    """The survey ends."""


class Asker:
    """Starts one pmproof for each archive. Used by several threads at once."""

    def __init__(self, pmproof: str, options: Sequence[str], limit: float) -> None:
        """`options`: sides and all that says what is compared. `limit`: seconds for an archive."""
        self._command = [*die_with_parent(), pmproof, "rules", "diff", *_FORMAT, *options]
        self._limit = limit
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def stop(self) -> None:
        """Ends all that is running; what is asked later is not started. An adapter ends with its pmproof."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.kill()

    def ask(self, archive: Archive, known: Mapping[str, str] | None) -> Answer | None:
        """None where the files' content is as `known`.

        Raises Stopped, NotThereError where a side does not start, and UsageError where pmproof refuses what it is asked.
        """
        now = digests(archive.path, archive.files, _DIGEST)
        if known is not None and now == known:
            return None
        size = _size(archive)
        try:
            status, out, said = self._run(archive.path)
        except subprocess.TimeoutExpired:
            return Answer(size, now, NOT_COMPARED, f"took longer than {self._limit:g} s")
        if status < 0:
            return Answer(size, now, DIED, f"pmproof was ended by {signal_name(-status)}")
        if not out:
            told = said.removeprefix("pmproof: ") or f"pmproof ended with status {status}"
            if status == 3:
                raise NotThereError(told)
            if status == 2:
                raise UsageError(told.partition("\n")[0])
            return Answer(size, now, DIED, told)
        try:
            report = json.loads(out)
            if report["schema"] != "pmproof-rules-diff/1" or report["footer"]["complete"] is not True:
                raise ValueError("not a whole pmproof-rules-diff/1")
            return _answer(report, status, size, now)
        except (ValueError, KeyError, TypeError) as error:
            return Answer(size, now, DIED, f"pmproof ended with status {status}, its report cannot be used ({error}): {said[:200]}")

    def _run(self, path: str) -> tuple[int, bytes, str]:
        with self._lock:
            if self._stopped:
                raise Stopped
            process = subprocess.Popen(
                [*self._command, "--", path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # what a terminal sends ends the survey, and is no answer
            )
            self._running.add(process)
        try:
            out, said = process.communicate(timeout=self._limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        finally:
            with self._lock:
                self._running.discard(process)
        if self._stopped:
            raise Stopped
        return process.returncode, out, said.decode(errors="replace").strip()


def _size(archive: Archive) -> int:
    total = 0
    for name in archive.files:
        try:
            total += (Path(archive.path).parent / name).stat().st_size
        except OSError:
            pass  # its digest says so
    return total


def _answer(report: Json, status: int, size: int, now: Mapping[str, str]) -> Answer:
    sides = {name: report[name] for name in ("tool", "baseline", "candidate")}
    if not report["archives"]:
        error = report["errors"][0] if report["errors"] else {"message": "pmproof says nothing of it"}
        return Answer(size, now, NOT_COMPARED, error["message"], sides=sides)
    archive = report["archives"][0]
    outcome, because = COMPARED, ""
    if status == 5:
        outcome, because = DIED, "an internal error of pmproof"
    if failure := archive["failure"]:
        where = f"{os.path.basename(failure['file'])}: " if failure["file"] else ""
        rule = f" [{failure['rule']}]" if failure["rule"] else ""
        outcome, because = NOT_COMPARED, f"{where}{failure['message']}{rule}"
    found: list[Moved] = []
    try:
        found = moved(archive)
    except TooManyKinds as error:
        outcome, because = NOT_COMPARED, str(error)
    metrics: Counter[tuple[str, str, str]] = Counter()
    for one in archive["most"]:
        series = one["series"]
        metrics[series["metric"], series["semantics"], series["type"]] += one["differing"]
    unanswered: Counter[tuple[str, str, str]] = Counter()
    for one in archive["unanswered"]:
        unanswered[one["side"], one["outcome"], one["reason"]] += one["questions"]
    return Answer(
        size,
        now,
        outcome,
        because,
        broke=any(outcome in ("crash", "timeout", "protocol") for _, outcome, _ in unanswered),
        sides=sides,
        sums=[Sum(g["semantics"], g["type"], g["values"]["compared"], g["values"]["differing"]) for g in archive["groups"]],
        clauses={(one["baseline"] or NO_CLAUSE, one["candidate"] or NO_CLAUSE): one["differences"] for one in archive["clauses"]},
        moved=found,
        metrics=metrics,
        unanswered=unanswered,
        deviations={", ".join(one["by"]): one["differences"] for one in archive["deviations"]["explained"]},
    )
