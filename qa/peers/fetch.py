# SPDX-License-Identifier: Apache-2.0
"""Makes a peer's folder: Debian's packages of one suite, unpacked, with nothing installed or started."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from qa.peers.error import PeerError
from qa.peers.peers import RECORD, Peer, default_root
from qa.peers.private_apt import (
    Mirror, PrivateApt, UnknownKeyError, find_mirrors, machine_keyrings, native_architecture, newer_keyring, run_tool,
)  # fmt: skip

# PCP, and around it what its scripts call and what an installed system would have; its tools know the decompressors
# and time zones by name only. passwd spares the whole of systemd, which is the other way to satisfy a dependency.
_PACKAGES = (
    "pcp python3-pcp coreutils dash bash grep sed gawk hostname findutils procps libc-bin perl-base passwd "
    "tzdata xz-utils gzip bzip2 zstd"
).split()

# Documents are of no use here. Headers and sources, of PCP's agents too, are not to be looked at: they stay packed.
_LEFT_OUT = (
    "./usr/share/doc", "./usr/share/man", "./usr/share/locale", "./usr/share/lintian", "./usr/include",
    "*.[ch]", "*.cpp", "*.[ly]", "*akefile",
)  # fmt: skip

# Packages older than the merged /usr bring folders of these names.
_MERGED = ("bin", "sbin", "lib", "lib64")

# What post-installation scripts would have made, as far as PCP's tools ask for it.
_FILES = {
    "etc/passwd": "root:x:0:0:root:/nonexistent:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/sh\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
}


def fetch(
    suite: str,
    root: Path | None = None,
    say: Callable[[str], None] = lambda line: None,
    apt_options: Sequence[str] = (),
) -> Peer:
    """The suite's peer, which is made first if it is not there.

    Safe to interrupt and to call twice at the same time: a folder appears complete or not at all.

    Args:
      suite: Debian's name of it, as in peers.SUITES.
      root: the folder of all peers.
      say: is told what goes on, a line at a time.
      apt_options: are handed to apt-get.
    Raises PeerError.
    """
    root = root or default_root()
    if peer := Peer.of_suite(suite, root):
        return peer
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _locked(root / f".{suite}.lock"):
            if peer := Peer.of_suite(suite, root):
                return peer
            if (root / suite).exists():
                raise PeerError(f"{root / suite} is there but is not a peer: remove it")
            for leftover in root.glob(f".{suite}.*.partial"):
                shutil.rmtree(leftover)
            with tempfile.TemporaryDirectory(prefix=f".{suite}.", suffix=".partial", dir=root) as partial:
                _make(suite, Path(partial), say, apt_options)
                (Path(partial) / suite).rename(root / suite)
    except OSError as error:
        raise PeerError(f"cannot make the peer in {root}: {error}") from error
    peer = Peer.of_suite(suite, root)
    if peer is None:
        raise PeerError(f"{root / suite} was removed meanwhile")
    return peer


def _make(suite: str, work: Path, say: Callable[[str], None], apt_options: Sequence[str]) -> None:
    say(f"getting PCP's packages of Debian {suite}")
    packages = download(suite, work / "download", apt_options)
    say(f"unpacking {len(packages)} packages")
    folder = work / suite
    unpack(packages, folder)
    run_tool(["ldconfig", "-r", str(folder)], "list the peer's libraries")
    versions = dict(package.name.split("_")[:2] for package in packages)
    record = {
        "suite": suite,
        "version": Peer.at(folder).version,
        "architecture": native_architecture(),
        "bytes": sum(entry.lstat().st_size for entry in folder.rglob("*")),
        "packages": {name: version.replace("%3a", ":") for name, version in versions.items()},
    }
    (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def download(suite: str, work: Path, apt_options: Sequence[str] = ()) -> list[Path]:
    """Gets the package files of a peer into the new folder `work`, from the first mirror that is truly Debian's."""
    mirrors = find_mirrors(apt_options)
    if not mirrors:
        raise PeerError("this machine's apt sources name no mirror of Debian (component main) to get packages from")
    if not machine_keyrings():
        raise PeerError("this machine has no keys of Debian's archive: install the package debian-archive-keyring")
    failures = []
    for number, mirror in enumerate(mirrors):
        try:
            return _download_from(mirror, suite, work / str(number), apt_options)
        except PeerError as failure:
            failures.append(failure)
    raise failures[0]


def _download_from(mirror: Mirror, suite: str, work: Path, apt_options: Sequence[str]) -> list[Path]:
    def attempt(name: str, keyrings: Sequence[Path]) -> list[Path]:
        folder = work / name
        folder.mkdir(parents=True)
        return PrivateApt(folder, mirror.uri, suite, keyrings, apt_options).download(_PACKAGES)

    try:
        return attempt("first", machine_keyrings())
    except UnknownKeyError:
        return attempt("second", newer_keyring(work / "keyring", mirror, apt_options))


def unpack(packages: Sequence[Path], folder: Path) -> None:
    """Unpacks package files into a new folder that a tool can have as its root; no maintainer script is run."""
    for name in _MERGED:
        (folder / "usr" / name).mkdir(parents=True)
        (folder / name).symlink_to(f"usr/{name}")
    # Set-user-ID programs have no place in a cache folder: these are this user's files with plain permissions.
    tar = ["tar", "-x", "-C", str(folder), "--no-same-owner", "--no-same-permissions", "--keep-directory-symlink"]
    tar += [f"--exclude={pattern}" for pattern in _LEFT_OUT]
    for package in packages:
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as dpkg:
            done = subprocess.run(tar, stdin=dpkg.stdout, capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0 or dpkg.returncode != 0:
            raise PeerError(f"cannot unpack {package.name}: {' '.join(done.stderr.split()) or 'dpkg-deb failed'}")
    _keep_links_inside(folder)
    if not (folder / "usr/bin/awk").exists():
        (folder / "usr/bin/awk").symlink_to("gawk")
    for name, content in _FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "var/lib").mkdir(parents=True, exist_ok=True)


def _keep_links_inside(folder: Path) -> None:
    """Makes absolute links relative: without a sandbox they would lead to this machine's files, even its loader."""
    for path in folder.rglob("*"):
        if path.is_symlink() and (target := path.readlink()).is_absolute():
            path.unlink()
            path.symlink_to(os.path.relpath(f"{folder}{target}", path.parent))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
