# SPDX-License-Identifier: Apache-2.0
"""A player against another one that says what the conversation says, or nearly. Nothing is started, nothing waits."""

import random
import socket
import threading
from pathlib import Path

import pytest

from qa.conversations import octets
from qa.conversations.channel import Channel, Come
from qa.conversations.conversation import AGENTS, Conversation, load_all
from qa.conversations.player import CRASH, ENDED, RIGHT, TIMEOUT, WRONG, Outcome, Player

ALL = load_all(Path("golden/conversations"))
BOTH_SIDES = [(one, side) for one in ALL for side in ("collector", "agent")]
OTHER = {"collector": "agent", "agent": "collector"}


def name_of(one: object) -> str:
    return one.id.partition("/")[2] if isinstance(one, Conversation) else str(one)


class Written(Channel):
    """Of a side that has written down all that it will say, and listens to nothing."""

    def __init__(self, conversation: Conversation, side: str) -> None:
        self.said: list[bytes] = []
        self.titles: list[int] = []  # the step of each
        known = dict(conversation.values)
        for number, step in enumerate(conversation.steps, 1):
            if step.sender != side or step.ends:
                continue
            parts = octets.parse(step.alternatives[0].octets, AGENTS[conversation.agent])
            data, known = octets.written(parts, known)
            self.said.append(data)
            self.titles.append(number)
        self.next = 0
        self.at_the_end = "ended"

    def pdu(self, limit: float) -> Come:
        self.next += 1
        return Come(self.said[self.next - 1]) if self.next <= len(self.said) else Come(b"", self.at_the_end)

    def receive(self, size: int, limit: float) -> Come:
        come = self.pdu(limit)
        return Come(come.data[:size], come.why or ("ended" if len(come.data) < size else ""))

    def send(self, data: bytes, limit: float, cut: tuple[int, ...] = ()) -> str:
        return ""

    def finish(self) -> None:
        pass


def played(conversation: Conversation, side: str, channel: Channel) -> Outcome:
    return Player(conversation, side, channel, 5.0).play()


@pytest.mark.parametrize(("conversation", "side"), BOTH_SIDES, ids=name_of)
def test_who_says_what_is_written_is_right(conversation: Conversation, side: str) -> None:
    assert played(conversation, side, Written(conversation, OTHER[side])).because == ""


@pytest.mark.parametrize(("conversation", "side"), BOTH_SIDES, ids=name_of)
def test_an_octet_that_is_other_is_named(conversation: Conversation, side: str) -> None:
    """One of each PDU of the other side, where the conversation leaves no choice."""
    chance = random.Random(conversation.id)
    count = len(Written(conversation, OTHER[side]).said)
    for place in range(count):
        channel = Written(conversation, OTHER[side])
        step = conversation.steps[channel.titles[place] - 1]
        parts = octets.parse(step.alternatives[0].octets, AGENTS[conversation.agent])
        told = octets.compare(parts, channel.said[place], {}).expected
        if "{" in step.alternatives[0].octets or len(step.alternatives) > 1:
            told = told[:8]  # after that, another group or alternative may be nearer
        offset = chance.choice([at for at, digits in enumerate(told) if digits != "??"])
        data = channel.said[place]
        channel.said[place] = data[:offset] + bytes([data[offset] ^ 1 << chance.randrange(8)]) + data[offset + 1 :]
        found = played(conversation, side, channel)
        assert (found.outcome, found.step, found.offset) == (WRONG, channel.titles[place], offset), step.title
        assert found.clauses == step.clauses
        assert found.expected and found.came


@pytest.mark.parametrize(("conversation", "side"), BOTH_SIDES, ids=name_of)
def test_a_pdu_that_is_missing_or_too_much_is_noticed(conversation: Conversation, side: str) -> None:
    chance = random.Random(conversation.id)
    for missing in (True, False):
        channel = Written(conversation, OTHER[side])
        place = chance.randrange(len(channel.said))
        if missing:
            del channel.said[place:]
        else:
            channel.said.append(b"\0\0\0\x10\0\0\x70\0" + bytes(8))
        found = played(conversation, side, channel)
        assert found.outcome == (ENDED if missing else WRONG)
        assert found.step == channel.titles[place] if missing else conversation.steps[found.step - 1].ends


