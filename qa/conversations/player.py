# SPDX-License-Identifier: Apache-2.0
"""Plays one side of a conversation over a channel, and compares what the other side says, octet by octet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from qa.conversations import octets
from qa.conversations.channel import Channel, Come
from qa.conversations.conversation import AGENTS, Alternative, Conversation, Step
from qa.conversations.octets import Compared

RIGHT, WRONG, TIMEOUT, ENDED, CRASH, NOT_STARTED = "right", "wrong", "timeout", "ended", "crash", "not started"


class Process(Protocol):
    """Of what is under test."""

    def status(self, limit: float) -> int | None:
        """Its exit status, negative for a signal; None where it has none within so many seconds."""


@dataclass(frozen=True)
class Outcome:
    """What came of one conversation. `step` counts from 1, `offset` from the first octet of the PDU."""

    conversation: Conversation
    outcome: str
    step: int = 0
    because: str = ""
    offset: int | None = None
    expected: str = ""  # words
    came: str = ""

    @property
    def is_right(self) -> bool:
        return self.outcome == RIGHT

    @property
    def is_silence_at_start(self) -> bool:
        """It ended, or died, before it said anything: mostly the command is wrong."""
        return self.outcome in (ENDED, CRASH) and self.step == 1 and not self.came

    def as_not_started(self) -> "Outcome":
        return Outcome(self.conversation, NOT_STARTED, because=self.because)

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.conversation.steps[self.step - 1].clauses if self.step else ()


Trace = Callable[[str, Step, bytes], None]  # who is speaking ("us" or "them"), the step, the octets


@dataclass
class Player:
    """`side` is the one that is played. `of` limits alternatives to what these versions or implementations say."""

    conversation: Conversation
    side: str
    channel: Channel
    limit: float  # seconds for each step
    process: Process | None = None
    of: frozenset[str] | None = None
    domain: int | None = None
    trace: Trace = lambda who, step, data: None
    prompt: Callable[[Step, bytes], None] = lambda step, data: None  # before what the other side is to say
    known: dict[str, bytes] = field(default_factory=dict)
    _unsent: bytes = b""

    def play(self) -> Outcome:
        """To the end, or to the first difference."""
        for number, step in enumerate(self.conversation.steps, 1):
            wrong = self._say(step) if step.sender == self.side else self._hear(step)
            if wrong is not None:
                came = octets.in_words(wrong.came[:_SHOWN].hex())
                found = Outcome(self.conversation, wrong.outcome, number, wrong.because, wrong.offset, wrong.expected, came)
                return self._with_its_end(found)
        return Outcome(self.conversation, RIGHT)

    def _with_its_end(self, outcome: Outcome) -> Outcome:
        """A process that was killed by a signal has crashed, whatever was seen of it first."""
        if self.process is None or outcome.outcome not in (ENDED, WRONG) or outcome.offset is None:
            return outcome
        status = self.process.status(0.5 if outcome.outcome == ENDED else 0.0)
        if status is None:
            return outcome
        told = f"{outcome.because}; its process has ended with " + (f"signal {-status}" if status < 0 else f"status {status}")
        return replace(outcome, because=told, outcome=CRASH if status < 0 else outcome.outcome)

    def _choices(self, step: Step) -> list[Alternative]:
        """Those that go with what was said before."""
        return [one for one in step.alternatives if not one.of or self.of is None or self.of & set(one.of)]

    def _take(self, taken: Alternative) -> None:
        if taken.of:
            self.of = frozenset(taken.of) if self.of is None else self.of & set(taken.of)

    def _parts(self, alternative: Alternative) -> Sequence[octets.Part]:
        domain = AGENTS[self.conversation.agent] if self.domain is None else self.domain
        return octets.parse(alternative.octets, domain)

    def _say(self, step: Step) -> "_Wrong | None":
        if step.ends:
            self.channel.finish()
            self.trace("us", step, b"")
            return None
        choices = self._choices(step)
        if not choices:
            return _Wrong(WRONG, f"none of the alternatives is of {self._who()}")
        self._take(choices[0])
        parts = self._parts(choices[0])
        values = self.conversation.values
        ours = {one.name: values[one.name] for one in octets.names_in(parts) if one.name in values}
        data, self.known = octets.written(parts, {**ours, **self.known})
        self.trace("us", step, data)
        self._unsent += data
        if step.joined:
            return None
        data, self._unsent = self._unsent, b""
        why = self.channel.send(data, self.limit, step.cut)
        if why == "silent":
            return _Wrong(TIMEOUT, f"does not read what it is sent within {self.limit:g} s")
        return None  # an end is seen by what does not come, for there may be answers before it

    def _who(self) -> str:
        return ", ".join(sorted(self.of or ())) or "anybody"

    def _hear(self, step: Step) -> "_Wrong | None":
        if step.ends:
            return self._hear_the_end(step)
        choices = self._choices(step)
        if not choices:
            return _Wrong(WRONG, f"none of the alternatives is of {self._who()}")
        if self.side == "agent":
            self.prompt(step, octets.written(self._parts(choices[0]), self.known)[0])
        size = octets.size_of(self._parts(choices[0])) if step.unframed else None
        come = self.channel.pdu(self.limit) if size is None else self.channel.receive(size, self.limit)
        self.trace("them", step, come.data)
        best: Compared | None = None
        for choice in choices:
            # Before a word is captured it may be anything, whatever the player itself would say.
            compared = octets.compare(self._parts(choice), come.data, self.known)
            if compared.fits and not come.why:
                self.known = compared.captured
                self._take(choice)
                return None
            if best is None or (compared.offset or 0) > (best.offset or 0):
                best = compared
        assert best is not None
        return _differs(best, come, self.limit)

    def _hear_the_end(self, step: Step) -> "_Wrong | None":
        self.prompt(step, b"")
        come = self.channel.receive(_SURPLUS, self.limit)
        self.trace("them", step, come.data)
        if come.data:
            return _Wrong(WRONG, "says more, where its stream has to end", 0, "", come.data)
        if come.why != "ended":
            return _Wrong(TIMEOUT, f"its stream does not end within {self.limit:g} s")
        if step.sender != "agent" or self.process is None:
            return None
        status = self.process.status(self.limit)
        if status is None:
            return _Wrong(TIMEOUT, f"its stream has ended, its process not within {self.limit:g} s")
        if status < 0:
            return _Wrong(CRASH, f"its process has ended with signal {-status}")
        if step.status and status not in step.status:
            wanted = " or ".join(str(one) for one in step.status)
            return _Wrong(WRONG, f"its process has ended with status {status}; expected {wanted}")
        return None


_SHOWN = 4096  # octets of a PDU in a report
_SURPLUS = 64  # octets that are looked at where none should be


@dataclass(frozen=True)
class _Wrong:
    outcome: str
    because: str
    offset: int | None = None
    expected: str = ""
    came: bytes = b""


def _differs(best: Compared, come: Come, limit: float) -> _Wrong:
    offset = len(come.data) if best.offset is None else best.offset
    words = octets.in_words("".join(best.expected[:_SHOWN]))
    if come.why and offset == len(come.data):
        what = f"{len(come.data)} octets came" if come.data else "nothing came"
        if come.why == "silent":
            return _Wrong(TIMEOUT, f"{what} within {limit:g} s", offset, words, come.data)
        return _Wrong(ENDED, f"{what}, and its stream ended", offset, words, come.data)
    if offset >= len(best.expected):
        because = f"octet {offset}: the PDU has {len(come.data)} octets; expected {len(best.expected)}"
    elif offset >= len(come.data):
        because = f"octet {offset}: the PDU ends here; expected {len(best.expected)} octets"
    else:
        because = f"octet {offset}: {come.data[offset]:02x}; expected {best.expected[offset]}"
    return _Wrong(WRONG, because, offset, words, come.data)
