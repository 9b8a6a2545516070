# SPDX-License-Identifier: Apache-2.0
"""A disagreement is made smaller, in its request and in its archive, while it stays the same disagreement."""

import itertools
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from qa.beside_pcp.derived import questions
from qa.golden import cases
from qa.suite.explore import difference, undefined
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.pair import Judged, Pair
from qa.suite.explore.scene import Ask

_MOST_TRIES = 600
_TOKENS = re.compile(r"\s+|[A-Za-z_][A-Za-z0-9_.]*|[0-9.]+|.", re.DOTALL)
_HEX = re.compile(r"([0-9a-f]{2})+")
_TIME = re.compile(r"-?[0-9]+\.[0-9]{9}")
# What the request is about stays: another rule or dialect would be another question.
_KEPT = ("rule", "dialect", "emulate", "pdu")


class Shrinker:
    """Within `seconds` for each disagreement. `pair` is used by nobody else meanwhile."""

    def __init__(self, programs: Programs, pair: Pair, seconds: float) -> None:
        self._programs, self._pair, self._seconds = programs, pair, seconds
        self._end = 0.0
        self._tries = 0

    def shrunk(self, ask: Ask, folder: Path, kind: str) -> tuple[Ask, Judged] | None:
        """The smaller request, and the answers to it; its archive lies in the folder as "archive", "archive-2" and so on.

        None where the disagreement is not met again.
        """
        self._end = time.monotonic() + self._seconds
        self._tries = 0
        judged = self._judged(ask, folder, kind)
        if judged is None:
            return None
        ask = self._of_request(self._at_place(ask, folder, kind, judged), folder, kind)
        if ask.text:
            ask = self._of_text(ask, folder, kind)
        elif ask.source:
            ask = self._of_archive(ask, folder, kind)
            ask = self._of_request(ask, folder, kind)
        judged = self._judged(ask, folder, kind)
        return None if judged is None else (ask, judged)

    def _judged(self, ask: Ask, folder: Path, kind: str) -> Judged | None:
        self._tries += 1
        if not is_defined(self._programs, ask, folder):
            return None
        judged = self._pair.judge(ask, folder)
        return judged if judged.verdict == "wrong" and judged.why == kind else None

    def _is_over(self) -> bool:
        return time.monotonic() > self._end or self._tries > _MOST_TRIES

    def _at_place(self, ask: Ask, folder: Path, kind: str, judged: Judged) -> Ask:
        """One fetch, of the metric and at the time that differ, where that is enough."""
        place = difference.place_of(judged.expected, judged.actual)
        if place is None or ask.operation not in ("replay.interp", "replay.raw", "derive.eval"):
            return ask
        moment, metric = place
        args = {key: told for key, told in ask.args.items() if key != "fetches"} | {"metrics": [metric], "start": moment, "count": 1}
        if ask.operation != "replay.raw" and not args.get("raw"):
            args.setdefault("interval", "1")
        candidate = replace(ask, args=args)
        return candidate if self._judged(candidate, folder, kind) is not None else ask

    def _of_request(self, ask: Ask, folder: Path, kind: str) -> Ask:
        smaller = True
        while smaller and not self._is_over():
            smaller = False
            for args in simpler(ask.args):
                if self._is_over():
                    break
                candidate = replace(ask, args=args)
                if self._judged(candidate, folder, kind) is not None:
                    ask, smaller = candidate, True
                    break
        return ask

    def _of_text(self, ask: Ask, folder: Path, kind: str) -> Ask:
        """Lines are left out, two of them at once, octets."""
        whole = (folder / ask.text).read_bytes()
        shorter = replace(ask, source=ask.source | {"file": "shorter"})

        def keeps(text: bytes) -> bool:
            (folder / "shorter").write_bytes(text)
            return not self._is_over() and self._judged(shorter, folder, kind) is not None

        text, before = whole, b""
        while text != before and not self._is_over():
            before = text
            text = b"".join(_least(text.splitlines(keepends=True), keeps))
            text = _without_pairs(text.splitlines(keepends=True), keeps)
            text = b"".join(_least([bytes([octet]) for octet in text], keeps))
        (folder / "shorter").write_bytes(text)
        return shorter

    def _of_archive(self, ask: Ask, folder: Path, kind: str) -> Ask:
        """By `pmproof shrink --ask`, which writes candidates; without its help the files are copied as they are."""
        names = cases.paths_of(ask.source)
        scratch = folder / "shrunk"
        scratch.mkdir(exist_ok=True)
        best: list[str] = []

        def keeps(paths: list[str]) -> bool:
            told = ask.source_of(paths)
            if self._is_over() or self._judged(told, folder, kind) is None:
                return False
            best[:] = paths
            return True

        is_done = self._shrink(",".join(str(folder / name) for name in names), scratch / "archive", keeps)
        if not is_done or not best:
            return self._copied(ask, folder, names)
        final = ask.source_of([f"shrunk/{Path(path).name}" for path in best])
        return final if self._judged(final, folder, kind) is not None else self._copied(ask, folder, names)

    def _copied(self, ask: Ask, folder: Path, names: list[str]) -> Ask:
        """As it is, under the names of a witness."""
        whole = folder / "whole"
        whole.mkdir(exist_ok=True)
        found = []
        for number, name in enumerate(names, start=1):
            base = "archive" if number == 1 else f"archive-{number}"
            found.append(f"whole/{base}")
            for path in (folder / name).parent.glob(f"{Path(name).name}.*"):
                if path.is_file() and not path.name.endswith(".json"):
                    shutil.copy(path, whole / (base + path.name[len(Path(name).name) :]))
        return ask.source_of(found)

    def _shrink(self, archives: str, out: Path, keeps: Callable[[list[str]], bool]) -> bool:
        words = [self._programs.pmproof, "shrink", "--ask", "--quiet", "--force", "--budget", f"{self._seconds:g}", archives, str(out)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                for line in process.stdout:
                    process.stdin.write("yes\n" if keeps(line.rstrip("\n").split("\t")) else "no\n")
                    process.stdin.flush()
            except BrokenPipeError:
                pass
            except BaseException:
                process.kill()
                raise
        return process.returncode == 0


def _least(parts: list[bytes], keeps: Callable[[bytes], bool]) -> list[bytes]:
    """What is left when nothing more can be left out, of runs that get shorter and shorter."""
    step = len(parts)
    while step >= 1:
        begin = 0
        while begin < len(parts):
            rest = parts[:begin] + parts[begin + step :]
            if keeps(b"".join(rest)):
                parts = rest
            else:
                begin += step
        step //= 2
    return parts


def _without_pairs(lines: list[bytes], keeps: Callable[[bytes], bool]) -> bytes:
    """Where one line asks for another, such as a name for what it names."""
    for one, other in itertools.combinations(range(len(lines)), 2):
        rest = b"".join(line for place, line in enumerate(lines) if place not in (one, other))
        if keeps(rest):
            return rest
    return b"".join(lines)


def is_defined(programs: Programs, ask: Ask, folder: Path) -> bool:
    """Whether a request that was made smaller still has an answer that the specification decides."""
    if undefined.clause_of(ask.operation, ask.args):
        return False
    if not ask.operation.startswith("derive.") or not ask.source:
        return True
    texts = [one.get("expression", "") for one in (*ask.args.get("definitions", ()), *ask.args.get("derived", ()))]
    if any("\n" in text for text in texts):
        return False
    (archive,) = cases.paths_of(ask.source_in(folder))
    try:
        told = questions.answers_to(Path(programs.expressions), Path(archive), str(ask.args["dialect"]), 1, texts)
    except questions.ProgramError:
        return False  # an archive that became too small for expressions
    answers = [part for ours in told["expressions"] for part in (ours, ours["global"], ours["added"])]
    return not any("undefined" in part for part in answers)


def simpler(told: Any, key: str = "") -> Iterator[Any]:
    """Values that are a little simpler each, those that leave out most first."""
    if isinstance(told, dict):
        for name in told:
            if name not in _KEPT:
                yield {one: part for one, part in told.items() if one != name}
        for name, part in told.items():
            if name not in _KEPT:
                for less in simpler(part, name):
                    yield {**told, name: less}
    elif isinstance(told, list):
        size = len(told)
        step = size
        while step >= 1:
            for begin in range(0, size, step):
                rest = told[:begin] + told[begin + step :]
                if rest:
                    yield rest
            step //= 2
        for place, part in enumerate(told):
            for less in simpler(part, key):
                yield [*told[:place], less, *told[place + 1 :]]
    elif isinstance(told, bool) or told is None:
        return
    elif isinstance(told, int):
        yield from (less for less in (0, 1, told // 2, told - 1) if abs(less) < abs(told))
    elif isinstance(told, str):
        yield from _simpler_text(told, key)


def _simpler_text(told: str, key: str) -> Iterator[str]:
    if key in ("time", "start", "interval") or _TIME.fullmatch(told):
        whole = told.partition(".")[0]
        if told != whole and set(told.partition(".")[2]) != {"0"}:
            yield f"{whole}.000000000"
        return
    if key in ("name", "metrics", "metric"):
        return
    parts = re.findall("..", told) if _HEX.fullmatch(told) and len(told) > 4 else _TOKENS.findall(told)
    step = len(parts) // 2
    while step >= 1:
        for begin in range(0, len(parts), step):
            rest = "".join(parts[:begin] + parts[begin + step :])
            if rest:
                yield rest
        step //= 2
    # What is in parentheses alone: an operand, or the argument of a function.
    depth, opened = 0, 0
    for place, c in enumerate(told):
        if c == "(":
            opened = place + 1 if depth == 0 else opened
            depth += 1
        elif c == ")" and depth > 0:
            depth -= 1
            if depth == 0 and place > opened:
                yield told[opened:place]
