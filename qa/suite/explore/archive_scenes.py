# SPDX-License-Identifier: Apache-2.0
"""Archives from the generators of pmproof, sound and broken, and what is asked about them."""

import functools
import os
import random
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qa.beside_pcp.derived import questions as expressions
from qa.beside_pcp.differential.contents import Contents, time_text
from qa.beside_pcp.differential.recipes import Recipe
from qa.beside_pcp.differential.requests import Inquirer
from qa.suite.explore import configurations, known, undefined
from qa.suite.explore.scene import CLAUSES, Ask, Json, Scene, Variants

_COMPRESSIONS = ("xz", "gz", "bz2", "zstd")
_WITHOUT_ZSTD = ("6.0.3",)  # ARC-1012
_BROKEN = 16  # copies of one archive, each broken once
_EMULATED = 0.25  # of the replays are those of a version of PCP, of whoever says to emulate it
_UNSOUND = 2  # questions about a copy that is not sound
_LARGE = ("ARC-1110:1",)  # an edit that makes volumes of more than 2^31 bytes, whose records are no answer of a request
_EDITS = 40  # tried for them: an archive often has nothing that a rule could be broken in
_EXPRESSIONS = 30
_CONFIGURATIONS = 8  # of derived metrics
_STORIES = 0.25  # of the archives
_SETS = ("set", "set-gaps")  # of three
_OF_TWO = 0.4  # of the sets lack one of them
_IN_SETS = ("replay", "types", "indom-appear", "labels", "texts", "late-metrics", "errors")
_VERSION = re.compile(r'"archive_version":(\d)')
_DRAWS = 100  # of a shape that the chosen scenarios can have
_LARGER = 20  # draws, and then it has as many records again
_REFUSED = 2
_INSTANCES = (1, 2, 3) * 5 + (16,)  # from 16 on instances have lives (INT-403)
_BEFORE_1970 = ("-1.500000000", "-0.000000001", "-3", "0")


class MakeError(Exception):
    """A generator failed, which is a fault of this project."""


@dataclass(frozen=True)
class Programs:
    pmproof: str
    expressions: str  # generators/expression:expressions


@dataclass(frozen=True)
class Scenario:
    name: str
    version: int  # 0: both
    clauses: tuple[str, ...]


def _run(argv: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.defpath, "LC_ALL": "C"}
    return subprocess.run(argv, capture_output=True, text=True, env=environment, timeout=120, check=False)


def _made(argv: Sequence[str | Path]) -> str:
    done = _run(argv)
    if done.returncode != 0:
        raise MakeError(_failure(done))
    return done.stdout


def _failure(done: subprocess.CompletedProcess[str]) -> str:
    return f"{' '.join(map(str, done.args))}: status {done.returncode}: {done.stderr.strip()[-300:]}"


@functools.cache
def scenarios(pmproof: str) -> tuple[Scenario, ...]:
    """As `pmproof generate --list` names them."""
    found = []
    for line in _made([pmproof, "generate", "--list"]).splitlines()[1:-1]:
        name, _, rest = line.partition(" ")
        version, what = rest.strip()[:4].strip(), rest.partition("[")[2].partition("]")[0]
        found.append(Scenario(name, 0 if "," in version else int(version), tuple(what.split(", "))))
    return tuple(found)


@functools.cache
def _edits(pmproof: str) -> tuple[str, ...]:
    """The edits of `pmproof mutate`, such as ARC-1216:2."""
    edits = [line.split()[0] for line in _made([pmproof, "mutate", "--list"]).splitlines() if line.startswith("ARC-")]
    return tuple(edit for edit in dict.fromkeys(edits) if edit not in _LARGE)


