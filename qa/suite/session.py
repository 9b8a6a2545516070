# SPDX-License-Identifier: Apache-2.0
"""A run: implementations through checks, as the events of a journal."""

import datetime
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from qa.adapters.protocol import Messages
from qa.adapters.guardian import orphans_ended
from qa.adapters.process import Stop
from qa.adapters.testee import Limits, Testee, TesteeError
from qa.golden.cases import Case, Json
from qa.suite import claims, journal
from qa.suite.checks import Check, Selection
from qa.suite.expectations import Entry, Used, problems_of
from qa.suite.implementations import Implementation
from qa.suite.runner import Runner, applies
from qa.suite.verdicts import Answer, Judge, Verdict
from qa.support.version import version

OK, FAILED, USAGE, NOT_STARTED, NOT_READ, INTERNAL = range(6)


@dataclass(frozen=True)
class Options:
    jobs: int = 1
    limits: Limits = Limits()
    max_failures: int | None = None
    log: Path | None = None  # a folder


class Progress:
    """What a person may watch while it goes on. Called from several threads."""

    def started(self, name: str, checks: int) -> None: ...

    def answered(self, answer: Answer) -> None: ...


class Session:
    """All runs of one command: the same cases, selections of each implementation.

    `emit` gets each event, and after a verdict's event the verdict is told to `on_verdict`.
    """

    def __init__(
        self,
        root: Path,
        cases: Sequence[Case],
        checks: Sequence[Check],
        options: Options,
        emit: Callable[[Json], None],
        progress: Progress = Progress(),
    ) -> None:
        self._root = root
        self._cases = cases
        self._all = checks
        self._options = options
        self._emit = emit
        self._progress = progress
        self._messages = Messages()
        self._statuses: set[int] = set()
        self._complete = True
        self._is_all = True

    def begin(self, names: Sequence[str], told: Json, chosen: Sequence[Check]) -> None:
        """`told` is the selection; `chosen` what any of them will be asked at most."""
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        self._is_all = bool(told["complete"])
        self._emit({
            "event": "header",
            "schema": journal.SCHEMA,
            "tool": {"name": "pmproof suite", "version": version(), "protocol": 1},
            "started": now,
            "cases": {"count": len(self._cases), "digest": journal.digest_of(self._cases)},
            "selection": told,
            "implementations": list(names),
        })
        wanted = {check.case.id for check in chosen}
        for case in self._cases:
            if case.id in wanted:
                self._emit(journal.case_event(case, self._root))

    def run(self, implementation: Implementation, selection: Selection, entries: Sequence[Entry]) -> list[Verdict]:
        """The verdicts, whose events were emitted. Raises CaseError where the selection matches nothing."""
        with orphans_ended(), closing(Stop()) as stop:
            return self._run(implementation, selection, entries, stop)

    def _run(self, implementation: Implementation, selection: Selection, entries: Sequence[Entry], stop: Stop) -> list[Verdict]:
        chosen = selection.choose(self._all)
        first = self._testee(implementation, stop)
        try:
            first.start()
        except TesteeError as error:
            self._start(implementation.name, {}, 0)
            self._end(implementation.name, _Result(because=str(error)), {})
            return []
        hello = first.hello
        checks = [check for check in chosen if applies(check, hello)]
        self._start(implementation.name, hello, len(checks))
        today = datetime.date.today()
        used = [Used(entry) for entry in entries]
        result = self._ask(implementation, first, checks, Judge(version_of(hello), used, today), stop)
        if result.is_complete:
            result.problems += problems_of(used, self._all, checks, today)
            if selection.is_all:
                result.problems += _lies(hello, result.verdicts)
        if result.because == "" and all(verdict.status == "skip" for verdict in result.verdicts):
            self._statuses.add(USAGE)
        self._end(implementation.name, result, hello, len(chosen) - len(checks))
        return result.verdicts

    def finish(self) -> int:
        """The exit status: that of the gravest thing."""
        order = (NOT_STARTED, FAILED, USAGE)
        status = next((status for status in order if status in self._statuses), OK)
        self._emit({"event": "footer", "complete": self._complete, "status": status})
        return status

    def _testee(self, implementation: Implementation, stop: Stop) -> Testee:
        log = None
        if self._options.log is not None:
            log = self._options.log / f"{slug_of(implementation.name)}.log"
        return Testee(implementation.name, implementation.argv, self._options.limits, log, self._messages, stop)

    def _ask(
        self, implementation: Implementation, first: Testee, checks: list[Check], judge: Judge, stop: Stop
    ) -> "_Result":
        make = functools.partial(self._testee, implementation, stop)
        runner = Runner(first, make, self._options.jobs, stop, self._progress.answered)
        result = _Result(checks=checks)
        answers = runner.answers(checks, first.hello["capabilities"])
        try:
            for answer in answers:
                verdict = judge.verdict(answer)
                result.verdicts.append(verdict)
                self._emit(journal.verdict_event(implementation.name, verdict))
                result.failures += verdict.failed
                if self._options.max_failures is not None and result.failures >= self._options.max_failures:
                    if len(result.verdicts) < len(checks):
                        result.stopped = f"stopped after {result.failures} failures"
                    break
        except TesteeError as error:
            result.because = str(error)
        finally:
            answers.close()
        return result

    def _start(self, name: str, hello: Json, checks: int) -> None:
        self._progress.started(name, checks)
        self._emit({"event": "start", "implementation": name, "hello": hello, "checks": checks})

    def _end(self, name: str, result: "_Result", hello: Json, not_applicable: int = 0) -> None:
        if result.because:
            self._statuses.add(NOT_STARTED)
        if result.problems or result.failures:
            self._statuses.add(FAILED)
        self._complete = self._complete and result.is_complete
        counts = Counter(verdict.status for verdict in result.verdicts)
        asked = {check.request.operation for check in result.checks}
        capabilities = [one for one in hello.get("capabilities", []) if self._is_all or one in asked]
        told = claims.claims_of(capabilities, result.checks, result.verdicts)
        self._emit({
            "event": "end",
            "implementation": name,
            "complete": result.is_complete,
            "because": result.because or result.stopped,
            "problems": result.problems,
            "not_applicable": not_applicable,
            "counts": claims.counts_of(counts, len(result.checks) - len(result.verdicts)),
            "claims": [claim.to_json() for claim in told],
        })


class _Result:
    def __init__(self, checks: Sequence[Check] = (), because: str = "") -> None:
        self.checks = checks
        self.because = because  # why its adapter could not be started
        self.stopped = ""
        self.verdicts: list[Verdict] = []
        self.failures = 0
        self.problems: list[str] = []

    @property
    def is_complete(self) -> bool:
        return not self.because and not self.stopped


def slug_of(name: str) -> str:
    """For the name of a file."""
    return "".join(c if c.isalnum() or c in ".-" else "_" for c in name)[:100]


# What the adapters to libpcp and to the tools are called.
_PCP = ("pcp", "pcp-tools")


def version_of(hello: Json) -> str | None:
    """Of PCP, whose deviations are declared by the cases."""
    told = hello["implementation"]
    return str(told["version"]) if told["name"] in _PCP else None


def _lies(hello: Json, verdicts: Sequence[Verdict]) -> Iterator[str]:
    for capability in hello["capabilities"]:
        asked = [verdict for verdict in verdicts if verdict.check.request.operation == capability]
        if asked and all(verdict.status == "skip" for verdict in asked):
            yield f"TST-308: it says that it has {capability}, and skips all {len(asked)} requests"
