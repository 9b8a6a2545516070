# SPDX-License-Identifier: Apache-2.0
"""`suite rules survey`: whose values move, and where, over thousands of archives; and what of it is new."""

import argparse
import concurrent.futures
import datetime
import itertools
import json
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from qa.adapters.guardian import orphans_ended
from qa.fleet import archives
from qa.fleet.archives import Archive
from qa.fleet.progress import Progress
from qa.suite import implementations, rules, session
from qa.suite.implementations import UsageError
from qa.suite.survey import budget, page, sides, text
from qa.suite.survey.asking import Answer, Asker
from qa.suite.survey.budget import Budget
from qa.suite.survey.finding import SCHEMA, Found, find
from qa.suite.survey.journal import Journal
from qa.suite.survey.kinds import Json
from qa.support import signals
from qa.support.arguments import positive
from qa.support.display import displayable, shown
from qa.support.new_file import written_whole

_ABOUT = """\
Asks two implementations for the same values of each archive (pmproof rules diff), keeps what differs in a journal, and tells what was
not there the last time: kinds of differences, by clauses, semantics, type and difference, the largest first, each with the smallest
archive that shows it.
"""
_STATUS = """\
SIDE is a profile of `pmproof rules list`, emulate:VERSION, exec:COMMAND, reference, pcp:VERSION, pcp:PREFIX, tool:VERSION or tool:PREFIX.

All archives are asked about in each survey, for what answers may have changed. One that was interrupted goes on where it was, unless
the files of a side have changed meanwhile.

A line of --budget: KIND-or-glob | glob of archives, or nothing | reason | until=YYYY-MM-DD (optional); "unreadable" in place of a kind.

Exit status: 0 nothing is new; 1 new movements, questions that are newly unanswered, or a budget that is not true; 2 wrong usage, or there
was nothing to compare; 3 an implementation is not there, did not start, died, kept silent or broke the protocol; 4 archives, the budget or
the journal could not be read; 5 an error of the suite or of pmproof. Of several the first of 5, 4, 3, 1. 128+n after signal n.
"""
_PASSED_ON = ("metric", "start", "finish", "interval", "timeout", "explain", "memory", "limit")


def run(words: Sequence[str]) -> int:
    """The exit status. Raises UsageError, NotThereError, ListError, JournalError and OSError."""
    asked = _parser().parse_args(words)
    accepted = Budget(budget.load(asked.budget) if asked.budget else [], datetime.date.today())
    found = archives.find(asked.archives)
    for error in found.errors:
        print(f"suite: {displayable(error)}", file=sys.stderr)
    if not found.archives:
        return session.NOT_READ
    names = [_name(archive, asked.journal) for archive in found.archives]
    with orphans_ended(), Journal.open(asked.journal, asked.fresh) as journal:
        asker, evidence = _asker(asked)
        _same_survey(journal, asked)
        try:
            _ask(asked, journal, asker, evidence, dict(zip(names, found.archives)))
        except signals.Ended:
            told = f"{journal.answered()} of {len(names)} archives have their answers in {asked.journal}, the same command goes on from there"
            print(f"suite: {displayable(told)}", file=sys.stderr)
            raise
        gone = _gone(journal, names) if not found.errors else 0
        of_it = find(journal, accepted, gone)
        status = _status(of_it, bool(found.errors))
        _tell(asked, _document(journal, asked, of_it.told, status))
        journal.end(drop=not found.errors)  # what cannot be seen now is not gone for good
        return status


def _name(archive: Archive, journal: Path) -> str:
    """Its path; from the journal's folder for what is below that, so that both may be moved together."""
    folder = os.path.dirname(os.path.abspath(journal)).rstrip(os.sep) + os.sep
    return shown(archive.path.removeprefix(folder))


