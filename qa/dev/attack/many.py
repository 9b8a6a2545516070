# SPDX-License-Identifier: Apache-2.0
"""A hundred thousand volumes, and a million names in a directory."""

import os
import resource
import struct
import subprocess
import time

from qa.dev.attack.program import Outcome, environment, shown
from qa.dev.attack.setting import Clock, Setting, emptied
from validator.testing import small_archive

VOLUMES = 100_000
NAMES = 1_000_000
_METRIC = small_archive.pmid(60, 0, 1)
_NO_END = 900.0


def _label(content: bytes, number: int) -> bytes:
    return content[:20] + struct.pack(">i", number) + content[24:]


def volumes(setting: Setting) -> Outcome:
    count = setting.count(VOLUMES)
    outcome = Outcome(f"an archive of {count:,} volumes")
    clock = Clock(setting.seconds)
    base = emptied(setting.folder / "in") / "a"
    small_archive.write(base, [small_archive.desc(_METRIC, [b"a.b"])], [[]])
    label = small_archive.label(0)
    for number in range(count):
        content = _label(label, number) + small_archive.result(small_archive.START + number, {_METRIC: {-1: number}})
        base.with_name(f"a.{number}").write_bytes(content)
    out = emptied(setting.folder / "out")
    metric = ["--metric", "a.b", "--interval", "1000s"]
    profiles = ["--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2", "--interval", "1000s"]
    for words in (
        ["check", "--memory", "128M", f"{base}"],
        ["info", "--memory", "128M", f"{base}"],
        ["dump", f"{base}"],
        ["replay", *metric, f"{base}"],
        ["replay", "--raw", "--metric", "a.b", f"{base}"],
        ["rules", "diff", *profiles, f"{base}"],
        ["rewrite", f"{base}", f"{out}/new"],
    ):
        _measure(setting, words, outcome, (0, 1))
    outcome.seconds = clock.spent()
    return outcome


def names(setting: Setting) -> Outcome:
    count = setting.count(NAMES)
    outcome = Outcome(f"{count:,} names of archives in one directory")
    clock = Clock(setting.seconds)
    place = emptied(setting.folder / "in")
    small_archive.write(place / "real", [small_archive.desc(_METRIC, [b"a.b"])], [[small_archive.result(small_archive.START, {})]])
    for number in range(count // 4):
        for suffix in ("0", "meta", "index", "0.xz"):
            os.close(os.open(place / f"h{number}.{suffix}", os.O_CREAT | os.O_WRONLY))
    _measure(setting, ["check", "--quiet", "--format", "jsonl", f"{place / 'real'}"], outcome, (0, 1))
    _measure(setting, ["info", f"{place / 'real'}"], outcome, (0,))
    _measure(setting, ["check", "--format", "json", "--memory", "1G", f"{place}"], outcome, (1, 4))
    _measure(setting, ["rewrite", f"{place / 'real'}", f"{place / 'new'}"], outcome, (0, 1))
    outcome.seconds = clock.spent()
    return outcome


def _measure(setting: Setting, words: list[str], outcome: Outcome, statuses: tuple[int, ...]) -> None:
    """Time and the largest resident set of one run."""
    begin = time.monotonic()
    with subprocess.Popen(
        [setting.program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), start_new_session=True
    ) as process:
        assert process.stderr is not None
        told = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    outcome.runs += 1
    seconds = time.monotonic() - begin
    name = words[0] if words[0] != "rules" else "rules diff"
    outcome.figures.append(f"{name} {seconds:.1f} s, {_megabytes(usage)} MB")
    if process.returncode not in statuses or seconds > _NO_END:
        outcome.problems.append(f"{shown(words)}: status {process.returncode} after {seconds:.0f} s: {told[-200:]!a}")


def _megabytes(usage: resource.struct_rusage) -> int:
    return int(usage.ru_maxrss) >> 10
