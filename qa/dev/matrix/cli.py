# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/matrix/matrix."""

import argparse
import datetime
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from qa.adapters.testee import TesteeError
from qa.dev.matrix import classes, decoded, golden, html_page, markdown_page, originals, readers, results, survey
from qa.dev.matrix.classes import Class
from qa.dev.matrix.golden import SuiteError
from qa.dev.matrix.known import Classifier
from qa.dev.matrix.originals import Original
from qa.dev.matrix.results import Results
from qa.peers.error import PeerError
from qa.peers.peers import SUITES, Peer
from qa.dev.runs import command_line, last_run
from qa.support.arguments import positive
from qa.support.built import built

GOLDEN = Path(__file__).resolve().parents[3] / "golden"
_README = Path(__file__).with_name("README.md")
PAGES = ("README.md", "matrix.html")
OK, FAILED, USAGE, NOT_STARTED = 0, 1, 2, 3

_EPILOG = """\
Exit status: 0 all that does not agree has a class in the divergence ledger; 1 something has none, or something that is known
did not happen; 2 wrong usage; 3 no PCP version is there (qa/peers/peers fetch all), or the suite could not be run.
"""


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    try:
        return int(asked.does(asked))
    except (PeerError, SuiteError, TesteeError) as error:
        print(f"matrix: {error}", file=sys.stderr)
        return NOT_STARTED
    except OSError as error:
        print(f"matrix: {error}", file=sys.stderr)
        return USAGE


def _run(asked: argparse.Namespace) -> int:
    began = time.monotonic()
    there = [Peer.find(version) for version in command_line.with_library(asked.peer or list(SUITES))]
    peers = [peer for peer in there if peer is not None]
    if not peers:
        raise PeerError("no PCP version is there: run qa/peers/peers fetch all")
    wanted = [one for one in originals.ORIGINALS if not asked.original or one.id in asked.original]
    if unknown := set(asked.original) - {one.id for one in wanted}:
        print(f"matrix: no original is called {', '.join(sorted(unknown))}", file=sys.stderr)
        return USAGE
    pmproof = Path(os.environ.get("PMPROOF") or built("//validator:pmproof"))
    os.environ["PMPROOF"] = str(pmproof)  # of the suite's reference
    entries = classes.load(GOLDEN / "ledger/ledger.json")
    found = Results({
        "command": _command(asked),
        "date": datetime.date.today().isoformat(),
        "pmproof": " ".join(decoded.run(pmproof, "--version").stdout.split()[1:]),
        "implementations": [],
        "writers": [],
        "readers": [],
        "originals": [],
    })
    if asked.only != "writers":
        _golden(found, asked, peers, entries)
    classifier = Classifier(entries)
    if asked.only != "golden":
        _writers(found, asked, pmproof, peers, wanted, classifier)
    found.header["minutes"] = max(1, round((time.monotonic() - began) / 60))
    whole = not (asked.only or asked.original or asked.writer or asked.case or asked.peer)
    stale = classifier.unused() if whole else []
    for known in stale:
        print(f"matrix: known, but did not happen: {known}", file=sys.stderr)
    lost = found.unclassified()
    for line in lost:
        print(f"matrix: without class: {line}", file=sys.stderr)
    found.footer = {"complete": whole, "unclassified": len(lost)}
    asked.output.mkdir(parents=True, exist_ok=True)
    (asked.output / "results.jsonl").write_text(results.text_of(found), encoding="utf-8")
    _write_pages(found, entries, asked.output)
    print(f"matrix: {asked.output}: {len(found.failures)} failures, {len(found.archives)} archives, {len(lost)} without class", file=sys.stderr)
    return FAILED if lost or stale else OK


def _golden(found: Results, asked: argparse.Namespace, peers: Sequence[Peer], entries: dict[str, Class]) -> None:
    cases = GOLDEN
    names = golden.names_of(peers, cases)
    with tempfile.TemporaryDirectory() as folder:
        run = golden.run(names, cases, asked.case, asked.jobs, asked.keep or Path(folder))
    found.header["implementations"] = [{"name": one.name, "version": one.title} for one in run.implementations]
    golden.add(found, run, entries)


def _writers(
    found: Results, asked: argparse.Namespace, pmproof: Path, peers: Sequence[Peer], wanted: Sequence[Original], classifier: Classifier
) -> None:
    told = survey.writers_of(pmproof, peers, asked.writer)
    found.header["writers"] = [{"name": one.name, "version": one.version, "does": one.does} for one in told]
    found.header["readers"] = readers.readers_of(peers)
    found.header["originals"] = [{"id": one.id, "what": one.what, "command": f"{one.plan} OUT"} for one in wanted]
    done = 0
    for archive in survey.survey(pmproof, peers, wanted, told, classifier, asked.jobs):
        found.archives.append(archive)
        done += 1
        if sys.stderr.isatty():
            print(f"\r{done} archives ", end="", file=sys.stderr, flush=True)


def _write_pages(found: Results, entries: dict[str, Class], folder: Path) -> None:
    for name, module in zip(PAGES, (markdown_page, html_page)):
        (folder / name).write_text(module.render(found, entries), encoding="utf-8")
    if folder == GOLDEN / "matrix":
        table = "".join(f"{line}\n" for line in markdown_page.summary(found, entries))
        _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), table), encoding="utf-8")


def _render(asked: argparse.Namespace) -> int:
    _write_pages(results.load(asked.output / "results.jsonl"), classes.load(GOLDEN / "ledger/ledger.json"), asked.output)
    return OK


def _command(asked: argparse.Namespace) -> str:
    """What makes the run another one; not where it is run and how its results are kept."""
    words = ["qa/dev/matrix/matrix", "run"]
    if asked.only:
        words += ["--only", asked.only]
    for option in ("peer", "case", "original", "writer"):
        words += [word for one in getattr(asked, option) for word in (f"--{option}", one)]
    return shlex.join(words)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="matrix",
        description="Implementations x chapters of the golden cases, and writers x readers of archives, as one matrix (qa/dev/matrix/README.md).",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run it, and write results.jsonl, README.md and matrix.html", epilog=_EPILOG)
    run.set_defaults(does=_run)
    run.add_argument("--only", choices=("golden", "writers"), help="this half alone")
    run.add_argument("--peer", action="append", default=[], metavar="VERSION", help=f"only this PCP ({', '.join(SUITES)})")
    run.add_argument("--case", action="append", default=[], metavar="GLOB", help="only these golden cases")
    run.add_argument("--original", action="append", default=[], metavar="ID", help="only this archive is given to the writers")
    run.add_argument("--writer", action="append", default=[], metavar="GLOB", help="only these writers, such as 'import *'")
    run.add_argument("--jobs", type=positive, default=min(2, os.cpu_count() or 1), metavar="N", help="at a time (default 2)")
    run.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the suite's journal and its own page there")
    render = commands.add_parser("render", help="write README.md and matrix.html again, of results.jsonl")
    render.set_defaults(does=_render)
    for command in (run, render):
        command.add_argument("--output", type=Path, default=GOLDEN / "matrix", metavar="FOLDER", help="of the results (golden/matrix)")
    return parser
