# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/fleet/fleet."""

import argparse
import asyncio
import contextlib
import datetime
import os
import signal
import sqlite3
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from qa.fleet import archives, cluster, export, policy, program, recovery, summary, triage
from qa.fleet import dispatch as dispatching
from qa.fleet.cluster import Check, DaskCluster, Tls
from qa.fleet.dispatch import Dispatch
from qa.fleet.error import INTERNAL, USAGE, FleetError
from qa.fleet.journal import Journal, Pending, damaged
from qa.fleet.local_worker import prepare_memory
from qa.fleet.local_workers import LocalWorkers, local
from qa.fleet.outcomes import OUTCOMES, SEVERITIES, exit_status
from qa.fleet.progress import Progress
from qa.fleet.sets import SetCluster
from qa.support import signals
from qa.support.display import displayable
from qa.support.new_file import written_whole

_PASSED_ON = ("profile", "policy", "only", "rule", "max_findings", "memory", "live_within", "gap")
_LOCAL_PATIENCE = 3600.0  # local workers are started, or it is known why not

_STATUS = """\
Exit status: 0 conformant; 1 findings at or above --fail-on; 2 wrong usage; 4 an input is missing, unreadable or not a
PCP archive at all; 5 internal error, or what checks an archive dies of it; 6 a time or memory budget was exceeded,
verdict unknown. Of several the first of 5, 4, 6, 1.
"""
_CHECK_EPILOG = f"""\
Whatever is lost (a worker, the scheduler, this command), the same command with the same journal goes on where it was.
It checks again what has changed since. --set may be added later: what is in the journal is not checked again for that.

{_STATUS}"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(_with_signed_rules(arguments))
    prepare_memory()
    try:
        with signals.raising():
            return _do(options)
    except signals.Ended as ended:
        print(f"fleet: ended by {ended.name}; nothing was written", file=sys.stderr)
        return ended.status


def _do(options: argparse.Namespace) -> int:
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except FleetError as error:
        print(f"fleet: {displayable(str(error))}", file=sys.stderr)
        return error.status
    except sqlite3.OperationalError as error:
        print(f"fleet: {displayable(str(options.journal))}: {error}", file=sys.stderr)
        return INTERNAL
    except sqlite3.Error as error:
        print(f"fleet: {displayable(damaged(options.journal, error))}", file=sys.stderr)
        return INTERNAL
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERNAL
    except Exception:
        # Python's own status would be that of findings.
        traceback.print_exc()
        print("fleet: this is an error of fleet, not of an archive", file=sys.stderr)
        return INTERNAL


def _with_signed_rules(arguments: Sequence[str]) -> list[str]:
    """argparse takes "-ARC-1104" for an option unless it is joined to its own."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--rule":
            joined[-1] = f"--rule={argument}"
        else:
            joined.append(argument)
    return joined


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"not a number of at least 1: {text}")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"not a number of seconds above 0: {text}")
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="fleet", description="Checks thousands of archives, on more than one machine.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    raw = argparse.RawDescriptionHelpFormatter
    check = commands.add_parser("check", help="check archives", epilog=_CHECK_EPILOG, formatter_class=raw,
                                description="Checks archives by pmproof check, many at a time, and keeps a journal.")  # fmt: skip
    check.set_defaults(run=_check)
    check.add_argument("archives", nargs="*", metavar="ARCHIVE",
                       help="base name, any file of an archive, or a directory: each archive below it")  # fmt: skip
    where = check.add_argument_group("where")
    where.add_argument("--workers", type=_number, metavar="N", help="processes on this machine (default: as many as processors)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="use the workers of this Dask scheduler, such as tcp://host:8786; "
                       "they see the archives under the same names")  # fmt: skip
    where.add_argument("--tls-ca", metavar="FILE", help="for tls://: who signed the certificates")
    where.add_argument("--tls-cert", metavar="FILE", help="the certificate of this command")
    where.add_argument("--tls-key", metavar="FILE", help="its key")
    where.add_argument("--wait", type=_seconds, default=60.0, metavar="SECONDS",
                       help="for the scheduler, and whenever it has no worker (default 60)")  # fmt: skip
    where.add_argument("--checker", metavar="PROGRAM", help="pmproof, as the workers find it (default: the one built here, "
                       "or that of the PATH)")  # fmt: skip
    how = check.add_argument_group("how")
    how.add_argument("--journal", type=Path, default=Path("fleet.sqlite"), metavar="FILE",
                     help="results, as they arrive (default fleet.sqlite); what is in it is only compared with what it was")  # fmt: skip
    how.add_argument("--resume", action="store_true", help="the journal has to be there; without ARCHIVE: those it is about")
    how.add_argument("--fresh", action="store_true", help="throw away what is in the journal")
    how.add_argument("--retry", action="store_true", help="check again what got no verdict")
    how.add_argument("--trust-times", action="store_true",
                     help="do not compare content: an archive is the same if names, sizes and times of its files are")  # fmt: skip
    how.add_argument("--chunk", type=_number, metavar="N",
                     help="archives that a worker gets at a time (default: 50 to 4000, by their number and size)")  # fmt: skip
    how.add_argument("--time-limit", type=_seconds, default=600.0, metavar="SECONDS", help="for an archive (default 600)")
    what = check.add_argument_group("as in pmproof check")
    what.add_argument("--set", action="store_true", dest="sets",
                      help="check the archives of each directory as a set too (ARC-2101 to ARC-2109)")  # fmt: skip
    what.add_argument("--fail-on", choices=("error", "warning", "info"), default="error")
    what.add_argument("--profile", choices=("archival", "live", "ingest"))
    what.add_argument("--policy", metavar="FILE", help="workers see it under the same name")
    what.add_argument("--only", metavar="PART,...")
    what.add_argument("--rule", action="append", metavar="+ID|-ID")
    what.add_argument("--max-findings", type=int, metavar="N")
    what.add_argument("--memory", metavar="SIZE")
    what.add_argument("--live-within", metavar="DURATION",
                      help="for fleet triage: how long ago a file of an archive that is live may have changed (default 1h)")  # fmt: skip
    what.add_argument("--gap", metavar="DURATION",
                      help="for fleet triage, with --set: gaps between archives of a directory that are told are longer (default 10min)")  # fmt: skip
    what.add_argument("--progress", choices=("auto", "always", "never"), default="auto")
    what.add_argument("--quiet", action="store_true", help="only what is not conformant, and errors")

    out = commands.add_parser("export", help="the results of a journal, also while it is written",
                              description="Writes the results of a journal, also while it is written.")  # fmt: skip
    out.set_defaults(run=_export)
    out.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="default: jsonl")
    out.add_argument("--output", type=Path, metavar="FILE", help="a file that does not exist yet (default: standard output)")
    out.add_argument("--force", action="store_true", help="let --output overwrite a file")
    out.add_argument("journal", type=Path, metavar="JOURNAL")

    page = commands.add_parser("triage", help="which archives of a journal need a person, and what to do next",
                               description="Makes of a journal what pmproof triage makes of archives, which are not looked at.")  # fmt: skip
    page.set_defaults(run=triage.run)
    page.add_argument("--format", choices=("text", "json", "csv", "html"), help="of standard output (default: text)")
    page.add_argument("--output", action="append", default=[], metavar="FORMAT:FILE",
                      help="a report in a file, such as html:triage.html; may be repeated")  # fmt: skip
    page.add_argument("--force", action="store_true", help="let --output overwrite files (never an archive's)")
    page.add_argument("--quiet", action="store_true", help="do not say what was written")
    page.add_argument("--checker", metavar="PROGRAM", help="pmproof (default: the one built here, or that of the PATH)")
    page.add_argument("journal", type=Path, metavar="JOURNAL")

    again = commands.add_parser("recover", help="what is left of a damaged journal",
                                description="Puts what is left of a damaged journal into a new one.")  # fmt: skip
    again.set_defaults(run=_recover)
    again.add_argument("journal", type=Path, metavar="DAMAGED", help="stays as it is")
    again.add_argument("new", type=Path, metavar="NEW", help="a journal that does not exist yet")
    return parser


