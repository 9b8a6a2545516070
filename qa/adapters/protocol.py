# SPDX-License-Identifier: Apache-2.0
"""The rules of the testee protocol that an adapter has to keep (TST-...), and the forms of its messages."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

from qa.adapters.forms import Forms

Json = dict[str, Any]

PROTOCOL = 1
LONGEST_LINE = 64 << 20
SCHEMA = Path(__file__).parents[2] / "validator/schema/testee.schema.json"


@dataclass(frozen=True)
class Rule:
    id: str
    says: str
    hint: str  # what to look at where it is broken


RULES = {
    rule.id: rule
    for rule in (
        Rule("TST-101", "The command can be started.", "is the path right, is the file executable, is its first line right?"),
        Rule("TST-102", "The adapter lives until it is told bye.", "its log (--log) has what it wrote on stderr"),
        Rule("TST-103", "hello is answered within the time limit of the start.", "is each answer flushed?"),
        Rule("TST-104", "A request is answered within its time limit.", "is each answer flushed? does it read line by line?"),
        Rule("TST-105", "Each request gets one line, and nothing else stands on stdout.", "print what is for people on stderr"),
        Rule("TST-106", "A line is at most 64 MiB long and ends with a newline.", "is the newline written?"),
        Rule("TST-107", "A line is one JSON object in UTF-8.", "does something else print on stdout? NaN and Infinity are not JSON"),
        Rule("TST-201", "hello is answered with ok true and protocol 1.", "this suite speaks protocol 1"),
        Rule("TST-202", "hello with another protocol is refused: ok false, and the protocol that is spoken.", 'answer {"ok": false, "protocol": 1}'),
        Rule("TST-203", "The answer to hello names the implementation and its version.", "both are needed to tell results apart"),
        Rule("TST-204", "capabilities is a list of operations of the protocol.", "the operations are listed in the schema under $defs/op"),
        Rule("TST-205", "rules and dialects are lists of names.", "rules may be empty; without dialects the adapter is asked in all of them"),
        Rule("TST-301", "An answer has the seq of its request, as it was.", "seq may be any string or integer: copy it"),
        Rule("TST-302", "An answer has seq and one of result, reject, skip and error, and nothing else.", "what else is to be said goes to stderr"),
        Rule("TST-303", "A result has the form of its operation.", "the schema has it under $defs/OPERATION.result"),
        Rule("TST-304", "reject has a class: words of small letters with points between.", 'such as {"class": "label.magic"}'),
        Rule("TST-305", "skip has a reason.", "people read it in the report"),
        Rule("TST-306", "error has a context.", "people read it in the report"),
        Rule("TST-307", "What is not among the capabilities is skipped when it is asked for.", "name all operations that are there, and skip the others"),
        Rule("TST-308", "An operation among the capabilities is not always skipped.", "name the operations that are there only"),
        Rule("TST-309", "What makes no sense is answered with error, and the next request as if nothing had been.", "an unknown command or operation; the latter may be skipped"),
        Rule("TST-310", "The same request has the same answer, whatever was asked before.", "each request is a context of its own"),
        Rule("TST-401", "bye ends the adapter within the time limit, with status 0.", "leave the loop at bye"),
    )
}


class Broken(Exception):
    """A message, or its absence, breaks a rule."""

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(f"{rule}: {what}")
        assert rule in RULES, rule
        self.rule = rule
        self.what = what


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def object_of(line: bytes) -> Json:
    """Raises Broken where the line is not a JSON object (TST-107)."""
    shown = line[:60].decode("utf-8", "backslashreplace") + ("..." if len(line) > 60 else "")
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Broken("TST-107", f"not a line of JSON: {shown!r}") from None
    if not isinstance(found, dict):
        raise Broken("TST-107", f"not a JSON object: {shown!r}")
    return found


_ANSWERS = ("result", "reject", "skip", "error")
_RULE_OF = {"reject": "TST-304", "skip": "TST-305", "error": "TST-306"}


def _innermost(error: Any) -> Any:
    """What is wrong in the alternative that was probably meant: the one that fits furthest, then the one with least wrong."""
    while error.context:
        alternatives: dict[Any, list[Any]] = {}
        for one in error.context:
            alternatives.setdefault(one.relative_schema_path[0], []).append(one)

        def depth(one: Any) -> int:
            return len(one.absolute_path)

        meant = max(alternatives.values(), key=lambda errors: (max(map(depth, errors)), -len(errors)))
        error = max(meant, key=depth)
    return error


class Messages:
    """Holds what an adapter says against the schema of the protocol."""

    def __init__(self, path: Path = SCHEMA) -> None:
        self._schema: Json = {**json.loads(path.read_text(encoding="utf-8")), "$id": "urn:pmproof:testee:used"}
        self._forms = Forms(self._schema)
        self._validators: dict[str, Any] = {}

    @property
    def operations(self) -> list[str]:
        return list(self._schema["$defs"]["op"]["enum"])

    def has_result_form(self, operation: str) -> bool:
        return f"{operation}.result" in self._schema["$defs"]

    def _complaint(self, part: str, told: Any) -> str | None:
        if self._forms.has_form(part, told):
            return None
        if part not in self._validators:
            schema = {**self._schema, "oneOf": [{"$ref": f"#/$defs/{part}"}]}
            self._validators[part] = jsonschema.Draft202012Validator(schema)
        error = jsonschema.exceptions.best_match(self._validators[part].iter_errors(told))
        if error is None:
            return None
        error = _innermost(error)
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in error.absolute_path).lstrip(".")
        return f"{place or 'the message'}: {error.message[:200]}"

    def check_hello(self, answer: Json) -> None:
        """Of an answer to hello with this protocol."""
        check_protocol(answer)
        implementation = answer.get("implementation")
        if not isinstance(implementation, dict) or not all(
            isinstance(implementation.get(key), str) and implementation[key] for key in ("name", "version")
        ):
            raise Broken("TST-203", "no name or no version of the implementation")
        capabilities = answer.get("capabilities")
        if not isinstance(capabilities, list) or not all(isinstance(name, str) for name in capabilities):
            raise Broken("TST-204", "capabilities is not a list of names")
        if unknown := [name for name in capabilities if name not in self.operations]:
            raise Broken("TST-204", f"{unknown[0]!r} is not an operation of the protocol")
        if complaint := self._complaint("hello_reply", answer):
            raise Broken("TST-205" if complaint.startswith(("rules", "dialects")) or "'rules'" in complaint else "TST-203", complaint)

    def check_answer(self, answer: Json, operation: str) -> None:
        """Of an answer to a request, whose seq was looked at before."""
        check_kind(answer)
        kind = next(kind for kind in _ANSWERS if kind in answer)
        if kind == "result" and isinstance(answer["result"], dict) and self.has_result_form(operation):
            # What could not be shown may stand in any result.
            told = {key: part for key, part in answer["result"].items() if key != "not_shown"}
            complaint = self._complaint(kind, answer) or self._complaint(f"{operation}.result", told)
        else:
            complaint = self._complaint(kind, answer)
        if complaint:
            raise Broken(_RULE_OF.get(kind, "TST-303"), complaint)


def check_protocol(answer: Json) -> None:
    if answer.get("ok") is not True or answer.get("protocol") != PROTOCOL:
        spoken = answer.get("protocol")
        raise Broken("TST-201", f"does not speak protocol {PROTOCOL}" + (f", but {spoken!r}" if spoken != PROTOCOL else ""))


def check_seq(answer: Json, seq: str | int, before: str | int | None) -> None:
    """`before`: that of the request before, which was answered."""
    said = answer.get("seq")
    if before is not None and said == before and "seq" in answer:
        raise Broken("TST-105", "more than one line for one request")
    if said != seq or isinstance(said, bool) or "seq" not in answer:
        raise Broken("TST-301", f"the answer has seq {json.dumps(said)[:40]}, the request {json.dumps(seq)}")


def check_kind(answer: Json) -> None:
    kinds = [kind for kind in _ANSWERS if kind in answer]
    if not kinds:
        raise Broken("TST-302", "neither result nor reject, skip or error")
    if len(kinds) > 1:
        raise Broken("TST-302", f"{' and '.join(kinds)} at once")
    if more := sorted(set(answer) - {"seq", kinds[0]}):
        raise Broken("TST-302", f"{more[0]!r} is not part of an answer")
