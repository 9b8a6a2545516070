# SPDX-License-Identifier: Apache-2.0
"""Whether JSON has the form that a schema says: a yes or no, many times as fast as jsonschema, which says what is wrong.

What this does not know of a schema it leaves to jsonschema. The answers are the same (forms_test.py).
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import jsonschema

Json = dict[str, Any]
Check = Callable[[Any], bool]

_TEXTS = {"$schema", "$id", "$defs", "$comment", "title", "description", "then", "else"}  # nothing to check of its own
_REF = re.compile(r"#/\$defs/([^/~%]+)")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": _is_number,
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
}


def _is(value: Any, other: Any) -> bool:
    """1 is not true."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)


class Forms:
    """The parts of a schema that are named in its $defs."""

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        self._parts: dict[str, Check] = {}

    def has_form(self, part: str, told: Any) -> bool:
        if part not in self._parts:
            self._parts[part] = self._check(self._schema["$defs"][part])
        return self._parts[part](told)

    def _check(self, schema: Any) -> Check:
        if isinstance(schema, bool):
            is_taken: bool = schema
            return lambda _: is_taken
        checks: list[Check] = []
        for keyword, told in schema.items():
            if keyword in _TEXTS:
                continue
            if keyword not in _MAKERS or (keyword == "$ref" and not _REF.fullmatch(told)):
                return self._left_to_jsonschema(schema)
            checks.append(_MAKERS[keyword](self, told, schema))
        return _all(checks)

    def _left_to_jsonschema(self, schema: Json) -> Check:
        whole = jsonschema.Draft202012Validator({"$schema": self._schema.get("$schema", ""), "$defs": self._schema["$defs"]})
        return lambda value: bool(whole.evolve(schema=schema).is_valid(value))

    def _ref(self, told: str, _: Json) -> Check:
        name = told.rpartition("/")[2]
        return lambda value: self.has_form(name, value)

    def _several(self, told: Sequence[Any]) -> list[Check]:
        return [self._check(one) for one in told]

    def _if(self, told: Any, schema: Json) -> Check:
        condition, then, otherwise = (self._check(one) for one in (told, schema.get("then", True), schema.get("else", True)))
        return lambda value: then(value) if condition(value) else otherwise(value)

    def _one_of(self, told: Sequence[Any], _: Json) -> Check:
        checks = self._several(told)
        return lambda value: sum(check(value) for check in checks) == 1

    def _any_of(self, told: Sequence[Any], _: Json) -> Check:
        checks = self._several(told)
        return lambda value: any(check(value) for check in checks)

    def _not(self, told: Any, _: Json) -> Check:
        check = self._check(told)
        return lambda value: not check(value)

    def _properties(self, told: Json, _: Json) -> Check:
        checks = {name: self._check(one) for name, one in told.items()}

        def check(value: Any) -> bool:
            if isinstance(value, dict):
                for name, part in value.items():
                    if name in checks and not checks[name](part):
                        return False
            return True

        return check

    def _additional(self, told: Any, schema: Json) -> Check:
        known, check = frozenset(schema.get("properties", ())), self._check(told)
        return lambda value: not isinstance(value, dict) or all(name in known or check(part) for name, part in value.items())

    def _names(self, told: Any, _: Json) -> Check:
        check = self._check(told)
        return lambda value: not isinstance(value, dict) or all(map(check, value))

    def _items(self, told: Any, _: Json) -> Check:
        check = self._check(told)
        return lambda value: not isinstance(value, list) or all(map(check, value))


def _all(checks: Sequence[Check]) -> Check:
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> bool:
        for one in checks:  # noqa: SIM110: a generator takes as long again
            if not one(value):
                return False
        return True

    return check


def _type(_: Forms, told: Any, __: Json) -> Check:
    checks = [_TYPES[one] for one in ([told] if isinstance(told, str) else told)]
    return checks[0] if len(checks) == 1 else lambda value: any(check(value) for check in checks)


def _enum(_: Forms, told: Sequence[Any], __: Json) -> Check:
    texts = frozenset(one for one in told if isinstance(one, str))
    others = [one for one in told if not isinstance(one, str)]
    return lambda value: value in texts if isinstance(value, str) else any(_is(value, one) for one in others)


def _pattern(_: Forms, told: str, __: Json) -> Check:
    search = re.compile(told).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _required(_: Forms, told: Sequence[str], __: Json) -> Check:
    return lambda value: not isinstance(value, dict) or all(name in value for name in told)


def _dependent(_: Forms, told: Json, __: Json) -> Check:
    return lambda value: not isinstance(value, dict) or all(name in value for key, names in told.items() if key in value for name in names)


def _sized(kind: type[Any], fits: Callable[[int, int], bool]) -> Callable[[Forms, int, Json], Check]:
    return lambda _, told, __: lambda value: not isinstance(value, kind) or fits(len(value), told)


def _least(size: int, told: int) -> bool:
    return size >= told


def _most(size: int, told: int) -> bool:
    return size <= told


# What is checked by each keyword: of all that it is not about, nothing.
_MAKERS: dict[str, Callable[[Forms, Any, Json], Check]] = {
    "$ref": Forms._ref,
    "type": _type,
    "const": lambda _, told, __: lambda value: _is(value, told),
    "enum": _enum,
    "pattern": _pattern,
    "minimum": lambda _, told, __: lambda value: not _is_number(value) or value >= told,
    "maximum": lambda _, told, __: lambda value: not _is_number(value) or value <= told,
    "minLength": _sized(str, _least),
    "maxLength": _sized(str, _most),
    "minItems": _sized(list, _least),
    "maxItems": _sized(list, _most),
    "minProperties": _sized(dict, _least),
    "maxProperties": _sized(dict, _most),
    "required": _required,
    "dependentRequired": _dependent,
    "properties": Forms._properties,
    "additionalProperties": Forms._additional,
    "propertyNames": Forms._names,
    "items": Forms._items,
    "if": Forms._if,
    "not": Forms._not,
    "oneOf": Forms._one_of,
    "anyOf": Forms._any_of,
    "allOf": lambda forms, told, _: _all(forms._several(told)),
}
