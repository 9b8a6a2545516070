# SPDX-License-Identifier: Apache-2.0
"""What came of conversations, for people and as JSON (schema/report.schema.json)."""

import re
from collections.abc import Iterator, Sequence

from qa.conversations.conversation import Conversation, Json, Step
from qa.conversations.octets import in_words
from qa.conversations.player import Outcome

_LINE = 12  # words


def printable(text: str) -> str:
    """With everything escaped that would act on a terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def lines(outcome: Outcome, said: str) -> Iterator[str]:
    """`said`: what the process under test wrote beside the conversation."""
    conversation = outcome.conversation
    if outcome.is_right:
        yield f"right  {conversation.id:44} {conversation.title}"
        return
    if not outcome.step:
        yield f"FAIL   {conversation.id}: {outcome.outcome}: {printable(outcome.because)}"
        yield from (f"  it said: {printable(line)}" for line in said.splitlines()[-3:])
        return
    step = conversation.steps[outcome.step - 1]
    place = f"step {outcome.step} of {len(conversation.steps)}, from {step.sender}: {step.title}"
    yield f"FAIL   {conversation.id} [{', '.join(outcome.clauses)}] {outcome.outcome}"
    yield f"  {place}"
    yield f"  {outcome.because}"
    if outcome.offset is not None:
        yield from _side_by_side(outcome)
    for line in said.splitlines()[-3:] if outcome.outcome != "wrong" else []:
        yield f"  it said: {printable(line)}"


def _side_by_side(outcome: Outcome) -> Iterator[str]:
    """The rows that are there, each with its offset; only those around the difference of a long PDU."""
    expected, came = outcome.expected.split(), outcome.came.split()
    at = (outcome.offset or 0) // 4
    for row in range(0, max(len(expected), len(came)), _LINE):
        if abs(row - at) > 2 * _LINE:
            continue
        if expected[row : row + _LINE]:
            yield f"  expected @{4 * row:<5} {' '.join(expected[row : row + _LINE])}"
        if came[row : row + _LINE]:
            yield f"  came     @{4 * row:<5} {' '.join(came[row : row + _LINE])}"
        if row <= at < row + _LINE:
            place = (at - row) * 9 + 2 * ((outcome.offset or 0) % 4)
            yield f"  {'':15} {'':{place}}^^"


def step_line(who: str, step: Step, data: bytes) -> str:
    """Of a trace: > is to what is under test, < from it."""
    words = in_words(data[:256].hex()) + (" ..." if len(data) > 256 else "")
    return f"  {'>' if who == 'us' else '<'} {step.title}{': ' if words else ''}{words}"


def told(conversation: Conversation) -> Iterator[str]:
    """A conversation as a person reads it."""
    yield f"{conversation.id}: {conversation.title}"
    yield f"  {', '.join(conversation.clauses)}"
    yield f"  {conversation.why}"
    yield f"  agent: {conversation.agent}; may be under test: {', '.join(conversation.under_test)}"
    for step in conversation.steps:
        yield f"  {'>' if step.sender == 'collector' else '<'} {step.title}"
        for one in step.alternatives:
            yield f"      {one.octets}" + (f"   [{', '.join(one.of)}]" if one.of else "")
    if conversation.commands:
        yield f"  dbpmda: {'; '.join(conversation.commands)}"


def as_json(side: str, command: Sequence[str], outcomes: Sequence[tuple[Outcome, str]], skipped: int) -> Json:
    return {
        "schema": "pmproof-conversations-report/1",
        "under_test": side,
        "command": list(command),
        "played": len(outcomes),
        "right": sum(one.is_right for one, _ in outcomes),
        "not_for_it": skipped,
        "conversations": [_one(outcome, said) for outcome, said in outcomes],
    }


def _one(outcome: Outcome, said: str) -> Json:
    found: Json = {
        "id": outcome.conversation.id,
        "title": outcome.conversation.title,
        "outcome": re.sub(" ", "_", outcome.outcome),
    }
    if outcome.is_right:
        return found
    found |= {"because": outcome.because, "said": said}
    if outcome.step:
        step = outcome.conversation.steps[outcome.step - 1]
        found |= {"step": outcome.step, "from": step.sender, "step_title": step.title, "clauses": list(outcome.clauses)}
    if outcome.offset is not None:
        found |= {"offset": outcome.offset, "expected": outcome.expected, "came": outcome.came}
    return found
