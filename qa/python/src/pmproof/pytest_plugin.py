# SPDX-License-Identifier: Apache-2.0
"""For pytest: what a test writes is checked.

    def test_my_writer(pmproof_archive):
        my_writer.write(pmproof_archive)

    @pytest.mark.pmproof(fail_on="warning", leave_out=["ARC-1003"])
    def test_without_an_index(pmproof_archive): ...

    @pytest.mark.pmproof(verdict="not readable", rules=["ARC-1104"])
    def test_that_breaks_a_record(pmproof_archive): ...

The test fails if an archive in the folder of `pmproof_archive` is not what the marker says, or if there is none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Optional

import pytest

from pmproof.checking import check, words
from pmproof.errors import Error, InputError
from pmproof.report import SEVERITIES, Archive, Profile, Report, Severity

Verdict = Literal["conformant", "readable", "not conformant", "not readable"]
_VERDICTS: tuple[Verdict, ...] = ("conformant", "readable", "not conformant", "not readable")
_KEY = pytest.StashKey["WrittenArchive"]()


class Expectation:
    """What a marker says. `rules` None: none of `fail_on` or graver if the verdict is "conformant", else any."""

    def __init__(
        self,
        verdict: Verdict = "conformant",
        rules: Optional[Iterable[str]] = None,
        fail_on: Severity = "error",
        *,
        profile: Profile = "archival",
        only: Iterable[str] = (),
        leave_out: Iterable[str] = (),
        as_set: bool = False,
        timeout: Optional[float] = None,
    ) -> None:
        if verdict not in _VERDICTS:
            raise ValueError(f"verdict={verdict!r} is none of {', '.join(map(repr, _VERDICTS))}")
        if fail_on not in SEVERITIES:
            raise ValueError(f"fail_on={fail_on!r} is none of {', '.join(map(repr, SEVERITIES))}")
        self.verdict = verdict
        self.fail_on = fail_on
        if rules is None and verdict == "conformant":
            rules = ()
        self.rules = None if rules is None else frozenset(words("rules", rules))
        self.profile, self.as_set, self.timeout = profile, as_set, timeout
        self.only, self.leave_out = words("only", only), words("leave_out", leave_out)

    def check(self, path: "os.PathLike[str]") -> Report:
        return check(
            path,
            profile=self.profile,
            only=self.only,
            leave_out=self.leave_out,
            as_set=self.as_set,
            show="info" if self.fail_on == "info" else "warning",
            timeout=self.timeout,
        )

    def contradiction(self, report: Report) -> str:
        """Returns what is not as expected, or nothing."""
        told = [f"{Path(one.archive).name} is {_verdict(one)}" for one in report.archives if not self._holds(one)]
        if told:
            return f"{', '.join(told)}, and should be {self.verdict}"
        found = report.rules(self.fail_on)
        if self.rules is not None and found != self.rules:
            return f"found {_listed(found)} of severity {self.fail_on} or graver, and should find {_listed(self.rules)}"
        return ""

    def _holds(self, one: Archive) -> bool:
        return {
            "conformant": one.conformant,
            "readable": one.readable,
            "not conformant": not one.conformant,
            "not readable": not one.readable,
        }[self.verdict]


@dataclass(frozen=True)
class WrittenArchive(os.PathLike):  # type: ignore[type-arg]
    """Where a test writes its archive: the base name, without .meta and .0.

    All archives in `folder` are checked when the test is over: a writer may also choose its names there.
    """

    folder: Path
    expectation: Expectation

    @property
    def path(self) -> Path:
        return self.folder / "archive"

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    def check(self) -> Report:
        """Returns what is found now. Raises as pmproof.check() does."""
        return self.expectation.check(self.folder)


@pytest.fixture
def pmproof_archive(request: pytest.FixtureRequest, tmp_path: Path) -> WrittenArchive:
    """The base name of an archive that the test writes; it is checked after the test (see the marker pmproof)."""
    folder = tmp_path / "pmproof"
    folder.mkdir()
    archive = WrittenArchive(folder, _expectation(request.node))
    request.node.stash[_KEY] = archive
    return archive


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        'pmproof(verdict="conformant", rules=None, fail_on="error", *, profile, only, leave_out, as_set, timeout): '
        "what `pmproof check` is to say of what the test writes to pmproof_archive",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A marker on a test that writes nothing would check nothing."""
    for item in items:
        if any(mark.name == "pmproof" for mark in item.own_markers):
            if "pmproof_archive" not in getattr(item, "fixturenames", ()):
                raise pytest.UsageError(f"{item.nodeid}: the marker pmproof needs the fixture pmproof_archive")


@pytest.hookimpl(trylast=True)  # type: ignore[misc]  # pytest 7.2 has no type for it
def pytest_runtest_call(item: pytest.Item) -> None:
    """Comes after the test itself, if that has passed, and is a part of it: fails it, and does not make it an error."""
    archive = item.stash.get(_KEY, None)
    if archive is None:
        return
    try:
        report = archive.check()
    except InputError as error:
        if error.report is None or error.report.archives:
            pytest.fail(f"pmproof: no verdict\n{error.report or error}", pytrace=False)
        pytest.fail(f"pmproof: the test wrote no archive to {archive}: {_listed(os.listdir(archive.folder))}", pytrace=False)
    except Error as error:
        pytest.fail(f"pmproof: no verdict: {error}", pytrace=False)
    wrong = archive.expectation.contradiction(report)
    if wrong:
        pytest.fail(f"pmproof: {wrong}\n\n{report}", pytrace=False)


def _expectation(item: Any) -> Expectation:
    """Of the closest marker."""
    marker = item.get_closest_marker("pmproof")
    if marker is None:
        return Expectation()
    try:
        return Expectation(*marker.args, **marker.kwargs)
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"the marker pmproof: {error}") from error


def _verdict(one: Archive) -> str:
    if one.conformant:
        return "conformant"
    return "readable, not conformant" if one.readable else "not readable"


def _listed(words_: Iterable[str]) -> str:
    return ", ".join(sorted(words_)) or "nothing"
