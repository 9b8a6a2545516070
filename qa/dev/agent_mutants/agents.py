# SPDX-License-Identifier: Apache-2.0
"""The sound agents that are mutated: how each is started, what agent check is told of it, and what it may do otherwise."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SIMPLE, EVERY = "simple", "every"
_HERE = Path(__file__).absolute().parent
# Starts in 10 ms: without site, and what is imported is compiled once, into a folder of the run.
_PYTHON = ("/usr/bin/python3", "-I", "-S", "-X")

# Variants of what an agent says that the proxy makes (sound_changes.py), by what they are about.
_BY_PROXY = {
    "pieces": ("pieces-2", "pieces-3", "pieces-9"),
    "slow": ("slow-5", "slow-15"),
    "pad": ("pad-0", "pad-126", "pad-255"),
    "static": ("static",),
    "blocks": ("blocks",),
    "values": ("values",),
    "instances": ("instances",),
    "labels": ("labels",),
    "ident": ("ident",),
    "longer": ("longer",),
    "attributes": ("attributes",),
}
# Options of the agent every (every_world.py).
_BY_ITSELF = {
    "base": ("base=1000", "base=2147480000"),
    "step": ("step=7",),
    "nolabels": ("nolabels",),
    "nonames": ("nonames",),
    "notexts": ("notexts",),
    "flags": ("flags=64", "flags=68"),
    "appversion": ("appversion",),
    "notready": ("notready",),
    "count": ("count=0", "count=4294960000"),
    "resolved": ("resolved",),
}


@dataclass(frozen=True)
class Agent:
    """variants: by what they are about, of which only one holds at a time."""

    name: str
    variants: Mapping[str, Sequence[str]]


AGENTS = {SIMPLE: Agent(SIMPLE, _BY_PROXY), EVERY: Agent(EVERY, {**_BY_PROXY, **_BY_ITSELF})}
_OPTIONS = frozenset(name.partition("=")[0] for choices in _BY_ITSELF.values() for name in choices) - {"resolved"}


def python(folder: Path, program: str) -> list[str]:
    return [*_PYTHON, f"pycache_prefix={folder}/compiled", str(_HERE / program)]


def prepare(pmproof: Path, folder: Path) -> None:
    """Writes what the agents need into the folder of a run."""
    for file in ("pmns", "domain.h", "simple.conf"):
        made = subprocess.run([pmproof, "agent", "serve", "simple", "--print", file], check=True, capture_output=True, timeout=60)
        (folder / file).write_bytes(made.stdout)


def command(agent: str, pmproof: Path, folder: Path, options: Sequence[str] = ()) -> list[str]:
    """Starts the agent."""
    if agent == SIMPLE:
        return [str(pmproof), "agent", "serve", "simple", "--configuration", f"{folder}/simple.conf"]
    return [*python(folder, "every_main.py"), *(word for option in options for word in ("--option", option))]


def checked_with(agent: str, folder: Path) -> list[str]:
    """Options of agent check, so that none of its checks is left out for want of them."""
    about = ["--pmns", f"{folder}/pmns"] if agent == SIMPLE else ["--root", "every"]
    return ["--store", "all", *about]


def split(variant: str) -> tuple[str, list[str], list[str]]:
    """Agent, its options, and changes by the proxy. Raises ValueError where there is no such variant."""
    agent, _, listed = variant.partition(":")
    if agent not in AGENTS:
        raise ValueError(f"{variant}: not AGENT:NAME,NAME,...")
    names = listed.split(",")
    known = [name for choices in AGENTS[agent].variants.values() for name in choices]
    if wrong := [name for name in names if name not in known]:
        raise ValueError(f"{variant}: no such variant: {', '.join(wrong)}")
    options = [name for name in names if name.partition("=")[0] in _OPTIONS]
    return agent, options, [name for name in names if name not in options]
