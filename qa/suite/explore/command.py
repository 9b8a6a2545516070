# SPDX-License-Identifier: Apache-2.0
"""`suite explore`: any implementation against what the generators make."""

import argparse
import fnmatch
import itertools
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from qa.adapters.guardian import orphans_ended
from qa.adapters.process import Stop
from qa.adapters.protocol import Messages
from qa.adapters.testee import Limits, Testee, TesteeError
from qa.suite import implementations, session
from qa.suite.explore import archive_scenes, log, report, witness
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.exploration import Disagreement, Explored, Exploration, Maker
from qa.suite.explore.pair import Pair, Tally
from qa.suite.explore.scene import Json, Variants
from qa.suite.explore.shrinking import Shrinker
from qa.suite.implementations import Implementation, NotThereError, UsageError
from qa.support.built import built

_RULES = ("pcp-legacy", "pcp-6.3.2", "documented")
_DIALECTS = ("6.0.3", "6.3.8", "7.2.2")
_MOST_WITNESSES = 40
_SHOWN = 20


# Of a folder of cases, if there are any, and an implementation.
Reports = Callable[[Path | None, str], None]


def expressions() -> str:
    """The generator of expressions, which is a program of its own."""
    if named := os.environ.get("EXPRESSIONS"):
        return named
    try:
        return str(built("//generators/expression:expressions"))
    except (subprocess.CalledProcessError, OSError) as error:
        raise NotThereError(f"the generator of expressions cannot be built (EXPRESSIONS may name it): {error}") from error


@dataclass
class _Sides:
    """Who is asked, and how often at a time."""

    right: Implementation
    testee: Implementation
    limits: Limits
    version: str | None
    is_reference: bool
    is_pcp: bool = False  # one of the two
    messages: Messages = field(default_factory=Messages)

    def pair(self, stop: Stop) -> Pair:
        right = Testee(self.right.name, self.right.argv, Limits(), None, None, stop)
        testee = Testee(self.testee.name, self.testee.argv, self.limits, None, self.messages, stop)
        return Pair(right, testee, self.version, self.is_reference)


def explore(asked: argparse.Namespace, write_reports: Reports) -> int:
    """`write_reports` makes those that were asked for."""
    # First: a build may start Bazel's server, which outlives this.
    programs = Programs(implementations.pmproof(), expressions())
    with orphans_ended(), closing(Stop()) as stop, tempfile.TemporaryDirectory(prefix="explore-") as root:
        folder = Path(root)
        named = implementations.find(asked.implementation, asked.cases, folder)
        right = implementations.find(asked.against or "reference", asked.cases, folder)
        sides, hello = _greeted(named, right, asked, stop)
        wants = replace(variants_of(hello, asked.op), unsound=not sides.is_pcp)
        maker = Maker(programs, str(asked.seed), wants)
        if not maker.is_possible:
            raise UsageError(f"{named.name} has none of the operations that were asked for: {', '.join(sorted(hello['capabilities']))}")
        run = _Run(asked, sides, maker, hello, stop, folder)
        known, journal = run.journal()
        with journal or nullcontext():
            return run.go(known, journal, write_reports)


def _greeted(named: Implementation, right: Implementation, asked: argparse.Namespace, stop: Stop) -> tuple[_Sides, Json]:
    limits = Limits(asked.limit, asked.start_limit)
    sides = _Sides(right, named, limits, None, asked.against is None)
    pair = sides.pair(stop)
    try:
        pair.testee.start()
        pair.right.start()
        hello = dict(pair.testee.hello)
        sides.is_pcp = session.version_of(hello) is not None
        if asked.against is not None:  # what both have
            other = pair.right.hello
            hello["capabilities"] = [one for one in hello["capabilities"] if one in other["capabilities"]]
            hello["rules"] = [one for one in hello["rules"] if one in other["rules"]]
            hello["dialects"] = [one for one in _dialects(hello) if one in _dialects(other)]
            hello["emulates"] = [one for one in hello.get("emulates", ()) if one in other.get("emulates", ())]
            sides.is_pcp = sides.is_pcp or session.version_of(other) is not None
        else:
            sides.version = session.version_of(hello)
        return sides, hello
    except TesteeError as error:
        raise NotThereError(str(error)) from error
    finally:
        pair.testee.end()
        pair.right.end()


