# SPDX-License-Identifier: Apache-2.0
"""Compares what libpcp and the reference make of configuration files."""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from qa.beside_pcp.libpcp import in_peer
from qa.peers.peers import Peer


def compare(peer: Peer, says: Path, dialect: str, archive: Path, cases: Mapping[str, bytes]) -> list[str]:
    """The cases that differ, each with both answers."""
    with tempfile.TemporaryDirectory(prefix="pmproof-configuration-") as name:
        folder = Path(name)
        for case, text in cases.items():
            (folder / case).write_bytes(text)
        for part in archive.parent.glob(archive.name + ".*"):
            (folder / part.name).write_bytes(part.read_bytes())
        files = "".join(f"{folder / case}\n" for case in cases)
        command = in_peer.command(folder, "configuration", folder / archive.name)
        theirs = _lines(peer.argv(command, [folder], environment=in_peer.environment(folder)), files)
        ours = _lines([str(says), dialect], files)
    assert len(theirs) == len(ours) == len(cases)
    return [
        f"{case}:\n  libpcp {_readable(their)}\n  ours   {_readable(our)}"
        for case, their, our in zip(cases, theirs, ours, strict=True)
        if _comparable(their, cases[case]) != _comparable(our, cases[case])
    ]


def _lines(command: list[str], files: str) -> list[str]:
    return subprocess.run(command, input=files, capture_output=True, text=True, check=True).stdout.splitlines()


def _comparable(line: str, text: bytes) -> tuple[str, ...]:
    count, said, *names = line.split(" ")
    # Of a metric that the file does not name libpcp was not asked; what help the event metrics have is PCP's own.
    named = (word for word in names if bytes.fromhex(word.partition(":")[0]) in text)
    return count, said, *sorted(word for word in named if not word.startswith(b"event.".hex()))


def _readable(line: str) -> str:
    count, said, *names = line.split(" ")
    if count == "signal":
        return line
    words = [":".join(part if part == "-" else repr(bytes.fromhex(part)) for part in word.split(":")) for word in names]
    return f"{count} {bytes.fromhex(said)!r} {' '.join(words)}"
