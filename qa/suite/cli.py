# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/suite/suite."""

import argparse
import datetime
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from qa.adapters.guardian import orphans_ended
from qa.adapters.testee import Limits
from qa.conversations import cli as conversations
from qa.conversations.conversation import BrokenConversation, ConversationError
from qa.golden import cases, packed
from qa.golden.cases import Json
from qa.support import signals
from qa.support.arguments import positive
from qa.support.new_file import written_whole
from qa.suite import baseline, expectations, fakes, implementations, journal, last_failed, lint, operation, rules
from qa.suite.checks import Check, Selection, checks_of
from qa.suite.expectations import Entry, ListError
from qa.suite.explore import command as exploring
from qa.suite.implementations import Implementation, NotThereError, UsageError
from qa.suite.reports.formats import FORMATS
from qa.suite.reports.terminal import Bar, Terminal
from qa.suite.survey import command as surveying
from qa.suite.verdicts import Verdict
from qa.suite.session import FAILED, INTERNAL, NOT_READ, NOT_STARTED, OK, USAGE, Options, Session, slug_of

_REQUESTS = 10_000  # that are explored where nothing else is said
GOLDEN = Path(__file__).parents[2] / "golden"

_STATUS = """\
Exit status: 0 all is as expected, and something was checked; 1 failures, surprise passes, or a list of expected failures
that is not true any more; 2 wrong usage, or nothing was checked; 3 an implementation could not be started or does not
speak the protocol; 4 cases or a list cannot be read; 5 an error of the suite itself.
"""


def main(arguments: Sequence[str]) -> int:
    words: list[str] = []
    if arguments[:1] == ["play"]:
        arguments, words = conversations.split(arguments)
    asked = _parser().parse_args(arguments)
    asked.words = words
    try:
        with signals.raising() as asked.delay:
            return _do(asked)
    except signals.Ended as ended:
        print(f"suite: ended by {ended.name}{_where_it_stands(asked)}", file=sys.stderr)
        return ended.status


def _where_it_stands(asked: argparse.Namespace) -> str:
    """What is told beside the signal."""
    if not hasattr(asked, "answered"):
        return ""
    told = f"; {asked.answered} of {asked.expected} checks were answered, no report was written"
    return told + (f"; {asked.journal} has the answers" if asked.journal else "")


def _do(asked: argparse.Namespace) -> int:
    try:
        if not hasattr(asked, "cases") or asked.does is _explore:  # which asks about archives of its own
            return int(asked.does(asked))
        with packed.copied(asked.cases) as copy:
            asked.cases, asked.unpack = copy.folder, copy.unpack
            return int(asked.does(asked))
    except ConversationError as error:
        print(f"suite: {error}", file=sys.stderr)
        return NOT_READ if isinstance(error, BrokenConversation) else USAGE
    except (UsageError, ListError, cases.CaseError, packed.BrokenPack, NotThereError, journal.JournalError) as error:
        print(f"suite: {error}", file=sys.stderr)
        if isinstance(error, NotThereError):
            return NOT_STARTED
        return NOT_READ if isinstance(error, (ListError, cases.BrokenCase, packed.BrokenPack, journal.JournalError)) else USAGE
    except OSError as error:
        print(f"suite: {error}", file=sys.stderr)
        return NOT_READ
    except Exception:
        traceback.print_exc()
        print("suite: this is an error of the suite, not of the implementation", file=sys.stderr)
        return INTERNAL


