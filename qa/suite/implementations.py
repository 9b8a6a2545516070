# SPDX-License-Identifier: Apache-2.0
"""What can be named on the command line as an implementation, and how its adapter is started."""

import os
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.adapters import libpcp, live, tools
from qa.peers.error import PeerError
from qa.peers.peers import Peer
from qa.support.built import built
from qa.suite import fakes

KINDS = """\
reference         this project's own (pmproof testee), which is built unless $PMPROOF names it
pcp:PREFIX        a PCP's libpcp, by its Python binding: / is the installed one, a folder the root of another
pcp:VERSION       likewise one of qa/peers, such as pcp:7.2
tool:PREFIX       its command-line tools, likewise: what they print (qa/adapters/README.md says what they can answer)
tool:VERSION      likewise one of qa/peers, such as tool:7.2
live:PREFIX       what it says on its connections, likewise: libpcp, pmcd and its agents (pdu.*)
live:VERSION      likewise one of qa/peers, such as live:7.2
exec:COMMAND      any adapter, such as 'exec:./adapter --verbose'
fake:NAME         an adapter that is wrong on purpose (suite fakes lists them)
"""


# Lists of expected failures of what is known here, by implementation (tool-VERSION.txt).
EXPECTED = Path(__file__).with_name("expected")


class UsageError(Exception):
    """No implementation is called so."""


class NotThereError(Exception):
    """It is not to be found here."""


@dataclass(frozen=True)
class Implementation:
    """`argv` is the command that is its adapter."""

    name: str
    argv: Callable[[], Sequence[str]]
    expected: Path | None = None  # the list of failures that are declared of it here


def find(name: str, cases: Path, folder: Path | None = None) -> Implementation:
    """`cases`: the golden cases, whose archives it will be asked about; or those in `folder`, and then a fake knows what
    the reference answers. Raises UsageError and NotThereError."""
    kind, _, what = name.partition(":")
    if kind == "fake":
        if what not in fakes.FAKES:
            raise UsageError(f"no fake is called {what!r}: suite fakes lists them")
        knows = fakes.argv(what, cases) if folder is None else fakes.argv(what, cases, pmproof())
        return Implementation(name, lambda: knows)
    argv, version = _adapter(name, [folder or cases])
    listed = EXPECTED / f"{kind}-{version}.txt"
    return Implementation(name, lambda: argv, listed if listed.exists() else None)


def adapter(name: str, folders: Sequence[Path]) -> list[str]:
    """The command that is the adapter of an implementation, but no fake, which sees the archives in `folders`. Raises
    UsageError and NotThereError."""
    return _adapter(name, folders)[0]


def _adapter(name: str, folders: Sequence[Path]) -> tuple[list[str], str]:
    """With the version of PCP, where it is one."""
    kind, _, what = name.partition(":")
    if name == "reference":
        return [pmproof(), "testee"], ""
    if kind == "exec" and what.strip():
        try:
            return shlex.split(what), ""
        except ValueError as error:
            raise UsageError(f"{name}: {error}") from error
    if kind in ("pcp", "tool", "live") and what:
        try:
            found = peer(what)
            if kind == "live":
                argv = live.argv(found)
            else:
                argv = libpcp.argv(found, folders) if kind == "pcp" else tools.argv(found, folders, pmproof())
        except PeerError as error:
            raise NotThereError(f"{name}: {error}") from error
        return argv, found.version
    raise UsageError(f"{name!r} is not an implementation: reference, pcp:PREFIX, tool:PREFIX, live:PREFIX, exec:COMMAND or fake:NAME")


def pmproof() -> str:
    """The reference itself, which also reads what tools print."""
    if named := os.environ.get("PMPROOF"):
        return named
    try:
        return str(built("//validator:pmproof"))
    except (subprocess.CalledProcessError, OSError) as error:
        raise NotThereError(f"the reference cannot be built (PMPROOF may name its pmproof): {error}") from error


def peer(what: str) -> Peer:
    """The PCP that stands after pcp:, tool: or live:. Raises PeerError."""
    if "/" not in what:
        found = Peer.find(what)
        if found is None:
            raise PeerError(f"PCP {what} is not there: run qa/peers/peers fetch {what}")
        return found
    return Peer.at(Path(os.path.abspath(what)))