def test_silence_is_told_from_an_end() -> None:
    conversation = next(one for one in ALL if one.id.endswith("/any-unknown-metric"))
    channel = Written(conversation, "agent")
    channel.said, channel.at_the_end = channel.said[:1], "silent"
    found = played(conversation, "collector", channel)
    assert (found.outcome, found.step, found.because) == (TIMEOUT, 4, "nothing came within 5 s")


class Dead:
    def __init__(self, status: int | None) -> None:
        self._status = status

    def status(self, limit: float) -> int | None:
        return self._status


@pytest.mark.parametrize(
    ("status", "outcome", "says"),
    [
        (0, RIGHT, ""),
        (1, WRONG, "its process has ended with status 1; expected 0"),
        (-11, CRASH, "its process has ended with signal 11"),
        (None, TIMEOUT, "its stream has ended, its process not within 5 s"),
    ],
)
def test_how_the_process_ends_counts(status: int | None, outcome: str, says: str) -> None:
    conversation = next(one for one in ALL if one.id.endswith("/simple-fetch"))
    found = Player(conversation, "collector", Written(conversation, "agent"), 5.0, Dead(status)).play()
    assert (found.outcome, found.because) == (outcome, says)


def test_alternatives_go_together() -> None:
    """An agent that answers as C does, and later as Python does, is neither."""
    conversation = next(one for one in ALL if one.id.endswith("/trivial-time"))
    channel = Written(conversation, "agent")
    descriptor, values = (one for one in conversation.steps if len(one.alternatives) > 1)
    of_python = octets.written(octets.parse(values.alternatives[1].octets), {})[0]
    place = channel.titles.index(conversation.steps.index(values) + 1)
    channel.said[place] = of_python
    assert played(conversation, "collector", channel).outcome == WRONG
    channel = Written(conversation, "agent")
    channel.said[place] = of_python
    channel.said[place - 1] = octets.written(octets.parse(descriptor.alternatives[1].octets), {})[0]
    assert played(conversation, "collector", channel).outcome == RIGHT
    only_c = Player(conversation, "collector", Written(conversation, "agent"), 5.0, of=frozenset({"Python"}))
    assert only_c.play().outcome == WRONG


@pytest.mark.parametrize("name", ["any-in-a-row", "any-in-pieces", "simple-profile-cases", "sample-values", "any-ends-inside-a-body"])
def test_two_players_over_a_socket_agree(name: str) -> None:
    conversation = next(one for one in ALL if one.id.endswith(f"/{name}"))
    ours, theirs = socket.socketpair()
    found: dict[str, Outcome] = {}

    def play(side: str, sock: socket.socket) -> None:
        channel = Channel.of(sock)
        found[side] = Player(conversation, side, channel, 60.0).play()
        channel.close()

    other = threading.Thread(target=play, args=("agent", theirs))
    other.start()
    play("collector", ours)
    other.join()
    assert {side: outcome.outcome for side, outcome in found.items()} == {"agent": RIGHT, "collector": RIGHT}


@pytest.mark.parametrize("header", ["7fffffff00007005", "0000000b00007005", "8000000000007005"])
def test_a_length_that_makes_no_sense_is_not_waited_for(header: str) -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(bytes.fromhex(header) + bytes(4))
    channel = Channel.of(ours)
    assert channel.pdu(60.0) == Come(bytes.fromhex(header) + bytes(4), "")
    channel.close()
    theirs.close()


def test_who_does_not_read_is_not_waited_for_for_ever() -> None:
    ours, theirs = socket.socketpair()
    channel = Channel.of(ours)
    assert channel.send(bytes(1 << 24), 0.05) == "silent"
    theirs.close()
    assert channel.send(b"x", 0.05) == "ended"
    channel.close()
