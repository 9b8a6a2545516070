# SPDX-License-Identifier: Apache-2.0
"""Writers of archives: each is given an original, and says what has to be in what it wrote."""

import dataclasses
import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.generate import libpcp
from qa.beside_pcp.generate.truth import Truth
from qa.dev.matrix import decoded, importing
from qa.dev.matrix.originals import Made
from qa.peers.peers import Peer

_SECONDS = 120
# The aspects of kept.py that a reduced archive has to have.
METADATA = frozenset({"label", "descs", "desc", "names", "labels", "text"})
_PROGRAM = Path(__file__).with_name("import_program.py")


@dataclass(frozen=True)
class Written:
    """What came of it. `expected`: what has to be in it. `kept`: of that the aspects that have to be, if not all; then
    readers are compared with what the octets say. `replays`: it is replayed as the original is. `said`: by the writer itself.

    `refused`: what the writer said in place of an archive.
    """

    base: Path
    expected: Truth | None = None
    kept: frozenset[str] | None = None
    replays: bool = True
    said: Truth | None = None
    refused: str = ""


@dataclass(frozen=True)
class Writer:
    """`takes` says of an original why it is not given to this writer, or nothing."""

    name: str
    version: str  # of PCP; empty: this project's
    does: str
    takes: Callable[[Made], str]
    write: Callable[[Made, Path], Written]


def ours(pmproof: Path) -> list[Writer]:
    def generated(made: Made, _: Path) -> Written:
        return Written(made.bases[0], made.truths[0], said=made.truths[0])

    def rewritten(*options: str) -> Callable[[Made, Path], Written]:
        def write(made: Made, folder: Path) -> Written:
            out = folder / "out"
            done = decoded.run(pmproof, "rewrite", *options, made.bases[0], out)
            if done.returncode != 0:
                return Written(out, refused=_said(done, folder))
            return Written(out, made.truths[0])

        return write

    def converted(made: Made, folder: Path) -> Written:
        version = 5 - made.truths[0].version
        written = rewritten("--archive-version", str(version))(made, folder)
        return dataclasses.replace(written, expected=_as_version(made.truths[0], version))

    return [
        Writer("pmproof generate", "", "the original itself", _any, generated),
        Writer("pmproof rewrite", "", "decoded and encoded again", _any, rewritten()),
        Writer("pmproof rewrite --compress xz", "", "each file compressed", _any, rewritten("--compress", "xz")),
        Writer("pmproof rewrite --archive-version", "", "to the other version of the format", _expressible, converted),
    ]


def of_peer(peer: Peer) -> list[Writer]:
    def tool(*words: str, kept: frozenset[str] | None = None) -> Callable[[Made, Path], Written]:
        def write(made: Made, folder: Path) -> Written:
            out = folder / "out"
            done = _run(peer, [*words, *made.bases, out], folder)
            if done.returncode != 0 or not Path(f"{out}.meta").exists():
                return Written(out, refused=_said(done, folder))
            truth = _as_version(made.truth, 3) if "-V" in words else made.truth
            if made.is_set and "-m" not in words:
                truth = dataclasses.replace(truth, records=[one for truth in made.truths for one in truth.records])
            return Written(out, truth, kept, replays=kept is None and (not made.is_set or "-m" in words))

        return write

    def imported(made: Made, folder: Path) -> Written:
        out, asked, program = folder / "out", folder / "request.json", folder / _PROGRAM.name
        request, expected = importing.request_of(made.truths[0])
        asked.write_text(json.dumps({**request, "archive": str(out)}), encoding="ascii")
        program.write_bytes(_PROGRAM.read_bytes())  # in a runfiles tree it is a link that leads nowhere in there
        done = _run(peer, ["python3", "-B", program, asked], folder)
        if done.returncode != 0 or not Path(f"{out}.meta").exists():
            return Written(out, refused=_said(done, folder))
        return Written(out, expected, replays=False)

    def peer_takes(made: Made) -> str:
        if made.original.plan.compression == "zstd" and peer.version.startswith("6.0."):
            return "6.0.3 does not know zstd (ARC-033)"
        return ""

    def one(made: Made) -> str:
        return _any(made) or peer_takes(made)

    def two(made: Made) -> str:
        return "of version 3 already" if made.truth.version == 3 else one(made)

    def sets(made: Made) -> str:
        return "" if made.is_set else "no set"

    told = peer.version
    return [
        Writer(f"pmlogextract {told}", told, "without options; of a set, all its archives", peer_takes, tool("pmlogextract")),
        Writer(f"pmlogextract -V 3 {told}", told, "to version 3", two, tool("pmlogextract", "-V", "3")),
        Writer(f"pmlogextract -m {told}", told, "of a set, with marks between its archives", sets, tool("pmlogextract", "-m")),
        Writer(f"pmlogrewrite {told}", told, "without rules", one, tool("pmlogrewrite")),
        Writer(f"pmlogrewrite -V 3 {told}", told, "to version 3, without rules", two, tool("pmlogrewrite", "-V", "3")),
        Writer(f"pmlogreduce {told}", told, "to a sample every two seconds", one, tool("pmlogreduce", "-t", "2sec", kept=METADATA)),
        Writer(f"import {told}", told, "each value put by pcp.pmi", one, imported),
    ]


def _any(made: Made) -> str:
    return "a set" if made.is_set else ""


def _expressible(made: Made) -> str:
    """Version 2 has microseconds, and seconds of 32 bits (ARC-003, ARC-504)."""
    times = [record.time for truth in made.truths for record in truth.records]
    if made.truth.version == 3 and any(time % 1000 or time >= 2**31 * 10**9 for time in times):
        return "version 2 cannot express its times"
    return _any(made)


def _as_version(truth: Truth, version: int) -> Truth:
    return dataclasses.replace(truth, head={**truth.head, "archive_version": version})


def _run(peer: Peer, command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return peer.run(command, writable=[folder], timeout=_SECONDS, environment=libpcp.ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([], 124, "", f"no end within {_SECONDS} s")


def _said(done: subprocess.CompletedProcess[str], folder: Path) -> str:
    """Without what differs from run to run."""
    said = " ".join((done.stderr + done.stdout).replace(f"{folder}/", "").split())
    return f"status {done.returncode}: {said}"[:400]
