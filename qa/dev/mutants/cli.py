# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/mutants/mutants."""

import argparse
import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from qa.golden import packed
from qa.dev.mutants import catalogue, random_cli, results
from qa.dev.mutants.build import BazelBuild, Build, BuildError
from qa.dev.mutants.catalogue import ROOT, ListError, Mutant
from qa.dev.mutants.direct import DirectBuild
from qa.dev.mutants.hunt import Hunt, Part
from qa.dev.mutants.parts import Broken, Golden, PartError
from qa.dev.mutants.results import Result
from qa.dev.mutants.tree import Tree
from qa.dev.runs import last_run
from qa.support.arguments import positive

OK, SURVIVORS, USAGE, NOT_SOUND, BROKEN_LIST = 0, 1, 2, 3, 4

_README = Path(__file__).absolute().parent / "README.md"
_SOUND = ("base-v2", "base-v3")

_EPILOG = """\
What came of a mutant goes into results.jsonl (of a random one into random.jsonl) at once; a run that was stopped goes on there, and survivors are tried again.
Exit status: 0 each is killed as the list says, or survives for a reason; 1 the list is not true; 2 wrong usage;
3 the suite fails without a mutant; 4 a mutant does not apply or does not build.
"""


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    try:
        return int(asked.does(asked))
    except ListError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return USAGE if str(error).startswith("no mutant is called") else BROKEN_LIST
    except (PartError, packed.BrokenPack) as error:
        print(f"mutants: {error}", file=sys.stderr)
        return NOT_SOUND
    except KeyboardInterrupt:
        print("mutants: interrupted; what came of the mutants so far is kept", file=sys.stderr)
        return 130


def _run(asked: argparse.Namespace) -> int:
    mutants = catalogue.load()
    chosen = catalogue.choose(mutants, asked.only)
    work = asked.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    tree = Tree(ROOT, work / "tree")
    bazel = BazelBuild(tree.folder, work / "bazel", asked.jobs)
    try:
        tests = sorted({what for one in chosen if (what := one.killed_by.removeprefix("test:")) != one.killed_by})
        if asked.direct and tests:
            bazel.build(tests)
        # The last: Bazel leaves only the folders of what was built last where DirectBuild compiles.
        pmproof = bazel.program()
        build: Build = bazel
        if asked.direct:
            build = DirectBuild(bazel, work / "direct", tests)
    except BuildError as error:
        print(f"mutants: without a mutant the tree does not build:\n{error}", file=sys.stderr)
        return NOT_SOUND
    with packed.plain(ROOT / "golden") as golden:
        hunt = Hunt(tree, build, _parts(golden, pmproof, work))
        if asked.check_first and (wrong := hunt.unmutated(pmproof)):
            print(f"mutants: without a mutant the suite fails: {wrong}", file=sys.stderr)
            return NOT_SOUND
        return hunt_all(hunt, mutants, chosen, results.RESULTS, _README, asked.again)


def _parts(golden: Path, pmproof: Path, work: Path) -> Mapping[str, Part]:
    """`golden`: with all inputs as plain files."""
    made_by = hashlib.sha256(pmproof.read_bytes()).hexdigest()[:16]
    sound = [ROOT / f"golden/archive/{name}/base" for name in _SOUND]  # stays, as what is made of them does
    return {"golden": Golden(golden), "broken": Broken(pmproof, sound, work / f"broken-{made_by}")}


def hunt_all(hunt: Hunt, mutants: Sequence[Mutant], chosen: Sequence[Mutant], kept: Path, readme: Path, again: bool) -> int:
    """Tries the chosen of all mutants; what comes of each goes into `kept`, and the tables into the README, at once."""
    known = [result for result in results.load(kept) if any(result.is_of(mutant) for mutant in mutants)]
    broken = 0
    for number, mutant in enumerate(chosen, start=1):
        before = results.of(mutant, known)
        if before is not None and before.is_killed and not again:
            continue
        try:
            result = hunt.on(mutant)
        except (BuildError, ListError) as error:
            broken += 1
            print(f"{number}/{len(chosen)} {mutant.id}: does not build\n{error}", file=sys.stderr, flush=True)
            continue
        known = [other for other in known if other.id != mutant.id] + [result]
        results.save(kept, known, mutants)
        _write_tables(mutants, known, readme)
        print(f"{number}/{len(chosen)} {_told(mutant, result)}", flush=True)
    for problem in (found := results.problems(chosen, known)):
        print(problem, file=sys.stderr)
    for mutant in chosen:
        if (last := results.of(mutant, known)) and not last.is_killed and mutant.survives_because:
            print(f"{mutant.id} survives: {mutant.survives_because}")
    print(results.score(chosen, known))
    return BROKEN_LIST if broken else SURVIVORS if found else OK


def _told(mutant: Mutant, result: Result) -> str:
    told = f"killed by {result.by}" if result.is_killed else "SURVIVES"
    return f"{mutant.id} [{mutant.clause}]: {told} ({result.seconds:.0f} s)"


def _write_tables(mutants: Sequence[Mutant], known: Sequence[Result], readme: Path) -> None:
    readme.write_text(last_run.into(readme.read_text(encoding="utf-8"), results.markdown(mutants, known)), encoding="utf-8")


def _list(asked: argparse.Namespace) -> int:
    for mutant in catalogue.choose(catalogue.load(), asked.only):
        print(f"{mutant.id} [{mutant.clause}] {mutant.file}: {mutant.breaks}")
    return OK


def _table(_: argparse.Namespace) -> int:
    _write_tables(catalogue.load(), results.load(), _README)
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description="Small changes of the reference, each of which the suite has to notice.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, does: Callable[[argparse.Namespace], int], told: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=told, description=told, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        made.set_defaults(does=does)
        return made

    run = command("run", _run, "build each mutant in a copy of the tree, and put it to the suite until something fails")
    run.add_argument("--jobs", type=positive, default=1, metavar="N", help="compilers at a time (1)")
    run.add_argument("--direct", action="store_true", help="compile without Bazel and not optimised, where a .cc file is changed")
    run.add_argument("--again", action="store_true", help="also those that were killed before")
    run.add_argument("--no-check-first", dest="check_first", action="store_false", help="do not ask whether all passes without a mutant")
    random = command("random", random_cli.random, "mistakes at random places of the reference and the rules, and what notices them")
    random_cli.add_arguments(random)
    random.add_argument("--jobs", type=positive, default=1, metavar="N", help="compilers, and then mutants, at a time (1)")
    for one in (run, random):
        one.add_argument(
            "--work",
            type=Path,
            default=Path.home() / ".cache/pmproof/mutants",
            metavar="FOLDER",
            help="for the copy and what is built of it; kept, so that the next run begins at once (%(default)s)",
        )
    lists = command("list", _list, "the mutants, a line each")
    for one in (run, lists):
        one.add_argument("--only", action="append", default=[], metavar="GLOB", help="by ID, list (replay) or file; may be repeated")
    command("table", _table, "write the tables of the README from results.jsonl")
    return parser
