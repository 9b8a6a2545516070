# SPDX-License-Identifier: Apache-2.0
"""Disks that fail, and files that grow, are cut, rotated and replaced while they are read."""

import errno
import os
import random
import threading
import time
from collections import Counter
from pathlib import Path

from qa.dev.attack.program import Outcome, faults_of, run, shown
from qa.dev.attack.setting import Clock, Setting, emptied
from validator.testing import small_archive

_CALLS = ("open", "mmap", "read", "fstat")
_ERRORS = (errno.EIO, errno.EACCES, errno.ENOMEM, errno.ESTALE, errno.EINTR)
_MOST_CALLS = 12  # of one kind and file, that a command makes
_METRIC = small_archive.pmid(60, 0, 1)


def readers(base: Path, out: Path) -> list[list[str]]:
    """A command line of each command that reads archives."""
    profiles = ["--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2", "--interval", "1s"]
    return [
        ["check", "--format", "json", f"{base}"],
        ["check", "--set", f"{base.parent}"],
        ["check", "--against", f"{base}", f"{base}"],
        ["triage", "--format", "json", f"{base.parent}"],
        ["certify", "--root", f"{base.parent}", "--output", "-", f"{base}"],
        ["info", f"{base}"],
        ["metrics", f"{base}"],
        ["dump", f"{base}"],
        ["replay", "--metric", "a.b", f"{base}"],
        ["replay", "--raw", "--metric", "a.b", f"{base}"],
        ["replay", "--emulate", "7.2.2", "--metric", "a.b", f"{base}"],
        ["rules", "diff", *profiles, f"{base}"],
        ["derive", "--archive", f"{base}", "x.y = a.b"],
        ["rewrite", "--force", f"{base}", f"{out}/new"],
        ["rewrite", "--force", "--archive-version", "3", f"{base}", f"{out}/new"],
        ["salvage", "--force", f"{base}", f"{out}/new"],
        ["mutate", "--force", "--rule", "ARC-1104", f"{base}", f"{out}/new"],
        ["shrink", "--force", "--rule", "ARC-1928", "--budget", "1", f"{base}", f"{out}/new"],
    ]


def _records(begin: int, count: int) -> list[bytes]:
    return [small_archive.result(small_archive.START + at, {_METRIC: {-1: at}}) for at in range(begin, begin + count)]


def make(base: Path, records: int) -> None:
    small_archive.write(base, [small_archive.desc(_METRIC, [b"a.b"])], [_records(0, records)])


def errors(setting: Setting) -> Outcome:
    outcome = Outcome("read errors: opening, mapping, reading and asking fail, one after the other, in each command that reads")
    clock = Clock(setting.seconds)
    base = emptied(setting.folder / "in") / "a"
    make(base, 3000)
    out = emptied(setting.folder / "out")
    statuses: Counter[int] = Counter()
    for words in readers(base, out):
        for file in ("a.0", "a.meta", "a.index"):
            for call in _CALLS:
                _fail(setting, words, file, call, outcome, statuses)
    outcome.figures.append(", ".join(f"status {status}: {count}" for status, count in sorted(statuses.items())))
    outcome.seconds = clock.spent()
    return outcome


def _fail(setting: Setting, words: list[str], file: str, call: str, outcome: Outcome, statuses: Counter[int]) -> None:
    """Each of the calls in turn, until there is none more."""
    for at in range(1, setting.count(_MOST_CALLS) + 1):
        number = setting.chance.choice(_ERRORS if call != "fstat" else (errno.EIO, errno.ESTALE))
        shim = {"LD_PRELOAD": str(setting.failing_reads), "FAIL_FILE": f"/{file}", "FAIL_CALL": call}
        done = run(setting.program, words, env={**shim, "FAIL_AT": str(at), "FAIL_ERROR": str(number)})
        outcome.runs += 1
        statuses[done.status] += 1
        outcome.take(faults_of(done, "json" if "json" in words else None, (0, 1, 2, 3, 4, 6)))
        if done.status in (0, 1) and b"pmproof: " not in done.err and at > 2:
            return


def moving(setting: Setting) -> Outcome:
    outcome = Outcome("files that grow, are cut, rotated, replaced and removed while they are read")
    clock = Clock(setting.seconds)
    place = emptied(setting.folder / "in")
    base = place / "a"
    out = emptied(setting.folder / "out")
    statuses: Counter[int] = Counter()
    mover = _Mover(base, random.Random(setting.chance.random()))
    with mover:
        while clock.left() or outcome.runs < setting.count(40):
            for words in readers(base, out):
                done = run(setting.program, words)
                outcome.runs += 1
                statuses[done.status] += 1
                outcome.take(faults_of(done, "json" if "json" in words else None, (0, 1, 2, 3, 4, 6)))
                left = [file.name for file in out.iterdir() if file.name.startswith(".pmproof-")]
                if left:
                    outcome.problems.append(f"{shown(words)}: left {left}")
    outcome.figures.append(f"{mover.moves} changes of the files meanwhile")
    outcome.figures.append(", ".join(f"status {status}: {count}" for status, count in sorted(statuses.items())))
    outcome.seconds = clock.spent()
    return outcome


class _Mover:
    """A writer that is never at rest, in a thread of its own."""

    def __init__(self, base: Path, chance: random.Random) -> None:
        self.moves = 0
        self._base = base
        self._chance = chance
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self._volume = base.with_name(base.name + ".0")
        make(base, 4000)

    def __enter__(self) -> "_Mover":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _work(self) -> None:
        moves = (self._append, self._append, self._append, self._cut, self._rotate, self._replace, self._remove)
        while not self._ended.is_set():
            try:
                self._chance.choice(moves)()
            except FileNotFoundError:
                make(self._base, 4000)
            self.moves += 1
            time.sleep(self._chance.uniform(0, 0.01))

    def _append(self) -> None:
        content = b"".join(_records(4000 + self.moves, 50))
        with open(self._volume, "ab") as out:
            out.write(content[: self._chance.randint(1, len(content))])

    def _cut(self) -> None:
        os.truncate(self._volume, self._chance.randint(0, self._volume.stat().st_size))

    def _rotate(self) -> None:
        os.replace(self._volume, self._base.with_name(self._base.name + ".1"))
        self._volume.write_bytes(small_archive.label(0) + b"".join(_records(0, 2000)))

    def _replace(self) -> None:
        make(self._base, self._chance.choice((1, 3000, 6000)))

    def _remove(self) -> None:
        self._base.with_name(f"{self._base.name}.{self._chance.choice(('0', '1', 'meta', 'index'))}").unlink()