def _recover(options: argparse.Namespace) -> int:
    archives_left, results = recovery.recover(options.journal, options.new)
    told = f"{results} results of {archives_left} archives; what is lost is checked again by fleet check --journal {options.new}"
    print(f"fleet: recovered {displayable(told)}", file=sys.stderr)
    return 0


def _check(options: argparse.Namespace) -> int:
    tls = _tls(options)
    if options.resume and options.fresh:
        raise FleetError("--resume and --fresh exclude each other", USAGE)
    if options.scheduler and options.workers:
        raise FleetError("--workers are those of this machine: not with --scheduler", USAGE)
    if (options.live_within or options.gap) and (options.only or options.rule):
        raise FleetError("--live-within and --gap are for triage, which needs all rules: not with --only and --rule", USAGE)
    if options.gap and not options.sets:
        raise FleetError("--gap needs --set", USAGE)
    if options.resume and not options.journal.is_file():
        raise FleetError(f"{options.journal}: no such journal", USAGE)
    if not options.archives and not options.resume:
        raise FleetError("no ARCHIVE given", USAGE)
    with Journal.write(options.journal, options.fresh) as journal:
        try:
            return _check_into(journal, options, tls)
        except signals.Ended as ended:
            print(f"fleet: ended by {ended.name}; {_where_it_stands(journal, options)}", file=sys.stderr)
            return ended.status


