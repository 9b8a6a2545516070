# SPDX-License-Identifier: Apache-2.0
"""Mutants of archives, of scripts, definitions, descriptions, requests and printed output, through every command and format."""

import collections
import functools
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from qa.dev.attack.mutants import TEXTS, Files, Mutator, read, write
from qa.dev.attack.program import Done, Outcome, environment, faults_of, run, shown
from qa.dev.attack.setting import Clock, Setting, emptied, state_of
from validator.testing.command_lines import Foreign, Line, agent_words, commands, formats, lines

_PEER = Path(__file__).resolve().parents[3] / "validator/testing/hostile_peer.py"
_SCENARIOS = (
    "plain", "marks", "deltas", "labels", "texts", "events", "types", "errors", "multi-volume", "long-names", "replay",
    "beyond-2038", "indom-return", "descriptor-change",
)
# Commands that start processes or wait for somebody take a second each: they are drawn this much less often.
_SLOW = {"agent check": 0.02, "collector check": 0.02, "agent run": 0.2, "collector agent": 0.1, "shrink": 0.3}
_LINES_OF_A_MUTANT = 6
_SCRIPT = b"desc 9.0.0\nfetch 9.0.0\nprofile 9.0 add 1\ninstance 9.0\ntext 9.0.0\nlabel item 9.0.0\nstatus\nquit\n"
_PRINTED = (
    b"metric:    a.b\narchive:   x\nhost:      localhost\nstart:     Tue Nov 14 22:13:20 2023\nsemantics: instantaneous value\n"
    b"units:     none\nsamples:   2\ninterval:  1.00 sec\n22:13:20.000          1\n22:13:21.000  No values available\n"
)
_CONFIG = b"x.y = rate(a.b) + delta(c.d) * 3\nx.y(oneline) = text\n# comment\nz = matchinst(/a.*/, a.b) ? 1 : mkconst(2, type=u32)\n"
_POLICIES = (
    b"""schema = "pmproof-policy/1"
profile = "ingest"
[[reclassify]]
rule = "ARC-1429"
severity = "info"
reason = "as they are"
until = 9999-12-31
where = { archive = "*/a", host = "h*" }
[[require]]
metrics = ["a.*", "plain.reads"]
min_span = "1h"
max_interval = "1.5min"
max_gap = "5s"
""",
    b"""{"schema": "pmproof-policy/1", "require": [{"severity": "info", "hosts": ["*"], "label_keys": ["a"],
  "time_zones": ["UTC"], "compression": ["none"], "versions": [2, 3]}]}
""",
)
_DESCRIPTION = json.dumps(
    {
        "schema": "pmproof-archive/1",
        "metrics": {"a.b": {"pmid": "60.0.1", "type": "u32", "semantics": "counter", "indom": "60.1"}},
        "indoms": [{"indom": "60.1", "time": 0, "instances": {"0": "zero", "1": "one"}}],
        "records": [{"time": 0, "values": {"a.b": {"0": 1, "1": 2}}}, {"mark": 1}, {"time": "2.5", "values": {"a.b": {"0": 3}}}],
    }
).encode()


def attack(setting: Setting) -> Outcome:
    outcome = Outcome("structure-aware mutants through every command and format")
    clock = Clock(setting.seconds)
    seeds = _seeds(setting)
    ask = functools.partial(_printed, setting.program)
    known = commands(ask)
    formats_of = functools.cache(lambda command: tuple(formats(ask("help", *command.split()))))
    counts: collections.Counter[str] = collections.Counter()
    slowest = 0.0
    mutants = 0
    with _collector(setting) as socket:
        while mutants == 0 or clock.left():
            mutants += 1
            foreign = _mutant(setting, seeds, socket)
            everything = list(lines(foreign, formats_of))
            for line in _drawn(setting.chance, everything):
                problems, done = _tried(setting, line)
                counts[line.command] += 1
                slowest = max(slowest, done.seconds if line.command not in _SLOW else 0)
                outcome.runs += 1
                outcome.take(problems)
                if problems:
                    print(f"fuzz-{mutants}: {problems}", file=sys.stderr, flush=True)
                    _keep(setting, f"fuzz-{mutants}")
    missed = [command for command in known if not counts[command]]
    outcome.figures.append(f"{mutants} mutants, {len(known) - len(missed)} of {len(known)} commands")
    outcome.figures.append(f"{min(counts[command] for command in known)} to {max(counts.values())} runs of each")
    outcome.figures.append(f"slowest {slowest:.1f} s")
    outcome.seconds = clock.spent()
    return outcome


