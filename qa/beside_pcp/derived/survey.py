# SPDX-License-Identifier: Apache-2.0
"""Many expressions, put to all versions by several processes, a chunk of them after the other."""

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.derived import questions
from qa.beside_pcp.derived.compare import Comparison, compare
from qa.beside_pcp.derived.libpcp import Libpcp
from qa.beside_pcp.derived.questions import Programs
from qa.peers.peers import Peer


@dataclass(frozen=True)
class Setting:
    """What all processes share. `versions` are peers that are there; faults are kept in `keep`."""

    programs: Programs
    versions: tuple[str, ...]
    keep: Path


@dataclass(frozen=True)
class Chunk:
    """So many expressions over an archive of their own; the same for the same numbers."""

    version: str
    seed: int
    number: int
    size: int

    def __str__(self) -> str:
        return f"PCP {self.version}, chunk {self.number} of seed {self.seed}"

    @property
    def archive_seed(self) -> str:
        return f"{self.seed}/{self.number}"

    @property
    def expression_seed(self) -> int:
        return self.seed * 1_000_000 + self.number


@dataclass
class Examined:
    """What was found, and where faults are kept."""

    chunk: Chunk
    found: Comparison
    kept: Path | None = None


class Worker:
    """One process's libraries and folder. A resource: to be closed."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._folder = Path(tempfile.mkdtemp(prefix="pmproof-derived-"))
        self._libraries: dict[str, Libpcp] = {}

    def close(self) -> None:
        for library in self._libraries.values():
            library.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, chunk: Chunk) -> Examined:
        programs = self._setting.programs
        archive = questions.make_archive(programs.pmproof, self._folder, chunk.archive_seed, chunk.version)
        library = self._library(chunk.version)
        examined = Examined(chunk, Comparison())
        batches = questions.batches(programs.expressions, archive, chunk.version, chunk.expression_seed, chunk.size)
        for batch in batches:
            answers = library.ask(questions.request_of(archive, batch))
            found = compare(chunk.version, batch, answers)
            examined.found.add(found)
            if found.unexplained:
                examined.kept = self._keep(chunk, archive)
        if examined.kept:
            told = {"chunk": str(chunk), "unexplained": examined.found.unexplained}
            (examined.kept / "unexplained.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
        return examined

    def _library(self, version: str) -> Libpcp:
        if version not in self._libraries:
            peer = Peer.find(version)
            assert peer is not None, version
            self._libraries[version] = Libpcp(peer, self._folder)
        return self._libraries[version]

    def _keep(self, chunk: Chunk, archive: Path) -> Path:
        kept = self._setting.keep / f"{chunk.version}-seed{chunk.seed}-{chunk.number}"
        kept.mkdir(parents=True, exist_ok=True)
        for file in archive.parent.glob(f"{archive.name}.*"):
            shutil.copy(file, kept)
        return kept
