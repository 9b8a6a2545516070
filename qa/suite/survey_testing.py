# SPDX-License-Identifier: Apache-2.0
"""For tests of the survey: archives, and a pmproof that answers what a test wants, and notes what it is asked."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema

from qa.suite.cli import main
from qa.suite.survey.kinds import Kind

Json = dict[str, Any]

SCHEMA = json.loads(Path("qa/suite/schema/rules-survey.schema.json").read_text(encoding="utf-8"))
A, B, C = "INT-503>INT-503/instant/float/number", "INT-503>INT-502/discrete/32/number", "INT-501>INT-503/counter/u64/candidate_only"

_PROGRAM = """\
#!/bin/sh
for path; do :; done
name=${path##*/}
echo "$name" >>'FOLDER/asked'
[ ! -e "FOLDER/$name.hangs" ] || exec sleep 1000
[ ! -e "FOLDER/$name.dies" ] || kill -SEGV $$
[ ! -e "FOLDER/$name.says" ] || cat "FOLDER/$name.says" >&2
[ ! -e "FOLDER/$name.json" ] || cat "FOLDER/$name.json"
read status <"FOLDER/$name.status"
exit "$status"
"""


class Fake:
    """A pmproof in a folder. PMPROOF names `program`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.program = folder / "pmproof"
        self.program.write_text(_PROGRAM.replace("FOLDER", str(folder)), encoding="utf-8")
        self.program.chmod(0o755)

    def answers(self, name: str, kinds: Mapping[str, int] = {}, status: int | None = None, **more: Any) -> None:
        """What is said of the archive: so many differences of each kind. `more`: other members of its report."""
        self.write(name, report(name, kinds, **more), status if status is not None else int(bool(kinds)))

    def write(self, name: str, told: Json, status: int) -> None:
        (self.folder / f"{name}.json").write_text(json.dumps(told), encoding="utf-8")
        self.ends(name, status)

    def ends(self, name: str, status: int, says: str = "") -> None:
        (self.folder / f"{name}.status").write_text(f"{status}\n", encoding="utf-8")
        if says:
            (self.folder / f"{name}.says").write_text(says, encoding="utf-8")

    def does(self, name: str, what: str, does: bool = True) -> None:
        """`what`: hangs, dies."""
        path = self.folder / f"{name}.{what}"
        if does:
            path.touch()
        else:
            path.unlink()

    def asked(self) -> list[str]:
        """The archives that it was asked about since this was called."""
        path = self.folder / "asked"
        names = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return sorted(names)


def report(name: str, kinds: Mapping[str, int], *, answer: str = "2", compared: int = 100, **more: Any) -> Json:
    """pmproof-rules-diff/1 of one archive, as far as a survey reads it. `answer`: the candidate's, in all examples."""
    distance = {"absolute": 1.0, "relative": 0.5}
    groups: dict[tuple[str, str], Json] = {}
    clauses: dict[tuple[str, str], int] = {}
    examples = []
    for place, (identifier, number) in enumerate(kinds.items()):
        kind = Kind.of(identifier)
        empty = dict.fromkeys(("number", "content", "baseline_only", "candidate_only", "error"), 0)
        group = groups.setdefault((kind.semantics, kind.type), {"compared": compared, "differing": 0, **empty, "largest": distance, "mean": distance})
        group[kind.difference] += number
        group["differing"] += number
        clauses[kind.column] = clauses.get(kind.column, 0) + number
        series = {"metric": f"m.{kind.type}", "semantics": kind.semantics, "type": kind.type, "units": "", "instance": 1, "name": "one"}
        sides = {
            side: {"value": value, "error": None, "clause": None if clause == "none" else clause, "prior": None, "next": None}
            for side, value, clause in (("baseline", "1", kind.baseline), ("candidate", answer, kind.candidate))
        }
        examples.append({"time": f"{1_700_000_000 + place}.000000000", "series": series, "difference": kind.difference, **sides})
    archive: Json = {
        "archive": name,
        "failure": None,
        "unanswered": [],
        "deviations": {"explained": [], "not_looked_at": []},
        "groups": [{"semantics": s, "type": t, "metrics": 1, "differing_metrics": 1, "values": v} for (s, t), v in groups.items()]
        or [{"semantics": "instant", "type": "float", "values": {"compared": compared, "differing": 0, "number": 0, "content": 0, "baseline_only": 0, "candidate_only": 0, "error": 0, "largest": None, "mean": None}}],
        "clauses": [{"baseline": b, "candidate": c, "differences": n} for (b, c), n in clauses.items()],
        "examples": examples,
        "more_examples": 0,
        "most": [{"series": one["series"], "differing": 1, "largest": distance, "worst": one["time"]} for one in examples],
        **more,
    }
    side = {"kind": "profile", "summary": "", "implementation": None}
    return {
        "schema": "pmproof-rules-diff/1",
        "tool": {"name": "pmproof", "version": "0.2.0"},
        "baseline": {"name": "old", **side},
        "candidate": {"name": "new", **side},
        "archives": [archive],
        "errors": [],
        "footer": {"complete": True},
    }


def unanswered(outcome: str, questions: int, reason: str = "because", side: str = "candidate") -> Json:
    return {"side": side, "outcome": outcome, "reason": reason, "questions": questions}


def make_archive(folder: Path, name: str, content: bytes = b"meta") -> None:
    """Files that are taken for an archive's."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.meta").write_bytes(content)
    (folder / f"{name}.0").write_bytes(b"data")


def make_fake(folder: Path) -> Fake:
    """A pmproof, and three archives, a the largest, in which nothing differs."""
    fake = Fake(folder / "fake")
    for name, size in (("a", 900), ("b", 200), ("c", 500)):
        make_archive(folder / "archives", name, b"x" * size)
        fake.answers(name)
    return fake


def listed(folder: Path, *entries: str) -> list[str | Path]:
    """The options that accept what these entries say."""
    path = folder / "budget"
    path.write_text("# accepted\n\n" + "".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    return ["--budget", path]


def words(folder: Path, *more: str | Path) -> list[str]:
    """Of a survey of folder/archives, in which the archives have names of their own."""
    sides = ["--baseline", "old", "--candidate", "new", "--journal", str(folder / "journal"), "--jobs", "2"]
    return ["rules", "survey", *sides, *map(str, more), str(folder / "archives")]


def survey(folder: Path, status: int, *more: str | Path) -> Json:
    """Its document, which is as its schema says."""
    path = folder / "survey.json"
    path.unlink(missing_ok=True)
    assert main(words(folder, "--json", path, *more)) == status
    told: Json = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(told, SCHEMA, jsonschema.Draft202012Validator)
    assert told["footer"]["status"] == status
    return told


def numbers(movements: Sequence[Json]) -> dict[str, int]:
    """Kinds with their differences, in the order in which they are told."""
    return {one["kind"]: one["differences"] for one in movements}