def _where_it_stands(journal: Journal, options: argparse.Namespace) -> str:
    done = sum(journal.outcomes().values())
    again = "the same command without --fresh" if options.fresh else "the same command"
    name = displayable(str(options.journal))
    return f"{done} of {done + journal.pending()} archives have their result in {name}, {again} goes on from there"


def _check_into(journal: Journal, options: argparse.Namespace, tls: Tls | None) -> int:
    _same_run(journal, options)
    if options.sets:
        journal.set("sets", True)
    if expired := policy.prepare(journal, datetime.datetime.now(datetime.timezone.utc).date()):
        told = f"an entry of the policy has expired since: {expired} archives are checked again"
        print(f"fleet: {told}", file=sys.stderr)
    found = archives.find(journal.get("arguments"))
    for error in found.errors:
        print(f"fleet: {displayable(error)}", file=sys.stderr)
    journal.set("errors", found.errors)
    before = sum(journal.outcomes().values())
    # What cannot be seen now is not gone for good.
    pending, dropped = journal.take(
        found.archives, drop=not found.errors, retry=options.retry, compare=not options.trust_times
    )
    forgotten = before - dropped - sum(journal.outcomes().values())
    _say_what_is_done(options, len(found.archives), pending, dropped, forgotten)
    if pending or _sets_to_check(journal, found):
        checker = program.checker(options.checker, bool(options.scheduler))
        check = Check(checker, journal.get("options"), options.time_limit)
        for name in _run(options, tls, check, journal, pending, found):
            told = "content has changed, size and time have not; its archive was checked again"
            print(f"fleet: {displayable(name)}: {told}", file=sys.stderr)
        policy.see_that_it_is_the_same(journal)
    of_policy = policy.counts(journal)
    of_archives, of_sets = totals = journal.totals()
    outcomes = of_archives.outcomes.keys() | of_sets.outcomes.keys()
    if not options.quiet or outcomes - {"conformant"} or any(of_policy.values()):
        summary.print_summary(journal, options.journal, options.quiet, totals, of_policy)
    counts = (of_archives.counts, of_sets.counts, of_policy)
    found_in_all = {severity: sum(each[severity] for each in counts) for severity in SEVERITIES}
    return exit_status(outcomes, found_in_all, options.fail_on, bool(found.errors) or not of_archives.outcomes)


