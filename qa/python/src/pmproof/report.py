# SPDX-License-Identifier: Apache-2.0
"""The report of `pmproof check --format json` (pmproof-report/1): a class for each object, a field for each member.

`pmproof check --schema` prints the JSON Schema, which says what each member means. Members that the schema does not
require are None where they are absent. A member called as a keyword of Python ends in an underscore here. Strings are as they are printed: see path_of() for names of files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, Optional

from pmproof.decode import NOT_IN_JSON
from pmproof.times import Time

Severity = Literal["fatal", "error", "warning", "info"]
Profile = Literal["archival", "live", "ingest"]

SEVERITIES: tuple[Severity, ...] = ("fatal", "error", "warning", "info")
"""From the gravest on."""


@dataclass(frozen=True)
class Tool:
    name: str
    version: str
    rules: str


@dataclass(frozen=True)
class Status:
    kind: str
    file: str
    offset: Optional[int]
    rule: Optional[str]
    message: str

    def __str__(self) -> str:
        place = f"{self.file}: " if self.file else ""
        return place + (f"offset {self.offset}: " if self.offset is not None else "") + self.message


@dataclass(frozen=True)
class Counts:
    fatal: int
    error: int
    warning: int
    info: int


@dataclass(frozen=True)
class Summary:
    files: int
    bytes: int
    records: int
    values: int
    metrics: int
    indoms: int
    marks: int
    volumes: int
    index_entries: int
    start: Optional[Time]
    finish: Optional[Time]


@dataclass(frozen=True)
class Reclassified:
    from_: Severity
    line: int
    reason: str


@dataclass(frozen=True)
class PolicyFinding:
    check: str
    severity: Severity
    line: int
    message: str
    reason: str


@dataclass(frozen=True)
class PolicyEntry:
    line: int
    kind: str
    what: str
    reason: str
    until: Optional[str]
    expired: bool
    archives: int
    findings: Optional[int] = None
    fatal: Optional[int] = None
    unmet: Optional[int] = None


@dataclass(frozen=True)
class Policy:
    file: str
    entries: tuple[PolicyEntry, ...]
    findings: tuple[PolicyFinding, ...]


@dataclass(frozen=True)
class Finding:
    rule: str
    severity: Severity
    file: str
    part: str
    offset: int
    length: int
    record: int
    field: str
    actual: str
    expected: str
    message: str
    count: int
    metric: Optional[tuple[str, ...]] = None
    follows: Optional[int] = None
    reclassified: Optional[Reclassified] = None

    def is_at_least(self, severity: Severity) -> bool:
        """Whether it is of that severity or graver."""
        return SEVERITIES.index(self.severity) <= SEVERITIES.index(severity)


@dataclass(frozen=True)
class NotChecked:
    rule: str
    because: str


@dataclass(frozen=True)
class Lost:
    file: str
    offset: int
    length: Optional[int]
    records: int


@dataclass(frozen=True)
class Survival:
    opens: bool
    readable_records: int
    total_records: Optional[int]
    until: Optional[Time]
    records_behind: int
    behind_from: Optional[Time]
    recorded_until: Optional[Time]
    lost: tuple[Lost, ...]
    more_lost: int
    next: tuple[str, ...]


@dataclass(frozen=True)
class DisclosurePlace:
    file: str
    part: str
    offset: int
    length: int


@dataclass(frozen=True)
class DisclosureField:
    kind: str
    field: str
    example: str
    count: int
    places: tuple[DisclosurePlace, ...]


@dataclass(frozen=True)
class Disclosures:
    fields: tuple[DisclosureField, ...]
    more: int


@dataclass(frozen=True)
class Archive:
    archive: str
    readable: bool
    conformant: bool
    failure: Optional[Status]
    internal_errors: tuple[str, ...]
    archive_version: Optional[int]
    summary: Summary
    counts: Counts
    not_checked: tuple[NotChecked, ...]
    findings: tuple[Finding, ...]
    members: Optional[tuple[str, ...]] = None
    survival: Optional[Survival] = None
    disclosures: Optional[Disclosures] = None
    unmet: Optional[tuple[PolicyFinding, ...]] = None


@dataclass(frozen=True)
class RuleCount:
    rule: str
    severity: Severity
    findings: int
    archives: int


@dataclass(frozen=True)
class Footer:
    complete: bool
    archives: int
    conformant: int
    without_verdict: int
    counts: Counts
    rules: Optional[tuple[RuleCount, ...]] = None
    policy: Optional[Counts] = None


@dataclass(frozen=True)
class Report:
    """What check() returns. `str(report)` is what `pmproof check` prints."""

    schema: str
    tool: Tool
    profile: Profile
    archives: tuple[Archive, ...]
    errors: tuple[Status, ...]
    footer: Footer
    policy: Optional[Policy] = None
    text: str = field(default="", repr=False, metadata=NOT_IN_JSON)

    @property
    def conformant(self) -> bool:
        """Whether all archives are, and there is one. Without a verdict on one of them it is False."""
        return bool(self.archives) and not self.errors and all(one.conformant for one in self.archives)

    @property
    def readable(self) -> bool:
        """The same of readable."""
        return bool(self.archives) and not self.errors and all(one.readable for one in self.archives)

    def findings(self, at_least: Severity = "info") -> Iterator[Finding]:
        """Those of all archives, of that severity or graver.

        Raises ValueError for a word that is no severity.
        """
        if at_least not in SEVERITIES:
            raise ValueError(f"{at_least!r} is no severity: {', '.join(SEVERITIES)}")
        return (each for one in self.archives for each in one.findings if each.is_at_least(at_least))

    def rules(self, at_least: Severity = "info") -> set[str]:
        """The IDs of the rules that the archives break, of that severity or graver."""
        return {each.rule for each in self.findings(at_least)}

    def __str__(self) -> str:
        return self.text
