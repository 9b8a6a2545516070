# SPDX-License-Identifier: Apache-2.0
"""Agents that break the protocol, and collectors that send nonsense to the agents that pmproof is."""

import struct
import uuid
from collections import Counter
from pathlib import Path

from qa.dev.attack.mutants import TEXTS, WORDS
from qa.dev.attack.program import Outcome, faults_of, run, shown
from qa.dev.attack.setting import Clock, Setting

_PEER = Path(__file__).with_name("broken_peer.py").resolve()
_KINDS = (*range(0x7000, 0x7018), 0, 0xFFFF, 0x80007003)
_IMPATIENT = ["--timeout", "0.2", "--timeout", "end=0.3", "--timeout", "quiet=0.01", "--timeout", "creds=1", "--jobs", "8"]
_SCRIPT = b"desc 9.0.0\nfetch 9.0.0\ninstance 9.0\ntext 9.0.0\nchildren a\ntraverse a\nlabel item 9.0.0\nfetch 9.0.0\n"


def attack(setting: Setting) -> Outcome:
    outcome = Outcome("agents that break the protocol by chance; nonsense to the agents that pmproof serves")
    clock = Clock(setting.seconds)
    statuses: Counter[str] = Counter()
    while outcome.runs == 0 or clock.left():
        text = setting.chance.choice(TEXTS)
        agent = ["/usr/bin/python3", "-B", str(_PEER), str(setting.chance.getrandbits(31))]
        mark = str(uuid.uuid4())
        env = {"PMPROOF_ATTACK": mark, "HOSTILE": text.hex()}
        form = setting.chance.choice(("text", "json", "junit", "html"))
        checks = [f"CKA-{number:03}" for number in setting.chance.sample(range(1, 150), 12)]
        selected = [word for check in checks if _is_known(setting, check) for word in ("--check", check)]
        for words, stdin, shape in (
            (["agent", "check", "--format", form, *_IMPATIENT, *selected, "--", *agent], b"", form),
            (["agent", "run", "--timeout", "0.3", "-", *agent], _SCRIPT, None),
            (["agent", "serve", setting.chance.choice(("simple", "trivial"))], _nonsense(setting), None),
        ):
            done = run(setting.program, words, stdin, env=env)
            outcome.runs += 1
            statuses[f"{words[1]} {done.status}"] += 1
            outcome.take(faults_of(done, shape, range(7)))
            left = _marked(mark)
            if left:
                outcome.problems.append(f"{shown(words)}: left {left}")
    outcome.figures.append(", ".join(f"{what}: {count}" for what, count in sorted(statuses.items())))
    outcome.seconds = clock.spent()
    return outcome


_KNOWN: dict[str, bool] = {}


def _is_known(setting: Setting, check: str) -> bool:
    if check not in _KNOWN:
        _KNOWN[check] = run(setting.program, ["explain", check]).status == 0
    return _KNOWN[check]


def _nonsense(setting: Setting) -> bytes:
    """PDUs, most of them well framed."""
    chance = setting.chance
    data = struct.pack(">iiiiBBH", 20, 0x700C, 1, 1, 1, 2, 0)
    for _ in range(chance.randint(1, 30)):
        body = b"".join(struct.pack(">I", chance.choice(WORDS)) for _ in range(chance.randint(0, 12))) + chance.choice(TEXTS)
        length = 12 + len(body) if chance.random() < 0.9 else chance.choice(WORDS)
        data += struct.pack(">III", length, chance.choice(_KINDS), 0) + body
    return data


def _marked(mark: str) -> list[str]:
    """Processes that descend from a run with that mark in its environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return found

