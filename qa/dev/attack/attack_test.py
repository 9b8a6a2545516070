# SPDX-License-Identifier: Apache-2.0
"""The attacks find nothing in a short time, and find what is put there for them."""

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from qa.dev.attack import fuzzing, interrupts, many, peers, reading
from qa.dev.attack.cli import ATTACKS, markdown, row
from qa.dev.attack.mutants import Mutator, frames, read
from qa.dev.attack.program import Done, Outcome, faults_of, run, shown
from qa.dev.attack.setting import Setting
from validator.testing import small_archive

PMPROOF = Path(os.environ["PMPROOF"]).resolve()
FAILING_READS = Path(os.environ["FAILING_READS"]).resolve()


def setting(folder: Path, program: Path = PMPROOF, seed: int = 1, seconds: float = 0) -> Setting:
    (folder / "work").mkdir()
    return Setting(program, FAILING_READS, folder / "work", random.Random(seed), seconds, 0.002, folder / "faults")


SHORT: dict[str, Callable[[Setting], Outcome]] = {
    "signals": interrupts.signals,
    "full-disk": interrupts.full_disk,
    "read-errors": reading.errors,
    "moving-files": reading.moving,
    "volumes": many.volumes,
    "names": many.names,
    "peers": peers.attack,
}


@pytest.mark.parametrize("name", SHORT)
def test_a_short_attack_finds_nothing(name: str, tmp_path: Path) -> None:
    outcome = SHORT[name](setting(tmp_path))
    assert outcome.problems == []
    assert outcome.runs > 0 or "not tried" in outcome.figures[0]


@pytest.mark.parametrize("seed", range(4))
def test_a_short_fuzzing_finds_nothing(seed: int, tmp_path: Path) -> None:
    outcome = fuzzing.attack(setting(tmp_path, seed=seed, seconds=2))
    assert outcome.problems == []
    assert outcome.runs > 0
    assert not (tmp_path / "faults").exists()


def test_each_attack_is_in_the_table() -> None:
    assert set(ATTACKS) == {*SHORT, "fuzz", "fleets"}
    made = row(Outcome("a try", runs=1234, figures=["a | b"], problems=["x"], seconds=90), 7, "abc", "2026-11-24")
    line = markdown([made]).splitlines()[2]
    assert line == "| a try | 1,234 | 1.5 | a \\| b | **1 fault** | 2026-11-24, abc, 7 |"


def bad_program(folder: Path, body: str) -> Path:
    program = folder / "bad"
    program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    "body, told",
    [
        ("kill -SEGV $$", "SIGSEGV"),
        ("exit 9", "status 9"),
        ("printf '\\033[2J'", "prints"),
        ("printf '\\377'", "not UTF-8"),
        ("echo '{'", "json that is none"),
        ("echo 'pmproof: internal error: x' >&2", "internal error"),
        ("sleep 60", "no end"),
    ],
)
def test_what_must_not_be_is_found(body: str, told: str, tmp_path: Path) -> None:
    done = run(bad_program(tmp_path, body), ["check"], limit=1)
    (fault,) = faults_of(done, "json" if "{" in body else None)
    assert told in fault


def test_what_is_well_has_no_fault() -> None:
    assert faults_of(Done(("check",), 1, b'{"a": "\\u202e"}\n', b"", 0.1), "json") == []
    assert faults_of(Done(("check",), -signal.SIGTERM, b"", b"", 0.1)) == ["check: ended by SIGTERM"]


def test_a_command_line_can_be_typed_again() -> None:
    assert shown(["check", b"a\x1b'b"]) == "check $'a\\x1b\\x27b'"


def test_a_writer_that_leaves_half_a_file_is_found(tmp_path: Path) -> None:
    body = f"""
        case "$*" in
            *--output*) for word; do case $word in *:*) out=${{word#*:}};; esac; done; echo half > "$out"; sleep 0.3; echo more >> "$out";;
            *) exec {PMPROOF} "$@";;
        esac"""
    assert interrupts.signals(setting(tmp_path, bad_program(tmp_path, body))).problems


def test_pages_made_at_other_times_are_the_same_and_half_of_one_is_not(tmp_path: Path) -> None:
    page = tmp_path / "report"
    page.write_text("<p>all</p><time>2026-11-28T03:51:47Z</time>", encoding="utf-8")
    first = interrupts.written(tmp_path)
    page.write_text("<p>all</p><time>2026-11-28T03:51:48Z</time>", encoding="utf-8")
    assert interrupts.written(tmp_path) == first
    page.write_text("<p>all</p><time>2026-11-28T03:51:48Z", encoding="utf-8")
    assert interrupts.written(tmp_path) != first


def test_mutants_are_drawn_by_the_seed_and_know_frames(tmp_path: Path) -> None:
    metric = small_archive.pmid(60, 0, 1)
    records = [small_archive.result(small_archive.START + at, {metric: {-1: at}}) for at in range(5)]
    files = read(small_archive.write(tmp_path / "a", [small_archive.desc(metric, [b"a.b"])], [records]))
    assert set(files) == {"meta", "index", "0"}
    assert [length for _, length in frames(files["0"])] == [132, *map(len, records)]

    def mutants(seed: int) -> list[dict[str, bytes]]:
        mutator = Mutator(random.Random(seed), files)
        return [mutator.mutate(files) for _ in range(300)]

    assert mutants(1) == mutants(1)
    changed = [mutant for mutant in mutants(1) if mutant != files]
    assert len(changed) > 250
    whole = [mutant for mutant in changed if all(sum(length for _, length in frames(mutant.get(name, b""))) for name in files)]
    assert len(whole) > 100