def _asker(asked: argparse.Namespace) -> tuple[Asker, Json]:
    folders = [Path(path) if os.path.isdir(path) else Path(path).parent for path in map(archives.absolute, asked.archives)]
    folders = list(dict.fromkeys(folders))
    pmproof = implementations.pmproof()
    words: list[str] = []
    for option in rules.SIDES:
        side = getattr(asked, option.removeprefix("--"))
        name = getattr(asked, f"{option.removeprefix('--')}_name")
        words += rules.side_words(option, side, folders, None if name else side)
        words += [f"{option}-name", name] if name else []
    evidence = sides.evidence([asked.baseline, asked.candidate], pmproof)
    return Asker(pmproof, [*words, *_options(asked)], asked.time_limit), evidence


def _options(asked: argparse.Namespace) -> list[str]:
    """Those of pmproof rules diff."""
    words = ["--counter-wrap"] if asked.counter_wrap else []
    for name in _PASSED_ON:
        value = getattr(asked, name)
        for each in value if isinstance(value, list) else [value]:
            words += [] if each is None else [f"--{name}={each}"]
    return words


def _same_survey(journal: Journal, asked: argparse.Namespace) -> None:
    """A journal is about two sides, and what they are asked."""
    now = {"sides": [asked.baseline, asked.candidate], "options": _options(asked)}
    before = journal.get("about")
    if before is None:
        journal.set({"about": now})
    elif before != now:
        told = " ".join([f"--baseline {before['sides'][0]} --candidate {before['sides'][1]}", *before["options"]])
        raise UsageError(f"{asked.journal} is about {told}: give another --journal, or --fresh")


def _ask(asked: argparse.Namespace, journal: Journal, asker: Asker, evidence: Json, found: Mapping[str, Archive]) -> None:
    goes_on = journal.begin(evidence)
    journal.place(list(found))
    done = dict(journal.digests(known=False)) if goes_on else {}
    if done:
        print(f"suite: {asked.journal}: goes on after {len(done)} of {len(found)} archives", file=sys.stderr)
    known: dict[str, Mapping[str, str]] = {}
    if asked.trust_sides and journal.ended:
        if journal.get("evidence") == evidence:
            known = {name: digests for name, digests in journal.digests(known=True) if name not in done}
        else:
            print("suite: files of a side, or pmproof, have changed: all archives are asked about", file=sys.stderr)
    wanted = asked.progress == "always" or (asked.progress == "auto" and sys.stderr.isatty())
    bar = Progress(wanted, 0, len(found), bad="not compared", remote=False)
    try:
        with closing(_answers(asker, asked.jobs, found, {**known, **done})) as answers:
            for place, name, answer in answers:
                if answer is not None:
                    journal.record(name, place, answer)
                elif name in known:
                    journal.reuse(name, place)
                bar.checked(1, answer is not None and not answer.is_whole)
    finally:
        bar.end()


def _answers(
    asker: Asker, jobs: int, found: Mapping[str, Archive], known: Mapping[str, Mapping[str, str]]
) -> Generator[tuple[int, str, Answer | None], None, None]:
    """As they come; a few are under way at a time, however many archives there are."""
    todo = iter(enumerate(found.items()))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running: dict[concurrent.futures.Future[Answer | None], tuple[int, str]] = {}
        try:
            while True:
                for place, (name, archive) in itertools.islice(todo, 2 * jobs - len(running)):
                    running[pool.submit(asker.ask, archive, known.get(name))] = (place, name)
                if not running:
                    return
                for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                    place, name = running.pop(future)
                    yield place, name, future.result()
        finally:
            asker.stop()
            pool.shutdown(cancel_futures=True)


def _gone(journal: Journal, names: Sequence[str]) -> int:
    there = set(names)
    return sum(name not in there for (name,) in journal.connection.execute("SELECT name FROM result WHERE now = 0"))


def _status(found: Found, has_errors: bool) -> int:
    if found.has_died:
        return session.INTERNAL
    if found.has_unreadable or has_errors:
        return session.NOT_READ
    if found.has_broken:
        return session.NOT_STARTED
    if found.has_new:
        return session.FAILED
    return session.OK if found.told["values"]["compared"] else session.USAGE


