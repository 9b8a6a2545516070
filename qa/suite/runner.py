# SPDX-License-Identifier: Apache-2.0
"""Checks put to one implementation by several adapters at a time, answers in the order of the checks."""

import itertools
import queue
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from qa.adapters.process import Stop
from qa.adapters.testee import Outcome, Testee
from qa.golden.cases import Json
from qa.suite.checks import Check
from qa.suite.verdicts import Answer


def applies(check: Check, hello: Json) -> bool:
    """Whether an implementation has the rule, the dialect or the emulation; of dialects it has all if it names none."""
    if "rule" in check.variant:
        return check.variant["rule"] in hello["rules"]
    if "emulate" in check.variant:
        return check.variant["emulate"] in hello.get("emulates", ())
    if "dialect" in check.variant and "dialects" in hello:
        return check.variant["dialect"] in hello["dialects"]
    return True


@dataclass(frozen=True)
class Runner:
    """`first` is an adapter that may have been started, `make` makes others, all with `stop`.

    `on_answer` is called from several threads.
    """

    first: Testee
    make: Callable[[], Testee]
    jobs: int
    stop: Stop
    on_answer: Callable[[Answer], None] = lambda answer: None

    def answers(self, checks: Sequence[Check], capabilities: Sequence[str]) -> Generator[Answer, None, None]:
        """Each answer as soon as it and all before it are there. One case is asked by one adapter.

        Raises TesteeError where an adapter cannot be started (again). All adapters are ended in the end; where that
        comes early, `stop` is set, and whatever they are doing is given up at once.
        """
        cases = [_Case(list(group)) for _, group in itertools.groupby(checks, key=lambda check: check.case.id)]
        idle: queue.SimpleQueue[Testee] = queue.SimpleQueue()
        testees = [self.first, *(self.make() for _ in range(1, min(self.jobs, len(cases))))]
        for testee in testees:
            idle.put(testee)

        def ask_all(case: _Case) -> None:
            testee = idle.get()
            try:
                for check in case.checks:
                    if self.stop.is_set():
                        return
                    case.come.put(self._ask(testee, check, capabilities))
            except BaseException as error:
                case.come.put(error)  # raised in the thread that waits
            finally:
                idle.put(testee)

        is_whole = False
        with ThreadPoolExecutor(len(testees)) as pool:
            for case in cases:
                pool.submit(ask_all, case)
            try:
                for case in cases:
                    for _ in case.checks:
                        answer = case.come.get()
                        if isinstance(answer, BaseException):
                            raise answer
                        yield answer
                is_whole = True
            finally:
                if not is_whole:
                    self.stop.set()
                pool.shutdown(cancel_futures=True)
                for testee in testees:
                    if is_whole:
                        testee.close()
                    else:
                        testee.end()

    def _ask(self, testee: Testee, check: Check, capabilities: Sequence[str]) -> Answer:
        request = check.request
        if request.operation in capabilities:
            begin = time.monotonic()
            outcome = testee.run(request.operation, request.source, check.args)
            answer = Answer(check, outcome, time.monotonic() - begin)
        else:
            reason = f"{request.operation} is not among its capabilities"
            answer = Answer(check, Outcome("skip", {"reason": reason}, reason), 0, asked=False)
        self.on_answer(answer)
        return answer


class _Case:
    """Its checks, and what came of them, in their order, as it comes."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self.checks = checks
        self.come: queue.SimpleQueue[Answer | BaseException] = queue.SimpleQueue()
