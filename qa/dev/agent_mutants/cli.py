# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/agent_mutants/run."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from qa.dev.agent_mutants import agents, draw, quick, results
from qa.dev.agent_mutants.mutant import Mutant
from qa.dev.agent_mutants.results import ListError, Tried
from qa.dev.agent_mutants.trial import GRAVE, Bench, Report, bench
from qa.dev.runs import last_run
from qa.support.arguments import positive
from qa.support.built import built
from qa.support.signals import Ended, raising

OK, FOUND, USAGE = 0, 1, 2
_EPILOG = """\
Status: 0 every violation is caught or explained, and nothing sound fails; 1 it is not so; 2 wrong usage.
"""
Task = TypeVar("Task")


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    try:
        with raising():
            pmproof = (asked.pmproof or Path(os.environ.get("PMPROOF") or built("//validator:pmproof"))).resolve()
            with bench(pmproof, asked.patience) as where:
                status: int = asked.do(asked, where)
                return status
    except (ListError, ValueError) as error:
        print(f"run: {error}", file=sys.stderr)
        return USAGE
    except Ended as ended:
        print(f"run: ended by {ended.name}", file=sys.stderr)
        return ended.status


def _random(asked: argparse.Namespace, where: Bench) -> int:
    explained = results.explanations()
    recorded: list[Tried] = []

    known = {agent: where.tried(agent, "-").of((*GRAVE, "warning")) for agent in agents.AGENTS}
    for agent, failed in known.items():
        print(f"{agent} without a mutant: {' '.join(failed) or 'nothing'} failed", flush=True)

    def one(mutant: Mutant) -> Tried:
        only = quick.CHECKS[mutant.kind] if asked.quick else ()
        return Tried.of(asked.seed, mutant, where.tried(mutant.agent, str(mutant), only=only), known[mutant.agent])

    drawn = draw.mutants(asked.seed, asked.count)
    for number, tried in enumerate(_spread(one, drawn, asked), start=1):
        recorded.append(tried)
        print(f"{number}/{len(drawn)} {_told(tried)}", flush=True)
        if asked.write:
            results.save(recorded)
    text = results.table(recorded, explained)
    print(text)
    if asked.write:
        page = results.README
        page.write_text(last_run.into(page.read_text(encoding="utf-8"), text), encoding="utf-8")
    tried_now = {one.mutant for one in recorded}
    if not asked.write:  # a run of its own, of which the list need not be true as a whole
        explained = {name: one for name, one in explained.items() if name in tried_now}
    said = results.disagreements(recorded, explained)
    said += [f"{one.mutant}: sound ({one.clause}), but {' '.join(one.errors)} failed" for one in recorded if one.is_false_alarm]
    said += [f"{agent}: sound, but {' '.join(failed)} failed without a mutant" for agent, failed in known.items() if failed]
    said += [f"{one.mutant}: {one.wrong}" for one in recorded if one.wrong]
    for line in said:
        print(line, file=sys.stderr)
    return FOUND if said else OK


def _one(asked: argparse.Namespace, where: Bench) -> int:
    mutant = Mutant.parsed(asked.mutant)
    report = where.tried(mutant.agent, str(mutant))
    tried = Tried.of(0, mutant, report)
    print(_told(tried))
    for change in report.changes[:5]:
        print(f"  {change.field} at {change.at}: {change.old[:40].hex()} -> {change.new[:40].hex()}")
    _print_failed(report)
    explained = str(mutant) in results.explanations()
    return FOUND if tried.wrong or tried.is_false_alarm or tried.survives != explained else OK


def _sound(asked: argparse.Namespace, where: Bench) -> int:
    def one(variant: str) -> tuple[str, Report]:
        agent, options, changes = agents.split(variant)
        return variant, where.tried(agent, f"sound={','.join(changes)}" if changes else "-", options)

    wrong = 0
    drawn = [asked.variant] if asked.variant else draw.sound_variants(asked.seed, asked.count)
    for number, (variant, report) in enumerate(_spread(one, drawn, asked), start=1):
        grave = report.of(("fatal", "error", "warning"))
        wrong += bool(grave or report.wrong)
        told = report.wrong or (f"failed: {' '.join(grave)}" if grave else report.claim)
        print(f"{number}/{len(drawn)} {variant}: {told} ({report.seconds:.0f} s)", flush=True)
        _print_failed(report)
    print(f"{len(drawn)} sound variants of seed {asked.seed}, {wrong} of them fail")
    return FOUND if wrong else OK


Outcome = TypeVar("Outcome")


def _spread(do: Callable[[Task], Outcome], tasks: Iterable[Task], asked: argparse.Namespace) -> Iterator[Outcome]:
    """In the order of the tasks; begins with none after --minutes."""
    begin = time.monotonic()

    def unless_late(task: Task) -> Outcome | None:
        late = asked.minutes and time.monotonic() - begin > 60 * asked.minutes
        return None if late else do(task)

    pool = ThreadPoolExecutor(asked.jobs)
    try:
        for done in pool.map(unless_late, tasks):
            if done is None:
                return
            yield done
    finally:
        pool.shutdown(cancel_futures=True)


def _told(tried: Tried) -> str:
    failed = " ".join(tried.errors) or " ".join(f"{one} (warning)" for one in tried.warnings) or f"nothing failed, {tried.claim}"
    state = "SURVIVES" if tried.survives else "FALSE ALARM" if tried.is_false_alarm else "ok"
    violates = tried.level if tried.level == "not-applied" else f"{tried.level} {tried.clause}"
    return f"{tried.mutant}: {violates}: {state}: {failed[:120]} {tried.wrong}({tried.seconds:.0f} s)"


def _print_failed(report: Report) -> None:
    for check, because in report.because.items():
        print(f"  {check} {report.failed[check]}: {because[:300]}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run", description="Mutants of what an agent says, put to `pmproof agent check` (README.md).", epilog=_EPILOG
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    random = commands.add_parser("random", help="mutants by chance")
    way = random.add_mutually_exclusive_group()
    way.add_argument("--quick", action="store_true", help="only the checks that look most closely: what survives them need not survive all")
    way.add_argument("--write", action="store_true", help="write results.jsonl and the table of the README")
    random.set_defaults(do=_random)
    one = commands.add_parser("one", help="one mutant again, with what failed")
    one.add_argument("mutant", metavar="MUTANT", help="such as simple:RESULT.numval/plus-one/every-3/last")
    one.set_defaults(do=_one)
    sound = commands.add_parser("sound", help="agents that are otherwise, and sound")
    sound.add_argument("--variant", help="only this one, such as every:base=1000,pad-0")
    sound.set_defaults(do=_sound)
    for command in (random, sound):
        command.add_argument("--seed", type=int, default=1, help="which are drawn (1)")
        command.add_argument("--count", type=positive, default=100, metavar="N", help="how many (100)")
        command.add_argument("--jobs", type=positive, default=1, help="at once (1)")
        command.add_argument("--minutes", type=positive, metavar="N", help="begin with none after so long")
    for command in (random, one, sound):
        command.add_argument("--patience", type=positive, default=0, metavar="SECONDS", help="how long agent check waits, where the machine has other work (as pmcd)")
        command.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: PMPROOF, else it is built)")
    return parser
