# SPDX-License-Identifier: Apache-2.0
"""PDUs by chance, as arguments of pdu.encode, and octets that are nearly PDUs."""

import base64
import random
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

_TEXTS = ("", "a", "abc", "abcd", "abcde", "sample.bin", "one two", "a.b.c.d", "x" * 40, "\u00e9t\u00e9")
_LONG = 254  # bytes of a label's name, and labels of a set (PDU-074)
_LONGEST_ATTRIBUTE, _LONGEST_JSON = 4095, 65534  # bytes (PDU-072, PDU-074)


def _number(chance: random.Random) -> int:
    if chance.random() < 0.7:
        return chance.randrange(-3, 300)
    return chance.choice((-(2**31), 2**31 - 1, chance.getrandbits(31), -chance.getrandbits(31)))


def _word(chance: random.Random) -> str:
    return f"{chance.choice((chance.randrange(300), 0x3F400000, 0x0740000A, chance.getrandbits(32), 2**32 - 1)):08x}"


def _some(chance: random.Random, least: int = 0) -> range:
    return range(chance.choice((least, 1, 1, 2, 3, 5)))


def _words(chance: random.Random) -> list[str]:
    return [_word(chance) for _ in _some(chance)]


def _text(chance: random.Random) -> str:
    if chance.random() < 0.02:
        return "x" * (_LONGEST_ATTRIBUTE + chance.choice((-1, 0, 1)))
    return chance.choice(_TEXTS)


def _near(chance: random.Random, limit: int) -> int:
    """It, or a neighbour."""
    return max(0, limit + chance.choice((0, 0, 0, 1, -1)))


def _descriptor(chance: random.Random) -> Json:
    return {
        "pmid": _word(chance),
        "type": chance.choice((*range(0, 11), -1, _number(chance))),
        "indom": _word(chance),
        "semantics": chance.choice((1, 3, 4, _number(chance))),
        "units": _word(chance),
    }


def _value_set(chance: random.Random) -> Json:
    if chance.random() < 0.2:
        return {"pmid": _word(chance), "status": chance.choice((0, -12351, -12357, -1))}
    form = chance.choice(("insitu", "insitu", "dynamic", "static"))
    values: list[Json] = []
    for _ in _some(chance, 1):
        value: Json = {"instance": chance.choice((-1, 0, 1, _number(chance)))}
        if form == "insitu":
            value["word"] = _word(chance)
        else:
            value["type"] = chance.choice((2, 3, 4, 5, 6, 7))
            value["body"] = chance.randbytes(chance.choice((1, 3, 4, 8, 8, 13))).hex()
        values.append(value)
    return {"pmid": _word(chance), "format": form, "values": values}


def _json(chance: random.Random) -> str:
    size = chance.choice((0, 2, 8, 16, 40, 300)) if chance.random() < 0.94 else _near(chance, _LONGEST_JSON)
    return f'{{"a":"{"x" * (size - 8)}"}}' if size >= 8 else "{}"[:size]


def _label_set(chance: random.Random) -> Json:
    """Labels lie within their text, mostly; they begin and end at its ends more often than not."""
    text = _json(chance)
    size = len(text)
    count = chance.choice((0, 1, 1, 2, 3)) if chance.random() < 0.94 else _near(chance, _LONG)
    labels = []
    for _ in range(count if size or chance.random() < 0.1 else 0):
        name_length = min(size, chance.choice((0, 1, 5, _near(chance, _LONG))))
        value_length = chance.choice((0, 1, size))
        label = {"name_length": name_length, "value_length": value_length, "flags": chance.choice((0, 1, 4, 255))}
        for which in ("name", "value"):
            last = max(0, size - int(label[f"{which}_length"]))  # a text may be empty
            label[f"{which}_offset"] = chance.choice((0, last, last, chance.randint(0, last)))
            if chance.random() < 0.02:
                label[f"{which}_offset"] += 1
        labels.append(label)
    status = len(labels) if labels else chance.choice((0, -12351, -1, -12357))
    if chance.random() < 0.03:
        status = chance.choice((-1, 1, 2))
    return {"instance": chance.choice((-1, 0, 7)), "status": status, "json": text, "labels": labels}


