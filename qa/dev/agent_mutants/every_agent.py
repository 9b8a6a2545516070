# SPDX-License-Identifier: Apache-2.0
"""The agent "every": sound, with everything that agents may have, so that each kind of PDU and each field occurs.

    every_main.py [-d DOMAIN] [--option NAME[=NUMBER]]...      talks over standard input and output

It decodes requests and answers them as sections 4, 5 and 10 of reference/spec/pmda.md say. It shares no code with pmproof.
"""

from __future__ import annotations

import os
import struct
import sys
import time

from qa.dev.agent_mutants.every_world import NULL, World
from qa.dev.agent_mutants.pdus import TYPES, padded, pdu_of

DOMAIN = 77
PM_ERR_TEXT, PM_ERR_NAME, PM_ERR_PMID, PM_ERR_INDOM, PM_ERR_INST, PM_ERR_CONV = -12349, -12357, -12358, -12359, -12360, -12362
PM_ERR_IPC, PM_ERR_PERMISSION, PM_ERR_NONLEAF, PM_ERR_TYPE = -12366, -12387, -12394, -12397
PM_ERR_PMDAREADY, PM_ERR_PMDANOTREADY, PM_ERR_APPVERSION = -13393, -13394, -12350
PROFILE, FETCH, DESC_REQ, INSTANCE_REQ, TEXT_REQ, LABEL_REQ = 0x7002, 0x7003, 0x7004, 0x7006, 0x7008, 0x7012
PMNS_CHILD, PMNS_TRAVERSE = 0x700F, 0x7010


