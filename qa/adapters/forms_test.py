# SPDX-License-Identifier: Apache-2.0
"""forms.py says of each message what jsonschema says of it: of sound ones, and of those with a part that is other."""

import copy
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.adapters.forms import Forms

SCHEMA = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
STRANGE: list[Any] = [None, True, False, 0, 1, -1, 1.0, 0.5, 2**40, "", "a", "PM_ERR_IPC", [], [1], {}, {"a": 1}, {"b": "x"}, [{}]]

# A sound one of some parts, by which most keywords of the schema are reached.
SOUND: dict[str, Any] = {
    "hello_reply": {
        "ok": True,
        "protocol": 1,
        "implementation": {"name": "a", "version": "1"},
        "capabilities": ["pdu.decode", "units.parse"],
        "rules": ["documented"],
        "dialects": ["7.2.2"],
    },
    "reject": {"seq": "k1", "reject": {"class": "pdu.body", "offset": 12, "message": "no"}},
    "skip": {"seq": "k1", "skip": {"reason": "not here"}},
    "error": {"seq": None, "error": {"context": "no"}},
    "result": {"seq": "k1", "result": {"text": "a", "not_shown": [{"at": ["/text"], "because": "no place"}]}},
    "replay.interp.result": {
        "fetches": [
            {"time": "1.000000000", "status": -12370, "error": "PM_ERR_EOL"},
            {
                "time": "2.000000000",
                "status": 0,
                "metrics": [
                    {"metric": "m.a", "status": 0, "values": [{"instance": None, "type": "double", "value": "1.5"}]},
                    {"metric": "m.b", "status": -12358, "error": "PM_ERR_PMID", "values": []},
                ],
            },
        ]
    },
    "replay.interp.args": {"metrics": ["m.a"], "rule": "documented", "start": "1.000000000", "interval": "5", "count": 2},
    "value.format.result": {"text": "x"},
    "value.extract.result": {"type": "32", "value": "7"},
    "units.parse.result": {"units": "sec", "dimension": [0, 1, 0, 0], "scale": [0, 3, 0, 0], "multiplier": "1"},
    "pdu.decode.result": {
        "pdus": [
            {"pdu": "ERROR", "from": 0, "code": -1, "datum": None},
            {"pdu": "RESULT", "from": 0, "seconds": 1, "microseconds": 2, "sets": [{"pmid": "0740000a", "status": -12357}]},
            {
                "pdu": "HIGHRES_RESULT",
                "from": 1,
                "seconds": 1,
                "nanoseconds": 2,
                "sets": [{"pmid": "0740000a", "format": "dynamic", "values": [{"instance": -1, "type": 7, "body": "00"}]}],
            },
            {"pdu": "PMNS_NAMES", "from": 0, "names": [{"name": "a", "status": None}]},
        ]
    },
    "archive.describe.result": {
        "start": "1.000000000",
        "end": None,
        "labels": [{"version": 3, "pid": 1, "start": "1.000000000", "host": "h", "timezone": "UTC"}],
        "metrics": [{"name": "no.such", "status": -12357, "error": "PM_ERR_NAME"}],
    },
    "run": {"cmd": "run", "seq": "k1", "op": "value.format", "input": {}, "args": {"style": "error", "value": "-2"}},
}


def _places(told: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    parts = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, part in parts:
        yield from _places(part, (*at, key))


def _changed(told: Any, at: tuple[Any, ...], chance: random.Random) -> Any:
    """What is at that place is something else, is gone, or has more in it."""
    told = copy.deepcopy(told)
    if not at:
        return chance.choice(STRANGE)
    node = told
    for key in at[:-1]:
        node = node[key]
    match chance.randrange(4):
        case 0:
            del node[at[-1]]
        case 1 if isinstance(node[at[-1]], dict):
            node[at[-1]][chance.choice(("more", "status", "error", "value", "reason"))] = chance.choice(STRANGE)
        case 1 if isinstance(node[at[-1]], list):
            node[at[-1]] = 2 * node[at[-1]]
        case _:
            node[at[-1]] = copy.deepcopy(chance.choice(STRANGE))
    return told


def _validator(part: str) -> Any:
    return jsonschema.Draft202012Validator({**SCHEMA, "$id": "urn:pmproof:testee:forms", "oneOf": [{"$ref": f"#/$defs/{part}"}]})


@pytest.mark.parametrize("part", SOUND)
def test_the_answer_is_that_of_jsonschema(part: str) -> None:
    forms, validator, chance = Forms(SCHEMA), _validator(part), random.Random(part)
    sound = SOUND[part]
    assert validator.is_valid(sound), list(validator.iter_errors(sound))[:1]
    assert forms.has_form(part, sound)
    refused = 0
    for at in list(_places(sound)):
        for _ in range(12):
            told = _changed(sound, at, chance)
            right = validator.is_valid(told)
            assert forms.has_form(part, told) == right, (told, right)
            refused += not right
    assert refused > 10


@pytest.mark.parametrize("part", sorted(SCHEMA["$defs"]))
def test_of_anything(part: str) -> None:
    forms, validator = Forms(SCHEMA), _validator(part)
    for told in [*STRANGE, *SOUND.values()]:
        assert forms.has_form(part, told) == validator.is_valid(told), told


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [1, None, "a", False]},
        {"const": 1},
        {"const": True},
        {"type": ["integer", "null"]},
        {"type": "number", "minimum": 1, "maximum": 2},
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"anyOf": [{"type": "string"}, {"minItems": 1, "maxItems": 1}]},
        {"allOf": [{"minLength": 1}, {"maxLength": 1}, {"minProperties": 1}]},
        {"if": {"type": "string"}, "then": {"pattern": "^P"}, "else": {"not": {"type": "integer"}}},
        {"if": {"type": "array"}, "else": False},
        {"dependentRequired": {"a": ["b"]}},
        {"propertyNames": {"maxLength": 0}},
        {"additionalProperties": {"type": "string"}},
        {"properties": {"a": True}, "unevaluatedProperties": False},
        {"items": {"$ref": "#/$defs/other"}},
        {"contains": {"const": 1}},
    ],
)
def test_each_keyword(schema: dict[str, Any]) -> None:
    whole: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"part": schema, "other": {"type": "object"}}}
    validator = jsonschema.Draft202012Validator({**whole, "$ref": "#/$defs/part"})
    told = [(one, validator.is_valid(one)) for one in STRANGE]
    assert {right for _, right in told} == {True, False}
    assert [(one, Forms(whole).has_form("part", one)) for one, _ in told] == told