def _sets_to_check(journal: Journal, found: archives.Found) -> list[Pending]:
    if not journal.get("sets"):
        return []
    return journal.take_sets(found.directories, drop=not found.errors)


def _tls(options: argparse.Namespace) -> Tls | None:
    files = (options.tls_ca, options.tls_cert, options.tls_key)
    secure = (options.scheduler or "").startswith("tls://")
    if not any(files) and not secure:
        return None
    if not all(files) or not secure:
        raise FleetError("TLS needs --scheduler tls://..., --tls-ca, --tls-cert and --tls-key", USAGE)
    for file in files:
        if not os.access(file, os.R_OK):
            raise FleetError(f"{file}: cannot be read", USAGE)
    return Tls(*files)


def _same_run(journal: Journal, options: argparse.Namespace) -> None:
    """A journal is about the same arguments, checked with the same options."""
    passed_on = _passed_on(options)
    arguments = [archives.absolute(argument) for argument in options.archives]
    before = journal.get("arguments")
    if journal.get("sets") and not options.sets and (arguments or passed_on):
        raise FleetError(f"{options.journal} is of --set: give it too, another --journal, or --fresh", USAGE)
    if before is None:
        if not arguments:
            raise FleetError("the journal is empty: no ARCHIVE given", USAGE)
        journal.set("arguments", arguments)
        journal.set("options", passed_on)
        return
    if arguments and arguments != before:
        known = " ".join(before)
        raise FleetError(f"{options.journal} is about {known}: give another --journal, or --fresh", USAGE)
    if not passed_on and options.resume:
        return  # those of the journal
    if passed_on != journal.get("options"):
        known = " ".join(journal.get("options")) or "none"
        raise FleetError(f"{options.journal} is of other options ({known}): give another --journal, or --fresh", USAGE)


def _passed_on(options: argparse.Namespace) -> list[str]:
    words = []
    for name in _PASSED_ON:
        values = getattr(options, name)
        if name == "policy" and values is not None:
            values = os.path.abspath(values)
        for value in values if isinstance(values, list) else [values]:
            if value is not None:
                words.append(f"--{name.replace('_', '-')}={value}")
    return words


def _say_what_is_done(
    options: argparse.Namespace, expected: int, pending: Sequence[Pending], dropped: int, forgotten: int
) -> None:
    if options.quiet:
        return
    if dropped:
        print(f"fleet: {dropped} archives are gone, and so are their results", file=sys.stderr)
    compared = sum(each.known is not None for each in pending)
    if kept := expected - len(pending) + compared:
        how = f"; the content of {compared} is compared" if compared else ""
        print(f"fleet: {kept} of {expected} archives are in {options.journal} already{how}", file=sys.stderr)
    if forgotten > 0:
        why = "changed, retried, or by a journal without digests of content"
        print(f"fleet: {forgotten} archives are checked again ({why})", file=sys.stderr)


def _run(
    options: argparse.Namespace, tls: Tls | None, check: Check, journal: Journal, pending: list[Pending], found: archives.Found
) -> list[str]:
    """Returns the files whose content has changed though nothing else of them has."""
    wanted = options.progress == "always" or (options.progress == "auto" and sys.stderr.isatty() and not options.quiet)
    expected = len(found.archives)
    progress = Progress(wanted, expected - len(pending), expected)
    number = options.workers or len(os.sched_getaffinity(0))
    workers: AbstractAsyncContextManager[DaskCluster | LocalWorkers]
    if options.scheduler:
        workers = cluster.remote(options.scheduler, tls, check, options.wait)
    else:
        workers = local(number, check)
    patience = options.wait if options.scheduler else _LOCAL_PATIENCE
    recorder = _Recorder(journal, progress)

    def dispatch(to: dispatching.Cluster) -> Dispatch:
        return Dispatch(
            to,
            recorder,
            chunk=options.chunk,
            expected=1 if options.scheduler else number,
            patience=patience,
            check_answer=lambda answer: _check_answer(journal, answer),
            tell=progress.workers,
        )

    async def run() -> None:
        with _cancelled_by_signals():
            async with workers as there:
                await dispatch(there).run(pending)
                sets = _sets_to_check(journal, found)
                progress.expect(len(sets), "sets")
                await dispatch(SetCluster(there, journal)).run(sets)

    try:
        with _going_on(journal):
            asyncio.run(run())
    finally:
        progress.end()
    return recorder.other_content


