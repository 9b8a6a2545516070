# SPDX-License-Identifier: Apache-2.0
"""Each original given to each writer, what that wrote to each reader."""

import fnmatch
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from qa.beside_pcp.generate.difference import Difference
from qa.dev.matrix import decoded, originals, readers, writers
from qa.dev.matrix.decoded import DecodeError
from qa.dev.matrix.known import Classifier
from qa.dev.matrix.originals import Made, Original
from qa.dev.matrix.readers import Readers, Said, Task
from qa.dev.matrix.results import Archive, Disagreement, Reading
from qa.dev.matrix.writers import Writer
from qa.peers.peers import Peer

_LONGEST = 400


def writers_of(pmproof: Path, peers: Sequence[Peer], globs: Sequence[str] = ()) -> list[Writer]:
    """This project's, then by tool the versions side by side; of those whose names match one of the globs, if there are any."""
    by_peer = [writers.of_peer(peer) for peer in peers]
    found = writers.ours(pmproof) + [writer for same in zip(*by_peer) for writer in same]
    return [one for one in found if not globs or any(fnmatch.fnmatchcase(one.name, glob) for glob in globs)]


def survey(
    pmproof: Path, peers: Sequence[Peer], wanted: Sequence[Original], several: Sequence[Writer], classifier: Classifier, jobs: int
) -> Iterator[Archive]:
    """In the order of the originals, and of the writers for each."""
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda original: _of_original(pmproof, peers, original, several, classifier), wanted):
            yield from found


def _of_original(
    pmproof: Path, peers: Sequence[Peer], original: Original, all_writers: Sequence[Writer], classifier: Classifier
) -> list[Archive]:
    with tempfile.TemporaryDirectory(prefix="pmproof-matrix-") as name:
        folder = Path(name)
        made = originals.make(original, pmproof, folder)
        several = Readers(pmproof, peers, folder)
        try:
            return [
                _of_writer(pmproof, made, writer, several, folder, classifier)
                for writer in all_writers
                if not writer.takes(made)
            ]
        finally:
            several.close()


def _of_writer(
    pmproof: Path, made: Made, writer: Writer, several: Readers, folder: Path, classifier: Classifier
) -> Archive:
    for file in folder.glob("out*"):
        file.unlink()
    written = writer.write(made, folder)
    if written.refused:
        refusal = Difference("refused", "as a whole", "written", written.refused)
        return Archive(made.original.id, writer.name, written.refused, classifier.entry_of(writer.name, "", refusal))
    try:
        found = decoded.decode(pmproof, written.base)
    except DecodeError as error:
        undecoded = Said(1, [Difference("decoder", "as a whole", "decoded", str(error).replace(f"{folder}/", ""))])
        return Archive(made.original.id, writer.name, readings={readers.DECODER: _reading(writer.name, readers.DECODER, undecoded, classifier)})
    given = frozenset(rule for truth in made.truths for rule in truth.head["violates"])
    questions = several.questions(made.bases[0] if written.replays else written.base, made.original.id)
    task = Task(written, found, made.bases, given, questions)
    readings = {reader: _reading(writer.name, reader, said, classifier) for reader, said in several.read(task).items()}
    return Archive(made.original.id, writer.name, readings=readings)


def _reading(writer: str, reader: str, said: Said, classifier: Classifier) -> Reading:
    """Differences of one kind under one entry become one disagreement."""
    groups: dict[tuple[str, str | None], list[str]] = {}
    for difference in said.differences:
        entry = classifier.entry_of(writer, reader, difference)
        groups.setdefault((difference.aspect, entry), []).append(str(difference))
    found = [Disagreement(aspect, entry, len(texts), texts[0][:_LONGEST]) for (aspect, entry), texts in groups.items()]
    for name, number in sorted(said.deviations.items()):
        text = f"answers that differ from the reference's by {name}, as its emulation says"
        found.append(Disagreement("replay", classifier.entry_named(name), number, text))
    return Reading(said.compared, tuple(found), said.left_out)
