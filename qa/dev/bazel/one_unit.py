#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Puts several C++ files into one, so that the compiler reads what they include once: one_unit.py OUTPUT FILE...

Names of unnamed namespaces must differ in one translation unit, so each gets the number of its file. A name after "::", "." or "->" is that of a
member, and stays. Where that is not enough the compiler says so, and a name in the source has to change: a function that overloads one of a header,
or has the name of a member of a class beside it.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

_INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)
_UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
_DECLARATION = re.compile(
    r"""^(?:template\ <[^\n]*>\s)?(?:
      (?:constexpr\ )?(?:class|struct|enum\ class|enum)\ (?P<type>(?!class\b)\w+)\b(?!;)
    | using\ (?P<alias>\w+)\ =
    | (?:inline\ |static\ |constexpr\ |const\ |thread_local\ )+[\w:<>,*&\ ]*?(?<=[\ *&])(?P<constant>\w+)(?:\[[^\n\]]*\])*\s*(?:=|\{|;)
    | [\w:][\w:<>,*&\ \[\]]*[\ *&>]\n?(?P<function>\w+)\(
    )""",
    re.MULTILINE | re.VERBOSE,
)
_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"(?P<fence>\w*)\(.*?\)(?P=fence)" | "(?:\\.|[^"\\\n])*" | \b'(?=\w) | '(?:\\.|[^'\\\n])+'
    | \b(?P<class>\w+)::(?P<destructor>~?)(?P=class)\b | (?:::|\.|->)\w+ | ^\#include\ [^\n]* | (?P<name>\b[A-Za-z_]\w*)""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
# Words of the language that stand where a name could, and functions that others find by the types of their arguments.
_NO_NAMES = {"PrintTo", "struct", "class", "enum", "operator", "static_assert", "decltype"}


def declared(text: str) -> set[str]:
    """Returns the names that the unnamed namespaces of a file declare, as far as they begin a line, and nothing else of the file does."""
    return _begin_lines("".join(_UNNAMED.findall(text))) - _begin_lines(_UNNAMED.sub("", text))


def _begin_lines(text: str) -> set[str]:
    found = {next(group for group in match.groups() if group) for match in _DECLARATION.finditer(text)}
    return found - _NO_NAMES


def one_unit(files: dict[str, str]) -> Iterator[str]:
    """Yields the lines of one file that holds them all; `files` are their paths and contents."""
    yield from dict.fromkeys(line for text in files.values() for line in _INCLUDE.findall(text))
    for number, (path, text) in enumerate(files.items()):
        yield f'#line 1 "{path}"'
        yield renamed(text, declared(text), str(number))


def renamed(text: str, names: set[str], suffix: str) -> str:
    """Returns the text of a C++ file with the suffix after each of the names."""
    def name_of(token: re.Match[str]) -> str:
        name, of_class, destructor = token.group("name", "class", "destructor")
        if of_class in names:
            return f"{of_class}_{suffix}::{destructor}{of_class}_{suffix}"
        return f"{name}_{suffix}" if name in names else token.group()

    return _TOKEN.sub(name_of, text) if names else text


def main(output: str, paths: list[str]) -> None:
    files = {path: Path(path).read_text(encoding="utf-8") for path in paths}
    Path(output).write_text("\n".join(one_unit(files)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