@contextlib.contextmanager
def _cancelled_by_signals() -> Iterator[None]:
    """In place of signals.raising(), for an exception out of nowhere would leave workers alive."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    before = {number: signal.getsignal(number) for number in signals.SIGNALS}
    ours = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    come: list[int] = []

    def end(number: int) -> None:
        come.append(number)
        warnings.simplefilter("ignore")  # of Dask, about what it had only begun
        if len(come) == 1 and task is not None:
            task.cancel()

    for number in ours:
        loop.add_signal_handler(number, end, number)
    try:
        yield
    except asyncio.CancelledError:
        if come:
            raise signals.Ended(come[0]) from None
        raise
    finally:
        for number in ours:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN if come else before[number])


@contextlib.contextmanager
def _going_on(journal: Journal) -> Iterator[None]:
    """Says of a run that ends too early that nothing is lost."""
    try:
        yield
    except FleetError as error:
        if error.status != INTERNAL:
            raise
        done = sum(journal.outcomes().values())
        text = f"{error}; {done} of {done + journal.pending()} archives are done, the same command goes on from there"
        raise FleetError(text, error.status) from None


def _check_answer(journal: Journal, answer: Mapping[str, Any]) -> None:
    _same_tool(journal, answer["tool"])
    policy.note(journal, answer["policy"])


def _same_tool(journal: Journal, tool: Mapping[str, str]) -> None:
    before = journal.get("tool")
    if before is None:
        journal.set("tool", dict(tool))
    elif before != tool:
        versions = [f"{each.get('version')} with rules {each.get('rules')}" for each in (before, tool)]
        raise FleetError(f"the journal is by pmproof {versions[0]}, a worker has {versions[1]}: use --fresh, or the same on all", USAGE)


class _Recorder:
    """The journal, and a person who waits for it."""

    def __init__(self, journal: Journal, progress: Progress) -> None:
        self._journal = journal
        self._progress = progress
        self.other_content: list[str] = []

    def record(self, archives: Sequence[Pending], results: Sequence[Mapping[str, Any]], worker: str) -> None:
        self._journal.record(archives, results, worker)
        bad = sum("same" not in result and OUTCOMES[result["outcome"]].status != 0 for result in results)
        for archive, result in zip(archives, results, strict=True):
            if archive.known is not None and (digests := result.get("digests")):
                folder = os.path.dirname(archive.path)
                changed = [name for name, digest in digests.items() if archive.known.get(name) != digest]
                self.other_content += [os.path.join(folder, name) for name in changed]
        self._progress.checked(len(results), bad)

    def note_death(self, archives: Sequence[Pending]) -> None:
        self._journal.note_death(archives)


def _export(options: argparse.Namespace) -> int:
    write = export.write_lines if options.format == "jsonl" else export.write_csv
    with Journal.read(options.journal) as journal:
        if options.output is None:
            write(journal, sys.stdout)
        else:
            try:
                if options.output.exists() and options.output.samefile(options.journal):
                    raise FleetError(f"{options.output}: is the journal", USAGE)
                with written_whole(options.output, options.force) as out:
                    write(journal, out)
            except FileExistsError:
                raise FleetError(f"{options.output}: exists (--force overwrites it)", USAGE) from None
            except OSError as error:
                raise FleetError(f"{options.output}: {error.strerror}", USAGE) from None
        if pending := journal.pending():
            print(f"fleet: {pending} archives are not checked yet", file=sys.stderr)
    return 0
