# SPDX-License-Identifier: Apache-2.0
"""check(): what is wrong with archives."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Optional, TypeVar, Union

from pmproof import errors
from pmproof.decode import NotDecodable, decode, parsed
from pmproof.paths import operands
from pmproof.program import AnyPath, Program
from pmproof.report import Profile, Report, Severity

T = TypeVar("T")

_SCHEMA = "pmproof-report/1"


def check(
    *archives: AnyPath,
    profile: Profile = "archival",
    only: Iterable[str] = (),
    select: Iterable[str] = (),
    leave_out: Iterable[str] = (),
    as_set: bool = False,
    disclose: bool = False,
    max_findings: Optional[int] = None,
    show: Severity = "warning",
    memory: Optional[str] = None,
    jobs: Optional[int] = None,
    timeout: Optional[float] = None,
    program: Optional[AnyPath] = None,
) -> Report:
    """Checks archives as `pmproof check` does, and returns what was found.

    Args:
      archives: at least one: a base name, any file of an archive, or a directory, below which each archive is checked.
      profile: "live" allows what is normal while an archive is written.
      only: parts whose rules are checked: "label", "metadata", "data", "index", "set".
      select: IDs of rules to check beside those of `only`; without `only` no others are checked.
      leave_out: IDs of rules not to check.
      as_set: whether the archives of a directory are also checked as one set.
      disclose: whether to say what the archives tell of people and machines.
      max_findings: of one rule and severity; one more stands for the rest. None: 20.
      show: the severity from which on the text of the report shows findings; it has all of them as objects.
      memory: what one archive may take beside the mapping of its files, such as "128M".
      jobs: threads. None: as many as processors.
      timeout: seconds.
      program: the executable, if not that of $PMPROOF, of this package or of the PATH.

    Raises:
      InputError: an archive is missing, unreadable, or none at all.
      LimitExceeded: `memory` was not enough.
      UsageError: an argument makes no sense, such as an unknown rule.
      TimedOut, ProgramError: as their names say.
      So whatever is returned is a verdict on all archives.
    """
    options = ["--format", "json", "--color", "never", "--progress", "never", "--profile", profile, "--show", show]
    options += [f"--only={part}" for part in words("only", only)]
    options += [f"--rule=+{rule}" for rule in words("select", select)]
    options += [f"--rule=-{rule}" for rule in words("leave_out", leave_out)]
    options += ["--set"] if as_set else []
    options += ["--disclose"] if disclose else []
    options += [f"--max-findings={max_findings}"] if max_findings is not None else []
    options += [f"--memory={memory}"] if memory is not None else []
    options += [f"--jobs={jobs}"] if jobs is not None else []
    end = operands(*archives)
    found = Program.find(program)
    with tempfile.TemporaryDirectory(prefix="pmproof-") as folder:
        text = Path(folder, "report.txt")
        command: list[Union[str, bytes]] = ["check", *options, f"--output=text:{text}", *end]
        done = found.run(command, timeout)
        shown = text.read_text(encoding="utf-8").rstrip("\n") if text.exists() else ""
    if done.returncode in (0, 1):
        return _report(found, command, done.stdout, shown)
    failure = found.failure(command, done.returncode, done.stderr)
    if isinstance(failure, (errors.InputError, errors.LimitExceeded)) and done.stdout:
        report = _report(found, command, done.stdout, shown)
        raise type(failure)("\n".join(_reasons(report)) or str(failure), report)
    raise failure


def _reasons(report: Report) -> Iterator[str]:
    """Why there is no verdict."""
    for status in report.errors:
        yield str(status)
    for one in report.archives:
        if one.failure is not None:
            yield f"{one.archive}: no verdict: {one.failure}"


def words(name: str, given: Iterable[T]) -> list[T]:
    """A string is an iterable of letters, which nobody means."""
    if isinstance(given, (str, bytes)):
        raise TypeError(f"{name} is a list of words, not one: [{given!r}]")
    return list(given)


def _report(program: Program, command: list[Union[str, bytes]], stdout: bytes, text: str) -> Report:
    try:
        document = parsed(stdout)
        if not isinstance(document, dict) or document.get("schema") != _SCHEMA:
            raise NotDecodable(f"it is no {_SCHEMA}")
        return dataclasses.replace(decode(Report, document), text=text)
    except NotDecodable as error:
        raise program.not_understood(command, error) from error
