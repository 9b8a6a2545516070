"""Checks put to one implementation by several adapters at a time, answers in the order of the checks."""

import itertools
import queue
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from qa.adapters.testee import Outcome, Testee, TesteeError
from qa.golden.cases import Json
from qa.suite.checks import Check
from qa.suite.verdicts import Answer


def applies(check: Check, hello: Json) -> bool:
    """Whether an implementation has the rule or the dialect; of dialects it has all if it names none."""
    if "rule" in check.variant:
        return check.variant["rule"] in hello["rules"]
    if "dialect" in check.variant and "dialects" in hello:
        return check.variant["dialect"] in hello["dialects"]
    return True


@dataclass(frozen=True)
class Runner:
    """`first` is an adapter that may have been started, `make` makes others; `on_answer` is called from several threads."""

    first: Testee
    make: Callable[[], Testee]
    jobs: int
    on_answer: Callable[[Answer], None] = lambda answer: None

    def answers(self, checks: Sequence[Check], capabilities: Sequence[str]) -> Generator[Answer, None, None]:
        """Raises TesteeError where an adapter can not be started (again). All are closed in the end."""
        groups = [list(group) for _, group in itertools.groupby(checks, key=lambda check: check.case.id)]
        idle: queue.SimpleQueue[Testee] = queue.SimpleQueue()
        testees = [self.first, *(self.make() for _ in range(1, min(self.jobs, len(groups))))]
        for testee in testees:
            idle.put(testee)

        stopping = threading.Event()

        def ask_all(group: Sequence[Check]) -> tuple[list[Answer], TesteeError | None]:
            testee, found = idle.get(), []
            try:
                for check in group:
                    if stopping.is_set():
                        break
                    found.append(self._ask(testee, check, capabilities))
                return found, None
            except TesteeError as error:
                return found, error
            finally:
                idle.put(testee)

        with ThreadPoolExecutor(len(testees)) as pool:
            futures = [pool.submit(ask_all, group) for group in groups]
            try:
                for future in futures:
                    found, error = future.result()
                    yield from found
                    if error is not None:
                        raise error
            finally:
                stopping.set()
                pool.shutdown(cancel_futures=True)
                for testee in testees:
                    testee.close()

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
