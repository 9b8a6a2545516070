# SPDX-License-Identifier: Apache-2.0
"""The cases of chapter pmda that are the vectors of section 18 of pmda.md (reference/pmda/pdu/vectors/): `golden generate`.

What is expected is what the vectors say, not what any program printed.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

VERSIONS = ("6.0.3", "6.3.8", "7.2.2")
PROCESS = f"{11043:08x}"  # what the vectors take for PPPPPPPP
_TYPES = {
    0x7000: "ERROR", 0x7001: "RESULT", 0x7002: "PROFILE", 0x7003: "FETCH", 0x7004: "DESC_REQ", 0x7005: "DESC",
    0x7006: "INSTANCE_REQ", 0x7007: "INSTANCE", 0x7008: "TEXT_REQ", 0x7009: "TEXT", 0x700C: "CREDS", 0x700D: "PMNS_IDS",
    0x700E: "PMNS_NAMES", 0x700F: "PMNS_CHILD", 0x7010: "PMNS_TRAVERSE", 0x7011: "ATTR", 0x7012: "LABEL_REQ",
    0x7013: "LABEL", 0x7014: "HIGHRES_FETCH", 0x7015: "HIGHRES_RESULT", 0x7016: "DESC_IDS", 0x7017: "DESCS",
}  # fmt: skip
# The clauses that say what the bytes of a type mean.
CLAUSES = {
    "ERROR": ("PDU-002", "PDU-008", "PDU-050", "PDU-051"),
    "CREDS": ("PDU-002", "PDU-008", "PDU-052"),
    "PROFILE": ("PDU-002", "PDU-031", "PDU-054"),
    "FETCH": ("PDU-002", "PDU-030", "PDU-056", "PDU-058"),
    "HIGHRES_FETCH": ("PDU-002", "PDU-030", "PDU-056"),
    "RESULT": ("PDU-002", "PDU-039", "PDU-100", "PDU-101", "PDU-102", "PDU-103", "PDU-104", "PDU-105", "PDU-106", "PDU-108"),
    "HIGHRES_RESULT": ("PDU-002", "PDU-039", "PDU-100", "PDU-101", "PDU-103", "PDU-104", "PDU-105", "PDU-106"),
    "DESC_REQ": ("PDU-002", "PDU-030"),
    "DESC": ("PDU-002", "PDU-034", "PDU-036", "PDU-037", "PDU-038"),
    "DESC_IDS": ("PDU-002", "PDU-059"),
    "DESCS": ("PDU-002", "PDU-038", "PDU-059"),
    "INSTANCE_REQ": ("PDU-002", "PDU-060", "PDU-061"),
    "INSTANCE": ("PDU-002", "PDU-033", "PDU-062", "PDU-063"),
    "TEXT_REQ": ("PDU-002", "PDU-065"),
    "TEXT": ("PDU-002", "PDU-066", "PDU-067"),
    "PMNS_IDS": ("PDU-002", "PDU-070"),
    "PMNS_NAMES": ("PDU-002", "PDU-068", "PDU-069"),
    "PMNS_CHILD": ("PDU-002", "PDU-071"),
    "PMNS_TRAVERSE": ("PDU-002", "PDU-071"),
    "ATTR": ("PDU-001", "PDU-002", "PDU-072"),
    "LABEL_REQ": ("PDU-002", "PMD-091"),
    "LABEL": ("PDU-001", "PDU-002", "PDU-073", "PDU-074", "PDU-075", "PDU-076", "PDU-077", "PDU-078"),
}
_SECTIONS = {
    "18.1": ("handshakes", "PDUs that set up connections", "Nothing else is understood where these are not."),
    "18.2": ("simple-agent", "All that a simple agent is asked and answers", "What every agent and collector says all day."),
    "18.3": ("value-encodings", "Values of all types as they are on the wire", "A value block that is misread is another value."),
    "18.4": ("names-and-stores", "Names that an agent knows by itself, and stores", "Trees of names are the longest lists there are."),
    "18.5": ("clients", "What clients and pmcd say to each other", "Identifiers that nobody knows take a place in each list."),
    "18.6": ("readiness", "An agent that is not ready", "Codes beyond those of the library are codes too."),
}
_BROKEN_WHY = "Counts and lengths that are believed are how daemons are crashed (REG-36 to REG-41)."


@dataclass
class Vector:
    """One of a file of vectors/README.md."""

    number: str
    title: str
    bytes: bytes = b""
    lines: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)  # kind, versions, text

    @property
    def section(self) -> str:
        return self.number.partition("/")[0]

    @property
    def type(self) -> str | None:
        return _TYPES.get(int.from_bytes(self.bytes[4:8], "big"))

    def told(self, kind: str, version: str) -> list[str]:
        return [text for known, versions, text in self.lines if known == kind and version in versions]


def load(folder: Path) -> list[Vector]:
    """Those of all sections, in their order."""
    return [vector for path in sorted(folder.glob("18.*.txt")) for vector in _vectors(path.read_text(encoding="utf-8"))]


def _vectors(text: str) -> Iterator[Vector]:
    vector: Vector | None = None
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("  "):
            assert vector is not None
            vector.bytes += _bytes(line.replace("PPPPPPPP", PROCESS))
        elif line[0] in "=!~" and line[1] == " ":
            assert vector is not None
            found = re.fullmatch(r"(.) (?:\[([0-9. ]+)\] )?(.*)", line)
            assert found is not None
            vector.lines.append((found[1], tuple(found[2].split()) if found[2] else VERSIONS, found[3]))
        else:
            if vector is not None:
                yield vector
            number, _, title = line.partition(" ")
            vector = Vector(number, title)
    if vector is not None:
        yield vector


def _bytes(line: str) -> bytes:
    words, _, repeated = line.partition("+")
    found = bytes.fromhex(words)
    if repeated:
        count, _, byte = repeated.partition("x")
        found += bytes.fromhex(byte) * int(count)
    return found


# The meaning of a vector: TYPE KEY=VALUE ..., lists in [], structures in {}.
_TOKEN = re.compile(r"\s*('(?:[^'\\]|\\.)*'|[\[\]{}=:]|[^\s\[\]{}=:']+)")


class _Meaning:
    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    def peek(self) -> str:
        return str(self._tokens[self._at]) if self._at < len(self._tokens) else ""

    def take(self, expected: str = "") -> str:
        token: str = self.peek()
        assert token and (not expected or token == expected), (token, expected, self._tokens)
        self._at += 1
        return token

    def value(self, key: str) -> str:
        assert self.take() == key
        self.take("=")
        return self.take()

    def list(self, key: str) -> Iterator[None]:
        """Stands at each item."""
        assert self.take() == key
        self.take("=")
        yield from self.items()

    def items(self) -> Iterator[None]:
        self.take("[")
        while self.peek() != "]":
            yield
        self.take("]")


def _text(token: str) -> str:
    """As the protocol writes the bytes of a quoted text."""
    return re.sub(r"\\x([0-9a-f]{2})|\\\\", lambda m: chr(int(m[1], 16)) if m[1] else "\\", token[1:-1])


def _pmid(token: str) -> str:
    if token == "PM_ID_NULL":
        return "ffffffff"
    name, _, flag = token.partition("+")
    domain, cluster, item = map(int, name.split("."))
    return f"{(1 << 31 if flag else 0) | domain << 22 | cluster << 10 | item:08x}"


def _indom(token: str) -> str:
    if token == "PM_INDOM_NULL":
        return "ffffffff"
    name, _, flag = token.partition("+")
    domain, serial = map(int, name.split("."))
    return f"{(1 << 31 if flag else 0) | domain << 22 | serial:08x}"


def _descriptor(told: _Meaning) -> Json:
    told.take("{")
    found = {
        "pmid": _pmid(told.take()),
        "type": int(told.value("type")),
        "indom": _indom(told.value("indom")),
        "semantics": int(told.value("sem")),
        "units": told.value("units"),
    }
    told.take("}")
    return found


def _value_set(told: _Meaning) -> Json:
    told.take("{")
    found: Json = {"pmid": _pmid(told.take())}
    if told.peek() not in ("insitu", "dynamic", "static"):
        found["status"] = int(told.take())
    else:
        found["format"] = told.take()
        found["values"] = []
        while told.peek() != "}":
            value: Json = {"instance": int(told.take())}
            told.take(":")
            token = told.take()
            if found["format"] == "insitu":
                value["word"] = token
            else:
                kind, _, body = token.partition("/")
                value |= {"type": int(kind), "body": body}
            found["values"].append(value)
    told.take("}")
    return found


def _label_set(told: _Meaning) -> Json:
    told.take("{")
    found: Json = {"instance": int(told.take()), "status": 0}
    if not told.peek().startswith("'"):
        found["status"] = int(told.take())
    found["json"] = _text(told.take())
    found["labels"] = []
    for _ in told.items():
        name, value, flags = told.take().split("/")
        places = [int(part) for place in (name, value) for part in place.split("+")]
        found["labels"].append({
            "name_offset": places[0],
            "name_length": places[1],
            "flags": int(flags, 16),
            "value_offset": places[2],
            "value_length": places[3],
        })
    told.take("}")
    return found


def _numbered(told: _Meaning) -> tuple[str, str]:
    number = told.take()
    told.take(":")
    return number, _text(told.take())


def _name(told: _Meaning) -> Json:
    status = None
    if not told.peek().startswith("'"):
        status = int(told.take())
        told.take(":")
    return {"name": _text(told.take()), "status": status}


def _entry(told: _Meaning) -> Json:
    told.take("{")
    found = {"indom": _indom(told.take()), "state": int(told.value("state"))}
    found["instances"] = [int(told.take()) for _ in told.list("instances")]
    told.take("}")
    return found


def _credential(told: _Meaning) -> Json:
    kind = int(told.take())
    told.take(":")
    return {"type": kind, "bytes": told.take()}


def _instance(told: _Meaning) -> Json:
    number, name = _numbered(told)
    return {"instance": int(number), "name": name}


def _body(name: str, told: _Meaning) -> Json:
    match name:
        case "ERROR":
            code = int(told.value("code"))
            return {"code": code, "datum": told.value("datum") if told.peek() else None}
        case "CREDS":
            return {"credentials": [_credential(told) for _ in told.list("credentials")]}
        case "ATTR":
            return {"attribute": int(told.value("attr")), "value": _text(told.value("value"))}
        case "PROFILE":
            found: Json = {"context": int(told.value("context")), "state": int(told.value("state"))}
            return found | {"entries": [_entry(told) for _ in told.list("entries")]}
        case "FETCH" | "HIGHRES_FETCH":
            return {"context": int(told.value("context")), "pmids": [_pmid(told.take()) for _ in told.list("pmids")]}
        case "DESC_REQ":
            return {"pmid": _pmid(told.value("pmid"))}
        case "DESC":
            told.take("descriptor")
            told.take("=")
            return {"descriptor": _descriptor(told)}
        case "DESC_IDS":
            return {"pmids": [_pmid(told.take()) for _ in told.list("pmids")]}
        case "DESCS":
            return {"descriptors": [_descriptor(told) for _ in told.list("descriptors")]}
        case "INSTANCE_REQ":
            found = {"indom": _indom(told.value("indom")), "instance": int(told.value("inst"))}
            return found | {"name": _text(told.value("name"))}
        case "INSTANCE":
            return {"indom": _indom(told.value("indom")), "instances": [_instance(told) for _ in told.list("instances")]}
        case "TEXT_REQ" | "LABEL_REQ":
            return {"identifier": told.value("ident"), "type": int(told.value("type"))}
        case "TEXT":
            return {"identifier": told.value("ident"), "text": _text(told.value("text"))}
        case "PMNS_IDS":
            return {"status": int(told.value("status")), "pmids": [_pmid(told.take()) for _ in told.list("pmids")]}
        case "PMNS_NAMES":
            return {"names": [_name(told) for _ in told.list("names")]}
        case "PMNS_CHILD" | "PMNS_TRAVERSE":
            return {"subtype": int(told.value("subtype")), "name": _text(told.value("name"))}
        case "LABEL":
            found = {"identifier": told.value("ident"), "type": int(told.value("type"))}
            return found | {"sets": [_label_set(told) for _ in told.list("sets")]}
        case "RESULT" | "HIGHRES_RESULT":
            fraction = "microseconds" if name == "RESULT" else "nanoseconds"
            found = {"seconds": int(told.value("seconds")), fraction: int(told.value(fraction))}
            return found | {"sets": [_value_set(told) for _ in told.list("sets")]}
    raise AssertionError(name)


def meaning(text: str) -> Json:
    """A PDU as the protocol writes it, of its line in a vector."""
    told = _Meaning(text)
    name = told.take()
    found = {"pdu": name, "from": int(told.value("from"))} | _body(name, told)
    assert not told.peek(), (text, told.peek())
    return found


def _hex(content: bytes) -> str:
    return content.hex(" ", 4) if len(content) % 4 == 0 else content.hex()


def _expect(vector: Vector, version: str) -> Json:
    refused = vector.told("!", version)
    if refused:
        clause, _, rest = refused[0].partition(" ")
        kind = "header" if rest.endswith("frame") else "type" if clause == "PDU-020" else "body"
        return {"reject": {"class": f"pdu.{kind}"}}
    return {"result": {"pdus": [meaning(text) for text in vector.told("=", version)]}}


def _requests(vector: Vector) -> Iterator[Json]:
    title = f"{vector.number} {vector.title}".replace(" > ", " to it: ").replace(" < ", " from it: ")
    expectations = {version: _expect(vector, version) for version in VERSIONS}
    done: list[str] = []
    for version in VERSIONS:
        if version in done:
            continue
        same = [other for other in VERSIONS if expectations[other] == expectations[version]]
        done += same
        yield {
            "title": title,
            "op": "pdu.decode",
            "input": {},
            "args": {"bytes": _hex(vector.bytes)},
            "applies": {"dialects": same},
            "expect": expectations[version],
        }
    told = expectations[VERSIONS[-1]]
    if "result" in told and not any(vector.told("~", version) for version in VERSIONS):
        yield {
            "title": title,
            "op": "pdu.encode",
            "input": {},
            "args": {"pdus": told["result"]["pdus"]},
            "applies": {},
            "expect": {"result": {"bytes": vector.bytes.hex()}},
        }


def _clauses(vectors: Sequence[Vector]) -> list[str]:
    found = {clause for vector in vectors if vector.type for clause in CLAUSES[vector.type]}
    for vector in vectors:
        found |= {text.split()[0] for kind, _, text in vector.lines if kind in "!~"}
    return sorted(found)


def _case(name: str, title: str, why: str, vectors: Sequence[Vector]) -> Json:
    numbers = [vector.number for vector in vectors]
    where = f"section 18: {numbers[0]} to {numbers[-1]}" if len(numbers) > 8 else f"section 18: {', '.join(numbers)}"
    return {
        "schema": "pmproof-case/1",
        "id": f"pmda/{name}",
        "title": title,
        "clauses": _clauses(vectors),
        "level": "must",
        "why": why,
        "provenance": {"kind": "specification", "where": where},
        "requests": [request for vector in vectors for request in _requests(vector)],
    }


def cases_of(vectors: Sequence[Vector]) -> Iterator[Json]:
    for section, (name, title, why) in _SECTIONS.items():
        yield _case(name, title, why, [vector for vector in vectors if vector.section == section])
    broken: dict[str, list[Vector]] = {}
    for vector in vectors:
        if vector.section == "18.7":
            frame = any(text.endswith(" frame") for kind, _, text in vector.lines if kind == "!")
            group = "headers" if frame or vector.type is None else vector.type.lower().replace("_", "-")
            broken.setdefault(group, []).append(vector)
    for group, of_it in sorted(broken.items()):
        what = f"{of_it[0].type} that is not as it should be, or sent the wrong way"
        if group == "headers":
            what = "Headers that end a connection, and types nobody has"
        yield _case(f"odd-{group}", what, _BROKEN_WHY, of_it)


def text_of(case: Json) -> str:
    """As people write cases: a line for each request."""
    head = json.dumps({key: told for key, told in case.items() if key != "requests"}, ensure_ascii=False, indent=2)
    requests = ",\n".join(f"    {json.dumps(request, ensure_ascii=False)}" for request in case["requests"])
    return f"{_short_lists(head)[:-2]},\n  \"requests\": [\n{requests}\n  ]\n}}\n"


def _short_lists(text: str) -> str:
    """Lists of words, and what has no lists in it, on one line."""
    return re.sub(r"([\[{])\n\s+((?:[^\[\]{}\n]*\n\s*)+?)([\]}])", lambda m: m[1] + " ".join(m[2].split()) + m[3], text)


def write(vectors: Path, golden: Path) -> list[Path]:
    written = []
    for case in cases_of(load(vectors)):
        path = golden / case["id"] / "case.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(case), encoding="utf-8")
        written.append(path)
    return written
