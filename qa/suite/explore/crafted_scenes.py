# SPDX-License-Identifier: Apache-2.0
"""Small archives made field by field, most with mistakes of one kind, and what is asked about them: each costs little, so there are many."""

import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qa.beside_pcp.differential.contents import time_text
from qa.suite.explore import field_edits
from qa.suite.explore.archive_scenes import validation
from qa.suite.explore.crafted.archive import Crafted
from qa.suite.explore.crafted.dice import Dice
from qa.suite.explore.crafted.storage import base_of, stored
from qa.suite.explore.scene import CLAUSES, Ask, Json, Reference, Scene, Variants

_COPIES = 16
_EDITED = 0.35  # of the archives have fields changed afterwards
_STORED = 0.15  # have files that are compressed or called otherwise
_FOLLOWS = 0.3  # go on where the one before ends
_EMULATED = 0.5  # are asked for what a version of PCP answers, of whoever says to emulate it
_ODD = 0.05  # have something else than a file under the name of a file
_ODD_PARTS = ("0", "1", "2", "7", "index", "meta", "meta.xz", "0.gz", "x", "01")
_WRITTEN, _UNREADABLE_WRITTEN = 0.6, 0.2  # are written again: those of which there is something to write, and others
_SPARSE = 0.01  # end with a hole, which the file system does not store


def crafted(seed: str, number: int, wants: Variants, folder: Path, reference: Reference) -> Scene:
    chance = random.Random(f"{seed}/{number}")
    scene = Scene(number, ["crafted"], "qa/suite/explore/crafted")
    before: tuple[str, Crafted] | None = None
    for copy in range(_COPIES):
        made = Crafted.of(chance, before[1] if before and chance.random() < _FOLLOWS else None)
        files = dict(made.files)
        if chance.random() < _EDITED:
            for _ in range(chance.choice((1, 1, 2, 4, 8))):
                files = _edited(chance, files)
        if chance.random() < _STORED:
            files = stored(Dice(chance, chance.choice((0.0, 0.1, 0.5))), files)
        name = f"c{copy}/{base_of(made.dice)}"
        (folder / f"c{copy}").mkdir()
        for part, content in files.items():
            (folder / f"{name}.{part}").write_bytes(content)
        if chance.random() < _SPARSE and files:
            file = folder / f"{name}.{chance.choice(sorted(files))}"
            os.truncate(file, file.stat().st_size + chance.choice((1 << 20, 3 << 20, 5 << 20)))
        if chance.random() < _ODD:
            _put_odd(chance, folder / name, files)
        asking = _Asking(chance, wants, folder, made, _path(chance, name, files))
        scene.asks += asking.alone(reference)
        if before and chance.random() < _FOLLOWS:
            scene.asks += asking.with_another(before[0], reference)
        before = name, made
    return scene


def _edited(chance: random.Random, files: dict[str, bytes]) -> dict[str, bytes]:
    """A file may have nothing to change any more."""
    able = {part: content for part, content in files.items() if len(content) > 8}
    return {**files, **field_edits.edited(chance, able)[0]} if able else files


def _put_odd(chance: random.Random, archive: Path, files: dict[str, bytes]) -> None:
    """ARC-1016: a folder, a link that leads nowhere or to itself, or one that leads to another file of the archive."""
    part = chance.choice(_ODD_PARTS)
    odd = archive.with_name(f"{archive.name}.{part}")
    odd.unlink(missing_ok=True)
    others = sorted(one for one in files if one != part)
    match chance.choice(("folder", "nowhere", "itself", "file")):
        case "folder":
            odd.mkdir()
        case "nowhere":
            odd.symlink_to("nowhere")
        case "itself":
            odd.symlink_to(odd.name)
        case _ if others:
            odd.symlink_to(f"{archive.name}.{chance.choice(others)}")


def _path(chance: random.Random, name: str, files: dict[str, bytes]) -> str:
    """ARC-038, ARC-550: an archive may be named by one of its files, or by its folder."""
    if chance.random() < 0.9:
        return name
    return chance.choice((f"{name}.{chance.choice(sorted(files))}" if files else name, name.partition("/")[0], f"{name}.meta", f"{name}."))


