# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/beside_pcp/agent_bench/run."""

import argparse
import fnmatch
import sys
from collections.abc import Sequence
from pathlib import Path

from qa.beside_pcp.agent_bench import measuring
from qa.dev.runs import command_line, last_run
from qa.peers.error import PeerError
from qa.support.built import built

_README = Path(__file__).with_name("README.md")


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        peers = command_line.sandboxed(options.version or ["6.0.3", "7.2"])
    except PeerError as error:
        print(f"run: {error}", file=sys.stderr)
        return 3
    if not peers:
        print("run: no PCP version is there that bubblewrap can run", file=sys.stderr)
        return 3
    pmproof = (options.pmproof or built("//validator:pmproof")).resolve()
    programs = {
        measuring.LIBRARY: (options.libpcp_simple or built("//qa/beside_pcp/agent_bench:libpcp_simple")).resolve(),
        measuring.FLOOR: (options.bare_pipe or built("//qa/beside_pcp/agent_bench:bare_pipe")).resolve(),
    }
    known = [*programs, *(agent.file for agent in measuring.PACKAGED)]
    chosen = [name for name in known if any(fnmatch.fnmatch(name, pattern) for pattern in options.agent or ["*"])]
    pairs: list[measuring.Pair] = []
    for peer in peers:
        for name in chosen:
            try:
                pairs += measuring.measure(
                    pmproof, programs, peer, name, ["--duration", str(options.duration), *measuring.plan(name)]
                )
            except measuring.MeasureError as error:
                print(f"run: {error}", file=sys.stderr, flush=True)
    table = measuring.markdown(pairs)
    print(table, end="")
    if options.readme:
        _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 0 if pairs else 3


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run",
        description="Measures pmproof's simple beside agents of real PCP by `pmproof agent bench`.",
        epilog="Status: 0 measured; 2 wrong usage; 3 no peer is there, or nothing could be measured.",
    )
    versions = "of PCP, such as 6.0.3; may be repeated (default: 6.0.3 and 7.2)"
    parser.add_argument("--version", action="append", help=versions)
    agents = "libpcp_pmda, bare_pipe, a file name or a pattern; may be repeated"
    parser.add_argument("--agent", action="append", help=agents)
    parser.add_argument("--duration", type=float, default=2.0, metavar="SECONDS", help="for each line (default: 2)")
    parser.add_argument("--pmproof", type=Path, help="the program (default: it is built)")
    parser.add_argument("--libpcp-simple", type=Path, help="the agent (default: it is built)")
    parser.add_argument("--bare-pipe", type=Path, help="the floor (default: it is built)")
    parser.add_argument("--readme", action="store_true", help="also put the table into the README")
    return parser
