# SPDX-License-Identifier: Apache-2.0
"""Archives that are stored as differences from another one (golden/schema/packed.schema.json): hundreds of small inputs
in one file, each of which a person can read. Whoever uses the cases gets plain files."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = "packed-*.json"

Files = dict[str, bytes]  # by name
Json = dict[str, Any]


class BrokenPack(Exception):
    """What comes out is not what was put in."""


def digest_of(files: Mapping[str, bytes]) -> str:
    """Over names and bytes."""
    found = hashlib.sha256()
    for name, content in sorted(files.items()):
        found.update(f"{name} {len(content)}\n".encode() + content)
    return found.hexdigest()


def difference(base: bytes, content: bytes) -> list[list[Any]]:
    """Places of `base`, in descending order: offset, how many bytes are taken out, the bytes put in."""
    head = 0
    while head < min(len(base), len(content)) and base[head] == content[head]:
        head += 1
    tail = 0
    while tail < min(len(base), len(content)) - head and base[-1 - tail] == content[-1 - tail]:
        tail += 1
    before, after = base[head : len(base) - tail], content[head : len(content) - tail]
    if len(before) != len(after):
        return [[head, len(before), after.hex()]]
    # Of equal length: each word that differs, for themselves.
    found: list[list[Any]] = []
    for at in range(0, len(before), 4):
        if before[at : at + 4] != after[at : at + 4]:
            if found and found[-1][0] + found[-1][1] == head + at:
                found[-1][1] += len(before[at : at + 4])
                found[-1][2] += after[at : at + 4].hex()
            else:
                found.append([head + at, len(before[at : at + 4]), after[at : at + 4].hex()])
    return found[::-1]


def pack(base: Mapping[str, bytes], files: Mapping[str, bytes]) -> Json:
    """How `files` differ from `base`: null for a file that is not there; else what it is like, and the places where it
    is not, or all of its bytes."""
    told: Json = {}
    for name in sorted({*base, *files}):
        if name not in files:
            told[name] = None
        elif base.get(name) != files[name]:
            whole = files[name].hex()
            likes = {like: difference(base[like], files[name]) for like in ([name] if name in base else base)}
            like = min(likes, key=lambda one: len(json.dumps(likes[one])), default=None)
            is_shorter = like is not None and len(json.dumps(likes[like])) < len(whole)
            told[name] = {"like": like, "changes": likes[like]} if like is not None and is_shorter else whole
    return {"files": told, "sha256": digest_of(files)}


def unpack(base: Mapping[str, bytes], told: Json) -> Files:
    """Raises BrokenPack."""
    files = dict(base)
    for name, changes in told["files"].items():
        if changes is None:
            files.pop(name, None)
        elif isinstance(changes, str):
            files[name] = bytes.fromhex(changes)
        else:
            content = bytearray(base[changes["like"]])
            for offset, size, put in changes["changes"]:
                content[offset : offset + size] = bytes.fromhex(put)
            files[name] = bytes(content)
    if digest_of(files) != told["sha256"]:
        raise BrokenPack("the digest is another")
    return files


def files_in(folder: Path) -> Files:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


@dataclass(frozen=True)
class _Unpacked:
    """An archive of a packed file: the name of its folder, its files, and which of them are as in the archive that it is
    packed by."""

    name: str
    files: Files
    of: Path  # from the packed file's folder
    as_there: frozenset[str]


def _unpacked(path: Path) -> Iterator[_Unpacked]:
    """Raises BrokenPack."""
    told = json.loads(path.read_text(encoding="utf-8"))
    bases: dict[str, Files] = {}
    for name, one in told["inputs"].items():
        if one["of"] not in bases:
            bases[one["of"]] = files_in(path.parent / one["of"])
        try:
            files = unpack(bases[one["of"]], one)
        except BrokenPack as error:
            raise BrokenPack(f"{path}: {name}: {error}") from error
        same = frozenset(file for file in files if file not in one["files"])
        yield _Unpacked(name, files, Path(one["of"]), same)


def inputs_of(path: Path) -> Iterator[tuple[str, Files]]:
    """The archives of a packed file, each with the name of its folder. Raises BrokenPack."""
    return ((one.name, one.files) for one in _unpacked(path))


def unpack_all(root: Path, to: Path, wanted: Container[Path] | None = None) -> None:
    """Puts the archives of all packed files below `root` where they would be below `to`, or those of them whose folders there
    are `wanted`. Files that are as in the archive that they are packed by are links to it where it is there: nobody writes to
    inputs. Raises BrokenPack."""
    for path in sorted(root.rglob(NAMES)):
        beside = to / path.parent.relative_to(root)
        for one in _unpacked(path):
            folder = beside / one.name
            if wanted is not None and folder not in wanted:
                continue
            folder.mkdir(parents=True)
            for file, content in one.files.items():
                same = beside / one.of / file
                if file in one.as_there and same.is_file():
                    (folder / file).hardlink_to(same)
                else:
                    (folder / file).write_bytes(content)


def is_packed(root: Path) -> bool:
    return any(True for _ in root.rglob(NAMES))


@dataclass(frozen=True)
class Copy:
    """A folder of cases; inputs that are packed in `root` are in `folder` once they are unpacked."""

    root: Path
    folder: Path

    def unpack(self, wanted: Container[Path] | None = None) -> None:
        """Once. All inputs, or the folders that are `wanted`, below `folder`. Raises BrokenPack."""
        if self.folder != self.root:
            unpack_all(self.root, self.folder, wanted)


@contextmanager
def copied(root: Path) -> Iterator[Copy]:
    """The folder itself where nothing in it is packed."""
    if not is_packed(root):
        yield Copy(root, root)
        return
    with tempfile.TemporaryDirectory(prefix="pmproof-cases-") as folder:
        copy = Path(folder).resolve() / root.resolve().name
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns(NAMES))
        yield Copy(root, copy)


@contextmanager
def plain(root: Path) -> Iterator[Path]:
    """The folder itself, or a copy in which all inputs are plain files. Raises BrokenPack."""
    with copied(root) as copy:
        copy.unpack()
        yield copy.folder
