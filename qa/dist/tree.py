# SPDX-License-Identifier: Apache-2.0
"""Files of a package, and how they are written so that the same ones always give the same bytes."""

import gzip
import io
import os
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class File:
    """`executable`: its mode is 0755, else 0644."""

    content: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.executable else 0o644


Tree = Mapping[str, File]  # by path


def gzipped(content: bytes) -> bytes:
    """As `gzip -9n` does: neither time nor name."""
    return gzip.compress(content, 9, mtime=0)


def write_folder(tree: Tree, folder: Path, time: int) -> None:
    """Writes the files into an empty folder. Modes do not depend on the caller's umask."""
    for name, file in sorted(tree.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(file.mode)
        os.utime(path, (time, time))
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            path.chmod(0o755)
            os.utime(path, (time, time))
    folder.chmod(0o755)
    os.utime(folder, (time, time))


def write_tarball(tree: Tree, top: str, path: Path, time: int) -> None:
    """Writes a .tar.gz in which all files are below `top` and belong to root."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        folders = sorted({str(parent) for name in tree for parent in Path(top, name).parents if str(parent) != "."})
        for folder in folders:
            archive.addfile(_member(folder, 0o755, time, tarfile.DIRTYPE))
        for name, file in sorted(tree.items()):
            member = _member(f"{top}/{name}", file.mode, time, tarfile.REGTYPE)
            member.size = len(file.content)
            archive.addfile(member, io.BytesIO(file.content))
    path.write_bytes(gzipped(out.getvalue()))


def _member(name: str, mode: int, time: int, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.mode, member.mtime, member.type = mode, time, kind
    member.uname = member.gname = "root"
    return member
