# SPDX-License-Identifier: Apache-2.0
"""The agents that a peer's packages have, and how they are started without hardware, servers and another user."""

import os
import re
import select
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.peers.peers import Peer

_FOLDER = Path("/usr/lib/pcp/pmdas")

# Parts of agents, not agents.
_PARTS = ("pmdautil.python",)

# Agents that live no longer than something else does: what fails then is not theirs.
LEFT_OUT = {
    "pmdasummary": "lives as long as the command it is given, which is to write summaries for it",
    "pmdatrace": "alone it serves; started again a moment later it ends with status 1",
}

# Metrics that say of themselves that values may be stored into them.
STORES = {
    "sample": ("sample.write_me", "sample.longlong.write_me", "sample.string.write_me"),
    "simple": ("all",),
}

# Whose names and domain are not those of their folder.
_NAMES = {"pmda_sample.so": "sampledso"}

# PCP_USER: the peers have no user pcp, which agents in Python want to become.
ENVIRONMENT = {"PCP_USER": "root"}

_PATIENCE = 120.0  # seconds, for the first octet of an agent and for its end


@dataclass(frozen=True)
class Agent:
    """A program (`file`) or shared object of the folder `name` of a peer's agents."""

    name: str
    file: str

    @property
    def path(self) -> str:
        return str(_FOLDER / self.name / self.file)

    @property
    def is_shared_object(self) -> bool:
        return self.file.endswith(".so")

    @property
    def library(self) -> str:
        """What it is built on, as --known names it."""
        return "python" if self.file.endswith(".python") else "libpcp_pmda"

    def commands(self, domain: int | None, log: Path) -> Iterator[list[str]]:
        """What may start it: the first that works does. Not every one takes -U."""
        if self.file.endswith((".pl", ".perl")):
            yield ["perl", self.path]
        elif self.file.endswith(".python"):
            yield ["python3", self.path]
        else:
            numbered = [self.path] + ([] if domain is None else ["-d", str(domain)])
            last = ["-l", str(log)]
            yield [*numbered, "-U", "root", *last]
            yield [*numbered, *last]


def agents_of(peer: Peer) -> list[Agent]:
    """By folder and file."""
    found = []
    for path in sorted(Path(f"{peer.folder}{_FOLDER}").glob("*/pmda*")):
        if not path.is_file() or path.name in _PARTS:
            continue
        if path.suffix == ".so" or os.access(path, os.X_OK):
            found.append(Agent(path.parent.name, path.name))
    return found


def domains_of(peer: Peer) -> dict[str, int]:
    """The peer's register of domain numbers, by upper-case names of agents."""
    text = Path(f"{peer.folder}/var/lib/pcp/pmns/stdpmid.pcp").read_text(encoding="utf-8")
    return {match[1]: int(match[2]) for match in re.finditer(r"^([A-Z]\w*)[ \t]+(\d+)\b", text, re.MULTILINE)}


def domain_of(peer: Peer, agent: Agent) -> int | None:
    """As shared object sample has another domain, and other names."""
    return domains_of(peer).get(_NAMES.get(agent.file, agent.name).upper())


def name_space(peer: Peer, agent: Agent, folder: Path) -> Path | None:
    """Puts the agent's name space with all that it includes into the folder: gives the file to be read.

    The package's own `root` serves for it; None where there is none. That of sample has the names of both its agents.
    """
    home = Path(f"{peer.folder}{agent.path}").parent
    if not (home / "root").is_file():
        return None
    register = "".join(f"#define {name} {number}\n" for name, number in domains_of(peer).items())
    (folder / "stdpmid").write_text(register, encoding="utf-8")
    for part in (*home.glob("root*"), *home.glob("pmns*")):
        (folder / part.name).write_bytes(part.read_bytes())
    if agent.name == "sample":
        names = _NAMES.get(agent.file, agent.name)
        text = f"#include <stdpmid>\nroot {{\n    {names}\n}}\n"
        if names != agent.name:
            text += f"#undef SAMPLE\n#define SAMPLE {domain_of(peer, agent)}\n#define sample {names}\n"
        text += '#include "pmns"\n'
        (folder / "root").write_text(text, encoding="utf-8")
    return folder / "root"


@dataclass(frozen=True)
class Trial:
    """Whether an agent comes up: `command` is what started it, or none, and then `why` is what it said."""

    command: list[str] | None
    why: str


def try_to_start(peer: Peer, agent: Agent, domain: int | None) -> Trial:
    """Waits for the first octets of its standard output, then closes its input and waits for its end."""
    why = "there is nothing to start"
    for number in range(len(list(agent.commands(domain, Path())))):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / "pmcd").mkdir()
            command = list(agent.commands(domain, folder / "log"))[number]
            output, why = _output_of(peer, command, folder)
            if output:
                return Trial(list(agent.commands(domain, Path("/dev/null")))[number], "")
    return Trial(None, why)


def _output_of(peer: Peer, command: Sequence[str], folder: Path) -> tuple[bytes, str]:
    environment = ENVIRONMENT | {"PCP_LOG_DIR": str(folder)}
    argv = peer.argv(command, writable=[folder], environment=environment)
    with (folder / "stderr").open("wb") as stderr:
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr) as process:
            assert process.stdin is not None and process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
            output = os.read(process.stdout.fileno(), 20) if ready else b""
            process.stdin.close()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
    return output, f"says nothing for {_PATIENCE:g} seconds" if not ready else _reason(folder)


def _reason(folder: Path) -> str:
    """What an agent that ended said last, to standard error or into a log."""
    lines: list[str] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        lines += [line.strip() for line in text.splitlines() if line.strip() and not _is_frame(line.strip())]
    usage = next((line for line in lines if line.lower().startswith("usage")), None)
    if usage:
        return f"needs arguments: {usage}"
    return re.sub(r"^\[[^]]*\] ", "", lines[-1]) if lines else "ends without a word"


def _is_frame(line: str) -> bool:
    return line.startswith(("Log for ", "Log finished", "Exit status"))
