# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/beside_pcp/differential/run."""

import argparse
import datetime
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from qa.adapters.testee import TesteeError
from qa.beside_pcp.differential import report, shared, survey
from qa.beside_pcp.differential.report import Report
from qa.beside_pcp.differential.survey import Examined, Setting
from qa.dev.runs import command_line, last_run, workers
from qa.support.arguments import positive
from qa.support.built import built

_README = Path(__file__).with_name("README.md")
_MOST_TOLD = 5
_SAVE_EVERY = 10.0  # seconds

_EPILOG = """\
PCP versions that were not fetched (qa/peers/peers fetch all) are named and left out; so are the recorded archives
($PMPROOF_SHARED, or ../shared beside the workspace) where they are not there. Archives with a fault are kept, with
what was asked. Status: 0 no unexplained difference; 1 there are; 2 wrong usage; 3 no PCP version is there.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.readme:
        table = report.load(options.readme).markdown()
        _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), table), encoding="utf-8")
        return 0
    versions = command_line.surveyed_versions(options.versions)
    if not versions:
        return 3
    recorded = _recorded(options.recorded)
    setting = Setting(options.pmproof or built("//validator:pmproof"), tuple(versions), options.keep)
    numbers = [options.only] if options.only is not None else range(1, options.archives + 1)
    tasks = survey.tasks(options.seed, numbers, recorded if options.only is None else [])
    found = Report(_command(options), options.seed)
    found.date = datetime.date.today().isoformat()
    progress = _Progress(found, len(numbers) + len(recorded), options.output)
    try:
        for examined in workers.spread(survey.Worker, setting, tasks, options.jobs, at_once=4):
            progress.note(examined)
    except TesteeError as error:
        print(f"run: {error}", file=sys.stderr)
        return 3
    found.complete = True
    progress.save()
    print(found.markdown(), end="")
    return 1 if found.unexplained else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run",
        description="Compares replay with real libpcp, over generated and recorded archives, bit for bit.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--archives", type=positive, default=100, metavar="N", help="to generate (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="of them, and of what is asked (default 1)")
    parser.add_argument("--only", type=positive, metavar="NUMBER", help="only this generated archive")
    parser.add_argument("--no-recorded", dest="recorded", action="store_false", help="leave recorded archives out")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write results there, now and then and at the end")
    command_line.add_survey_options(parser, "differential")
    return parser


def _command(options: argparse.Namespace) -> str:
    """What makes the run another one; not where it is run and how its results are kept."""
    words = ["qa/beside_pcp/differential/run", "--archives", str(options.archives), "--seed", str(options.seed)]
    if options.versions:
        words += ["--versions", ",".join(options.versions)]
    if options.only is not None:
        words += ["--only", str(options.only)]
    if not options.recorded:
        words.append("--no-recorded")
    return shlex.join(words)


def _recorded(wanted: bool) -> list[Path]:
    where = shared.folder()
    if wanted and where is None:
        print("no recorded archives: set PMPROOF_SHARED", file=sys.stderr)
    return shared.archives(where) if wanted and where is not None else []


class _Progress:
    """Tells a person how far it is, and keeps the report's file up to date."""

    def __init__(self, found: Report, expected: int, output: Path | None) -> None:
        self._found = found
        self._expected = expected
        self._output = output
        self._begin = self._saved = time.monotonic()
        self._done = 0

    def note(self, examined: Examined) -> None:
        self._done += 1
        if examined.left_out:
            self._found.left_out += 1
        elif examined.task.path:
            self._found.recorded += 1
        else:
            self._found.generated += 1
        self._found.add(examined.comparisons)
        if examined.faults:
            _tell(examined)
        if sys.stderr.isatty() or self._done % 500 == 0:
            values = min((each.values for each in self._found.versions.values()), default=0)
            text = f"{self._done} of {self._expected} archives, {values:,} values, "
            text += f"{self._found.unexplained} unexplained"
            begin, end = ("\r", " ") if sys.stderr.isatty() else ("", "\n")
            print(begin + text, end=end, file=sys.stderr, flush=True)
        if time.monotonic() - self._saved > _SAVE_EVERY:
            self.save()

    def save(self) -> None:
        self._saved = time.monotonic()
        self._found.seconds = self._saved - self._begin
        if self._output is not None:
            self._found.save(self._output)


def _tell(examined: Examined) -> None:
    print(f"\n{examined.task}", file=sys.stderr)
    for fault in examined.faults:
        print(f"  PCP {fault.version}, asked {fault.question}", file=sys.stderr)
        for text in fault.texts[:_MOST_TOLD]:
            print(f"    {text}", file=sys.stderr)
        if len(fault.texts) > _MOST_TOLD:
            print(f"    and {len(fault.texts) - _MOST_TOLD} more", file=sys.stderr)
    print(f"  kept in {examined.kept}", file=sys.stderr, flush=True)
