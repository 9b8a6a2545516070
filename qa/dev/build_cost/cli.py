# SPDX-License-Identifier: Apache-2.0
"""The command line of build_cost."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from qa.dev.build_cost.headers import include_flags, parse_seconds, precompiled_flags
from qa.dev.build_cost.includes import direct, users
from qa.dev.build_cost.profile import seconds_by_source
from qa.dev.build_cost.table import Cost, Header, table
from qa.dev.runs.last_run import into

_ROOT = Path(__file__).resolve().parents[3]
_README = Path(__file__).with_name("README.md")

# Headers that few files include cost little, however large they are.
_FEWEST_USERS = 10


def _tracked(pattern: str) -> list[str]:
    done = subprocess.run(["git", "ls-files", pattern], cwd=_ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


def _bazel(output: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bazel", f"--output_base={output}", *words], cwd=_ROOT, check=True, text=True,
                          stdout=subprocess.PIPE)


def measure(target: str, jobs: int, output: Path) -> Cost:
    """Builds the target from nothing in that output folder."""
    profile = output.with_name("profile.gz")
    _bazel(output, "build", "--nobuild", target)  # the server's start and the analysis are not the compiler's
    begin = time.monotonic()
    _bazel(output, "build", f"--jobs={jobs}", "--disk_cache=", "--experimental_generate_json_trace_profile",
           f"--profile={profile}", target)
    elapsed = time.monotonic() - begin
    execution_root = Path(_bazel(output, "info", "execution_root").stdout.strip())
    flags = include_flags(execution_root, _ROOT) + precompiled_flags(execution_root, output.parent)
    seconds = seconds_by_source(profile)
    generated = next(execution_root.glob("bazel-out/*/bin"))
    included = direct(_ROOT, _tracked("*.cc") + _tracked("*.h"))
    included |= direct(generated, [source for source in seconds if source not in included])
    counted = users(included, seconds)
    often = {header: count for header, count in counted.items() if count >= _FEWEST_USERS}
    headers = []
    for done, (header, count) in enumerate(sorted(often.items())):
        print(f"\rheaders: {done} of {len(often)}", end="", file=sys.stderr)
        try:
            headers.append(Header(header, count, parse_seconds(header, flags, _ROOT)))
        except subprocess.CalledProcessError:
            print(f"\r{header}: does not compile by itself; left out", file=sys.stderr)
    print("\r", end="", file=sys.stderr)
    return Cost(target, jobs, elapsed, seconds, headers)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="build_cost",
        description="Builds a target from nothing, without any cache, and shows the files and headers that cost most.")
    parser.add_argument("--target", default="//validator:pmproof", help="what to build (default: //validator:pmproof)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at once (default: all cores)")
    parser.add_argument("--most", type=int, default=15, help="rows of each table (default: 15)")
    parser.add_argument("--write", action="store_true", help="put the tables into the README beside this program")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="build_cost."))
    output = folder / "output"
    try:
        cost = measure(given.target, given.jobs, output)
    except subprocess.CalledProcessError as error:
        print(f"build_cost: {' '.join(map(str, error.cmd[:3]))} failed, see above", file=sys.stderr)
        return 1
    finally:
        subprocess.run(["bazel", f"--output_base={output}", "shutdown"], cwd=_ROOT, check=False,
                       stderr=subprocess.DEVNULL)
        subprocess.run(["chmod", "-R", "u+w", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)
    text = table(cost, given.most, date.today())
    print(text, end="")
    if given.write:
        _README.write_text(into(_README.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 0
