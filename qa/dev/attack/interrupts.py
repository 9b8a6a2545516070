# SPDX-License-Identifier: Apache-2.0
"""Commands that write, ended by SIGINT, SIGTERM and SIGKILL at random times, and on a disk that is full."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qa.dev.attack.program import Outcome, environment, faults_of, run, shown
from qa.dev.attack.setting import Clock, Setting, State, emptied, state_of

TIMES = 50  # of each signal and command
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
_TEMPORARY = re.compile(r"(^|/)\.pmproof-\d+-")
_WHEN_MADE = re.compile(rb"<time>[^<]*</time>")  # in pages
_SIZES = 12  # of a disk, for each command
_FULL = """
    mount -t tmpfs -o size="$1" none "$2" || exit 99
    cp -a "$3"/. "$2" 2>/dev/null || exit 98
    shift 3
    "$@"
    status=$?
    ls -A "$OUT" | tr '\\n' '/' >&3
    exit $status
"""


@dataclass(frozen=True)
class Writer:
    name: str
    words: Callable[[Path, Path], list[str]]  # an archive, the folder to write to
    old: Callable[[Path, Path], None] = lambda archive, out: None  # what is there before
    # Where SIGKILL comes between two renames, some files may be there: all of an archive, or some without .meta, which is none.
    several: bool = False
    # What is written has times or ports of its own in each run: names are compared, and JSON has to be whole.
    varies: bool = False


def _old_report(_: Path, out: Path) -> None:
    (out / "report").write_text("the old report", encoding="utf-8")


def _old_archive(archive: Path, out: Path) -> None:
    for file in archive.parent.glob("old.*"):
        shutil.copy(file, out / file.name.replace("old.", "new.", 1))


_PROFILES = ["--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2"]
WRITERS = [
    Writer("check --output", lambda archive, out: ["check", "--output", f"html:{out}/report", f"{archive}"]),
    Writer("check --force", lambda archive, out: ["check", "--force", "--output", f"json:{out}/report", f"{archive}"], _old_report),
    Writer("triage --output", lambda archive, out: ["triage", "--output", f"html:{out}/report", f"{archive}"]),
    Writer("certify", lambda archive, out: ["certify", "--root", f"{archive.parent}", "--output", f"{out}/made.json", f"{archive}"], varies=True),
    Writer("rules diff --output", lambda archive, out: ["rules", "diff", *_PROFILES, "--output", f"html:{out}/report", f"{archive}"]),
    Writer("rewrite", lambda archive, out: ["rewrite", f"{archive}", f"{out}/new"], several=True),
    Writer("rewrite --compress", lambda archive, out: ["rewrite", "--compress", "xz", f"{archive}", f"{out}/new"], several=True),
    Writer("rewrite to version 2", lambda archive, out: ["rewrite", "--archive-version", "2", f"{archive}", f"{out}/new"], several=True),
    Writer("rewrite --force", lambda archive, out: ["rewrite", "--force", f"{archive}", f"{out}/new"], _old_archive, several=True),
    Writer("salvage", lambda archive, out: ["salvage", f"{archive}", f"{out}/new"], several=True),
    Writer("generate", lambda archive, out: ["generate", "--size", "1M", f"{out}/new"], several=True),
    Writer("enumerate", lambda archive, out: ["enumerate", "--records", "2", f"{out}/all"], several=True),
    Writer("mutate", lambda archive, out: ["mutate", "--rule", "ARC-1104", f"{archive.parent}/old", f"{out}/new"], several=True),
    Writer("shrink", lambda archive, out: ["shrink", "--rule", "ARC-1104", f"{archive.parent}/bad", f"{out}/new"], several=True),
    Writer("collector config", lambda archive, out: ["collector", "config", f"{out}/made"], several=True, varies=True),
]


def prepare(setting: Setting) -> Path:
    """The archives that are read: one of a megabyte, a small one, and one with a fault."""
    place = emptied(setting.folder / "in")
    for words in (
        ["generate", "--size", "1M", "--no-truth", f"{place}/big"],
        ["generate", "--seed", "2", "--records", "12", "--no-truth", f"{place}/old"],
        ["mutate", "--rule", "ARC-1104", f"{place}/old", f"{place}/bad"],
    ):
        done = run(setting.program, words)
        if done.status != 0:
            raise RuntimeError(f"{shown(words)}: {done.err.decode()}")
    return place / "big"


def signals(setting: Setting) -> Outcome:
    count = setting.count(TIMES)
    outcome = Outcome(f"SIGINT, SIGTERM and SIGKILL, each at {count} random times of each command that writes")
    clock = Clock(setting.seconds)
    archive = prepare(setting)
    inputs = state_of(archive.parent)
    counts: Counter[str] = Counter()
    for writer in WRITERS:
        _interrupt(setting, writer, archive, count, outcome, counts)
    if state_of(archive.parent) != inputs:
        outcome.problems.append("an input was changed")
    outcome.figures.append(f"{len(WRITERS)} commands: {counts['old']} times all as before, {counts['new']} times all new")
    outcome.figures.append(
        f"after SIGKILL: {counts['temporary']} times temporary names, {counts['partly']} times some whole files, none an archive in part"
    )
    outcome.seconds = clock.spent()
    return outcome


def _fresh(writer: Writer, archive: Path, out: Path) -> State:
    writer.old(archive, emptied(out))
    return written(out)


def written(folder: Path) -> State:
    """What is there, whenever it was made."""
    return state_of(folder, lambda content: _WHEN_MADE.sub(b"", content))


def _interrupt(setting: Setting, writer: Writer, archive: Path, count: int, outcome: Outcome, counts: Counter[str]) -> None:
    out = setting.folder / "out"
    old = _fresh(writer, archive, out)
    words = writer.words(archive, out)
    whole = run(setting.program, words)
    outcome.take(faults_of(whole, statuses=(0, 1)))
    new = written(out)
    for number in _SIGNALS:
        for _ in range(count):
            _fresh(writer, archive, out)
            outcome.runs += 1
            told, status = _ended(setting, words, number, setting.chance.uniform(0, whole.seconds * 1.1))
            left = written(out)
            temporary = {name for name in left if _TEMPORARY.search(name)}
            named = {name: digest for name, digest in left.items() if name not in temporary}
            where = f"{shown(words)}: {number.name}: status {status}"
            counts["temporary"] += bool(temporary)
            if number != signal.SIGKILL and temporary:
                outcome.problems.append(f"{where}: left {sorted(temporary)}: {told[-200:]!a}")
            if named == old:
                counts["old"] += 1
            elif named == new or (writer.varies and named.keys() == new.keys() and _parse(out)):
                counts["new"] += 1
            elif number == signal.SIGKILL and writer.several and not _torn(writer, named, old, new):
                counts["partly"] += 1
            else:
                outcome.problems.append(f"{where}: left neither what was there nor all that is new: {sorted(named)}")


def _parse(out: Path) -> bool:
    for file in out.glob("*.json"):
        try:
            json.loads(file.read_bytes())
        except ValueError:
            return False
    return True


def _torn(writer: Writer, left: State, old: State, new: State) -> list[str]:
    """Files that are neither as before nor as they are to be; and what is missing of an archive whose new .meta is there."""
    if writer.varies:
        return sorted(left.keys() - new.keys())
    torn = [name for name, digest in left.items() if digest not in (old.get(name), new.get(name))]
    for meta in left:
        base, dot, _ = meta.partition(".meta")
        if dot and left[meta] == new.get(meta) != old.get(meta):
            parts = (name for name in new if name.startswith(base + ".") and not name.endswith(".json"))
            torn += [name for name in parts if left.get(name) != new[name]]
    return torn


def _heed_signals() -> None:
    """A job in the background is started with SIGINT ignored, and what it starts would ignore it too."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _ended(setting: Setting, words: list[str], number: signal.Signals, after: float) -> tuple[bytes, int]:
    command = [str(setting.program), *words]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), preexec_fn=_heed_signals
    ) as process:
        time.sleep(after)
        process.send_signal(number)
        assert process.stderr is not None
        told = process.stderr.read()
        return told, process.wait()


