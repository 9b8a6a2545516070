# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/beside_pcp/agents/run."""

import argparse
import fnmatch
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from qa.beside_pcp.agents import checking, packaged, results
from qa.peers.error import PeerError
from qa.peers.peers import SUITES
from qa.dev.runs import command_line, last_run
from qa.support.arguments import positive
from qa.support.built import built

_README = Path(__file__).with_name("README.md")

_EPILOG = """\
Without --agent all that the packages have are tried. What comes of each goes into results.json and the tables of the
README at once, so that a run can be stopped. Status: 0 done, whatever was found; 2 wrong usage; 3 no peer is there.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.reports:
        options.reports.mkdir(parents=True, exist_ok=True)
    try:
        peers = command_line.sandboxed(options.version or list(SUITES))
    except PeerError as error:
        print(f"run: {error}", file=sys.stderr)
        return 3
    if not peers:
        print("run: no PCP version is there that bubblewrap can run", file=sys.stderr)
        return 3
    pmproof = (options.pmproof or built("//validator:pmproof")).resolve()
    patterns = options.agent or ["*"]
    chosen = [
        (peer, agent)
        for peer in peers
        for agent in packaged.agents_of(peer)
        if any(fnmatch.fnmatch(agent.file, pattern) for pattern in patterns)
    ]
    with ThreadPoolExecutor(options.jobs) as pool:
        running = [
            pool.submit(checking.check, pmproof, *one, seconds=options.timeout, reports=options.reports)
            for one in chosen
        ]
        for done in as_completed(running):
            _record(done.result())
    return 0


def _record(outcome: checking.Outcome) -> None:
    rows = results.replaced(results.load(), outcome)
    results.save(rows)
    _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), results.markdown(rows)), encoding="utf-8")
    print(f"{outcome.version} {outcome.file}: {_told(outcome)}", flush=True)


def _told(outcome: checking.Outcome) -> str:
    if outcome.is_checked:
        failed = " ".join(outcome.failed) or "nothing"
        declared = len(outcome.declared)
        return f"{outcome.passed} passed, {declared} declared, {len(outcome.not_checked)} not checked, failed: {failed}"
    return outcome.why


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run",
        description="Makes `pmproof agent check` on the agents of real PCP's packages.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="append", help="of PCP, such as 6.0.3; may be repeated (default: all)")
    parser.add_argument("--agent", action="append", help="file name or pattern, such as 'pmdas*'; may be repeated")
    parser.add_argument("--jobs", type=positive, default=1, help="agents at once (default: 1)")
    parser.add_argument("--pmproof", type=Path, help="the program (default: it is built)")
    parser.add_argument(
        "--timeout",
        type=positive,
        default=checking.SECONDS_TO_ANSWER,
        metavar="SECONDS",
        help="how long an answer may take (default: %(default)s)",
    )
    parser.add_argument("--reports", type=Path, help="a folder for the whole reports, as JSON")
    return parser
