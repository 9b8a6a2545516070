# SPDX-License-Identifier: Apache-2.0
"""`suite lint-adapter`: puts messages to an adapter and says which of them breaks which rule of the protocol (TST-...).

What it answers need not be right; it has to be an answer.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.adapters import protocol
from qa.adapters.process import AdapterProcess, Dead, Silent
from qa.adapters.protocol import PROTOCOL, RULES, Broken, Json, Messages
from qa.adapters.testee import Limits
from qa.suite.checks import Check
from qa.suite.implementations import Implementation
from qa.suite.runner import applies

_OF_EACH_OPERATION = 4  # requests
_ENOUGH = 3  # deaths or silences, after which nothing more is tried
_SEQS = ("k1", "", "with \"quotes\" and \\", "\u00fc\u20ac\U0001f600", 7, -1, 9007199254740991)
_MOST = 160  # characters shown of a line


@dataclass(frozen=True)
class Finding:
    rule: str
    what: str
    sent: str = ""

    def __str__(self) -> str:
        lines = [f"{self.rule} {RULES[self.rule].says}", f"    {self.what}"]
        if self.sent:
            lines.append(f"    asked: {self.sent}")
        return "\n".join([*lines, f"    hint: {RULES[self.rule].hint}"])


def _shown(told: Any) -> str:
    text = json.dumps(told, ensure_ascii=True)
    return text if len(text) <= _MOST else f"{text[:_MOST]}... ({len(text)} characters)"


class _Lost(Exception):
    """The conversation cannot go on."""


class _Conversation:
    """With one process. What breaks a rule is added to `findings`; raises _Lost where the process is not in step."""

    def __init__(self, lint: "_Lint") -> None:
        self._lint = lint
        self._last: str | int | None = None
        try:
            self._process = AdapterProcess(lint.argv, lint.log)
        except OSError as error:
            lint.note("TST-101", str(error), None)
            raise _Lost from error

    def end(self) -> None:
        self._process.end()

    def ask(self, message: Json, limit: float, silent: str = "TST-104") -> Json:
        self._process.say(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        self._lint.messages_sent += 1
        try:
            answer = protocol.object_of(self._process.line(limit))
            if "seq" in message:
                protocol.check_seq(answer, message["seq"], self._last)
                self._last = message["seq"]
            if self._process.has_more():
                raise Broken("TST-105", "more than one line for one request")
            return answer
        except Silent:
            self._lint.note(silent, f"no answer within {limit:g} s", message)
            self.end()
        except Dead:
            self._lint.note("TST-102", f"it ended with {self._process.after_its_end()}", message)
        except Broken as broken:
            self._lint.note(broken.rule, broken.what, message)
            self.end()
        raise _Lost

    def greet(self, number: int = PROTOCOL) -> Json:
        return self.ask({"cmd": "hello", "protocol": number}, self._lint.limits.start, "TST-103")

    def bye(self) -> None:
        self._process.say(b'{"cmd":"bye"}\n')
        status = self._process.finish(self._lint.limits.bye)
        if status != 0:
            told = "it stayed" if status is None else f"it ended with status {status}"
            self._lint.note("TST-401", told, {"cmd": "bye"})


class _Lint:
    def __init__(self, implementation: Implementation, limits: Limits, log: Path | None) -> None:
        self.argv = implementation.argv()
        self.limits = limits
        self.log = log
        self.messages_sent = 0
        self.findings: list[Finding] = []
        self.schema = Messages()

    def note(self, rule: str, what: str, message: Json | None) -> None:
        """Once for each rule and operation, for one mistake shows in many messages."""
        sent = "" if message is None else _shown(message)
        operation = (message or {}).get("op")
        if not any(f.rule == rule and (operation is None or f'"{operation}"' in f.sent) for f in self.findings):
            self.findings.append(Finding(rule, what, sent))

    def hello(self) -> Json | None:
        """None where it cannot be talked to."""
        try:
            conversation = _Conversation(self)
            answer = conversation.greet()
        except _Lost:
            return None
        try:
            self.schema.check_hello(answer)
        except Broken as broken:
            self.note(broken.rule, broken.what, {"cmd": "hello", "protocol": PROTOCOL})
            return None
        finally:
            conversation.end()
        return answer

    def another_protocol(self) -> None:
        try:
            conversation = _Conversation(self)
            answer = conversation.greet(99)
            if answer.get("ok") is not False or answer.get("protocol") != PROTOCOL:
                self.note("TST-202", f"it answers {_shown(answer)}", {"cmd": "hello", "protocol": 99})
            conversation.end()
        except _Lost:
            pass

    def requests(self, checks: Sequence[Check], hello: Json) -> None:
        """A few of each capability, twice, in processes that are started again when they are lost."""
        capabilities = hello["capabilities"]
        lost = 0
        conversation = None
        first_answers: dict[str, Json] = {}
        chosen = [check for operation in capabilities for check in _some(checks, operation)]
        for number, check in enumerate(chosen + chosen):
            try:
                if conversation is None:
                    conversation = _Conversation(self)
                    conversation.greet()
                message = _request(check, _SEQS[number % len(_SEQS)])
                answer = conversation.ask(message, self.limits.request)
            except _Lost:
                conversation = None
                lost += 1
                if lost == _ENOUGH:
                    return
                continue
            self._look_at(answer, message)
            answer.pop("seq", None)
            if first_answers.setdefault(check.id, answer) != answer:
                self.note("TST-310", f"it answers {_shown(answer)}, before that {_shown(first_answers[check.id])}", message)
        if conversation is not None:
            conversation.end()

    def skips(self, checks: Sequence[Check], hello: Json) -> None:
        """A capability whose first request of each case is skipped; what it lacks, and what nobody has."""
        try:
            conversation = _Conversation(self)
            conversation.greet()
            for number, operation in enumerate(self.schema.operations):
                of_it = list(_one_of_each_case(checks, operation))
                seq = f"s{number}"
                if operation not in hello["capabilities"]:
                    message = _request(of_it[0], seq) if of_it else _run(seq, operation, {}, {})
                    answer = conversation.ask(message, self.limits.request)
                    if "skip" not in answer:
                        self.note("TST-307", f"it answers {_shown(answer)}", message)
                elif of_it and all(
                    self._is_skip(conversation.ask(_request(check, f"{seq}.{check.id}"), self.limits.request), operation)
                    for check in of_it
                ):
                    self.note("TST-308", f"it says that it has {operation}, and skips it in each of {len(of_it)} cases", None)
            conversation.end()
        except _Lost:
            pass

    def nonsense(self, checks: Sequence[Check], hello: Json) -> None:
        senseless = ({"cmd": "dance", "seq": "n1"}, _run("n2", "no.such", {}, {}))
        known = [check for operation in hello["capabilities"] for check in _some(checks, operation)][:1]
        for message in senseless:
            found = len(self.findings)
            try:
                conversation = _Conversation(self)
                conversation.greet()
                answer = conversation.ask(message, self.limits.request)
                may = ("error", "skip") if message["cmd"] == "run" else ("error",)
                if not any(kind in answer for kind in may):
                    self.note("TST-309", f"it answers {_shown(answer)}", message)
                for check in known:
                    conversation.ask(_request(check, "after"), self.limits.request)
                conversation.end()
            except _Lost:
                # What was found is that it could not go on after this.
                for finding in self.findings[found:]:
                    self.note("TST-309", finding.what, message)
                    self.findings.remove(finding)

    def bye(self) -> None:
        try:
            conversation = _Conversation(self)
            conversation.greet()
            conversation.bye()
        except _Lost:
            pass

    def _is_skip(self, answer: Json, operation: str) -> bool:
        try:
            self.schema.check_answer(answer, operation)
        except Broken:
            return False
        return "skip" in answer

    def _look_at(self, answer: Json, message: Json) -> None:
        try:
            self.schema.check_answer(answer, message["op"])
        except Broken as broken:
            self.note(broken.rule, broken.what, message)


def _run(seq: str | int, operation: str, source: Json, args: Json) -> Json:
    return {"cmd": "run", "seq": seq, "op": operation, "input": source, "args": args}


def _request(check: Check, seq: str | int) -> Json:
    return _run(seq, check.request.operation, check.request.source, check.args)


def _one_of_each_case(checks: Sequence[Check], operation: str) -> Iterator[Check]:
    seen = set()
    for check in checks:
        if check.request.operation == operation and check.case.id not in seen:
            seen.add(check.case.id)
            yield check


def _some(checks: Sequence[Check], operation: str) -> list[Check]:
    """Of different cases, a refusal among them if there is one."""
    found = list(_one_of_each_case(checks, operation))[:_OF_EACH_OPERATION]
    refusals = [c for c in checks if c.request.operation == operation and "reject" in c.request.expect and c not in found]
    return found + refusals[:1]


def findings_of(
    implementation: Implementation, checks: Sequence[Check], limits: Limits, log: Path | None
) -> tuple[list[Finding], int]:
    """What is broken, and how many messages were sent. `log`: a file for what it writes on stderr."""
    lint = _Lint(implementation, limits, log)
    hello = lint.hello()
    if hello is not None:
        fitting = [check for check in checks if applies(check, hello)]
        lint.another_protocol()
        lint.requests(fitting, hello)
        lint.nonsense(fitting, hello)
        if not any(finding.rule in ("TST-102", "TST-104") for finding in lint.findings):
            lint.skips(fitting, hello)
        lint.bye()
    return sorted(lint.findings, key=lambda finding: finding.rule), lint.messages_sent
