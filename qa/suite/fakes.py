# SPDX-License-Identifier: Apache-2.0
"""Adapters that are wrong on purpose (`fake:NAME`): they prove that the suite can fail.

Each knows the answers, for it reads them in the cases or asks the reference, and then does one thing wrong. `right` does
nothing wrong.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.golden import cases

Json = dict[str, Any]

_PROGRAM = Path(__file__).with_name("fake")
LATE_SECONDS = 3.0

Say = Callable[[str], None]  # writes a line


@dataclass(frozen=True)
class Fake:
    """What it does in place of what is right; None: what is right.

    `outcome` is what the suite makes of its answers: an outcome of checks, "start" where it is not taken as an
    adapter, "" where only `suite lint-adapter` sees it. `rule` is what it breaks of the protocol, if it does.
    """

    says: str
    outcome: str
    rule: str = ""
    hello: Callable[["Adapter", Say], None] | None = None
    run: Callable[["Adapter", Json, Json, Say], None] | None = None  # request, the right answer
    nonsense: Callable[["Adapter", Json, Say], None] | None = None  # that makes no sense
    bye: Callable[[], None] | None = None
    before: Callable[[], None] | None = None
    any_protocol: bool = False


def argv(name: str, root: Path, pmproof: str | None = None) -> list[str]:
    """With `pmproof` it asks that for the answers, and the cases tell it the operations only."""
    told = [] if pmproof is None else [os.path.abspath(pmproof)]
    return ["/usr/bin/python3", "-B", os.path.abspath(_PROGRAM), name, str(root), *told]


def _text(message: Any) -> str:
    return json.dumps(message, separators=(",", ":"))


class Reference:
    """`pmproof testee`, which ends with its input."""

    def __init__(self, pmproof: str) -> None:
        self._process = subprocess.Popen([pmproof, "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answer(self, request: Json) -> Json:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(_text(request).encode() + b"\n")
        self._process.stdin.flush()
        told: Json = json.loads(self._process.stdout.readline())
        return told


class Adapter:
    """A right adapter but for what the fake does."""

    def __init__(self, fake: Fake, root: Path, out: int, reference: "Reference | None" = None) -> None:
        self._fake = fake
        self._reference = reference
        self._out = out
        self._answers: dict[str, Json] = {}
        self.operations: list[str] = []
        self.answered = 0
        for case in cases.load_all(root, checked=False):
            for request in case.requests:
                if request.operation not in self.operations:
                    self.operations.append(request.operation)
                for variant in request.variants:
                    args = {**request.args, **variant}
                    self._answers[_key(request.operation, request.source, args)] = request.expect

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data) :]

    def say(self, line: str) -> None:
        self.write(line.encode() + b"\n")

    def greeting(self) -> Json:
        implementation = {"name": "fake", "version": "1", "language": "Python"}
        rules = ["pcp-legacy", "pcp-6.3.2", "documented"]
        return {"ok": True, "protocol": 1, "implementation": implementation, "capabilities": self.operations, "rules": rules}

    def answer(self, request: Json) -> Json:
        """The right one."""
        operation = request["op"]
        if operation not in self.operations:
            return {"seq": request["seq"], "skip": {"reason": f"no operation {operation}"}}
        if self._reference is not None:
            return self._reference.answer(request)
        expect = self._answers.get(_key(operation, request["input"], request["args"]))
        if expect is None:
            return {"seq": request["seq"], "error": {"context": "nothing is known of this request"}}
        return {"seq": request["seq"], **_completed(expect)}

    def serve(self) -> None:
        fake = self._fake
        for line in sys.stdin.buffer:
            try:
                request = json.loads(line)
                command = request["cmd"]
            except (ValueError, KeyError, TypeError):
                command, request = "", {}
            if command == "bye":
                if fake.bye is not None:
                    fake.bye()
                return
            if command == "hello" and request.get("protocol") != 1 and not fake.any_protocol:
                self.say(_text({"ok": False, "protocol": 1}))
            elif command == "hello" and fake.hello is not None:
                fake.hello(self, self.say)
            elif command == "hello":
                self.say(_text(self.greeting()))
            elif command == "run" and isinstance(request.get("op"), str):
                right = self.answer(request)
                if fake.run is not None and request["op"] in self.operations:
                    fake.run(self, request, right, self.say)
                else:
                    self.say(_text(right))
                self.answered += 1
            elif fake.nonsense is not None:
                fake.nonsense(self, request, self.say)
            else:
                self.say(_text({"seq": request.get("seq"), "error": {"context": f"no command {command!r}"}}))


def _key(operation: str, source: Json, args: Json) -> str:
    return json.dumps([operation, source, args], sort_keys=True)


def _completed(expect: Json) -> Json:
    """What an expectation may leave out (DER-901)."""
    if "definitions" not in expect.get("result", {}):
        return expect
    definitions = expect["result"]["definitions"]
    completed = [{"where": None, **one} if one.get("stage") == "bind" else one for one in definitions]
    return {"result": {**expect["result"], "definitions": completed}}


def _numbers_plus_one(told: Any) -> Any:
    if isinstance(told, list):
        return [_numbers_plus_one(one) for one in told]
    if isinstance(told, dict):
        return {
            key: str(int(one) + 1) if key == "value" and isinstance(one, str) and one.lstrip("-").isdigit() else _numbers_plus_one(one)
            for key, one in told.items()
        }
    return told


def _changed(told: Any) -> Any:
    """Another answer of the same form."""
    if "reject" in told:
        return {"reject": {"class": "fake"}}
    result = dict(told["result"])
    for key, one in result.items():
        if isinstance(one, list) and one and key != "dimension" and key != "scale":
            result[key] = one[:-1]
        elif key in ("text", "value", "units", "multiplier"):
            result[key] = f"{one}0"
        else:
            continue
        return {"result": result}
    return {"reject": {"class": "fake"}}


def _wrong(_: Adapter, request: Json, right: Json, say: Say) -> None:
    say(_text({"seq": request["seq"], **_changed(right)} if "result" in right or "reject" in right else right))


def _off_by_one(_: Adapter, __: Json, right: Json, say: Say) -> None:
    say(_text(_numbers_plus_one(right)))


def _at_other_places(change: Callable[[Json], Json]) -> Callable[["Adapter", Json, Json, Say], None]:
    """Says of each broken rule that it is broken elsewhere."""

    def run(_: Adapter, request: Json, right: Json, say: Say) -> None:
        if request["op"] == "archive.validate" and "result" in right:
            findings = [{**one, **change(one)} if "offset" in one else one for one in right["result"]["findings"]]
            right = {**right, "result": {**right["result"], "findings": findings}}
        say(_text(right))

    return run


def _other_part(finding: Json) -> Json:
    return {"part": "index" if finding["part"] == "meta" else "meta"}


def _instead(**body: Any) -> Callable[[Adapter, Json, Json, Say], None]:
    def run(_: Adapter, request: Json, __: Json, say: Say) -> None:
        say(_text({"seq": request["seq"], **body}))

    return run


def _line_instead(line: str) -> Callable[[Adapter, Json, Json, Say], None]:
    return lambda adapter, request, right, say: say(line)


def _changes(change: Callable[[Json], None]) -> Callable[[Adapter, Json, Json, Say], None]:
    """Of the right answer."""

    def run(_: Adapter, __: Json, right: Json, say: Say) -> None:
        change(right)
        say(_text(right))

    return run


def _greets(change: Callable[[Json], None]) -> Callable[[Adapter, Say], None]:
    def hello(adapter: Adapter, say: Say) -> None:
        greeting = adapter.greeting()
        change(greeting)
        say(_text(greeting))

    return hello


def _die() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _crashes(*_: Any) -> None:
    _die()


def _crashes_at_times(adapter: Adapter, _: Json, right: Json, say: Say) -> None:
    if adapter.answered % 7 == 6:
        _die()
    say(_text(right))


def _exits(*_: Any) -> None:
    sys.exit(0)


def _hangs(*_: Any) -> None:
    while True:
        time.sleep(3600)


def _late(_: Adapter, __: Json, right: Json, say: Say) -> None:
    time.sleep(LATE_SECONDS)
    say(_text(right))


def _babbles(_: Adapter, request: Json, right: Json, say: Say) -> None:
    say(f"I was asked for {request['op']}.")
    say(_text(right))


def _repeats(_: Adapter, __: Json, right: Json, say: Say) -> None:
    say(f"{_text(right)}\n{_text(right)}")


def _endless(adapter: Adapter, *_: Any) -> None:
    while True:
        adapter.write(b"x" * (1 << 20))


def _half_line(adapter: Adapter, _: Json, right: Json, __: Say) -> None:
    text = _text(right)
    adapter.write(text[: len(text) // 2].encode())
    sys.exit(0)


def _half_line_and_silence(adapter: Adapter, _: Json, right: Json, __: Say) -> None:
    text = _text(right)
    adapter.write(text[: len(text) // 2].encode())
    _hangs()


def _no_utf8(adapter: Adapter, request: Json, *_: Any) -> None:
    adapter.write(b'{"seq":"%s","error":{"context":"\xff"}}\n' % str(request["seq"]).encode())


def _last_answer(adapter: Adapter, request: Json, right: Json, say: Say) -> None:
    """The answer of the request before."""
    before = getattr(adapter, "before", None)
    setattr(adapter, "before", right)
    say(_text(before or {**right, "seq": f"{request['seq']}0"}))


def _remembers(adapter: Adapter, request: Json, right: Json, say: Say) -> None:
    """Another answer for what was asked already."""
    key = _text({name: told for name, told in request.items() if name != "seq"})
    seen: set[str] = adapter.__dict__.setdefault("seen", set())
    if key in seen and ("result" in right or "reject" in right):
        right = {"seq": right["seq"], **_changed(right)}
    seen.add(key)
    say(_text(right))


def _skips_derived(_: Adapter, request: Json, right: Json, say: Say) -> None:
    skip = {"seq": request["seq"], "skip": {"reason": "not today"}}
    say(_text(skip if request["op"].startswith("derive.") else right))


def _without_name(greeting: Json) -> None:
    greeting["implementation"] = {"name": "fake"}


def _with_dance(greeting: Json) -> None:
    greeting["capabilities"] = ["dance"]


def _with_nothing(greeting: Json) -> None:
    greeting["capabilities"] = []


def _without_the_last(greeting: Json) -> None:
    greeting["capabilities"] = greeting["capabilities"][:-1]


def _protocol_2(greeting: Json) -> None:
    greeting["protocol"] = 2


def _rules_number(greeting: Json) -> None:
    greeting["rules"] = 3


def _bye_badly() -> None:
    sys.exit(1)


FAKES = {
    "right": Fake("answers everything as expected", "right"),
    "wrong": Fake("always answers something else, in the right form", "wrong", run=_wrong),
    "off-by-one": Fake("adds one to each whole number among the values", "wrong", run=_off_by_one),
    "shifts": Fake("is four bytes off where a rule is broken", "wrong", run=_at_other_places(lambda one: {"offset": one["offset"] + 4})),
    "other-part": Fake("names another file where a rule is broken", "wrong", run=_at_other_places(_other_part)),
    "refuses": Fake("refuses every input", "wrong", run=_instead(reject={"class": "fake.refusal"})),
    "fails": Fake("answers that it failed", "error", run=_instead(error={"context": "out of order"})),
    "skips": Fake("skips everything that it says it has", "skip", "TST-308", run=_instead(skip={"reason": "not today"})),
    "skips-derived": Fake("skips the derived metrics that it says it has", "skip", "TST-308", run=_skips_derived),
    "lacks-all": Fake("has no capability", "skip", hello=_greets(_with_nothing), run=_instead(skip={"reason": "not there"})),
    "crashes": Fake("dies of each request", "crash", "TST-102", run=_crashes),
    "crashes-at-times": Fake("dies of each seventh request", "crash", "TST-102", run=_crashes_at_times),
    "exits": Fake("ends with status 0 instead of an answer", "crash", "TST-102", run=_exits),
    "half-line": Fake("ends in the middle of its answer", "crash", "TST-102", run=_half_line),
    "hangs": Fake("never answers", "timeout", "TST-104", run=_hangs),
    "late": Fake(f"answers after {LATE_SECONDS:g} s", "timeout", "TST-104", run=_late),
    "half-line-hangs": Fake("stops in the middle of its answer", "timeout", "TST-104", run=_half_line_and_silence),
    "babbles": Fake("prints for people on stdout", "protocol", "TST-107", run=_babbles),
    "not-an-object": Fake("answers with a list", "protocol", "TST-107", run=_line_instead("[]")),
    "nan": Fake("answers with what is not JSON", "protocol", "TST-107", run=_line_instead('{"seq":NaN}')),
    "no-utf-8": Fake("answers in another encoding", "protocol", "TST-107", run=_no_utf8),
    "repeats": Fake("says each answer twice", "protocol", "TST-105", run=_repeats),
    "endless": Fake("never ends its line", "protocol", "TST-106", run=_endless),
    "wrong-seq": Fake("answers with a seq of its own", "protocol", "TST-301", run=_changes(lambda right: right.update(seq="x"))),
    "last-answer": Fake("answers the request before", "protocol", "TST-301", run=_last_answer),
    "two-kinds": Fake("answers and skips", "protocol", "TST-302", run=_changes(lambda right: right.update(skip={"reason": "no", "issue": ""}, error={"context": "no"}))),
    "more-keys": Fake("says more than the answer", "protocol", "TST-302", run=_changes(lambda right: right.update(note="all is well"))),
    "bad-result": Fake("answers with results of no known form", "protocol", "TST-303", run=_instead(result={"ok": True})),
    "bad-class": Fake("refuses in words", "protocol", "TST-304", run=_instead(reject={"class": "No, thanks!"})),
    "bare-skip": Fake("skips without a reason", "protocol", "TST-305", run=_instead(skip={})),
    "bare-error": Fake("fails without a context", "protocol", "TST-306", run=_instead(error={})),
    "dies-at-start": Fake("dies before it is asked anything", "start", "TST-102", before=_die),
    "silent-at-start": Fake("never answers hello", "start", "TST-103", hello=_hangs),
    "protocol-2": Fake("speaks another protocol", "start", "TST-201", hello=_greets(_protocol_2)),
    "nameless": Fake("does not say its version", "start", "TST-203", hello=_greets(_without_name)),
    "dances": Fake("has a capability that nobody knows", "start", "TST-204", hello=_greets(_with_dance)),
    "counts-rules": Fake("says how many rules it has", "start", "TST-205", hello=_greets(_rules_number)),
    "any-protocol": Fake("takes any protocol", "", "TST-202", any_protocol=True),
    "hidden": Fake("answers what it says it has not", "", "TST-307", hello=_greets(_without_the_last)),
    "gives-up": Fake("dies of what makes no sense", "", "TST-309", nonsense=_crashes),
    "remembers": Fake("answers otherwise when asked again", "", "TST-310", run=_remembers),
    "stays": Fake("does not leave at bye", "", "TST-401", bye=_hangs),
    "bad-status": Fake("leaves with status 1 at bye", "", "TST-401", bye=_bye_badly),
}


def main(arguments: Sequence[str]) -> int:
    """NAME CASES [PMPROOF]: as the program of the adapter."""
    fake = FAKES[arguments[0]]
    if fake.before is not None:
        fake.before()
    reference = Reference(arguments[2]) if len(arguments) > 2 else None
    Adapter(fake, Path(arguments[1]), sys.stdout.fileno(), reference).serve()
    return 0