def full_disk(setting: Setting) -> Outcome:
    outcome = Outcome("a full disk (a small tmpfs) under each command that writes")
    clock = Clock(setting.seconds)
    archive = prepare(setting)
    place, staging = setting.folder / "disk", setting.folder / "staging"
    place.mkdir()
    stopped = fitted = 0
    for writer in WRITERS:
        old = set(_fresh(writer, archive, staging))
        room = sum(file.stat().st_size for file in staging.rglob("*") if file.is_file())
        for _ in range(setting.count(_SIZES)):
            size = room + setting.chance.choice((8192, 16384, 65536, 262144, 524288, 1 << 20))
            words = writer.words(archive, place)
            status, names, err = _on_disk(setting, words, size, place, staging)
            if status == 99:
                outcome.figures.append("no mount is allowed here: not tried")
                outcome.seconds = clock.spent()
                return outcome
            if status == 98:
                continue
            outcome.runs += 1
            if status in (0, 1):
                fitted += 1
            elif status == 5 and set(names) == {name.partition("/")[0] for name in old}:
                stopped += 1
            else:
                outcome.problems.append(f"{shown(words)} on {size} bytes: status {status}, left {names}: {err[-200:]!a}")
    outcome.figures.append(f"{stopped} times stopped with status 5 and nothing left, {fitted} times it fitted")
    outcome.seconds = clock.spent()
    return outcome


def _on_disk(setting: Setting, words: list[str], size: int, place: Path, staging: Path) -> tuple[int, list[str], bytes]:
    script = ["unshare", "--mount", "sh", "-c", _FULL, "sh", str(size), str(place), str(staging), str(setting.program), *words]
    reading, writing = os.pipe()
    try:
        with subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3>&{writing}', "bash", *script], pass_fds=[writing], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, env=environment({"OUT": str(place)}),
        ) as process:
            _, err = process.communicate()
        os.close(writing)
        names = os.read(reading, 1 << 20).decode(errors="replace")
    finally:
        os.close(reading)
    if b"unshare" in err:
        return 99, [], err
    return process.returncode, [name for name in names.split("/") if name], err
