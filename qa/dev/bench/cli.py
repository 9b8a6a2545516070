# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/bench/bench."""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from qa.dev.bench import plots
from qa.dev.bench.archives import Store
from qa.dev.bench.measure import Bystanders, adopt_orphans
from qa.dev.bench.results import Results, Unmeasured
from qa.dev.bench.suite import THEMES, Programs, Scale, Suite
from qa.dev.bench.table import render, to_json
from qa.peers.error import PeerError
from qa.peers.peers import Peer

_ROOT = Path(__file__).resolve().parents[3]
_PAGE = _ROOT / "docs/benchmark.md"
_PICTURES = _ROOT / "docs/images"
_PEER = "6.0.3"
_PROGRAMS = ("make_archive", "repeat_archive", "bare_walk", "encode_bench", "fetch_times", "derive_bench", "derived_times", "agent_bench")
_TARGETS = ("//validator:pmproof", *(f"//qa/dev/bench:{name}" for name in _PROGRAMS))

_EPILOG = f"""\
Without options it installs what is missing, builds, fetches PCP {_PEER} to compare with, makes archives of 256 MB and
1 GB (all in all some 4 GB, kept for the next run) and measures for some minutes; let the machine be quiet meanwhile.
What could not be measured is listed with the reason. "MB" is 10^6 bytes.
Themes: {', '.join(THEMES)}.
Status: 0 measured, whatever the figures; 1 a program failed or found fault with a conformant archive; 2 wrong usage.
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the benchmark and returns its exit status."""
    options = _parser().parse_args(arguments)
    if options.plots:
        for picture in plots.write(_PAGE, _PICTURES):
            print(picture.relative_to(_ROOT))
        return 0
    try:
        if options.bin is None:
            _set_up()
        adopt_orphans()  # after the set-up, whose Bazel server goes on: it must not become a child of ours
        bystanders = Bystanders()
        results = _measure(options)
    except subprocess.CalledProcessError as error:
        print(f"bench: {error}", file=sys.stderr)
        print(error.stderr or "", file=sys.stderr, end="")
        return 1
    except OSError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("bench: interrupted", file=sys.stderr)
        return 130
    machine = _machine(options, bystanders.processors())
    print(render(results, machine, options.format == "markdown"), end="")
    if options.json is not None:
        options.json.write_text(json.dumps(to_json(results, machine), indent=1) + "\n", encoding="utf-8")
    return 1 if results.problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Measures the speed and the memory of pmproof beside PCP's own tools.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Path(tempfile.gettempdir()) / "pmproof-bench"
    parser.add_argument("--folder", type=Path, default=default, metavar="DIR", help=f"for archives ({default})")
    parser.add_argument("--repeat", type=_positive, default=3, metavar="N", help="best of N runs (3)")
    parser.add_argument("--only", type=_themes, default=list(THEMES), metavar="THEME,...", help="measure only these")
    parser.add_argument("--thorough", action="store_true", help="pmlogcheck on archives of 1 GB, recorded ones of 1 GB (12 GB)")
    parser.add_argument("--format", choices=["text", "markdown"], default="text", help="of the tables")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE too")
    parser.add_argument("--plots", action="store_true", help="measure nothing: draw the plots of docs/benchmark.md again, from its tables")
    parser.add_argument(
        "--shrink", type=_shrink, default=1, metavar="N", help="divide sizes by N, to try out the benchmark itself"
    )
    parser.add_argument(
        "--bin", type=Path, metavar="DIR", help="use the programs below DIR, a bazel-bin; set up and build nothing"
    )
    return parser


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _shrink(word: str) -> int:
    number = _positive(word)
    if number > 100:
        raise argparse.ArgumentTypeError("at most 100: smaller archives say nothing")
    return number


def _themes(word: str) -> list[str]:
    names = word.split(",")
    for name in names:
        if name not in THEMES:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(THEMES)}")
    return [name for name in THEMES if name in names]


def _set_up() -> None:
    subprocess.run([_ROOT / "qa/setup", "--bench"], check=True)
    subprocess.run([_ROOT / "qa/dev/bazel/run_bazel", "build", *_TARGETS], check=True)
    # Without it (no network) all else is still measured, and the tables say why there is nothing to compare with.
    subprocess.run([_ROOT / "qa/peers/peers", "fetch", _PEER], stdout=sys.stderr, check=False)


def _measure(options: argparse.Namespace) -> Results:
    built = options.bin if options.bin is not None else _ROOT / "bazel-bin"
    bench = built / "qa/dev/bench"
    pmproof = built / "validator/pmproof"
    programs = Programs(
        pmproof,
        bench / "bare_walk",
        bench / "encode_bench",
        bench / "fetch_times",
        bench / "derive_bench",
        bench / "derived_times",
        bench / "agent_bench",
        _find_peer(),
    )
    for program in (pmproof, *(bench / name for name in _PROGRAMS)):
        if not os.access(program, os.X_OK):
            raise FileNotFoundError(f"no program {program}")
    store = Store(options.folder.absolute(), bench / "make_archive", bench / "repeat_archive", _say)
    suite = Suite(programs, store, Scale(options.shrink, options.repeat, options.thorough), _say)
    for theme in options.only:
        THEMES[theme](suite)
    return suite.results


def _find_peer() -> Peer | Unmeasured:
    try:
        peer = Peer.find(_PEER)
    except PeerError as error:
        return Unmeasured(str(error))
    return peer if peer is not None else Unmeasured(f"PCP {_PEER} is not there: qa/peers/peers fetch {_PEER}")


def _machine(options: argparse.Namespace, others: float) -> dict[str, str]:
    cores = len(os.sched_getaffinity(0))
    busy = ": elapsed times mean little" if others > 0.2 else ""
    machine = {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{_processor()}, {cores} core{'s' if cores != 1 else ''}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "others": f"kept {others:.1f} processors busy meanwhile{busy}",
        "runs": f"best of {options.repeat}",
    }
    if options.shrink > 1:
        machine["inputs"] = f"shrunk {options.shrink} times: the figures say little"
    return machine


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _say(line: str) -> None:
    print(f"bench: {line}", file=sys.stderr, flush=True)