def _document(journal: Journal, asked: argparse.Namespace, told: Json, status: int) -> Json:
    of_sides = journal.get("sides") or {}
    nameless = {"kind": "implementation", "summary": "", "implementation": None}
    return {
        "schema": SCHEMA,
        "tool": of_sides.get("tool") or {"name": "pmproof", "version": "0.0.0"},
        "baseline": of_sides.get("baseline") or {**nameless, "name": asked.baseline_name or asked.baseline},
        "candidate": of_sides.get("candidate") or {**nameless, "name": asked.candidate_name or asked.candidate},
        "options": _options(asked),
        "began": journal.get("began"),
        "is_first": not journal.ended,
        "known_since": journal.get("at"),
        **told,
        "footer": {"complete": True, "status": status},
    }


def _tell(asked: argparse.Namespace, told: Json) -> None:
    for path, form in ((asked.json, _json), (asked.html, page.render)):
        if path is None:
            continue
        content = form(told)
        if str(path) == "-":
            sys.stdout.write(content)
        else:
            with written_whole(path) as out:
                out.write(content)
    if "-" not in map(str, (asked.json, asked.html)):
        for line in text.lines_of(told, asked.show, asked.known):
            print(line)
    sys.stdout.flush()
    if not told["values"]["compared"]:
        print("suite: there was nothing to compare", file=sys.stderr)


def _json(told: Json) -> str:
    return json.dumps(told, indent=2) + "\n"


def _seconds(value: str) -> float:
    found = float(value)
    if not 0 < found < 1e6:
        raise argparse.ArgumentTypeError(f"not a number of seconds: {value}")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="suite rules survey", description=_ABOUT, epilog=_STATUS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archives", nargs="+", metavar="DIR|ARCHIVE", help="directories with all archives below them; archives, or any file of one")
    for option, told in (("baseline", "what to compare with"), ("candidate", "what is compared")):
        parser.add_argument(f"--{option}", required=True, metavar="SIDE", help=told)
        parser.add_argument(f"--{option}-name", metavar="NAME", help="what the report calls it (SIDE)")
    parser.add_argument("--journal", type=Path, required=True, metavar="FILE", help="what is known, an SQLite file; made where there is none")
    parser.add_argument("--budget", type=Path, metavar="FILE", help="a list of movements that are accepted, which has to be exactly true")
    parser.add_argument("--fresh", action="store_true", help="throw away what is in the journal")
    parser.add_argument("--trust-sides", action="store_true", help="if no file of the sides has changed, ask only about archives that are new or have changed")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="archives at a time (all cores)")
    parser.add_argument("--time-limit", type=_seconds, default=600.0, metavar="SECONDS", help="for an archive (600)")
    compared = parser.add_argument_group("as in pmproof rules diff")
    compared.add_argument("--metric", action="append", metavar="NAME")
    for name, metavar in (("start", "TIME"), ("finish", "TIME"), ("interval", "DURATION"), ("timeout", "SECONDS"), ("explain", "VERSION"), ("memory", "SIZE"), ("limit", "N")):
        compared.add_argument(f"--{name}", metavar=metavar)
    compared.add_argument("--counter-wrap", action="store_true")
    reports = parser.add_argument_group("reports", "Text is on standard output. Each FILE is written whole or not at all; - is standard output, in place of the text.")
    reports.add_argument("--json", type=Path, metavar="FILE", help="pmproof-rules-survey/1")
    reports.add_argument("--html", type=Path, metavar="FILE", help="a page that needs nothing else")
    reports.add_argument("--show", type=positive, default=20, metavar="N", help="kinds that the text shows, the largest first (20)")
    reports.add_argument("--known", action="store_true", help="the text shows kinds that are not new, too")
    reports.add_argument("--progress", choices=("auto", "always", "never"), default="auto", help="on stderr")
    return parser
