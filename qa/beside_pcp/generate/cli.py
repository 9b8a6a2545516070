# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/beside_pcp/generate/read_by_pcp."""

import argparse
import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from qa.beside_pcp.generate import archives, survey
from qa.beside_pcp.generate.reading import Outcome
from qa.peers.error import PeerError
from qa.peers.peers import SUITES
from qa.dev.runs import command_line
from qa.support.arguments import positive
from qa.support.built import built

_MOST_FAULTS = 10

_EPILOG = """\
First come one archive of each scenario and version, then as many by chance as are left of ARCHIVES. PCP versions that
were not fetched (qa/peers/peers fetch all) are named and left out. Status: 0 no fault; 1 faults; 2 wrong usage;
3 no PCP version is there.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        peers = command_line.fetched(options.peer or list(SUITES))
    except PeerError as error:
        print(f"read_by_pcp: {error}", file=sys.stderr)
        return 3
    if not peers:
        return 3
    pmproof = options.pmproof or built("//validator:pmproof")
    known = archives.scenarios(pmproof)
    plans = itertools.chain(archives.each_kind(known), archives.by_chance(known, options.seed))
    results = survey.read_all(itertools.islice(plans, options.archives), pmproof, peers, options.jobs)
    lines, refused = survey.summarize(_counted(results, options.archives), _say_faults)
    for one in refused:
        print(f"refused: {one.plan}: {one.refused}", file=sys.stderr)
    print(survey.table(lines))
    print(f"\n{options.archives} calls of generate, {len(refused)} of them refused.")
    return 1 if any(line.faulty for line in lines.values()) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="read_by_pcp",
        description="Generates archives, lets real PCP read them, and compares with OUT.truth.json.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("archives", type=positive, metavar="ARCHIVES", help="how many times to generate")
    parser.add_argument("--seed", type=int, default=1, help="of those by chance (default 1)")
    parser.add_argument("--peer", action="append", metavar="VERSION", help=f"only this one ({', '.join(SUITES)})")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="at a time (default: all cores)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: built by Bazel)")
    return parser


def _counted(results: Iterator[survey.Read], number: int) -> Iterator[survey.Read]:
    """Says how far it is, to a person who waits."""
    for done, result in enumerate(results, start=1):
        if sys.stderr.isatty():
            print(f"\r{done} of {number} ", end="\n" if done == number else "", file=sys.stderr, flush=True)
        yield result


def _say_faults(result: survey.Read, outcome: Outcome) -> None:
    print(f"PCP {outcome.version}, {outcome.archive} of {result.plan}:", file=sys.stderr)
    for fault in outcome.faults[:_MOST_FAULTS]:
        print(f"  {fault}", file=sys.stderr)
    if len(outcome.faults) > _MOST_FAULTS:
        print(f"  and {len(outcome.faults) - _MOST_FAULTS} more", file=sys.stderr)