def _body(chance: random.Random, kind: str) -> Json:
    match kind:
        case "ERROR":
            return {"code": chance.choice((0, -1, -12345, -12357, -12400)), "datum": chance.choice((None, _word(chance)))}
        case "RESULT":
            sets = [_value_set(chance) for _ in _some(chance)]
            return {"seconds": _number(chance), "microseconds": chance.randrange(10**6), "sets": sets}
        case "HIGHRES_RESULT":
            sets = [_value_set(chance) for _ in _some(chance)]
            return {"seconds": chance.choice((_number(chance), 5_000_000_000)), "nanoseconds": chance.randrange(10**9), "sets": sets}
        case "PROFILE":
            entries = [
                {"indom": _word(chance), "state": chance.choice((0, 1)), "instances": [_number(chance) for _ in _some(chance)]}
                for _ in _some(chance)
            ]
            return {"context": abs(_number(chance)) % 2**31, "state": chance.choice((0, 1)), "entries": entries}
        case "FETCH" | "HIGHRES_FETCH":
            return {"context": _number(chance), "pmids": _words(chance)}
        case "DESC_REQ":
            return {"pmid": _word(chance)}
        case "DESC":
            return {"descriptor": _descriptor(chance)}
        case "DESC_IDS":
            return {"pmids": _words(chance)}
        case "DESCS":
            return {"descriptors": [_descriptor(chance) for _ in _some(chance)]}
        case "INSTANCE_REQ":
            return {"indom": _word(chance), "instance": _number(chance), "name": _text(chance)}
        case "INSTANCE":
            instances = [{"instance": _number(chance), "name": _text(chance)} for _ in _some(chance)]
            return {"indom": _word(chance), "instances": instances}
        case "TEXT_REQ" | "LABEL_REQ":
            return {"identifier": _word(chance), "type": chance.choice((1, 2, 4, 5, 6, 9, 10, 64))}
        case "TEXT":
            return {"identifier": _word(chance), "text": _text(chance)}
        case "CREDS":
            return {"credentials": [{"type": chance.choice((1, 2, 255)), "bytes": chance.randbytes(3).hex()} for _ in _some(chance, 1)]}
        case "PMNS_IDS":
            return {"status": _number(chance), "pmids": _words(chance)}
        case "PMNS_NAMES":
            with_status = chance.random() < 0.5
            empty = chance.choice((0, 0, 0.5, 1))  # how many: readers count on more than one word each (PDU-069)
            names = [{"name": "" if chance.random() < empty else _text(chance), "status": _number(chance) if with_status else None} for _ in _some(chance)]
            return {"names": names}
        case "PMNS_CHILD" | "PMNS_TRAVERSE":
            return {"subtype": chance.choice((0, 1)), "name": _text(chance)}
        case "ATTR":
            return {"attribute": chance.choice((1, 2, 11, _number(chance))), "value": _text(chance)}
        case _:
            sets = [_label_set(chance) for _ in _some(chance)]
            return {"identifier": _word(chance), "type": chance.choice((1, 2, 4, 8, 16, 32)), "sets": sets}


KINDS = (
    "ERROR RESULT HIGHRES_RESULT PROFILE FETCH HIGHRES_FETCH DESC_REQ DESC DESC_IDS DESCS INSTANCE_REQ INSTANCE TEXT_REQ "
    "LABEL_REQ TEXT CREDS PMNS_IDS PMNS_NAMES PMNS_CHILD PMNS_TRAVERSE ATTR LABEL"
).split()


def any_pdu(chance: random.Random) -> Json:
    kind = chance.choice((*KINDS, "LABEL", "LABEL"))  # which has the most limits
    return {"pdu": kind, "from": chance.choice((0, 0, 1, _number(chance))), **_body(chance, kind)}