def _dialects(hello: Json) -> Sequence[str]:
    return [one for one in _DIALECTS if one in hello.get("dialects", _DIALECTS)]


def variants_of(hello: Json, globs: Sequence[str]) -> Variants:
    """What can be asked of an implementation that says this, as far as one of the globs matches the operation."""
    operations = [one for one in hello["capabilities"] if not globs or any(fnmatch.fnmatchcase(one, glob) for glob in globs)]
    rules = [one for one in _RULES if one in hello["rules"]]
    return Variants(frozenset(operations), rules, _dialects(hello), emulates=[one for one in _DIALECTS if one in hello.get("emulates", ())])


class _Run:
    def __init__(self, asked: argparse.Namespace, sides: _Sides, maker: Maker, hello: Json, stop: Stop, root: Path) -> None:
        self._root = root
        self._asked, self._sides, self._maker, self._hello, self._stop = asked, sides, maker, hello, stop
        self._tally = Tally()
        self._disagreements: list[Disagreement] = []
        self._faults: list[str] = []

    def journal(self) -> tuple[list[Explored], TextIO | None]:
        if self._asked.journal is None:
            return [], None
        if self._asked.scene:
            raise UsageError("--scene is about single scenes, of which no journal is kept")
        told = self._hello["implementation"]
        header: Json = {
            "implementation": self._sides.testee.name,
            "version": told["version"],
            "against": self._sides.right.name,
            "seed": str(self._asked.seed),
            "operations": sorted(self._maker.wants.operations),
            "rules": list(self._maker.wants.rules),
            "dialects": list(self._maker.wants.dialects),
            "emulates": list(self._maker.wants.emulates),
        }
        return log.opened(self._asked.journal, header)

    def go(self, known: Sequence[Explored], journal: TextIO | None, write_reports: Reports) -> int:
        begin, cpu = time.monotonic(), _cpu()
        for explored in known:
            self._take(explored)
        before = sum(self._tally.asked.values())
        if before:
            print(f"{self._asked.journal}: goes on after scene {len(known)}, {before:,} requests", file=sys.stderr)
        because = self._explore(len(known) + 1, journal, begin)
        fresh, seconds = sum(self._tally.asked.values()) - before, time.monotonic() - begin
        spent = _cpu() - cpu
        self._tell(fresh, seconds, spent)
        if because:
            print(f"suite: {because}", file=sys.stderr)
        written = self._witnesses()
        write_reports(self._asked.out if written else None, self._sides.testee.name)
        if because:
            return session.NOT_STARTED
        if self._faults:
            return session.INTERNAL
        if self._disagreements or self._lies():
            return session.FAILED
        return session.USAGE if sum(self._tally.asked.values()) == self._tally.verdicts["skip"] else session.OK

    def _explore(self, first: int, journal: TextIO | None, begin: float) -> str:
        """Why it ended early, or ""."""
        asked = self._asked
        shown = asked.progress == "always" or (asked.progress == "auto" and sys.stderr.isatty())
        progress = report.Progress(sys.stderr, shown, asked.count)
        before = total = sum(self._tally.asked.values())
        exploration = Exploration(self._maker, self._sides.pair, asked.jobs, self._stop, self._root)
        numbers = iter(asked.scene) if asked.scene else itertools.count(first)
        scenes = exploration.scenes(numbers)
        kinds = {one.group for one in self._disagreements}
        if asked.count and total >= asked.count:
            return ""
        try:
            for explored in scenes:
                self._take(explored)
                if journal is not None:
                    journal.write(log.line_of(explored))
                    journal.flush()
                total = sum(self._tally.asked.values())
                asked.answered, asked.expected = total, max(asked.count or 0, total)
                kinds.update(one.group for one in explored.disagreements)
                progress.tell(total, total - before, len(kinds))
                if (asked.count and total >= asked.count) or (asked.time and time.monotonic() - begin >= asked.time):
                    break
        except TesteeError as error:
            return str(error)
        finally:
            scenes.close()
            progress.clear()
        return ""

    def _take(self, explored: Explored) -> None:
        self._tally.add(explored.tally)
        self._disagreements += explored.disagreements
        self._faults += explored.faults

    def _lies(self) -> list[str]:
        return report.lies(self._maker.wants.operations, self._tally)

    def _tell(self, fresh: int, seconds: float, spent: float) -> None:
        told = self._hello["implementation"]
        tally, maker = self._tally, self._maker
        print(f"{self._sides.testee.name} ({told['name']} {told['version']}) beside {self._sides.right.name}, seed {maker.seed}")
        print(report.sums(tally))
        print(f"{fresh:,} of them in {seconds:.1f} s, {fresh / max(seconds, 1e-9):,.0f}/s; {1000 * spent / max(fresh, 1):.1f} ms of processor each")
        scenarios = archive_scenes.scenarios(maker.programs.pmproof)
        known = report.Known(sorted(maker.wants.operations), [one.name for one in scenarios], {one.name: one.clauses for one in scenarios})
        lines = report.coverage(tally, known)
        lines += report.counted("not asked", tally.unasked)
        lines += report.counted("undefined by the specification, not compared", tally.undefined)
        lines += report.counted("declared deviations of the ledger", tally.declared)
        lines += report.counted("skipped or not judged", tally.skipped)
        print("\n".join(lines), flush=True)
        for lie in self._lies():
            print(lie)
        for fault in self._faults[:5]:
            print(f"suite: a fault of its own: {fault}", file=sys.stderr)

    def _witnesses(self) -> int:
        """Writes them; how many."""
        groups = witness.groups_of(self._disagreements)
        if not groups:
            return 0
        pair = self._sides.pair(self._fresh_stop())
        shrinker = Shrinker(self._maker.programs, pair, self._asked.shrink)
        told = self._hello["implementation"]
        source = witness.Told(told["name"], told["version"], self._sides.right.name, self._command)
        writer = witness.Writer(self._asked.out, self._maker, pair, shrinker, source, self._root)
        names: set[str] = set()
        try:
            for group in groups[:_MOST_WITNESSES]:
                name = writer.write(group)
                names.add(name)
                self._show(group, name)
        finally:
            pair.testee.end()
            pair.right.end()
        if len(groups) > _MOST_WITNESSES:
            rest = sum(group.count for group in groups[_MOST_WITNESSES:])
            print(f"{rest:6,}  of {len(groups) - _MOST_WITNESSES} more kinds, without a witness")
        names.discard("")
        wrong = sum(group.count for group in groups)
        print(f"{wrong:,} disagreements of {len(groups)} kinds, {len(names)} witnesses in {self._asked.out}")
        print(f"  asked again by: qa/suite/suite run {shlex.quote(self._sides.testee.name)} --cases {self._asked.out}")
        return len(names)

    def _fresh_stop(self) -> Stop:
        self._own_stop = Stop()
        return self._own_stop

    def _show(self, group: witness.Group, name: str) -> None:
        one = group.smallest
        print(f"{group.count:6,}  {one.ask.operation} [{one.clause}] {one.kind}")
        print(f"        {name or 'no witness'}; first {self._command(one)}", flush=True)

    def _command(self, one: Disagreement) -> str:
        words = ["qa/suite/suite", "explore", self._sides.testee.name, "--seed", self._maker.seed, "--scene", str(one.scene)]
        for glob in self._asked.op:
            words += ["--op", glob]
        if self._asked.against:
            words += ["--against", self._asked.against]
        return shlex.join(words)


def _cpu() -> float:
    told = os.times()
    return told.user + told.system + told.children_user + told.children_system
