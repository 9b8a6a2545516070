# SPDX-License-Identifier: Apache-2.0
"""The parts of the suite: each names the first thing that a mutated pmproof does wrong."""

import fnmatch
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.adapters.process import Stop
from qa.adapters.testee import Limits, Testee, TesteeError
from qa.dev.mutants.build import bounded
from qa.golden import cases
from qa.suite.checks import Selection, checks_of
from qa.suite.runner import Runner, applies
from qa.suite.verdicts import outcome_of

_NET = 1800  # seconds: no archive of the parts takes so long


class PartError(Exception):
    """The part cannot be made, or what was asked of it is not there."""


class Golden:
    """Golden cases put to the reference implementation, as `suite run reference` does."""

    def __init__(self, root: Path, limits: Limits = Limits()) -> None:
        """`root`: with all inputs as plain files (qa.golden.packed)."""
        self._checks = checks_of(cases.load_all(root))
        self._limits = limits

    def first_wrong(self, pmproof: Path, glob: str) -> str | None:
        """The first check that is not answered as expected, of the cases that the glob matches."""
        try:
            chosen = Selection([glob]).choose(self._checks)
        except cases.CaseError as error:
            raise PartError(str(error)) from error

        stop = Stop()

        def testee() -> Testee:
            return Testee("reference", lambda: bounded(pmproof, "testee"), self._limits, stop=stop)

        first = testee()
        try:
            first.start()
            # What it prints, tool.run, is asked of others.
            able = set(first.hello["capabilities"])
            asked = [check for check in chosen if check.request.operation in able and applies(check, first.hello)]
            answers = Runner(first, testee, 1, stop).answers(asked, first.hello["capabilities"])
            try:
                for answer in answers:
                    if outcome_of(answer.check, answer.outcome) != "right":
                        return answer.check.id
            finally:
                answers.close()
        except TesteeError as error:
            return f"hello: {error}"
        finally:
            stop.close()
        return None


@dataclass(frozen=True)
class _Archive:
    """`rules`: exactly what check has to find, but for those that `may_go`."""

    name: str
    folder: Path
    rules: frozenset[str]
    may_go: frozenset[str]

    def is_called(self, glob: str) -> bool:
        """By its edit, such as ARC-1216:2."""
        return fnmatch.fnmatchcase(self.name.partition("/")[2], glob)


class Broken:
    """Sound archives, and copies of them in each of which one edit of `pmproof mutate` breaks one rule: what check finds
    has to be what the edit says and what the sound one has, and nothing else.

    The archives are made by a pmproof that is not mutated.
    """

    def __init__(self, pmproof: Path, sound: Sequence[Path], folder: Path) -> None:
        """`sound`: base names of archives."""
        self._archives: list[_Archive] = []
        known = folder / "archives.json"
        if not known.exists():
            self._make(pmproof, sound, folder)
            told = [[one.name, str(one.folder), sorted(one.rules), sorted(one.may_go)] for one in self._archives]
            known.write_text(json.dumps(told, indent=0), encoding="utf-8")
        else:
            for name, path, rules, may_go in json.loads(known.read_text(encoding="utf-8")):
                self._archives.append(_Archive(name, Path(path), frozenset(rules), frozenset(may_go)))

    def _make(self, pmproof: Path, sound: Sequence[Path], folder: Path) -> None:
        listed = _run(pmproof, "mutate", "--list").stdout.splitlines()
        edits = [line.split()[0] for line in listed[1:]]
        for base in sound:
            own = _found(pmproof, [base.parent]).get(base.parent)
            if own is None:
                raise PartError(f"{base} cannot be checked")
            self._archives.append(_Archive(f"{base.parent.name}/sound", base.parent, own, frozenset()))
            for edit in edits:
                to = folder / base.parent.name / edit.replace(":", "_")
                to.mkdir(parents=True, exist_ok=True)
                done = _run(pmproof, "mutate", "--force", "--rule", edit, base, to / "archive")
                if done.returncode == 2:
                    continue  # the archive lacks what the edit needs
                if done.returncode != 0:
                    raise PartError(f"mutate --rule {edit} {base}: {done.stderr.strip()}")
                last = done.stderr.splitlines()[-1]
                rules = last.removeprefix("check finds: ").split(", ")
                self._archives.append(_Archive(f"{base.parent.name}/{edit}", to, own | set(rules), own - set(rules)))

    def first_wrong(self, pmproof: Path, glob: str) -> str | None:
        chosen = [one for one in self._archives if one.is_called(glob)]
        if not chosen:
            raise PartError(f"no archive is broken by {glob}")
        found = _found(pmproof, [one.folder for one in chosen])
        for one in chosen:
            rules = found.get(one.folder)
            # An edit can take away what the sound archive has.
            if rules is None or rules | one.may_go != one.rules:
                return one.name
        return None


def _run(pmproof: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(bounded(pmproof, *map(str, arguments)), capture_output=True, text=True, check=False, timeout=_NET)


def _found(pmproof: Path, folders: Sequence[Path]) -> dict[Path, frozenset[str]]:
    """The rules that check finds, by folder; empty where it comes to no report."""
    try:
        done = _run(pmproof, "check", "--format", "json", "--set", "--jobs", "1", *folders)
        report = json.loads(done.stdout)
    except (ValueError, subprocess.TimeoutExpired):
        return {}
    rules: dict[Path, set[str]] = {folder: set() for folder in folders}
    for archive in report["archives"]:
        path = Path(archive["archive"])
        folder = next((folder for folder in (path, *path.parents) if folder in rules), None)
        if folder is not None:
            rules[folder] |= {finding["rule"] for finding in archive["findings"]}
    return {folder: frozenset(found) for folder, found in rules.items()}
