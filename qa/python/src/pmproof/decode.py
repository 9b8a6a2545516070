# SPDX-License-Identifier: Apache-2.0
"""From JSON to the dataclasses: members that a class does not know are passed over, all that it has must be right."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pmproof.times import Time

T = TypeVar("T")

NOT_IN_JSON: Mapping[str, bool] = {"not_in_json": True}
"""The metadata of a field that is no member of the document."""


class NotDecodable(Exception):
    """Says which member, and why."""


def decode(kind: type[T], document: object) -> T:
    """Returns the object of the class that a parsed JSON document describes.

    Raises NotDecodable if a member is missing or of another type.
    """
    decoded: T = _decode(kind, document, "")
    return decoded


def parsed(text: bytes) -> Any:
    """Returns what is in a JSON text.

    Raises NotDecodable for what is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotDecodable(f"no JSON: {error}") from error


def member_of(name: str) -> str:
    """Returns what a field is called in the document: "from" for `from_`, which Python could not call so."""
    return name.rstrip("_")


@lru_cache(maxsize=None)
def _fields(kind: type[Any]) -> Mapping[str, tuple[Any, bool]]:
    """Of a dataclass: the type of each member, and whether it may be absent."""
    hints = get_type_hints(kind)
    return {
        each.name: (hints[each.name], each.default is not dataclasses.MISSING)
        for each in dataclasses.fields(kind)
        if not each.metadata.get("not_in_json")
    }


def _decode(kind: Any, value: object, where: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Union:  # Optional: no other one is used
        return None if value is None else _decode(arguments[0], value, where)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(where, "a list", value)
        return tuple(_decode(arguments[0], each, f"{where}[{i}]") for i, each in enumerate(value))
    if origin is Literal:
        if value not in arguments:
            raise _wrong(where, "one of " + ", ".join(map(str, arguments)), value)
        return value
    if dataclasses.is_dataclass(kind):
        return _decode_object(kind, value, where)
    return _SIMPLE[kind](value, where)


def _decode_object(kind: Any, value: object, where: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    members = {}
    for name, (hint, optional) in _fields(kind).items():
        key = member_of(name)
        place = f"{where}.{key}" if where else key
        if key in value:
            members[name] = _decode(hint, value[key], place)
        elif not optional:
            raise NotDecodable(f"{place} is missing")
    return kind(**members)


def _instance_of(kind: type[Any], name: str) -> Callable[[object, str], Any]:
    def decode_it(value: object, where: str) -> Any:
        if type(value) is not kind:  # True is an int otherwise
            raise _wrong(where, name, value)
        return value

    return decode_it


def _time(value: object, where: str) -> Time:
    try:
        if isinstance(value, str):
            return Time.parse(value)
    except ValueError:
        pass
    raise _wrong(where, "a time", value)


_SIMPLE: Mapping[Any, Callable[[object, str], Any]] = {
    bool: _instance_of(bool, "true or false"),
    int: _instance_of(int, "an integer"),
    str: _instance_of(str, "a string"),
    Time: _time,
}


def _wrong(where: str, expected: str, value: object) -> NotDecodable:
    return NotDecodable(f"{where or 'the document'} is not {expected}: {json.dumps(value)[:60]}")
