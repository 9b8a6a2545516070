# SPDX-License-Identifier: Apache-2.0
"""The language in which conversations write octets (golden/README.md, "A conversation").

    00000010 00007000 <slot> ffffcf99        hexadecimal digits; <slot> is a word that is captured, or expected again
    <len> 00007009 00000000 ????????         <len> is the length of the whole PDU, ?? any octet
    { 00000000 <a> | 00000001 <b> } <rest>   groups in any order; <rest> is what is left

No exceptions but BadPattern, and no input or output.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Bindings = Mapping[str, bytes]


class BadPattern(Exception):
    """It is not of the language."""


@dataclass(frozen=True)
class Octet:
    """One octet; any one if there is no value."""

    value: int | None


@dataclass(frozen=True)
class Captured:
    """So many octets: any the first time, and from then on the same."""

    name: str
    size: int


@dataclass(frozen=True)
class Length:
    """The length of the whole PDU, as a word."""


@dataclass(frozen=True)
class Rest:
    """Any octets up to the end."""


@dataclass(frozen=True)
class AnyOrder:
    """Groups, each of which comes once. The first that fits at its place is taken."""

    groups: tuple[tuple["Part", ...], ...]


Part = Octet | Captured | Length | Rest | AnyOrder
_WORD = 4
_HEX = re.compile(r"(?:[0-9a-f]{2}|\?\?)+")
_NAMED = re.compile(r"<([a-z][a-z0-9-]*)(?::([0-9.]+))?>")
_MOST = 1 << 16  # octets that one name or run of `any` stands for
_RESERVED = ("len", "rest", "any", "pmid", "indom", "domain")


def parse(text: str, domain: int = 0) -> tuple[Part, ...]:
    """`domain` is the agent's, for <pmid:CLUSTER.ITEM>, <indom:SERIAL> and <domain>. Raises BadPattern."""
    words = text.split()
    parts: list[Part] = []
    groups: list[list[Part]] | None = None
    for place, word in enumerate(words):
        if word == "{" and groups is None:
            groups = [[]]
        elif word == "|" and groups is not None:
            groups.append([])
        elif word == "}" and groups is not None:
            if not all(groups):
                raise BadPattern("a group is empty")
            parts.append(AnyOrder(tuple(tuple(group) for group in groups)))
            groups = None
        else:
            found = _parsed(word, domain)
            if Rest() in found and (groups is not None or place + 1 < len(words)):
                raise BadPattern("<rest> stands at the end")
            (parts if groups is None else groups[-1]).extend(found)
    if groups is not None:
        raise BadPattern("{ without }")
    return tuple(parts)


def _parsed(word: str, domain: int) -> list[Part]:
    if _HEX.fullmatch(word):
        pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
        return [Octet(None if pair == "??" else int(pair, 16)) for pair in pairs]
    told = _NAMED.fullmatch(word)
    if told is None:
        raise BadPattern(f"{word}: neither pairs of hexadecimal digits nor <NAME>")
    name, more = told[1], told[2]
    if name == "len" and more is None:
        return [Length()]
    if name == "rest" and more is None:
        return [Rest()]
    if name in ("pmid", "indom", "domain"):
        return [Octet(value) for value in _of_domain(word, name, more, domain).to_bytes(_WORD, "big")]
    size = int(more) if more is not None and more.isdigit() else _WORD if more is None else 0
    if name in _RESERVED[:2] or not 1 <= size <= _MOST or (name == "any" and more is None):
        raise BadPattern(f"{word}: how many octets?")
    return [Octet(None)] * size if name == "any" else [Captured(name, size)]


def _of_domain(word: str, name: str, more: str | None, domain: int) -> int:
    """PDU-030, PDU-031."""
    numbers = [int(number) for number in (more or "").split(".") if number]
    if name == "pmid" and len(numbers) == 2 and numbers[0] < 1 << 12 and numbers[1] < 1 << 10:
        return domain << 22 | numbers[0] << 10 | numbers[1]
    if name == "indom" and len(numbers) == 1 and numbers[0] < 1 << 22:
        return domain << 22 | numbers[0]
    if name == "domain" and more is None:
        return domain
    raise BadPattern(f"{word}: <pmid:CLUSTER.ITEM>, <indom:SERIAL> or <domain>")


