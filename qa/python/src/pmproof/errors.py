# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. The exit status of the program says which of them it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from pmproof.answers import Answer
    from pmproof.report import Report


class Error(Exception):
    """All of them."""


class UsageError(Error, ValueError):
    """The request makes no sense (exit status 2): an unknown rule, no metric of that name."""


class InputError(Error):
    """An input is missing, unreadable or no archive at all (exit status 4).

    `report`: of check() what was found in this input and in others; None of replay().
    """

    def __init__(self, message: str, report: Optional[Report] = None) -> None:
        super().__init__(message)
        self.report = report


class LimitExceeded(Error):
    """More memory was needed than is allowed (exit status 6). Nothing is known of the archive; `report` as in InputError."""

    def __init__(self, message: str, report: Optional[Report] = None) -> None:
        super().__init__(message)
        self.report = report


class MetricError(Error):
    """A metric has no answer at a time: it is unknown, the time is outside of the archive, a record is damaged."""

    def __init__(self, message: str, answer: Answer) -> None:
        super().__init__(message)
        self.answer = answer


class TimedOut(Error, TimeoutError):
    """The program took longer than it may. It was ended."""


class ProgramError(Error):
    """The program did not do its work: it cannot be started, was ended by a signal, has an internal error (exit status 5),
    or says what this package does not understand.
    """


class ProgramNotFound(ProgramError):
    """There is no program."""


class ProgramTooOld(ProgramError):
    """The program is older than this package."""
