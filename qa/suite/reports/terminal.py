# SPDX-License-Identifier: Apache-2.0
"""For the person in front of the terminal: failures as they come, each kind once, then how often, and the claims."""

import threading
import time
from typing import TextIO

from qa.golden.cases import Json
from qa.suite.claims import CONFORMANT, NOT_CONFORMANT, UNDETERMINED
from qa.suite.journal import Implemented, Run
from qa.suite.reports.text import claim_of, counts_text, details, notes, why_not
from qa.suite.session import Progress
from qa.suite.verdicts import Answer, outcome_of

_COLORS = {CONFORMANT: 32, NOT_CONFORMANT: 31, UNDETERMINED: 33}
_REDRAW_SECONDS = 0.1


class Terminal:
    def __init__(self, out: TextIO, full: int, color: bool, quiet: bool) -> None:
        self._out = out
        self._full = full
        self._color = color
        self._quiet = quiet
        self._shown = 0
        self._alike: dict[tuple[str, str], list[str]] = {}  # the checks that failed, by operation and by how

    def show(self, run: Run, event: Json) -> None:
        if event["event"] == "verdict" and event["status"] in ("fail", "surprise") and not self._quiet:
            self._failure(run, event)
        elif event["event"] == "end":
            self._end(run, run.implementations[-1])

    def _failure(self, run: Run, verdict: Json) -> None:
        alike = self._alike.setdefault((verdict["operation"], why_not(verdict)), [])
        alike.append(verdict["id"])
        if len(alike) > 1:
            return
        self._shown += 1
        if self._shown > self._full:
            self._print(f" {verdict['id']} {why_not(verdict)}", head=self._in("FAIL", 31))
            return
        first, *more = details(run, verdict)
        self._print(f" {first}", head=self._in("FAIL", 31))
        for line in [*more, ""]:
            self._print(line)

    def _end(self, run: Run, one: Implemented) -> None:
        for (operation, why), alike in self._alike.items():
            if len(alike) > 1:
                self._print(f" {len(alike)} times {operation}, first {alike[0]}: {why}", head=self._in("FAIL", 31))
        self._alike.clear()
        self._print(f"{one.name}" + (f" ({one.title})" if one.title != one.name else ""))
        for claim in one.claims:
            text = self._in(claim["claim"], _COLORS.get(claim["claim"], 32))
            self._print(f" ({counts_text(claim['counts'])})", head=f"  {claim['capability']:16} {text}")
        for note in notes(run, one):
            if note != one.end["because"]:  # that one is told on stderr
                self._print(f"  note: {note}")
        whole = claim_of(one)
        self._print(f": {counts_text(one.end['counts'])}", head=f"  {self._in(whole, _COLORS.get(whole, 32))}")

    def _in(self, text: str, color: int) -> str:
        return f"\x1b[{color}m{text}\x1b[0m" if self._color else text

    def _print(self, line: str, head: str = "") -> None:
        # What an implementation said must not move the cursor of who reads it.
        print(head + "".join(c if c.isprintable() else "?" for c in line), file=self._out, flush=True)


class Bar(Progress):
    """One line on stderr that is drawn over."""

    def __init__(self, out: TextIO, wanted: bool) -> None:
        self._out = out
        self._wanted = wanted
        self._lock = threading.Lock()
        self._name = ""
        self._checks = self._done = self._failed = 0
        self._drawn = 0.0
        self._width = 0

    def started(self, name: str, checks: int) -> None:
        with self._lock:
            self._name, self._checks, self._done, self._failed = name, checks, 0, 0
            self._draw()

    def answered(self, answer: Answer) -> None:
        with self._lock:
            self._done += 1
            self._failed += outcome_of(answer.check, answer.outcome) not in ("right", "skip")
            if time.monotonic() - self._drawn >= _REDRAW_SECONDS:
                self._draw()

    def clear(self) -> None:
        with self._lock:
            if self._width:
                self._out.write("\r" + " " * self._width + "\r")
                self._out.flush()
                self._width = 0

    def _draw(self) -> None:
        if not self._wanted or not self._checks:
            return
        filled = 30 * self._done // self._checks
        told = f", {self._failed} not as expected" if self._failed else ""
        text = f"{self._name[:40]} [{'#' * filled}{'.' * (30 - filled)}] {self._done}/{self._checks}{told}"
        self._out.write("\r" + text.ljust(self._width))
        self._out.flush()
        self._width = len(text)
        self._drawn = time.monotonic()