def size_of(parts: Sequence[Part]) -> int | None:
    """How many octets it stands for; None where that is open."""
    total = 0
    for part in parts:
        if isinstance(part, Rest):
            return None
        total += _size(part)
    return total


def _size(part: Part) -> int:
    if isinstance(part, Octet):
        return 1
    if isinstance(part, Captured):
        return part.size
    if isinstance(part, AnyOrder):
        return sum(_size(one) for group in part.groups for one in group)
    return _WORD


def names_in(parts: Sequence[Part]) -> Iterator[Captured]:
    for part in parts:
        if isinstance(part, Captured):
            yield part
        elif isinstance(part, AnyOrder):
            for group in part.groups:
                yield from names_in(group)


def written(parts: Sequence[Part], bindings: Bindings) -> tuple[bytes, dict[str, bytes]]:
    """The octets that a sender makes of it, and all that is captured then.

    Groups come in the order that they are written in, what is open is 0, <rest> is nothing.
    """
    known = dict(bindings)
    out = bytearray()
    lengths: list[int] = []
    _write(parts, known, out, lengths)
    for at in lengths:
        out[at : at + _WORD] = len(out).to_bytes(_WORD, "big")
    return bytes(out), known


def _write(parts: Sequence[Part], known: dict[str, bytes], out: bytearray, lengths: list[int]) -> None:
    for part in parts:
        if isinstance(part, Octet):
            out.append(part.value or 0)
        elif isinstance(part, Captured):
            out += known.setdefault(part.name, bytes(part.size))
        elif isinstance(part, Length):
            lengths.append(len(out))
            out += bytes(_WORD)
        elif isinstance(part, AnyOrder):
            for group in part.groups:
                _write(group, known, out, lengths)


@dataclass
class Compared:
    """What came of a comparison. `expected` has two characters for each octet: digits, or ?? where it may be any.

    `offset` is the first octet that differs, which is the length of what came where that is too short; None if it fits.
    """

    offset: int | None = None
    expected: list[str] = field(default_factory=list)
    captured: dict[str, bytes] = field(default_factory=dict)

    @property
    def fits(self) -> bool:
        return self.offset is None

    def words(self) -> str:
        return in_words("".join(self.expected))


def in_words(digits: str) -> str:
    return " ".join(digits[at : at + 8] for at in range(0, len(digits), 8))


def compare(parts: Sequence[Part], data: bytes, bindings: Bindings) -> Compared:
    """Whether the octets are what the pattern says, where `bindings` were captured before."""
    found = Compared(captured=dict(bindings))
    at = _compare(parts, data, 0, found)
    if found.fits and at < len(data):
        found.offset = at
    return found


def _compare(parts: Sequence[Part], data: bytes, at: int, found: Compared) -> int:
    """Where it ends. What comes after the first difference is only written into `expected`."""
    for part in parts:
        if isinstance(part, AnyOrder):
            at = _compare_groups(part, data, at, found)
            continue
        if isinstance(part, Rest):
            found.expected += ["??"] * max(0, len(data) - at)
            return max(at, len(data))
        wanted: Sequence[int | None]
        if isinstance(part, Octet):
            wanted = (part.value,)
        elif isinstance(part, Length):
            wanted = tuple(len(data).to_bytes(_WORD, "big"))
        else:
            wanted = tuple(found.captured[part.name]) if part.name in found.captured else (None,) * part.size
        for place, value in enumerate(wanted):
            if found.fits and (at + place >= len(data) or value not in (None, data[at + place])):
                found.offset = min(at + place, len(data))
            found.expected.append("??" if value is None else f"{value:02x}")
        if isinstance(part, Captured) and found.fits:
            found.captured.setdefault(part.name, data[at : at + part.size])
        at += len(wanted)
    return at


def _compare_groups(part: AnyOrder, data: bytes, at: int, found: Compared) -> int:
    left = list(part.groups)
    while left:
        best: tuple[int, Compared, tuple[Part, ...], int] | None = None
        for group in left:
            tried = Compared(found.offset, [], dict(found.captured))
            end = _compare(group, data, at, tried)
            reached = end if tried.offset is None else tried.offset
            if best is None or tried.fits or reached > best[0]:
                best = (reached, tried, group, end)
            if tried.fits:
                break
        assert best is not None
        _, taken, group, at = best
        found.offset, found.captured = taken.offset, taken.captured
        found.expected += taken.expected
        left.remove(group)
    return at
