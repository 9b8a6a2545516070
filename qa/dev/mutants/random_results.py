# SPDX-License-Identifier: Apache-2.0
"""What came of random mutants: a line each, why survivors survive, and the page that is made of both."""

import dataclasses
import fcntl
import json
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.dev.mutants.catalogue import ListError
from qa.dev.mutants.draw import FOLDERS, RandomMutant
from qa.dev.mutants.random_hunt import TEST, Verdict

_HERE = Path(__file__).absolute().parent
RESULTS = _HERE / "random.jsonl"
SURVIVORS = _HERE / "survivors.toml"
PAGE = _HERE / "random.md"
# What can be said of a mutant that neither golden cases nor explore notice: nothing can tell it from the original; only time or
# memory can; only a text for people can, or what the specification leaves open; a case is missing; or no operation of the testee
# protocol comes to the code. All but the first can be said of what a test beside the code kills, too: it may look at more.
KINDS = ("equivalent", "speed", "unobserved", "gap", "unreached")
_UNREACHED = "unreached"
_EQUIVALENT = "equivalent"
_SAME_ANSWERS = (_EQUIVALENT, "speed")
_LEFT_OPEN = "unobserved"
_PARTS = ("golden", "explore", TEST)


@dataclass(frozen=True)
class Tried:
    """`commit`: of the tree that it was tried in."""

    seed: str
    digest: str
    file: str
    line: int
    kind: str
    before: str
    after: str
    outcome: str
    by: str
    seconds: float
    commit: str

    @classmethod
    def of(cls, seed: str, mutant: RandomMutant, verdict: Verdict, commit: str) -> "Tried":
        place = (mutant.digest, mutant.file, mutant.line, mutant.kind, mutant.before, mutant.after)
        return cls(seed, *place, verdict.outcome, verdict.by, verdict.seconds, commit)

    @property
    def folder(self) -> str:
        return next(folder for folder in FOLDERS if self.file.startswith(folder + "/"))

    @property
    def part(self) -> str:
        return self.by.partition(":")[0]


@dataclass(frozen=True)
class Explained:
    digest: str
    kind: str
    reason: str


def load(path: Path = RESULTS) -> list[Tried]:
    """The last of each mutant and seed. Raises ListError where a line is none of a result."""
    found: dict[tuple[str, str], Tried] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], start=1):
        try:
            tried = Tried(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise ListError(f"{path}:{number}: {error}") from error
        found[tried.seed, tried.digest] = tried
    return list(found.values())


def append(tried: Tried, path: Path = RESULTS) -> None:
    """Several may do so at a time."""
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(dataclasses.asdict(tried), ensure_ascii=False) + "\n")


def explanations(path: Path = SURVIVORS) -> dict[str, Explained]:
    """By digest. Raises ListError where the list cannot be read."""
    if not path.exists():
        return {}
    try:
        told = [Explained(one["digest"], one["kind"], one["reason"]) for one in tomllib.loads(path.read_text(encoding="utf-8"))["survivor"]]
    except (ValueError, KeyError) as error:
        raise ListError(f"{path.name}: {error}") from error
    if wrong := [one.digest for one in told if one.kind not in KINDS or not one.reason]:
        raise ListError(f"{path.name}: {', '.join(wrong)}: no kind of {', '.join(KINDS)}, or no reason")
    return {one.digest: one for one in told}


def page(seed: str, results: Sequence[Tried], explained: Mapping[str, Explained]) -> str:
    """Of the mutants of a seed."""
    of_seed = [one for one in results if one.seed == seed]
    tried = [one for one in of_seed if one.outcome != "unbuildable"]
    lines = [
        f"Seed {seed}: {len(tried)} mutants, and {len(of_seed) - len(tried)} that did not compile. By what noticed each first; share: of those that break something that the specification says, in code that operations come to.",
        "",
        "| folder | mutants | golden cases | explore | tests beside the code | survive | same answers | specification leaves it open | no operation comes there | golden | golden and explore |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in (*FOLDERS, "all"):
        lines.append(_row(name, [one for one in tried if name in (one.folder, "all")], explained))
    lines += ["", _with_others(tried, explained), "", _of_survivors([one for one in tried if one.outcome == "survived"], explained)]
    kinds = Counter((one.kind, one.outcome) for one in tried)
    lines += ["", "| mistake | killed | survived |", "|---|---:|---:|"]
    for kind in sorted({kind for kind, _ in kinds}):
        lines.append(f"| {kind} | {kinds[kind, 'killed']} | {kinds[kind, 'survived']} |")
    survivors = sorted((one for one in tried if one.outcome == "survived"), key=lambda one: (one.file, one.line))
    if survivors:
        lines += ["", "| survivor | change | kind | why |", "|---|---|---|---|"]
    for one in survivors:
        why = explained.get(one.digest)
        change = f"{_code(one.before)} → {_code(one.after)}"
        lines.append(f"| {one.digest} {one.file}:{one.line} | {change} | {why.kind if why else ''} | {why.reason if why else 'not read yet'} |")
    return "".join(line + "\n" for line in lines)


def _of_survivors(survivors: Sequence[Tried], explained: Mapping[str, Explained]) -> str:
    counts = Counter(explained[one.digest].kind if one.digest in explained else "not read" for one in survivors)
    told = {
        "equivalent": "nothing can tell from the original",
        "speed": "differ in time or memory alone",
        "unobserved": "differ in a text for people alone, or in what the specification leaves open",
        "gap": "show that a case is missing",
        _UNREACHED: "are in code that no operation comes to",
        "not read": "have not been read yet",
    }
    return f"Of the {len(survivors)} that survive " + ", ".join(f"{counts[kind]} {what}" for kind, what in told.items()) + "."


def _is(one: Tried, kinds: Sequence[str], explained: Mapping[str, Explained]) -> bool:
    """What golden cases or explore noticed needs no explanation."""
    if one.digest not in explained or explained[one.digest].kind not in kinds:
        return False
    return one.outcome == "survived" or (one.part == TEST and explained[one.digest].kind != _EQUIVALENT)


def _row(name: str, tried: Sequence[Tried], explained: Mapping[str, Explained]) -> str:
    by = Counter(one.part for one in tried if one.outcome == "killed")
    survivors = sum(one.outcome == "survived" for one in tried)
    out = [sum(_is(one, kinds, explained) for one in tried) for kinds in (_SAME_ANSWERS, (_LEFT_OPEN,), (_UNREACHED,))]
    cells = [len(tried), *(by[part] for part in _PARTS), survivors, *out, *_shares(by, len(tried) - sum(out))]
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"


def _with_others(tried: Sequence[Tried], explained: Mapping[str, Explained]) -> str:
    by = Counter(one.part for one in tried if one.outcome == "killed")
    told = []
    for what, kinds in (("With those that no operation comes to", (*_SAME_ANSWERS, _LEFT_OPEN)), ("and with what the specification leaves open", _SAME_ANSWERS)):
        golden, both = _shares(by, len(tried) - sum(_is(one, kinds, explained) for one in tried))
        told.append(f"{what}: golden cases {golden}, golden cases and explore {both}")
    return "; ".join(told) + "."


def _shares(by: Mapping[str, int], able: int) -> list[str]:
    return [_share(by["golden"], able), _share(by["golden"] + by["explore"], able)]


def _share(some: int, of_all: int) -> str:
    return f"{100 * some / of_all:.1f} %" if of_all else "-"


def _code(text: str) -> str:
    return f"`{' '.join(text.split())}`".replace("|", "\\|")