def _printed(program: Path, *words: str) -> str:
    return run(program, words).out.decode()


def _seeds(setting: Setting) -> list[Files]:
    place = emptied(setting.folder / "seeds")
    for number, scenario in enumerate(_SCENARIOS):
        words = ["--seed", str(number), "--records", "12", "--scenario", scenario, "--no-truth"]
        if number % 3 == 0:
            words += ["--archive-version", "2"]
        done = run(setting.program, ["generate", *words, str(place / scenario)])
        if done.status != 0:
            raise RuntimeError(f"generate {scenario}: {done.err.decode()}")
    return [read(place / scenario) for scenario in _SCENARIOS]


@contextmanager
def _collector(setting: Setting) -> Iterator[str]:
    socket = setting.folder / "socket"
    command = ["/usr/bin/python3", "-B", str(_PEER), "collector", str(socket)]
    with subprocess.Popen(command, env=environment({"HOSTILE": TEXTS[0].hex()})) as process:
        while not socket.exists():
            time.sleep(0.01)
        try:
            yield str(socket)
        finally:
            process.kill()


def _mutant(setting: Setting, seeds: list[Files], socket: str) -> Foreign:
    chance = setting.chance
    mutator = Mutator(chance, chance.choice(seeds))
    place = emptied(setting.folder / "in")
    base, other = place / "a", place / "b"
    write(mutator.mutate(chance.choice(seeds)), base)
    write(chance.choice(seeds), other)
    config = chance.choice((_CONFIG, _DESCRIPTION, _SCRIPT, _PRINTED))
    told = b'{"time": "1", "metric": "a", "values": []}\n'
    for suffix, content in (("config", config), ("printed", _PRINTED), ("jsonl", told), ("policy", chance.choice(_POLICIES))):
        base.with_name(f"a.{suffix}").write_bytes(mutator.damaged_text(content))
    out = emptied(setting.folder / "out")
    number = itertools.count()
    text = mutator.damaged_text(chance.choice((b"rate(a.b)", b"Kbyte / sec", b"ARC-1104", b"a.b", *TEXTS))).replace(b"\0", b"") or b"x"
    if os.path.isdir(os.path.join(os.fsencode(out), text)):
        text = b"x" + text  # such as "/..": a command that takes directories would walk over this machine
    return Foreign(
        archive=os.fsencode(base),
        other=os.fsencode(other),
        name=chance.choice((b"plain.reads", b"plain.load", b"plain", text)),
        instance=chance.choice((b"dev0", text)),
        text=text,
        agent=("/usr/bin/env", f"HOSTILE={text.hex()}", *agent_words(_PEER)),
        socket=socket,
        out=lambda: os.fsencode(out / f"r{next(number)}"),
    )


def _drawn(chance: random.Random, everything: list[Line]) -> list[Line]:
    """A few lines, each command as often as any other, but for the slow ones."""
    by_command = collections.defaultdict(list)
    for line in everything:
        by_command[line.command].append(line)
    names = list(by_command)
    weights = [_SLOW.get(name, 1) for name in names]
    return [chance.choice(by_command[name]) for name in chance.choices(names, weights, k=_LINES_OF_A_MUTANT)]


def _tried(setting: Setting, line: Line) -> tuple[list[str], Done]:
    before = state_of(setting.folder / "in")
    words = [*line.command.split(), *(word for word in line.words if b"\0" not in os.fsencode(word))]
    done = run(setting.program, words, line.stdin, cwd=setting.folder / "out")
    # An agent that cannot be started, and a script that cannot be read, are the caller's affair.
    statuses = range(7) if line.command.startswith(("agent", "collector")) else (0, 1, 2, 3, 4, 6)
    problems = faults_of(done, line.format if line.command != "derive" else None, statuses)
    if state_of(setting.folder / "in") != before:
        problems.append(f"{shown(words)}: an input was changed")
    left = [name for name in state_of(setting.folder / "out") if ".pmproof-" in name]
    if left:
        problems.append(f"{shown(words)}: left {left}")
    return problems, done


def _keep(setting: Setting, name: str) -> None:
    setting.keep.mkdir(parents=True, exist_ok=True)
    shutil.copytree(setting.folder / "in", setting.keep / name, dirs_exist_ok=True)
