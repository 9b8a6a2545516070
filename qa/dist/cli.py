# SPDX-License-Identifier: Apache-2.0
"""qa/dist/build: packages from the tree, without a network."""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from qa.dist import debian, development, install, notices, wheel
from qa.dist.error import DistError
from qa.dist.executable import Executable, strip, stripped
from qa.dist.tree import write_tarball

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("wheel", "deb", "tar", "dev")


@dataclass(frozen=True)
class Programs:
    """What Bazel makes. `expressions` is what the suite explores derived metrics with; `library` a folder (library.bzl)."""

    pmproof: Path
    expressions: Path
    library: Path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="qa/dist/build", description="Makes packages of pmproof.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"what to make: {', '.join(KINDS)} (default: all)")
    parser.add_argument("--output", type=Path, default=Path("dist"), metavar="DIR", help="where to put them (default: dist)")
    parser.add_argument("--pmproof", type=Path, metavar="FILE", help="the program, in place of //qa/dist:pmproof built now")
    parser.add_argument("--expressions", type=Path, metavar="FILE", help="as --pmproof, of //qa/dist:expressions")
    parser.add_argument("--library", type=Path, metavar="DIR", help="as --pmproof, of //qa/dist:library")
    parser.add_argument("--source", type=Path, default=ROOT, metavar="DIR", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    unknown = [kind for kind in given.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"{unknown[0]} is none of {', '.join(KINDS)}")
    made = [path for path in (given.pmproof, given.expressions, given.library) if path is not None]
    if len(made) not in (0, 3):
        parser.error("--pmproof, --expressions and --library go together")
    try:
        programs = Programs(*made) if made else built()
        for path in build(given.source, programs, given.kinds or list(KINDS), given.output, epoch(given.source)):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            print(f"{path}  {path.stat().st_size / 1e6:.1f} MB  sha256 {digest}")
    except (DistError, OSError) as error:
        print(f"qa/dist/build: {error}", file=sys.stderr)
        return 1
    return 0


def build(source: Path, programs: Programs, kinds: list[str], output: Path, time: int) -> list[Path]:
    """Returns the packages that were made in `output`. The same programs and sources at the same `time` give the same bytes.

    Raises DistError.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pmproof-dist-") as temporary:
        executable = stripped(programs.pmproof, Path(temporary, "pmproof"))
        made = []
        if "wheel" in kinds:
            made.append(wheel.make(source / "qa/python", executable, notices.notices(source / "LICENSE"), output, time))
        if "deb" in kinds or "tar" in kinds:
            strip(programs.expressions, Path(temporary, "expressions"))
            program = install.program(source, executable, time)
            cases = install.suite(source, executable, Path(temporary, "expressions"), time)
            if "deb" in kinds:
                made.append(debian.make(debian.pmproof(executable), program, executable, output, time))
                made.append(debian.make(debian.suite(executable), cases, executable, output, time))
            if "tar" in kinds:
                made.append(output / f"{_top(executable)}.tar.gz")
                write_tarball({**program, **cases}, _top(executable), made[-1], time)
        if "dev" in kinds:
            made.append(output / f"{_top(executable, 'dev-')}.tar.gz")
            tree = development.files(source, programs.library, executable.version)
            write_tarball(tree, _top(executable, "dev-"), made[-1], time)
    return made


def built() -> Programs:
    """Builds the programs that need libc alone, and the library."""
    names = ("pmproof", "expressions", "library")
    subprocess.run([ROOT / "qa/dev/bazel/run_bazel", "build", *(f"//qa/dist:{name}" for name in names)], check=True)
    return Programs(*(ROOT / "bazel-bin/qa/dist" / name for name in names))


def epoch(source: Path) -> int:
    """The time that all files get: $SOURCE_DATE_EPOCH, or that of the last commit.

    Raises DistError.
    """
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        if not given.isdecimal():
            raise DistError(f"SOURCE_DATE_EPOCH={given} is no number of seconds")
        return int(given)
    command = ["git", "-C", str(source), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DistError("which time do the files get? set SOURCE_DATE_EPOCH, for this is no clone with git")
    return int(done.stdout)


def _top(executable: Executable, what: str = "") -> str:
    return f"pmproof-{executable.version}-{what}linux-{executable.machine}"
