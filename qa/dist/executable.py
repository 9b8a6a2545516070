# SPDX-License-Identifier: Apache-2.0
"""The program that goes into packages, and what it needs of the machine that runs it."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from qa.dist.error import DistError

# What each Linux with glibc has.
_EVERYWHERE = re.compile(r"lib[cm]\.so\.6|ld-linux[-.\w]*\.so\.[0-9]+")
_ARCHITECTURES = {"Advanced Micro Devices X86-64": ("x86_64", "amd64"), "AArch64": ("aarch64", "arm64")}


@dataclass(frozen=True)
class Executable:
    """`machine` is Linux's word for it, `architecture` Debian's. `glibc`: the oldest that has all it calls."""

    path: Path
    version: str
    machine: str
    architecture: str
    glibc: tuple[int, int]

    @property
    def glibc_text(self) -> str:
        return ".".join(map(str, self.glibc))


def stripped(program: Path, into: Path) -> Executable:
    """Returns a copy of pmproof without symbols.

    Raises DistError for a program that needs libraries beside libc.
    """
    machine, architecture, glibc = strip(program, into)
    return Executable(into, version_of(into), machine, architecture, glibc)


def strip(program: Path, into: Path) -> tuple[str, str, tuple[int, int]]:
    """Copies any program without symbols. Returns its machine, Debian's word for that, and the oldest glibc.

    Raises DistError for a program that needs libraries beside libc.
    """
    run("strip", "--strip-all", "--remove-section=.comment", f"--output-file={into}", str(program))
    into.chmod(0o755)
    told = run("readelf", "--wide", "--file-header", "--dynamic", "--version-info", str(into))
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", told)
    foreign = [name for name in needed if not _EVERYWHERE.fullmatch(name)]
    if foreign or re.search(r"\((RPATH|RUNPATH)\)", told):
        raise DistError(f"{program} is not self-contained, it needs {', '.join(foreign)}: give the one of //qa/dist")
    versions = {(int(major), int(minor)) for major, minor in re.findall(r"\bGLIBC_([0-9]+)\.([0-9]+)", told)}
    machine = re.search(r"Machine:\s+(.*\S)", told)
    if not versions or machine is None or machine[1] not in _ARCHITECTURES:
        raise DistError(f"{program} is for no machine that is known here")
    return *_ARCHITECTURES[machine[1]], max(versions)


def version_of(program: Path) -> str:
    """Returns what it calls itself."""
    told = re.match(r"pmproof ([0-9.]+) ", run(str(program), "version"))
    if not told:
        raise DistError(f"{program} does not say its version")
    return told[1]


def run(*command: str) -> str:
    """Returns what a command prints.

    Raises DistError with what it complains of.
    """
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise DistError(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise DistError(f"{' '.join(command[:2])} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
