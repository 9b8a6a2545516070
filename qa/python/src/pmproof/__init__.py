# SPDX-License-Identifier: Apache-2.0
"""Conformance checks for Performance Co-Pilot (PCP) archives: the program `pmproof`, asked from Python.

    report = pmproof.check("archive")
    assert report.conformant, report

    for answer in pmproof.replay("archive", metrics=["disk.dev.read"], interval="10s"):
        print(answer.time, answer.values)

The package starts the program for each call and reads its JSON, so that a damaged archive cannot harm this process.
"""

from pmproof.answers import Answer, Bound, Data, Missing, Value
from pmproof.checking import check
from pmproof.errors import (
    Error,
    InputError,
    LimitExceeded,
    MetricError,
    ProgramError,
    ProgramNotFound,
    ProgramTooOld,
    TimedOut,
    UsageError,
)
from pmproof.paths import path_of
from pmproof.program import Program
from pmproof.replaying import Replay, replay
from pmproof.report import (
    SEVERITIES,
    Archive,
    Counts,
    DisclosureField,
    DisclosurePlace,
    Disclosures,
    Finding,
    Footer,
    Lost,
    NotChecked,
    Profile,
    Report,
    RuleCount,
    Severity,
    Status,
    Summary,
    Survival,
    Tool,
)
from pmproof.times import Time

__all__ = [
    "SEVERITIES",
    "Answer",
    "Archive",
    "Bound",
    "Counts",
    "Data",
    "DisclosureField",
    "DisclosurePlace",
    "Disclosures",
    "Error",
    "Finding",
    "Footer",
    "InputError",
    "LimitExceeded",
    "Lost",
    "MetricError",
    "Missing",
    "NotChecked",
    "Profile",
    "Program",
    "ProgramError",
    "ProgramNotFound",
    "ProgramTooOld",
    "Replay",
    "Report",
    "RuleCount",
    "Severity",
    "Status",
    "Summary",
    "Survival",
    "Time",
    "TimedOut",
    "Tool",
    "UsageError",
    "Value",
    "check",
    "path_of",
    "replay",
]
