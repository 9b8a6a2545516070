# SPDX-License-Identifier: Apache-2.0
"""Where C++ code can be changed by one small mistake, and into what.

Knows as much of the language as clang-format makes visible: binary operators stand between blanks, the angle brackets of
templates do not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*'""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
_RELATIONS = {
    "<": ("<=", ">"),
    "<=": ("<", ">"),
    ">": (">=", "<"),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
_BINARY = re.compile(r"(?<=[\w)\]\"'}] )(<=|>=|==|!=|<|>|&&|\|\||\+|-)(?=[ \n])")
_ASSIGNED = re.compile(r"(?<= )([+-])=(?=[ \n])|(?<![\w.])(?:\+\+|--)(?=[\w(*])|(?<=[\w)\]])(?:\+\+|--)")
_NUMBER = re.compile(r"(?<![\w.'])(?:0[xX][0-9a-fA-F']+|\d[\d']*)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])(?![\w.'])")
_WORD = re.compile(r"\b(?:return (true|false);|(continue|break);)")
_NOT = re.compile(r"(?<![\w)\]])!(?=[\w(*])")
_CONDITION = re.compile(r"\b(if|while) \(")
_RETURNED = re.compile(r"\breturn ([^;{}]*(?: [<>=!]=? | && | \|\| )[^;{}]*);")
_NO_PLACE = re.compile(r"\b(?:static_assert|template|enum|using|operator|requires|concept)\b|^\s*case\b")


@dataclass(frozen=True)
class Place:
    """The code from `begin` to `end`, by what it can be replaced, and what kind of mistake that is."""

    begin: int
    end: int
    kind: str
    instead: tuple[str, ...]


def places(text: str) -> list[Place]:
    """All of a source file, by their beginning."""
    code = _NO_CODE.sub(_blank, text)
    found = [place for place in _all(code) if not _NO_PLACE.search(_line(code, place.begin))]
    return sorted(found, key=lambda place: (place.begin, place.end, place.kind))


def _blank(match: re.Match[str]) -> str:
    """As many characters. A literal stays an operand."""
    text = match[0]
    blank = re.sub(r"[^\n]", " ", text)
    return blank if text.startswith(("//", "/*")) or "#" in text[: len(text) - len(text.lstrip()) + 1] else '"' + blank[1:-1] + '"'


def _line(code: str, place: int) -> str:
    return code[code.rfind("\n", 0, place) + 1 : (code.find("\n", place) + 1 or len(code) + 1) - 1]


def _all(code: str) -> Iterator[Place]:
    for match in _BINARY.finditer(code):
        if (told := match[1]) in _RELATIONS:
            yield Place(*match.span(1), "relation", _RELATIONS[told])
        elif told in ("&&", "||"):
            yield Place(*match.span(1), "and/or", ("||" if told == "&&" else "&&",))
        else:
            yield Place(*match.span(1), "plus/minus", ("-" if told == "+" else "+",))
    for match in _ASSIGNED.finditer(code):
        yield Place(*match.span(), "plus/minus", (match[0].translate({ord("+"): "-", ord("-"): "+"}),))
    for match in _NUMBER.finditer(code):
        yield Place(*match.span(), "constant", _neighbours(match[0]))
    for match in _WORD.finditer(code):
        word = match[1] or match[2]
        other = {"true": "false", "false": "true", "continue": "break", "break": "continue"}[word]
        kind = "returned value" if match[1] else "continue/break"
        yield Place(*match.span(1 if match[1] else 2), kind, (other,))
    for match in _NOT.finditer(code):
        yield Place(*match.span(), "negation", ("",))
    for match in _CONDITION.finditer(code):
        begin, end = match.end(), _closing(code, match.end())
        condition = code[begin:end]
        if ";" not in condition and " = " not in condition:
            yield Place(begin, end, "negation", ("!({})",))
    for match in _RETURNED.finditer(code):
        yield Place(*match.span(1), "returned value", ("!({})",))


def _neighbours(number: str) -> tuple[str, str]:
    if number == "0" or (number.isdigit() and number[0] != "0"):
        return str(int(number) + 1), str(int(number) - 1)
    return f"({number} + 1)", f"({number} - 1)"


def _closing(code: str, place: int) -> int:
    """Of the bracket that was opened before it."""
    depth = 1
    while depth and place < len(code):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        place += 1
    return place - 1


def replaced(text: str, place: Place, instead: str) -> str:
    """The text with that mistake."""
    return text[: place.begin] + instead.replace("{}", text[place.begin : place.end]) + text[place.end :]
