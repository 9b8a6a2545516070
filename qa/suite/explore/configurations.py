# SPDX-License-Identifier: Apache-2.0
"""Configurations of derived metrics by chance: definitions, help texts, controls, and lines that are nearly right."""

import random

from qa.suite.explore.scene import Json

_WITHOUT_CONTROLS = ("6.0.3", "6.3.8", "seed")  # DER-108
_DESCRIBED = ["my.a", "my.b", "my_c.d1", "x"]
_NAMES = (*_DESCRIBED, *_DESCRIBED, "my.a", "my.b", "my.a", "my", "1a", "a..b", "a-b", ".a", "")
# None that is undefined, whole or cut by what damages its line.
_EXPRESSIONS = ("1", " 2 + 3", "4 * 5", " 1", "7.5", "\tno.such", "1 == 2", "(1", "my.a", "7 +", "")
_RIGHT = ("1", "2 + 3", "my.b")
_BLANKS = ("", "", " ", "  ", "\t")
_ATTRIBUTES = ("oneline", "oneline", "oneline", "helptext", "helptext", "helptext", "Oneline", "help", "")
_VALUES = ("text", " two words ", '"quoted"', "'quoted'", '"one\\\ntwo"', '"one\ntwo\nthree"', '"a\\"b" more', '"no end', '"', "'it\\'s'", '"" ', "")
_CONTROLS = ("global_limit", "global_limit", "context_limit", "debug_eval", "option_novalue", "GLOBAL", "glob", "context_limitx", "c", "")
_NUMBERS = ("-1", "0", "1", "2", "3", "9", "10", "+2", "x", "", "1x", "2147483647", "2147483648", "4294967297", "9223372036854775807", "99999999999999999999", "-99999999999999999999")
_SIGNS = ("=", "=", "=", "=", "=", " = ", " = ", "", "==", " ")
_BRACKETS = ("()", "()", "()", "()", "()", "( )", "(", ")", "((")
_NOISE = (" ", "\t", "\n", "\\\n", "\\", "#", "=", "(", ")", '"', "'", "a")


def arguments(chance: random.Random, dialect: str) -> Json:
    """Of derive.parse."""
    text = "".join(f"{name} = {chance.choice(_RIGHT)}\n" for name in _DESCRIBED if chance.random() < 0.5)
    text += "".join(_line(chance) + chance.choice(("\n", "\n", "\n", "\n", "\n", "\\\n", "\n\n")) for _ in range(chance.randrange(1, 9)))
    if chance.random() < 0.3:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(_NOISE) + text[at + chance.randrange(2) :]
    told: Json = {"config": text, "metrics": _DESCRIBED, "dialect": dialect}
    if chance.random() < 0.15 and dialect not in _WITHOUT_CONTROLS:
        told["missing_is_novalue"] = True
    return told


def _line(chance: random.Random) -> str:
    name, blank = chance.choice(_NAMES), chance.choice(_BLANKS)
    kind = chance.random()
    if kind < 0.45:
        return blank + name + chance.choice(_SIGNS) + chance.choice(_EXPRESSIONS)
    if kind < 0.75:
        brackets = chance.choice(_BRACKETS)
        opened, closed = brackets[:1], brackets[1:]
        return f"{name}{blank}{opened}{chance.choice(_ATTRIBUTES)}{closed}{chance.choice(_SIGNS)}{chance.choice(_VALUES)}"
    if kind < 0.92:
        word = chance.choice(("#control", "#control", "#Control", "# control", "#contro"))
        controls = [f"{chance.choice(_CONTROLS)}{chance.choice(_SIGNS).strip()}{blank}{chance.choice(_NUMBERS)}" for _ in range(chance.choice((1, 1, 2)))]
        return f"{word} {','.join(controls)}"
    return chance.choice(("", "# a comment", " ", "\\", "="))
