# SPDX-License-Identifier: Apache-2.0
"""Requests about texts that people write: name spaces, help texts, configurations. Right ones, and damaged ones."""

import random
from pathlib import Path

from qa.beside_pcp.names import sources
from qa.suite.explore.scene import CLAUSES, Ask, Json, Scene, Variants

_EACH = 6
_LINES = ("\n", "\\\n", " \n", "\r\n")
_NOISE = ("{", "}", "[", "]", ":", ";", '"', "#", "\\", "\n", " ", "\t", "*", "0", "9", "a", "-", "/*", "*/", "\0", "\xe4")
_DOMAINS = ("0", "1", "29", "510", "511", "512", "-1", "0x1d", "1x", "")
_WORDS = ("SAMPLE", "BOX", "B_2", "9X", "x", "")


def texts(seed: str, number: int, wants: Variants, folder: Path) -> Scene:
    chance = random.Random(f"{seed}/{number}")
    scene = Scene(number, ["names, help texts, configurations"])
    (folder / "names").write_text(sources.HELP_NAMES, encoding="ascii")

    def add(operation: str, text: str, args: Json, beside: Json | None = None) -> None:
        if operation not in wants.operations:
            return
        name = f"text-{len(scene.asks)}"
        (folder / name).write_bytes(text.encode("latin-1"))
        scene.asks.append(Ask(operation, {"file": name} | (beside or {}), args, CLAUSES[operation]))

    for _ in range(_EACH):
        text = sources.random_pmns(chance) if chance.random() < 0.7 else damaged(chance, chance.choice(sources.PMNS))
        add("names.parse", text, {"one_name": True} if chance.random() < 0.3 else {})
    for _ in range(_EACH if wants.dialects else 0):
        text = sources.random_help(chance) if chance.random() < 0.7 else damaged(chance, chance.choice(sources.HELP))
        args: Json = {"dialect": chance.choice(wants.dialects)}
        if chance.random() < 0.3:
            args["compile"] = chance.choice(("little", "big"))
        add("help.parse", text, args, {"names": "names"})
    for _ in range(_EACH):
        add("configuration.parse", damaged(chance, chance.choice(sources.CONF)), {"form": "pmcd.conf"})
        add("configuration.parse", _register(chance), {"form": "register"})
        add("configuration.parse", _header(chance), {"form": "domain.h"})
    return scene


def damaged(chance: random.Random, text: str) -> str:
    """Half of them as they are."""
    while text and chance.random() < 0.5:
        at = chance.randrange(len(text))
        edit = chance.randrange(3)
        if edit == 0:
            text = text[:at] + chance.choice(_NOISE) + text[at + chance.randrange(2) :]
        elif edit == 1:
            text = text[:at] + text[at + chance.randrange(1, 9) :]
        else:
            lines = text.splitlines(keepends=True)
            lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
            text = "".join(lines)
    return text


def _register(chance: random.Random) -> str:
    lines = [f"#define {chance.choice(_WORDS)} {chance.choice(_DOMAINS)}" for _ in range(chance.randrange(6))]
    lines += [f"{chance.choice(_WORDS)}\t{chance.choice(_DOMAINS)}" for _ in range(chance.randrange(4))]
    chance.shuffle(lines)
    return damaged(chance, "".join(line + chance.choice(_LINES) for line in lines))


def _header(chance: random.Random) -> str:
    lines = [f"#define {chance.choice(_WORDS)} {chance.choice(_DOMAINS)}" for _ in range(chance.choice((1, 1, 2)))]
    return damaged(chance, "/* domain */\n" + "".join(line + chance.choice(_LINES) for line in lines))
