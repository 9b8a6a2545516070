# SPDX-License-Identifier: Apache-2.0
"""Policies in TOML are read as Python's own reader reads them."""

import datetime
import json
import os
import random
import subprocess
import tomllib
from typing import Any

# What TOML 1.0 says by example, what is easily got wrong, and the seeds of the mutations.
DOCUMENTS = [
    "",
    "# only a comment",
    "a = 1",
    "a = 1\r\nb = 2\r\n",
    "a = 1\rb = 2",
    "a=1 b=2",
    "a=\n1",
    'a = \'é\' # é\nb = "ü\\u00e9\\U0001F600"',
    "é = 1",
    "a é= 1",
    "'é' = 1\n\"b\\n\" = 2\n'' = 3",
    "a = '\\n'\nb = \"\\n\\t\\b\\f\\r\\\"\\\\\"",
    'a = "\\x"',
    'a = "\\ud800"',
    'a = "\\u12"',
    'a = "\\U00110000"',
    'a = """\nx\ny\\\n   \n  z"""',
    'a = """x\\  \n y"""\nb = 2',
    'a = """x\\ y"""',
    'a = """""x"""""',
    'a = """x""""""',
    "a = '''\n'x''\\\n'''''",
    "a = '''x",
    'a = "x\ny"',
    "[a]\nb = 1\n[a.c]\nd = 2\n[e.f]\n[e]\ng = 1",
    "[a]\n[a]",
    "a = 1\n[a]",
    "a = 1\n[a.b]",
    "[a.b]\n[a]\nb.c = 1",
    "[a.b.c]\n[a]\nb.d = 1\n[a.b]",
    "a.b = 1\na.c = 2\n[a.d]\nx = 1",
    "a.b = 1\n[a]",
    "a.b.c = 1\na.b = 2",
    "a.b = 1\na.b.c = 2",
    "[x]\na.b = 1\n[y]\n[x.a.c]\nd = 1",
    "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3\n[[a.e]]\n[[a.e]]\n[[a]]\n[a.c]",
    "[[a]]\n[a]",
    "[a]\n[[a]]",
    "a = []\n[[a]]",
    "[[a.b]]\n[a]\nb.c = 1",
    "[a.b]\n[[a]]",
    "a = {b = 1, c.d = 2, c.e = {}, 'f' = [1, {g = 2}]}",
    "a = {b = 1, b = 2}",
    "a = {b.c = 1, b = 2}",
    "a = {b = {c = 1}, b.d = 2}",
    "a = {b = 1,}",
    "a = {b = 1\n}",
    "a = {\n}",
    "a = {}\na.b = 1",
    "a = {}\n[a.b]",
    "a = {b = [\n1,\n2 # x\n,\n]}",
    "a = [1, 'x', [2, 3], {b = 4},]",
    "a = [,]",
    "a = [1,,2]",
    "a = [1 2]",
    "a = [",
    "a = [1]]",
    "a = +1\nb = -0\nc = 1_000\nd = 0x_f\n",
    "a = 0xdead_BEEF\nb = 0o17\nc = 0b101",
    "a = 01",
    "a = 1__0",
    "a = +0x1",
    "a = 9223372036854775807\nb = -9223372036854775808\nc = 9223372036854775808",
    "a = 1.5\nb = -1e5\nc = 6.0_1E+2\nd = inf\ne = -nan\nf = true",
    "a = 1.\n",
    "a = .5\n",
    "a = 1.e5\n",
    "a = truex",
    "a = True",
    "a = 2026-12-31\nb = 2026-12-31 10:00:00\nc = 2026-12-31T10:00:00.5Z\nd = 10:00:00\ne = 2026-12-31T10:00:00-07:30",
    "a = 2026-02-30",
    "a = 2026-02-30T10:00:00",
    "a = 2026-13-01",
    "a = 2026-12-31 x",
    "a = 2026-12-31 # x",
    "a = 24:00:00",
    "a . b = 1\n[ c . 'd' ]\n[[ e ]]\n[ [f] ]",
    "[a",
    "[a] b",
    "[a]]",
    "[[a]",
    "[]",
    "[a.]",
    "[.a]",
    "[{a]]",
    "= 1",
    "a",
    "a =",
    "a = \x01",
    "# \x7f",
    "a = '\x1f'",
    "\ufeffa = 1",
    "pϮ = 1",
    "1 = 1\n1.2 = 3\n-_ = 4",
    'schema = "pmproof-policy/1"\n[[reclassify]]\nrule = "ARC-1228"\nuntil = 2027-06-30\n'
    'where = { archive = "lab/*", host = "rack *" }\n[[require]]\nwhere.archive = "web*/*"\nversions = [3]\n',
]

# What no policy has: refused although it is TOML.
BEYOND = ("is deeper than any part of a policy", "a table has more than")


def shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shown(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value if -(2**63) <= value < 2**63 else None
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    return None


def is_sound(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def mutants(count: int, seed: int) -> list[str]:
    choice = random.Random(seed)
    sound = [text for text in DOCUMENTS if is_sound(text)]
    made = []
    for _ in range(count):
        text = choice.choice(sound)
        for _ in range(choice.randint(1, 2)):
            at = choice.randint(0, len(text))
            other = choice.choice(DOCUMENTS)
            begin = choice.randint(0, len(other))
            piece = choice.choice(
                [
                    "",
                    choice.choice("[]{}=.,'\"\\#_-+:\n\r\t aAeEuTZ01é\0\x7f"),
                    other[begin : begin + choice.randint(1, 12)],
                    "\n" + other,
                ]
            )
            text = text[:at] + piece + text[at + choice.choice([0, 0, 1, 2, 5]) :]
        made.append(text)
    return made


def read(texts: list[str]) -> list[Any]:
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    run = subprocess.run([os.environ["SHOW_TOML"]], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def differences(texts: list[str]) -> list[str]:
    found = []
    accepted = 0
    for text, ours in zip(texts, read(texts), strict=True):
        try:
            theirs = shown(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            if "error" not in ours:
                found.append(f"{text!r}: read as {ours['value']}, Python: {error}")
            continue
        accepted += 1
        if "error" in ours:
            if not any(reason in ours["error"] for reason in BEYOND):
                found.append(f"{text!r}: {ours['error']}, Python: {theirs}")
        elif ours["value"] != theirs:
            found.append(f"{text!r}: read as {ours['value']}, Python: {theirs}")
    assert accepted > len(texts) / 10
    return found


def test_documents_are_read_as_python_reads_them() -> None:
    assert not differences(DOCUMENTS)


def test_mutants_of_them_are_read_as_python_reads_them() -> None:
    assert not differences(mutants(20_000, seed=1))[:10]


def test_a_table_has_at_most_a_thousand_members() -> None:
    small, large = read(["".join(f"a{i} = {i}\n" for i in range(count)) for count in (1000, 1001)])
    assert len(small["value"]) == 1000
    assert large["error"] == "p: line 1001: a table has more than 1000 members"
