# SPDX-License-Identifier: Apache-2.0
"""Which archives there are: the names that `pmproof check` would make of the same arguments, found without opening them.

An archive is named by an absolute path, since workers have other working directories. Its stamp changes with the
names, sizes and times of its files: what was checked once is checked again when it is another archive now. That its
files hold what they held is for digests to tell (checking.py).
"""

import bz2
import gzip
import hashlib
import lzma
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

# In the order of ARC-033.
_COMPRESSIONS = (".xz", ".lzma", ".bz2", ".bz", ".gz", ".Z", ".z", ".zst")
_NUMBER = re.compile(r"[ \t\n\v\f\r]*[-+]?[0-9]+", re.ASCII)
_LABEL_LENGTHS = (132, 808)  # of versions 2 and 3 (ARC-100)
_LABEL_MAGIC = bytes([0x50, 0x05, 0x26])  # and the version (ARC-017)


@dataclass(frozen=True)
class Archive:
    """`path` is what pmproof is given; bytes of it that are not UTF-8 are surrogates. `files`: names in its folder, `size` bytes."""

    path: str
    stamp: str
    files: Sequence[str] = field(default=(), compare=False)
    size: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Directory:
    """Archives that readers open as one (ARC-550): `members` are their paths, two or more."""

    path: str
    members: Sequence[str]


@dataclass
class Found:
    """`errors`: arguments that named nothing, directories that could not be read."""

    archives: list[Archive] = field(default_factory=list)
    directories: list[Directory] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def find(arguments: Sequence[str]) -> Found:
    """All archives that the arguments name: archives, any file of one, directories with all below them. Each once."""
    lister = _Lister()
    for argument in arguments:
        lister.add(absolute(argument))
    return lister.found


def absolute(argument: str) -> str:
    """The same archive or directory, wherever one is."""
    if ".." not in argument.split("/"):
        return os.path.abspath(argument)
    # What stands before it may be a link, which is not where its name is.
    folder, name = os.path.split(argument.rstrip("/"))
    return os.path.realpath(argument) if name == ".." else os.path.join(os.path.realpath(folder), name)


def base_and_part(name: str) -> tuple[str, str] | None:
    """A file's name as ARC-037 takes it apart: base name, and "meta", "index" or "volume"."""
    if name.endswith(_COMPRESSIONS):
        name = name.rpartition(".")[0]
    base, dot, part = name.rpartition(".")
    if not dot or not base:
        return None
    if part in ("meta", "index"):
        return base, part
    return (base, "volume") if _NUMBER.fullmatch(part) else None


def _order(name: str) -> bytes:
    return os.fsencode(name)


@dataclass
class _Files:
    """Of one base name in a folder, in their order."""

    entries: list[os.DirEntry[str]] = field(default_factory=list)
    parts: set[str] = field(default_factory=set)


def _by_base(entries: Iterable[os.DirEntry[str]]) -> dict[str, _Files]:
    groups: dict[str, _Files] = {}
    for entry in entries:
        if taken_apart := base_and_part(entry.name):
            base, part = taken_apart
            files = groups.get(base)
            if files is None:
                files = groups[base] = _Files()
            files.entries.append(entry)
            files.parts.add(part)
    return groups


