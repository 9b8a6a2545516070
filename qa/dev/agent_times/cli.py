# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/agent_times/run."""

import argparse
import fnmatch
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from qa.dev.agent_times import subjects, times
from qa.dev.agent_times.subjects import Programs, Subject
from qa.dev.runs import last_run
from qa.peers.error import PeerError
from qa.peers.peers import Peer
from qa.support.arguments import positive
from qa.support.built import ROOT, built
from qa.support.signals import Ended, raising

OK, LATE, USAGE = 0, 1, 2
_README = Path(__file__).with_name("README.md")
_BAD_AGENT = ROOT / "validator/agent/testing/bad_agent.py"


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    try:
        with raising(), tempfile.TemporaryDirectory(prefix="agent-times-") as folder:
            Path(folder).chmod(0o755)  # agents run as another user, too (CKA-162)
            return _measured(asked, Path(folder))
    except PeerError as error:
        print(f"run: {error}", file=sys.stderr)
        return USAGE
    except Ended as ended:
        print(f"run: ended by {ended.name}", file=sys.stderr)
        return ended.status


def _measured(asked: argparse.Namespace, folder: Path) -> int:
    programs = Programs(
        (asked.pmproof or built("//validator:pmproof")).resolve(),
        _BAD_AGENT,
        (asked.faulty_agent or built("//generators/agent:faulty_agent_program")).resolve(),
        (asked.libpcp_simple or built("//qa/beside_pcp/agent_bench:libpcp_simple")).resolve(),
    )

    def wanted(name: str) -> bool:
        return not asked.only or any(fnmatch.fnmatch(name, pattern) for pattern in asked.only)

    chosen = [one for one in _subjects(programs, folder, wanted) if wanted(one.name)]
    if not chosen:
        print("run: there is no such agent", file=sys.stderr)
        return USAGE
    machine = f"{os.cpu_count()} processors, a load average of {os.getloadavg()[0]:.1f} before; {asked.times} runs of each."
    print(machine, flush=True)
    timed = []
    for subject in chosen:
        timed.append(times.measure(subject, asked.times))
        print(times.line(timed[-1]), flush=True)
    text = times.table(timed, machine)
    print(text, end="")
    if asked.readme:
        _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), text), encoding="utf-8")
    return LATE if any(one.is_late for one in timed) else OK


def _subjects(programs: Programs, folder: Path, wanted: Callable[[str], bool]) -> Iterator[Subject]:
    yield from subjects.of_bad_agent(programs)
    yield from subjects.of_ours(programs)
    peer = Peer.find("6.0.3")
    if peer is None or peer.launcher.name != "bubblewrap":
        print("run: no C agent of PCP is measured: PCP 6.0.3 is not there, or cannot be run by bubblewrap", file=sys.stderr)
    else:
        yield from subjects.of_pcp(programs, peer, folder)
    yield from subjects.of_faults(programs, folder, wanted)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run",
        description="Measures the wall time of `pmproof agent check` with agents that are silent, hostile or sound.",
        epilog="Status: 0 all within their limits; 1 one is not; 2 wrong usage.",
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="of an agent, or a pattern; may be repeated")
    parser.add_argument("--times", type=positive, default=1, metavar="N", help="runs of each (1)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program (default: it is built)")
    parser.add_argument("--faulty-agent", type=Path, metavar="FILE", help="the program (default: it is built)")
    parser.add_argument("--libpcp-simple", type=Path, metavar="FILE", help="the agent (default: it is built)")
    parser.add_argument("--readme", action="store_true", help="also put the table into the README")
    return parser
