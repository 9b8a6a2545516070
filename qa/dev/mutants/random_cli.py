# SPDX-License-Identifier: Apache-2.0
"""`mutants random`: mistakes at random places, asked of the golden cases, of explore, of the tests beside the code."""

import argparse
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from qa.adapters.testee import Limits
from qa.dev.mutants import random_results
from qa.dev.mutants.build import BazelBuild, BuildError
from qa.dev.mutants.catalogue import ROOT, ListError
from qa.dev.mutants.direct import DirectBuild
from qa.dev.mutants.draw import RandomMutant, draw
from qa.dev.mutants.explored import Explored, digest
from qa.dev.mutants.hunt import Part
from qa.dev.mutants.parts import Golden
from qa.dev.mutants.random_hunt import RandomHunt, on_each, tests_by_folder
from qa.dev.mutants.random_results import Tried
from qa.dev.mutants.tree import Tree
from qa.golden import packed
from qa.suite.explore.archive_scenes import Programs
from qa.support.arguments import positive

OK, NOT_SOUND = 0, 3
_EXPRESSIONS = "//generators/expression:expressions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", default="1", help="which mutants are drawn, and in which order (1)")
    parser.add_argument("--count", type=positive, default=1000, metavar="N", help="the first N of that seed (1000)")
    parser.add_argument("--minutes", type=positive, metavar="N", help="begin with no mutant after so long")
    parser.add_argument("--share", type=_share, default=(1, 1), metavar="I/N", help="every N-th mutant alone, from the I-th on: N runs side by side, each with a --work of its own")
    parser.add_argument("--requests", type=positive, default=10000, metavar="N", help="of explore (10000)")
    parser.add_argument("--again", action="store_true", help="also those that were tried before")
    parser.add_argument("--page", action="store_true", help="try nothing, write random.md from random.jsonl and survivors.toml")


def random(asked: argparse.Namespace) -> int:
    if not asked.page:
        try:
            _try_all(asked, _wanted(asked))
        except BuildError as error:
            print(f"mutants: without a mutant the tree does not build:\n{error}", file=sys.stderr)
            return NOT_SOUND
    text = random_results.page(asked.seed, random_results.load(), random_results.explanations())
    random_results.PAGE.write_text(f"# Random mutants\n\n{text}", encoding="utf-8")
    print(text.split("\n| mistake", maxsplit=1)[0].rstrip())
    return OK


def _wanted(asked: argparse.Namespace) -> list[RandomMutant]:
    known = set() if asked.again else {one.digest for one in random_results.load() if one.seed == asked.seed}
    first, of = asked.share
    return [mutant for mutant in draw(ROOT, asked.seed)[: asked.count][first - 1 :: of] if mutant.digest not in known]


def _try_all(asked: argparse.Namespace, mutants: Sequence[RandomMutant]) -> None:
    """Raises BuildError where the tree does not build without a mutant."""
    begin = time.monotonic()
    work = asked.work.absolute()
    tree = Tree(ROOT, work / "tree")
    bazel = BazelBuild(tree.folder, work / "bazel", asked.jobs)
    tests = tests_by_folder(ROOT)
    targets = [target for some in tests.values() for target in some]
    bazel.build([*targets, _EXPRESSIONS])
    expressions = Path(bazel.info("bazel-bin")) / "generators/expression/expressions"
    kept = _copied(expressions, work)
    pmproof = _copied(bazel.program(), work)
    build = DirectBuild(bazel, work / "direct", targets)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    with packed.plain(ROOT / "golden") as golden:
        made_by = digest(ROOT, pmproof, kept)
        explored = Explored(Programs(str(pmproof), str(kept)), "mutants", asked.requests, work / f"explored-{made_by}-{asked.requests}")
        parts: dict[str, Part] = {"golden": Golden(golden, Limits(request=20)), "explore": explored}
        for name, part in parts.items():
            if wrong := part.first_wrong(pmproof, "*"):
                raise BuildError(f"{name} fails without a mutant: {wrong}")
        builds = [build, *(build.twin(work / f"direct-{number}") for number in range(2, asked.jobs + 1))]
        hunts = [RandomHunt(tree, one, parts, tests) for one in builds]
        end = begin + 60 * asked.minutes if asked.minutes else math.inf
        on_each(mutants, hunts, end, lambda hunt, number, mutant: _try(hunt, mutant, asked.seed, commit, f"{number}/{len(mutants)}"))


def _try(hunt: RandomHunt, mutant: RandomMutant, seed: str, commit: str, place: str) -> None:
    try:
        verdict = hunt.on(mutant)
    except ListError as error:
        print(f"{place} {error}", file=sys.stderr)
        return
    random_results.append(Tried.of(seed, mutant, verdict, commit))
    told = f"killed by {verdict.by}" if verdict.outcome == "killed" else verdict.outcome
    print(f"{place} {mutant.id} {mutant.kind}: {told} ({verdict.seconds:.0f} s)", flush=True)


def _copied(program: Path, work: Path) -> Path:
    """Bazel may build it anew with a mutant in it."""
    to = work / "unmutated" / program.name
    to.parent.mkdir(parents=True, exist_ok=True)
    if not to.exists() or to.read_bytes() != program.read_bytes():
        to.unlink(missing_ok=True)
        to.write_bytes(program.read_bytes())
        to.chmod(0o755)
    return to


def _share(text: str) -> tuple[int, int]:
    first, _, of = text.partition("/")
    share = int(first), int(of)
    if not 1 <= share[0] <= share[1]:
        raise argparse.ArgumentTypeError(f"not a share such as 1/2: {text}")
    return share
