# SPDX-License-Identifier: Apache-2.0
"""Copies of an archive with a small change each, and what is asked about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import places
from qa.suite.explore import field_edits
from qa.suite.explore.archive_scenes import Made, Programs, questions_of, unsound_questions, validation
from qa.suite.explore.scene import CLAUSES, Ask, Json, Reference, Scene, Variants

_COPIES = 24
_TWICE = 0.2  # of the copies have two changes
_SETS = 0.25  # of the scenes: a member is changed
_QUESTIONS = 6  # about a copy that is still sound


def edited(programs: Programs, seed: str, number: int, wants: Variants, folder: Path, reference: Reference) -> Scene:
    made = Made(programs, seed, number, wants, folder, may_be_compressed=False, is_set=number % round(1 / _SETS) == 0)
    chance = made.chance
    scene = Scene(number, [*made.about, "edited fields"], made.recipe)
    for copy in range(_COPIES):
        base = chance.choice(made.bases)
        changed: dict[str, bytes] = {}
        for path in sorted(folder.glob(f"{base}.*")):
            if part := places.part_of(path.name, base):
                changed[part] = path.read_bytes()
        told = []
        for _ in range(2 if chance.random() < _TWICE else 1):
            changed, edit = field_edits.edited(chance, changed)
            told.append(edit)
        name = f"e{copy}/{base}"
        (folder / f"e{copy}").mkdir()
        for part, content in changed.items():
            (folder / f"{name}.{part}").write_bytes(content)
        scene.recipe += f"; e{copy}: {base} {', '.join(told)}"
        scene.asks += _Copy(made, wants, folder, name, [name if one == base else one for one in made.bases], field_edits.shown_by(told[-1])).asks(reference)
    return scene


@dataclass(frozen=True)
class _Copy:
    """`members`: of the set that it belongs to. `shown_by`: the operations that are about what is other."""

    made: Made
    wants: Variants
    folder: Path
    name: str
    members: list[str]
    shown_by: Sequence[str]

    def asks(self, reference: Reference) -> Iterator[Ask]:
        """What is still sound is asked about everything. What cannot be read cannot be written, and for the same reason."""
        chance = self.made.chance
        yield from self._ask("archive.validate", validation(chance))
        if chance.random() < 0.5:
            yield from self._ask("archive.decode", {})
        args: Json = {"version": chance.choice((2, 3))} if chance.random() < 0.7 else {}
        refusal = self._refusal(reference, "archive.decode", {})
        if refusal in ("", self._refusal(reference, "archive.write", args)):
            yield from self._ask("archive.write", args)
        is_set = len(self.members) > 1
        if is_set:
            yield from self._ask("archive.validate", validation(chance), self.members)
        source: Json = {"path": str(self.folder / self.name)}
        checked = reference("archive.validate", source, {"least": "warning"})
        if checked.kind == "result" and not checked.body["findings"]:
            about = [one for one in questions_of(self.made, self.wants) if not is_set or one.operation != "archive.validate"]
            for one in chance.sample(about, min(_QUESTIONS, len(about))):
                yield one.source_of(self.members)
        else:
            members: Json = {"path": self.name} if not is_set else {"paths": self.members}
            yield from unsound_questions(self.made, self.wants, members, self.shown_by)

    def _ask(self, operation: str, args: Json, members: list[str] | None = None) -> Iterator[Ask]:
        if operation in self.wants.operations:
            yield Ask(operation, {"path": self.name}, args, CLAUSES[operation]).source_of(members or [self.name])

    def _refusal(self, reference: Reference, operation: str, args: Json) -> str:
        """Why it is refused, or ""."""
        answer = reference(operation, {"path": str(self.folder / self.name)}, args)
        return "" if answer.kind == "result" else str(answer.body.get("class", answer.kind))
