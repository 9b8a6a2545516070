# SPDX-License-Identifier: Apache-2.0
"""Golden conversations (golden/README.md) as typed values."""

import fnmatch
import functools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.conversations import octets

Json = dict[str, Any]

NAME = "conversation.json"
AGENTS = {"any": 0, "trivial": 250, "simple": 253, "sample": 29}  # and their default domains
_SCHEMA = Path(__file__).parents[2] / "golden/schema/conversation.schema.json"
_LARGEST = 4 << 20  # octets of a conversation.json


@functools.cache
def _validator() -> Any:
    # Here, because every command of the suite imports this module.
    import jsonschema

    return jsonschema.Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))


class ConversationError(Exception):
    """No conversation was found, or one that cannot be played."""


class BrokenConversation(ConversationError):
    """A conversation.json cannot be used as it stands."""


@dataclass(frozen=True)
class Alternative:
    """`of`: who says so, versions or implementations; nobody in particular if it is empty."""

    of: tuple[str, ...]
    octets: str
    vector: str


@dataclass(frozen=True)
class Step:
    """One PDU, as alternatives of which mostly there is one; none where the stream of the side ends."""

    sender: str  # "collector" or "agent"
    title: str
    clauses: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    unframed: bool
    joined: bool
    cut: tuple[int, ...]
    status: tuple[int, ...]

    @property
    def ends(self) -> bool:
        return not self.alternatives


@dataclass(frozen=True)
class Conversation:
    id: str
    title: str
    clauses: tuple[str, ...]
    level: str
    why: str
    provenance: Json
    agent: str
    under_test: tuple[str, ...]
    commands: tuple[str, ...]
    values: dict[str, bytes]
    steps: tuple[Step, ...]
    folder: Path

    @property
    def all_clauses(self) -> tuple[str, ...]:
        """Its own and those of its steps, each once."""
        found = [*self.clauses, *(clause for step in self.steps for clause in step.clauses)]
        return tuple(dict.fromkeys(found))


def _to_step(told: Json, clauses: tuple[str, ...]) -> Step:
    either = told.get("either", [told] if "octets" in told else [])
    return Step(
        told["from"],
        told["title"],
        tuple(told.get("clauses", clauses)),
        tuple(Alternative(tuple(one.get("of", ())), one["octets"], one.get("vector", "")) for one in either),
        told.get("unframed", False),
        told.get("joined", False),
        tuple(told.get("cut", ())),
        tuple(told.get("status", ())),
    )


def load(path: Path) -> Conversation:
    """Raises BrokenConversation where it cannot be read or makes no sense."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BrokenConversation(f"{path}: longer than {_LARGEST} bytes")
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenConversation(f"{path}: {error}") from error
    if wrong := next(_validator().iter_errors(told), None):
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in wrong.absolute_path).lstrip(".")
        raise BrokenConversation(f"{path}: {place or 'the conversation'}: {wrong.message[:200]}")
    clauses = tuple(told["clauses"])
    found = Conversation(
        told["id"],
        told["title"],
        clauses,
        told["level"],
        told["why"],
        told["provenance"],
        told["agent"],
        tuple(told["under_test"]),
        tuple(told.get("commands", ())),
        {name: bytes.fromhex(digits) for name, digits in told.get("values", {}).items()},
        tuple(_to_step(step, clauses) for step in told["steps"]),
        path.parent,
    )
    for number, why in _wrong(found):
        raise BrokenConversation(f"{path}: steps[{number}]: {why}")
    return found


def _wrong(conversation: Conversation) -> Iterable[tuple[int, str]]:
    """What the schema does not see."""
    sizes = {name: len(value) for name, value in conversation.values.items()}
    over: set[str] = set()
    for place, step in enumerate(conversation.steps):
        if step.sender in over:
            yield place, f"the stream of the {step.sender} has ended before"
        if step.ends:
            over.add(step.sender)
        following = conversation.steps[place + 1 : place + 2]
        if step.joined and not (following and following[0].sender == step.sender and not following[0].ends):
            yield place, "joined with what?"
        for alternative in step.alternatives:
            try:
                parts = octets.parse(alternative.octets)
            except octets.BadPattern as error:
                yield place, str(error)
                continue
            if step.unframed and octets.size_of(parts) is None:
                yield place, "unframed, and of no certain length"
            for one in octets.names_in(parts):
                if sizes.setdefault(one.name, one.size) != one.size:
                    yield place, f"<{one.name}> has {one.size} octets here and {sizes[one.name]} elsewhere"
    if over != {"collector", "agent"}:
        yield len(conversation.steps) - 1, "a conversation ends with the streams of both sides"


def load_all(root: Path, globs: Sequence[str] = ()) -> list[Conversation]:
    """Those below a folder, by ID; of those whose ID, or its last part, matches one of the globs, if there are any.

    Raises ConversationError where nothing is found, where a glob matches nothing, and where two have one ID.
    """
    found = sorted((load(path) for path in root.rglob(NAME)), key=lambda one: one.id)
    if not found:
        raise ConversationError(f"{root}: no {NAME} below it")
    known = [one.id for one in found]
    if twice := {name for name in known if known.count(name) > 1}:
        raise ConversationError(f"more than one conversation is called {', '.join(sorted(twice))}")

    def fits(name: str, glob: str) -> bool:
        return fnmatch.fnmatchcase(name, glob) or fnmatch.fnmatchcase(name.partition("/")[2], glob)

    for glob in globs:
        if not any(fits(name, glob) for name in known):
            raise ConversationError(f"no conversation is called {glob}")
    return [one for one in found if not globs or any(fits(one.id, glob) for glob in globs)]