_VALUES: dict[str, Callable[[random.Random], str]] = {
    "32": lambda chance: str(chance.randrange(-(2**31), 2**31)),
    "u32": lambda chance: str(chance.getrandbits(32)),
    "64": lambda chance: str(chance.randrange(-(2**63), 2**63)),
    "u64": lambda chance: str(chance.getrandbits(64)),
    "float": lambda chance: str(chance.randrange(-(2**20), 2**20) / 64),
    "double": lambda chance: str(chance.randrange(-(2**40), 2**40) / 1024),
    "string": _text,
    "aggregate": lambda chance: "base64:" + base64.b64encode(chance.randbytes(chance.choice((0, 1, 4, 7)))).decode(),
}


def _typed(chance: random.Random, kind: str) -> Json:
    return {"type": kind, "value": _VALUES[kind](chance)}


def _record(chance: random.Random) -> Json:
    time = f"{chance.randrange(2**31)}.{chance.randrange(10**9):09d}"
    if chance.random() < 0.3:
        return {"time": time, "missed": chance.randrange(1, 100)}
    parameters = [{"pmid": _word(chance), **_typed(chance, chance.choice(list(_VALUES)))} for _ in _some(chance)]
    return {"time": time, "flags": chance.choice((1, 2, 4, 9)), "parameters": parameters}


def _typed_set(chance: random.Random) -> Json:
    if chance.random() < 0.2:
        return {"pmid": _word(chance), "status": chance.choice((0, -12351, -12357, -1))}
    kind = chance.choice((*_VALUES, "event", "highres_event"))
    values: list[Json] = []
    for instance in chance.sample(range(-1, 9), len(_some(chance))):
        if "event" in kind:
            values.append({"instance": instance, "type": kind, "records": [_record(chance) for _ in _some(chance)]})
        else:
            values.append({"instance": instance, **_typed(chance, kind)})
    return {"pmid": _word(chance), "values": values}


def typed_result(chance: random.Random) -> Json:
    """As pdu.encode takes it: by the values that it carries."""
    kind, unit = chance.choice((("RESULT", 10**6), ("HIGHRES_RESULT", 10**9)))
    sets = [_typed_set(chance) for _ in _some(chance)]
    return {"pdu": kind, "from": chance.choice((0, 1)), "seconds": _number(chance), "fraction": chance.randrange(unit), "sets": sets}


def _other_word(chance: random.Random, octets: bytes, place: int) -> bytes:
    """A count or length that is one off, or that of another field, is nearer to what fits than any number is."""
    if chance.random() < 0.4:
        return bytes.fromhex(_word(chance))
    if chance.random() < 0.3:
        other = chance.randrange(len(octets) // 4) * 4
        return octets[other : other + 4]
    word = int.from_bytes(octets[place : place + 4], "big") + chance.choice((1, 1, -1, -1, 2, -2, 4, -4, 8, -8))
    return word.to_bytes(8, "big", signed=True)[4:]


def _place(chance: random.Random, octets: bytes) -> int:
    """Of a word. One that may be a count, a length or an offset is chosen more often than its number says."""
    places = range(0, len(octets) - 3, 4)
    small = [place for place in places[3:] if int.from_bytes(octets[place : place + 4], "big") <= len(octets)]
    return chance.choice(small if small and chance.random() < 0.5 else places)


def damaged(chance: random.Random, octets: bytes) -> bytes:
    """A word, an octet or the length is other; sometimes more than one of them."""
    while True:
        octets = _damaged(chance, octets)
        if chance.random() < 0.8:
            return octets


def _damaged(chance: random.Random, octets: bytes) -> bytes:
    told = bytearray(octets)
    match chance.randrange(5):
        case 0 | 1:  # a word
            place = _place(chance, told)
            told[place : place + 4] = _other_word(chance, octets, place)
        case 2:  # an octet
            told[chance.randrange(len(told))] ^= 1 << chance.randrange(8)
        case 3:  # shorter, and its header says so
            cut = chance.choice((1, 4, 4, 8, 4 * chance.randrange(1, max(2, len(told) // 4))))
            del told[max(12, len(told) - cut) :]
            told[:4] = len(told).to_bytes(4, "big")
        case _:
            told += chance.randbytes(chance.choice((1, 4, 4, 8)))
            told[:4] = len(told).to_bytes(4, "big")
    return bytes(told)