def _run(asked: argparse.Namespace) -> int:
    if asked.expect and len(asked.implementations) > 1:
        raise UsageError("--expect is about one implementation; join several runs by suite report JOURNAL...")
    listed = expectations.load(asked.expect) if asked.expect else None
    found = [implementations.find(name, asked.cases) for name in dict.fromkeys(asked.implementations)]
    golden = cases.load_all(asked.cases, checked=False)
    checks = checks_of(golden)
    selections = {one.name: _selection(asked, one.name) for one in found}
    if asked.last_failed and not any(selection.only for selection in selections.values()):
        raise cases.CaseError("nothing failed when it was asked last")
    found = [one for one in found if not asked.last_failed or selections[one.name].only]
    chosen = [check for one in found for check in selections[one.name].choose(checks)]
    chosen_cases = {check.case.id: check.case for check in chosen}.values()
    cases.check(chosen_cases)
    # A thousand inputs are packed: only those that are asked about.
    asked.unpack({folder for case in chosen_cases for archive in case.archives for folder in (archive, archive.parent)})

    whole = journal.Run()
    asked.answered = asked.expected = 0
    terminal = Terminal(sys.stdout, asked.show, _wants(asked.color, sys.stdout) and "NO_COLOR" not in os.environ, asked.quiet)
    bar = Bar(sys.stderr, _wants(asked.progress, sys.stderr))
    with ExitStack() as stack:
        lines = stack.enter_context(asked.journal.open("w", encoding="utf-8")) if asked.journal else None

        def emit(event: Json) -> None:
            with asked.delay.until_done():  # the journal has as many verdicts as are told of
                if lines is not None:
                    lines.write(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n")
                    lines.flush()
                asked.answered += event["event"] == "verdict"
                asked.expected += event["checks"] if event["event"] == "start" else 0
            whole.add(event)
            bar.clear()
            terminal.show(whole, event)

        session = Session(asked.cases, golden, checks, _options(asked), emit, bar)
        session.begin([one.name for one in found], _told(asked), chosen)
        for one in found:
            entries = listed if listed is not None else _declared(one, checks)
            verdicts = session.run(one, selections[one.name], entries)
            _note(one.name, verdicts)
            if because := whole.implementations[-1].end["because"]:
                print(f"suite: {because}", file=sys.stderr)
        status = session.finish()
    _write_reports(asked, whole)
    return status


def _declared(one: Implementation, checks: Sequence[Check]) -> list[Entry]:
    """The list that is kept here, as far as it concerns these cases, which may be others."""
    entries = expectations.load(one.expected) if one.expected else []
    return [entry for entry in entries if any(entry.concerns(check) for check in checks)]


def _note(name: str, verdicts: Sequence[Verdict]) -> None:
    try:
        last_failed.note(name, (v.check.id for v in verdicts), (v.check.id for v in verdicts if v.failed))
    except OSError as error:
        print(f"suite: --last-failed will not know of this run: {error}", file=sys.stderr)


def _selection(asked: argparse.Namespace, name: str) -> Selection:
    only = last_failed.of(name) if asked.last_failed else None
    return Selection(asked.case, asked.clause, asked.op, only)


def _told(asked: argparse.Namespace) -> Json:
    return {
        "complete": not (asked.case or asked.clause or asked.op or asked.last_failed),
        "cases": asked.case,
        "clauses": asked.clause,
        "operations": asked.op,
        "last_failed": asked.last_failed,
    }


def _options(asked: argparse.Namespace) -> Options:
    if asked.log is not None:
        asked.log.mkdir(parents=True, exist_ok=True)
    limits = Limits(asked.limit, asked.start_limit)
    return Options(asked.jobs, limits, getattr(asked, "max_failures", None), asked.log)


def _wants(choice: str, stream: TextIO) -> bool:
    return choice == "always" or (choice == "auto" and stream.isatty())


def _write_reports(asked: argparse.Namespace, run: journal.Run) -> None:
    for name, form in FORMATS.items():
        path = getattr(asked, name)
        if path is None:
            continue
        text = form.render(run)
        if str(path) == "-":
            sys.stdout.write(text)
        else:
            with written_whole(path) as out:
                out.write(text)


def _report(asked: argparse.Namespace) -> int:
    if not any(getattr(asked, name) for name in FORMATS):
        raise UsageError("which report? one of " + ", ".join(f"--{name}" for name in FORMATS))
    runs = [(path, journal.load(path)) for path in asked.journals]
    _write_reports(asked, journal.merged(runs) if len(runs) > 1 else runs[0][1])
    return OK


def _baseline(asked: argparse.Namespace) -> int:
    entries = expectations.load(asked.list) if asked.list.exists() or not asked.fix else []
    golden = cases.load_all(asked.cases)
    checks = checks_of(golden)
    one = implementations.find(asked.implementation, asked.cases)
    asked.unpack()
    ends: list[Json] = []
    bar = Bar(sys.stderr, _wants(asked.progress, sys.stderr))
    session = Session(asked.cases, golden, checks, _options(asked), ends.append, bar)
    verdicts = session.run(one, Selection(), [])
    bar.clear()
    if not ends[-1]["complete"]:
        print(f"suite: {ends[-1]['because']}", file=sys.stderr)
        return NOT_STARTED
    today = datetime.date.today()
    wanted = baseline.rewritten(entries, verdicts, today)
    added, dropped = [e for e in wanted if e not in entries], [e for e in entries if e not in wanted]
    for sign, changed in (("-", dropped), ("+", added)):
        for entry in changed:
            print(f"{sign} {entry}", flush=True)
    expired = [entry for entry in wanted if entry.is_expired(today)]
    for entry in expired:
        print(f"suite: still fails after its date, which only a person can change: {entry}", file=sys.stderr)
    if asked.fix and (added or dropped or not asked.list.exists()):
        with written_whole(asked.list) as out:
            out.write(expectations.text_of(wanted))
    what = "rewritten" if asked.fix else "compared"
    print(f"{asked.list}: {what}, {len(wanted)} entries, {len(added)} added, {len(dropped)} dropped", file=sys.stderr)
    return FAILED if expired or (not asked.fix and (added or dropped)) else OK


def _lint(asked: argparse.Namespace) -> int:
    one = implementations.find(asked.implementation, asked.cases)
    golden = cases.load_all(asked.cases)
    asked.unpack()
    options = _options(asked)
    log = options.log and options.log / f"{slug_of(one.name)}.log"
    with orphans_ended():
        findings, tried = lint.findings_of(one, checks_of(golden), options.limits, log)
    for finding in findings:
        print(finding, flush=True)
    broken = len({finding.rule for finding in findings})
    told = {0: "no rule is broken", 1: "1 rule is broken"}.get(broken, f"{broken} rules are broken")
    print(f"{one.name}: {told} ({tried} messages were tried)", file=sys.stderr)
    return FAILED if findings else OK


def _explore(asked: argparse.Namespace) -> int:
    if not (asked.count or asked.time or asked.scene):
        asked.count = _REQUESTS
    asked.answered = asked.expected = 0

    def write_reports(folder: Path | None, name: str) -> None:
        """Of the witnesses, which are asked once more."""
        if not any(getattr(asked, form) for form in FORMATS):
            return
        if folder is None:
            print("suite: there is no witness, so no report was written", file=sys.stderr)
            return
        golden = cases.load_all(folder)
        checks = checks_of(golden)
        whole = journal.Run()
        session = Session(folder, golden, checks, _options(asked), whole.add)
        told = {"complete": False, "cases": [], "clauses": [], "operations": [], "last_failed": False}
        session.begin([name], told, checks)
        session.run(implementations.find(name, asked.cases, folder), Selection(), [])
        session.finish()
        _write_reports(asked, whole)

    return exploring.explore(asked, write_reports)


def _operation(asked: argparse.Namespace) -> int:
    for line in operation.lines_of(asked.name, cases.load_all(asked.cases), asked.cases):
        print(line)
    return OK


def _rules(asked: argparse.Namespace) -> int:
    if asked.arguments[:1] == ["survey"]:
        return surveying.run(asked.arguments[1:])
    return rules.run(asked.arguments)


def _derive(asked: argparse.Namespace) -> int:
    return rules.derive(asked.arguments)


def _fakes(_: argparse.Namespace) -> int:
    for name, fake in fakes.FAKES.items():
        print(f"fake:{name:18} {fake.rule:8} {fake.says}")
    return OK


def _seconds(text: str) -> float:
    found = float(text)
    if not 0 < found < 1e6:
        raise argparse.ArgumentTypeError(f"not a number of seconds: {text}")
    return found


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="pmproof-suite" if Path(sys.argv[0]).name == "pmproof-suite" else "suite",
        description="Puts golden cases to implementations of PCP through the testee protocol (qa/suite/README.md).",
        epilog=f"implementations:\n{implementations.KINDS}\n{_STATUS}",
        formatter_class=raw,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, does: Callable[[argparse.Namespace], int], told: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=told, description=told, epilog=_STATUS, formatter_class=raw)
        made.set_defaults(does=does)
        return made

    run = command("run", _run, "put cases to implementations; what fails is shown side by side")
    run.add_argument("implementations", nargs="+", metavar="IMPLEMENTATION", help="reference, pcp:PREFIX, tool:PREFIX, live:PREFIX, exec:COMMAND, fake:NAME")
    _add_common(run)
    chosen = run.add_argument_group("selection", "Each may be given more than once; of each kind that is given one has to match.")
    chosen.add_argument("--case", action="append", default=[], metavar="GLOB", help="cases by ID ('replay/set-*'), requests (CASE#2), checks (CASE#2@7.2.2)")
    chosen.add_argument("--clause", action="append", default=[], metavar="GLOB", help="cases of clauses, such as 'INT-15*'")
    chosen.add_argument("--op", action="append", default=[], metavar="GLOB", help="operations (capabilities), such as 'derive.*'")
    chosen.add_argument("--last-failed", action="store_true", help="what failed when it was asked last")
    run.add_argument("--max-failures", type=positive, metavar="N", help="stop after so many")
    run.add_argument("--expect", type=Path, metavar="LIST", help="a list of expected failures, which has to be exactly true (default for tools of known versions: qa/suite/expected)")
    run.add_argument("--show", type=int, default=20, metavar="N", help="show so many failures in full (20), the others in a line each, those that say the same once")
    run.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    run.add_argument("--quiet", action="store_true", help="print the claims only")
    run.add_argument("--journal", type=Path, metavar="FILE", help="all events as lines of JSON, as they come")
    _add_reports(run)

    explore = command("explore", _explore, "put what the generators make to an implementation and to the reference")
    explore.add_argument("implementation", metavar="IMPLEMENTATION", help="as of run")
    explore.add_argument("--against", metavar="IMPLEMENTATION", help="what is right in place of the reference")
    explore.add_argument("--seed", default="1", metavar="TEXT", help="what is asked depends on it alone (1)")
    explore.add_argument("--count", type=positive, metavar="N", help=f"requests, at least ({_REQUESTS:,} without --time)")
    explore.add_argument("--time", type=_seconds, metavar="SECONDS", help="stop after so long")
    explore.add_argument("--op", action="append", default=[], metavar="GLOB", help="operations (capabilities), such as 'derive.*'")
    explore.add_argument("--scene", action="append", type=positive, default=[], metavar="N", help="this scene only, as a finding names it")
    explore.add_argument("--journal", type=Path, metavar="FILE", help="what was found, as it comes; a run that was stopped goes on from it")
    explore.add_argument("--out", type=Path, default=Path("explored"), metavar="FOLDER", help="of the witnesses, as golden cases (explored)")
    explore.add_argument("--shrink", type=_seconds, default=20.0, metavar="SECONDS", help="for making each witness small (20)")
    _add_common(explore, limit=10.0)
    _add_reports(explore)

    shows = command("operation", _operation, "print an example request and reply of an operation")
    shows.add_argument("name", metavar="NAME", help="such as replay.interp")
    shows.add_argument("--cases", type=Path, default=GOLDEN, metavar="FOLDER", help="of the cases (golden/)")

    lists = command("baseline", _baseline, "hold a list of expected failures against a run; --fix rewrites it")
    lists.add_argument("implementation", metavar="IMPLEMENTATION")
    lists.add_argument("list", type=Path, metavar="LIST")
    lists.add_argument("--fix", action="store_true", help="rewrite the list so that the run passes; dates stay as they are")
    _add_common(lists)

    report = command("report", _report, "make reports of journals; several journals of the same cases become one report")
    report.add_argument("journals", nargs="+", type=Path, metavar="JOURNAL")
    _add_reports(report)

    adapter = command("lint-adapter", _lint, "say which message of an adapter breaks which rule of the protocol")
    adapter.add_argument("implementation", metavar="IMPLEMENTATION", help="such as 'exec:./adapter'")
    _add_common(adapter)

    played = command("play", conversations.play, "golden conversations with an agent or a collector, octet by octet")
    played.description, played.epilog = conversations.ABOUT, conversations.EXAMPLES
    conversations.add_arguments(played)

    compared = command("rules", _rules, "pmproof rules diff and rules bisect, with implementations by their names; a survey of thousands of archives")
    compared.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="diff|bisect|survey ...", help="as of pmproof rules diff or rules bisect, or of a survey (their --help has them all)"
    )
    compared.epilog = "Exit status: that of pmproof; 3 also where an implementation is not to be found. That of survey: see its --help.\n"

    derived = command("derive", _derive, "pmproof derive diff, with implementations by their names")
    derived.add_argument("arguments", nargs=argparse.REMAINDER, metavar="diff ...", help="as of pmproof derive diff (its --help has them all)")
    derived.epilog = "Exit status: that of pmproof; 3 also where an implementation is not to be found.\n"

    command("fakes", _fakes, "the adapters that are wrong on purpose, and the rule that each breaks")
    return parser


def _add_common(parser: argparse.ArgumentParser, limit: float = 60.0) -> None:
    parser.add_argument("--cases", type=Path, default=GOLDEN, metavar="FOLDER", help="of the cases (golden/)")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="adapters at a time (all cores)")
    parser.add_argument("--limit", type=_seconds, default=limit, metavar="SECONDS", help=f"for each request ({limit:g})")
    parser.add_argument("--start-limit", type=_seconds, default=60.0, metavar="SECONDS", help="for the answer to hello (60)")
    parser.add_argument("--log", type=Path, metavar="FOLDER", help="keep there what adapters write on stderr")
    parser.add_argument("--progress", choices=("auto", "always", "never"), default="auto", help="on stderr")


def _add_reports(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reports", "Each into a FILE; - is stdout.")
    for name, form in FORMATS.items():
        group.add_argument(f"--{name}", type=Path, metavar="FILE", help=form.says)