@dataclass(frozen=True)
class _Asking:
    chance: random.Random
    wants: Variants
    folder: Path
    made: Crafted
    path: str

    def alone(self, reference: Reference) -> Iterator[Ask]:
        """What is sound is asked about everything; what has warnings alone, such as times that go back, for its values."""
        chance = self.chance
        yield from self._ask("archive.validate", validation(chance))
        if chance.random() < 0.3:
            yield from self._ask("archive.decode", {})
        checked = reference("archive.validate", {"path": str(self.folder / self.path)}, {"least": "warning"})
        severities = {one["severity"] for one in checked.body["findings"]} if checked.kind == "result" else {"fatal"}
        if chance.random() < (_UNREADABLE_WRITTEN if "fatal" in severities else _WRITTEN):
            yield from self._ask("archive.write", {"version": chance.choice((2, 3))} if chance.random() < 0.7 else {})
        if not severities:
            yield from itertools.chain(*self._questions())
        elif severities == {"warning"} and self.wants.unsound and self.made.metrics:
            yield from itertools.chain(*self._over_time())

    def with_another(self, before: str, reference: Reference) -> Iterator[Ask]:
        paths = [before, self.path] if self.chance.random() < 0.9 else [self.path, before]
        for operation, args in (("archive.validate", validation(self.chance)), ("archive.describe", self._dialect())):
            for ask in self._ask(operation, args):
                yield ask.source_of(paths)
        source: Json = {"paths": [str(self.folder / one) for one in paths]}
        checked = reference("archive.validate", source, {"least": "error"})
        if checked.kind == "result" and not checked.body["findings"]:
            for ask in itertools.chain(*self._over_time()):
                if "emulate" not in ask.args:  # INT-1408
                    yield ask.source_of(paths)

    def _over_time(self) -> Iterator[Iterator[Ask]]:
        chance = self.chance
        metrics = self._some()
        yield self._ask("replay.raw", {"metrics": metrics, "start": self._time(), "count": chance.choice((1, 3, 40))})
        if self.wants.rules:
            steps: Json = {"start": self._time(), "interval": chance.choice(("0.5", "1", "7", "-1")), "count": chance.choice((3, 20))}
            yield self._ask("replay.interp", {"metrics": metrics} | steps | {"rule": chance.choice(self.wants.rules)})
        if self.wants.emulates and chance.random() < _EMULATED:
            steps = {"start": self._time(), "interval": chance.choice(("0.5", "1", "-0.5", "-1")), "count": 20}
            yield self._ask("replay.interp", {"metrics": metrics} | steps | {"emulate": chance.choice(self.wants.emulates)})

    def _some(self) -> list[str]:
        names = [name.decode("latin-1") for one in self.made.metrics for name in one.names]
        return self.chance.sample(names, min(3, len(names)))

    def _questions(self) -> Iterator[Iterator[Ask]]:
        chance, made = self.chance, self.made
        some = self._some()
        domains = [f"{one >> 22}.{one & (1 << 22) - 1}" for one in made.domains]
        yield self._ask("archive.describe", self._dialect())
        yield self._ask("archive.labels", {"metric": some[0], "time": self._time()} | self._dialect())
        yield self._ask("archive.text", {"metric": some[0], "kind": chance.choice(("oneline", "help"))})
        yield from self._over_time()
        for domain in domains:
            yield self._ask("archive.indom", {"indom": domain, "time": self._time()})

    def _dialect(self) -> Json:
        return {"dialect": self.chance.choice(self.wants.dialects)} if self.wants.dialects else {}

    def _time(self) -> str:
        return time_text(max(0, self.chance.choice((self.made.begin, self.made.end)) + self.chance.choice((0, 0, 1000, -1000, 10**9, -(10**9)))))

    def _ask(self, operation: str, args: Json) -> Iterator[Ask]:
        if operation in self.wants.operations:
            yield Ask(operation, {"path": self.path}, args, CLAUSES[operation])
