# SPDX-License-Identifier: Apache-2.0
"""Stands between `pmproof agent check` and an agent, and changes what the agent says (mutant.py, sound.py).

    proxy_main.py FOLDER CHANGES AGENT...      CHANGES: "-" for none, a mutant, or sound=NAME,NAME,...

Its standard input is the agent's: requests reach the agent untouched, and the end of them ends it. The proxy ends as the agent does.
It writes into FOLDER: `starts`, an octet for each start, and `changes`, a line for each different change of a process:
number of the PDU, field, its offset, octets before and after, PDU before and after (these four as hexadecimal digits).
"""

from __future__ import annotations

import os
import sys
import time

from qa.dev.agent_mutants import operators
from qa.dev.agent_mutants.mutant import WHOLE, Mutant
from qa.dev.agent_mutants.pdus import fields_of, kind_of, unsigned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence  # whose module takes longer to import than all of this

    # What is sent in place of a PDU, in pieces.
    Change = Callable[[bytes], Sequence[bytes]]

# Changes of one process that are told, and octets of a PDU that are.
_MOST_TOLD, _LONGEST = 60, 4096
_AT_ONCE = 1 << 18
_LARGEST = 1 << 24  # octets of a PDU: more than any agent here says
_SIGPIPE = 13


class Mutating:
    """Applies a mutant, and tells what it changed."""

    def __init__(self, mutant: Mutant, folder: str) -> None:
        self._mutant, self._folder = mutant, folder
        self._start = _started(folder)
        self._count = 0
        self._before = b""
        self._told: set[tuple[bytes, bytes]] = set()
        self._log = -1

    def __call__(self, pdu: bytes) -> Sequence[bytes]:
        mutant = self._mutant
        if kind_of(pdu) != mutant.kind:
            return (pdu,)
        count, before = self._count, self._before
        self._count, self._before = count + 1, pdu
        if not mutant.hits(count, self._start):
            return (pdu,)
        if mutant.field == WHOLE:
            return (self._whole(pdu, before),)
        return (self._field(pdu),)

    def _whole(self, pdu: bytes, before: bytes) -> bytes:
        operator = self._mutant.operator
        if operator.startswith("delay"):
            self._tell(WHOLE, 0, pdu, pdu, pdu, pdu)
            time.sleep(operators.number_of(operator) / 1000)
            return pdu
        new = operators.replaced(operator, pdu, before)
        if new != pdu:
            self._tell(WHOLE, 0, pdu, new, pdu, new)
        return new

    def _field(self, pdu: bytes) -> bytes:
        fields = fields_of(pdu)
        mutant = self._mutant
        which = [number for number, field in enumerate(fields) if field[0] == mutant.field]
        if mutant.where == "first":
            which = which[:1]
        elif mutant.where == "last":
            which = which[-1:]
        new = pdu
        for number in which:
            changed = operators.changed(mutant.operator, mutant.kind, new, fields, number)
            if changed != new:
                name, at, size = fields[number]
                self._tell(name, at, new[at : at + size], changed[at : at + size], pdu, changed)
            new = changed
        return new

    def _tell(self, name: str, at: int, old: bytes, new: bytes, pdu: bytes, sent: bytes) -> None:
        if (old, new) in self._told or len(self._told) >= _MOST_TOLD:
            return
        self._told.add((old, new))
        if self._log < 0:
            self._log = os.open(f"{self._folder}/changes", os.O_WRONLY | os.O_APPEND)
        shown = [one[:_LONGEST].hex() or "-" for one in (old, new, pdu, sent)]
        os.write(self._log, f"{self._count - 1} {name} {at} {' '.join(shown)}\n".encode())


def _started(folder: str) -> int:
    """How many processes were started before this one."""
    file = os.open(f"{folder}/starts", os.O_WRONLY | os.O_APPEND)
    os.write(file, b".")
    number = os.lseek(file, 0, os.SEEK_CUR) - 1
    os.close(file)
    return number


def _change(text: str, folder: str) -> Change:
    if text == "-":
        return lambda pdu: (pdu,)
    if text.startswith("sound="):
        from qa.dev.agent_mutants.sound_changes import SoundChanges  # only then, for the time that it takes

        return SoundChanges(text.removeprefix("sound=").split(","))
    return Mutating(Mutant.parsed(text), folder)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _forward(source: int, change: Change) -> None:
    """Until the agent ends what it says. Raises BrokenPipeError where nobody listens any more."""
    held = b""
    while data := os.read(source, _AT_ONCE):
        held += data
        ready: list[bytes] = []
        at = 0
        while len(held) - at >= 12:
            size = unsigned(held, at)
            if not 12 <= size <= _LARGEST:  # not a PDU: nothing is known of what follows
                size = len(held) - at
            if len(held) - at < size:
                break
            pieces = change(held[at : at + size])
            ready.append(pieces[0])
            for piece in pieces[1:]:
                _write(b"".join(ready))
                ready = [piece]
            at += size
        held = held[at:]
        _write(b"".join(ready))
    _write(held)


def main(arguments: Sequence[str]) -> int:
    folder, changes, *agent = arguments
    change = _change(changes, folder)
    source, theirs = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, theirs, 1), (os.POSIX_SPAWN_CLOSE, theirs), (os.POSIX_SPAWN_CLOSE, source)]
    process = os.posix_spawnp(agent[0], agent, os.environ, file_actions=actions, setsigdef=[_SIGPIPE])
    os.close(theirs)
    os.close(0)
    try:
        _forward(source, change)
    except BrokenPipeError:
        pass  # the agent is to see it as well
    os.close(source)
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.waitstatus_to_exitcode(status)


def run() -> None:
    sys.stdout.flush()
    os._exit(main(sys.argv[1:]))
