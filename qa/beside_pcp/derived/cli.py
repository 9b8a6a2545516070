# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/beside_pcp/derived/run."""

import argparse
import datetime
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from qa.beside_pcp.derived import report, survey
from qa.beside_pcp.derived.libpcp import LibpcpError
from qa.beside_pcp.derived.questions import ProgramError, Programs
from qa.beside_pcp.derived.report import Report
from qa.beside_pcp.derived.survey import Chunk, Examined, Setting
from qa.dev.runs import command_line, last_run, workers
from qa.support.arguments import positive
from qa.support.built import built

_README = Path(__file__).with_name("README.md")
_CHUNK = 1000
_MOST_TOLD = 5

_EPILOG = """\
PCP versions that were not fetched (qa/peers/peers fetch all) are named and left out. A run that was stopped goes on
where it was, if the file of --output is there, and tries chunks with a fault again. Archives with a fault are kept, with the expressions. Status: 0 no
unexplained difference; 1 there are; 2 wrong usage; 3 no PCP version is there.
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
    found = Report(_command(options), options.seed)
    if options.output and options.output.is_file():
        found = report.load(options.output)
        if found.command != _command(options):
            print(f"run: {options.output} is of another run: {found.command}", file=sys.stderr)
            return 2
        found.drop_unexplained()
    found.date = datetime.date.today().isoformat()
    setting = Setting(_programs(options), tuple(versions), options.keep)
    progress = _Progress(found, options.output)
    try:
        for examined in workers.spread(survey.Worker, setting, _chunks(options, versions, found), options.jobs):
            progress.note(examined)
    except (LibpcpError, ProgramError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 3
    found.complete = True
    progress.save()
    print(found.markdown(), end="")
    return 1 if found.unexplained else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run",
        description="Compares expressions of derived metrics, by chance, with real libpcp: syntax, binding, values.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--expressions", type=positive, default=2000, metavar="N",
                        help=f"for each version, in chunks of {_CHUNK} (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of expressions and archives (default 1)")
    parser.add_argument("--only", type=positive, metavar="CHUNK", help="only this chunk, counted from 1")
    parser.add_argument("--output", type=Path, metavar="FILE", help="keep results there, and go on from them")
    parser.add_argument("--generator", type=Path, metavar="FILE",
                        help="generators/expression:expressions (default: built by Bazel)")
    command_line.add_survey_options(parser, "derived")
    return parser


def _command(options: argparse.Namespace) -> str:
    """What makes the run another one; not where it is run and how its results are kept."""
    words = ["qa/beside_pcp/derived/run", "--expressions", str(options.expressions), "--seed", str(options.seed)]
    if options.versions:
        words += ["--versions", ",".join(options.versions)]
    if options.only is not None:
        words += ["--only", str(options.only)]
    return shlex.join(words)


def _chunks(options: argparse.Namespace, versions: Sequence[str], found: Report) -> list[Chunk]:
    numbers = [options.only] if options.only is not None else range(1, -(-options.expressions // _CHUNK) + 1)
    size = min(_CHUNK, options.expressions)
    wanted = [Chunk(version, options.seed, number, size) for number in numbers for version in versions]
    return [chunk for chunk in wanted if chunk.number not in found.chunks.get(chunk.version, {})]


def _programs(options: argparse.Namespace) -> Programs:
    targets = {"pmproof": "//validator:pmproof", "generator": "//generators/expression:expressions"}
    paths = {}
    for name, target in targets.items():
        paths[name] = getattr(options, name)
        if paths[name] is None:
            paths[name] = built(target)
    return Programs(paths["pmproof"].resolve(), paths["generator"].resolve())


class _Progress:
    """Tells a person how far it is, and keeps the report's file up to date."""

    def __init__(self, found: Report, output: Path | None) -> None:
        self._found = found
        self._output = output
        self._begin = time.monotonic() - found.seconds

    def note(self, examined: Examined) -> None:
        self._found.add(examined.chunk.version, examined.chunk.number, examined.found)
        for fault in examined.found.unexplained[:_MOST_TOLD]:
            print(f"{examined.chunk}: {fault['kind']}: {fault['text']!r}\n  {fault['what']}", file=sys.stderr)
        if examined.kept:
            print(f"kept in {examined.kept}", file=sys.stderr)
        done = ", ".join(f"{version}: {each.expressions:,}" for version, each in self._found.totals().items())
        print(f"{done}; {self._found.unexplained} unexplained", file=sys.stderr, flush=True)
        self.save()

    def save(self) -> None:
        self._found.seconds = time.monotonic() - self._begin
        if self._output:
            self._found.save(self._output)
