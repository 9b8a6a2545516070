# SPDX-License-Identifier: Apache-2.0
"""The archives that are measured with: made when they are asked for, and kept for the next run."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.dev.bench.recorded import Recorded, source_of
from qa.dev.bench.results import MEGABYTE, Unmeasured


@dataclass(frozen=True)
class Compression:
    """A way to compress the files of an archive. `compress` and `decompress` write to standard output."""

    suffix: str
    compress: tuple[str, ...]
    decompress: tuple[str, ...]


# By the name of the variant. Two of xz: blocks that can be read by themselves, and one single block with the
# dictionary, and so the memory for reading it, of xz without options (which would take minutes to write it).
COMPRESSIONS = {
    "xz": Compression("xz", ("xz", "-1", "-T2", "--block-size=10MiB", "-c"), ("xz", "-T1", "-dc")),
    "xz-single": Compression("xz", ("xz", "--lzma2=preset=1,dict=8MiB", "-T1", "-c"), ("xz", "-T1", "-dc")),
    "gz": Compression("gz", ("gzip", "-c"), ("gzip", "-dc")),
    "bz2": Compression("bz2", ("bzip2", "-c"), ("bzip2", "-dc")),
    "zst": Compression("zst", ("zstd", "-q", "-c"), ("zstd", "-q", "-dc")),
}


@dataclass(frozen=True)
class Wanted:
    """An archive to make: a kind of make_archive, sized in bytes or in what the kind counts."""

    kind: str
    version: int
    amount: int
    by_bytes: bool = False

    @property
    def name(self) -> str:
        """Its base name, such as host-v3-256MB or marks-v2-100000."""
        million, rest = divmod(self.amount, 1_000_000)
        size = f"{million}MB" if self.by_bytes and not rest else str(self.amount)
        return f"{self.kind}-v{self.version}-{size}"


@dataclass(frozen=True)
class Archive:
    """An archive that is there. `size` is in bytes of its files, uncompressed; `made` what make_archive counted."""

    base: Path
    size: int
    made: dict[str, int]
    digest: str
    suffix: str = ""
    volumes: int = 1

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def volume(self) -> Path:
        return Path(f"{self.base}.0{self.suffix}")

    @property
    def all_volumes(self) -> list[Path]:
        return [Path(f"{self.base}.{number}{self.suffix}") for number in range(self.volumes)]

    @property
    def meta(self) -> Path:
        return Path(f"{self.base}.meta{self.suffix}")

    def warm(self) -> None:
        """Reads the files once, so that the first to be timed does not wait for the disk."""
        for path in (*self.all_volumes, self.meta):
            with path.open("rb") as file:
                while file.read(1 << 22):
                    pass


class Store:
    """A folder of archives. What was made by another make_archive, or not to its end, is made again."""

    def __init__(self, folder: Path, maker: Path, repeater: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self._maker = maker
        self._repeater = repeater
        self._say = say
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, wanted: Wanted) -> Archive:
        """The archive, made if need be. Raises subprocess.CalledProcessError or OSError."""
        base = self.folder / wanted.name
        amount = f"--{'bytes' if wanted.by_bytes else 'count'}={wanted.amount}"
        return self._made(base, self._maker, ["--kind", wanted.kind, f"--version={wanted.version}", amount])

    def repeated(self, recorded: Recorded, size: int) -> Archive | Unmeasured:
        """A recorded archive, repeated until it has that many bytes. Raises as get() does."""
        source = source_of(recorded)
        if isinstance(source, Unmeasured):
            return source
        base = self.folder / f"recorded-{recorded.name}-{size // MEGABYTE}MB"
        arguments = [f"--bytes={size}", f"--volumes={recorded.volumes}", str(source)]
        return self._made(base, self._repeater, arguments, recorded.volumes)

    def _made(self, base: Path, program: Path, arguments: list[str], volumes: int = 1) -> Archive:
        record = _read_record(base)
        maker = hashlib.blake2b(program.read_bytes()).hexdigest()
        if record is None or record["maker"] != maker or record["arguments"] != arguments:
            self._say(f"making {base.name}")
            _forget(base)
            done = subprocess.run([program, *arguments, base], capture_output=True, text=True, check=True)
            numbers = (str(number) for number in range(volumes))
            files = [Path(f"{base}.{part}") for part in (*numbers, "meta", "index")]
            record = {
                "maker": maker,
                "arguments": arguments,
                "made": json.loads(done.stdout),
                "size": sum(path.stat().st_size for path in files),
                "digest": _digest(files),
            }
            _write_record(base, record)
        return Archive(base, record["size"], record["made"], record["digest"], volumes=volumes)

    def compressed(self, archive: Archive, method: str) -> Archive | Unmeasured:
        """The archive with .0 and .meta compressed; .index stays plain."""
        compression = COMPRESSIONS[method]
        if shutil.which(compression.compress[0]) is None:
            return Unmeasured(f"{compression.compress[0]} is not installed")
        base = Path(f"{archive.base}-{method}")
        suffix = f".{compression.suffix}"
        record = _read_record(base)
        command = list(compression.compress)
        if record is None or record["digest"] != archive.digest or record["command"] != command:
            self._say(f"making {base.name}")
            _forget(base)
            for part in ("0", "meta"):
                with open(f"{base}.{part}{suffix}", "wb") as out:
                    subprocess.run([*command, f"{archive.base}.{part}"], stdout=out, check=True)
            shutil.copyfile(f"{archive.base}.index", f"{base}.index")
            _write_record(base, {"digest": archive.digest, "command": command})
        return Archive(base, archive.size, archive.made, archive.digest, suffix)


def _record_path(base: Path) -> Path:
    return Path(f"{base}.made.json")


def _read_record(base: Path) -> dict[str, Any] | None:
    try:
        record = json.loads(_record_path(base).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def _write_record(base: Path, record: dict[str, Any]) -> None:
    # Last and at once: a folder that was left halfway has no record.
    draft = Path(f"{base}.made.tmp")
    draft.write_text(json.dumps(record), encoding="utf-8")
    os.replace(draft, _record_path(base))


def _forget(base: Path) -> None:
    _record_path(base).unlink(missing_ok=True)


def _digest(files: list[Path]) -> str:
    digest = hashlib.blake2b()
    for path in files:
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()
