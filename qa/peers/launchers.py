# SPDX-License-Identifier: Apache-2.0
"""Two ways to start a tool of an unpacked peer: bubblewrap, or the peer's own dynamic loader.

With bubblewrap the tool sees the peer as its root file system and of this machine only what was bound. Where user
namespaces are not to be had, compiled tools still run through the peer's loader, on this machine's file system.
"""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from qa.peers.error import PeerError

# Where the tools of PCP and of the system around them are, within a peer's folder.
_TOOL_FOLDERS = ("usr/bin", "usr/sbin", "usr/lib/pcp/bin")

# What belongs to the peer in the sandbox: nothing of this machine can be bound in there.
_OWN_TREES = tuple(map(Path, ("/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/proc", "/dev", "/var/lib")))


@dataclass(frozen=True)
class Job:
    """A command and what it may see; all paths absolute.

    binds are files and folders of this machine, each at its own path, read-only; those of writable are not. A timed
    job's CPU time counts as that of the caller's child; of others the sandbox hides it.
    """

    command: Sequence[str]
    cwd: Path
    binds: Sequence[Path] = ()
    writable: Sequence[Path] = ()
    environment: Mapping[str, str] | None = None
    network: bool = False
    timed: bool = False


class Launcher(Protocol):
    """Makes the argument list that runs a job with the peer in `folder`."""

    @property
    def name(self) -> str: ...

    def argv(self, folder: Path, job: Job) -> list[str]: ...


@dataclass(frozen=True)
class Bubblewrap:
    """The peer's usr, etc and var/lib are the tool's own; its processes end with the caller."""

    program: str
    name: str = "bubblewrap"

    def argv(self, folder: Path, job: Job) -> list[str]:
        argv = [self.program, "--die-with-parent", "--unshare-user", "--uid", "0", "--gid", "0"]
        if not job.timed:
            # With the first process of a namespace of their own all others end; but the caller does not wait for that
            # one, so the kernel does not add up its CPU time for him.
            argv.append("--unshare-pid")
        if not job.network:
            argv.append("--unshare-net")
        for tree in ("/usr", "/etc", "/var/lib"):
            argv += ["--ro-bind", f"{folder}{tree}", tree]
        for link in ("bin", "sbin", "lib", "lib64"):
            argv += ["--symlink", f"usr/{link}", f"/{link}"]
        argv += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/run/pcp"]
        argv += ["--symlink", "/run", "/var/run", "--tmpfs", "/var/tmp", "--dir", "/var/log/pcp"]
        for kind, paths in (("--ro-bind", job.binds), ("--bind", job.writable)):
            for path in paths:
                # The source is resolved, for runfiles of a build are links to places the tool does not see.
                argv += [kind, str(_bindable(path).resolve()), str(path)]
        if not _is_own(job.cwd):
            argv += ["--dir", str(job.cwd), "--chdir", str(job.cwd)]
        argv += ["--clearenv"]
        search = ":".join(f"/{part}" for part in _TOOL_FOLDERS)
        for key, value in _environment(search, job).items():
            argv += ["--setenv", key, value]
        _find_tool(folder, job)
        return [*argv, "--", *job.command]


@dataclass(frozen=True)
class Loader:
    """The peer's loader and both its library folders; `reason` says why it is not bubblewrap.

    Tools see this machine's files as they are: binds mean nothing here, and no file is protected from the tool.
    """

    reason: str
    name: str = "loader"

    def argv(self, folder: Path, job: Job) -> list[str]:
        tool = _find_tool(folder, job)
        with tool.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                raise PeerError(f"{job.command[0]} is a script and needs bubblewrap to run: {self.reason}")
        loaders = sorted([*folder.glob("usr/lib64/ld-linux*.so.*"), *folder.glob("usr/lib/ld-linux*.so.*")])
        if not loaders:
            raise PeerError(f"{folder} has no dynamic loader, and bubblewrap cannot be used: {self.reason}")
        # PCP's own libraries are in usr/lib in some versions: without that, this machine's libpcp would be loaded.
        libraries = f"{folder}/usr/lib/{sysconfig.get_config_var('MULTIARCH')}:{folder}/usr/lib"
        variables = _environment(os.defpath, job) | {"PCP_DIR": str(folder), "PCP_CONF": f"{folder}/etc/pcp.conf"}
        argv = ["/usr/bin/env", "-i", f"--chdir={job.cwd}", *(f"{key}={value}" for key, value in variables.items())]
        argv += [str(loaders[0]), "--inhibit-cache", "--library-path", libraries, "--argv0", job.command[0]]
        return [*argv, str(tool), *job.command[1:]]


def choose(folder: Path) -> Launcher:
    """Bubblewrap if the peer's own `true` runs in it, else the loader."""
    program = shutil.which("bwrap")
    if program is None:
        return Loader("install the package bubblewrap")
    launcher = Bubblewrap(program)
    probe = launcher.argv(folder, Job(["true"], cwd=Path("/")))
    done = subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return launcher
    return Loader(" ".join(done.stderr.split()) or f"bwrap ended with status {done.returncode}")


def _environment(search: str, job: Job) -> dict[str, str]:
    # Nothing of the caller's environment gets in: PCP reads many variables, and results must not depend on them.
    base = {"PATH": search, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/nonexistent"}
    return base | dict(job.environment or {})


def _find_tool(folder: Path, job: Job) -> Path:
    """Where the program of the job's first word is on this machine: the peer's own, or a bound one given by its path.

    Looked for beforehand because the sandbox tells of an absent program with the status of a program that failed.
    """
    if not job.command or not job.command[0]:
        raise PeerError("no tool to run was named")
    word = job.command[0]
    if "/" not in word:
        candidates = [folder / part / word for part in _TOOL_FOLDERS]
    elif _is_own(job.cwd / word):
        candidates = [Path(f"{folder}{job.cwd / word}")]
    else:
        candidates = [job.cwd / word]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise PeerError(f"the peer {folder.name} has no program {word!r}")


def _is_own(path: Path) -> bool:
    return any(path.is_relative_to(tree) for tree in _OWN_TREES)


def _bindable(path: Path) -> Path:
    if not path.exists():
        raise PeerError(f"cannot bind {path}: no such file or folder")
    if _is_own(path) or path == Path("/"):
        raise PeerError(f"cannot bind {path}: the peer has its own there; bind a copy elsewhere")
    return path