class _Lister:
    def __init__(self) -> None:
        self.found = Found()
        self._seen: dict[str, str] = {}  # what each archive is called
        self._walked: set[str] = set()
        self._listings: dict[str, dict[str, _Files]] = {}

    def add(self, path: str) -> None:
        if os.path.isdir(path):
            self._walk(path)
            return
        folder, base = _resolve(path)
        try:
            files = self._listing(folder).get(base)
        except OSError:
            files = None
        if files:
            self._add_archive(folder, base, files.entries)
        elif os.path.lexists(path):
            self.found.errors.append(f"{path}: has no name of an archive's file (.meta, .index, .0, .1, ...)")
        else:
            self.found.errors.append(f"{path}: no such archive, file or directory")

    def _listing(self, folder: str) -> dict[str, _Files]:
        if folder not in self._listings:
            with os.scandir(folder) as entries:
                self._listings[folder] = _by_base(sorted(entries, key=lambda entry: _order(entry.name)))
        return self._listings[folder]

    def _walk(self, top: str) -> None:
        any_archive = unreadable = False
        pending = [top]
        while pending:
            folder = pending.pop()
            try:
                # By it what is in the folder is looked at without a walk from "/" to there for each.
                opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError as error:
                self.found.errors.append(f"{folder}: {error.strerror}")
                unreadable = True
                continue
            try:
                with os.scandir(opened) as listed:
                    entries = sorted(listed, key=lambda entry: _order(entry.name))
                folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
                others = [entry for entry in entries if not entry.is_dir(follow_symlinks=False)] if folders else entries
                any_archive |= self._add_archives(folder, _by_base(others))
            except OSError as error:
                self.found.errors.append(f"{folder}: {error.strerror}")
                unreadable = True
                continue
            finally:
                os.close(opened)
            pending += [os.path.join(folder, entry.name) for entry in reversed(folders)]
        if not any_archive and not unreadable:
            self.found.errors.append(f"{top}: no archive in this directory")

    def _add_archives(self, folder: str, groups: Mapping[str, _Files]) -> bool:
        any_archive = False
        members: list[str] = []
        for base in sorted(groups, key=_order):
            files = groups[base]
            if self._is_archive(folder, files):
                any_archive = True
                name = self._add_archive(folder, base, files.entries)
                if "meta" in files.parts:
                    members.append(name)
        if len(members) > 1 and folder not in self._walked:
            self._walked.add(folder)
            self.found.directories.append(Directory(folder, tuple(members)))
        return any_archive

    def _is_archive(self, folder: str, files: _Files) -> bool:
        """Also without a .meta file, where the others look like an archive's; a manual page (pmcd.1) does not."""
        if "meta" in files.parts or files.parts == {"index", "volume"}:
            return True
        for file in files.entries:
            try:
                if _begins_like_label(os.path.join(folder, file.name)):
                    return True
            except _CannotLook as error:
                self.found.errors.append(str(error))
        return False

    def _add_archive(self, folder: str, base: str, files: list[os.DirEntry[str]]) -> str:
        """What it is called."""
        path = os.path.join(folder, base)
        if path in self._seen:
            return self._seen[path]
        clear = base_and_part(base) is None or _resolve(path) == (folder, base)
        # Where the base name would stand for another archive, one of its files names it.
        name = self._seen[path] = path if clear else os.path.join(folder, files[0].name)
        stamp, size = _stamp(files)
        self.found.archives.append(Archive(name, stamp, tuple(file.name for file in files), size))
        return name


def _resolve(path: str) -> tuple[str, str]:
    """ARC-038: the directory and the base name of the archive that a path stands for."""
    folder, name = os.path.split(path)
    taken_apart = base_and_part(name)
    if taken_apart and any(os.path.isfile(path + suffix) for suffix in ("", *_COMPRESSIONS)):
        return folder, taken_apart[0]
    return folder, name


def _stamp(files: list[os.DirEntry[str]]) -> tuple[str, int]:
    """And the bytes of all files."""
    known, size = [], 0
    for file in files:
        try:
            status = file.stat()
            text = f"{status.st_size} {status.st_mtime_ns}"
            size += status.st_size
        except OSError:
            text = "?"
        known.append(f"{file.name}\0{text}\0")
    return hashlib.sha256(os.fsencode("".join(known))).hexdigest()[:32], size


class _CannotLook(Exception):
    pass


def _begins_like_label(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        head = _head(path)
    except (OSError, EOFError, lzma.LZMAError):
        return False
    return len(head) == 8 and int.from_bytes(head[:4], "big") in _LABEL_LENGTHS and head[4:7] == _LABEL_MAGIC


def _head(path: str) -> bytes:
    """The first 8 bytes of what a file holds."""
    if path.endswith(".zst"):
        return _head_of_zstd(path)
    if path.endswith((".Z", ".z")):
        return b""  # pmproof reads none of these
    opened: IO[bytes] | lzma.LZMAFile | bz2.BZ2File | gzip.GzipFile
    if path.endswith((".xz", ".lzma")):
        opened = lzma.open(path)
    elif path.endswith((".bz2", ".bz")):
        opened = bz2.open(path)
    elif path.endswith(".gz"):
        opened = gzip.open(path)
    else:
        opened = open(path, "rb")
    with opened:
        return opened.read(8)


def _head_of_zstd(path: str) -> bytes:
    if shutil.which("zstd") is None:
        raise _CannotLook(f"{path}: whether it is an archive's cannot be seen without the program zstd")
    command = ["zstd", "-dcq", "--", path]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as zstd:
        assert zstd.stdout is not None
        head = zstd.stdout.read(8)
        zstd.kill()
    return head
