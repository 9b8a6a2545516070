# SPDX-License-Identifier: Apache-2.0
"""Real PCP versions, unpacked into folders, whose tools are run as black boxes to compare with.

    peer = Peer.find("6.0.3")
    if peer is not None:
        done = peer.run(["pmlogcheck", "/data/foo"], binds=["/data"], timeout=60)

The folders are made by `qa/peers/peers fetch`; they are in $PMPROOF_PEERS, or else in ~/.cache/pmproof/peers.
"""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.peers.error import PeerError
from qa.peers.launchers import Job, Launcher, choose

# Which of Debian's suites has which PCP. Two of them move: what a folder really holds is Peer.version.
SUITES = {"6.0.3": "bookworm", "6.3.8": "trixie", "7.2": "sid"}

# Written last into a peer's folder: {"suite", "version", "architecture", "bytes", "packages": {name: version}}.
RECORD = "peer.json"

AnyPath = str | os.PathLike[str]


def default_root() -> Path:
    """The folder that holds the peers' folders."""
    if chosen := os.environ.get("PMPROOF_PEERS"):
        return Path(os.path.abspath(chosen))
    if "HOME" not in os.environ:
        raise PeerError("where are the peers? set PMPROOF_PEERS, for there is no HOME")
    return Path.home() / ".cache/pmproof/peers"


def is_version(actual: str, asked: str) -> bool:
    """Whether "7.2.2" is what was asked for by "7.2.2", or more loosely by "7.2"."""
    return f"{actual}.".startswith(f"{asked}.")


def suite_of(asked: str) -> str:
    """Debian's suite for a version or a suite's own name."""
    for version, suite in SUITES.items():
        if asked == suite or is_version(asked, version):
            return suite
    known = ", ".join(f"{version} ({suite})" for version, suite in SUITES.items())
    raise PeerError(f"unknown version {asked!r}; known: {known}")


@dataclass(frozen=True)
class Peer:
    """One PCP version in its folder. `version` is what its pmval --version prints."""

    suite: str
    version: str
    folder: Path
    size: int
    launcher: Launcher

    @classmethod
    def find(cls, asked: str, root: Path | None = None) -> "Peer | None":
        """The peer of that version ("6.0.3", "7.2", or a suite such as "sid"), or None where it was not fetched.

        Raises PeerError for a version that no suite has, and for a folder whose record is damaged.
        """
        peer = cls.of_suite(suite_of(asked), root)
        if peer is None or not (asked == peer.suite or is_version(peer.version, asked)):
            return None
        return peer

    @classmethod
    def of_suite(cls, suite: str, root: Path | None = None) -> "Peer | None":
        """The peer that was fetched from that suite, whatever its version is by now."""
        folder = (root or default_root()) / suite
        try:
            record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
            return cls(suite, str(record["version"]), folder, int(record["bytes"]), choose(folder))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PeerError(f"{folder / RECORD} is damaged ({error}): remove {folder} and fetch it again") from error

    @classmethod
    def at(cls, folder: Path) -> "Peer":
        """The PCP whose root is that folder, such as /; its version is what its own pmval says, for package versions
        name more than one thing.

        Raises PeerError where there is none.
        """
        if not (folder / "usr").is_dir():
            raise PeerError(f"{folder} is not the root of an installed PCP")
        peer = cls(folder.name, "", folder, 0, choose(folder))
        done = peer.run(["pmval", "--version"], timeout=60)
        words = (done.stdout + done.stderr).split()
        if done.returncode != 0 or words[:2] != ["pmval", "version"] or len(words) != 3:
            raise PeerError(f"the pmval of {folder} does not run: {' '.join(words) or f'status {done.returncode}'}")
        return cls(folder.name, words[2], folder, 0, peer.launcher)

    def argv(
        self,
        command: Sequence[AnyPath],
        binds: Sequence[AnyPath] = (),
        *,
        writable: Sequence[AnyPath] = (),
        environment: Mapping[str, str] | None = None,
        network: bool = False,
        timed: bool = False,
    ) -> list[str]:
        """The argument list that runs a tool of this peer, for a caller who starts it himself.

        Args:
          command: the tool's name and its arguments; or the path of a program that is bound.
          binds: files and folders that the tool sees, each at its own path, read-only. Links inside a bound folder
            that lead out of it lead nowhere for the tool: bind what they point to.
          writable: the same, for a tool that writes.
          environment: variables beside PATH, LC_ALL=C.UTF-8, TZ=UTC and HOME; the caller's own are not handed on.
          network: whether the tool shares this machine's network; otherwise it has a loopback of its own.
          timed: makes the tool's CPU time show in the rusage of the started process (some 2 ms are the sandbox's),
            which it otherwise does not; in return, processes that the tool leaves behind are not ended.

        The tool starts in the caller's current folder (empty unless bound), so relative paths keep their meaning.
        """
        job = Job(
            command=[os.fspath(word) for word in command],
            cwd=Path.cwd(),
            binds=[Path(os.path.abspath(path)) for path in binds],
            writable=[Path(os.path.abspath(path)) for path in writable],
            environment=environment,
            network=network,
            timed=timed,
        )
        return self.launcher.argv(self.folder, job)

    def run(
        self,
        command: Sequence[AnyPath],
        binds: Sequence[AnyPath] = (),
        *,
        timeout: float | None = None,
        stdin: str = "",
        writable: Sequence[AnyPath] = (),
        environment: Mapping[str, str] | None = None,
        network: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a tool to its end; see argv(). Bytes that are not UTF-8 come as surrogate escapes.

        Raises subprocess.TimeoutExpired after `timeout` seconds, when the tool is gone (with bubblewrap also all that
        it started). The returncode of a tool that died by signal N is 128 + N.
        """
        done = subprocess.run(
            self.argv(command, binds, writable=writable, environment=environment, network=network),
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=timeout,
            check=False,
        )
        if done.returncode < 0:
            done.returncode = 128 - done.returncode
        return done
