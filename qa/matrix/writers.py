"""Writers of archives: each is given an original, and says what has to be in what it wrote."""

import dataclasses
import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.generate import libpcp
from qa.generate.truth import Truth
from qa.matrix import decoded, importing
from qa.matrix.originals import Made
from qa.peers.peers import Peer

_SECONDS = 120
_PROGRAM = Path(__file__).with_name("import_program.py")


@dataclass(frozen=True)
class Written:
    """What came of it. `expected`: what has to be in it; None: the readers are compared with one another alone.

    `refused`: what the writer said in place of an archive.
    """

    base: Path
    expected: Truth | None = None
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
        return Written(made.bases[0], made.truths[0])

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
        Writer("pmproof rewrite --archive-version", "", "to the other version of the format", _any, converted),
    ]


def of_peer(peer: Peer) -> list[Writer]:
    def tool(*words: str, keeps: bool = True, version: int | None = None) -> Callable[[Made, Path], Written]:
        def write(made: Made, folder: Path) -> Written:
            out = folder / "out"
            inputs = made.bases if words[0] == "pmlogextract" else made.bases[:1]
            truth = made.truth if words[0] == "pmlogextract" else made.truths[0]
            done = _run(peer, [*words, *inputs, out], folder)
            if done.returncode != 0 or not Path(f"{out}.meta").exists():
                return Written(out, refused=_said(done, folder))
            if not keeps:
                return Written(out)
            return Written(out, _as_version(truth, version) if version else truth)

        return write

    def imported(made: Made, folder: Path) -> Written:
        out, asked, program = folder / "out", folder / "request.json", folder / _PROGRAM.name
        request, expected = importing.request_of(made.truths[0])
        asked.write_text(json.dumps({**request, "archive": str(out)}), encoding="ascii")
        program.write_bytes(_PROGRAM.read_bytes())  # in a runfiles tree it is a link that leads nowhere in there
        done = _run(peer, ["python3", "-B", program, asked], folder)
        if done.returncode != 0 or not Path(f"{out}.meta").exists():
            return Written(out, refused=_said(done, folder))
        return Written(out, expected)

    # Without rules it copies; those that are installed would be its own choice.
    rules = ["-c", "/dev/null"]
    one, two = (lambda made: _any(made) or peer_takes(made)), (lambda made: _version_2(made) or peer_takes(made))

    def peer_takes(made: Made) -> str:
        if made.original.plan.compression == "zstd" and peer.version.startswith("6.0."):
            return "6.0.3 does not know zstd (ARC-033)"
        return ""

    told = peer.version
    return [
        Writer(f"pmlogextract {told}", told, "without options; of a set, all its archives", peer_takes, tool("pmlogextract")),
        Writer(f"pmlogextract -V 3 {told}", told, "to version 3", two, tool("pmlogextract", "-V", "3", version=3)),
        Writer(f"pmlogrewrite {told}", told, "without rules", one, tool("pmlogrewrite", *rules)),
        Writer(f"pmlogrewrite -V 3 {told}", told, "to version 3", two, tool("pmlogrewrite", *rules, "-V", "3", version=3)),
        Writer(f"pmlogreduce {told}", told, "to a sample every two seconds", one, tool("pmlogreduce", "-t", "2sec", keeps=False)),
        Writer(f"import {told}", told, "each value put by pcp.pmi", one, imported),
    ]


def _any(made: Made) -> str:
    return "a set" if made.is_set else ""


def _version_2(made: Made) -> str:
    return "of version 3 already" if made.truth.version == 3 else ""


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
