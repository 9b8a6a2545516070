# SPDX-License-Identifier: Apache-2.0
"""Which types of C++ are defined under one name in several files, by the text of the files alone.

No compiler sees both, and the linker takes the destructor of one for the other: what happens then is undefined. Types
of unnamed namespaces and those inside of functions and of other types belong to their file.
"""

import re
from collections.abc import Iterator, Mapping

_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|' + r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL
)
_NAME = r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*"
_BRACE = re.compile(
    r"\b(?:inline\s+)?namespace(?:\s+(?P<space>" + _NAME + r"))?\s*\{"
    # A specialisation has arguments after its name.
    r"|\b(?:class|struct|union|enum(?:\s+class)?)\s+(?:\[\[[^\]]*\]\]\s*)?(?P<type>" + _NAME + r")"
    r"(?:\s+final)?\s*(?::(?!:)[^;{()]*)?\{"
    r"|[{}]"
)


def defined(text: str) -> Iterator[str]:
    """The full names of the types that other files can name."""
    around: list[str | None] = []  # the name of each namespace that is open; None: another brace
    for brace in _BRACE.finditer(_NOT_CODE.sub(" ", text)):
        if brace[0] == "}":
            if around:
                around.pop()
        elif brace[0] != "{" and brace["type"] is None:
            around.append(brace["space"] or "")
        else:
            if brace["type"] is not None and all(around):
                yield "::".join([*(name for name in around if name), brace["type"]])
            around.append(None)


def defined_twice(files: Mapping[str, str]) -> dict[str, list[str]]:
    """`files`: text by name. Of each such type the files, sorted."""
    places: dict[str, set[str]] = {}
    for file, text in files.items():
        for name in defined(text):
            places.setdefault(name, set()).add(file)
    return {name: sorted(found) for name, found in sorted(places.items()) if len(found) > 1}