class Made:
    """An archive, or a set of some, that lies in a folder."""

    def __init__(
        self, programs: Programs, seed: str, number: int, wants: Variants, folder: Path, *, may_be_compressed: bool = True, is_set: bool = False
    ) -> None:
        self.chance = random.Random(f"{seed}/{number}")
        self._is_set = is_set
        self._story = self.chance.choice(("sound", "any")) if self.chance.random() < _STORIES and not is_set else None
        self._version = self.chance.choice((2, 3, 3))  # a story chooses it itself
        self.names = [f"story ({self._story})"] if self._story else self._chosen(programs.pmproof)
        compression = self.chance.choice(_COMPRESSIONS) if self.chance.random() < 0.15 else "none"
        is_read = compression != "zstd" or not wants.dialects or any(one not in _WITHOUT_ZSTD for one in wants.dialects)
        self._compression = compression if is_read and may_be_compressed else "none"
        words = self._generated(programs.pmproof, folder / "a")
        self.recipe = f"pmproof generate {' '.join(words)} a"
        self.contents = Contents()
        suffix = ".truth.json"
        self.bases = sorted(path.name.removesuffix(suffix) for path in folder.glob("a*" + suffix))
        if self._is_set and self.chance.random() < _OF_TWO:
            self.bases.remove(self.chance.choice(self.bases))
        without_index = self.chance.random() < 0.15
        for base in self.bases:
            with open(folder / (base + suffix), encoding="utf-8") as truth:
                self.version = int(_VERSION.search(truth.readline())[1])  # type: ignore[index]
                self.contents.add(truth)
            if without_index:
                for index in folder.glob(f"{base}.index*"):
                    index.unlink()
        if without_index:
            self.recipe += "; rm a*.index*"
            self.names.append("without index")

    def _chosen(self, pmproof: str) -> list[str]:
        """Half of them are such as are hard for replay."""
        if self._is_set:
            return [self.chance.choice(_SETS), *self.chance.sample(_IN_SETS, self.chance.choice((0, 1, 2)))]
        if self.chance.random() < 0.5:
            words = Recipe.of(self.chance.randrange(2**31), 0).arguments
            return words[words.index("--scenario") + 1].split(",")
        able = [one.name for one in scenarios(pmproof) if one.version in (0, self._version)]
        return self.chance.sample(able, self.chance.choice((1, 1, 2, 3)))

    def _generated(self, pmproof: str, base: Path) -> list[str]:
        """Some scenarios need more records in each volume than are drawn; then the shape is drawn again, after a while with more
        records."""
        for draw in range(_DRAWS):
            words = self._words(1 + draw // _LARGER)
            done = _run([pmproof, "generate", "--quiet", *words, base])
            if done.returncode == 0:
                return words
            if done.returncode != _REFUSED:
                break
        raise MakeError(_failure(done))

    def _words(self, factor: int) -> list[str]:
        chance = self.chance
        words: list[str | int] = ["--seed", chance.randrange(1, 2**31), "--metrics", chance.choice((1, 1, 2, 3))]
        if self._story:
            words += ["--story", self._story, "--records", chance.choice((5, 12, 24, 40))]
        else:
            words += ["--scenario", ",".join(self.names), "--records", factor * chance.choice((12, 12, 13, 15, 18, 24))]
            words += ["--archive-version", self._version, "--instances", chance.choice(_INSTANCES)]
            words += ["--volumes", chance.choice((1, 1, 2, 3))]
        if self._compression != "none":
            words += ["--compress", self._compression]
        return [str(word) for word in words]

    @property
    def about(self) -> list[str]:
        shape = [f"version {self.version}"] + ([f"compressed by {self._compression}"] if self._compression != "none" else [])
        return [*self.names, *shape, *(["set of archives"] if len(self.bases) > 1 else [])]

    @property
    def source(self) -> Json:
        return {"path": self.bases[0]} if len(self.bases) == 1 else {"paths": self.bases}


def sound(programs: Programs, seed: str, number: int, wants: Variants, folder: Path) -> Scene:
    """One archive, asked about everything."""
    made = Made(programs, seed, number, wants, folder)
    scene = Scene(number, made.about, made.recipe)
    scene.asks = questions_of(made, wants)
    return scene


def questions_of(made: Made, wants: Variants) -> list[Ask]:
    """About everything that an archive says."""
    chance, contents = made.chance, made.contents
    asks: list[Ask] = []

    def add(operation: str, args: Json, rule: bool = False, dialect: bool = False) -> None:
        variant: Json = {}
        names = wants.rules if rule else wants.dialects if dialect else ()
        if operation not in wants.operations or ((rule or dialect) and not names):
            return
        if operation == "replay.interp" and wants.emulates and len(made.bases) == 1 and chance.random() < _EMULATED:  # INT-1408
            variant = {"emulate": chance.choice(wants.emulates)}
        elif names:
            variant = {"rule" if rule else "dialect": chance.choice(names)}
        asks.append(Ask(operation, made.source, args | variant, CLAUSES[operation]))

    metrics = list(contents.metrics)
    domains = sorted({domain for domain in contents.metrics.values() if domain})
    times = sorted(set(contents.times))
    instances = sorted(contents.instances)
    some_time = functools.partial(_some_time, chance, times)
    if len(made.bases) == 1:
        add("archive.decode", {})
    add("archive.validate", validation(chance))
    add("archive.describe", {}, dialect=True)
    if metrics:
        add("archive.describe", {"metrics": chance.sample(metrics, min(2, len(metrics))) + ["no.such"]}, dialect=True)
    if len(made.bases) == 1:
        add("archive.write", {})
        for version in (2, 3):
            add("archive.write", {"version": version})
    for _ in range(4):
        if domains:
            when = {"time": some_time()} if chance.random() < 0.8 else {}
            add("archive.indom", {"indom": chance.choice(domains)} | when)
        if metrics:
            metric = chance.choice(metrics)
            add("archive.labels", {"metric": metric, "time": some_time()}, dialect=True)
            of = {"indom": chance.choice(domains)} if domains and chance.random() < 0.3 else {"metric": metric}
            add("archive.text", of | {"kind": chance.choice(("oneline", "help"))})
            few = chance.sample(metrics, min(3, len(metrics)))
            some = {"instances": sorted(chance.sample(instances, 1))} if instances and chance.random() < 0.2 else {}
            add("replay.raw", {"metrics": few, "start": some_time(), "count": chance.choice((1, 3, 40))} | some)
            if asks and asks[-1].operation == "replay.raw" and any(list(member) != sorted(member) for member in contents.members):
                asks[-1] = replace(asks[-1], clauses=(known.DISORDER,))
    if metrics and times:
        inquirer = Inquirer(contents, chance)
        if wants.unsound:
            odd = [*chance.sample(metrics, min(3, len(metrics))), chance.choice(metrics), "no.such"]
            chance.shuffle(odd)
            add("replay.interp", {"metrics": odd, "start": chance.choice((*_BEFORE_1970, some_time())), "interval": chance.choice(("0.7", "1", "-0.7")), "count": 3}, rule=True)
            add("replay.raw", {"metrics": odd, "start": some_time(), "count": 2})
        for _ in range(6):
            for direction in (1, -1):
                add("replay.interp", inquirer.steps(direction).args, rule=True)
            # INT-905: over several archives a script keeps its direction.
            direction = 0 if len(made.bases) == 1 else chance.choice((1, -1))
            add("replay.interp", inquirer.script(direction).args, rule=True)
    return asks


# What is asked of every copy anyway.
_OF_FILES = ("archive.decode", "archive.validate", "archive.write")


def unsound_questions(made: Made, wants: Variants, source: Json, shown_by: Sequence[str] = ()) -> list[Ask]:
    """About a copy that is not sound: what readers make of it. One question by these operations, if there is one, the others by any."""
    if not wants.unsound:
        return []
    about = [replace(one, source=source) for one in questions_of(made, wants) if one.operation not in _OF_FILES]
    made.chance.shuffle(about)
    about.sort(key=lambda one: one.operation not in shown_by)
    return [*about[:1], *made.chance.sample(about[1:], min(_UNSOUND - 1, len(about[1:])))]


def validation(chance: random.Random) -> Json:
    """Arguments of archive.validate."""
    profile = {"profile": chance.choice(("live", "ingest"))} if chance.random() < 0.2 else {}
    return {"least": chance.choice(("info", "info", "warning", "error"))} | profile


def _some_time(chance: random.Random, times: Sequence[int]) -> str:
    around = chance.choice(times) if times else 1_700_000_000 * 10**9
    return time_text(around + chance.choice((0, 0, 1, -1, 500_000_000, -500_000_000)))


def broken(programs: Programs, seed: str, number: int, wants: Variants, folder: Path) -> Scene:
    """Copies of one archive, each with a rule broken or damaged by chance."""
    made = Made(programs, seed, number, wants, folder)
    chance = made.chance
    scene = Scene(number, [*made.about], made.recipe)
    copy = 0
    for named in chance.sample(_edits(programs.pmproof), _EDITS):
        if copy == _BROKEN:
            break
        edit = ["--rule", named] if chance.random() < 0.8 else ["--damage", str(chance.choice((1, 1, 2, 5)))]
        words = ["mutate", "--quiet", "--seed", str(chance.randrange(1, 2**31)), *edit]
        (folder / f"b{copy}").mkdir(exist_ok=True)
        if _run([programs.pmproof, *words, folder / made.bases[0], folder / f"b{copy}" / "b"]).returncode != 0:
            continue
        scene.recipe += f"; pmproof {' '.join(words)} {made.bases[0]} b{copy}/b"
        scene.about.append("a broken rule" if edit[0] == "--rule" else "damage")
        clause = named.partition(":")[0] if edit[0] == "--rule" else CLAUSES["archive.validate"][0]
        for operation in ("archive.validate", "archive.decode"):
            if operation in wants.operations:
                args: Json = validation(chance) if operation == "archive.validate" else {}
                scene.asks.append(Ask(operation, {"path": f"b{copy}/b"}, args, (clause,)))
        scene.asks += unsound_questions(made, wants, {"path": f"b{copy}/b"})
        copy += 1
    return scene


def derived(programs: Programs, seed: str, number: int, wants: Variants, folder: Path) -> Scene:
    """Expressions over an archive that is hard for them, what is undefined left out."""
    chance = random.Random(f"{seed}/{number}")
    dialect = chance.choice(wants.dialects)
    archive = expressions.make_archive(Path(programs.pmproof), folder, f"{seed}/{number}", dialect)
    scene = Scene(number, ["expressions", f"dialect {dialect}"], "qa/beside_pcp/derived/archives.py")
    draw = chance.randrange(2**31)
    for batch in expressions.batches(Path(programs.expressions), archive, dialect, draw, _EXPRESSIONS):
        _take(batch, scene, wants, chance, dialect)
    if "derive.parse" in wants.operations:
        for _ in range(_CONFIGURATIONS):
            asked = configurations.arguments(chance, dialect)
            if clause := undefined.clause_of("derive.parse", asked):
                scene.undefined[clause] += 1
            else:
                scene.asks.append(Ask("derive.parse", {"path": "a"}, asked, ("DER-302",)))
    return scene


def _take(batch: Json, scene: Scene, wants: Variants, chance: random.Random, dialect: str) -> None:
    fetched: list[str] = []
    for ours in batch["expressions"]:
        told = [part["undefined"] for part in (ours, ours["global"], ours["added"]) if "undefined" in part]
        if told and told[0]["from"] != "values":
            scene.undefined[told[0]["clause"]] += 1
            continue
        definition = {"name": "x.d", "expression": ours["text"]}
        clause = ours["global"].get("clause", CLAUSES["derive.parse"][0])
        if "derive.parse" in wants.operations:
            asked = {"definitions": [definition], "dialect": dialect}
            scene.asks.append(Ask("derive.parse", {"path": "a"}, asked, (clause,)))
        if told:
            scene.undefined[told[0]["clause"]] += 1
        elif "emulated" in ours:
            fetched.append(ours["text"])
    if "derive.eval" not in wants.operations:
        return
    while fetched:
        some, fetched = fetched[:3], fetched[3:]
        defined: list[Json] = [
            {"name": f"x.d{i}", "expression": text, **({"per_context": True} if batch["fetch_added"] else {})}
            for i, text in enumerate(some)
        ]
        args = {"derived": defined, "metrics": [one["name"] for one in defined], "fetches": _fetches(batch), "dialect": dialect}
        scene.asks.append(Ask("derive.eval", {"path": "a"}, args, CLAUSES["derive.eval"]))


def _fetches(batch: Json) -> list[Json]:
    return [{} if seek is None else {"time": seek, "interval": _step(batch)} for seek in batch["seeks"]]


def _step(batch: Json) -> str:
    seconds, nanoseconds = batch["step"]
    return time_text(seconds * 10**9 + nanoseconds)