class Refused(Exception):
    """Answered by an ERROR."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def _demand(condition: bool, code: int = PM_ERR_IPC) -> None:
    if not condition:
        raise Refused(code)


class Answers:
    def __init__(self, world: World) -> None:
        self._world = world
        # Of the last PROFILE: whether others are included, and of domains the instances, and whether these are.
        self._others = True
        self._entries: dict[int, tuple[bool, frozenset[int]]] = {}
        self._by_type = {
            FETCH: self._fetch,
            DESC_REQ: self._desc,
            INSTANCE_REQ: self._instance,
            TEXT_REQ: self._text,
            LABEL_REQ: self._label,
            TYPES["RESULT"]: self._store,
            TYPES["PMNS_NAMES"]: self._pmids,
            TYPES["PMNS_IDS"]: self._names,
            PMNS_CHILD: self._children,
            PMNS_TRAVERSE: self._traverse,
        }


    def to(self, kind: int, body: bytes) -> bytes:
        """Empty: nothing is due. `body`: without the header."""
        if kind == PROFILE:
            self._profile(body)
        answer = self._by_type.get(kind)
        if answer is None:
            return b""
        try:
            return answer(body)
        except Refused as refused:
            return error(refused.code)

    def _profile(self, body: bytes) -> None:
        if len(body) < 16:
            return
        context, state, count = struct.unpack_from(">iii", body)
        at = 16 + 16 * count
        if context < 0 or count < 0 or at > len(body):
            return
        entries: dict[int, tuple[bool, frozenset[int]]] = {}
        for number in range(count):
            indom, entry_state, instances = struct.unpack_from(">Iii", body, 16 + 16 * number)
            if instances < 0 or at + 4 * instances > len(body):
                return
            listed = frozenset(struct.unpack_from(f">{instances}i", body, at))
            entries.setdefault(indom, (entry_state != 0, listed))
            at += 4 * instances
        if count == 0 or at == len(body):
            self._others, self._entries = state == 0, entries

    def _includes(self, indom: int, instance: int) -> bool:
        if indom == NULL:
            return True
        entry = self._entries.get(indom)
        return self._others if entry is None else (instance in entry[1]) == entry[0]

    def _fetch(self, body: bytes) -> bytes:
        _demand(len(body) >= 20)
        (count,) = struct.unpack_from(">i", body, 12)
        _demand(count >= 1 and len(body) == 16 + 4 * count)
        world = self._world
        world.fetched()
        sets = []
        size = 24
        for pmid in struct.unpack_from(f">{count}I", body, 16):
            numval, values = self._values(pmid)
            sets.append((pmid, numval, values))
            size += 8 + (4 + 8 * len(values) if values else 0)
        head, blocks = [struct.pack(">iii", 0, 0, count)], []
        for pmid, numval, values in sets:
            head.append(struct.pack(">Ii", pmid, numval))
            if values:
                head.append(struct.pack(">i", 0 if isinstance(values[0][1], int) else 1))
            for instance, value in values:
                if isinstance(value, int):
                    head.append(struct.pack(">iI", instance, value))
                else:
                    head.append(struct.pack(">iI", instance, size // 4))
                    size += len(value)
                    blocks.append(value)
        return pdu_of("RESULT", b"".join(head + blocks))

    def _values(self, pmid: int) -> tuple[int, list[tuple[int, int | bytes]]]:
        """numval, and the values: numbers in situ, or blocks."""
        world = self._world
        metric = world.metric(pmid)
        if metric is None:
            return PM_ERR_PMID, []
        if metric.type == -1:
            return (PM_ERR_APPVERSION if "appversion" in world.options else 0), []
        indom = world.indom(metric.serial)
        values: list[tuple[int, int | bytes]] = []
        for instance, value in metric.values.items():
            if self._includes(indom, instance):
                in_situ = metric.type in (0, 1) and isinstance(value, int)
                values.append((instance, int(value) & NULL if in_situ else world.block(metric, value)))
        return len(values), values

    def _desc(self, body: bytes) -> bytes:
        _demand(len(body) == 4)
        (pmid,) = struct.unpack(">I", body)
        metric = self._world.metric(pmid)
        if metric is None:
            raise Refused(PM_ERR_PMID)
        indom = self._world.indom(metric.serial)
        return pdu_of("DESC", struct.pack(">IiIiI", pmid, metric.type, indom, metric.sem, metric.units))

    def _instance(self, body: bytes) -> bytes:
        _demand(len(body) >= 20)
        indom, _, _, number, size = struct.unpack_from(">IIIii", body)
        _demand(0 <= size <= len(body) and (len(body) == 20 + padded(size) or size == 0))
        instances = self._world.instances_of(indom)
        if instances is None:
            raise Refused(PM_ERR_INDOM)
        if size:
            _demand(number == -1, PM_ERR_INST)
            name = body[20 : 20 + size]
            found = [one for one, its in instances.items() if name in (its.encode(), its.split()[0].encode())]
            _demand(bool(found), PM_ERR_INST)
            entries = [(found[0], b"")]
        elif number != -1:
            _demand(number in instances, PM_ERR_INST)
            entries = [(-1, instances[number].encode())]
        else:
            entries = [(one, name.encode()) for one, name in instances.items()]
        listed = b"".join(struct.pack(">ii", one, len(name)) + _padded(name) for one, name in entries)
        return pdu_of("INSTANCE", struct.pack(">Ii", indom, len(entries)) + listed)

    def _text(self, body: bytes) -> bytes:
        _demand(len(body) == 8)
        ident, kind = struct.unpack(">II", body)
        text = self._world.text(ident, kind)
        _demand(bool(text), PM_ERR_TEXT)
        return pdu_of("TEXT", struct.pack(">II", ident, len(text)) + _padded(text))

    def _label(self, body: bytes) -> bytes:
        _demand(len(body) == 8)
        ident, kind = struct.unpack(">II", body)
        if "nolabels" in self._world.options:
            return pdu_of("LABEL", struct.pack(">IIII", NULL, kind, 0, 0))
        level = kind & ~0xC0
        _demand(level in (1, 2, 4, 8, 16, 32) and kind < 256, PM_ERR_TYPE)
        sets = self._world.labels(ident, level)
        if level == 32:
            sets = [one for one in sets if self._includes(ident, one[0])]
        at = 28 + sum(16 + 8 * len(labels) for _, labels in sets)
        head, texts = [struct.pack(">IIII", ident, kind, 0, len(sets))], []
        for instance, labels in sets:
            text, index = "{", b""
            for name, value in sorted(labels.items()):
                text += ("," if len(text) > 1 else "") + f'"{name}":"{value}"'
                begin = len(text) - len(value) - 2
                index += struct.pack(">HBBHH", begin - len(name) - 2, len(name), level, begin, len(value) + 2)
            octets = (text + "}").encode() if labels else b""
            head.append(struct.pack(">iiii", instance, len(labels), at, len(octets)) + index)
            texts.append(octets)
            at += len(octets)
        return pdu_of("LABEL", b"".join(head + texts))

    def _pmids(self, body: bytes) -> bytes:
        _demand(len(body) >= 16)
        octets, statuses, count, size = struct.unpack_from(">iiii", body)
        _demand(count == 1 and statuses == 0 and 0 <= size <= len(body) - 16 and size + 1 <= octets <= len(body) + 12)
        name = _text_of(body[16 : 16 + size])
        if name not in self._world.pmid_of:
            raise Refused(PM_ERR_NONLEAF if self._world.leaves(name) and name else PM_ERR_NAME)
        _demand("nonames" not in self._world.options, PM_ERR_NAME)
        return pdu_of("PMNS_IDS", struct.pack(">iiI", 0, 1, self._world.pmid_of[name]))

    def _names(self, body: bytes) -> bytes:
        _demand(len(body) == 12)
        _, count, pmid = struct.unpack(">iiI", body)
        _demand(count == 1)
        metric = self._world.metric(pmid)
        if metric is None or "nonames" in self._world.options:
            raise Refused(PM_ERR_PMID)
        return _name_list([metric.name])

    def _children(self, body: bytes) -> bytes:
        with_status, name = _named(body)
        found = None if "nonames" in self._world.options else self._world.children(name)
        if found is None:
            raise Refused(PM_ERR_NAME)
        return _name_list([one for one, _ in found], [status for _, status in found] if with_status else None)

    def _traverse(self, body: bytes) -> bytes:
        _, name = _named(body)
        found = [] if "nonames" in self._world.options else self._world.leaves(name)
        _demand(bool(found), PM_ERR_NAME)
        return _name_list(found)

    def _store(self, body: bytes) -> bytes:
        world = self._world
        wanted = []
        for pmid, values in _stored_values(body):
            metric = world.metric(pmid)
            if metric is None:
                raise Refused(PM_ERR_PMID)
            _demand(metric.writable, PM_ERR_PERMISSION)
            for instance, block in values:
                _demand(instance in metric.values, PM_ERR_INST)
                value = world.stored(metric, block)
                if value is None:
                    raise Refused(PM_ERR_CONV)
                wanted.append((metric, instance, value))
        for metric, instance, value in wanted:
            metric.values[instance] = value
        return error(0)


def _stored_values(body: bytes) -> list[tuple[int, list[tuple[int, int | bytes]]]]:
    """Of a RESULT that decodes: PMID and values of each value set that has some. Raises Refused."""
    _demand(len(body) >= 12)
    (count,) = struct.unpack_from(">i", body, 8)
    _demand(0 <= count <= len(body))
    at, sets, offsets, total = 12, [], [], 0
    for _ in range(count):
        _demand(at + 8 <= len(body))
        pmid, numval = struct.unpack_from(">Ii", body, at)
        at += 8
        if numval <= 0:
            continue
        _demand(numval <= len(body) and at + 4 + 8 * numval <= len(body))
        (form,) = struct.unpack_from(">i", body, at)
        _demand(form in (0, 1, 2))
        at += 4
        values: list[tuple[int, int | bytes]] = []
        for _ in range(numval):
            instance, word = struct.unpack_from(">iI", body, at)
            at += 8
            if form == 0:
                values.append((instance, word))
                continue
            begin = 4 * word - 12  # offsets count from the header
            _demand(12 <= begin <= len(body) - 4)
            size = int.from_bytes(body[begin + 1 : begin + 4], "big")
            _demand(size >= 4 and begin + size <= len(body))
            offsets.append(begin)
            total += padded(size)
            values.append((instance, body[begin : begin + size]))
        sets.append((pmid, values))
    _demand(at + total == len(body) and (not offsets or min(offsets) == at))
    return sets


def _named(body: bytes) -> tuple[bool, str]:
    """Of PMNS_CHILD and PMNS_TRAVERSE: the subtype and the name."""
    _demand(len(body) >= 8)
    subtype, size = struct.unpack_from(">ii", body)
    _demand(0 <= size <= len(body) - 8)
    return subtype == 1, _text_of(body[8 : 8 + size])


def _text_of(octets: bytes) -> str:
    return octets.decode("latin-1")


def _name_list(names: list[str], statuses: list[int] | None = None) -> bytes:
    entries = []
    for number, name in enumerate(names):
        status = struct.pack(">i", statuses[number]) if statuses is not None else b""
        entries.append(status + struct.pack(">i", len(name)) + _padded(name.encode()))
    octets = sum(len(name) + 1 for name in names)
    return pdu_of("PMNS_NAMES", struct.pack(">iii", octets, len(statuses or ()), len(names)) + b"".join(entries))


def _padded(octets: bytes) -> bytes:
    return octets + b"~" * (-len(octets) % 4)


def error(code: int) -> bytes:
    return pdu_of("ERROR", code.to_bytes(4, "big", signed=True))


class _Channel:
    """Standard input and output. Whatever cannot be read ends the agent; what cannot be written is lost."""

    def __init__(self) -> None:
        self._held = b""
        self._at = 0

    def read(self) -> tuple[int, bytes]:
        """Type and body. Raises EOFError."""
        size, kind = struct.unpack(">ii", self._take(12)[:8])
        if size < 12 or size > 0x7FFFFFFF - 1024 or kind <= 0:
            raise EOFError
        return kind, self._take(size - 12)

    def _take(self, size: int) -> bytes:
        if len(self._held) - self._at < size:
            parts = [self._held[self._at :]]
            have = len(parts[0])
            while have < size:
                more = os.read(0, 1 << 16)
                if not more:
                    raise EOFError
                parts.append(more)
                have += len(more)
            self._held, self._at = b"".join(parts), 0
        taken = self._held[self._at : self._at + size]
        self._at += size
        return taken

    def write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(1, data) :]
        except BrokenPipeError:
            pass


def _serve(world: World) -> None:
    answers, channel = Answers(world), _Channel()
    flags = world.options.get("flags", 0)
    channel.write(pdu_of("CREDS", struct.pack(">iBBH", 1, 1, 2, flags), os.getpid()))
    kind, body = channel.read()
    if kind == TYPES["CREDS"] and len(body) != 4 + 4 * int.from_bytes(body[:4], "big"):
        return
    ready = "notready" not in world.options
    while True:
        kind, body = channel.read()
        answer = answers.to(kind, body)
        if not ready and answer:
            channel.write(error(PM_ERR_PMDANOTREADY))
            time.sleep(0.02)
            answer, ready = error(PM_ERR_PMDAREADY), True
        if answer:
            channel.write(answer)


def main(arguments: list[str]) -> int:
    domain, options = DOMAIN, {}
    words = iter(arguments)
    for word in words:
        if word == "-d":
            domain = int(next(words))
        elif word == "--option":
            name, _, number = next(words).partition("=")
            options[name] = int(number or 1)
        else:
            print(f"every: unknown option {word}", file=sys.stderr)
            return 2
    try:
        _serve(World(domain, options))
    except EOFError:
        pass
    return 0
